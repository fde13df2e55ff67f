"""What is written is read again as it was, and files that lie end in a clear fault, soon and with little memory."""

from __future__ import annotations

import struct
import tracemalloc
import zlib

import pytest
from PIL import Image
from tests.pixel.sprites import RED, cel, chunk, file_of, plain, with_chunks

from scenewright.core.faults import Invalid, Unsupported
from scenewright.pixel import aseprite_reader
from scenewright.pixel.aseprite_reader import read_sprite
from scenewright.pixel.aseprite_writer import pack_pixels, write_sprite
from scenewright.pixel.rendering import Renderer
from scenewright.pixel.sheets import SheetStyle, make_sheet
from scenewright.pixel.sprite import (
    Cel,
    ColorMode,
    Layer,
    LayerKind,
    Slice,
    SliceKey,
    Sprite,
    Tag,
    TileCodes,
    Tileset,
    UserData,
)

_LAYER = struct.pack("<HHHHHHB3xH", 1, 0, 0, 0, 0, 0, 255, 0)


def _cel_chunk(kind: int, rest: bytes, layer: int = 0) -> bytes:
    return chunk(0x2005, struct.pack("<HhhBHh5x", layer, 0, 0, 255, kind, 0) + rest)


def _everything() -> Sprite:
    """A sprite with one of each thing that we write."""
    source = cel(RED, x=1, y=-2, size=(2, 3), opacity=200, z_index=-1)
    return Sprite(
        6,
        5,
        durations=[80, 120, 65535],
        layers=[
            Layer("Ground", background=True, flags=11),
            Layer("Body", LayerKind.GROUP, opacity=90, blend="divide"),
            Layer("Arm ✋", level=1, parent=1, visible=False, flags=2, data=UserData("mine", (1, 2, 3, 4))),
        ],
        cels=[{2: source}, {0: cel(RED, size=(6, 5))}, {2: Cel(4, 4, 2, 3, source.packed, linked_to=0)}],
        tags=[Tag("idle", 0, 0), Tag("walk", 0, 2, "pingpong_reverse", 3, (9, 8, 7, 255), UserData("slow"))],
        slices=[
            Slice(
                "box",
                [SliceKey(0, (1, 1, 4, 3), (1, 1, 2, 1), (2, 3)), SliceKey(2, (0, 0, 1, 1), (0, 0, 1, 1), (0, 0))],
            )
        ],
        palettes={0: [(0, 0, 0, 0), RED], 1: [(5, 5, 5, 255)]},
        pixel_ratio=(2, 1),
        grid=(-1, 2, 8, 16),
        groups_blend=True,
        color_profile="sRGB",
        data=UserData("hero"),
    )


def test_a_written_sprite_is_read_as_it_was() -> None:
    sprite = _everything()
    data = write_sprite(sprite)
    assert read_sprite(data) == sprite
    assert write_sprite(read_sprite(data)) == data


def test_a_sprite_with_tile_sets_is_not_written_without_them() -> None:
    sprite = plain()
    sprite.tilesets.append(Tileset(0, "Ground", 1, 1, 1, pack_pixels(bytes(RED))))
    with pytest.raises(Unsupported, match="tile sets"):
        write_sprite(sprite)


@pytest.mark.parametrize(
    ("direction", "frames"),
    [
        ("forward", [1, 2, 3, 4]),
        ("reverse", [4, 3, 2, 1]),
        ("pingpong", [1, 2, 3, 4, 3, 2]),
        ("pingpong_reverse", [4, 3, 2, 1, 2, 3]),
    ],
)
def test_a_tag_says_in_which_order_frames_are_shown(direction: str, frames: list[int]) -> None:
    assert Tag("walk", 1, 4, direction).order() == frames
    assert Tag("still", 2, 2, direction).order() == [2]


def test_a_slice_is_where_its_last_key_says() -> None:
    part = Slice("box", [SliceKey(1, (0, 0, 2, 2)), SliceKey(3, (5, 5, 0, 0))])
    assert [key and key.bounds for key in map(part.at, range(4))] == [None, (0, 0, 2, 2), (0, 0, 2, 2), None]


def test_tiles_are_turned_as_their_bits_say() -> None:
    sprite = plain(size=(8, 2))
    corner = bytes([*RED, *([0] * 12)])  # red above left, in a tile of 2 x 2
    sprite.tilesets.append(Tileset(0, "Ground", 2, 2, 2, pack_pixels(bytes(16) + corner)))
    sprite.layers = [Layer("Map", LayerKind.TILEMAP, tileset=0)]
    wide = bytes([0] * 4 + [*RED] + [0] * 8)  # red above right: transposed it is below left
    sprite.tilesets[0].packed = pack_pixels(bytes(16) + wide)
    tiles = [1, 1 | 0x20000000, 1 | 0x40000000, 1 | 0x80000000]
    sprite.cels[0][0] = Cel(0, 0, 4, 1, zlib.compress(struct.pack("<4I", *tiles)), tiles=TileCodes())
    drawn = Renderer(sprite).frame(0)
    assert [(x, y) for x in range(8) for y in range(2) if drawn.getpixel((x, y)) == RED] == [
        (1, 0),
        (2, 0),
        (5, 1),
        (6, 1),
    ]


