"""A world of a goal in one sentence: the real engine loads it without a complaint, shows it, and a player walks it."""

from __future__ import annotations

import json
from itertools import pairwise
from pathlib import Path

import pytest
from PIL import Image
from tests.conftest import MakeCaller
from tests.e2e.tools import godot
from tests.godot.pixel_art.test_worlds import GOAL, ISLAND, layers_of
from tests.support.gdscript_runner import make_project

from scenewright.godot.pixel_art.manifest import PLACE
from scenewright.godot.tiles.cells import Tile

pytestmark = [pytest.mark.anyio, pytest.mark.godot, pytest.mark.xdist_group("godot-operations")]

GRASS, SEA, WOOD = (111, 176, 74), (63, 127, 196), (150, 106, 62)


@pytest.fixture(autouse=True)
def _with_godot(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GODOT_PATH", str(godot()))


@pytest.fixture
def game(project: Path) -> Path:
    return make_project(project)


async def test_the_world_of_a_sentence_runs_is_seen_and_is_walked_from_end_to_end(
    game: Path, make_caller: MakeCaller
) -> None:
    caller = make_caller()
    assert (await caller.result("pixel_macro_run", goal=GOAL, seed=7))["ok"]
    await caller.result("import_assets")
    ran = await caller.result("pixel_smoke_test", scenePath=ISLAND)
    assert (ran["passed"], ran["errors"]) == (True, []), ran
    route = json.loads((game / PLACE).read_text())["route"][f"res://{ISLAND}"]
    assert ran["walked"] == sum(abs(x - before[0]) + abs(y - before[1]) for before, (x, y) in pairwise(route))
    assert route[-1][0] - route[0][0] > 30  # of 48 cells
    shown = await caller.result("pixel_export_preview", scenePath=ISLAND, outputPngPath="shots/island.png")
    assert shown["errors"] == []
    with Image.open(game / "shots/island.png") as opened:
        picture = opened.convert("RGB")
    ratio = picture.width / picture.height
    assert abs(ratio - 48 / 32) < 0.01  # all of the map, to the sea around it
    colors = {color: count for count, color in picture.getcolors(1 << 24) or ()}
    total = picture.width * picture.height
    assert colors.get(GRASS, 0) / total > 0.15
    assert colors.get(SEA, 0) / total > 0.2
    assert colors.get(WOOD, 0) > 50


async def test_tiles_are_those_that_the_engines_terrain_chooses(game: Path, make_caller: MakeCaller) -> None:
    caller = make_caller()
    size = {"mapSize": {"width": 20, "height": 16}, "placementRules": {"riverCarve": True}}
    for name, how in (("ours", "auto"), ("theirs", "engine")):
        await caller.result("pixel_world_generate", spec={**size, "scenePath": f"{name}.tscn"}, seed=5, autotile=how)
    ours, theirs = layers_of(game, "ours.tscn"), layers_of(game, "theirs.tscn")
    assert set(ours) == set(theirs) >= {"Water", "Shore", "Ground", "Path"}
    for name in ("Shore", "Ground", "Growth"):
        mine, engines = ours.get(name, {}), theirs.get(name, {})
        assert mine.keys() == engines.keys()
        assert not [cell for cell, tile in mine.items() if not _alike(tile, engines[cell])], name


def _alike(one: Tile, other: Tile) -> bool:
    """Whether two tiles are the same, or both full ones of a terrain, of which the engine takes either by chance."""
    return one == other or (one.row == other.row and {one.column, other.column} == {10, 11})
