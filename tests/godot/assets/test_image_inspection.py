from __future__ import annotations

import io
from pathlib import Path
from typing import Any

import pytest
from PIL import Image
from tests.godot.tiles.tile_game import imported, refused, run_calls
from tests.support.gdscript_runner import make_project, run_jobs

SHEET = {"imagePath": "sheet.png"}


def sheet() -> bytes:
    """Three frames of 10 x 8 and a column of 2 that is left over; the middle one is empty."""
    picture = Image.new("RGBA", (32, 8), (0, 0, 0, 0))
    picture.paste((255, 0, 0, 255), (1, 2, 5, 6))
    picture.paste((0, 0, 255, 128), (22, 0, 24, 8))
    picture.putpixel((31, 7), (0, 255, 0, 255))
    out = io.BytesIO()
    picture.save(out, "PNG")
    return out.getvalue()


def wide() -> bytes:
    out = io.BytesIO()
    Image.new("L", (300, 200)).save(out, "PNG")
    return out.getvalue()


def broken() -> bytes:
    """A picture that can be opened and not be read: what follows its first byte is no chunk."""
    before, _, after = sheet().partition(b"IDAT")
    return before[:-4] + (1).to_bytes(4, "big") + b"IDAT" + after


@pytest.fixture
def game(project: Path) -> Path:
    pictures = {"sheet.png": sheet(), "wide.png": wide(), "broken.png": broken()}
    return make_project(project, {**pictures, "text.png": "no picture"})


def look(game: Path, **arguments: Any) -> tuple[Any, Image.Image | None]:
    """The figures, and the picture that came with them."""
    (outcome,) = run_calls(game, [("inspect_image", arguments)])
    assert outcome.ok, outcome.summary
    drawn = [Image.open(io.BytesIO(each.data)) for each in outcome.call.attachments if isinstance(each.data, bytes)]
    return outcome.call.output, drawn[0] if drawn else None


def test_figures_are_of_the_whole_picture(game: Path) -> None:
    found, _ = look(game, **SHEET)
    assert (found.image_path, found.width, found.height) == ("res://sheet.png", 32, 8)
    assert found.opaque_bounds == [1, 0, 31, 8]
    assert found.coverage == round((16 + 16 + 1) / 256, 4)
    assert found.translucent == round(16 / 256, 4)
    assert [(each.color, each.count) for each in found.palette] == [("#0000ff80", 16), ("#ff0000", 16), ("#00ff00", 1)]
    assert (found.colors, found.cells, found.region) == (3, None, None)


def test_alpha_from_which_a_pixel_counts_and_the_length_of_the_palette_are_chosen(game: Path) -> None:
    found, _ = look(game, **SHEET, options={"threshold": 200, "palette": 1}, region=[0, 0, 30, 8])
    assert (found.opaque_bounds, found.region) == ([1, 2, 4, 4], [0, 0, 30, 8])
    assert found.coverage == round(16 / 240, 4)
    assert ([each.color for each in found.palette], found.colors) == (["#0000ff80"], 2)


def test_cells_are_counted_by_size_or_by_frames(game: Path) -> None:
    found, _ = look(game, **SHEET, cellSize=[10, 8], picture=False)
    assert (found.columns, found.rows, found.empty) == (3, 1, 1)
    assert [(cell.number, cell.region, cell.coverage, cell.bounds) for cell in found.cells] == [
        (0, [0, 0, 10, 8], 0.2, [1, 2, 4, 4]),
        (2, [20, 0, 10, 8], 0.2, [22, 0, 2, 8]),
    ]
    frames, _ = look(game, **SHEET, hframes=4, vframes=2, picture=False)
    assert (frames.columns, frames.rows, frames.empty) == (4, 2, 3)
    assert frames.cells[0].region == [0, 0, 8, 4]
    spaced, _ = look(game, **SHEET, cellSize=[4, 4], options={"margins": [1, 2], "separation": [17, 0]}, picture=False)
    assert [cell.region for cell in spaced.cells] == [[1, 2, 4, 4], [22, 2, 4, 4]]
    assert spaced.cells[0].coverage == 1.0
    page, _ = look(game, **SHEET, cellSize=[10, 8], limit=1, picture=False)
    assert (len(page.cells), page.next_offset) == (1, 1)
    rest, _ = look(game, **SHEET, cellSize=[10, 8], limit=1, offset=1, picture=False)
    assert ([cell.number for cell in rest.cells], rest.next_offset) == ([2], None)


