"""What a probe can do to a game that goes from scene to scene, saves, quits and is played with the mouse."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from tests.conftest import Caller, MakeCaller

pytestmark = pytest.mark.anyio

MENU = """extends Control

var dropped: String = ""
var moves: Array[Vector2] = []


func _input(event: InputEvent) -> void:
	if event is InputEventMouseMotion:
		moves.append((event as InputEventMouseMotion).relative)


func play() -> void:
	get_tree().change_scene_to_file("res://level.tscn")


func again() -> void:
	get_tree().reload_current_scene()


func leave() -> void:
	get_tree().quit()


func place(at: Vector2, tint: Color = Color.WHITE) -> void:
	position = at
	modulate = tint


func greet(who: Node) -> String:
	return who.name


func save() -> void:
	var file: FileAccess = FileAccess.open("user://saved.txt", FileAccess.WRITE)
	file.store_string("mine")


func saved() -> bool:
	return FileAccess.file_exists("user://saved.txt")
"""
SOURCE = """extends ColorRect

func _get_drag_data(_at: Vector2) -> Variant:
	return "coin"
"""
TARGET = """extends ColorRect

func _can_drop_data(_at: Vector2, data: Variant) -> bool:
	return data is String

func _drop_data(_at: Vector2, data: Variant) -> void:
	get_parent().set("dropped", data)
"""
SCENE = """[gd_scene format=3]

[ext_resource type="Script" path="res://menu.gd" id="1"]
[ext_resource type="Script" path="res://source.gd" id="2"]
[ext_resource type="Script" path="res://target.gd" id="3"]

[node name="Menu" type="Control"]
script = ExtResource("1")

[node name="Source" type="ColorRect" parent="."]
unique_name_in_owner = true
offset_right = 50.0
offset_bottom = 50.0
script = ExtResource("2")

