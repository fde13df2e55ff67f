"""Baking navigation in the real engine: what it finds ends in the scene, and paths lead along it."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
from tests.conftest import Caller, MakeCaller
from tests.support.gdscript_runner import navigate_at_once

pytestmark = [pytest.mark.anyio, pytest.mark.godot, pytest.mark.xdist_group("godot-engines")]

ROOM = """[gd_scene format=3]

[sub_resource type="BoxMesh" id="BoxMesh_a"]
size = Vector3(20, 1, 20)

[sub_resource type="BoxMesh" id="BoxMesh_b"]
size = Vector3(1, 4, 12)

[node name="Room" type="Node3D"]

[node name="Region" type="NavigationRegion3D" parent="."]

[node name="Floor" type="MeshInstance3D" parent="Region"]
mesh = SubResource("BoxMesh_a")

[node name="Wall" type="MeshInstance3D" parent="Region"]
transform = Transform3D(1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 2, 4)
mesh = SubResource("BoxMesh_b")
"""
WALKER = """extends Node3D

func way() -> int:
	var map: RID = get_world_3d().navigation_map
	NavigationServer3D.map_force_update(map)
	return NavigationServer3D.map_get_path(map, Vector3(-8, 0.5, 5), Vector3(8, 0.5, 5), true).size()
"""
YARD = """[gd_scene format=3]

