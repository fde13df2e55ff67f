"""Aseprite files in a Godot project: what is in them, and pictures and sheets made of them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from PIL import Image
from tests.conftest import Caller
from tests.godot.pixel_art.hero import BLUE, RED, hero
from tests.support.gdscript_runner import make_project

pytestmark = pytest.mark.anyio

HERO = {"inputPath": "art/hero.aseprite"}
CLEAR = (0, 0, 0, 0)


@pytest.fixture
def game(project: Path) -> Path:
    make_project(project, {})
    (project / "art").mkdir()
    (project / "art/hero.aseprite").write_bytes(hero())
    return project


async def _do(caller: Caller, action: str, **given: Any) -> dict[str, Any]:
    return await caller.result("aseprite_manager", action=action, **HERO, **given)


async def _refusal(caller: Caller, action: str, given: dict[str, Any], **options: Any) -> str:
    body = (await caller.reply("aseprite_manager", {"action": action, **HERO, **given}, **options)).structured
    assert body is not None
    assert not body["ok"]
    return json.dumps(body)


def _files(folder: Path) -> list[Path]:
    return sorted([*folder.glob("[!.]*"), *folder.glob("art/*")])


def _picture(path: Path) -> Image.Image:
    with Image.open(path) as opened:
        return opened.convert("RGBA")


async def test_tags_layers_and_slices_are_listed(game: Path, caller: Caller) -> None:
    assert await caller.result("list_aseprite_tags", **HERO) == {
        "tags": [
            {"name": "idle", "first": 0, "last": 0, "direction": "forward", "milliseconds": [100]},
            {
                "name": "walk/run",
                "first": 1,
                "last": 3,
                "direction": "pingpong",
                "milliseconds": [150, 150, 200],
                "repeat": 2,
                "data": "fast",
            },
        ],
        "frames": 4,
        "size": [8, 4],
    }
    assert await caller.result("list_aseprite_layers", **HERO) == {
        "layers": [
            {"path": "Body", "kind": "image", "visible": True, "opacity": 255, "cels": 4},
            {"path": "Clothes", "kind": "group", "visible": True, "opacity": 255},
            {
                "path": "Clothes/Cape",
                "kind": "image",
                "visible": False,
                "opacity": 200,
                "blend": "multiply",
                "cels": 4,
                "data": "wind",
            },
        ],
        "colorMode": "rgba",
    }
    assert await caller.result("list_aseprite_slices", **HERO) == {
        "slices": [{"name": "hit", "frame": 0, "bounds": [0, 0, 4, 4], "center": [1, 1, 2, 2], "pivot": [2, 3]}]
    }


async def test_a_frame_becomes_a_picture(game: Path, caller: Caller) -> None:
    written = await _do(caller, "export_sprite", outputPngPath="res://out/a.png", frame=2, scale=3)
    assert written == {"path": "res://out/a.png", "size": [24, 12]}
    picture = _picture(game / "out/a.png")
    assert picture.size == (24, 12)
    assert [picture.getpixel((x * 3 + 1, 7)) for x in range(5)] == [CLEAR, CLEAR, RED, RED, CLEAR]


@pytest.mark.parametrize("name", ["Cape", "Clothes/Cape", "Clothes"])
async def test_named_layers_are_drawn_though_hidden_and_no_others(game: Path, caller: Caller, name: str) -> None:
    await _do(caller, "export_sprite", outputPngPath="a.png", layers=[name])
    assert _picture(game / "a.png").getpixel((2, 0)) == (*BLUE[:3], 200)
    assert _picture(game / "a.png").getpixel((0, 0)) == CLEAR


async def test_frames_become_a_sheet_with_its_json(game: Path, caller: Caller) -> None:
    given = {"outputPngPath": "s.png", "outputJsonPath": "s.json", "trim": True, "shapePadding": 1, "tag": "walk/run"}
    written = await _do(caller, "export_sheet", **given, jsonFormat="array")
    assert written == {
        "sheet": {"path": "res://s.png", "size": [8, 4], "frames": 3, "jsonPath": "res://s.json", "tag": "walk/run"}
    }
    sheet, document = _picture(game / "s.png"), json.loads((game / "s.json").read_text())
    assert [sheet.getpixel((x, 0)) for x in range(8)] == [RED, RED, CLEAR] * 2 + [RED, RED]
    frames = document["frames"]
    assert [(frame["filename"], frame["frame"]["x"], frame["duration"]) for frame in frames] == [
        ("hero 0.aseprite", 0, 150),
        ("hero 1.aseprite", 3, 150),
        ("hero 2.aseprite", 6, 200),
    ]
    assert frames[2]["spriteSourceSize"] == {"x": 3, "y": 0, "w": 2, "h": 4}
    assert document["meta"]["image"] == "s.png"


@pytest.mark.parametrize(
    ("given", "size"),
    [
        ({"sheetType": "rows", "across": 3}, (24, 8)),
        ({"sheetType": "packed", "trim": True}, (6, 8)),
        ({"borderPadding": 2, "innerPadding": 1}, (44, 10)),
        ({"extrude": True}, (40, 6)),
    ],
)
async def test_a_sheet_is_laid_out_as_asked(
    game: Path, caller: Caller, given: dict[str, Any], size: tuple[int, int]
) -> None:
    await _do(caller, "export_sheet", outputPngPath="s.png", **given)
    assert _picture(game / "s.png").size == size


async def test_each_tag_gets_a_sheet_of_its_own(game: Path, caller: Caller) -> None:
    written = await _do(caller, "export_sheets_by_tags", withJson=True, outputFolder="out")
    assert [(row["path"], row["frames"], row["tag"]) for row in written["sheets"]] == [
        ("res://out/hero_idle.png", 1, "idle"),
        ("res://out/hero_walk_run.png", 3, "walk/run"),
    ]
    assert json.loads((game / "out/hero_walk_run.json").read_text())["meta"]["image"] == "hero_walk_run.png"
    beside = await _do(caller, "export_sheets_by_tags", layers=["Cape"])
    assert beside["sheets"][0]["path"] == "res://art/hero_idle.png"
    assert _picture(game / "art/hero_idle.png").getpixel((2, 0)) == (*BLUE[:3], 200)


async def test_a_file_that_exists_is_replaced_only_when_asked(game: Path, caller: Caller) -> None:
    (game / "a.png").write_bytes(b"mine")
    for action in ("export_sprite", "export_sheet"):
        assert "overwrite: true" in await _refusal(caller, action, {"outputPngPath": "a.png"})
    assert (game / "a.png").read_bytes() == b"mine"
    await _do(caller, "export_sprite", outputPngPath="a.png", overwrite=True)
    assert _picture(game / "a.png").size == (8, 4)


async def test_a_dry_run_writes_nothing_and_an_undo_takes_all_away(game: Path, caller: Caller) -> None:
    tried = await caller.reply("aseprite_manager", {"action": "export_sheets_by_tags", **HERO, "dryRun": True})
    assert tried.structured is not None
    assert tried.structured["ok"]
    assert not list(game.rglob("*.png"))
    await _do(caller, "export_sheets_by_tags", withJson=True)
    await caller.result("history_undo")
    assert sorted(path.name for path in (game / "art").iterdir()) == ["hero.aseprite"]


@pytest.mark.parametrize(
    ("action", "given", "says"),
    [
        ("export_sprite", {"outputPngPath": "a.jpg"}, "must end in .png"),
        ("export_sprite", {"outputPngPath": "../a.png"}, "project"),
        ("export_sprite", {"outputPngPath": "a.png", "frame": 4}, "frames 0 to 3"),
        ("export_sprite", {"outputPngPath": "a.png", "layers": ["Cap"]}, "Did you mean 'Cape'"),
        ("export_sprite", {"outputPngPath": "a.png", "scale": 65}, "scale"),
        ("export_sheet", {"outputPngPath": "a.png", "tag": "idel"}, "idle"),
        ("export_sheet", {"outputPngPath": "a.png", "outputJsonPath": "a.txt"}, "must end in .json"),
        ("list_tags", {"inputPath": "art/none.aseprite"}, "none.aseprite"),
        ("list_tags", {"inputPath": "project.godot"}, "damaged or no Aseprite file"),
    ],
)
async def test_a_refusal_says_what_is_wrong_and_writes_nothing(
    game: Path, caller: Caller, action: str, given: dict[str, Any], says: str
) -> None:
    before = _files(game)
    assert says in await _refusal(caller, action, given)
    assert _files(game) == before


async def test_two_tags_that_would_be_one_file_are_refused(game: Path, caller: Caller) -> None:
    from scenewright.pixel.aseprite_reader import read_sprite
    from scenewright.pixel.aseprite_writer import write_sprite

    sprite = read_sprite(hero())
    sprite.tags[0].name = "walk run"
    (game / "art/hero.aseprite").write_bytes(write_sprite(sprite))
    assert "Two tags" in await _refusal(caller, "export_sheets_by_tags", {})
    sprite.tags = []
    (game / "art/hero.aseprite").write_bytes(write_sprite(sprite))
    assert "aseprite_manager export_sheet" in await _refusal(caller, "export_sheets_by_tags", {})
