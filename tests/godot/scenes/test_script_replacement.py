"""What goes with a script that a node loses, scripts of the same batch, bound arguments, and scenes in themselves."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from tests.conftest import Caller
from tests.godot.documents.described import ask, describe
from tests.support.gdscript_runner import make_project, run_jobs

pytestmark = pytest.mark.anyio

ACTOR = """extends Node2D

signal hit(by: int)

@export var speed: float = 1.0
@export var name_tag: String


func on_hit(_a = 0, _b = 0) -> void:
	pass
"""
OTHER = "extends Node2D\n\n@export var speed: float = 2.0\n"
MAIN = """[gd_scene format=3]

[ext_resource type="Script" path="res://actor.gd" id="1"]

[node name="Main" type="Node2D"]

[node name="Actor" type="Node2D" parent="."]
script = ExtResource("1")
speed = 3.0
name_tag = "hero"

[node name="Timer" type="Timer" parent="."]

[connection signal="hit" from="Actor" to="." method="queue_redraw"]
[connection signal="timeout" from="Timer" to="Actor" method="on_hit" binds= [1]]
[connection signal="timeout" from="Timer" to="Actor" method="hide"]
"""
HEIR = """[gd_scene format=3]

[ext_resource type="PackedScene" path="res://main.tscn" id="1"]

[node name="Heir" instance=ExtResource("1")]
"""
HAS_SCRIPT = """
func run(path: String) -> bool:
	var root: Node = load(path).instantiate()
	var has: bool = root.get_node("Actor").get_script() != null
	root.free()
	return has
