"""What pictures show, by their pixels: a node whole, overlays, the format, and several frames or sides as one strip."""

from __future__ import annotations

import io
from pathlib import Path
from typing import Any

import pytest
from PIL import Image
from tests.conftest import MakeCaller

from scenewright.core.calls.call import Outcome

pytestmark = pytest.mark.anyio

GREEN, MARK, SHAPE = (0, 255, 0), (255, 51, 153), (0, 204, 255)
HEAD = '[gd_scene format=3]\n\n[node name="Root" type="Node2D"]\n'


def box(left: int, top: int, right: int, bottom: int, name: str = "Box") -> str:
    return (
        f'\n[node name="{name}" type="ColorRect" parent="."]\noffset_left = {left}.0\noffset_top = {top}.0\n'
        f"offset_right = {right}.0\noffset_bottom = {bottom}.0\ncolor = Color(0, 1, 0, 1)\n"
    )


def drawn(outcome: Outcome) -> Image.Image:
    assert outcome.ok, outcome.fault
    (attachment,) = outcome.call.attachments
    assert isinstance(attachment.data, bytes)
    return Image.open(io.BytesIO(attachment.data))


def colours(picture: Image.Image) -> set[Any]:
    return {colour for _, colour in picture.convert("RGB").getcolors(picture.width * picture.height) or []}


def mime(outcome: Outcome) -> str:
    assert outcome.ok, outcome.fault
    return outcome.call.attachments[0].mime_type


async def test_a_node_beyond_the_window_is_shown_whole_and_the_move_is_told(
    make_caller: MakeCaller, game: Path
) -> None:
    (game / "far.tscn").write_text(HEAD + box(3000, -900, 3040, -870))
    outcome = await make_caller().run("scene_picture", {"scenePath": "far.tscn", "node": "Box", "margin": 0})
    picture = drawn(outcome)
    assert (picture.size, colours(picture)) == ((40, 30), {GREEN})
    assert outcome.call.output.pictures[0].part == [3000, -900, 40, 30]
    assert any("view was moved" in warning for warning in outcome.call.warnings)


async def test_a_node_larger_than_the_window_is_shown_whole(make_caller: MakeCaller, game: Path) -> None:
    (game / "long.tscn").write_text(HEAD + box(-500, 100, 1804, 200))
    outcome = await make_caller().run(
        "scene_picture", {"scenePath": "long.tscn", "node": "Box", "margin": 0, "maxSize": 2048}
    )
    picture = drawn(outcome)
    assert (picture.size, colours(picture)) == ((1152, 50), {GREEN})
    assert outcome.call.output.pictures[0].part == [-500, 100, 2304, 100]


async def test_the_game_keeps_its_view_while_a_picture_moves_it(make_caller: MakeCaller, game: Path) -> None:
    (game / "view.gd").write_text(
        "extends Node2D\n\n\nfunc _process(_delta: float) -> void:\n"
        "\tprint(get_viewport().canvas_transform.origin, get_viewport().global_canvas_transform.origin)\n"
    )
    script = HEAD.replace("\n\n[node", '\n\n[ext_resource type="Script" path="res://view.gd" id="1"]\n\n[node', 1)
    script = script.replace('type="Node2D"]', 'type="Node2D"]\nscript = ExtResource("1")')
    (game / "far.tscn").write_text(script + box(3000, 0, 3040, 30) + box(0, 0, 40, 30, "Here"))
    outcome = await make_caller().run("scene_picture", {"scenePath": "far.tscn", "node": "Box", "frames": [2, 4]})
    assert outcome.ok, outcome.fault
    assert set(outcome.call.output.output) == {"(0.0, 0.0)(0.0, 0.0)"}


async def test_a_node_that_is_not_there_or_hidden_is_told(make_caller: MakeCaller, game: Path) -> None:
    (game / "here.tscn").write_text(
        HEAD + box(10, 10, 50, 50).replace("\noffset_left", "\nvisible = false\noffset_left")
    )
    caller = make_caller()
    missing = await caller.run("scene_picture", {"scenePath": "here.tscn", "node": "Bx"})
    assert missing.fault is not None
    assert "no node 'Bx'" in missing.fault.message
    hidden = await caller.run("scene_picture", {"scenePath": "here.tscn", "node": "Box"})
    assert any("'Box' is hidden" in warning for warning in hidden.call.warnings)


