extends "res://base.gd"
const Base = preload("res://base.gd")
const FLAG_A = 1 << 3
const NAMES = ["x", "y"]
const Sub = Base.Inner
enum { UNNAMED_A = 4, UNNAMED_B }
@export var e1: Mode = Mode.VERY_FAST
@export var e2: Base.Mode
@export var e3: Item.Rarity = Item.Rarity.RARE
@export var i1: Item
@export var i2: Base
@export var i3: Base.Inner
@export var i4: Sub
@export var a1: Array[Item]
@export var a2: Array[Base]
@export var a3: Array[Item.Rarity]
@export var a4: Array[Array]
@export var a5: Array[Dictionary]
@export var a6: Array[Vector2] = [Vector2(1, 2), Vector2.UP]
@export var a7: Array[Control.FocusMode]
@export var a8: Array[Variant]
@export var a9: Array[PackedScene] = []
@export var d1: Dictionary[Item.Rarity, Item]
@export var d2: Dictionary[Variant, int]
@export var d3: Dictionary[String, Variant]
@export_enum("A", "B:4") var x1: Array[int]
@export_enum("A", "B") var x2: PackedStringArray
@export_flags("A", "B") var x3: Array[int]
@export_range(0, 1, 0.1) var x4: PackedFloat32Array
@export_range(0, 10, 1, "suffix:m") var x5: PackedInt32Array
@export_file("*.gd") var x6: Array[String]
@export_node_path("Label") var x7: Array[NodePath]
@export_color_no_alpha var x8: PackedColorArray
@export_flags_2d_physics var x9: Array[int]
@export_range(1, 10) var y1 := 3
@export_range(0.001, 1000000, 1e-5) var y2 := 3.0
@export_range(0, MAXV, FLAG_A) var y3: int
@export_enum("A", "B") var y4 = "A"
@export_enum("A", "B") var y5 = 1
@export_enum("A", "B") var y6
@export_multiline var y7 = "t"
@export_storage var z1: int = 4
@export_storage var z2: Texture2D
@export_custom(PROPERTY_HINT_ENUM, "A,B") var z3 := 1
@export_custom(PROPERTY_HINT_RESOURCE_TYPE, "Texture2D") var z4: Texture2D
@export_custom(PROPERTY_HINT_NONE, "") var z5: Node
@export_custom(PROPERTY_HINT_NONE, "") var z6: Mode
const MAXV = 5 * 3
@export var c1 := LIMIT
@export var c2 := Item.MAX
@export var c3 := FLAG_A | 1
@export var c4 := "a" + "b"
@export var c5 := 7 / 2
@export var c6 := 7 % 4 * 2.0
@export var c7 := not true
@export var c8 := UNNAMED_B
@export var c9 := PI
@export var f1 := Vector2i(3, 4)
@export var f2 := Vector2.ZERO
@export var f3 := Color("ff8800")
@export var f4 := Color(Color.RED, 0.5)
@export var f5 := deg_to_rad(90)
@export var f6 := NodePath("a")
@export var f7 := Rect2(1, 2, 3, 4)
@export var f8 := Transform2D.IDENTITY
@export var f9 := [Vector2(1, 2), [true, null]]
@export var g1 := {"k": Vector2(1, 2)}
@export var g2: float = 3
@export var g3: int = 3.0
@export var g4: StringName = "abc"
@export var g5: NodePath = "abc/d"
@export var g6: PackedStringArray = ["a"]
@export var g7 = null
@export var g8: Vector2 = Vector2i(1, 2)
@export var g9 := preload("res://item.gd")
@export var h1: Basis
@export var h2: Color
@export var h3: AABB
@export var h4: Plane
@export var h5: Quaternion
@export var h6: Projection
@export var h7: Vector4i
@export var h8: Transform2D
@export var h9: PackedColorArray
@export var j1 := INF
@export var j2 := 1_000
@export var j3 := 0xff
@export var j4 := 0b101
@export var j5 := """multi
line"""
@export var j6 := r"raw\n"
@export var j7 := 'single "q"'
@export var j8 := "esc \t \u00e9 \\"
@export var j9 := 1e3
@export var k1 := Key.KEY_A
@export var k2 := KEY_B
@export var k3 := Control.PRESET_FULL_RECT
@export var k4: Key = KEY_ESCAPE
@export var k5 := Vector3(1, 2, 3) * 2
@export var k6 := -Vector2.UP
@export var k7 := true if 1 > 2 else false
@export var k8 := NAMES[0]
@export var k9 := NESTED.a
signal done
signal typed(a: int, b: Array[Item], c)