[node name="Target" type="ColorRect" parent="."]
offset_left = 100.0
offset_right = 150.0
offset_bottom = 50.0
script = ExtResource("3")
"""
LEVEL = '[gd_scene format=3]\n\n[node name="Level" type="Node2D"]\n\n[node name="Hero" type="Node2D" parent="."]\n'
STATE = "extends Node\n\nvar score: int = 7\n"


@pytest.fixture
def menu(game: Path) -> Path:
    files = {"menu.gd": MENU, "source.gd": SOURCE, "target.gd": TARGET, "menu.tscn": SCENE, "level.tscn": LEVEL}
    for name, content in (files | {"state.gd": STATE}).items():
        (game / name).write_text(content)
    with (game / "project.godot").open("a") as settings:
        settings.write('\n[autoload]\n\nState="*res://state.gd"\n')
    return game


async def probed(caller: Caller, **arguments: Any) -> tuple[dict[str, Any], list[str]]:
    structured = (await caller.reply("probe_scene", {"scenePath": "menu.tscn", **arguments})).structured
    assert structured is not None
    assert structured["ok"], structured
    return structured["result"], structured.get("warnings", [])


async def test_a_probe_goes_with_the_game_into_the_next_scene(make_caller: MakeCaller, menu: Path) -> None:
    found, _ = await probed(
        make_caller(),
        steps=10,
        calls=[{"method": "play", "frame": 2}, {"node": "Hero", "method": "hide", "frame": 6}],
        checks=["name == 'Level'", "not $Hero.visible", "get_tree().current_scene == self"],
        include=["nodes"],
    )
    assert found["passed"] is True, found
    assert found["scene"] == "res://level.tscn"
    assert [node["path"] for node in found["nodes"]] == [".", "Hero"]


async def test_a_scene_that_begins_anew_is_as_new(make_caller: MakeCaller, menu: Path) -> None:
    calls = [{"method": "place", "arguments": [[5, 5]], "frame": 1}, {"method": "again", "frame": 3}]
    found, warnings = await probed(make_caller(), steps=10, calls=calls, checks=["position == Vector2.ZERO"])
    assert found["passed"] is True, found
    assert (found["scene"], warnings) == ("res://menu.tscn", [])


@pytest.mark.parametrize("before", ["place", "play"])
async def test_a_game_that_quits_is_looked_at_as_it_goes(make_caller: MakeCaller, menu: Path, before: str) -> None:
    (menu / "level.tscn").write_text(LEVEL.replace('type="Node2D"]', 'type="Node2D"]\nposition = Vector2(9, 0)', 1))
    first = {"method": before, "arguments": [[9, 0]] if before == "place" else [], "frame": 1}
    (menu / "state.gd").write_text(STATE + "\nfunc leave() -> void:\n\tget_tree().quit()\n")
    found, warnings = await probed(
        make_caller(),
        steps=60,
        calls=[first, {"node": "/root/State", "method": "leave", "frame": 8}],
        checks=["position.x == 9", "is_inside_tree()"],
    )
    assert found["passed"] is True, found
    assert [call["method"] for call in found["calls"]] == [before, "leave"]
    assert warnings == ["The game quit at frame 9."]


async def test_checks_are_written_as_in_gdscript(make_caller: MakeCaller, menu: Path) -> None:
    found, _ = await probed(
        make_caller(),
        steps=1,
        checks=[
            "$Target.position.x == 100",
            "%Source.visible",
            "State.score == 7",
            "modulate == Color.WHITE",
            'AudioServer.get_bus_index("Master") == 0',
            "$Target.mouse_filter == Control.MOUSE_FILTER_STOP",
        ],
    )
    assert found["passed"] is True, found["checks"]
    assert found["checks"][0]["expression"] == "$Target.position.x == 100"


async def test_the_mouse_moves_and_drags(make_caller: MakeCaller, menu: Path) -> None:
    inputs = [
        {"frame": 1, "position": [10, 10]},
        {"frame": 2, "event": "Mouse Left"},
        {"frame": 3, "position": [40, 10]},
        {"frame": 4, "event": "Mouse Motion", "position": [120, 20]},
        {"frame": 6, "event": "Mouse Left", "pressed": False},
    ]
    checks = [
        "dropped == 'coin'",
        "moves == [Vector2(10, 10), Vector2(30, 0), Vector2(80, 10)]",
        "get_global_mouse_position() == Vector2(120, 20)",
    ]
    found, _ = await probed(make_caller(), steps=10, inputs=inputs, checks=checks, properties={".": ["moves"]})
    assert found["passed"] is True, found


async def test_in_a_picture_the_mouse_is_where_it_was_moved(make_caller: MakeCaller, menu: Path) -> None:
    (menu / "menu.gd").write_text(
        MENU + "\n\nfunc _process(_delta: float) -> void:\n\tprint(get_global_mouse_position())\n"
    )
    inputs = [{"frame": 2, "position": [120, 20]}]
    reply = await make_caller().reply("scene_picture", {"scenePath": "menu.tscn", "frames": [8], "inputs": inputs})
    assert reply.structured is not None
    assert reply.structured["result"]["output"][-1] == "(120.0, 20.0)"


async def test_arguments_become_what_the_method_declares(make_caller: MakeCaller, menu: Path) -> None:
    calls = [
        {"method": "place", "arguments": [{"x": 3, "y": 4}, [1, 0, 0]]},
        {"method": "greet", "arguments": ["$Target"]},
        {"method": "greet", "arguments": ["Nobody"]},
        {"method": "place"},
        {"method": "place", "arguments": [[1, 2, 3]]},
        {"method": "get_children"},
        {"method": "get_viewport"},
    ]
    found, _ = await probed(make_caller(), calls=calls, checks=["position == Vector2(3, 4)", "modulate == Color.RED"])
    assert [check["holds"] for check in found["checks"]] == [True, True]
    said = [call.get("value") or call["error"] for call in found["calls"]]
    assert said == [
        "null",
        '"Target"',
        "Argument 1, 'who', is to be a Node, not \"Nobody\".",
        "It takes 1 to 2 arguments, not 0.",
        "Argument 1, 'at', is to be a Vector2, not [1, 2, 3].",
        '["Source (ColorRect)", "Target (ColorRect)"]',
        '"/root (Window)"',
    ]


async def test_a_probe_has_saved_games_of_its_own(
    make_caller: MakeCaller, menu: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    caller = make_caller()
    first, _ = await probed(caller, calls=[{"method": "save"}], checks=["saved()"])
    second, _ = await probed(caller, checks=["not saved()"])
    assert (first["passed"], second["passed"]) == (True, True)
    assert not list(tmp_path.rglob("saved.txt"))


async def test_what_is_not_there_is_said(make_caller: MakeCaller, menu: Path) -> None:
    inputs = [{"frame": 0, "action": "ui_acept"}]
    _, warnings = await probed(make_caller(), properties={"Gone": ["x"], ".": ["positon", "visible"]}, inputs=inputs)
    assert warnings[0].startswith("The input map has no action 'ui_acept'. Did you mean 'ui_accept'")
    assert warnings[1:] == [
        "There is no node 'Gone' at the end.",
        "'.' has no property 'positon'.",
    ]
    refused = (
        await make_caller().reply("probe_scene", {"scenePath": "menu.tscn", "inputs": [{"frame": 1}]})
    ).structured
    assert refused is not None
    assert "move the mouse" in refused["error"]["message"]


async def test_an_error_in_a_lambda_keeps_its_stack(make_caller: MakeCaller, menu: Path) -> None:
    (menu / "menu.gd").write_text(MENU + '\n\nfunc fail() -> void:\n\t(func() -> void: push_error("bad")).call()\n')
    found, _ = await probed(make_caller(), calls=[{"method": "fail"}], checks=["$Nobody.visible"])
    bad = next(error for error in found["errors"] if error["message"] == "bad")
    assert [frame.rpartition(" (")[0] for frame in bad["stack"]] == ["<anonymous lambda>", "fail"]
    assert found["output"] == []
