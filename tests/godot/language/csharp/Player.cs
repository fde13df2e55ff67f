using Godot;
using System.Collections.Generic;

namespace Game.Actors;

/// <summary>The hero of the game.</summary>
/// <remarks>More.</remarks>
[Tool]
[GlobalClass, Icon("res://hero.svg")]
public partial class Player : CharacterBody2D, IHit
{
    [Signal]
    public delegate void HealthChangedEventHandler(int oldValue, int newValue);
    [Signal] public delegate void DiedEventHandler();

    public enum Mood { Calm, Angry = 5, Sad }

    [ExportCategory("Movement")]
    [ExportGroup("Speed", "speed_")]
    /// <summary>How fast it runs.</summary>
    [Export(PropertyHint.Range, "0,800,10,or_greater")]
    public float Speed { get; set; } = 300.0f;
    [Export] public int Lives = 3, Spare;
    [Export] private Vector2 _start = new Vector2(1, 2);
    [Export] public Vector2 Dir = Vector2.Up;
    [Export] public Color Tint { get; set; } = Colors.Red;
    [Export] public Mood Feels = Mood.Angry;
    [Export] public PackedScene Bullet;
    [Export] public Godot.Collections.Array<Texture2D> Pictures { get; set; } = new();
    [Export] public string[] Names = { "a", "b" };
    [Export] public Node.ProcessModeEnum Pm;
    [Export] public Enemy Foe { get; set; }
    [Export] public Stats? Numbers = null;
    [Export] public Godot.Collections.Dictionary<string, int> Prices = new();
    [Export(PropertyHint.MultilineText)] public string Story = "One\ntwo";
    [Export] public double Weight = 1 / 3.0;
    [Export] public Vector3 Scale3 = MakeScale();
    [Export] public NodePath Where = "Sprite";
    private int _hidden = 4;
    public const int MaxLives = 9;
    public static int Count;

    public override void _Ready() { }
    public void TakeDamage(int amount, string source = "none", params int[] rest) { }
    private async System.Threading.Tasks.Task Wait() { }
#if TOOLS
    public void OnlyTools() { }
#endif
}
