"""GridMaps painted by paint_tiles and read by get_tiles, as the real engine has them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from tests.conftest import Caller
from tests.support.gdscript_runner import make_project, run_jobs

pytestmark = [pytest.mark.anyio, pytest.mark.godot, pytest.mark.xdist_group("godot-operations")]

LIBRARY = """[gd_resource type="MeshLibrary" load_steps=2 format=3]

[sub_resource type="BoxMesh" id="1"]

[resource]
item/0/name = "Floor"
item/0/mesh = SubResource("1")
item/7/name = "Wall"
item/7/mesh = SubResource("1")
"""
SCENE = """[gd_scene load_steps=2 format=3]

[ext_resource type="MeshLibrary" path="res://library.tres" id="1"]

[node name="Level" type="Node3D"]

[node name="Grid" type="GridMap" parent="."]
mesh_library = ExtResource("1")
"""
LOOK = """
func run(cells: Array) -> Array:
	var level: Node = (load("res://level.tscn") as PackedScene).instantiate()
	var grid: GridMap = level.get_node("Grid")
	var found: Array = [grid.get_used_cells().size()]
	for cell: Array in cells:
		var at: Vector3i = Vector3i(cell[0], cell[1], cell[2])
		found.append([grid.get_cell_item(at), grid.get_cell_item_orientation(at)])
	for turns: int in 4:
		found.append(grid.get_orthogonal_index_from_basis(Basis(Vector3.UP, turns * PI / 2)))
	level.free()
	return found
"""
GRID = {"scenePath": "level.tscn", "tilemapNodePath": "Grid"}


@pytest.fixture
def game(project: Path) -> Path:
    return make_project(project, {"level.tscn": SCENE, "library.tres": LIBRARY})


async def called(caller: Caller, tool: str, **given: Any) -> dict[str, Any]:
    reply = (await caller.reply(tool, {**GRID, **given})).structured
    assert reply is not None
    assert reply["ok"], reply
    assert not reply.get("warnings"), reply
    found: dict[str, Any] = reply["result"]
    return found


async def test_the_engine_has_the_cells_that_were_painted(game: Path, caller: Caller) -> None:
    done = await called(
        caller,
        "paint_tiles",
        rects=[
            {"rect": [-2, 0, -2, 5, 1, 5], "item": "Floor"},
            {"rect": [-2, 1, -2, 5, 2, 5], "item": 7, "outline": True},
        ],
        rows=["W f", " x "],
        legend={"W": "Wall", "f": {"item": 0, "orientation": 22}, "x": None},
        origin=[0, 0, 0],
        tiles=[{"position": [-32768, -1, 32767], "item": 7, "orientation": 16}],
        erase=[[9, 9, 9]],
    )
    assert (done["changed"], done["cells"]) == (25 + 32, 25 + 32)
    asked = [[-2, 0, -2], [-2, 2, 2], [0, 1, 0], [0, 0, 0], [2, 0, 0], [1, 0, 1], [-32768, -1, 32767]]
    (reply,) = run_jobs(game, LOOK, [asked])
    assert reply.complaints == []
    count, *found = reply.value
    assert count == done["cells"]
    assert found[:-4] == [[0, 0], [7, 0], [-1, -1], [7, 0], [0, 22], [-1, -1], [7, 16]]
    assert found[-4:] == [0, 16, 10, 22]  # what the description says of turns


async def test_cells_are_read_back_by_box_and_page_and_can_be_cleared(game: Path, caller: Caller) -> None:
    empty = (game / "level.tscn").read_bytes()
    await called(caller, "paint_tiles", rects=[{"rect": [0, -1, 0, 2, 2, 2], "item": 0, "orientation": 10}])
    read = await called(caller, "get_tiles", limit=3)
    assert read["cells"] == [[0, -1, 0, 0, 10], [1, -1, 0, 0, 10], [0, -1, 1, 0, 10]]
    assert (read["total"], read["bounds"], read["nextOffset"]) == (8, [0, -1, 0, 2, 2, 2], 3)
    assert read["legend"] == {"0": {"name": "Floor"}, "7": {"name": "Wall"}}
    assert (await called(caller, "get_tiles", region=[1, 0, 1, 5, 5, 5]))["cells"] == [[1, 0, 1, 0, 10]]
    await called(caller, "paint_tiles", erase=[[0, -1, 0, 2, 1, 2]])
    assert (await called(caller, "get_tiles"))["total"] == 4
    assert (await called(caller, "paint_tiles", clear=True))["cells"] == 0
    assert (game / "level.tscn").read_bytes() == empty


@pytest.mark.parametrize(
    ("given", "says"),
    [
        ({"tiles": [{"position": [0, 0], "item": 0}]}, "[x, y, z]"),
        ({"tiles": [{"position": [0, 0, 40000], "item": 0}]}, "32767"),
        ({"tiles": [{"position": [0, 0, 0], "item": "Wal"}]}, "'Wall'"),
        ({"tiles": [{"position": [0, 0, 0], "item": 3}]}, "0 (Floor), 7 (Wall)"),
        ({"tiles": [{"position": [0, 0, 0]}]}, "Which item?"),
        ({"tiles": [{"position": [0, 0, 0], "item": 0, "atlasCoords": [1, 1]}]}, "not tiles"),
        ({"rects": [{"rect": [0, 0, 4, 4], "item": 0}]}, "depth"),
        ({"rows": ["?"]}, "'?'"),
        ({"clear": True, "layer": 1}, "no layer"),
        ({}, "nothing to paint"),
    ],
)
async def test_what_cannot_be_painted_is_refused(game: Path, caller: Caller, given: dict[str, Any], says: str) -> None:
    reply = (await caller.reply("paint_tiles", {**GRID, **given})).structured
    assert reply is not None
    assert says in reply["error"]["message"] + reply["error"].get("suggestedFix", "")
    assert (game / "level.tscn").read_text() == SCENE
