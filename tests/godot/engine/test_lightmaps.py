"""Baking light in a real editor: what it makes ends in the project, and the game has it."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
from tests.conftest import MakeCaller

from scenewright.core.projects.project import Project
from scenewright.core.writes.changeset import Changeset
from scenewright.godot.engine.lightmapper import needed_files
from scenewright.godot.project.workspace import Workspace

pytestmark = [pytest.mark.anyio, pytest.mark.godot, pytest.mark.xdist_group("godot-engines")]

ROOM = """[gd_scene format=3]

[ext_resource type="PackedScene" path="res://parts/box.tscn" id="1_box"]

[node name="Room" type="Node3D"]

[node name="Box" parent="." instance=ExtResource("1_box")]

[node name="Lamp" type="OmniLight3D" parent="."]
transform = Transform3D(1, 0, 0, 0, 1, 0, 0, 0, 1, 1, 2, 1)
light_bake_mode = 1
"""
BOX = """[gd_scene format=3]

[ext_resource type="Material" path="res://parts/red.tres" id="1_red"]

[sub_resource type="BoxMesh" id="BoxMesh_a"]
add_uv2 = true

[node name="Box" type="MeshInstance3D"]
mesh = SubResource("BoxMesh_a")
material_override = ExtResource("1_red")
"""
RED = '[gd_resource type="StandardMaterial3D" format=3]\n\n[resource]\nalbedo_color = Color(1, 0, 0, 1)\n'
CHECKS = [
    "get_node('LightmapGI').light_data.get_user_count() == 1",
    "str(get_node('LightmapGI').light_data.get_user_path(0)) == '../Box'",
    "get_node('LightmapGI').light_data.lightmap_textures.size() == 1",
]


@pytest.fixture
def room(game: Path) -> Path:
    (game / "parts").mkdir()
    (game / "room.tscn").write_text(ROOM)
    (game / "parts/box.tscn").write_text(BOX)
    (game / "parts/red.tres").write_text(RED)
    return game


async def said(make_caller: MakeCaller, **arguments: Any) -> dict[str, Any]:
    structured = (await make_caller().reply("setup_lightmapper", {"scenePath": "room.tscn", **arguments})).structured
    assert structured is not None
    return structured


@pytest.mark.timeout(600)
async def test_a_baked_light_is_in_the_game_and_can_be_baked_again(make_caller: MakeCaller, room: Path) -> None:
    reply = await said(make_caller, quality="low", bounces=0, bake=True, bakeTimeout=500_000)
    assert reply["ok"], reply
    assert reply["result"]["baked"] == "res://room.lmbake"
    assert {path.name for path in room.glob("room.*")} == {"room.tscn", "room.lmbake", "room.exr", "room.exr.import"}
    seen = (await make_caller().reply("probe_scene", {"scenePath": "room.tscn", "checks": CHECKS})).structured
    assert seen is not None
    assert seen["result"]["passed"], seen
    assert seen["result"]["errors"] == []
    again = await said(make_caller, quality="low", bounces=1, bake=True, bakeTimeout=500_000)
    assert again["ok"], again


@pytest.mark.timeout(600)
async def test_a_scene_with_nothing_to_bake_is_left_as_it_was(make_caller: MakeCaller, room: Path) -> None:
    (room / "parts/box.tscn").write_text(BOX.replace("add_uv2 = true\n", ""))
    before = (room / "room.tscn").read_bytes()
    reply = await said(make_caller, bake=True)
    assert reply["ok"] is False
    assert "UV2" in reply["summary"], reply
    assert (room / "room.tscn").read_bytes() == before
    assert not list(room.glob("room.lmbake"))


async def test_a_bake_that_takes_too_long_is_ended(make_caller: MakeCaller, room: Path) -> None:
    before = (room / "room.tscn").read_bytes()
    reply = await said(make_caller, bake=True, bakeTimeout=10_000, quality="ultra", bounces=16)
    assert reply["ok"] is False
    assert re.search(r"within [\d.]+ s\b", reply["summary"]), reply  # what was left of ten after the import
    assert (room / "room.tscn").read_bytes() == before


async def test_without_godot_only_the_bake_is_refused(
    make_caller: MakeCaller, room: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GODOT_PATH", "")
    assert "GODOT_PATH" in (await said(make_caller, bake=True))["summary"]
    assert (await said(make_caller))["ok"] is True


def test_the_copy_has_all_that_the_scene_needs(room: Path) -> None:
    (room / "other.tscn").write_text(BOX)
    workspace = Workspace(Changeset(Project(room)))
    assert needed_files(workspace, "room.tscn") == ["parts/box.tscn", "parts/red.tres"]