async def test_all_that_a_node_draws_is_shown(make_caller: MakeCaller, game: Path) -> None:
    (game / "drawn.tscn").write_text(
        HEAD + '\n[node name="Shape" type="Polygon2D" parent="."]\ncolor = Color(0, 1, 0, 1)\n'
        "polygon = PackedVector2Array(100, 100, 300, 100, 300, 250, 100, 250)\n"
    )
    outcome = await make_caller().run("scene_picture", {"scenePath": "drawn.tscn", "node": "Shape", "margin": 0})
    assert drawn(outcome).size == (200, 150)
    assert colours(drawn(outcome)) == {GREEN}


async def test_a_node_is_shown_without_layers_and_places_that_are_drawn_elsewhere(
    make_caller: MakeCaller, game: Path
) -> None:
    child = '\n[node name="{}" type="{}" parent="Hero{}"]\n'
    (game / "hero.tscn").write_text(
        '[gd_scene format=3]\n\n[node name="Root" type="Node2D"]\n'
        + box(300, 200, 340, 230, "Hero")
        + child.format("Eye", "Camera2D", "")
        + "position = Vector2(0, -900)\n"
        + child.format("Far", "Marker2D", "")
        + "position = Vector2(700, 0)\n"
        + child.format("Ui", "CanvasLayer", "")
        + child.format("Fire", "ColorRect", "/Ui")
        + "offset_left = 900.0\noffset_top = 500.0\noffset_right = 1000.0\noffset_bottom = 600.0\n"
    )
    caller = make_caller()
    outcome = await caller.run("scene_picture", {"scenePath": "hero.tscn", "node": "Hero", "margin": 0})
    assert (drawn(outcome).size, colours(drawn(outcome))) == ((40, 30), {GREEN})
    layer = await caller.run("scene_picture", {"scenePath": "hero.tscn", "node": "Hero/Ui", "margin": 0})
    assert layer.call.output.pictures[0].part == [900, 500, 100, 100]
    place = await caller.run("scene_picture", {"scenePath": "hero.tscn", "node": "Hero/Far", "margin": 10})
    assert drawn(place).size == (21, 21)


async def test_only_what_was_asked_for_is_named(make_caller: MakeCaller, game: Path) -> None:
    (game / "two.tscn").write_text(HEAD + box(0, 0, 100, 60, "First") + box(0, 100, 100, 160, "Second"))
    asked = {"scenePath": "two.tscn", "node": "First", "margin": 200, "overlays": ["names", "rects"]}
    picture = drawn(await make_caller().run("scene_picture", asked)).convert("RGB")
    rows = [y for y in range(picture.height) if any(picture.getpixel((x, y)) == MARK for x in range(picture.width))]
    assert (rows[0], rows[-1]) == (0, 59)


async def test_a_portrait_window_shows_a_node_in_space_whole(make_caller: MakeCaller, game: Path) -> None:
    (game / "bar.tscn").write_text(
        '[gd_scene format=3]\n\n[sub_resource type="StandardMaterial3D" id="Red"]\nshading_mode = 0\n'
        'albedo_color = Color(1, 0, 0, 1)\n\n[sub_resource type="BoxMesh" id="Bar"]\nmaterial = SubResource("Red")\n'
        'size = Vector3(20, 1, 1)\n\n[node name="Room" type="Node3D"]\n\n[node name="Bar" type="MeshInstance3D" '
        'parent="."]\nmesh = SubResource("Bar")\n'
    )
    asked = {"scenePath": "bar.tscn", "node": "Bar", "format": "png", "width": 200, "height": 600}
    outcome = await make_caller().run("scene_picture", asked)
    picture = drawn(outcome).convert("RGB")
    edges = {picture.getpixel((x, y)) for x in (0, picture.width - 1) for y in range(picture.height)}
    assert (255, 0, 0) in colours(picture)
    assert (255, 0, 0) not in edges
    near = await make_caller().run("scene_picture", asked | {"lookFrom": [0, 0, 3]})
    assert any("Not all of 'Bar' is seen" in warning for warning in near.call.warnings)


