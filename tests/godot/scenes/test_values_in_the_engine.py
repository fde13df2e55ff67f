"""Values that were set through the operations, read back from the real engine."""

from __future__ import annotations

import json
from math import isfinite
from pathlib import Path
from typing import Any

import anyio
import pytest
from tests.godot.values.samples import SAMPLES
from tests.support.gdscript_runner import Reply, make_project, run_jobs

from scenewright.app import make_runtime
from scenewright.core.calls.call import Request
from scenewright.core.config import Config
from scenewright.godot.classes.variant import VARIANT_TYPES
from scenewright.godot.documents.variant_writer import write_variant
from scenewright.godot.values.presentation import present

pytestmark = pytest.mark.godot

MOB = '[gd_scene format=3]\n\n[node name="Mob" type="RigidBody2D"]\nmass = 3.0\n'
MAIN = """[gd_scene format=3]

[ext_resource type="PackedScene" path="res://mob.tscn" id="1_mob"]

[node name="Main" type="Node2D"]

[node name="Mob" parent="." instance=ExtResource("1_mob")]

[node name="Label" type="Label" parent="."]
text = "hello"
"""
HERO = """extends Node2D

enum Mood { CALM, ANGRY }

@export var speed: float = 100.0
@export var mood: Mood = Mood.CALM
@export var target: Node2D
@export var names: Array[String] = []
"""
LOOK = """
func run(job: Array) -> Array:
	var scene: Node = (load("res://main.tscn") as PackedScene).instantiate()
	var node: Node = scene.get_node(job[0])
	var found: Array = []
	for name: String in job[1]:
		var value: Variant = node
		for part: String in name.split(":"):
			value = value.get(part)
		found.append(str(scene.get_path_to(value)) if value is Node else var_to_str(value))
	scene.free()
	return found
"""
CALLS: list[tuple[str, dict[str, Any]]] = [
    ("write_script", {"scriptPath": "hero.gd", "content": HERO}),
    (
        "add_node",
        {
            "nodeType": "CollisionShape2D",
            "nodeName": "Wall",
            "parentNodePath": "Mob",
            "properties": {
                "position": [10, 20],
                "shape": {"$resource": "RectangleShape2D", "props": {"size": {"x": 64, "y": 32}}},
                "modulate": "#ff8800",
                "disabled": True,
            },
        },
    ),
    ("add_node", {"nodeType": "Node2D", "nodeName": "Hero", "groups": ["heroes"], "before": "Label"}),
    ("attach_script", {"nodePath": "Hero", "scriptPath": "hero.gd"}),
    (
        "edit_node",
        {
            "nodePath": "Hero",
            "properties": {
                "speed": 250,
                "mood": "ANGRY",
                "target": {"$node": "../Mob"},
                "names": ["a", "b"],
                "scale": "Vector2(2, 2)",
            },
        },
    ),
    ("edit_node", {"nodePath": "Mob", "properties": {"mass": 5, "gravity_scale": "0.5"}}),
    (
        "edit_node",
        {"nodePath": "Label", "properties": {"horizontal_alignment": "center", "text": "Vector2(1, 1)"}},
    ),
    ("add_node", {"instancePath": "mob.tscn", "nodeName": "Second", "properties": {"mass": 9}}),
    ("add_node", {"nodeType": "CollisionShape2D", "nodeName": "Floor", "parentNodePath": "Mob", "before": "Wall"}),
    ("edit_node", {"nodePath": "Mob/Floor", "properties": {"shape": {"$resource": "CircleShape2D"}}}),
    ("edit_node", {"nodePath": "Mob/Floor", "properties": {"shape": {"$resource": "CapsuleShape2D"}}}),
]
EXPECTED = {
    "Mob/Wall": {
        "position": "Vector2(10, 20)",
        "shape:size": "Vector2(64, 32)",
        "modulate": "Color(1, 0.53333336, 0, 1)",
        "disabled": "true",
    },
    "Hero": {
        "speed": "250.0",
        "mood": "1",
        "target": "Mob",
        "names": 'Array[String](["a", "b"])',
        "scale": "Vector2(2, 2)",
    },
    "Mob": {"mass": "5.0", "gravity_scale": "0.5"},
    "Label": {"horizontal_alignment": "1", "text": '"Vector2(1, 1)"'},
    "Second": {"mass": "9.0"},
}


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return make_project(tmp_path_factory.mktemp("game"), {"mob.tscn": MOB, "main.tscn": MAIN})


