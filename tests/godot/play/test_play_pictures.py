"""Pictures of a game that is played, checked by their pixels."""

from __future__ import annotations

import io
from pathlib import Path
from typing import Any

import pytest
from PIL import Image, ImageChops
from tests.conftest import Caller, MakeCaller

pytestmark = pytest.mark.anyio

GREEN = (0, 255, 0)
BOX = '\n[node name="Box" type="ColorRect" parent="Player"]\noffset_left = -10.0\noffset_top = -10.0\n'
BOX += "offset_right = 10.0\noffset_bottom = 10.0\ncolor = Color(0, 1, 0, 1)\n"


SLAB = """
[node name="Slab" type="MeshInstance3D" parent="."]
mesh = SubResource("Slab")
"""


async def picture(caller: Caller, tool: str = "play_picture", **arguments: object) -> tuple[Any, Image.Image]:
    outcome = await caller.run(tool, arguments)
    assert outcome.ok, outcome.fault
    data = outcome.call.attachments[0].data
    assert isinstance(data, bytes)
    return outcome.call.output, Image.open(io.BytesIO(data)).convert("RGB")


async def test_a_played_game_is_seen_as_it_is(make_caller: MakeCaller, level: Path) -> None:
    mesh = '[sub_resource type="BoxMesh" id="Slab"]\nsize = Vector3(1, 1, 4)\n\n[node name="Level"'
    text = (level / "level.tscn").read_text().replace('[node name="Level"', mesh, 1)
    (level / "level.tscn").write_text(text + BOX + SLAB)
    caller = make_caller()
    await caller.result("play_begin", screen=True, size=[400, 320])
    stepped, image = await picture(
        caller, "play_step", frames=60, inputs=[{"frame": 30, "action": "ui_right"}], picture="end"
    )
    assert (stepped.frame, _bounds(image)[0]) == (60, 150)
    missed = await caller.run("play_step", {"until": "$Player.coins == 7", "frames": 1, "picture": "onMet"})
    assert not missed.call.attachments
    before = await caller.result("play_digest")
    shown, image = await picture(caller)
    assert (image.size, shown.frame) == ((400, 320), 61)
    left, top, right, bottom = _bounds(image)
    assert (right - left, bottom - top) == (20, 20)
    assert left == 100 - 10 + 62  # 31 frames of 2 pixels
    await caller.result("play_set", properties={"Player": {"position": [200, 100]}})
    assert _bounds((await picture(caller))[1]) == (190, 90, 210, 110)  # at once, and no frame passes
    assert (await caller.result("play_digest"))["digest"]["frame"] == before["digest"]["frame"]
    await caller.result("play_step", frames=3, calls=[{"node": "Player", "method": "hide", "frame": 1}])
    sheet, image = await picture(caller, "play_sheet", every=32)
    assert (sheet.frames, sheet.captions[1:]) == ([1, 32, 64], ["frame 32 ui_right", "frame 64 set Player hide()"])
    assert [_bounds(part) for part in _parts(image, 3)[:2]] == [(90, 190, 110, 210), (94, 270, 114, 290)]
    assert (await caller.result("play_digest"))["digest"]["frame"] == 64  # the session stands as it did
    await caller.result("play_set", properties={"Player": {"position": [200, 100], "visible": True}})
    near, image = await picture(caller, node="Player/Box", margin=0, zoom=3)
    assert image.size == (60, 60)
    assert near.part == [190, 90, 20, 20]
    assert image.getcolors() == [(60 * 60, GREEN)]
    _, image = await picture(caller, node="Slab", sides=["front", "right"])
    front, right = (_lit(part) for part in _parts(image, 2))
    assert right > 1.5 * front  # it is four times as deep as it is wide


def _parts(sheet: Image.Image, count: int) -> list[Image.Image]:
    """The pictures of a sheet of 400 x 320 each."""
    columns = (sheet.width + 4) // 404
    corners = [(at % columns * 404, at // columns * 342 + 18) for at in range(count)]
    return [sheet.crop((left, top, left + 400, top + 320)) for left, top in corners]


def _lit(image: Image.Image) -> int:
    """How many pixels are brighter than the ground."""
    ground = image.convert("L").getpixel((2, 2))
    assert isinstance(ground, int)
    return sum(image.convert("L").point(lambda value: 255 if value > ground + 20 else 0).histogram()[255:])


def _bounds(image: Image.Image) -> tuple[int, int, int, int]:
    """The rectangle of what is green."""
    red, green, blue = image.split()
    apart = ImageChops.subtract(green, ImageChops.lighter(red, blue))
    bounds = apart.point(lambda value: 255 if value == 255 else 0).getbbox()
    assert bounds is not None
    return bounds


async def test_a_game_without_a_screen_is_not_pictured(make_caller: MakeCaller, level: Path) -> None:
    caller = make_caller()
    await caller.result("play_begin")
    body = (await caller.reply("play_picture", {})).structured
    assert body is not None
    assert body["error"]["suggestedFix"] == "Begin it with screen: true."
    assert level.exists()
