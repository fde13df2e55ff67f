"""Background pictures of LDtk levels, as the engine draws them."""

from __future__ import annotations

import io
import json
from pathlib import Path
from typing import Any

import pytest
from PIL import Image
from tests.conftest import MakeCaller

pytestmark = pytest.mark.anyio

RED, GREEN, BLUE, WHITE, GREY = (255, 0, 0), (0, 255, 0), (0, 0, 255), (255, 255, 255), (64, 64, 64)
ZOOM, APART = 10, 220  # 20 x 12 pixels each, enlarged so that no edge is near a point that is looked at


def quarters() -> bytes:
    """8 x 8 pixels: red and green above blue and white."""
    picture = Image.new("RGB", (8, 8))
    for at, colour in (((0, 0), RED), ((4, 0), GREEN), ((0, 4), BLUE), ((4, 4), WHITE)):
        picture.paste(colour, (*at, at[0] + 4, at[1] + 4))
    out = io.BytesIO()
    picture.save(out, "PNG")
    return out.getvalue()


def level(name: str, how: str | None, placed: dict[str, Any] | None, **more: Any) -> dict[str, Any]:
    return {
        "identifier": name,
        "iid": name,
        "uid": 1,
        "worldX": 0,
        "worldY": 0,
        "pxWid": 20,
        "pxHei": 12,
        "__bgColor": "#404040",
        "bgRelPath": "../art/quarters.png",
        "bgPos": how,
        "bgPivotX": 0.5,
        "bgPivotY": 1,
        "__bgPos": placed,
        "fieldInstances": [],
        "layerInstances": [],
        **more,
    }


def placed(at: list[float], scale: list[float], crop: list[float] | None = None) -> dict[str, Any]:
    return {"topLeftPx": at, "scale": scale, "cropRect": crop or [0, 0, 8, 8]}


# As LDtk 1.5.3 places a picture of 8 x 8 in a level of 20 x 12 with the pivot (0.5, 1).
LEVELS = [
    level("Unscaled", "Unscaled", placed([6, 4], [1, 1])),
    level("Contain", "Contain", placed([4, 0], [1.5, 1.5])),
    level("Cover", "Cover", placed([0, 0], [2.5, 2.5], [0, 3.2, 8, 4.8])),
    level("CoverDirty", "CoverDirty", placed([0, 0], [2.5, 1.5])),
    level("Repeat", "Repeat", placed([6, 4], [1, 1])),
]
SEEN: dict[str, dict[tuple[float, float], tuple[int, int, int]]] = {
    "Unscaled": {
        (5, 8): GREY,
        (8, 3): GREY,
        (8, 6): RED,
        (12, 6): GREEN,
        (8, 10): BLUE,
        (13.5, 11.5): WHITE,
        (15, 10): GREY,
    },
    "Contain": {(3, 6): GREY, (5, 1): RED, (9, 5): RED, (11, 1): GREEN, (5, 7): BLUE, (15, 11): WHITE, (17, 6): GREY},
    "Cover": {(1, 1): RED, (9, 1): RED, (11, 1): GREEN, (1, 3): BLUE, (19, 11): WHITE},
    "CoverDirty": {(1, 5): RED, (9, 1): RED, (11, 5): GREEN, (9, 7): BLUE, (19, 7): WHITE},
    "Repeat": {
        (7, 5): RED,
        (11, 5): GREEN,
        (13, 11): WHITE,
        (15, 5): RED,
        (1, 5): RED,
        (5, 5): GREEN,
        (3, 11): WHITE,
        (7, 3): BLUE,
        (19.5, 3.5): WHITE,
    },
}


def write_world(game: Path, levels: list[dict[str, Any]]) -> None:
    for folder in ("maps", "art"):
        (game / folder).mkdir()
    (game / "art" / "quarters.png").write_bytes(quarters())
    world = {"jsonVersion": "1.5.3", "levels": levels, "defs": {"tilesets": [], "layers": []}}
    (game / "maps" / "world.ldtk").write_text(json.dumps(world))


async def test_each_way_to_place_a_picture_looks_as_in_ldtk(make_caller: MakeCaller, game: Path) -> None:
    write_world(game, LEVELS)
    with (game / "project.godot").open("a") as settings:
        settings.write("\n[rendering]\n\ntextures/canvas_textures/default_texture_filter=0\n")
    caller = make_caller()
    outcome = await caller.run("import_ldtk_level", {"ldtkPath": "maps/world.ldtk"})
    assert outcome.ok, outcome.summary
    assert outcome.call.warnings == []
    parts = ["[gd_scene format=3]\n"]
    parts += [f'[ext_resource type="PackedScene" path="res://maps/{name}.tscn" id="{name}"]' for name in SEEN]
    parts += ['\n[node name="All" type="Node2D"]']
    for number, name in enumerate(SEEN):
        parts += [
            f'\n[node name="{name}" parent="." instance=ExtResource("{name}")]',
            f"position = Vector2({number * APART}, 0)",
            f"scale = Vector2({ZOOM}, {ZOOM})",
        ]
    (game / "all.tscn").write_text("\n".join(parts) + "\n")
    assert (await caller.run("import_assets", {})).ok
    shown = await caller.run("scene_picture", {"scenePath": "all.tscn", "format": "png", "maxSize": 1152})
    assert shown.ok, shown.summary
    data = shown.call.attachments[0].data
    assert isinstance(data, bytes)
    picture = Image.open(io.BytesIO(data)).convert("RGB")
    found = {
        name: {
            point: picture.getpixel((int(number * APART + point[0] * ZOOM), int(point[1] * ZOOM))) for point in points
        }
        for number, (name, points) in enumerate(SEEN.items())
    }
    assert found == SEEN


@pytest.mark.parametrize(
    ("more", "why"),
    [
        ({"bgRelPath": "../art/none.png"}, "not in the project"),
        ({"bgRelPath": "../../../x.png"}, "not in the project"),
        ({"__bgPos": None}, "no place"),
    ],
)
async def test_a_picture_that_cannot_be_shown_is_left_out_and_told(
    make_caller: MakeCaller, game: Path, more: dict[str, Any], why: str
) -> None:
    write_world(game, [{**LEVELS[0], **more}])
    outcome = await make_caller().run("import_ldtk_level", {"ldtkPath": "maps/world.ldtk"})
    assert outcome.ok, outcome.summary
    assert [why in warning for warning in outcome.call.warnings] == [True]
    text = (game / "maps" / "Unscaled.tscn").read_text()
    assert "ColorRect" in text
    assert "Sprite2D" not in text


async def test_a_level_without_a_picture_has_none(make_caller: MakeCaller, game: Path) -> None:
    write_world(game, [{**LEVELS[0], "bgRelPath": None, "bgPos": None, "__bgPos": None}])
    outcome = await make_caller().run("import_ldtk_level", {"ldtkPath": "maps/world.ldtk"})
    assert (outcome.ok, outcome.call.warnings) == (True, [])
    assert "Sprite2D" not in (game / "maps" / "Unscaled.tscn").read_text()
