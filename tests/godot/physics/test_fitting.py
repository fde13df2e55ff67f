"""Shapes that take their size from what a node shows; the real engine says how large that is."""

from __future__ import annotations

import re
from io import BytesIO
from pathlib import Path
from typing import Any

import pytest
from PIL import Image
from tests.conftest import MakeCaller
from tests.support.gdscript_runner import make_project, run_jobs

pytestmark = pytest.mark.anyio

SPRITES = {
    "plain": "",
    "moved": "position = Vector2(3, 4)\nscale = Vector2(2, -3)\n",
    "cut": "hframes = 4\nvframes = 2\n",
    "region": "region_enabled = true\nregion_rect = Rect2(1, 2, 10, 6)\n",
    "cornered": "centered = false\noffset = Vector2(5, 7)\nscale = Vector2(0.5, 0.5)\n",
}
MESHES = {
    "BoxMesh": "size = Vector3(1, 2, 3)\n",
    "PrismMesh": "",
    "SphereMesh": "radius = 2.0\nheight = 4.0\n",
    "CapsuleMesh": "",
    "CylinderMesh": "top_radius = 1.0\nbottom_radius = 2.0\n",
}
RECT = """
func run(path: String) -> Array:
	var root: Node = (load("res://main.tscn") as PackedScene).instantiate()
	var sprite: Sprite2D = root.get_node(path)
	sprite.texture = ImageTexture.create_from_image(Image.create(40, 24, false, Image.FORMAT_RGB8))
	var rect: Rect2 = sprite.get_transform() * sprite.get_rect()
	var found: Array = [rect.size.x, rect.size.y, rect.get_center().x, rect.get_center().y]
	root.free()
	return found
"""
BOUNDS = """
func run(path: String) -> Array:
	var root: Node = (load("res://main.tscn") as PackedScene).instantiate()
	var mesh: MeshInstance3D = root.get_node(path)
	var size: Vector3 = mesh.get_aabb().size
	root.free()
	return [size.x, size.y, size.z]
"""


def picture() -> bytes:
    file = BytesIO()
    Image.new("RGB", (40, 24)).save(file, "PNG")
    return file.getvalue()


async def size(make_caller: MakeCaller, **arguments: Any) -> dict[str, Any]:
    caller, where = make_caller(), {"scenePath": "main.tscn"}
    shape = {"parentNodePath": ".", "nodeName": "Shape", **arguments}
    reply = (await caller.reply("create_collision_shape", {**where, **shape})).structured
    assert reply is not None
    assert reply["ok"], reply
    inner = (await caller.reply("get_node_properties", {**where, "nodePath": "Shape"})).structured
    assert inner is not None
    found: dict[str, Any] = inner["result"]["properties"]
    return found


@pytest.mark.godot
@pytest.mark.xdist_group("godot-text")
@pytest.mark.parametrize("name", SPRITES)
async def test_a_rectangle_covers_its_sprite(make_caller: MakeCaller, project: Path, name: str) -> None:
    scene = (
        '[gd_scene format=3]\n\n[ext_resource type="Texture2D" path="res://face.png" id="1_a"]\n\n'
        '[node name="Main" type="StaticBody2D"]\n\n[node name="Face" type="Sprite2D" parent="."]\n'
        f'{SPRITES[name]}texture = ExtResource("1_a")\n'
    )
    game = make_project(project, {"main.tscn": scene, "face.png": picture()})
    found = await size(make_caller, shapeType="rectangle", fit="Face")
    text = (game / "main.tscn").read_text()
    (game / "main.tscn").write_text(
        scene.replace('texture = ExtResource("1_a")\n', "").replace(
            '[ext_resource type="Texture2D" path="res://face.png" id="1_a"]\n\n', ""
        )
    )
    [rect] = run_jobs(game, RECT, ["Face"])
    width, height, x, y = rect.value
    assert f"size = Vector2({width:g}, {height:g})" in text
    assert found.get("position", "Vector2(0, 0)") == f"Vector2({x:g}, {y:g})"


