"""What `overview` tells of a Godot project."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
from tests.conftest import Caller, MakeCaller

pytestmark = pytest.mark.anyio

SETTINGS = """config_version=5

[application]

config/name="Maze"
run/main_scene="res://main.tscn"
config/features=PackedStringArray("4.6", "Mobile")

[autoload]

Score="*res://score.gd"

[display]

window/size/viewport_width=640
window/size/viewport_height=648

[editor_plugins]

enabled=PackedStringArray("res://addons/maker/plugin.cfg")

[input]

jump={
"deadzone": 0.5,
"events": [Object(InputEventKey,"resource_local_to_scene":false,"resource_name":"","device":-1,"window_id":0,\
"alt_pressed":false,"shift_pressed":false,"ctrl_pressed":false,"meta_pressed":false,"pressed":false,"keycode":0,\
"physical_keycode":32,"key_label":0,"unicode":0,"location":0,"echo":false,"script":null)]
}

[layer_names]

2d_physics/layer_1="world"
2d_physics/layer_3="player"
"""
MAIN = """[gd_scene load_steps=3 format=3]

[ext_resource type="PackedScene" path="res://coin.tscn" id="1"]
[ext_resource type="Script" path="res://main.gd" id="2"]

[node name="Main" type="Node2D"]
script = ExtResource("2")

[node name="Coin" parent="." instance=ExtResource("1")]

[node name="Coin2" parent="." instance=ExtResource("1")]

[node name="Coin3" parent="." instance=ExtResource("1")]

[node name="Coin4" parent="." instance=ExtResource("1")]

[node name="Hud" type="CanvasLayer" parent="." groups=["shown"]]

[node name="Label" type="Label" parent="Hud"]
unique_name_in_owner = true

[node name="Start" type="Timer" parent="Hud"]

[connection signal="timeout" from="Hud/Start" to="." method="begin"]
"""
COIN = """[gd_scene format=3]

[node name="Coin" type="Area2D"]
"""


@pytest.fixture
def game(project: Path) -> Path:
    files = {
        "project.godot": SETTINGS,
        "main.tscn": MAIN,
        "coin.tscn": COIN,
        "main.gd": "extends Node2D\n\nfunc begin() -> void:\n\tpass\n",
        "main.gd.uid": "uid://b4k2j0x1y7q3\n",
        "score.gd": "extends Node\nvar score := 0\n",
        "addons/maker/plugin.cfg": '[plugin]\n\nname="Maker"\n',
        "addons/maker/inner/maker.gd": "@tool\nextends EditorPlugin\n",
    }
    for path, text in files.items():
        (project / path).parent.mkdir(parents=True, exist_ok=True)
        (project / path).write_text(text, encoding="utf-8", newline="")
    (project / "hero.png").write_bytes(b"\x89PNG")
    return project


@pytest.fixture
def caller(game: Path, make_caller: MakeCaller) -> Caller:
    """A server that is started on the game."""
    del game
    return make_caller()


async def sections(caller: Caller, **arguments: Any) -> dict[str, Any]:
    told: dict[str, Any] = (await caller.result("overview", **arguments))["sections"]
    return told


async def test_it_tells_what_the_settings_say(caller: Caller) -> None:
    told = await sections(caller)
    assert told["project"] == "Maze, Godot 4.6, main scene main.tscn"
    assert told["settings"] == "display/window/size: viewport_width=640"  # the height is the default
    assert told["input"] == "jump: Space"
    assert told["autoloads"] == "Score: score.gd"
    assert told["plugins"] == "addons/maker/plugin.cfg"
    assert told["layers"] == "2d_physics: 1 world, 3 player"


async def test_files_are_grouped_and_what_the_engine_or_others_made_is_folded(caller: Caller) -> None:
    assert (await sections(caller))["files"] == {
        "./": "coin.tscn, hero.png, main.gd, main.tscn, project.godot, score.gd",
        "addons/maker/": "2 files (1 .gd, 1 .cfg)",
        "made by the engine": "1 .uid",
    }


async def test_a_scene_is_a_short_tree_with_its_connections(caller: Caller) -> None:
    scenes = (await sections(caller))["scenes"]
    assert list(scenes) == ["main.tscn", "coin.tscn"]
    assert scenes["main.tscn"].splitlines() == [
        "Main: Node2D (main.gd)",
        "  Coin … Coin4 (4): coin.tscn",
        "  Hud: CanvasLayer (group shown)",
        "    Label (unique)",
        "    Start: Timer",
        "Hud/Start.timeout -> begin()",
    ]


async def test_a_node_below_what_another_scene_brings_is_named_by_its_path(caller: Caller, game: Path) -> None:
    inherited = """[gd_scene format=3]

[ext_resource type="PackedScene" path="res://main.tscn" id="1"]

[node name="Main" instance=ExtResource("1")]

