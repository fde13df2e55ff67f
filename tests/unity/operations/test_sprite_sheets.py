"""Aseprite files as sheets of Unity: rectangles, pivots and ids in the `.meta`, and what a second import keeps."""

from __future__ import annotations

from io import BytesIO
from pathlib import Path
from typing import Any

import pytest
from PIL import Image
from tests.conftest import Caller
from tests.godot.pixel_art.hero import RED, hero
from tests.pixel.corpus import ROOT, needs_corpus
from tests.unity.operations.changed_copies import MAIN, done, files_of, refused

from scenewright.pixel.aseprite_reader import read_sprite
from scenewright.pixel.aseprite_writer import write_sprite
from scenewright.pixel.sprite import Tag
from scenewright.unity.yaml.source import read_meta

pytestmark = pytest.mark.anyio

SPRITE, SHEET = "Assets/Textures/hero.aseprite", "Assets/Textures/hero.png"


@pytest.fixture
def game(project: Path) -> Path:
    (project / SPRITE).write_bytes(hero())
    return project


def importer(game: Path, path: str = SHEET) -> dict[str, Any]:
    section: dict[str, Any] = read_meta((game / f"{path}.meta").read_bytes())["TextureImporter"]
    return section


def sprites(game: Path, path: str = SHEET) -> dict[str, dict[str, Any]]:
    return {row["name"]: row for row in importer(game, path)["spriteSheet"]["sprites"]}


async def test_a_file_of_aseprite_becomes_a_sheet_with_a_sprite_for_each_frame(game: Path, caller: Caller) -> None:
    made = await done(caller, "asset.sheet.import", path=SPRITE, pixelsPerUnit=8)
    assert (made["assetPath"], made["size"]) == (SHEET, [16, 8])
    names = ["hero_idle_0", "hero_walk_run_0", "hero_walk_run_1", "hero_walk_run_2"]
    assert [(row["name"], row["milliseconds"]) for row in made["sprites"]] == list(
        zip(names, [100, 150, 150, 200], strict=True)
    )
    now, cut = importer(game), sprites(game)
    assert (now["spriteMode"], now["textureType"], now["spritePixelsToUnits"]) == ("2", "8", "8")
    assert (now["textureSettings"]["filterMode"], now["mipmaps"]["enableMipMap"], now["nPOTScale"]) == ("0", "0", "0")
    rects = [tuple(cut[name]["rect"][key] for key in ("x", "y", "width", "height")) for name in names]
    assert rects == [("0", "4", "8", "4"), ("8", "4", "8", "4"), ("0", "0", "8", "4"), ("8", "0", "8", "4")]
    assert {row["alignment"] for row in cut.values()} == {"9"}
    assert cut[names[0]]["pivot"] == {"x": "0.25", "y": "0.25"}
    with Image.open(BytesIO((game / SHEET).read_bytes())) as picture:
        second = picture.convert("RGBA").crop((0, 4, 8, 8))
        assert [second.getpixel((x, 0))[3] for x in range(5)] == [0, 0, 255, 255, 0]  # type: ignore[index]
        assert second.getpixel((2, 0)) == RED
    assert read_meta((game / f"{SHEET}.meta").read_bytes())["guid"] == made["guid"]
    assert [row["first"]["213"] for row in now["internalIDToNameTable"]] == [row["fileId"] for row in made["sprites"]]
    one = {"fileId": made["sprites"][1]["fileId"], "guid": made["guid"], "type": 3}
    player = {"scenePath": MAIN, "gameObjectPath": "Player", "componentType": "SpriteRenderer"}
    await done(caller, "scene.component.add", **player, properties={"m_Sprite": one})


