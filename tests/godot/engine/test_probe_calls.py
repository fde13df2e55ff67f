"""Methods that a probe calls: arguments as they are declared, typed lists included, and a refusal that is told."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from tests.conftest import MakeCaller

pytestmark = pytest.mark.anyio

SCRIPT = """extends Node2D

enum Kind { SMALL, BIG }


func add(numbers: Array[int]) -> int:
	return numbers.reduce(func(sum: int, each: int) -> int: return sum + each, 0)


func spread(places: Array[Vector2]) -> String:
	return str(places)


func mean(parts: Array[float]) -> float:
	return parts[0] / 2


func names(words: Array[StringName], packed: PackedStringArray) -> String:
	return "%s %s" % [words, packed]


func kinds(wanted: Array[Kind]) -> String:
	return str(wanted)


func mix(where: Rect2, tint: Color, kind: Kind, mode: Node.ProcessMode, path: PackedVector2Array) -> String:
	return str([where, tint.to_html(), kind, mode, path])


func turn(to: Vector2, by: Transform2D, who: Variant, shape: Shape2D) -> String:
	return str([to, by.origin, who.name if who is Node else who, (shape as CircleShape2D).radius])


func hide_all(nodes: Array[CanvasItem], movers: Array[Mover]) -> String:
	for each: CanvasItem in nodes:
		each.hide()
	return "%d %d" % [nodes.size(), movers.size()]
"""
SCENE = """[gd_scene format=3]

[ext_resource type="Script" path="res://called.gd" id="1"]
[ext_resource type="Script" path="res://mover.gd" id="2"]

[node name="Called" type="Node2D"]
script = ExtResource("1")

[node name="Box" type="ColorRect" parent="."]

[node name="Mover" type="Node2D" parent="."]
script = ExtResource("2")
"""


@pytest.fixture
def scene(project: Path) -> Path:
    (project / "project.godot").write_text('config_version=5\n\n[application]\n\nconfig/name="Calls"\n')
    (project / "called.gd").write_text(SCRIPT)
    (project / "mover.gd").write_text("class_name Mover\nextends Node2D\n")
    (project / "called.tscn").write_text(SCENE)
    return project


async def probed(make_caller: MakeCaller, *calls: tuple[str, list[Any]]) -> dict[str, Any]:
    given = [{"method": method, "arguments": arguments} for method, arguments in calls]
    body = (await make_caller().reply("probe_scene", {"scenePath": "called.tscn", "calls": given})).structured
    assert body is not None
    assert body["ok"], body
    return body


@pytest.mark.usefixtures("scene")
async def test_lists_get_the_type_that_the_method_declares(make_caller: MakeCaller) -> None:
    rect = {"size": {"y": 4, "x": 3}, "position": [1, 2]}
    circle = {"$resource": "CircleShape2D", "props": {"radius": 3}}
    body = await probed(
        make_caller,
        ("add", [[1, 2, 3.0]]),
        ("add", [[]]),
        ("spread", [[[1, 2], {"x": 3, "y": 4}]]),
        ("mean", [[3]]),
        ("names", [["a"], ["b", "c"]]),
        ("kinds", [[1]]),
        ("hide_all", [["Box", "$Mover"], ["Mover"]]),
        ("mix", [rect, "#ff0000", "BIG", "PROCESS_MODE_ALWAYS", [[1, 2], {"y": 4, "x": 3}]]),
        ("turn", [{"y": 2, "x": 1}, [[1, 0], [0, 1], [5, 6]], "$Box", circle]),
    )
    assert [call.get("value", call) for call in body["result"]["calls"]] == [
        "6",
        "0",
        '"[(1.0, 2.0), (3.0, 4.0)]"',
        "1.5",
        '"[&\\"a\\"] [\\"b\\", \\"c\\"]"',
        '"[1]"',
        '"2 1"',
        '"[[P: (1.0, 2.0), S: (3.0, 4.0)], \\"ff0000ff\\", 1, 3, [(1.0, 2.0), (3.0, 4.0)]]"',
        '"[(1.0, 2.0), (5.0, 6.0), &\\"Box\\", 3.0]"',
    ]
    assert body["result"]["passed"] is True
    assert body["result"]["errors"] == []


@pytest.mark.usefixtures("scene")
async def test_a_call_that_the_engine_refuses_is_marked_failed(make_caller: MakeCaller) -> None:
    body = await probed(make_caller, ("add", [["one"]]), ("hide_all", [[], ["Box"]]), ("add", ["x"]))
    errors = [call["error"] for call in body["result"]["calls"]]
    assert "Array[int]" in errors[0]
    assert "Array[Mover]" in errors[1]
    assert errors[2]
    assert body["result"]["passed"] is False
    assert "3 calls failed" in body["summary"]


@pytest.mark.since_godot(4, 4)
async def test_dictionaries_get_the_types_that_the_method_declares(make_caller: MakeCaller, scene: Path) -> None:
    (scene / "called.gd").write_text(
        "extends Node2D\n\nenum Kind { SMALL, BIG }\n\n"
        "func count(by: Dictionary[String, int]) -> String:\n\treturn str(by)\n\n"
        "func places(by: Dictionary[StringName, Vector2], any: Dictionary[Kind, Variant]) -> String:\n"
        "\treturn str(by) + str(any.size())\n\n"
        "func nodes(by: Dictionary[String, Node]) -> int:\n\treturn 1\n"
    )
    body = await probed(
        make_caller,
        ("count", [{"a": 1, "b": 2.0}]),
        ("count", [{}]),
        ("places", [{"a": [1, 2]}, {}]),
        ("count", [{"a": "one"}]),
        ("nodes", [{"a": "Box"}]),
        ("count", [[1]]),
    )
    calls = body["result"]["calls"]
    assert [call.get("value", call) for call in calls[:3]] == [
        r'''"{ \"a\": 1, \"b\": 2 }"''',
        '"{  }"',
        r'''"{ &\"a\": (1.0, 2.0) }0"''',
    ]
    assert "is to be a Dictionary[String, int]" in calls[3]["error"]
    assert "Dictionary[String, Node]" in calls[4]["error"]
    assert calls[5]["error"]
    assert body["result"]["passed"] is False


AREA = """[gd_scene load_steps=2 format=3]