async def test_overlays_are_drawn_once_the_picture_is_enlarged(make_caller: MakeCaller, game: Path) -> None:
    (game / "marked.tscn").write_text(
        '[gd_scene format=3]\n\n[sub_resource type="RectangleShape2D" id="1"]\nsize = Vector2(20, 10)\n\n'
        '[node name="Root" type="Node2D"]\n'
        + box(100, 50, 140, 80)
        + '\n[node name="Body" type="StaticBody2D" parent="."]\nposition = Vector2(120, 65)\n\n'
        '[node name="Shape" type="CollisionShape2D" parent="Body"]\nshape = SubResource("1")\n'
    )
    asked = {"scenePath": "marked.tscn", "node": "Box", "margin": 5, "zoom": 8, "overlays": ["rects", "shapes"]}
    picture = drawn(await make_caller().run("scene_picture", asked)).convert("RGB")
    assert picture.size == (400, 320)
    across = [picture.getpixel((x, 60)) for x in range(400)]
    # The edges of the box are lines of a single pixel, where enlarged ones would be eight wide.
    assert [x for x, pixel in enumerate(across) if pixel == MARK] == [40, 359]
    down = [picture.getpixel((200, y)) for y in range(320)]
    assert len([pixel for pixel in down if pixel == SHAPE]) == 2
    assert picture.getpixel((200, 60)) == GREEN


async def test_names_stay_legible_and_do_not_cover_each_other(make_caller: MakeCaller, game: Path) -> None:
    (game / "named.tscn").write_text(HEAD + box(0, 0, 40, 30, "First") + box(0, 0, 40, 30, "Second"))
    asked = {"scenePath": "named.tscn", "overlays": ["names"], "node": ".", "margin": 60, "zoom": 4}
    picture = drawn(await make_caller().run("scene_picture", asked)).convert("RGB")
    rows = [y for y in range(picture.height) if any(picture.getpixel((x, y)) == MARK for x in range(picture.width))]
    assert rows[-1] - rows[0] > 2 * 12  # one below the other
    lines = "".join("x" if y in rows else " " for y in range(picture.height)).split()
    assert max(map(len, lines)) <= 15  # letters of their own size, not four times as large


@pytest.mark.parametrize(
    ("scene", "asked", "kind"),
    [
        ("sky", {}, "image/jpeg"),
        ("sky", {"overlays": ["names"]}, "image/png"),
        ("sky", {"format": "png"}, "image/png"),
        ("sky", {"zoom": 2, "width": 400, "height": 200}, "image/png"),
        ("ui", {}, "image/png"),
        ("ui", {"format": "jpg"}, "image/jpeg"),
        ("pixels", {}, "image/png"),
    ],
)
async def test_a_picture_is_png_where_lines_or_pixels_matter(
    make_caller: MakeCaller, game: Path, scene: str, asked: dict[str, Any], kind: str
) -> None:
    noise = (
        '[gd_scene format=3]\n\n[sub_resource type="FastNoiseLite" id="1"]\n\n'
        '[sub_resource type="NoiseTexture2D" id="2"]\ngenerate_mipmaps = false\nnoise = SubResource("1")\n\n'
        '[node name="Root" type="Node2D"]\n\n'
        '[node name="Sky" type="Sprite2D" parent="."]\nposition = Vector2(256, 256)\ntexture = SubResource("2")\n'
    )
    button = (
        '\n[node name="Play" type="Button" parent="."]\noffset_right = 200.0\noffset_bottom = 60.0\ntext = "Play"\n'
    )
    content = {"sky": noise, "ui": noise + button, "pixels": noise + "texture_filter = 1\n"}[scene]
    (game / "shown.tscn").write_text(content)
    assert mime(await make_caller().run("scene_picture", {"scenePath": "shown.tscn", "frames": [20], **asked})) == kind


