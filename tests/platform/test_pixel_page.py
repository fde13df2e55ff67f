"""The hero of docs/pixel.md comes out of the calls that stand there, and its picture is what they draw."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from PIL import Image
from tests.conftest import Caller

DOCS = Path(__file__).parents[2] / "docs"
SCALE, GROUND = 6, (70, 74, 84)


@pytest.mark.anyio
async def test_the_calls_of_the_page_draw_its_hero(project: Path, caller: Caller) -> None:
    page = (DOCS / "pixel.md").read_text(encoding="utf-8")
    draw, *poses = [json.loads(block) for block in re.findall(r"```json\n(.*?)```", page, re.DOTALL)]
    await caller.result("pixel_draw", **draw)
    for pose in poses:
        posed = await caller.result("pixel_pose", **pose)
    assert (posed["frames"], posed["tags"]) == (7, ["idle 1-2", "walk 3-6"])
    with Image.open(project / "art/hero.png") as opened:
        sheet = opened.convert("RGBA")
    shown = Image.new("RGBA", (sheet.width * SCALE, sheet.height * SCALE), GROUND)
    shown.alpha_composite(sheet.resize(shown.size, Image.Resampling.NEAREST))
    with Image.open(DOCS / "hero.png") as opened:
        assert opened.convert("RGB").tobytes() == shown.convert("RGB").tobytes()