[node name="Extra" type="Button" parent="Hud"]
"""
    (game / "other.tscn").write_text(inherited, encoding="utf-8")
    told = (await sections(caller))["scenes"]["other.tscn"]
    assert told.splitlines() == ["Main: main.tscn", "  Hud/Extra: Button"]


async def test_small_scripts_come_whole_and_those_of_addons_not_at_all(caller: Caller, game: Path) -> None:
    told = (await sections(caller))["scripts"]
    assert told == {
        "score.gd": "extends Node\nvar score := 0\n",
        "main.gd": (game / "main.gd").read_text(encoding="utf-8"),
    }


async def test_a_long_script_comes_as_its_declarations_and_is_named_as_shortened(caller: Caller, game: Path) -> None:
    body = "".join(f"\tprint({number})\n" for number in range(1000))
    (game / "main.gd").write_text(f"extends Node2D\nsignal done\n\nfunc begin() -> void:\n{body}", encoding="utf-8")
    result = await caller.result("overview")
    assert result["sections"]["scripts"]["main.gd"].splitlines() == [
        "extends Node2D (1,004 lines)",
        "2: signal done",
        "4: func begin() -> void",
    ]
    assert any("main.gd" in line and "project_file_manager read {paths}" in line for line in result["leftOut"])
    whole = await caller.result("overview", maxBytes=40_000)
    assert whole["sections"]["scripts"]["main.gd"].endswith("\tprint(999)\n")


async def test_assets_that_are_not_imported_are_told_with_the_remedy(caller: Caller) -> None:
    told = (await sections(caller))["notImported"]
    assert told == "1 asset, none of them is imported: godot_asset_manager scan does it"


async def test_what_was_left_out_is_to_be_had_with_tools_that_are_listed(
    make_caller: MakeCaller, game: Path, caller: Caller
) -> None:
    for number in range(60):
        (game / f"scene_{number}.tscn").write_text(MAIN, encoding="utf-8")
    told = " ".join((await caller.result("overview"))["leftOut"])
    assert "godot_inspector_manager scene_tree.get {scenePath}" in told
    full = " ".join((await make_caller(toolset="full").result("overview"))["leftOut"])
    assert "get_node_tree {scenePath}" in full


async def test_syntax_errors_are_told_with_their_lines(caller: Caller, game: Path) -> None:
    (game / "main.gd").write_text("extends Node2D\nfunc begin(:\n\tpass\n", encoding="utf-8")
    assert (await sections(caller))["errors"].startswith("main.gd:2 ")


async def test_a_broken_scene_and_a_missing_main_scene_are_said_and_hide_nothing(caller: Caller, game: Path) -> None:
    (game / "main.tscn").unlink()
    (game / "coin.tscn").write_text("[gd_scene", encoding="utf-8")
    told = await sections(caller)
    assert told["project"].endswith("main scene res://main.tscn (missing)")
    assert told["scenes"]["coin.tscn"].startswith("cannot be read: ")


async def test_since_shows_the_changed_script_and_nothing_else(caller: Caller, game: Path) -> None:
    revision = (await caller.result("overview"))["revision"]
    (game / "score.gd").write_text("extends Node\nvar score := 100\n", encoding="utf-8")
    result = await caller.result("overview", since=revision)
    assert result["changed"] == ["modified score.gd"]
    assert result["sections"].keys() == {"notImported", "scripts"}
    assert result["sections"]["scripts"] == {"score.gd": "extends Node\nvar score := 100\n"}


ARENA = """[gd_scene format=3]

[ext_resource type="PackedScene" path="res://gone.tscn" id="1"]

[sub_resource type="BoxShape3D" id="box"]
size = Vector3(4, 2, 4)

[node name="Arena" type="Node3D"]

[node name="Door" type="StaticBody3D" parent="."]
transform = Transform3D(1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 1.5, -5)

[node name="Shape" type="CollisionShape3D" parent="Door"]
shape = SubResource("box")