def test_old_palettes_of_6_bits_are_widened_and_give_way_to_new_ones() -> None:
    old = chunk(0x0011, struct.pack("<HBB6B", 1, 1, 2, 63, 0, 32, 1, 2, 3))
    new = chunk(0x2019, struct.pack("<III8xH4B", 1, 0, 0, 0, 9, 8, 7, 6))
    assert read_sprite(file_of(with_chunks(old))).palette() == [(0, 0, 0, 255), (255, 0, 130, 255), (4, 8, 12, 255)]
    assert read_sprite(file_of(with_chunks(new, old))).palette() == [(9, 8, 7, 6)]


def test_properties_of_extensions_are_read() -> None:
    inside = struct.pack("<II", 7, 2) + b"\x04\0hard\x01\0\x01" + b"\x02\0at\x0e\0" + struct.pack("<ii", -3, 4)
    maps = struct.pack("<I", 1) + inside
    data = chunk(0x2020, struct.pack("<I", 4) + struct.pack("<I", len(maps) + 4) + maps)
    assert read_sprite(file_of(with_chunks(data))).data.properties == {7: {"hard": True, "at": [-3, 4]}}


_BOMB = zlib.compress(bytes(50_000_000))
_NESTED = b"".join(struct.pack("<I", 1) + b"\0\0\x12\0" for _ in range(40)) + struct.pack("<I", 0)
_GROUP = 1


def _layer_chunk(kind: int = 0, level: int = 0, name: bytes = b"") -> bytes:
    return chunk(0x2004, struct.pack("<HHHHHHB3xH", 1, kind, level, 0, 0, 0, 255, len(name)) + name)


def _values(count: int) -> bytes:
    """User data with a list of so many empty objects, each of four bytes."""
    vector = struct.pack("<IH", count, 18) + bytes(4 * count)
    maps = struct.pack("<II", 1, 0) + struct.pack("<I", 1) + b"\1\0a\x11\0" + vector
    return chunk(0x2020, struct.pack("<II", 4, len(maps) + 4) + maps)


_WIDE_PALETTE = chunk(0x2019, struct.pack("<III8xH4B", 65536, 0, 0, 0, 1, 2, 3, 4))
_TAG = struct.pack("<HHBH6x4BHs", 0, 2999, 0, 0, 0, 0, 0, 0, 1, b"a")
# Small files that would take gigabytes, or hours.
COSTLY = {
    "a palette of its own for each frame": file_of(*[with_chunks(_WIDE_PALETTE)] * 9),
    "many palettes in a frame": file_of(with_chunks(*[_WIDE_PALETTE] * 9)),
    "groups in groups without end": file_of(with_chunks(*[_layer_chunk(_GROUP, level) for level in range(100)])),
    "long names of groups in groups": file_of(
        with_chunks(*[_layer_chunk(_GROUP, at, b"n" * 65535) for at in range(64)], *[_layer_chunk(0, 64)] * 10)
    ),
    "tags that are all of all frames": file_of(
        with_chunks(chunk(0x2018, struct.pack("<H8x", 9) + _TAG * 9)), *[with_chunks()] * 2999
    ),
    "values of an extension": file_of(with_chunks(_values(20_001))),
    "keys of a slice": file_of(with_chunks(chunk(0x2022, struct.pack("<IIIH", 20_001, 0, 0, 0) + bytes(20) * 20_001))),
    "chunks of no known kind": file_of(with_chunks(*[chunk(0x9999, b"")] * 20_001)),
}
HOSTILE = {
    "nothing": b"",
    "another magic number": b"\x89PNG".ljust(200, b"\0"),
    "no frames": file_of(),
    "more frames than there are": file_of(with_chunks(), count=65535),
    "no width": file_of(with_chunks(), size=(0, 4)),
    "depth": file_of(with_chunks(), depth=24),
    "more chunks than there are": file_of(with_chunks(count=4_000_000_000)),
    "a chunk of no bytes": file_of(with_chunks(chunk(0x2004, b"", size=0))),
    "a chunk beyond its frame": file_of(with_chunks(chunk(0x2004, _LAYER, size=2_000_000_000))),
    "a cel of no layer": file_of(with_chunks(_cel_chunk(0, struct.pack("<HH", 0, 0)))),
    "a raw cel that is too short": file_of(
        with_chunks(chunk(0x2004, _LAYER), _cel_chunk(0, struct.pack("<HH", 99, 99)))
    ),
    "a cel linked to itself": file_of(with_chunks(chunk(0x2004, _LAYER), _cel_chunk(1, b"\0\0"))),
    "a cel linked forward": file_of(
        with_chunks(chunk(0x2004, _LAYER), _cel_chunk(1, b"\1\0")), with_chunks(_cel_chunk(1, b"\0\0"))
    ),
    "a layer in no group": file_of(with_chunks(chunk(0x2004, struct.pack("<HHHHHHB3xH", 1, 0, 5, 0, 0, 0, 255, 0)))),
    "a huge palette": file_of(with_chunks(chunk(0x2019, struct.pack("<III8x", 4_000_000_000, 0, 3_999_999_999)))),
    "a tag beyond the end": file_of(
        with_chunks(chunk(0x2018, struct.pack("<H8xHHBH6x4BH", 1, 0, 9, 0, 0, 0, 0, 0, 0, 0)))
    ),
    "a map of no tile set": file_of(
        with_chunks(chunk(0x2004, struct.pack("<HHHHHHB3xHI", 1, 2, 0, 0, 0, 0, 255, 0, 7)))
    ),
    "slice keys without end": file_of(with_chunks(chunk(0x2022, struct.pack("<IIIH", 4_000_000_000, 0, 0, 0)))),
    "user data nested without end": file_of(
        with_chunks(chunk(0x2020, struct.pack("<III", 4, len(_NESTED) + 12, 1) + struct.pack("<I", 0) + _NESTED))
    ),
}