[node name="Yard" type="Node2D"]
"""
CALL = {"calls": [{"method": "way", "frame": 5}], "steps": 10}


@pytest.fixture(autouse=True)
def _at_once(game: Path) -> None:
    navigate_at_once(game)


async def said(caller: Caller, tool: str, **arguments: Any) -> dict[str, Any]:
    structured = (await caller.reply(tool, arguments)).structured
    assert structured is not None
    return structured


async def done(caller: Caller, tool: str, **arguments: Any) -> dict[str, Any]:
    reply = await said(caller, tool, **arguments)
    assert reply["ok"], reply
    result: dict[str, Any] = reply["result"]
    return result


async def test_a_baked_floor_leads_around_a_wall(make_caller: MakeCaller, game: Path) -> None:
    (game / "room.tscn").write_text(ROOM)
    caller = make_caller()
    reply = await said(caller, "bake_navigation_mesh", scenePath="room.tscn")
    assert "warnings" not in reply  # such as one about baking from meshes while a game runs
    baked = reply["result"]
    assert baked["nodePath"] == "Region"
    assert baked["polygons"] > 1
    await done(caller, "write_script", scriptPath="walker.gd", content=WALKER)
    await done(caller, "attach_script", scenePath="room.tscn", nodePath=".", scriptPath="walker.gd")
    seen = await done(caller, "probe_scene", scenePath="room.tscn", **CALL)
    assert seen["errors"] == []
    assert int(seen["calls"][0]["value"]) > 2  # straight through the wall would be two points


async def test_agents_change_what_is_baked_and_are_kept(make_caller: MakeCaller, game: Path) -> None:
    (game / "room.tscn").write_text(f'{ROOM}\n[node name="Other" type="NavigationRegion3D" parent="."]\n')
    caller = make_caller()
    sizes = {"agentRadius": 1.5, "agentHeight": 3.0, "agentMaxClimb": 0.5, "agentMaxSlope": 30.0}
    await done(caller, "bake_navigation_mesh", scenePath="room.tscn", nodePath="Region", **sizes)
    text = (game / "room.tscn").read_text()
    for name, value in {
        "agent_radius": "1.5",
        "agent_height": "3.0",
        "agent_max_climb": "0.5",
        "agent_max_slope": "30.0",
    }.items():
        assert f"{name} = {value}\n" in text
    corners = re.search(r"vertices = PackedVector3Array\(([^)]*)\)", text)
    assert corners is not None
    assert max(float(number) for number in corners[1].split(",")) <= 8.6  # the floor ends at 10


async def test_a_mesh_can_be_kept_in_a_file_of_its_own(make_caller: MakeCaller, game: Path) -> None:
    (game / "room.tscn").write_text(ROOM)
    caller = make_caller()
    baked = await done(caller, "bake_navigation_mesh", scenePath="room.tscn", meshPath="nav/room.tres")
    assert baked["meshPath"] == "res://nav/room.tres"
    assert "vertices = PackedVector3Array(" in (game / "nav/room.tres").read_text()
    assert 'navigation_mesh = ExtResource("' in (game / "room.tscn").read_text()
    assert "vertices" not in (game / "room.tscn").read_text()
    seen = await done(caller, "probe_scene", scenePath="room.tscn", properties={"Region": ["navigation_mesh"]})
    assert seen["errors"] == []


async def test_outlines_are_baked_with_what_stands_in_the_way(make_caller: MakeCaller, game: Path) -> None:
    (game / "yard.tscn").write_text(YARD)
    caller = make_caller()
    square = [[0, 0], [400, 0], [400, 400], [0, 400]]
    where = {"scenePath": "yard.tscn"}
    await done(caller, "create_navigation_region", **where, nodeName="Ground", outlines=[square])
    open_ground = (await done(caller, "bake_navigation_mesh", **where, agentRadius=5))["polygons"]
    await done(
        caller,
        "add_node",
        **where,
        parentNodePath="Ground",
        nodeType="StaticBody2D",
        nodeName="Rock",
        properties={"position": [200, 200]},
    )
    await done(
        caller,
        "create_collision_shape",
        **where,
        parentNodePath="Ground/Rock",
        shapeType="rectangle",
        shapeParams={"sizeX": 100, "sizeY": 100},
    )
    assert (await done(caller, "bake_navigation_mesh", **where))["polygons"] > open_ground


async def test_a_bake_sees_what_its_batch_has_made(make_caller: MakeCaller, game: Path) -> None:
    (game / "yard.tscn").write_text(YARD)
    square = [[0, 0], [100, 0], [100, 100], [0, 100]]
    items = [
        {
            "tool": "create_navigation_region",
            "args": {"scenePath": "yard.tscn", "nodeName": "Ground", "outlines": [square]},
        },
        {"tool": "bake_navigation_mesh", "args": {"scenePath": "yard.tscn"}},
    ]
    reply = await said(make_caller(), "batch_operations", operations=items, atomic=True)
    assert reply["ok"], reply
    assert "polygons = Array[PackedInt32Array]" in (game / "yard.tscn").read_text()


async def test_a_bake_with_nothing_to_walk_on_changes_nothing(make_caller: MakeCaller, game: Path) -> None:
    (game / "yard.tscn").write_text(YARD)
    caller = make_caller()
    await done(caller, "create_navigation_region", scenePath="yard.tscn", nodeName="Ground")
    before = (game / "yard.tscn").read_bytes()
    reply = await said(caller, "bake_navigation_mesh", scenePath="yard.tscn", agentRadius=3)
    assert reply["ok"] is False
    assert "nothing to walk on" in reply["summary"]
    assert (game / "yard.tscn").read_bytes() == before


async def test_without_a_scene_only_the_settings_are_kept(make_caller: MakeCaller, game: Path) -> None:
    reply = await said(make_caller(), "bake_navigation_mesh", meshPath="nav.tres", is3D=True, agentRadius=0.75)
    assert reply["ok"], reply
    assert any("Nothing is baked yet" in warning for warning in reply["warnings"])
    text = (game / "nav.tres").read_text()
    assert 'type="NavigationMesh"' in text
    assert "agent_radius = 0.75" in text


async def test_a_scene_without_a_region_says_so(make_caller: MakeCaller, game: Path) -> None:
    (game / "yard.tscn").write_text(YARD)
    reply = await said(make_caller(), "bake_navigation_mesh", scenePath="yard.tscn")
    assert reply["ok"] is False
    assert "no navigation regions" in reply["summary"]
