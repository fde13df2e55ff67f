"""Slices, tile maps and tags of an Aseprite file brought into the game, and brought up to date after a change."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import msgspec
import pytest
from tests.conftest import Caller
from tests.godot.pixel_art.hero import hero
from tests.pixel.corpus import ROOT, needs_corpus
from tests.support.gdscript_runner import make_project

from scenewright.pixel.aseprite_reader import read_sprite
from scenewright.pixel.aseprite_writer import write_sprite

pytestmark = pytest.mark.anyio

LEVEL = {"inputPath": "level.aseprite"}
HERO = {"inputPath": "art/hero.aseprite"}
SCENE = """[gd_scene format=3]

[node name="Hero" type="Node2D"]

[node name="Sprite2D" type="Sprite2D" parent="."]

[node name="AnimationPlayer" type="AnimationPlayer" parent="."]
"""


@pytest.fixture
def game(project: Path) -> Path:
    make_project(project, {"hero.tscn": SCENE})
    (project / "art").mkdir()
    (project / "art/hero.aseprite").write_bytes(hero())
    return project


async def test_slices_become_textures_boxes_and_hit_boxes(game: Path, caller: Caller) -> None:
    made = await caller.result("import_aseprite_slices", **HERO, scenePath="hero.tscn", collisionLayer=4)
    assert made["slices"] == [
        {
            "name": "hit",
            "texture": "res://art/hero_hit.tres",
            "styleBox": "res://art/hero_hit_box.tres",
            "hitBox": "hit",
        }
    ]
    assert "region = Rect2(0, 0, 4, 4)" in (game / "art/hero_hit.tres").read_text()
    box = (game / "art/hero_hit_box.tres").read_text()
    assert "texture_margin_left = 1.0" in box
    assert "texture_margin_bottom = 1.0" in box
    scene = (game / "hero.tscn").read_text()
    assert "collision_layer = 4" in scene
    assert "size = Vector2(4, 4)" in scene
    assert "position = Vector2(-2, 0)" in scene
    before = {path: path.read_bytes() for path in game.rglob("*.t*s*")}
    await caller.result("import_aseprite_slices", **HERO, scenePath="hero.tscn", collisionLayer=4)
    assert {path: path.read_bytes() for path in game.rglob("*.t*s*")} == before


async def test_slices_keep_what_was_set_by_hand_until_the_file_says_otherwise(game: Path, caller: Caller) -> None:
    await caller.result("import_aseprite_slices", **HERO)
    box, texture = game / "art/hero_hit_box.tres", game / "art/hero_hit.tres"
    box.write_text(box.read_text().replace("texture_margin_left = 1.0", "texture_margin_left = 3.0"))
    by_hand = (box.read_text(), texture.read_text())
    await caller.result("import_aseprite_slices", **HERO)
    assert (box.read_text(), texture.read_text()) == by_hand
    sprite = read_sprite(hero())
    key = sprite.slices[0].keys[0]
    sprite.slices[0].keys[0] = msgspec.structs.replace(key, bounds=(1, *key.bounds[1:]))
    (game / "art/hero.aseprite").write_bytes(write_sprite(sprite))
    await caller.result("import_aseprite_slices", **HERO)
    assert "region = Rect2(1, 0, 4, 4)" in texture.read_text()
    assert "texture_margin_left = 3.0" in box.read_text()


async def test_pictures_of_somebody_else_are_not_replaced(game: Path, caller: Caller) -> None:
    (game / "art/hero.png").write_bytes(b"mine")
    reply = await caller.reply("import_aseprite_slices", HERO)
    assert "overwrite: true" in str(reply.structured)
    await caller.result("import_aseprite_slices", **HERO, overwrite=True)
    assert (game / "art/hero.png").read_bytes() != b"mine"
    await caller.result("history_undo")
    assert (game / "art/hero.png").read_bytes() == b"mine"
    (game / "art/hero.png").unlink()
    await caller.result("import_animations", **HERO)
    await caller.result("import_aseprite_slices", **HERO)  # of the same sheet


async def test_hit_boxes_are_on_layers_by_name(game: Path, caller: Caller) -> None:
    await caller.result("configure_physics_layers", dimension="2d", layers=[{"layer": 5, "name": "Hurt"}])
    given = {**HERO, "scenePath": "hero.tscn"}
    reply = await caller.reply("import_aseprite_slices", {**given, "collisionLayers": ["Hut"]})
    assert reply.is_error
    assert "Hurt" in (reply.text or "")
    await caller.result("import_aseprite_slices", **given, collisionLayers=["Hurt", 1])
    assert "collision_layer = 17" in (game / "hero.tscn").read_text()


async def test_tags_become_tracks_of_an_animation_player(game: Path, caller: Caller) -> None:
    given = {**HERO, "scenePath": "hero.tscn", "outputPngPath": "art/frames.png"}
    made = await caller.result("import_animations", **given)
    assert (made["changed"], made["resourcePath"]) == (["idle", "walk/run"], "res://hero.tscn")
    table: dict[str, Any] = await caller.result(
        "get_animation", scenePath="hero.tscn", playerNodePath="AnimationPlayer", animationName="idle"
    )
    assert table["tracks"][0]["property"] == "frame"
    before = (game / "hero.tscn").read_text()
    assert "hframes = 16" in before
    assert (await caller.result("import_animations", **given))["changed"] == []
    assert (game / "hero.tscn").read_text() == before
    sprite = read_sprite(hero())
    sprite.durations[0] = 500
    (game / "art/hero.aseprite").write_bytes(write_sprite(sprite))
    assert (await caller.result("import_animations", **given))["changed"] == ["idle"]
    await caller.result("history_undo")
    assert (game / "hero.tscn").read_text() == before


async def test_tracks_of_others_and_what_was_set_by_hand_stay(game: Path, caller: Caller) -> None:
    scene = game / "hero.tscn"
    scene.write_text(f'{SCENE}\n[node name="Shadow" type="Sprite2D" parent="."]\nhframes = 4\n')
    given = {**HERO, "scenePath": "hero.tscn", "outputPngPath": "art/frames.png"}
    player = {"scenePath": "hero.tscn", "playerNodePath": "AnimationPlayer"}
    shadow = {"nodePath": "Shadow", "property": "frame", "keys": [[0, 3]], "update": "discrete"}
    await caller.result("add_animation", **player, animationName="idle", length=2, tracks=[shadow])
    await caller.result("import_animations", **given)
    table = await caller.result("get_animation", **player, animationName="idle")
    assert [(track["nodePath"], track["keys"]) for track in table["tracks"]] == [
        ("Shadow", [[0, 3]]),
        ("Sprite2D", [[0, 0]]),
    ]
    scene.write_text(scene.read_text().replace("length = 0.1\n", "length = 0.7\n"))
    by_hand = scene.read_text()
    assert "length = 0.7" in by_hand
    assert (await caller.result("import_animations", **given))["changed"] == []
    assert scene.read_text() == by_hand
    sprite = read_sprite(hero())
    sprite.tags[0].repeat = 1
    (game / "art/hero.aseprite").write_bytes(write_sprite(sprite))
    assert (await caller.result("import_animations", **given))["changed"] == ["idle"]
    assert "length = 0.7" in scene.read_text()
    table = await caller.result("get_animation", **player, animationName="idle")
    assert "loop" not in table


@needs_corpus
async def test_tile_map_layers_become_a_tile_set_and_layers(game: Path, caller: Caller) -> None:
    (game / "level.aseprite").write_bytes((ROOT / "tilemap.aseprite").read_bytes())
    made = await caller.result("import_aseprite_tilemaps", inputPath="level.aseprite")
    assert made["scenePath"] == "res://level.tscn"
    assert sum(row["cells"] for row in made["layers"]) > 0
    first = made["layers"][0]["tilesetPath"].removeprefix("res://")
    sheet = game / first.replace(".tres", ".png")
    await caller.result("history_undo")
    sheet.write_bytes(b"mine")
    assert "overwrite: true" in str((await caller.reply("import_aseprite_tilemaps", LEVEL)).structured)
    assert sheet.read_bytes() == b"mine"
    await caller.result("import_aseprite_tilemaps", **LEVEL, overwrite=True)
    assert (await caller.result("read_tileset", tilesetPath=first))["total"] > 0
    await caller.result("edit_tileset", tilesetPath=first, layers={"physics": [{}]})
    kept = (game / first).read_text()
    scene = (game / "level.tscn").read_text()
    await caller.result("import_aseprite_tilemaps", inputPath="level.aseprite")
    assert (game / first).read_text() == kept
    assert (game / "level.tscn").read_text() == scene
