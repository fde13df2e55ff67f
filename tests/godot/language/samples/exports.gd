@tool
class_name SampleExports
extends Node2D
## Every way to export a variable.

enum State { IDLE, RUN = 5, JUMP }
enum Named { ONE = 1, TWO = 2, FOUR = 4 }

const SPEED := 300.0

@export var speed: float = 10.0
@export_range(0, 100, 0.5, "or_greater") var health: int = 50
@export_range(0, 100) var health_f: float = 50
@export_range(-1.5, 2, 1) var inferred_range = 1.0
@export_range(0, 1) var array_range: Array[float] = [0.5]
@export_enum("Warrior", "Mage:5", "  spaced ") var job: int
@export_enum("a", "b") var word: String = "a"
@export_enum("a", "b") var words: Array[String] = ["a"]
@export_node_path("Sprite2D", "Label") var path: NodePath
@export_node_path var path2: NodePath
@export_file("*.txt", "*.md") var file: String
@export_file var file2: String
@export_file_path("*.txt") var file3: String
@export_dir var dir: String
@export_global_file("*.png") var gfile: String
@export_global_dir var gdir: String
@export_multiline var text: String
@export_multiline("monospace") var text2: String
@export_multiline var texts: PackedStringArray
@export_placeholder("Name here") var ph: String
@export_exp_easing("attenuation", "positive_only") var ease_v: float
@export_exp_easing var ease2: float
@export_color_no_alpha var col: Color
@export_flags("Fire", "Water:4", "Both:5") var elements := 0
@export_flags_2d_render var l1: int
@export_flags_2d_physics var l2: int
@export_flags_2d_navigation var l3: int
@export_flags_3d_render var l4: int
@export_flags_3d_physics var l5: int
@export_flags_3d_navigation var l6: int
@export_flags_avoidance var l7: int
@export var tex: Texture2D
@export var script_class: SampleExports
@export var nodes: Array[Node2D] = []
@export var ints: Array[int] = [1, 2]
@export var texs: Array[Texture2D]
@export var exps: Array[SampleExports]
@export var enums: Array[State]
@export var arr: Array
@export var dict: Dictionary = {}
@export var dict2: Dictionary[String, int] = {"a": 1}
@export var dict3: Dictionary[StringName, Texture2D]
@export var dict4: Dictionary[State, Node2D]
@export var state: State = State.RUN
@export var state2 := State.JUMP
@export var named: Named = Named.FOUR
@export var native_enum: Control.FocusMode = Control.FOCUS_ALL
@export var global_enum: HorizontalAlignment
@export var inferred := Vector2(1, 2)
@export var untyped = 5
@export var untyped_s = "str"
@export var untyped_sn = &"sn"
@export var untyped_np = ^"a/b"
@export var untyped_f = 1.5
@export var untyped_b = true
@export var untyped_a = [1, "a"]
@export var untyped_d = {"a": 1, "b": [3]}
@export var const_ref = SPEED
@export var const_expr := SPEED * 2 + 1
@export var neg := -3
@export var col2 := Color.RED
@export var col3 := Color(1, 0.5, 0)
@export var v3 := Vector3.UP
@export var b: bool
@export var i: int
@export var s: String
@export var sn: StringName
@export var np: NodePath
@export var v2: Vector2
@export var v2i: Vector2i
@export var rect: Rect2
@export var t3: Transform3D
@export var packed: PackedVector2Array
@export var packed2: PackedInt32Array = [1, 2]
@export var callable: Callable
@export var sig: Signal
@export var rid: RID
@export var variant: Variant = 3
@export var control: Control
@export var packed_scene: PackedScene
@export_group("Group", "grp_")
@export var grp_a: int
@export_subgroup("Sub")
@export var grp_b: int
@export_category("Cat")
@export_group("")
@export_storage var hidden_v = 1
@export_storage var hidden_typed: int = 1
@export_custom(PROPERTY_HINT_RANGE, "0,10") var custom: int
@export_custom(PROPERTY_HINT_NONE, "suffix:m") var custom2: Vector3
@export_custom(PROPERTY_HINT_NONE, "suffix:m", PROPERTY_USAGE_EDITOR) var custom3: Vector3
@export_tool_button("Do it", "Callable") var action = do_it
@export_tool_button("Do it") var action2: Callable = do_it
@export
var newline_export: int = 3
@export var with_set: int = 3:
	set(v):
		with_set = v
	get:
		return with_set
var plain: int = 3
var plain_u
static var st := 3


func do_it() -> void:
	pass