@pytest.mark.godot
@pytest.mark.xdist_group("godot-text")
@pytest.mark.parametrize("kind", MESHES)
async def test_a_box_covers_its_mesh(make_caller: MakeCaller, project: Path, kind: str) -> None:
    scene = (
        f'[gd_scene format=3]\n\n[sub_resource type="{kind}" id="M_a"]\n{MESHES[kind]}\n'
        '[node name="Main" type="StaticBody3D"]\n\n[node name="Mesh" type="MeshInstance3D" parent="."]\n'
        'mesh = SubResource("M_a")\n'
    )
    game = make_project(project, {"main.tscn": scene})
    [bounds] = run_jobs(game, BOUNDS, ["Mesh"])
    await size(make_caller, shapeType="box", fit="Mesh")
    text = (game / "main.tscn").read_text().partition('"BoxShape3D"')[2]
    found = re.search(r"^size = Vector3\((.*)\)$", text, re.MULTILINE)
    sides = [float(side) for side in found[1].split(",")] if found else [1.0, 1.0, 1.0]
    assert sides == pytest.approx(bounds.value, rel=0.01)  # a sphere has corners in the engine


async def test_a_rectangle_covers_a_control(make_caller: MakeCaller, project: Path) -> None:
    scene = (
        '[gd_scene format=3]\n\n[node name="Main" type="Area2D"]\n\n[node name="Box" type="ColorRect" parent="."]\n'
        "offset_left = 10.0\noffset_top = 20.0\noffset_right = 50.0\noffset_bottom = 26.0\n"
    )
    game = make_project(project, {"main.tscn": scene})
    found = await size(make_caller, shapeType="rectangle", fit="Box")
    assert "size = Vector2(40, 6)" in (game / "main.tscn").read_text()
    assert found["position"] == "Vector2(30, 23)"


async def test_what_an_instance_shows_is_measured_by_its_own_scene(make_caller: MakeCaller, project: Path) -> None:
    hero = (
        '[gd_scene format=3]\n\n[ext_resource type="Texture2D" path="res://face.png" id="1_a"]\n\n'
        '[node name="Hero" type="StaticBody2D"]\n\n[node name="Face" type="Sprite2D" parent="."]\n'
        'texture = ExtResource("1_a")\n'
    )
    main = (
        '[gd_scene format=3]\n\n[ext_resource type="Texture2D" path="res://dot.svg" id="1_a"]\n'
        '[ext_resource type="PackedScene" path="res://hero.tscn" id="2_b"]\n\n[node name="Main" type="Node2D"]\n\n'
        '[node name="Dot" type="Sprite2D" parent="."]\ntexture = ExtResource("1_a")\n\n'
        '[node name="Hero" parent="." instance=ExtResource("2_b")]\n'
    )
    dot = '<svg width="5" height="5"/>'
    game = make_project(project, {"main.tscn": main, "hero.tscn": hero, "face.png": picture(), "dot.svg": dot})
    made = {"scenePath": "main.tscn", "parentNodePath": "Hero", "shapeType": "rectangle", "fit": "Hero/Face"}
    assert (await make_caller().run("create_collision_shape", made)).ok
    assert "size = Vector2(40, 24)" in (game / "main.tscn").read_text()


@pytest.mark.parametrize(
    ("kind", "turned"),
    [
        ("Sprite2D", "rotation = 1.5"),
        ("Sprite2D", "skew = 0.5"),
        ("ColorRect", "rotation = 1.5"),
        ("ColorRect", "scale = Vector2(2, 2)"),
    ],
)
async def test_what_is_turned_is_refused(make_caller: MakeCaller, project: Path, kind: str, turned: str) -> None:
    scene = (
        '[gd_scene format=3]\n\n[ext_resource type="Texture2D" path="res://face.png" id="1_a"]\n\n'
        f'[node name="Main" type="Area2D"]\n\n[node name="Shown" type="{kind}" parent="."]\n{turned}\n'
    ) + ('texture = ExtResource("1_a")\n' if kind == "Sprite2D" else "offset_right = 9.0\noffset_bottom = 9.0\n")
    game = make_project(project, {"main.tscn": scene, "face.png": picture()})
    made = {"scenePath": "main.tscn", "parentNodePath": ".", "shapeType": "rectangle", "fit": "Shown"}
    refused = (await make_caller().reply("create_collision_shape", made)).structured
    assert refused is not None
    assert "shapeParams" in refused["error"]["suggestedFix"]
    assert (game / "main.tscn").read_text() == scene
