"""Files that are there, folders, one file in place of another, and data of the game."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from tests.conftest import Caller
from tests.godot.catalogue.played_scenes import called, refused
from tests.support.gdscript_runner import make_project, run_jobs

pytestmark = pytest.mark.anyio

TEXTURE = '[gd_resource type="GradientTexture2D" format=3 uid="uid://{uid}"]\n\n[resource]\nwidth = {width}\n'
MAIN = """[gd_scene format=3]

[ext_resource type="Texture2D" uid="uid://bold" path="res://old.tres" id="1"]

[node name="Main" type="Node2D"]

[node name="A" type="Sprite2D" parent="."]
texture = ExtResource("1")

[node name="B" type="Sprite2D" parent="."]
texture = ExtResource("1")
"""
BOTH = """[gd_scene format=3]

[ext_resource type="Texture2D" path="res://old.tres" id="1"]
[ext_resource type="Texture2D" path="res://new.tres" id="2"]

[node name="Both" type="Node2D"]

[node name="A" type="Sprite2D" parent="."]
texture = ExtResource("1")

[node name="B" type="Sprite2D" parent="."]
texture = ExtResource("2")
"""
FILES: dict[str, str | bytes] = {
    "old.tres": TEXTURE.format(uid="bold", width=1),
    "new.tres": TEXTURE.format(uid="bnew", width=2),
    "style.tres": '[gd_resource type="StyleBoxFlat" format=3]\n\n[resource]\n',
    "main.tscn": MAIN,
    "both.tscn": BOTH,
    "code.gd": 'extends Node\n\nconst OLD: Texture2D = preload("res://old.tres")\n',
}
WIDTHS = """
func run(path: String) -> Variant:
	var root: Node = (load(path) as PackedScene).instantiate()
	var found: Array = root.get_children().map(func(node: Node) -> int: return node.texture.width)
	root.free()
	return found