def test_cells_say_where_they_are_in_an_atlas_and_those_nearly_empty_are_left_out(game: Path) -> None:
    every, _ = look(game, **SHEET, hframes=4, vframes=2, picture=False)
    assert [(cell.number, cell.atlas_coords) for cell in every.cells] == [
        (0, [0, 0]),
        (2, [2, 0]),
        (4, [0, 1]),
        (6, [2, 1]),
        (7, [3, 1]),
    ]
    some, _ = look(game, **SHEET, hframes=4, vframes=2, minCoverage=0.2, picture=False)
    assert [(cell.number, cell.coverage) for cell in some.cells] == [(0, 0.25), (2, 0.25), (4, 0.25), (6, 0.25)]
    assert (some.below, some.empty, every.below) == (1, 3, None)


def test_the_picture_is_enlarged_with_grid_numbers_and_bounds(game: Path) -> None:
    found, drawn = look(game, **SHEET, cellSize=[10, 8], options={"zoom": 10})
    assert drawn is not None
    assert (drawn.size, found.zoom) == ((320, 80), 10)
    assert drawn.getpixel((35, 45)) == (255, 0, 0)  # pixel 3, 4 of the sheet
    assert drawn.getpixel((200, 40)) == (255, 0, 255)  # the border of the third cell
    assert drawn.getpixel((10, 60)) == (0, 255, 0)  # the opaque bounds
    two = [[drawn.getpixel((200 + 2 * x + 2, 2 * y + 2)) == (255, 255, 255) for x in range(3)] for y in range(5)]
    assert two == [[True] * 3, [False, False, True], [True] * 3, [True, False, False], [True] * 3]
    plain = look(game, **SHEET, cellSize=[10, 8], options={"zoom": 10, "grid": False, "numbers": False})[1]
    assert plain is not None
    colours = {colour for _, colour in plain.getcolors(4096) or []}
    assert (255, 0, 255) not in colours
    assert (255, 255, 255) not in colours


def test_the_picture_fits_its_bounds_and_may_be_left_out(game: Path) -> None:
    drawn = look(game, **SHEET, options={"maxSize": 100})[1]
    assert drawn is not None
    assert drawn.size == (96, 24)
    part = look(game, **SHEET, region=[1, 2, 4, 4], options={"maxSize": 100})[1]
    assert part is not None
    assert part.size == (64, 64)
    assert part.getpixel((30, 30)) == (255, 0, 0)
    assert look(game, **SHEET, picture=False)[1] is None


BAD: list[tuple[dict[str, Any], str]] = [
    ({"imagePath": "sheets.png"}, "sheets.png"),
    ({"imagePath": "text.png"}, "not a picture"),
    ({}, "imagePath"),
    ({**SHEET, "region": [30, 0, 4, 4]}, "32 x 8"),
    ({**SHEET, "cellSize": [64, 64]}, "32 x 8"),
    ({**SHEET, "cellSize": [8, 8], "hframes": 4}, "hframes"),
    ({**SHEET, "pixels": [[0, 0]]}, "scenePath"),
    ({**SHEET, "cellSize": [8, 8], "options": {"separation": [-8, 0]}}, "below 0"),
    ({"imagePath": "wide.png", "cellSize": 1}, "too many"),
    ({"imagePath": "broken.png"}, "not a picture"),
]


@pytest.mark.parametrize(("arguments", "said"), BAD)
def test_what_cannot_be_looked_at_is_refused(game: Path, arguments: dict[str, Any], said: str) -> None:
    assert said in refused(game, "inspect_image", **arguments)


SCENE = """[gd_scene format=3]

[ext_resource type="Texture2D" path="res://sheet.png" id="1"]

[node name="Root" type="Node2D"]
position = Vector2(100, 50)
rotation = 0.5
scale = Vector2(2, 3)
skew = 0.2

[node name="Sprite" type="Sprite2D" parent="."]
position = Vector2(5, -7)
rotation = -1.25
scale = Vector2(-1.5, 2)
texture = ExtResource("1")

[node name="Frame" type="Sprite2D" parent="."]
texture = ExtResource("1")
offset = Vector2(3, 4)
flip_h = true
hframes = 4
vframes = 2
frame = 6

[node name="Part" type="Sprite2D" parent="."]
texture = ExtResource("1")
centered = false
flip_v = true
region_enabled = true
region_rect = Rect2(20, 0, 10, 8)

[node name="Free" type="Node" parent="."]

[node name="Alone" type="Sprite2D" parent="Free"]
position = Vector2(1, 2)
texture = ExtResource("1")

[node name="Top" type="Sprite2D" parent="."]
top_level = true
texture = ExtResource("1")

[node name="Box" type="Control" parent="."]
offset_left = 10.0
offset_top = 20.0
offset_right = 210.0
offset_bottom = 120.0
rotation = 0.3
scale = Vector2(1.5, 1)
pivot_offset = Vector2(40, 10)

[node name="Rect" type="TextureRect" parent="Box"]
anchor_left = 0.25
anchor_right = 1.0
anchor_bottom = 0.5
offset_right = -10.0
offset_bottom = 3.0
texture = ExtResource("1")

[node name="Middle" type="TextureRect" parent="Box"]
offset_right = 100.0
offset_bottom = 90.0
texture = ExtResource("1")
expand_mode = 1
stretch_mode = 5
flip_h = true

[node name="Small" type="TextureRect" parent="Box"]
texture = ExtResource("1")
stretch_mode = 2

[node name="Row" type="HBoxContainer" parent="."]

[node name="In" type="TextureRect" parent="Row"]
texture = ExtResource("1")
"""
NODES = ["Sprite", "Frame", "Part", "Free/Alone", "Top", "Box/Rect", "Box/Middle", "Box/Small"]
PIXELS = [[0, 0], [3.5, 4.5], [31, 7]]
ENGINE = """
func run(job: Variant) -> Variant:
	var scene: Node = (load("res://scene.tscn") as PackedScene).instantiate()
	root.add_child(scene)
	await process_frame
	var item: CanvasItem = scene.get_node(str(job.node))
	var whole: Transform2D = item.get_global_transform()
	var opaque: Array = []
	for at: Array in job.places:
		opaque.append((item as Sprite2D).is_pixel_opaque(Vector2(at[0] as float, at[1] as float)))
	scene.free()
	return {"axes": [whole.x.x, whole.x.y, whole.y.x, whole.y.y, whole.origin.x, whole.origin.y], "opaque": opaque}
"""


