"""Whatever form a value is sent in, the real engine loads the value that was meant."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from tests.godot.values.samples import SAMPLES, InMemory
from tests.support.gdscript_runner import make_project, run_jobs

from scenewright.core.faults import NotFound
from scenewright.godot.classes.index import ClassIndex
from scenewright.godot.classes.records import Property
from scenewright.godot.documents.creation import new_resource, new_scene
from scenewright.godot.documents.document import Document
from scenewright.godot.documents.resources import add_external_file
from scenewright.godot.documents.scene import Scene
from scenewright.godot.documents.variant import ExtResource, PackedStringArray
from scenewright.godot.documents.variant_reader import parse_variant
from scenewright.godot.documents.variant_writer import write_variant
from scenewright.godot.language.project_scripts import ProjectScripts
from scenewright.godot.values.coercion import coerce
from scenewright.godot.values.placement import place
from scenewright.godot.values.tree import File, has_nodes
from scenewright.godot.values.vectors import parts_of

pytestmark = pytest.mark.godot

# Handles of a running engine are not stored in files.
STORED = [sample for sample in SAMPLES if sample.type not in ("RID", "Callable", "Signal")]
READ = """
func shown(value: Variant) -> String:
	if value is Resource:
		var parts: PackedStringArray = [value.get_class()]
		for name: String in ["size", "radius", "title", "albedo_color", "points", "next", "colors"]:
			if name in value:
				parts.append("%s=%s" % [name, shown(value.get(name))])
		return ";".join(parts)
	if value is Node:
		return "node " + value.name
	if value is Array and value.any(func(item: Variant) -> bool: return item is Object):
		return str(value.map(shown))
	return var_to_str(value)

func run(job: Variant) -> Variant:
	var object: Object = load(job.path)
	if object is PackedScene:
		object = object.instantiate()
	var told: Array[String] = []
	for name: String in job.names:
		told.append(shown(object.get_indexed(name)))
	if object is Node:
		object.free()
	return told