[node name="Boss" parent="." instance=ExtResource("1")]
"""


async def test_a_small_scene_comes_with_what_is_set_in_it(caller: Caller, game: Path) -> None:
    (game / "arena.tscn").write_text(ARENA, encoding="utf-8")
    assert (await sections(caller))["scenes"]["arena.tscn"].splitlines() == [
        "Arena: Node3D",
        "  Door: StaticBody3D position=(0, 1.5, -5)",
        "    Shape: CollisionShape3D shape=BoxShape3D(size=(4, 2, 4))",
        "  Boss: gone.tscn MISSING",
    ]


async def test_a_file_that_is_set_and_not_there_is_marked_and_animations_are_named(caller: Caller) -> None:
    tracks = [{"nodePath": "Picture", "property": "position", "keys": [[0, [0, 0]], [1, [9, 9]]]}]
    player = {"name": "Player", "type": "AnimationPlayer", "animations": [{"name": "open", "tracks": tracks}]}
    picture = {"name": "Picture", "type": "Sprite2D", "properties": {"texture": "hero.png"}}
    tree = {"name": "Hall", "type": "Node2D", "children": [picture, player]}
    await caller.result("apply_scene", scenePath="hall.tscn", tree=tree)
    look = await caller.result("overview")
    assert look["editorsOpen"] == "none"
    (caller.runtime.project.root / "hero.png").unlink()
    hall = (await sections(caller))["scenes"]["hall.tscn"].splitlines()
    assert hall[1] == "  Picture: Sprite2D texture=hero.png MISSING"
    assert re.fullmatch(r"  Player: AnimationPlayer libraries=open \([0-9a-f]{6}\)", hall[2])
    text = (caller.runtime.project.root / "hall.tscn").read_text(encoding="utf-8")
    (caller.runtime.project.root / "hall.tscn").write_text(text.replace("(9, 9)", "(9, 8)"), encoding="utf-8")
    told = (await sections(caller, since=look["revision"]))["values"]["hall.tscn"]
    assert "Player: libraries=open" in told


async def test_since_does_not_repeat_a_source_that_was_just_sent(caller: Caller, game: Path) -> None:
    revision = (await caller.result("overview"))["revision"]
    parts = [
        {"tool": "write_file", "args": {"path": "b.gd", "content": "extends Node2D\n\nvar b := 1\n"}},
        {"tool": "write_file", "args": {"path": "c.gdshader", "content": "shader_type canvas_item;\n\n"}},
    ]
    await caller.result("write_script", scriptPath="a.gd", content="extends Node\n\nvar a := 1\n")
    await caller.result("batch_operations", operations=parts, atomic=True)
    (game / "score.gd").write_text("extends Node\nvar score := 100\n", encoding="utf-8")
    assert (await sections(caller, since=revision))["scripts"] == {
        "a.gd": "extends Node (3 lines), as you sent it",
        "b.gd": "extends Node2D (3 lines), as you sent it",
        "c.gdshader": "2 lines, as you sent it",
        "score.gd": "extends Node\nvar score := 100\n",
    }
    (game / "a.gd").write_text("extends Node\n\nvar a := 2\n", encoding="utf-8")
    assert (await sections(caller, since=revision))["scripts"]["a.gd"] == "extends Node\n\nvar a := 2\n"
    assert (await sections(caller))["scripts"]["b.gd"] == "extends Node2D\n\nvar b := 1\n"


async def test_a_large_scene_comes_without_what_is_set_in_it(caller: Caller, game: Path) -> None:
    more = "".join(f'\n[node name="Lamp{number}" type="OmniLight3D" parent="."]\n' for number in range(60))
    (game / "arena.tscn").write_text(ARENA + more, encoding="utf-8")
    lines = (await sections(caller))["scenes"]["arena.tscn"].splitlines()
    assert lines[1:3] == ["  Door: StaticBody3D", "    Shape: CollisionShape3D"]
    assert lines[-1] == "  Lamp0 … Lamp59 (60): OmniLight3D"


async def test_since_tells_what_is_set_otherwise(caller: Caller, game: Path) -> None:
    (game / "arena.tscn").write_text(ARENA, encoding="utf-8")
    revision = (await caller.result("overview"))["revision"]
    arena = {"scenePath": "arena.tscn"}
    await caller.result("edit_node", **arena, nodePath="Door", properties={"position": [0, 4.5, -5]})
    await caller.result("add_node", **arena, nodeType="Timer", nodeName="Clock", properties={"wait_time": 3})
    ends = {"fromNodePath": "Clock", "signal": "timeout", "toNodePath": ".", "method": "queue_free"}
    await caller.result("connect_signal", **arena, **ends)
    told = await sections(caller, since=revision)
    assert "scenes" not in told
    assert told["values"]["arena.tscn"].splitlines() == [
        "Door: position=(0, 4.5, -5) (was (0, 1.5, -5))",
        "+ Clock: Timer, wait_time=3",
        "+ Clock.timeout -> queue_free(): connected",
    ]


async def test_since_tells_what_a_resource_has_otherwise(caller: Caller, game: Path) -> None:
    style = '[gd_resource type="StyleBoxFlat" format=3]\n\n[resource]\ncorner_radius_top_left = 4\n'
    (game / "style.tres").write_text(style, encoding="utf-8")
    revision = (await caller.result("overview"))["revision"]
    await caller.result("edit_resource", resourcePath="style.tres", properties={"bg_color": "#ff0000"})
    told = (await sections(caller, since=revision))["values"]
    assert told == {"style.tres": "StyleBoxFlat: bg_color=Color(1, 0, 0, 1)"}


async def test_since_tells_what_a_new_resource_has(caller: Caller) -> None:
    revision = (await caller.result("overview"))["revision"]
    made = {"resourcePath": "style.tres", "resourceType": "StyleBoxFlat", "properties": {"corner_radius_top_left": 4}}
    await caller.result("create_resource", **made)
    told = await sections(caller, since=revision)
    assert told["resources"] == {"style.tres": "StyleBoxFlat: corner_radius_top_left=4"}
