from __future__ import annotations

from itertools import product
from pathlib import Path

import pytest
from tests.support.gdscript_runner import make_project, run_jobs

from scenewright.godot.documents.document import Document
from scenewright.godot.tiles.shapes import PEERING_BITS, full_polygon, peering_bits
from scenewright.godot.tiles.tileset import TileSetPlace, TileSetView, view_of

KINDS = list(product(range(4), range(2), range(3)))


def view(shape: int, axis: int, mode: int) -> TileSetView:
    text = (
        f'[gd_resource type="TileSet" format=3]\n\n[resource]\ntile_shape = {shape}\ntile_offset_axis = {axis}\n'
        f"tile_size = Vector2i(32, 16)\nterrain_set_0/mode = {mode}\n"
    )
    return view_of(Document.parse(text, "a.tres"), TileSetPlace("a.tres"))


ENGINE = """
func run(job: Variant) -> Variant:
	var tiles: TileSet = TileSet.new()
	tiles.tile_shape = int(job[0] as float)
	tiles.tile_offset_axis = int(job[1] as float)
	tiles.add_terrain_set()
	tiles.set_terrain_set_mode(0, int(job[2] as float))
	tiles.add_terrain(0)
	var texture: PlaceholderTexture2D = PlaceholderTexture2D.new()
	texture.size = Vector2(16, 16)
	var source: TileSetAtlasSource = TileSetAtlasSource.new()
	source.texture = texture
	tiles.add_source(source)
	source.create_tile(Vector2i.ZERO)
	var data: TileData = source.get_tile_data(Vector2i.ZERO, 0)
	data.terrain_set = 0
	data.terrain = 0
	return range(16).filter(func(bit: int) -> bool: return data.is_valid_terrain_peering_bit(bit))
"""


@pytest.mark.godot
@pytest.mark.xdist_group("godot-text")
def test_sides_and_corners_are_those_of_the_engine(tmp_path: Path) -> None:
    replies = run_jobs(make_project(tmp_path), ENGINE, KINDS)
    for kind, reply in zip(KINDS, replies, strict=True):
        assert reply.complaints == []
        assert peering_bits(view(*kind), 0) == [PEERING_BITS[int(bit)] for bit in reply.value], kind


def test_the_whole_tile_has_the_shape_of_the_grid() -> None:
    assert full_polygon(view(0, 0, 0), (16, 24)) == [(-8, -12), (8, -12), (8, 12), (-8, 12)]
    assert full_polygon(view(1, 0, 0), (16, 24)) == [(0, -8), (16, 0), (0, 8), (-16, 0)]
    assert full_polygon(view(3, 0, 0), (1, 1)) == [(0, -8), (16, -4), (16, 4), (0, 8), (-16, 4), (-16, -4)]
    assert full_polygon(view(3, 1, 0), (1, 1)) == [(-8, -8), (8, -8), (16, 0), (8, 8), (-8, 8), (-16, 0)]