"""
ITEM = 'class_name Item extends Resource\n@export var title := "x"\n@export var next: Item\n@export var size: Vector2\n'
KNOWN_CLASSES = """list=[{
"base": &"Resource",
"class": &"Item",
"icon": "",
"is_abstract": false,
"is_tool": false,
"language": &"GDScript",
"path": "res://item.gd"
}]
"""
HOLDER = """extends Node2D
enum Mode { IDLE, RUN = 5 }
@export var mode: Mode
@export var modes: Array[Mode]
@export_flags("Fire", "Water", "Wind") var elements: int
@export_flags_2d_physics var layers: int
@export var shape: Shape2D
@export var shapes: Array[Shape2D]
@export var item: Item
@export var items: Array[Item]
@export var texture: Texture2D
@export var any: Variant
@export var target: Node2D
@export var targets: Array[Node2D]
@export var by_name: Dictionary[String, Node2D]
@export var way: NodePath
"""


def test_every_form_of_every_type_arrives_as_meant(context: InMemory, tmp_path: Path) -> None:
    lines, properties, expected = ["extends Resource"], {}, []
    for number, sample in enumerate(STORED):
        for form_number, form in enumerate(sample.forms):
            name = f"v{number}_{form_number}"
            lines.append(f"@export var {name}: {sample.type}")
            wanted = Property("Sample", name, sample.type, sample.type.partition("[")[0])
            properties[name] = coerce(form, wanted, context)
            expected.append(write_variant(sample.expected))
    document, script = add_external_file(new_resource("Resource"), "Script", "res://holder.gd")
    for name, value in {"script": ExtResource(script), **properties}.items():
        document, placed = place(document, value)
        document = document.set_property(document.tagged("resource")[0], name, placed)
    project = make_project(tmp_path / "game", {"holder.gd": "\n".join(lines) + "\n", "all.tres": document.text})
    (reply,) = run_jobs(project, READ, [{"path": "res://all.tres", "names": list(properties)}])
    assert reply.complaints == []
    assert reply.value == expected
    assert len(expected) > 140


BUILT_IN: list[tuple[str, str, Any, str]] = [
    ("Control", "focus_mode", "all", "2"),
    ("Control", "size_flags_horizontal", ["Expand", "SIZE_FILL"], "3"),
    ("Control", "size_flags_vertical", "fill|shrink_center", "5"),
    ("Control", "theme_override_colors/font_color", "tomato", "Color(1, 0.3882353, 0.2784314, 1)"),
    ("CharacterBody2D", "collision_mask", ["Layer 1", "Walls"], "5"),
    ("CharacterBody2D", "collision_layer", 9, "9"),
    (
        "CollisionShape2D",
        "shape",
        {"$resource": "RectangleShape2D", "props": {"size": [20, 10]}},
        "RectangleShape2D;size=Vector2(20, 10)",
    ),
    ("CollisionShape2D", "shape", {"$type": "CircleShape2D", "radius": 4}, "CircleShape2D;radius=4.0"),
    ("CollisionShape2D", "shape", "res://round.tres", "CircleShape2D;radius=7.0"),
    ("CollisionShape2D", "shape", "round.tres", "CircleShape2D;radius=7.0"),
    ("CollisionShape2D", "shape", {"$path": "uid://round"}, "CircleShape2D;radius=7.0"),
    (
        "CollisionShape2D",
        "shape",
        {"$resource": "CircleShape2D", "path": "res://round.tres"},
        "CircleShape2D;radius=7.0",
    ),
    ("CollisionShape2D", "shape", "SegmentShape2D.new()", "SegmentShape2D"),
    ("CollisionShape2D", "shape", None, "null"),
    (
        "MeshInstance3D",
        "mesh",
        {
            "$resource": "BoxMesh",
            "props": {
                "size": [1, 2, 3],
                "material": {"$resource": "StandardMaterial3D", "props": {"albedo_color": "red"}},
            },
        },
        "BoxMesh;size=Vector3(1, 2, 3)",
    ),
    (
        "MeshInstance3D",
        "mesh:material",
        {
            "$resource": "BoxMesh",
            "props": {"material": {"$resource": "StandardMaterial3D", "props": {"albedo_color": "#f00"}}},
        },
        "StandardMaterial3D;albedo_color=Color(1, 0, 0, 1)",
    ),
    ("Node3D", "rotation_order", "EULER_ORDER_XYZ", "0"),
    ("Node3D", "transform", {"origin": [1, 2, 3]}, "Transform3D(1, 0, 0, 0, 1, 0, 0, 0, 1, 1, 2, 3)"),
    ("Polygon2D", "polygons", [[0, 1, 2]], "[PackedInt32Array(0, 1, 2)]"),
    (
        "Path2D",
        "curve",
        {
            "$resource": "Curve2D",
            "props": {
                "_data": {"points": {"$type": "PackedVector2Array", "value": [0, 0, 0, 0, 5, 5]}},
                "point_count": 1,
            },
        },
        "Curve2D",
    ),
    ("Label", "text", "Vector2(0, 1)", '"Vector2(0, 1)"'),
    ("Node", "metadata/size", "Vector2(0, 1)", "Vector2(0, 1)"),
    ("Node", "metadata/mixed", {"a": [1, "#fff"], "b": {"$resource": "CircleShape2D"}}, ""),
    ("Node", "process_mode", "Always", "3"),
    ("AnimationPlayer", "root_node", "../..", 'NodePath("../..")'),
    ("AudioStreamPlayer", "bus", '&"Master"', '&"Master"'),
    ("RichTextLabel", "custom_effects", [], "[]"),
    ("Camera3D", "compositor", {"$resource": "Compositor"}, "Compositor"),
]


def test_values_of_the_engine_s_own_properties_arrive_as_meant(index: ClassIndex, tmp_path: Path) -> None:
    context = InMemory(index)
    shape = new_resource("CircleShape2D", {"radius": 7.0}, uid="uid://round")
    project = make_project(tmp_path / "game", {"round.tres": shape.text})
    jobs = []
    for number, (class_name, name, value, _) in enumerate(BUILT_IN):
        path = name.partition(":")[0]
        coerced = coerce(value, index.property(class_name, path), context)
        document, placed = place(new_scene("Root", class_name).document, coerced)
        document = document.set_property(document.tagged("node")[0], path, placed)
        (project / f"s{number}.tscn").write_bytes(document.to_bytes())
        jobs.append({"path": f"res://s{number}.tscn", "names": [name]})
    replies = run_jobs(project, READ, jobs)
    for (class_name, name, _, expected), reply in zip(BUILT_IN, replies, strict=True):
        assert reply.complaints == [], (class_name, name)
        if expected:
            assert reply.value == [expected], (class_name, name)


class OnDisk(InMemory):
    """The files of a real project."""

    def __init__(self, index: ClassIndex, project: Path) -> None:
        super().__init__(index, ProjectScripts(project, index))
        self.project = project
        self.nodes = {"A": "Node2D", "B": "Sprite2D"}

    def file(self, address: str) -> File:
        if not (self.project / address.removeprefix("res://")).is_file():
            raise NotFound(f"There is no file '{address}'.")
        return File(address, "GDScript" if address.endswith(".gd") else "Resource")


SENT: list[tuple[str, Any, str]] = [
    ("mode", "run", "5"),
    ("modes", ["Idle", 5], "Array[int]([0, 5])"),
    ("elements", "Fire|Wind", "5"),
    ("layers", ["Walls"], "4"),
    ("shape", {"$resource": "CircleShape2D", "props": {"radius": 3}}, "CircleShape2D;radius=3.0"),
    ("shapes", [{"$type": "CircleShape2D", "radius": 2}, None], '["CircleShape2D;radius=2.0", "null"]'),
    (
        "item",
        {"$resource": "Item", "props": {"title": "one", "next": {"$resource": "Item", "props": {"size": [1, 2]}}}},
        'Resource;size=Vector2(0, 0);title="one";next=Resource;size=Vector2(1, 2);title="x";next=null',
    ),
    ("items", [{"$resource": "Item"}], '["Resource;size=Vector2(0, 0);title=\\"x\\";next=null"]'),
    (
        "any",
        {"$resource": "Resource", "props": {"script": "res://item.gd", "title": "two"}},
        'Resource;size=Vector2(0, 0);title="two";next=null',
    ),
    (
        "texture",
        {"$type": "GradientTexture1D", "gradient": {"$type": "Gradient", "colors": ["red", "#0000ff"]}},
        "GradientTexture1D",
    ),
    ("target", "A", "node A"),
    ("targets", ["A", {"$node": "B"}], '["node A", "node B"]'),
    ("by_name", {"k": "B"}, ""),
    ("way", {"$node": "A:position"}, 'NodePath("A:position")'),
]


def test_values_of_a_script_s_properties_arrive_as_meant(index: ClassIndex, tmp_path: Path) -> None:
    project = make_project(tmp_path / "game", {"holder.gd": HOLDER, "item.gd": ITEM})
    (project / ".godot").mkdir()
    (project / ".godot/global_script_class_cache.cfg").write_text(KNOWN_CLASSES)
    context = OnDisk(index, project)
    document, script = add_external_file(new_scene("Root", "Node2D").document, "Script", "res://holder.gd")
    document = document.set_property(document.tagged("node")[0], "script", ExtResource(script))
    holders = []
    for name, value, _ in SENT:
        coerced = coerce(value, context.scripts.property("res://holder.gd", name), context)  # type: ignore[union-attr]
        holders += [name] if has_nodes(coerced) else []
        document, placed = place(document, coerced, before=document.tagged("node")[0])
        document = document.set_property(document.tagged("node")[0], name, placed)
    document = document.set_attribute(document.tagged("node")[0], "node_paths", PackedStringArray(tuple(holders)))
    for name, kind in (("A", "Node2D"), ("B", "Sprite2D")):
        node = document.new_section("node", [("name", name), ("type", kind), ("parent", ".")])
        document = document.insert(node, document.sections[-1])
    assert Scene(document).nodes
    (project / "main.tscn").write_bytes(document.to_bytes())
    (reply,) = run_jobs(project, READ, [{"path": "res://main.tscn", "names": [name for name, _, _ in SENT]}])
    assert reply.complaints == []
    for (name, _, expected), told in zip(SENT, reply.value, strict=True):
        if expected:
            assert told == expected, name
    assert holders == ["target", "targets", "by_name"]
    assert Document.parse(document.to_bytes(), "main.tscn").problems() == []


TURN = "Vector3(deg_to_rad(30), deg_to_rad(-40), deg_to_rad(250))"
TURNED: list[tuple[str, Any, str]] = [
    (
        "Basis",
        {"rotation_degrees": [30, -40, 250], "scale": [1, 2, 3]},
        f"Basis.from_euler({TURN}).scaled_local(Vector3(1, 2, 3))",
    ),
    ("Basis", {"rotation": [0.5, 1, -2]}, "Basis.from_euler(Vector3(0.5, 1, -2))"),
    ("Basis", {"quaternion": [0.5, 0.5, -0.5, 0.5]}, "Basis(Quaternion(0.5, 0.5, -0.5, 0.5))"),
    ("Quaternion", {"rotation_degrees": [30, -40, 250]}, f"Quaternion.from_euler({TURN})"),
    (
        "Transform3D",
        {"origin": [1, 2, 3], "rotation_degrees": [30, -40, 250]},
        f"Transform3D(Basis.from_euler({TURN}), Vector3(1, 2, 3))",
    ),
    (
        "Transform2D",
        {"origin": [1, 2], "rotation_degrees": 30, "scale": [2, 3], "skew": 0.2},
        "Transform2D(deg_to_rad(30), Vector2(2, 3), 0.2, Vector2(1, 2))",
    ),
]


def test_turns_are_composed_as_the_engine_composes_them(context: InMemory, tmp_path: Path) -> None:
    project = make_project(tmp_path / "game")
    expressions = ", ".join(expression for _, _, expression in TURNED)
    script = f"func run(job: Variant) -> Variant:\n\treturn var_to_str([{expressions}][job])\n"
    replies = run_jobs(project, script, range(len(TURNED)))
    for (type_, sent, _), reply in zip(TURNED, replies, strict=True):
        made = coerce(sent, Property("Sample", "value", type_, type_), context)
        assert type(made).__name__ == type_
        assert parts_of(made) == pytest.approx(parts_of(parse_variant(reply.value)), abs=1e-6), sent