async def test_frames_come_as_one_strip_with_their_numbers(make_caller: MakeCaller, game: Path) -> None:
    (game / "mover.gd").write_text(
        "extends ColorRect\n\n\nfunc _physics_process(_delta: float) -> void:\n\tposition.x += 10\n"
    )
    scene = (HEAD + box(0, 0, 40, 30)).replace(
        "format=3]\n", 'format=3]\n\n[ext_resource type="Script" path="res://mover.gd" id="1"]\n'
    )
    (game / "moving.tscn").write_text(scene + 'script = ExtResource("1")\n')
    asked = {"scenePath": "moving.tscn", "frames": [2, 10, 20], "width": 400, "height": 100, "format": "png"}
    outcome = await make_caller().run("scene_picture", asked)
    picture = drawn(outcome).convert("RGB")
    shown = outcome.call.output.pictures
    assert [(each.frame, each.width, each.height) for each in shown] == [(2, 400, 100), (10, 400, 100), (20, 400, 100)]
    lefts = []
    for each in shown:
        left, top = each.at
        row = [picture.getpixel((left + x, top + 15)) for x in range(each.width)]
        lefts.append(row.index(GREEN))
        label = picture.crop((left, top - 18, left + 20, top)).convert("L").point(lambda light: 255 * (light > 250))
        _, first, _, last = label.getbbox() or (0, 0, 0, 0)
        assert last - first == 10  # legible where a model sees the strip smaller than it is
    assert lefts == [20, 100, 200]
    assert max(picture.size) <= 1400


COLOURED = """[gd_scene format=3]

[sub_resource type="BoxMesh" id="1"]

[sub_resource type="StandardMaterial3D" id="z"]
shading_mode = 0
albedo_color = Color(1, 0, 0, 1)

[sub_resource type="StandardMaterial3D" id="x"]
shading_mode = 0
albedo_color = Color(0, 0, 1, 1)

[sub_resource type="StandardMaterial3D" id="y"]
shading_mode = 0
albedo_color = Color(0, 1, 0, 1)

[node name="Root" type="Node3D"]

[node name="Body" type="MeshInstance3D" parent="."]
mesh = SubResource("1")
"""


def knob(name: str, x: float, y: float, z: float) -> str:
    return (
        f'\n[node name="{name}" type="MeshInstance3D" parent="Body"]\n'
        f"transform = Transform3D(0.5, 0, 0, 0, 0.5, 0, 0, 0, 0.5, {x}, {y}, {z})\n"
        f'mesh = SubResource("1")\nsurface_material_override/0 = SubResource("{name}")\n'
    )


async def test_a_thing_in_space_is_seen_from_several_sides_in_one_picture(make_caller: MakeCaller, game: Path) -> None:
    knobs = knob("z", 0, 0, 0.5) + knob("x", 0.5, 0, 0) + knob("y", 0, 0.5, 0)
    (game / "solid.tscn").write_text(COLOURED + knobs)
    sides = ["front", "right", "top", "back"]
    asked = {"scenePath": "solid.tscn", "node": "Body", "sides": sides, "width": 300, "height": 300, "format": "png"}
    outcome = await make_caller().run("scene_picture", asked)
    picture, shown = drawn(outcome).convert("RGB"), outcome.call.output.pictures
    assert [each.side for each in shown] == sides
    middles = []
    for each in shown:
        left, top = each.at
        part = picture.crop((left, top, left + each.width, top + each.height))
        middles.append({colour for _, colour in part.crop((130, 130, 170, 170)).getcolors(1600) or []})
        label = picture.crop((left, top - 16, left + 60, top)).convert("L")
        assert sum(label.histogram()[200:]) > 10  # the side's name
    assert middles[:3] == [{(255, 0, 0)}, {(0, 0, 255)}, {(0, 255, 0)}]
    assert not middles[3] & {(255, 0, 0), (0, 0, 255), (0, 255, 0)}


@pytest.mark.parametrize(
    ("asked", "message"),
    [
        ({"sides": ["front"]}, "nothing in 3D"),
        ({"sides": ["front"], "lookFrom": [0, 0, 3]}, "either sides or lookFrom"),
        ({"sides": ["front", "top"], "frames": list(range(1, 8))}, "too many for one picture"),
    ],
)
async def test_sides_that_cannot_be_shown_are_refused(
    make_caller: MakeCaller, game: Path, asked: dict[str, Any], message: str
) -> None:
    (game / "flat.tscn").write_text(HEAD)
    fault = (await make_caller().run("scene_picture", {"scenePath": "flat.tscn", **asked})).fault
    assert fault is not None
    assert message in fault.message