[sub_resource type="RectangleShape2D" id="shape"]
size = Vector2(200, 20)

[node name="Pad" type="Area2D"]

[node name="Shape" type="CollisionShape2D" parent="."]
position = Vector2(0, 60)
shape = SubResource("shape")
"""
BALL = """[gd_scene load_steps=2 format=3]

[sub_resource type="CircleShape2D" id="shape"]

[node name="Ball" type="RigidBody2D"]

[node name="Shape" type="CollisionShape2D" parent="."]
shape = SubResource("shape")
"""


async def test_bodies_are_added_to_a_scene_that_has_none(make_caller: MakeCaller, scene: Path) -> None:
    (scene / "pad.tscn").write_text(AREA)
    (scene / "ball.tscn").write_text(BALL)
    found = await make_caller().result(
        "probe_scene",
        scenePath="pad.tscn",
        steps=60,
        calls=[
            {"add": "ball.tscn", "position": [0, -40]},
            {"add": "ball.tscn", "position": [9000, 0], "frame": 1},
            {"add": "CharacterBody2D", "node": "Shape", "frame": 1},
            {"emit": "body_entered", "arguments": ["$Shape/CharacterBody2D"], "frame": 2},
            {"add": "ball.tscn", "position": [1, 2, 3]},
        ],
        signals=["body_entered"],
        checks=["$Ball.position.y > 40", "$Shape.get_child_count() == 1"],
    )
    assert [call.get("node", call.get("error")) for call in found["calls"]] == [
        "Ball",
        "'position' has 3 numbers, which does not fit 'res://ball.tscn'.",
        "Ball2",
        "Shape/CharacterBody2D",
        None,
    ]
    assert [check["holds"] for check in found["checks"]] == [True, True]
    fired = [(each["frame"] == 2, each["arguments"][0].split()[0].strip('"')) for each in found["signals"][0]["fired"]]
    assert fired == [(True, "Shape/CharacterBody2D"), (False, "Ball")]


@pytest.mark.parametrize(
    "given",
    [
        *({"add": added} for added in ("HTTPRequest", "Resource", "gone.tscn", "../out.tscn", "Nodd2D")),
        {"add": "Sprite2D", "method": "hide"},
        {"add": "Sprite2D", "arguments": [1]},
        {"method": "hide", "position": [1, 2]},
    ],
    ids=str,
)
async def test_what_is_no_body_is_not_added(make_caller: MakeCaller, scene: Path, given: dict[str, Any]) -> None:
    del scene
    outcome = await make_caller().run("probe_scene", {"scenePath": "called.tscn", "calls": [given]})
    assert outcome.fault is not None
    assert outcome.fault.kind in ("invalid", "not_found", "denied")
