"""Breakpoints that ask before they stop, expressions in a paused game, and steps by name, on a real game."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import anyio.to_thread
import pytest
from tests.conftest import Caller, MakeCaller

from scenewright.godot.engine.games import Games

pytestmark = pytest.mark.anyio

GAME = """extends Node

class Stats:
	var hp: int = 7
	var names: Array[String] = ["a", "b"]

var count: int = 0
var stats: Stats = Stats.new()


func _process(_delta: float) -> void:
	count += 1
	var twice: int = count * 2
	grow(twice)
	stats.hp -= 1


func grow(by: int) -> int:
	var sum: int = by + 1
	return sum


var held: Dictionary = {"a": [1, {"b": [2]}], [3]: [[]], "s": [Stats.new()]}
"""
SCENE = """[gd_scene format=3]

[ext_resource type="Script" path="res://game.gd" id="1"]

[node name="Game" type="Node"]
script = ExtResource("1")
"""


@pytest.fixture
def playable(game: Path) -> Path:
    with (game / "project.godot").open("a") as file:
        file.write('run/main_scene="res://game.tscn"\n')
    (game / "game.gd").write_text(GAME)
    (game / "game.tscn").write_text(SCENE)
    return game


async def paused(caller: Caller) -> dict[str, Any]:
    game = caller.runtime.services.get(Games, Games).current(caller.runtime.project.root)

    def wait() -> bool:
        with game.transcript.changed:
            stopped = game.transcript.changed.wait_for(
                lambda: game.session is not None and game.session.stopped is not None, timeout=20
            )
        return bool(stopped)

    assert await anyio.to_thread.run_sync(wait), game.transcript.since()
    return await caller.result("get_debug_state")


async def refusal(caller: Caller, tool: str, **arguments: Any) -> str:
    return str((await caller.reply(tool, arguments)).structured)


async def test_a_paused_game_is_asked_and_left_step_by_step(make_caller: MakeCaller, playable: Path) -> None:
    caller = make_caller()
    await caller.result("set_breakpoint", path="game.gd", line=13, log='["count is", count]')
    marks = await caller.result("set_breakpoint", path="game.gd", line=19, condition="by > 8")
    assert marks["breakpoints"][1] == {"path": "res://game.gd", "line": 19, "condition": "by > 8"}
    await caller.result("run_project")
    state = await paused(caller)
    assert [(frame["function"], frame["line"]) for frame in state["stack"]] == [("grow", 19), ("_process", 14)]
    held = next(each["value"] for each in state["variables"] if each["name"] == "held")
    assert re.fullmatch(r'{"a":\[1,{"b":\[2]}],"s":\[<Object#\d{19,}>],\[3]:\[\[]]}', "".join(held.split()))
    assert await caller.result("debug_evaluate", expression="by") == {"value": "10"}
    assert await caller.result("debug_evaluate", expression="twice + count", frame=1) == {"value": "15"}
    said = (await caller.result("get_debug_output"))["lines"]
    assert [line for line in said if "count is" in line] == [
        f'res://game.gd:13: ["count is", {count}]' for count in range(1, 6)
    ]
    stats = await caller.result("debug_evaluate", expression="stats")
    assert stats["className"] == "RefCounted"
    assert stats["properties"][:2] == [
        {"name": "hp", "scope": "members", "value": "3"},
        {"name": "names", "scope": "members", "value": 'Array[String](["a", "b"])'},
    ]
    assert (await caller.result("debug_evaluate", expression="self", limit=1))["total"] > 1
    for expression, why in (
        ("by +", "Expected expression"),
        ("nothing_like_it", "nothing_like_it"),
        ("OS.execute('sh', [])", "may not use"),
        ("stats.set_script(null)", "may not use"),
    ):
        assert why in await refusal(caller, "debug_evaluate", expression=expression)
    assert "2 frames" in await refusal(caller, "debug_evaluate", expression="by", frame=2)
    out = await caller.result("debug_resume", how="out")
    assert (out["stack"][0]["function"], out["stack"][0]["line"]) == ("_process", 15)
    over = await caller.result("debug_resume", how="over")
    assert over["stack"][0]["function"] == "_process"
    errors = (await caller.result("get_debug_output"))["errors"]
    assert errors == []  # what was asked is no error of the game's
    await caller.result("set_breakpoint", path="game.gd", line=19, enabled=False)
    await caller.result("set_breakpoint", path="game.gd", line=13, enabled=False)
    assert (await caller.result("debug_resume"))["paused"] is False
    assert "not paused" in await refusal(caller, "debug_evaluate", expression="count")
    await caller.result("stop_project")


async def test_a_condition_without_a_value_stops_and_says_so(make_caller: MakeCaller, playable: Path) -> None:
    caller = make_caller()
    await caller.result("set_breakpoint", path="game.gd", line=19, condition="no_such_name")
    await caller.result("run_project")
    assert (await paused(caller))["reason"] == "The condition 'no_such_name' has no value here."
    await caller.result("stop_project")
    assert "may not use" in await refusal(caller, "set_breakpoint", path="game.gd", line=19, condition="OS.get_name()")