@pytest.fixture(scope="module")
def loaded(project: Path) -> dict[str, Reply]:
    runtime = make_runtime(Config(project=project, rate_limit=None))

    async def call_all() -> None:
        for tool, arguments in CALLS:
            given = arguments if tool == "write_script" else {"scenePath": "main.tscn", **arguments}
            outcome = await runtime.run(Request(tool=tool, arguments=given))
            assert outcome.ok, (tool, outcome.summary)

    anyio.run(call_all)
    runtime.close()
    replies = run_jobs(project, LOOK, [[path, list(wanted)] for path, wanted in EXPECTED.items()])
    return dict(zip(EXPECTED, replies, strict=True))


@pytest.mark.parametrize("path", EXPECTED)
@pytest.mark.since_godot(4, 5)  # older ones shorten floats
def test_the_engine_reads_back_what_was_asked_for(loaded: dict[str, Reply], path: str) -> None:
    assert loaded[path].complaints == []
    assert dict(zip(EXPECTED[path], loaded[path].value, strict=True)) == EXPECTED[path]


def test_a_sibling_is_named_within_the_parent(project: Path, loaded: dict[str, Reply]) -> None:
    text = (project / "main.tscn").read_text()
    assert text.index('name="Floor"') < text.index('name="Wall"')


def test_a_replaced_resource_does_not_stay_in_the_file(project: Path, loaded: dict[str, Reply]) -> None:
    text = (project / "main.tscn").read_text()
    assert "CircleShape2D" not in text
    assert text.count('type="CapsuleShape2D"') == 1


def test_setting_a_default_leaves_it_out_of_the_file(project: Path, loaded: dict[str, Reply]) -> None:
    runtime = make_runtime(Config(project=project, rate_limit=None))
    arguments = {"scenePath": "main.tscn", "nodePath": "Label", "properties": {"horizontal_alignment": 0}}
    outcome = anyio.run(runtime.run, Request(tool="edit_node", arguments=arguments))
    runtime.close()
    assert outcome.ok
    assert "horizontal_alignment" not in (project / "main.tscn").read_text()


SAMPLED = [
    (sample, form)
    for sample in SAMPLES
    if sample.type not in ("RID", "Callable", "Signal")  # handles of a running engine, which no file holds
    for form in sample.forms
    if not (isinstance(form, float) and not isfinite(form))  # JSON has no such number
]
READ = """
func run(names: Array) -> Array:
	var node: Node = (load("res://main.tscn") as PackedScene).instantiate()
	var found: Array = names.map(func(name: String) -> String: return var_to_str(node.get(name)))
	node.free()
	return found
"""


def test_every_form_of_every_type_arrives_through_an_operation(tmp_path: Path) -> None:
    assert {sample.type.partition("[")[0] for sample, _ in SAMPLED} >= set(VARIANT_TYPES) - {
        "Nil",
        "Object",
        "RID",
        "Callable",
        "Signal",
    }
    script = "extends Node\n" + "".join(f"@export var v{at}: {sample.type}\n" for at, (sample, _) in enumerate(SAMPLED))
    scene = (
        '[gd_scene format=3]\n\n[ext_resource type="Script" path="res://bag.gd" id="1"]\n\n'
        '[node name="Bag" type="Node"]\nscript = ExtResource("1")\n'
    )
    project = make_project(tmp_path, {"bag.gd": script, "main.tscn": scene})
    runtime = make_runtime(Config(project=project, rate_limit=None))
    properties = json.loads(json.dumps({f"v{at}": form for at, (_, form) in enumerate(SAMPLED)}))

    async def edit() -> Any:
        arguments = {"scenePath": "main.tscn", "nodePath": ".", "properties": properties}
        done = await runtime.run(Request(tool="edit_node", arguments=arguments))
        assert done.ok, done.summary
        return done.call.output.properties

    told = anyio.run(edit)
    runtime.close()
    (reply,) = run_jobs(project, READ, [list(properties)])
    assert reply.complaints == []
    assert reply.value == [write_variant(sample.expected) for sample, _ in SAMPLED]
    assert list(told.values()) == [present(sample.expected) for sample, _ in SAMPLED]