"""


@pytest.fixture
def game(project: Path) -> Path:
    files: dict[str, str | bytes] = {"actor.gd": ACTOR, "other.gd": OTHER, "main.tscn": MAIN, "heir.tscn": HEIR}
    return make_project(project, files)


async def call(caller: Caller, tool: str, **arguments: Any) -> dict[str, Any]:
    reply = await caller.reply(tool, arguments)
    assert reply.structured is not None
    return reply.structured


@pytest.mark.godot
async def test_another_script_keeps_what_it_knows_and_nothing_else(game: Path, caller: Caller) -> None:
    done = await call(caller, "attach_script", scenePath="main.tscn", nodePath="Actor", scriptPath="other.gd")
    assert done["result"]["dropped"] == ["name_tag"]
    assert [warning.partition(" is")[0] for warning in done["warnings"]] == [
        "Actor:hit -> .:queue_redraw",
        "Timer:timeout -> Actor:on_hit",
    ]
    (told,) = describe(game, [ask("res://main.tscn", {"Actor": ["speed", "name_tag"]})])
    assert told.complaints == []
    assert told.value["values"]["Actor"] == {"speed": "3.0", "name_tag": "null"}
    assert [wire[3] for wire in told.value["connections"]] == ["hide"]


@pytest.mark.godot
async def test_a_script_of_another_scene_is_taken_off_by_an_override(game: Path, caller: Caller) -> None:
    refused = await call(caller, "detach_script", scenePath="heir.tscn", nodePath="Actor")
    assert "res://main.tscn" in refused["error"]["message"]
    for signal, source, target, method in (
        ("hit", "Actor", ".", "queue_redraw"),
        ("timeout", "Timer", "Actor", "on_hit"),
    ):
        await call(
            caller,
            "disconnect_signal",
            scenePath="main.tscn",
            fromNodePath=source,
            signal=signal,
            toNodePath=target,
            method=method,
        )
    done = await call(caller, "detach_script", scenePath="heir.tscn", nodePath="Actor")
    assert done["ok"], done
    replies = run_jobs(game, HAS_SCRIPT, ["res://heir.tscn", "res://main.tscn"])
    assert [(reply.value, reply.complaints) for reply in replies] == [(False, []), (True, [])]


async def test_a_scene_is_not_put_into_itself_in_any_way(game: Path, caller: Caller) -> None:
    for tool, arguments in (
        ("instance_scene", {"instancePath": "main.tscn"}),
        ("instance_scene", {"instancePath": "heir.tscn"}),
        ("add_node", {"instancePath": "heir.tscn", "nodeName": "A"}),
        ("create_scene", {"inherits": "heir.tscn", "overwrite": True}),
        ("apply_scene", {"tree": {"name": "Main", "children": [{"name": "A", "instance": "heir.tscn"}]}}),
    ):
        refused = await call(caller, tool, scenePath="main.tscn", **arguments)
        assert refused["error"]["code"] == "E_SCHEMA_VALIDATION", (tool, refused)
        assert "contain" in refused["error"]["message"]
    over = await call(caller, "duplicate_scene", scenePath="heir.tscn", newPath="main.tscn", overwrite=True)
    assert "contain" in over["error"]["message"]
    assert (game / "main.tscn").read_text() == MAIN


@pytest.mark.godot
@pytest.mark.since_godot(4, 5)  # older ones mark connections as inherited
async def test_arguments_are_bound_in_any_form(game: Path, caller: Caller) -> None:
    wire = {"source": "Timer", "signal": "timeout", "target": "Actor", "method": "on_hit", "flags": ["append_source"]}
    tree = {"name": "Main"}
    declared = await call(
        caller,
        "apply_scene",
        scenePath="main.tscn",
        tree=tree,
        mode="apply",
        connections=[{**wire, "binds": [[1, "a"], "Vector2(1, 2)"]}],
    )
    assert [step["op"] for step in declared["result"]["steps"]] == ["disconnect", "connect"]
    again = await call(
        caller,
        "apply_scene",
        scenePath="main.tscn",
        tree=tree,
        connections=[{**wire, "binds": [[1, "a"], {"$type": "Vector2", "x": 1, "y": 2}]}],
    )
    assert again["result"]["total"] == 0
    done = await call(
        caller,
        "connect_signal",
        scenePath="main.tscn",
        fromNodePath="Actor",
        signal="hit",
        toNodePath="Actor",
        method="on_hit",
        binds=["#ff0000"],
        flags=["one_shot", "deferred"],
    )
    assert done["ok"]
    missing = await call(
        caller,
        "connect_signal",
        scenePath="main.tscn",
        fromNodePath="Actor",
        signal="hit",
        toNodePath="Actor",
        method="none",
        binds=[1],
    )
    assert missing["error"]["code"] == "E_NOT_FOUND"
    (told,) = describe(game, [ask("res://main.tscn")])
    assert told.complaints == []
    bound = {(name, method): (flags, binds) for name, _, _, method, flags, _, binds in told.value["connections"]}
    assert bound["timeout", "on_hit"] == (18, [[1, "a"], "(1.0, 2.0)"])
    assert bound["hit", "on_hit"] == (7, ["#ff0000"])


async def test_a_batch_sees_the_classes_it_has_just_written(game: Path, caller: Caller) -> None:
    item = "class_name Item extends Resource\n\n@export var price: int = 1\n"
    shop = "extends Node2D\n\nsignal sold(i: Item)\n@export var best: Item\n\nfunc sell(_i: Item) -> void:\n\tpass\n"
    scene = {"scenePath": "main.tscn", "nodePath": "."}
    steps = [
        ("write_script", {"scriptPath": "item.gd", "content": item}),
        ("write_script", {"scriptPath": "shop.gd", "content": shop}),
        ("create_resource", {"resourcePath": "gem.tres", "resourceType": "Item", "properties": {"price": 9}}),
        ("attach_script", {**scene, "scriptPath": "shop.gd"}),
        ("edit_node", {**scene, "properties": {"best": "res://gem.tres"}}),
        (
            "connect_signal",
            {"scenePath": "main.tscn", "fromNodePath": ".", "signal": "sold", "toNodePath": ".", "method": "sell"},
        ),
    ]
    operations = [{"tool": tool, "args": arguments} for tool, arguments in steps]
    done = await call(caller, "batch_operations", operations=operations, atomic=True)
    assert done["ok"], done
    assert "best = ExtResource(" in (game / "main.tscn").read_text()
    wrong = [
        {"tool": "write_script", "args": {"scriptPath": "bad.gd", "content": "extends Control\n"}},
        {"tool": "attach_script", "args": {**scene, "scriptPath": "bad.gd"}},
    ]
    refused = await call(caller, "batch_operations", operations=wrong, atomic=True)
    assert "extends Control" in str(refused)
    assert not (game / "bad.gd").exists()
