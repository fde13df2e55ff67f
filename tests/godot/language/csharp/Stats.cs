using Godot;
[GlobalClass]
public partial class Stats : Resource { [Export] public int Hp = 5; }
