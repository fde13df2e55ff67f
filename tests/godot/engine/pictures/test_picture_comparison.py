"""What a change did to how a scene looks, by the pixels of the real engine."""

from __future__ import annotations

import io
from pathlib import Path
from typing import Any

import pytest
from PIL import Image
from tests.conftest import MakeCaller

pytestmark = pytest.mark.anyio

SCENE = """[gd_scene format=3]

[ext_resource type="Script" path="res://menu.gd" id="1"]

[node name="Menu" type="Control"]
script = ExtResource("1")

[node name="Box" type="ColorRect" parent="."]
offset_left = 100.0
offset_top = 50.0
offset_right = 140.0
offset_bottom = 80.0
color = Color(0, 1, 0, 1)
"""
SCRIPT = "extends Control\n\n\nfunc _ready() -> void:\n\tvar box: ColorRect = $Box\n\tbox.position.y = {}\n"


@pytest.fixture
def menu(game: Path) -> Path:
    (game / "menu.tscn").write_text(SCENE)
    (game / "menu.gd").write_text(SCRIPT.format(50))
    return game


async def test_a_change_is_told_by_its_pixels(make_caller: MakeCaller, menu: Path) -> None:
    caller = make_caller()
    color = {"scenePath": "menu.tscn", "nodePath": "Box", "properties": {"color": "red"}}
    await caller.result("edit_node", **color)
    await caller.result("edit_node", **color | {"properties": {"offset_right": 150}})
    outcome = await caller.run("compare_pictures", {"path": "menu.tscn", "entry": 2})
    found = outcome.call.output
    assert (found.rectangles, found.changed_pixels) == ([[140, 50, 10, 30]], 300)
    assert (found.before, found.after) == ("res://menu.tscn before entry 2", "res://menu.tscn")
    assert found.changed_share == round(300 / (found.size[0] * found.size[1]), 6)
    (picture,) = outcome.call.attachments
    assert isinstance(picture.data, bytes)
    with Image.open(io.BytesIO(picture.data)) as drawn:
        assert (255, 0, 255) in {colour for _, colour in drawn.convert("RGB").getcolors(1 << 20) or []}
    whole = (await caller.run("compare_pictures", {"path": "menu.tscn", "entry": 1})).call.output
    assert whole.rectangles == [[100, 50, 50, 30]]


async def test_the_scripts_of_a_change_count_too_and_nothing_is_left_behind(
    make_caller: MakeCaller, menu: Path
) -> None:
    caller = make_caller()
    await caller.result("write_script", scriptPath="menu.gd", content=SCRIPT.format(300), overwrite=True)
    files = [path for path in menu.rglob("*") if path.is_file() and not path.relative_to(menu).parts[0].startswith(".")]
    before = {path: path.read_bytes() for path in files}
    found = (await caller.run("compare_pictures", {"path": "menu.tscn", "entry": 1})).call.output
    assert found.rectangles == [[100, 50, 40, 30], [100, 300, 40, 30]]
    assert {path: path.read_bytes() for path in files} == before


async def test_two_scenes_or_files_are_compared_and_equal_ones_send_no_picture(
    make_caller: MakeCaller, menu: Path
) -> None:
    (menu / "other.tscn").write_text(SCENE.replace("Color(0, 1, 0, 1)", "Color(0, 0, 1, 1)"))
    Image.new("RGB", (8, 8), "red").save(menu / "a.png")
    Image.new("RGB", (8, 8), "red").save(menu / "b.png")
    caller = make_caller()
    scenes = (await caller.run("compare_pictures", {"path": "menu.tscn", "otherPath": "other.tscn"})).call.output
    assert scenes.rectangles == [[100, 50, 40, 30]]
    files = await caller.run("compare_pictures", {"path": "a.png", "otherPath": "b.png"})
    assert (files.call.output.same, files.call.attachments, files.call.output.size) == (True, [], [8, 8])


@pytest.mark.parametrize(
    ("asked", "message"),
    [
        ({"path": "menu.tscn"}, "either otherPath or entry"),
        ({"path": "menu.tscn", "otherPath": "gone.tscn"}, "gone.tscn"),
        ({"path": "menu.gd", "otherPath": "menu.tscn"}, "not a picture"),
        ({"path": "new.txt", "entry": 1}, "nothing to compare"),
    ],
)
async def test_what_cannot_be_compared_is_refused(
    make_caller: MakeCaller, menu: Path, asked: dict[str, Any], message: str
) -> None:
    caller = make_caller()
    await caller.result("write_file", path="new.txt", content="new")
    fault = (await caller.run("compare_pictures", asked)).fault
    assert fault is not None
    assert message in fault.message


async def test_frame_tolerance_and_size_are_chosen(make_caller: MakeCaller, menu: Path) -> None:
    moving = "extends Control\n\n\nfunc _physics_process(_delta: float) -> void:\n\tposition.x += {}\n"
    (menu / "menu.gd").write_text(moving.format(0))
    (menu / "fast.gd").write_text(moving.format(10))
    (menu / "fast.tscn").write_text(SCENE.replace("menu.gd", "fast.gd").replace("(0, 1, 0, 1)", "(0, 0.99, 0, 1)"))
    caller = make_caller()
    both = {"path": "menu.tscn", "otherPath": "fast.tscn"}
    late = await caller.run("compare_pictures", both | {"frame": 10, "tolerance": 100, "maxSize": 200})
    start = (await caller.run("compare_pictures", both | {"frame": 1})).call.output
    (picture,) = late.call.attachments
    assert isinstance(picture.data, bytes)
    with Image.open(io.BytesIO(picture.data)) as drawn:
        assert max(drawn.size) <= 200
    lefts = [min(area[0] for area in found.rectangles) for found in (late.call.output, start)]
    assert lefts == [100, 100]
    assert late.call.output.rectangles[-1][0] + late.call.output.rectangles[-1][2] > 200
    assert start.rectangles[0][0] + start.rectangles[0][2] <= 160
    (menu / "still.tscn").write_text(SCENE.replace("(0, 1, 0, 1)", "(0, 0.99, 0, 1)"))
    for tolerance, changed in ((5, 0), (1, 1200)):
        asked = {"path": "menu.tscn", "otherPath": "still.tscn", "tolerance": tolerance}
        assert (await caller.run("compare_pictures", asked)).call.output.changed_pixels == changed
