"""Pictures that only the engine reads, looked into."""

from __future__ import annotations

import io
from pathlib import Path
from typing import Any

import pytest
from PIL import Image
from tests.conftest import Caller, MakeCaller
from tests.support.gdscript_runner import run_jobs

pytestmark = pytest.mark.anyio

SVG = """<svg xmlns="http://www.w3.org/2000/svg" width="16" height="8" viewBox="0 0 16 8">
<rect x="2" y="1" width="4" height="6" fill="#ff0000"/><rect x="8" y="0" width="8" height="8" fill="#0000ff"/>
</svg>
"""
IMPORTED = '[remap]\n\nimporter="texture"\n\n[params]\n\nsvg/scale=3.0\n'
SPRITE = """[gd_scene format=3]

[ext_resource type="Texture2D" path="res://sign.svg" id="1"]

[node name="Sign" type="Sprite2D"]
texture = ExtResource("1")
"""
SAVING = """
func run(job: Variant) -> Variant:
	var image: Image = Image.create_empty(8, 4, false, Image.FORMAT_RGBAF if job == "exr" else Image.FORMAT_RGBA4444)
	image.fill_rect(Rect2i(2, 1, 3, 2), Color(0, 1, 0))
	return image.save_exr("res://light.exr") if job == "exr" else image.save_dds("res://light.dds")
"""


async def looked(caller: Caller, **arguments: Any) -> tuple[Any, Image.Image]:
    outcome = await caller.run("inspect_image", arguments)
    assert outcome.ok, outcome.summary
    (drawn,) = outcome.call.attachments
    assert isinstance(drawn.data, bytes)
    return outcome.call.output, Image.open(io.BytesIO(drawn.data))


async def test_a_drawing_is_looked_into_as_the_engine_renders_it(make_caller: MakeCaller, game: Path) -> None:
    (game / "sign.svg").write_text(SVG)
    found, drawn = await looked(make_caller(), imagePath="sign.svg", hframes=2, options={"zoom": 4, "grid": False})
    assert (found.width, found.height, found.opaque_bounds) == (16, 8, [2, 0, 14, 8])
    assert [(each.color, each.count) for each in found.palette] == [("#0000ff", 64), ("#ff0000", 24)]
    assert [(cell.number, cell.bounds) for cell in found.cells] == [(0, [2, 1, 4, 6]), (1, [8, 0, 8, 8])]
    assert drawn.size == (64, 32)


async def test_a_drawing_has_the_size_of_its_import(make_caller: MakeCaller, game: Path) -> None:
    (game / "sign.svg").write_text(SVG)
    (game / "sign.svg.import").write_text(IMPORTED)
    found, _ = await looked(make_caller(), imagePath="sign.svg")
    assert (found.width, found.height, found.opaque_bounds) == (48, 24, [6, 0, 42, 24])


async def test_pixels_of_a_drawing_are_found_in_the_scene(make_caller: MakeCaller, game: Path) -> None:
    (game / "sign.svg").write_text(SVG)
    (game / "sign.tscn").write_text(SPRITE)
    found, _ = await looked(make_caller(), scenePath="sign.tscn", nodePath=".", pixels=[[16, 0]])
    assert [each.at for each in found.pixels] == [[8.0, -4.0]]


@pytest.mark.parametrize("kind", ["exr", pytest.param("dds", marks=pytest.mark.since_godot(4, 5))])
async def test_other_formats_of_the_engine_are_read(make_caller: MakeCaller, game: Path, kind: str) -> None:
    (saved,) = run_jobs(game, SAVING, [kind])
    assert saved.value == 0
    found, _ = await looked(make_caller(), imagePath=f"light.{kind}")
    assert (found.width, found.height, found.opaque_bounds) == (8, 4, [2, 1, 3, 2])
    assert [each.color for each in found.palette] == ["#00ff00"]


async def test_what_is_no_drawing_is_refused(make_caller: MakeCaller, game: Path) -> None:
    (game / "sign.svg").write_text("no drawing")
    fault = (await make_caller().run("inspect_image", {"imagePath": "sign.svg"})).fault
    assert fault is not None
    assert "not a picture that can be read" in fault.message


async def test_without_godot_a_drawing_is_refused_with_what_to_do(
    make_caller: MakeCaller, game: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GODOT_PATH", "")
    (game / "sign.svg").write_text(SVG)
    fault = (await make_caller().run("inspect_image", {"imagePath": "sign.svg"})).fault
    assert fault is not None
    assert "GODOT_PATH" in f"{fault.message} {fault.hint}"