"""


@pytest.fixture
def game(project: Path) -> Path:
    return make_project(project, FILES)


@pytest.mark.godot
@pytest.mark.xdist_group("godot-operations")
async def test_every_reference_leads_to_the_new_file(game: Path, caller: Caller) -> None:
    done = await called(
        caller, "godot_asset_manager", action="scene.replace_resource", oldPath="old.tres", newPath="res://new.tres"
    )
    assert done["files"] == [{"path": "res://both.tscn", "references": 1}, {"path": "res://main.tscn", "references": 2}]
    assert done["left"] == ["res://code.gd:3"]
    assert "old" not in (game / "main.tscn").read_text() + (game / "both.tscn").read_text()
    assert (game / "both.tscn").read_text().count("[ext_resource") == 1
    replies = run_jobs(game, WIDTHS, ["res://main.tscn", "res://both.tscn"])
    assert [(reply.value, reply.complaints) for reply in replies] == [([2, 2], []), ([2, 2], [])]


async def test_one_scene_alone_can_use_the_new_file(game: Path, caller: Caller) -> None:
    await called(caller, "replace_resource", oldPath="old.tres", newPath="new.tres", scenePath="main.tscn")
    assert 'uid="uid://bnew" path="res://new.tres"' in (game / "main.tscn").read_text()
    assert (game / "both.tscn").read_text() == BOTH


async def test_a_scene_that_cannot_be_read_does_not_stop_the_others(game: Path, caller: Caller) -> None:
    (game / "torn.tscn").write_text(BOTH.replace('id="1"]', 'id="1"').replace("new", "other"))
    reply = (await caller.reply("replace_resource", {"oldPath": "old.tres", "newPath": "new.tres"})).structured
    assert reply is not None
    assert len(reply["result"]["files"]) == 2
    assert [warning for warning in reply["warnings"] if "res://torn.tscn" in warning]
    torn = {"oldPath": "old.tres", "newPath": "new.tres", "scenePath": "torn.tscn"}
    assert "ext_resource" in await refused(caller, "replace_resource", **torn)


async def test_a_file_that_is_gone_can_be_replaced(game: Path, caller: Caller) -> None:
    (game / "old.tres").unlink()
    done = await called(caller, "replace_resource", oldPath="old.tres", newPath="new.tres")
    assert len(done["files"]) == 2


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        ({"oldPath": "old.tres", "newPath": "style.tres"}, "StyleBoxFlat"),
        ({"oldPath": "old.tres", "newPath": "main.tscn"}, "PackedScene"),
        ({"oldPath": "old.tres", "newPath": "gone.tres"}, "gone.tres"),
        ({"oldPath": "old.tres", "newPath": "old.tres"}, "same file"),
        ({"oldPath": "nothing.tres", "newPath": "new.tres"}, "Nothing uses"),
    ],
)
async def test_a_file_that_does_not_fit_is_refused(
    game: Path, caller: Caller, arguments: dict[str, Any], says: str
) -> None:
    assert says in await refused(caller, "replace_resource", **arguments)
    assert (game / "main.tscn").read_text() == MAIN
    assert (game / "both.tscn").read_text() == BOTH


async def test_files_and_folders_are_told_apart(game: Path, caller: Caller) -> None:
    made = await called(caller, "create_folder", path="art/foes")
    assert made == {"path": "res://art/foes", "created": True}
    assert (game / "art/foes").is_dir()
    assert (await called(caller, "godot_asset_manager", action="create_folder", path="art/foes"))["created"] is False
    texture = await called(caller, "file_exists", path="res://old.tres")
    assert (texture["kind"], texture["type"], texture["bytes"]) == ("file", "GradientTexture2D", len(FILES["old.tres"]))
    assert (await called(caller, "file_exists", path="art/foes"))["kind"] == "folder"
    assert (await called(caller, "file_exists", path="art/none.png")) == {"path": "res://art/none.png", "exists": False}
    assert "file" in await refused(caller, "create_folder", path="old.tres")
    assert "project" in await refused(caller, "create_folder", path="../outside")


async def test_a_uid_is_converted_both_ways(game: Path, caller: Caller) -> None:
    there = await called(caller, "godot_asset_manager", action="uid_convert", uid="uid://bold")
    back = await called(caller, "resolve_uid", uid="res://old.tres")
    assert there == back
    assert back["path"] == "res://old.tres"


async def test_game_data_is_kept_merged_and_read(game: Path, caller: Caller) -> None:
    data = {"lives": 3, "names": ["Ann", "Zoë"], "deep": {"x": 1.5}}
    saved = await called(caller, "godot_project_config_manager", action="save_game_data", name="slot 1", data=data)
    assert saved["path"] == "res://game_data/slot 1.json"
    assert (await called(caller, "load_game_data", name="slot 1"))["data"] == data
    await called(caller, "save_game_data", name="slot 1.json", data={"lives": 2, "gold": 9}, merge=True)
    assert (await called(caller, "load_game_data", name="slot 1"))["data"] == data | {"lives": 2, "gold": 9}
    await called(caller, "save_game_data", name="slot 1", data=[1])
    assert (await called(caller, "load_game_data", name="slot 1"))["data"] == [1]
    await called(caller, "save_game_data", data=True)
    assert (await called(caller, "load_game_data"))["data"] is True
    assert "merge" in await refused(caller, "save_game_data", name="slot 1", data={}, merge=True)
    assert "slot 1" in await refused(caller, "load_game_data", name="slot1")
    assert "not a valid name" in await refused(caller, "save_game_data", name="../x", data=1)
    (game / "game_data/bad.json").write_text("{")
    assert "not JSON" in await refused(caller, "load_game_data", name="bad")


async def test_without_a_game_there_are_no_recent_errors(game: Path, caller: Caller) -> None:
    found = await called(caller, "godot_project_config_manager", action="errors.get_recent")
    assert found == {"errors": [], "total": 0}


async def test_a_binary_file_is_written_byte_for_byte(game: Path, caller: Caller) -> None:
    done = await called(caller, "godot_code_manager", action="file.write_binary", path="res://art/a.bin", base64="AP8=")
    assert done == {"path": "res://art/a.bin", "bytes": 2, "created": True}
    assert (game / "art/a.bin").read_bytes() == b"\x00\xff"
    assert "exists" in await refused(caller, "write_binary_file", path="art/a.bin", base64="AA==")
    assert "base64" in await refused(caller, "write_binary_file", path="art/b.bin", base64="?")
    assert (game / "art/a.bin").read_bytes() == b"\x00\xff"
    await called(caller, "write_binary_file", path="art/a.bin", base64="AA==", overwrite=True)
    assert (game / "art/a.bin").read_bytes() == b"\x00"
    assert not (game / "art/b.bin").exists()


async def test_omni_edits_files_under_its_own_name(game: Path, caller: Caller) -> None:
    await called(
        caller,
        "godot_code_manager",
        action="file.edit",
        path="code.gd",
        find=r"OLD",
        replace="NEW",
        regex=True,
        maxReplacements=50,
    )
    assert "const NEW" in (game / "code.gd").read_text()
