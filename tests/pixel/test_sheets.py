"""Sheets: where frames lie on them, what is kept of each, and the JSON that Aseprite writes beside one."""

from __future__ import annotations

import json
from typing import Any

import pytest
from PIL import Image
from tests.pixel.sprites import plain

from scenewright.core.faults import Invalid
from scenewright.pixel.sheet_data import sheet_json
from scenewright.pixel.sheets import SheetStyle, make_sheet
from scenewright.pixel.sprite import Layer, LayerKind, Slice, SliceKey, Tag, UserData

COLORS = [(at * 50, 0, 0, 255) for at in range(5)]


def _frames(count: int = 5) -> list[Image.Image]:
    """Frames of 4 x 3 with a pixel at 1, 1 of their own colour."""
    frames = []
    for color in COLORS[:count]:
        frame = Image.new("RGBA", (4, 3))
        frame.putpixel((1, 1), color)
        frames.append(frame)
    return frames


@pytest.mark.parametrize(
    ("style", "size", "places"),
    [
        (SheetStyle(), (20, 3), [(0, 0), (4, 0), (8, 0), (12, 0), (16, 0)]),
        (SheetStyle("vertical"), (4, 15), [(0, 0), (0, 3), (0, 6), (0, 9), (0, 12)]),
        (SheetStyle("rows", 2), (8, 9), [(0, 0), (4, 0), (0, 3), (4, 3), (0, 6)]),
        (SheetStyle("columns", 2), (12, 6), [(0, 0), (0, 3), (4, 0), (4, 3), (8, 0)]),
        (SheetStyle("rows"), (12, 6), [(0, 0), (4, 0), (8, 0), (0, 3), (4, 3)]),
        (SheetStyle("rows", 2, border=1, spacing=2), (12, 15), [(1, 1), (7, 1), (1, 6), (7, 6), (1, 11)]),
        (SheetStyle("rows", 3, inner=1), (18, 10), [(1, 1), (7, 1), (13, 1), (1, 6), (7, 6)]),
    ],
)
def test_frames_lie_where_the_style_says(
    style: SheetStyle, size: tuple[int, int], places: list[tuple[int, int]]
) -> None:
    sheet = make_sheet(_frames(), style)
    assert sheet.picture.size == size
    assert [frame.on_sheet for frame in sheet.frames] == [(*place, 4, 3) for place in places]
    assert [sheet.picture.getpixel((x + 1, y + 1)) for x, y in places] == COLORS


def test_a_trimmed_frame_says_what_was_cut_off() -> None:
    sheet = make_sheet([*_frames(2), Image.new("RGBA", (4, 3))], SheetStyle(trim=True))
    assert sheet.picture.size == (3, 1)
    assert [frame.of_frame for frame in sheet.frames] == [(1, 1, 1, 1), (1, 1, 1, 1), (0, 0, 1, 1)]
    assert all(frame.trimmed and frame.frame_size == (4, 3) for frame in sheet.frames)


def test_extruded_frames_have_their_edges_repeated() -> None:
    frame = Image.new("RGBA", (2, 1), COLORS[1])
    frame.putpixel((1, 0), COLORS[2])
    sheet = make_sheet([frame], SheetStyle(extrude=True))
    assert sheet.frames[0].on_sheet == (1, 1, 2, 1)
    row = [COLORS[1], COLORS[1], COLORS[2], COLORS[2]]
    assert [sheet.picture.getpixel((x, y)) for y in range(3) for x in range(4)] == row * 3


def test_packed_frames_of_any_size_never_overlap() -> None:
    frames = []
    for at in range(40):
        frame = Image.new("RGBA", (32, 32))
        frame.paste((255, at, 0, 255), (0, 0, 1 + at * 7 % 31, 1 + at * 11 % 29))
        frames.append(frame)
    sheet = make_sheet(frames, SheetStyle("packed", trim=True, spacing=1))
    boxes = [(x, y, x + width, y + height) for x, y, width, height in (frame.on_sheet for frame in sheet.frames)]
    for at, box in enumerate(boxes):
        assert sheet.picture.crop(box).tobytes() == frames[at].crop((0, 0, *sheet.frames[at].of_frame[2:])).tobytes()
        for other in boxes[:at]:
            assert box[0] >= other[2] + 1 or other[0] >= box[2] + 1 or box[1] >= other[3] + 1 or other[1] >= box[3] + 1
    assert sheet.picture.width * sheet.picture.height < 2 * sum(
        frame.of_frame[2] * frame.of_frame[3] for frame in sheet.frames
    )


def test_a_sheet_that_is_too_large_is_refused() -> None:
    large = Image.new("RGBA", (2048, 2048))
    with pytest.raises(Invalid, match="more than 16,777,216 pixels"):
        make_sheet([large] * 5, SheetStyle())


def _document(**given: Any) -> Any:
    sprite = plain(frames=3)
    sprite.durations = [100, 200, 300]
    sprite.layers = [Layer("Body", LayerKind.GROUP), Layer("Arm", level=1, parent=0, opacity=9, data=UserData("left"))]
    sprite.tags = [Tag("idle", 0, 0), Tag("walk", 1, 2, "pingpong", 2, (255, 0, 0, 255))]
    sprite.slices = [Slice("box", [SliceKey(0, (0, 0, 2, 2), (1, 1, 1, 1), (1, 0)), SliceKey(2, (1, 1, 2, 2))])]
    sheet = make_sheet([Image.new("RGBA", (4, 4))] * 2, SheetStyle())
    return json.loads(sheet_json(sprite, sheet, [1, 2], "hero", "hero.png", **given))


def test_the_json_is_what_aseprite_writes() -> None:
    document = _document()
    assert document["frames"]["hero 1.aseprite"] == {
        "frame": {"x": 4, "y": 0, "w": 4, "h": 4},
        "rotated": False,
        "trimmed": False,
        "spriteSourceSize": {"x": 0, "y": 0, "w": 4, "h": 4},
        "sourceSize": {"w": 4, "h": 4},
        "duration": 300,
    }
    meta = document["meta"]
    assert (meta["image"], meta["format"], meta["size"], meta["scale"]) == (
        "hero.png",
        "RGBA8888",
        {"w": 8, "h": 4},
        "1",
    )
    assert meta["frameTags"] == [
        {"name": "walk", "from": 0, "to": 1, "direction": "pingpong", "repeat": "2", "color": "#ff0000ff"}
    ]
    assert meta["layers"] == [
        {"name": "Body"},
        {"name": "Arm", "group": "Body", "opacity": 9, "blendMode": "normal", "data": "left"},
    ]
    first, second = meta["slices"][0]["keys"]
    assert (first["frame"], first["center"], first["pivot"]) == (0, {"x": 1, "y": 1, "w": 1, "h": 1}, {"x": 1, "y": 0})
    assert second == {"frame": 1, "bounds": {"x": 1, "y": 1, "w": 2, "h": 2}}


def test_the_json_has_frames_as_a_list_where_asked() -> None:
    frames = _document(as_list=True)["frames"]
    assert [(frame["filename"], frame["duration"]) for frame in frames] == [
        ("hero 0.aseprite", 200),
        ("hero 1.aseprite", 300),
    ]
