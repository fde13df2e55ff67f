"""The plans of the macros: what they make of their parameters, and that they leave alone what is there."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import msgspec
import pytest
from tests.conftest import Caller
from tests.support.gdscript_runner import make_project

from scenewright.core.calls.call import Outcome
from scenewright.core.faults import NotFound
from scenewright.godot.macros import MACROS, Scaffold, find_macro

pytestmark = pytest.mark.anyio


def plan(name: str, *, replace: bool = False, **parameters: Any) -> Scaffold:
    macro = find_macro(name)
    return macro.plan(msgspec.convert(parameters, macro.parameters), replace=replace)


async def build(caller: Caller, scaffold: Scaffold) -> Outcome:
    items = [{"tool": call.tool, "args": call.arguments} for call in scaffold.calls]
    return await caller.run("batch_operations", {"operations": items, "atomic": True})


@pytest.fixture
def game(project: Path) -> Path:
    return make_project(project)


def written(game: Path) -> dict[str, bytes]:
    places = [
        place for place in game.rglob("*") if place.is_file() and not place.relative_to(game).parts[0].startswith(".")
    ]
    return {place.relative_to(game).as_posix(): place.read_bytes() for place in places}


def test_there_are_the_ten_macros_of_the_contract() -> None:
    assert list(MACROS) == [
        "input_system_scaffold",
        "character_controller_2d_scaffold",
        "camera_2d_scaffold",
        "animation_pipeline_scaffold",
        "combat_hitbox_scaffold",
        "enemy_ai_fsm_scaffold",
        "level_pipeline_scaffold",
        "ui_system_scaffold",
        "save_load_scaffold",
        "audio_system_scaffold",
    ]


def test_a_macro_goes_by_its_short_name_too_and_a_wrong_one_is_told_the_right_one() -> None:
    assert find_macro("save_load") is find_macro("save_load_scaffold")
    with pytest.raises(NotFound) as caught:
        find_macro("save_laod_scaffold")
    assert "save_load_scaffold" in str(caught.value.hint)


@pytest.mark.parametrize("name", MACROS)
def test_the_ids_of_a_plan_are_unique_and_a_plan_is_the_same_every_time(name: str) -> None:
    calls = plan(name).calls
    assert len({call.id for call in calls}) == len(calls)
    assert calls == plan(name).calls


@pytest.mark.parametrize("name", MACROS)
async def test_a_scaffold_touches_nothing_that_is_there_unless_it_is_told_to(
    game: Path, caller: Caller, name: str
) -> None:
    assert (await build(caller, plan(name))).ok
    before = written(game)
    assert {output.removeprefix("res://") for output in plan(name).files} <= set(before)
    refused = await build(caller, plan(name))
    assert refused.fault is not None
    assert refused.fault.kind == "conflict"
    assert written(game) == before
    again = await build(caller, plan(name, replace=True))
    assert again.ok, again.fault
    resources = [file for file in before if file.endswith(".tres")]
    assert {file: text for file, text in written(game).items() if file not in resources} == {
        file: text for file, text in before.items() if file not in resources
    }


async def test_a_scaffold_goes_into_the_folders_it_is_given(game: Path, caller: Caller) -> None:
    outcome = await build(caller, plan("ui_system", scriptsFolder="res://code/", scenesFolder="gui", autoload=False))
    assert outcome.ok, outcome.fault
    assert (game / "code/ui/UIManager.gd").exists()
    assert 'path="res://code/ui/HUD.gd"' in (game / "gui/ui/HUD.tscn").read_text()
    assert "autoload" not in (game / "project.godot").read_text()