@pytest.mark.godot
@pytest.mark.xdist_group("godot-operations")
def test_pixels_are_where_the_engine_has_the_node(game: Path) -> None:
    (game / "scene.tscn").write_text(SCENE)
    imported(game)
    replies = run_jobs(game, ENGINE, [{"node": node, "places": []} for node in NODES], live=True)
    for node, reply in zip(NODES, replies, strict=True):
        found, _ = look(game, scenePath="scene.tscn", nodePath=node, pixels=PIXELS, picture=False)
        assert found.image_path == "res://sheet.png"
        xx, xy, yx, yy, ox, oy = reply.value["axes"]
        for place in found.pixels:
            x, y = place.local
            assert place.at == pytest.approx([xx * x + yx * y + ox, xy * x + yy * y + oy], abs=0.01), node


@pytest.mark.godot
@pytest.mark.xdist_group("godot-operations")
@pytest.mark.parametrize(
    ("node", "part"), [("Sprite", (0, 0, 32, 8)), ("Frame", (16, 4, 8, 4)), ("Part", (20, 0, 10, 8))]
)
def test_the_engine_finds_at_each_place_the_pixel_that_we_say(
    game: Path, node: str, part: tuple[int, int, int, int]
) -> None:
    (game / "scene.tscn").write_text(SCENE)
    imported(game)
    left, top, width, height = part
    pixels = [(x, y) for x in range(left, left + width) for y in range(top, top + height)]
    middles = [[x + 0.5, y + 0.5] for x, y in pixels]
    found, _ = look(game, scenePath="scene.tscn", nodePath=node, pixels=middles, picture=False)
    (reply,) = run_jobs(game, ENGINE, [{"node": node, "places": [each.local for each in found.pixels]}], live=True)
    alpha = Image.open(io.BytesIO(sheet())).getchannel("A")
    assert reply.value["opaque"] == [alpha.getpixel(at) != 0 for at in pixels]


LOCAL: list[tuple[str, list[float], list[float]]] = [
    ("Sprite", [0, 0], [-16, -4]),
    ("Sprite", [31, 7], [15, 3]),
    ("Frame", [16, 4], [3 + 4, 4 - 2]),  # frame 6 starts at 16, 4 and is mirrored
    ("Frame", [24, 8], [3 - 4, 4 + 2]),
    ("Part", [20, 0], [0, 8]),
    ("Part", [30, 8], [10, 0]),
    ("Box/Rect", [32, 8], [140, 53]),
    ("Box/Middle", [0, 0], [100, 32.5]),
    ("Box/Middle", [32, 8], [0, 57.5]),
    ("Box/Small", [31, 7], [31, 7]),
]


@pytest.mark.parametrize(("node", "pixel", "local"), LOCAL)
def test_a_pixel_has_its_place_on_the_node(game: Path, node: str, pixel: list[float], local: list[float]) -> None:
    (game / "scene.tscn").write_text(SCENE)
    found, _ = look(game, scenePath="scene.tscn", nodePath=node, pixels=[pixel], picture=False)
    assert found.pixels[0].local == local


def test_only_the_engine_knows_what_a_container_places(game: Path) -> None:
    (game / "scene.tscn").write_text(SCENE)
    where = {"scenePath": "scene.tscn", "pixels": [[0, 0]]}
    assert "probe_scene" in refused(game, "inspect_image", **where, nodePath="Row/In")
    assert "Sprite2D" in refused(game, "inspect_image", **SHEET, **where, nodePath="Box")
