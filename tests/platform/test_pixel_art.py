"""Sprites drawn, posed and recoloured through the tools alone, in a project of any engine."""

from __future__ import annotations

import io
import json
from pathlib import Path
from typing import Any

import pytest
from PIL import Image
from tests.conftest import Caller
from tests.pixel.sprites import cel, plain

from scenewright.pixel.aseprite_reader import read_sprite
from scenewright.pixel.aseprite_writer import write_sprite
from scenewright.pixel.rendering import Renderer

pytestmark = pytest.mark.anyio

RED, BLUE, CLEAR = (255, 0, 0, 255), (0, 0, 255, 255), (0, 0, 0, 0)
FACE: dict[str, Any] = {
    "path": "art/face.aseprite",
    "palette": {"r": "#f00", "b": "#0000ff"},
    "cels": [{"rows": ["rr", "rb"], "mirror": "x", "at": [1, 1], "layer": "Head"}],
    "size": [6, 4],
}


def _frame(project: Path, number: int = 0, name: str = "art/face.aseprite") -> Image.Image:
    return Renderer(read_sprite((project / name).read_bytes())).frame(number)


def _palette(project: Path) -> list[Any]:
    return read_sprite((project / "art/face.aseprite").read_bytes()).palette()


def _pixels(picture: Image.Image, y: int) -> list[Any]:
    return [picture.getpixel((x, y)) for x in range(picture.width)]


async def _refusal(caller: Caller, tool: str, **given: Any) -> str:
    body = (await caller.reply(tool, given)).structured
    assert body is not None
    return json.dumps(body)


async def test_rows_of_characters_become_pixels_and_the_reply_shows_them(project: Path, caller: Caller) -> None:
    reply = await caller.reply("pixel_draw", FACE)
    assert [part.kind for part in reply.attachments] == ["image"]
    picture = _frame(project)
    assert _pixels(picture, 1) == [CLEAR, RED, RED, RED, RED, CLEAR]
    assert _pixels(picture, 2) == [CLEAR, RED, BLUE, BLUE, RED, CLEAR]
    rows = await caller.result("pixel_rows", path="art/face.aseprite")
    assert rows["rows"] == ["......", ".####.", ".#oo#.", "......"]
    assert rows["palette"] == {"#": "#ff0000", "o": "#0000ff"}


async def test_a_palette_keeps_its_colours_and_their_places(project: Path, caller: Caller) -> None:
    await caller.result("pixel_draw", **FACE)
    hat = {"rows": ["gg"], "layer": "Hat"}
    await caller.result("pixel_draw", path=FACE["path"], palette={"g": "#00ff00"}, cels=[hat])
    assert _palette(project) == [CLEAR, BLUE, RED, (0, 255, 0, 255)]
    await caller.result("pixel_recolor", path=FACE["path"], colors={"#0000ff": "#ffff00"})
    assert _palette(project) == [CLEAR, (255, 255, 0, 255), RED, (0, 255, 0, 255)]
    await caller.result("pixel_recolor", path=FACE["path"], colors={"#ff0000": "#ffffff"}, layers=["Hat"])
    assert RED in _palette(project)


async def test_shades_go_with_the_colour_they_were_made_of(project: Path, caller: Caller) -> None:
    cel = {"rows": ["rrr"] * 3, "shade": "top_left"}
    await caller.result("pixel_draw", path="gem.aseprite", palette={"r": "#ff0000"}, cels=[cel])
    await caller.result("pixel_draw", path="blue.aseprite", palette={"r": "#0000ff"}, cels=[cel])
    given = {"path": "gem.aseprite", "colors": {"#f00": "#00f", "#123456": "#000"}}
    reply = await caller.reply("pixel_recolor", given)
    assert "It has no #123456" in json.dumps(reply.structured)
    assert _frame(project, name="gem.aseprite").tobytes() == _frame(project, name="blue.aseprite").tobytes()


async def test_what_is_cut_off_or_has_no_effect_is_named(project: Path, caller: Caller) -> None:
    await caller.result("pixel_draw", **FACE)
    reply = await caller.reply("pixel_draw", {**FACE, "size": [9, 9], "cels": [{"rows": ["rr"], "at": [5, 0]}]})
    said = json.dumps(reply.structured)
    assert "stays 6 x 4 pixels" in said
    assert "cels[0] reaches beyond the sprite" in said


async def test_a_picture_of_very_many_colours_is_no_palette(project: Path, caller: Caller) -> None:
    noise = b"".join(at.to_bytes(3, "little") for at in range(520 * 520))
    Image.frombytes("RGB", (520, 520), noise).save(project / "photo.png")
    assert "more than 262,144 colours" in await _refusal(caller, "pixel_palette", paths=["photo.png"], count=8)


