"""Attacks by way of what we bring into an engine: from an expression of a game to the scripts that evaluate it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from tests.conftest import Caller, MakeCaller
from tests.core.samples import fault_of
from tests.e2e.tools import godot
from tests.support.gdscript_runner import make_project

from scenewright.godot.engine.probe_expressions import is_ours

pytestmark = [pytest.mark.anyio, pytest.mark.godot, pytest.mark.xdist_group("godot-engines")]

SCENE = '[gd_scene format=3]\n\n[node name="Main" type="Node2D"]\n'
GUEST = "/root/ScenewrightGuest"


@pytest.fixture
def looking(make_caller: MakeCaller, project: Path, monkeypatch: pytest.MonkeyPatch) -> Caller:
    """A caller that may run a game and change nothing."""
    monkeypatch.setenv("GODOT_PATH", str(godot()))
    make_project(project, {"main.tscn": SCENE})
    settings = project / "project.godot"
    settings.write_text(settings.read_text() + 'run/main_scene="res://main.tscn"\n')
    return make_caller(read_only=True, allow_run=True)


def shell(owned: Path) -> str:
    """A request to evaluate what no caller may ask for."""
    return json.dumps({"expressions": [{"text": f"OS.execute('touch', ['{owned}'])"}]})


async def values(caller: Caller, *expressions: str) -> list[str]:
    return list((await caller.result("play_evaluate", expressions=list(expressions)))["values"])


async def members(caller: Caller, thing: str) -> tuple[list[str], list[str]]:
    """The variables and methods that the script of an object in a game declares."""
    found = []
    for members_of in ("get_script_property_list", "get_script_method_list"):
        rows = f'{thing}["script"].{members_of}()'
        (count,) = await values(caller, f"{rows}.size()")
        wanted = [f'{rows}[{at}]["name"]' for at in range(int(count))]
        found.append([json.loads(name.removeprefix("&")) for name in await values(caller, *wanted)])
    return found[0], found[1]


async def test_no_expression_reaches_what_answers_for_the_engine(looking: Caller, tmp_path: Path) -> None:
    owned = tmp_path / "owned"
    begin = '{"scene": "res://main.tscn", "singletons": ["OS"]}'
    module = 'get_tree()["_modules"]["play"]'
    attacks = [
        f'get_tree()._module("play").begin({begin}) and get_tree()._module("play").evaluate({shell(owned)})',
        f"{module}.begin({begin}) and {module}.evaluate({shell(owned)})",
        f'get_tree()["_waiting"].append({{"id": 9, "method": "play.evaluate", "params": {shell(owned)}}})',
    ]
    probed = await looking.result("probe_scene", scene_path="main.tscn", checks=attacks)
    assert [bool(row["holds"]) for row in probed["checks"]] == [False] * len(attacks)
    for route in ("get_connections()[0]['callable'].get_object()", "get_object()"):
        outcome = await looking.run(
            "probe_scene", {"scenePath": "main.tscn", "checks": [f"get_tree().node_added.{route}"]}
        )
        assert not outcome.ok, route
    assert not owned.exists()


async def test_a_tree_that_expressions_reach_holds_nothing(looking: Caller) -> None:
    await looking.result("play_begin")
    variables, methods = await members(looking, "get_tree()")
    assert variables == ["worker.gd"]  # the heading of the group
    assert {name for name in methods if not name.startswith("<")} == {"_initialize"}


async def test_no_call_reaches_what_answers_for_a_running_game(looking: Caller, tmp_path: Path) -> None:
    owned = tmp_path / "owned"
    (tmp_path / "guest_play.gd").write_text(
        f'extends RefCounted\n\nfunc _init(_a, _b) -> void:\n\tOS.execute("touch", ["{owned}"])\n'
    )
    await looking.result("run_project", headless=True)
    await looking.result("wait_for_game")
    variables, methods = await members(looking, f'get_node("{GUEST}")')
    assert variables == ["guest.gd"]
    assert {name for name in methods if not (is_ours(name) or name.startswith("<"))} == {"_process"}
    served = [1, "evaluate", shell(owned)]
    for method, arguments in (("_serve", [served]), ("_scenewright_join", [str(tmp_path)]), ("join", [str(tmp_path)])):
        call = {"node": GUEST, "method": method, "arguments": arguments}
        outcome = await looking.run("play_call", {"calls": [call]})
        assert not outcome.ok or "error" in outcome.call.output.calls[0], method
    for expression in (f'get_node("{GUEST}")._scenewright_join("{tmp_path}")', f'get_node("{GUEST}")._SCENEWRIGHT_x'):
        assert not (await looking.run("play_evaluate", {"expressions": [expression]})).ok
    assert not (await looking.run("play_set", {"properties": {GUEST: {"_scenewright_x": 1}}})).ok
    assert not owned.exists()


async def test_an_argument_that_no_program_takes_is_refused(looking: Caller) -> None:
    for tool in ("play_begin", "run_project"):
        assert "NUL" in fault_of(await looking.run(tool, {"arguments": ["a\0b"]})).message
