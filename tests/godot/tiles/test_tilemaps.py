from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from tests.e2e.tools import godot as find_godot
from tests.godot.tiles.tile_game import SCENE, ask, call, imported, make_game, refused
from tests.support.gdscript_runner import run_jobs

pytestmark = [pytest.mark.godot, pytest.mark.xdist_group("godot-operations")]

GROUND = {"scenePath": "level.tscn", "tilemapNodePath": "Ground"}
BLOB = [  # tiles of a terrain that matches sides: which of top, right, bottom and left go on
    ([0, 1], ["right_side"]),
    ([1, 1], ["left_side", "right_side"]),
    ([2, 1], ["left_side"]),
    ([3, 1], []),
    ([0, 0], ["bottom_side", "right_side"]),
    ([2, 0], ["bottom_side", "left_side"]),
    ([3, 0], ["top_side", "left_side"]),
]


@pytest.fixture(scope="module")
def template(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A project with an imported sheet, a tile set of it, and an empty layer."""
    game = make_game(tmp_path_factory.mktemp("template"))
    (game / "gem.tscn").write_text('[gd_scene format=3]\n\n[node name="Gem" type="Node2D"]\n')
    imported(game)
    terrain = [{"atlasCoords": at, "terrain": "Path", "peering": sides} for at, sides in BLOB]
    call(
        game,
        "create_tileset",
        tilesetPath="tiles.tres",
        texturePath="tiles.png",
        layers={"physics": [{}], "terrainSets": [{"mode": "match_sides", "terrains": ["Path"]}]},
        sources=[{"id": 3, "scenes": ["gem.tscn"]}],
        tiles=[
            {"atlasCoords": "all", "collision": "alpha"},
            {"atlasCoords": [0, 0], "alternative": 1, "properties": {"modulate": "red"}},
            *terrain,
        ],
    )
    call(game, "create_tilemap_layer", scenePath="level.tscn", nodeName="Ground", tilesetPath="tiles.tres")
    return game


@pytest.fixture
def game(template: Path, tmp_path: Path) -> Path:
    from shutil import copytree, ignore_patterns

    return Path(copytree(template, tmp_path / "game", ignore=ignore_patterns(".scenewright", ".godot_mcp")))


def test_a_layer_is_made_with_its_tile_set_and_properties(game: Path) -> None:
    made = call(
        game,
        "create_tilemap_layer",
        scenePath="level.tscn",
        nodeName="Front",
        tilesetPath="res://tiles.tres",
        parentNodePath="Ground",
        zIndex=5,
        properties={"y_sort_enabled": True},
    )
    assert made.node_path == "Ground/Front"
    l = "layer('Ground/Front')"  # noqa: E741
    found = ask(game, f"str([{l}.get_class(), {l}.z_index, {l}.y_sort_enabled, {l}.tile_set.resource_path])")
    assert found == ['["TileMapLayer", 5, true, "res://tiles.tres"]']


def test_a_cell_has_the_tile_that_was_set(game: Path) -> None:
    call(game, "set_tile", **GROUND, position={"x": -3, "y": 40}, sourceId=0, atlasCoords={"x": 2, "y": 1})
    call(game, "set_tile", **GROUND, position=[5, 5], atlasCoords=[0, 0], alternativeTile=1)
    done = call(game, "set_tile", **GROUND, position=[6, 5], sourceId=3, alternativeTile=1)
    assert (done.changed, done.cells, done.bounds) == (1, 3, [-3, 5, 10, 36])
    call(game, "set_tile", **GROUND, position=[6, 5], sourceId=-1)
    found = ask(
        game,
        "cell('Ground', -3, 40)",
        "cell('Ground', 5, 5)",
        "cell('Ground', 6, 5)",
        "layer('Ground').get_used_cells().size()",
    )
    assert found == ["0 (2, 1) 0", "0 (0, 0) 1", "-1 (-1, -1) -1", 2]


@pytest.mark.since_godot(4, 6)  # older ones count resources in the header
def test_our_bytes_are_the_engines_bytes(game: Path) -> None:
    call(
        game,
        "paint_tiles",
        **GROUND,
        rects=[{"rect": [-2, -2, 5, 4], "atlasCoords": [0, 0], "flipH": True}],
        tiles=[
            {"position": [0, 0], "sourceId": 3, "alternativeTile": 1},
            {"position": [32767, -32768], "atlasCoords": [3, 1], "flipV": True, "transpose": True},
        ],
    )
    script = """
func run(_job: Variant) -> Variant:
	var root: Node = (load("res://level.tscn") as PackedScene).instantiate()
	var made: TileMapLayer = TileMapLayer.new()
	made.tile_set = load("res://tiles.tres")
	for y: int in 4:
		for x: int in 5:
			made.set_cell(Vector2i(x - 2, y - 2), 0, Vector2i(0, 0), TileSetAtlasSource.TRANSFORM_FLIP_H)
	made.set_cell(Vector2i(0, 0), 3, Vector2i(0, 0), 1)
	made.set_cell(Vector2i(32767, -32768), 0, Vector2i(3, 1),
		TileSetAtlasSource.TRANSFORM_FLIP_V | TileSetAtlasSource.TRANSFORM_TRANSPOSE)
	var same: bool = (root.get_node("Ground") as TileMapLayer).tile_map_data == made.tile_map_data
	made.free()
	var packed: PackedScene = PackedScene.new()
	packed.pack(root)
	ResourceSaver.save(packed, "res://saved.tscn")
	root.free()
	return same
"""
    (reply,) = run_jobs(game, script, [0])
    assert (reply.value, reply.complaints) == (True, [])
    ours, engines = ((game / name).read_text().splitlines() for name in ("level.tscn", "saved.tscn"))
    assert [line for line in ours if "tile_map_data" in line] == [line for line in engines if "tile_map_data" in line]
    assert ours[0].startswith("[gd_scene format=4")
    assert engines[0].startswith("[gd_scene format=4")


def test_rows_rectangles_and_erasing_are_painted_in_order(game: Path) -> None:
    done = call(
        game,
        "paint_tiles",
        **GROUND,
        rows=["##a", "# .", "~~~"],
        origin=[10, 20],
        legend={"#": [0, 0], "a": {"sourceId": 0, "atlasCoords": [1, 1], "flipV": True}, ".": None, "~": [2, 1]},
        rects=[{"rect": [10, 20, 3, 2], "atlasCoords": [3, 1]}],
    )
    assert (done.changed, done.cells, done.bounds) == (8, 8, [10, 20, 3, 3])
    found = ask(
        game,
        "cell('Ground', 10, 20)",
        "cell('Ground', 12, 20)",
        "cell('Ground', 11, 21)",
        "cell('Ground', 12, 21)",
        "cell('Ground', 11, 22)",
    )
    assert found == ["0 (0, 0) 0", "0 (1, 1) 8192", "0 (3, 1) 0", "-1 (-1, -1) -1", "0 (2, 1) 0"]
    done = call(game, "paint_tiles", **GROUND, erase=[[10, 20], [10, 22, 3, 1]])
    assert (done.changed, done.cells) == (4, 4)
    done = call(
        game,
        "paint_tiles",
        **GROUND,
        clear=True,
        rects=[{"rect": [0, 0, 4, 4], "atlasCoords": [0, 0], "outline": True}],
    )
    assert (done.cells, done.bounds) == (12, [0, 0, 4, 4])
    assert call(game, "paint_tiles", **GROUND, clear=True).bounds is None
    assert "tile_map_data" not in (game / "level.tscn").read_text()


def test_what_is_read_back_can_be_painted_again(game: Path) -> None:
    call(
        game,
        "paint_tiles",
        **GROUND,
        rows=["##a", "# #"],
        origin=[-1, -1],
        legend={"#": [0, 0], "a": {"atlasCoords": [1, 1], "flipV": True}},
    )
    read = call(game, "get_tiles", **GROUND)
    assert (read.rows, read.origin, read.total, read.bounds) == (["##A", "#.#"], [-1, -1], 5, [-1, -1, 3, 2])
    assert read.counts == {"#": 4, "A": 1}
    assert read.legend["A"] == {"sourceId": 0, "atlasCoords": [1, 1], "alternativeTile": 8192}
    assert read.tileset_path == "res://tiles.tres"
    again = call(game, "paint_tiles", **GROUND, rows=read.rows, origin=read.origin, legend={**read.legend, ".": None})
    assert again.changed == 0
    part = call(game, "get_tiles", **GROUND, region=[0, -1, 2, 2], limit=1)
    assert (part.rows, part.next_offset) == (["#A"], 1)
    assert call(game, "get_tiles", **GROUND, region=[0, -1, 2, 2], limit=1, offset=1).rows == [".#"]
    cells = call(game, "get_tiles", **GROUND, form="cells", limit=2, offset=2)
    assert (cells.cells, cells.next_offset) == ([[1, -1, 0, 1, 1, 8192], [-1, 0, 0, 0, 0, 0]], 4)


def test_terrain_tiles_are_chosen_so_that_they_connect(game: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GODOT_PATH", str(find_godot()))
    done = call(game, "paint_tiles", **GROUND, rects=[{"rect": [0, 0, 4, 1], "terrain": "Path"}])
    assert done.cells == 4
    found = ask(game, *(f"cell('Ground', {x}, 0)" for x in range(4)))
    assert found == ["0 (0, 1) 0", "0 (1, 1) 0", "0 (1, 1) 0", "0 (2, 1) 0"]
    call(
        game,
        "paint_tiles",
        **GROUND,
        rows=["p", "p"],
        legend={"p": {"terrain": 0, "terrainSet": 0}},
        origin=[10, 0],
        tiles=[{"position": [20, 0], "atlasCoords": [0, 0]}],
    )
    assert ask(game, "cell('Ground', 20, 0)", "layer('Ground').get_used_cells().size()") == ["0 (0, 0) 0", 7]


def test_a_terrain_path_connects_only_what_follows_on_it(game: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GODOT_PATH", str(find_godot()))
    line = [{"position": [x, 0], "terrain": "Path"} for x in (0, 1)]
    call(game, "paint_tiles", **GROUND, tiles=line, clear=True)
    call(game, "paint_tiles", **GROUND, tiles=[{"position": [2, 0], "terrain": "Path"}], terrain={"mode": "path"})
    path = ask(game, "cell('Ground', 1, 0)", "cell('Ground', 2, 0)")
    call(game, "paint_tiles", **GROUND, tiles=[{"position": [2, 0], "terrain": "Path"}])
    connected = ask(game, "cell('Ground', 1, 0)", "cell('Ground', 2, 0)")
    assert path == ["0 (2, 1) 0", "0 (3, 1) 0"]
    assert connected == ["0 (1, 1) 0", "0 (2, 1) 0"]


def test_terrain_may_heed_empty_neighbours_and_choose_by_seed(game: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GODOT_PATH", str(find_godot()))
    call(
        game,
        "create_tileset",
        tilesetPath="grass.tres",
        texturePath="tiles.png",
        layers={"terrainSets": [{"mode": "match_sides", "terrains": ["Grass"]}]},
        tiles=[
            {"atlasCoords": [[0, 1], [1, 1], [2, 1]], "terrain": "Grass", "peering": "all"},
            {"atlasCoords": [3, 1], "terrain": "Grass"},
        ],
    )
    call(game, "create_tilemap_layer", scenePath="level.tscn", nodeName="Grass", tilesetPath="grass.tres")
    grass = {"scenePath": "level.tscn", "tilemapNodePath": "Grass", "clear": True}

    def painted(**how: Any) -> list[list[int]]:
        call(game, "paint_tiles", **grass, rects=[{"rect": [0, 0, 6, 6], "terrain": "Grass"}], terrain=how)
        cells = call(game, "get_tiles", scenePath="level.tscn", tilemapNodePath="Grass", form="cells").cells
        return [each[3:5] for each in cells]

    first = painted()
    assert painted() == first
    assert painted(seed=7) != first
    alone = {"tiles": [{"position": [0, 0], "terrain": "Grass"}]}
    call(game, "paint_tiles", **grass, tiles=[{"position": [0, 0], "atlasCoords": [0, 1]}])  # with peers on all sides
    grass["clear"] = False
    call(game, "paint_tiles", **grass, **alone, terrain={"ignoreEmpty": False})
    assert ask(game, "cell('Grass', 0, 0)") == ["0 (3, 1) 0"]


def test_tiles_are_turned_and_of_any_source_one_by_one_and_in_areas(game: Path) -> None:
    call(
        game,
        "paint_tiles",
        **GROUND,
        clear=True,
        tiles=[{"position": [0, 0], "atlasCoords": [0, 0], "flipH": True}],
        rects=[
            {"rect": [1, 0, 1, 1], "sourceId": 3, "alternativeTile": 1},
            {"rect": [2, 0, 1, 1], "atlasCoords": [0, 0], "flipV": True},
            {"rect": [3, 0, 1, 1], "atlasCoords": [0, 0], "transpose": True},
            {"rect": [4, 0, 1, 1], "atlasCoords": [0, 0], "alternativeTile": 1},
        ],
    )
    found = ask(game, *(f"cell('Ground', {x}, 0)" for x in range(5)))
    turned = [f"0 (0, 0) {bits}" for bits in (4096, 8192, 16384, 1)]
    assert found == [turned[0], "3 (0, 0) 1", *turned[1:]]


def test_a_terrain_is_looked_for_in_its_set(game: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GODOT_PATH", str(find_godot()))
    call(
        game,
        "create_tileset",
        tilesetPath="sets.tres",
        texturePath="tiles.png",
        overwrite=True,
        layers={"terrainSets": [{"terrains": ["Low"]}, {"terrains": ["High"]}]},
        tiles=[{"atlasCoords": [0, 1], "terrain": "Low"}, {"atlasCoords": [1, 1], "terrainSet": 1, "terrain": "High"}],
    )
    call(game, "create_tilemap_layer", scenePath="level.tscn", nodeName="Sets", tilesetPath="sets.tres")
    call(
        game,
        "paint_tiles",
        scenePath="level.tscn",
        tilemapNodePath="Sets",
        tiles=[{"position": [0, 0], "terrain": 0, "terrainSet": 1}, {"position": [3, 0], "terrain": 0}],
        rects=[{"rect": [6, 0, 1, 1], "terrain": 0, "terrainSet": 1}, {"rect": [9, 0, 1, 1], "terrain": 0}],
    )
    found = ask(game, *(f"cell('Sets', {x}, 0)" for x in (0, 3, 6, 9)))
    assert found == ["0 (1, 1) 0", "0 (0, 1) 0"] * 2


def test_without_godot_terrain_is_refused_and_the_rest_works(game: Path) -> None:
    call(game, "paint_tiles", **GROUND, rects=[{"rect": [0, 0, 2, 2], "atlasCoords": [0, 0]}])
    assert "Godot" in refused(game, "paint_tiles", **GROUND, rects=[{"rect": [0, 0, 4, 1], "terrain": "Path"}])


COLLIDING = """
func run(job: Variant) -> Variant:
	var level: Node = (load("res://level.tscn") as PackedScene).instantiate()
	root.add_child(level)
	for step: int in 4:
		await physics_frame
	var from: Vector2 = Vector2(job[0] as float, job[1] as float)
	var ray: PhysicsRayQueryParameters2D = PhysicsRayQueryParameters2D.create(from, from + Vector2(0, 100))
	var hit: Dictionary = root.world_2d.direct_space_state.intersect_ray(ray)
	level.free()
	return null if hit.is_empty() else [snappedf(hit.position.x, 0.1), snappedf(hit.position.y, 0.1)]
"""


def test_painted_tiles_really_collide(game: Path) -> None:
    call(
        game,
        "paint_tiles",
        **GROUND,
        rows=["   ", "#=/"],
        legend={"#": [0, 0], "=": [2, 0], "/": {"atlasCoords": [3, 0]}},
    )
    replies = run_jobs(game, COLLIDING, [[8, -20], [24, -20], [36, -20], [44, -20], [80, -20]], live=True)
    assert [reply.complaints for reply in replies] == [[]] * 5
    full, half, high, low, beside = [reply.value for reply in replies]
    assert (full, half, beside) == ([8.0, 16.0], [24.0, 24.0], None)
    assert high is not None
    assert low is not None
    assert high[1] < low[1]  # the slope goes down to the right
    assert low[1] == pytest.approx(16 + 12, abs=1.6)


def test_a_tile_map_is_made_of_a_texture_inside_the_scene_or_beside(game: Path) -> None:
    inside = call(
        game,
        "create_tilemap",
        scenePath="level.tscn",
        nodeName="Map",
        tileSetTexturePath="tiles.png",
        tileSize=[16, 16],
        cells=[{"x": 1, "y": 2, "atlasX": 3, "atlasY": 1}, {"position": [0, 0], "atlasCoords": [0, 0], "alt": 0}],
        properties={"z_index": 3},
        parentNodePath="Ground",
    )
    assert (inside.node_path, inside.cells) == ("Ground/Map", 2)
    assert inside.tileset_path.startswith("res://level.tscn::TileSet_")
    beside = call(
        game,
        "create_tilemap",
        scenePath="level.tscn",
        nodeName="Ground",
        ensureUniqueName=True,
        tileSetTexturePath="tiles.png",
        tileSetPath="made.tres",
    )
    assert (beside.node_path, beside.tileset_path) == ("Ground2", "res://made.tres")
    used = call(
        game,
        "create_tilemap",
        scenePath="level.tscn",
        nodeName="Third",
        tileSetPath="made.tres",
        cells=[{"col": 4, "row": 5, "source_id": 0, "atlas_x": 1, "atlas_y": 0}],
    )
    assert used.cells == 1
    call(
        game,
        "edit_tileset",
        tilesetPath=inside.tileset_path,
        layers={"physics": [{}]},
        tiles=[{"atlasCoords": [0, 0], "collision": "full"}],
    )
    found = ask(
        game,
        "cell('Ground/Map', 1, 2)",
        "str([layer('Ground/Map').z_index, layer('Ground/Map').tile_set.tile_size])",
        "str([res('made.tres').tile_size, atlas('made.tres').texture_region_size,"
        " atlas('made.tres').get_tiles_count()])",
        "cell('Third', 4, 5)",
        "layer('Ground/Map').tile_set.get_source(0).get_tile_data(Vector2i(0, 0), 0).get_collision_polygons_count(0)",
    )
    assert found == ["0 (3, 1) 0", "[3, (16, 16)]", "[(32, 32), (32, 32), 2]", "0 (1, 0) 0", 1]


def test_a_layer_of_an_old_tile_map_can_be_painted_too(game: Path) -> None:
    old = SCENE.replace("\n\n[node", '\n\n[ext_resource type="TileSet" path="res://tiles.tres" id="1"]\n\n[node', 1) + (
        '\n[node name="Old" type="TileMap" parent="."]\ntile_set = ExtResource("1")\nformat = 2\n'
        'layer_0/tile_data = PackedInt32Array(65535, 65536, 1)\nlayer_1/name = "Top"\n'
    )
    (game / "old.tscn").write_text(old)
    where = {"scenePath": "old.tscn", "tilemapNodePath": "Old"}
    assert call(game, "get_tiles", **where, form="cells").cells == [[-1, 0, 0, 1, 1, 0]]
    call(game, "set_tile", **where, position=[2, -3], atlasCoords=[2, 1])
    call(game, "set_tile", **where, layer=1, position=[7, 7], atlasCoords=[0, 0])
    call(game, "paint_tiles", **where, layer=1, tiles=[{"position": [8, 7], "atlasCoords": [2, 0]}])
    assert call(game, "get_tiles", **where, layer=1).rows == ["#A"]
    m = "node('Old', 'old.tscn')"
    found = ask(
        game,
        f"str([{m}.get_cell_atlas_coords(0, Vector2i(2, -3)), {m}.get_cell_atlas_coords(0, Vector2i(-1, 0)),"
        f" {m}.get_cell_atlas_coords(1, Vector2i(7, 7)), {m}.get_used_cells(1).size()])",
    )
    assert found == ["[(2, 1), (1, 1), (0, 0), 2]"]


def test_an_instanced_layer_is_painted_where_it_is_editable(game: Path) -> None:
    call(game, "paint_tiles", **GROUND, rects=[{"rect": [0, 0, 2, 1], "atlasCoords": [0, 0]}])
    call(game, "create_scene", scenePath="heir.tscn", inherits="res://level.tscn")
    call(game, "set_tile", scenePath="heir.tscn", tilemapNodePath="Ground", position=[0, 0], sourceId=-1)
    found = ask(game, "layer('Ground', 'heir.tscn').get_used_cells().size()", "layer('Ground').get_used_cells().size()")
    assert found == [1, 2]


BAD: list[tuple[str, dict[str, Any], str]] = [
    ("set_tile", {"position": [0, 0], "sourceId": 0, "atlasCoords": [1, 0]}, "no tile at 1, 0"),
    ("set_tile", {"position": [0, 0], "sourceId": 8, "atlasCoords": [0, 0]}, "no source 8"),
    ("set_tile", {"position": [0, 0], "atlasCoords": [0, 0], "alternativeTile": 7}, "no alternative 7"),
    ("set_tile", {"position": [0], "atlasCoords": [0, 0]}, "[x, y]"),
    ("set_tile", {"position": [0, 0]}, "atlasCoords"),
    ("set_tile", {"position": [40000, 0], "atlasCoords": [0, 0]}, "32767"),
    ("set_tile", {"position": [0, 0], "atlasCoords": [0, 0], "layer": 1}, "nodes of their own"),
    ("set_tile", {"position": [0, 0], "sourceId": 3, "alternativeTile": 9}, "scene tiles 1"),
    ("paint_tiles", {"rows": ["#?"], "legend": {"#": [0, 0]}}, "'?'"),
    ("paint_tiles", {"rows": ["#"], "legend": {"#": {"atlas": [0, 0]}}}, "sourceId"),
    ("paint_tiles", {}, "nothing to paint"),
    ("paint_tiles", {"rects": [{"rect": [0, 0, 0, 1], "atlasCoords": [0, 0]}]}, "no area"),
    ("paint_tiles", {"rects": [{"rect": [0, 0, 2, 1], "terrain": "Pth"}]}, "Path"),
    ("paint_tiles", {"rects": [{"rect": [0, 0, 9999, 9999], "atlasCoords": [0, 0]}]}, "too many"),
    ("paint_tiles", {"tilemapNodePath": ".", "clear": True}, "not a TileMapLayer"),
    ("get_tiles", {"region": [0, 0, 3]}, "width, height"),
    ("create_tilemap_layer", {"nodeName": "Ground", "tilesetPath": "tiles.tres"}, "Ground"),
    ("create_tilemap_layer", {"nodeName": "A", "tilesetPath": "tile.tres"}, "tiles.tres"),
    ("create_tilemap", {"nodeName": "A", "tileSetPath": "tiles.tres", "cells": [{"x": 1}]}, "atlasX"),
]


@pytest.mark.parametrize(("tool", "arguments", "said"), BAD)
def test_what_cannot_be_painted_is_refused(template: Path, tool: str, arguments: dict[str, Any], said: str) -> None:
    where = {"scenePath": "level.tscn"} if tool.startswith("create") else GROUND
    assert said in refused(template, tool, **{**where, **arguments})