async def test_a_look_at_large_frames_is_small(project: Path, caller: Caller) -> None:
    sprite = plain(frames=9, size=(1024, 512))
    sprite.cels[0][0] = cel(RED, size=(1024, 512))
    (project / "large.aseprite").write_bytes(write_sprite(sprite))
    reply = await caller.reply("pixel_recolor", {"path": "large.aseprite", "colors": {"#ff0000": "#0000ff"}})
    (shown,) = reply.attachments
    assert isinstance(shown.data, bytes)
    with Image.open(io.BytesIO(shown.data)) as picture:
        assert max(picture.size) <= 900
        assert picture.getpixel((10, 10)) == BLUE


async def test_a_second_drawing_changes_only_its_cel(project: Path, caller: Caller) -> None:
    await caller.result("pixel_draw", **FACE)
    hat = {"rows": ["bb"], "layer": "Hat", "at": [2, 0]}
    drawn = await caller.result("pixel_draw", path=FACE["path"], palette=FACE["palette"], cels=[hat])
    assert (drawn["layers"], drawn["size"]) == (["Head", "Hat"], [6, 4])
    assert _pixels(_frame(project), 0) == [CLEAR, CLEAR, BLUE, BLUE, CLEAR, CLEAR]
    assert _pixels(_frame(project), 1)[1] == RED


async def test_frames_times_tags_and_a_picture_are_written(project: Path, caller: Caller) -> None:
    cels = [{"rows": ["r"], "frame": 0}, {"rows": ["b"], "frame": 1, "until": 2}]
    drawn = await caller.result(
        "pixel_draw",
        **{**FACE, "cels": cels, "size": [2, 2]},
        milliseconds=[50, 70, 90],
        tags=[{"name": "blink", "first": 1, "last": 2, "direction": "pingpong"}],
        pngPath="art/face.png",
    )
    assert (drawn["frames"], drawn["tags"]) == (3, ["blink 1-2"])
    sprite = read_sprite((project / "art/face.aseprite").read_bytes())
    assert (sprite.durations, sprite.tags[0].direction) == ([50, 70, 90], "pingpong")
    with Image.open(project / "art/face.png") as sheet:
        assert [sheet.convert("RGBA").getpixel((x, 0)) for x in (0, 2, 4)] == [RED, BLUE, BLUE]


async def test_an_outline_surrounds_what_is_shown_and_light_comes_from_one_side(project: Path, caller: Caller) -> None:
    cel = {"rows": ["rrr", "rrr", "rrr"], "at": [1, 1], "shade": "top"}
    drawn = await caller.result("pixel_draw", **{**FACE, "cels": [cel], "size": [5, 5]}, outline="#000000")
    assert drawn["layers"] == ["Outline", "Layer 1"]
    picture = _frame(project)
    column = [picture.getpixel((2, y)) for y in range(5)]
    assert column[0] == column[4] == (0, 0, 0, 255)
    assert picture.getpixel((0, 0)) == CLEAR
    assert sum(column[1][:3]) > sum(column[2][:3]) > sum(column[3][:3])  # type: ignore[index]


async def test_poses_move_hide_and_turn_over_parts(project: Path, caller: Caller) -> None:
    cels = [{"rows": ["rb"], "layer": "Arm"}, {"rows": ["b"], "layer": "Leg", "at": [0, 3]}]
    await caller.result("pixel_draw", **{**FACE, "cels": cels})
    poses = [{"moves": {"Arm": [1, 1]}}, {"hide": ["Leg"], "flip": {"Arm": "x"}, "milliseconds": 80}]
    posed = await caller.result("pixel_pose", path=FACE["path"], tag="wave", poses=poses)
    assert posed["tags"] == ["wave 1-2"]
    assert _pixels(_frame(project, 1), 1)[:4] == [CLEAR, RED, BLUE, CLEAR]
    assert _pixels(_frame(project, 1), 3)[0] == BLUE
    assert _pixels(_frame(project, 2), 0)[:2] == [BLUE, RED]
    assert _pixels(_frame(project, 2), 3)[0] == CLEAR
    before = (project / "art/face.aseprite").read_bytes()
    await caller.result("pixel_pose", path=FACE["path"], tag="wave", poses=poses)
    assert (project / "art/face.aseprite").read_bytes() == before
    assert "has 2 frames, not 1" in await _refusal(caller, "pixel_pose", path=FACE["path"], tag="wave", poses=poses[:1])


async def test_colours_are_exchanged_in_every_frame_and_layers_stay(project: Path, caller: Caller) -> None:
    await caller.result("pixel_draw", **FACE)
    done = await caller.result(
        "pixel_recolor", path=FACE["path"], outputPath="art/other.aseprite", colors={"#f00": "#00ff00"}
    )
    assert (done["colors"], done["changed"]) == (2, 1)
    assert _pixels(_frame(project, name="art/other.aseprite"), 1)[1] == (0, 255, 0, 255)
    assert _pixels(_frame(project), 1)[1] == RED
    assert "exists already" in await _refusal(
        caller, "pixel_recolor", path=FACE["path"], outputPath="art/other.aseprite", colors={"#f00": "#00f"}
    )


