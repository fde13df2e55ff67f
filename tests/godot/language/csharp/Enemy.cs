using Godot;
public partial class Enemy : Player { [Export] public float Range = 12f; [Signal] public delegate void SeenEventHandler(Node2D who); public void OnSeen(Node2D who) {} }