@pytest.mark.parametrize("lie", COSTLY)
def test_a_file_of_more_parts_than_any_sprite_has_is_refused(lie: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(aseprite_reader, "_MOST_PARTS", 20_000)
    with pytest.raises(Invalid, match=r"more than 20,000 parts|more layers than are read"):
        read_sprite(COSTLY[lie])


@pytest.mark.parametrize("lie", HOSTILE)
def test_a_file_that_lies_is_refused_when_it_is_read(lie: str) -> None:
    with pytest.raises(Invalid, match="damaged or no Aseprite file") as refused:
        read_sprite(HOSTILE[lie])
    assert refused.value.hint


UNPACKED = {
    "a bomb": (struct.pack("<HH", 2, 2) + _BOMB, None),
    "a huge cel": (struct.pack("<HH", 65535, 65535) + _BOMB, "65535 x 65535 pixels, too many"),
    "too few pixels": (struct.pack("<HH", 90, 90) + zlib.compress(b"ab"), "end 32398 bytes too early"),
    "no packed pixels": (struct.pack("<HH", 2, 2) + b"what", "cannot be unpacked"),
}


@pytest.mark.parametrize("lie", UNPACKED)
def test_packed_pixels_cost_no_more_than_the_picture_they_are_for(lie: str) -> None:
    rest, message = UNPACKED[lie]
    data = file_of(with_chunks(chunk(0x2004, _LAYER), _cel_chunk(2, rest)))
    Image.new("RGBA", (1, 1))  # loaded before the memory is counted
    tracemalloc.start()
    try:
        if message is None:
            Renderer(read_sprite(data)).frame(0)
        else:
            with pytest.raises(Invalid, match=message):
                Renderer(read_sprite(data)).frame(0)
        assert tracemalloc.get_traced_memory()[1] < 4_000_000
    finally:
        tracemalloc.stop()


def test_many_large_frames_end_in_a_fault_and_not_in_an_hour() -> None:
    sprite = plain(frames=65535, size=(4096, 4096))
    renderer = Renderer(sprite)
    with pytest.raises(Invalid, match="pixels to draw"):
        [renderer.frame(frame) for frame in range(40)]


def test_groups_in_groups_of_a_huge_sprite_are_refused_before_they_are_drawn() -> None:
    sprite = plain(size=(4096, 4096), layers=())
    sprite.groups_blend = True
    sprite.layers = [Layer(f"Group {at}", LayerKind.GROUP, level=at, parent=at - 1 if at else None) for at in range(9)]
    sprite.layers.append(Layer("Body", level=9, parent=8))
    sprite.cels[0][9] = cel(RED)
    with pytest.raises(Invalid, match="Groups in groups"):
        Renderer(sprite).frame(0)


def test_a_sheet_of_very_many_frames_takes_no_more_time_for_each() -> None:
    sprite = plain(frames=20_000, size=(1, 1))
    renderer = Renderer(sprite)
    sheet = make_sheet((renderer.frame(at) for at in range(20_000)), SheetStyle("rows"))
    assert sheet.picture.size == (142, 141)


def test_a_tile_set_in_another_file_is_named() -> None:
    sprite = plain()
    sprite.tilesets.append(Tileset(0, "Ground", 1, 1, 1, None))
    with pytest.raises(Invalid, match="'Ground' are in another file"):
        Renderer(sprite).pixels.tiles(sprite.tilesets[0])


def test_raw_cels_and_all_colour_modes_are_read() -> None:
    for depth, pixel in (
        (ColorMode.RGBA, bytes(RED)),
        (ColorMode.GRAYSCALE, b"\x10\xff"),
        (ColorMode.INDEXED, b"\x01"),
    ):
        data = file_of(
            with_chunks(chunk(0x2004, _LAYER), _cel_chunk(0, struct.pack("<HH", 1, 1) + pixel)), depth=int(depth)
        )
        assert read_sprite(data).cels[0][0].packed == pixel
        assert Renderer(read_sprite(data)).frame(0).getbbox() == (0, 0, 1, 1)