async def test_a_second_import_changes_only_what_changed(game: Path, caller: Caller) -> None:
    await done(caller, "asset.sheet.import", path=SPRITE)
    first = files_of(game)
    await done(caller, "asset.sheet.import", path=SPRITE)
    assert files_of(game) == first
    before = sprites(game)
    meta = game / f"{SHEET}.meta"
    text = meta.read_text().replace("filterMode: 0", "filterMode: 1")
    shape = "physicsShape:\n      - - {x: 1, y: 2}\n        - {x: 3, y: 2}\n        - {x: 3, y: 4}\n"
    text = text.replace("physicsShape: []\n", shape, 1)
    meta.write_text(text)
    byhand = {"name": "hand", "rect": [0, 0, 2, 2]}
    rows = [
        {"name": name, "rect": [float(row["rect"][key]) for key in ("x", "y", "width", "height")]}
        for name, row in before.items()
    ]
    await done(caller, "asset.import.set", assetPath=SHEET, sprites=[*rows, byhand])
    assert {name: row["internalID"] for name, row in sprites(game).items() if name in before} == {
        name: row["internalID"] for name, row in before.items()
    }
    sprite = read_sprite((game / SPRITE).read_bytes())
    sprite.durations.append(90)
    sprite.cels.append(sprite.cels[0])
    sprite.tags = [sprite.tags[0], Tag("walk/run", 1, 2), Tag("jump", 3, 4)]
    (game / SPRITE).write_bytes(write_sprite(sprite))
    again = await done(caller, "asset.sheet.import", path=SPRITE)
    assert (again["removed"], again["kept"]) == (["hero_walk_run_2"], ["hand"])
    now = sprites(game)
    assert list(now)[-3:] == ["hero_jump_0", "hero_jump_1", "hand"]
    for name in ("hero_idle_0", "hero_walk_run_0", "hero_walk_run_1"):
        assert (now[name]["internalID"], now[name]["spriteID"]) == (
            before[name]["internalID"],
            before[name]["spriteID"],
        )
    assert now["hero_idle_0"]["physicsShape"] == [[{"x": "1", "y": "2"}, {"x": "3", "y": "2"}, {"x": "3", "y": "4"}]]
    assert importer(game)["textureSettings"]["filterMode"] == "1"
    assert meta.read_text().splitlines()[1] == first[f"{SHEET}.meta"].decode().splitlines()[1]
    second = files_of(game)
    await done(caller, "asset.sheet.import", path=SPRITE, tag="jump")
    await done(caller, "history_undo")
    assert files_of(game) == second


async def test_pivots_of_trimmed_frames_are_where_they_were_in_the_whole_frame(game: Path, caller: Caller) -> None:
    sprite = read_sprite(hero())
    sprite.slices = []
    (game / SPRITE).write_bytes(write_sprite(sprite))
    await done(caller, "asset.sheet.import", path=SPRITE, trim=True, sheetType="horizontal", pivot=[0.5, 0])
    assert [(row["pivot"]["x"], row["pivot"]["y"]) for row in sprites(game).values()] == [
        (x, "0") for x in ("2", "1.5", "1", "0.5")
    ]


async def test_a_picture_that_is_no_sheet_of_the_sprite_is_replaced_only_if_asked(game: Path, caller: Caller) -> None:
    given = {"path": SPRITE, "assetPath": "Assets/Textures/red.png"}
    before = files_of(game)
    assert "no sheet of this sprite" in await refused(caller, "asset.sheet.import", **given)
    assert "below Assets" in await refused(caller, "asset.sheet.import", path=SPRITE, assetPath="hero.png")
    assert "It has idle, walk/run" in await refused(caller, "asset.sheet.import", path=SPRITE, tag="x")
    assert files_of(game) == before
    await done(caller, "asset.sheet.import", **given, overwrite=True)
    assert len(sprites(game, "Assets/Textures/red.png")) == 4


@needs_corpus
async def test_slices_of_a_real_file_give_pivots(game: Path, caller: Caller) -> None:
    (game / SPRITE).write_bytes((ROOT / "slice.aseprite").read_bytes())
    sprite = read_sprite((ROOT / "slice.aseprite").read_bytes())
    made = await done(caller, "asset.sheet.import", path=SPRITE)
    assert len(made["sprites"]) == len(sprite.durations)
    first = sprites(game)[made["sprites"][0]["name"]]  # its slice begins at 2, 2, with the pivot at 5, 5
    assert (first["alignment"], first["pivot"]) == ("9", {"x": "0.4375", "y": "0.5625"})
