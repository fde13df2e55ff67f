"""Every real file is read as it is, and its frames equal the pictures that Aseprite made of them."""

from __future__ import annotations

import pytest
from PIL import Image
from tests.pixel.corpus import FILES, PICTURED, ROOT, needs_corpus, picture, same, sprite

from scenewright.core.faults import Invalid
from scenewright.pixel.aseprite_reader import read_sprite
from scenewright.pixel.rendering import Renderer
from scenewright.pixel.sprite import SliceKey

pytestmark = needs_corpus


@pytest.mark.parametrize("name", PICTURED)
def test_a_frame_equals_aseprites_picture_to_the_last_pixel(name: str) -> None:
    assert same(Renderer(sprite(name)).frame(0), picture(name))


def test_the_corpus_has_what_it_is_here_for() -> None:
    assert len(FILES) >= 35
    assert len([name for name in PICTURED if name.startswith("blend_")]) >= 17


def test_an_indexed_frame_equals_the_palette_picture_where_it_shows_anything() -> None:
    drawn, expected = Renderer(sprite("indexed")).frame(0), picture("indexed_01")
    nothing = Image.new("RGBA", expected.size)
    shown = [
        Image.composite(each, nothing, each.getchannel("A").point([0] + [255] * 255)) for each in (drawn, expected)
    ]
    assert same(*shown)


def test_tiles_of_a_tile_set_equal_the_pictures_of_them() -> None:
    read = sprite("tileset")
    pixels = Renderer(read).pixels
    assert same(pixels.tile_sheet(read.tilesets[0]), picture("tileset"))
    assert same(pixels.tiles(read.tilesets[0])[1], picture("tileset_1"))


def test_a_tile_map_says_which_tile_is_where() -> None:
    read = sprite("tilemap_empty_edges")
    renderer = Renderer(read)
    tiles = renderer.pixels.tiles(read.tilesets[0])
    assert same(tiles[1], picture("tilemap_empty_edges_0_0"))
    assert same(tiles[4], picture("tilemap_empty_edges_0_1"))
    cel = read.cels[0][0]
    codes = renderer.pixels.tile_codes(cel, read.layers[0])
    assert (cel.width, cel.height, len(codes)) == (29, 19, 551)
    for at in (0, 40, 300):
        shown = renderer.frame(0).crop(
            (at % 29 * 16 + cel.x, at // 29 * 16 + cel.y, at % 29 * 16 + 16, at // 29 * 16 + 16)
        )
        assert same(shown, tiles[codes[at]] if codes[at] else Image.new("RGBA", (16, 16)))


def test_tags_layers_slices_and_user_data_are_what_the_file_says() -> None:
    read = sprite("user_data")
    assert [(tag.name, tag.first, tag.last, tag.data.text) for tag in read.tags] == [
        ("Tag 0", 0, 1, "test_user_data_tag_0"),
        ("Tag 1", 3, 4, ""),
        ("Tag 2", 6, 7, "test_user_data_tag_2"),
    ]
    assert read.durations == [100] * 8
    assert read.data.text == "test_user_data_sprite"
    assert (read.layers[0].data.text, read.layers[0].data.color) == ("test_user_data_layer", (255, 0, 0, 255))
    assert read.cels[0][0].data.color == (0, 255, 0, 255)
    assert [(part.name, part.data.text) for part in read.slices] == [("Slice 1", "test_user_data_slice")]
    assert sprite("slice").slices[0].keys == [SliceKey(0, (2, 2, 12, 12), None, (5, 5))]
    assert [layer.name for layer in sprite("indexed").layers] == ["Layer 1", "Layer 2", "Layer 3"]


@pytest.mark.parametrize("name", ["basic-16x16", "indexed", "slice", "tilemap", "user_data"])
def test_a_file_cut_off_anywhere_is_a_clear_fault(name: str) -> None:
    data = (ROOT / f"{name}.aseprite").read_bytes()
    for length in range(len(data)):
        with pytest.raises(Invalid, match="damaged or no Aseprite file"):
            read_sprite(data[:length])


@pytest.mark.parametrize("name", ["basic-16x16", "rawcel", "tilemap_indexed", "user_data", "indexed"])
def test_a_file_with_any_byte_changed_is_drawn_or_refused(name: str) -> None:
    data = (ROOT / f"{name}.aseprite").read_bytes()
    refused = 0
    for at in range(0, len(data), max(len(data) // 150, 1)):
        for value in (0xFF, 0x00, data[at] ^ 0x80):
            changed = bytearray(data)
            changed[at] = value
            try:
                Renderer(read_sprite(bytes(changed))).frame(0)
            except Invalid:
                refused += 1
    assert refused
