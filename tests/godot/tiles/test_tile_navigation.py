"""Tiles with navigation of several polygons, walked on in the engine."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from tests.godot.tiles.tile_game import ask, call, imported, make_game
from tests.support.gdscript_runner import navigate_at_once, run_jobs

pytestmark = [pytest.mark.godot, pytest.mark.xdist_group("godot-operations")]

U = [[-8, -8], [-4, -8], [-4, 4], [4, 4], [4, -8], [8, -8], [8, 8], [-8, 8]]
RING = [
    [[-8, -8], [8, -8], [4, -4], [-4, -4]],
    [[8, -8], [8, 8], [4, 4], [4, -4]],
    [[8, 8], [-8, 8], [-4, 4], [4, 4]],
    [[-8, 8], [-8, -8], [-4, -4], [-4, 4]],
]
WALKING = """
func run(job: Variant) -> Variant:
	var layer: TileMapLayer = TileMapLayer.new()
	layer.tile_set = load("res://walk.tres") as TileSet
	root.add_child(layer)
	layer.set_cell(Vector2i(0, 0), 0, Vector2i(job[0] as int, 1))
	for step: int in 4:
		await physics_frame
	var from: Vector2 = Vector2(job[1] as float, job[2] as float)
	var to: Vector2 = Vector2(job[3] as float, job[4] as float)
	var path: PackedVector2Array = NavigationServer2D.map_get_path(root.world_2d.navigation_map, from, to, true)
	var length: float = 0.0
	for number: int in maxi(0, path.size() - 1):
		length += path[number].distance_to(path[number + 1])
	layer.free()
	await physics_frame
	return [roundi(length), path[-1].distance_to(to) < 0.5 if not path.is_empty() else false]
"""


@pytest.fixture(scope="module")
def game(tmp_path_factory: pytest.TempPathFactory) -> Path:
    game = imported(make_game(tmp_path_factory.mktemp("walk")))
    navigate_at_once(game)
    call(
        game,
        "create_tileset",
        tilesetPath="walk.tres",
        texturePath="tiles.png",
        layers={"navigation": [1]},
        tiles=[
            {"atlasCoords": [0, 1], "navigation": U},
            {"atlasCoords": [1, 1], "navigation": RING},
            {"atlasCoords": [2, 0], "navigation": "alpha"},
            {"atlasCoords": [2, 1], "navigation": "full"},
        ],
    )
    return game


def test_a_tile_has_as_many_polygons_as_its_outlines_need(game: Path) -> None:
    polygon = "data('walk.tres', {}, {}).get_navigation_polygon(0)"
    u, ring, alpha = (polygon.format(*at) for at in ((0, 1), (1, 1), (2, 0)))
    found = ask(
        game,
        f"str([{u}.get_polygon_count(), {u}.get_outline_count(), {u}.vertices.size()])",
        f"str([{ring}.get_polygon_count(), {ring}.get_outline_count(), {ring}.vertices.size()])",
        f"str([{alpha}.get_polygon_count(), {alpha}.vertices])",
        "again('walk.tres')",
    )
    assert found == ["[3, 1, 8]", "[4, 4, 8]", "[1, [(-8.0, 0.0), (8.0, 0.0), (8.0, 8.0), (-8.0, 8.0)]]", True]


def test_an_agent_walks_around_what_is_left_out(game: Path) -> None:
    jobs: list[list[Any]] = [
        [0, 2, 1, 14, 1],  # from one arm of the u to the other
        [1, 1, 8, 15, 8],  # past the hole of the ring
        [2, 2, 1, 14, 1],  # straight over a whole tile
    ]
    replies = run_jobs(game, WALKING, jobs, live=True)
    assert [reply.complaints for reply in replies] == [[], [], []]
    (around, reached), (past, there), (straight, over) = (reply.value for reply in replies)
    assert (reached, there, over, straight) == (True, True, True, 12)
    assert around >= 30
    assert 17 <= past < 24


def test_the_tile_set_tells_how_many_polygons_a_tile_has(game: Path) -> None:
    tiles = "\n".join(call(game, "read_tileset", tilesetPath="walk.tres").tiles)
    assert "0:0,1 navigation:3" in tiles
    assert "0:1,1 navigation:4" in tiles
    assert "0:2,1 navigation:1" in tiles