async def test_many_colours_are_reduced_to_few_and_to_a_palette(project: Path, caller: Caller) -> None:
    picture = Image.new("RGBA", (16, 16))
    picture.putdata([(x * 16, y * 16, 128, 255) for y in range(16) for x in range(16)])
    picture.save(project / "many.png")
    assert (await caller.result("pixel_recolor", path="many.png", outputPath="few.png", count=4))["colors"] == 4
    taken = await caller.result("pixel_palette", paths=["many.png"], count=8, outputPath="eight.gpl")
    assert (len(taken["colors"]), taken["total"]) == (8, 256)
    done = await caller.result("pixel_recolor", path="many.png", outputPath="eight.png", palettePath="eight.gpl")
    assert done["colors"] <= 8
    for ending in ("hex", "pal"):
        await caller.result("pixel_palette", paths=["eight.gpl"], outputPath=f"eight.{ending}")
        assert (await caller.result("pixel_palette", paths=[f"eight.{ending}"]))["total"] == 8


async def test_an_undo_restores_every_byte_and_a_dry_run_writes_nothing(project: Path, caller: Caller) -> None:
    await caller.result("pixel_draw", **FACE, dryRun=True)
    assert not (project / "art").exists()
    await caller.result("pixel_draw", **FACE)
    before = (project / "art/face.aseprite").read_bytes()
    await caller.result("pixel_recolor", path=FACE["path"], colors={"#f00": "#0f0"})
    assert (project / "art/face.aseprite").read_bytes() != before
    await caller.result("history_undo")
    assert (project / "art/face.aseprite").read_bytes() == before


@pytest.mark.parametrize(
    ("tool", "given", "said"),
    [
        ("pixel_draw", {**FACE, "cels": [{"rows": ["x"]}]}, "which the palette has not"),
        ("pixel_draw", {**FACE, "palette": {"rr": "#f00"}}, "not one character"),
        ("pixel_draw", {**FACE, "palette": {"r": "reddish"}}, "no colour"),
        ("pixel_draw", {**FACE, "path": "../face.aseprite"}, "outside the project"),
        ("pixel_draw", {**FACE, "path": "face.txt"}, "must end in"),
        ("pixel_draw", {**FACE, "size": [4096, 4]}, "1 to 512"),
        ("pixel_draw", {**FACE, "tags": [{"name": "t", "first": 0, "last": 4}]}, "there are 0 to 0"),
        ("pixel_pose", {"path": "none.aseprite", "tag": "a", "poses": [{}]}, "none.aseprite"),
        ("pixel_recolor", {"path": "bomb.png", "count": 2}, "too many to draw on"),
        ("pixel_rows", {"path": "broken.png"}, "no picture that can be read"),
        ("pixel_palette", {"paths": ["empty.gpl"]}, "has 0 colours"),
    ],
)
async def test_what_cannot_be_is_refused_with_the_reason(
    project: Path, caller: Caller, tool: str, given: dict[str, Any], said: str
) -> None:
    Image.new("1", (8192, 8192)).save(project / "bomb.png")
    (project / "broken.png").write_bytes(b"\x89PNG\r\n\x1a\nbroken")
    (project / "empty.gpl").write_text("GIMP Palette\n")
    assert said in await _refusal(caller, tool, **given)
    assert not (project / "art").exists()


async def _sheet_of_three(caller: Caller) -> None:
    cels = [{"rows": ["r"], "frame": 0}, {"rows": ["b"], "frame": 1, "until": 2}]
    tags = [{"name": "blink", "first": 1, "last": 2, "direction": "reverse"}]
    given = {**FACE, "cels": cels, "size": [2, 2], "milliseconds": [50, 70, 90], "tags": tags}
    await caller.result("pixel_draw", **given)


async def test_a_sheet_comes_with_a_table_of_its_frames(project: Path, caller: Caller) -> None:
    await _sheet_of_three(caller)
    made = await caller.result("pixel_sheet", path=FACE["path"], sheetType="horizontal", padding=1)
    assert (made["pngPath"], made["tablePath"], made["size"]) == ("art/face.png", "art/face.json", [8, 2])
    table = json.loads((project / "art/face.json").read_bytes())
    assert table["frames"][1] == {"name": "face_blink_0", "rect": [3, 0, 2, 2], "duration": 70, "tag": "blink"}
    assert (table["size"], table["tags"]) == ([8, 2], {"blink": {"frames": [2, 1], "repeat": 0}})
    with Image.open(project / "art/face.png") as sheet:
        assert [sheet.convert("RGBA").getpixel((x, 0)) for x in (0, 2, 3, 6)] == [RED, CLEAR, BLUE, BLUE]
    await caller.result("pixel_sheet", path=FACE["path"], sheetType="horizontal", padding=1)
    assert "exists already" in await _refusal(caller, "pixel_sheet", path=FACE["path"], sheetType="vertical")
    assert "It has blink" in await _refusal(caller, "pixel_sheet", path=FACE["path"], tag="walk")
