"""A game that run_project has started is looked at, changed and stepped while it runs, in the words of played games."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import anyio
import anyio.to_thread
import pytest
from tests.conftest import Caller, MakeCaller

from scenewright.core.faults import TimedOut
from scenewright.godot.engine.games import Games

pytestmark = pytest.mark.anyio
STRICT = """
[debug]

gdscript/warnings/untyped_declaration=2
gdscript/warnings/inferred_declaration=2
gdscript/warnings/unsafe_property_access=2
gdscript/warnings/unsafe_method_access=2
gdscript/warnings/unsafe_cast=2
gdscript/warnings/unsafe_call_argument=2
"""


async def refusal(caller: Caller, tool: str, **arguments: Any) -> str:
    body = (await caller.reply(tool, arguments)).structured
    assert body is not None
    assert not body["ok"], body
    return str(body["error"]["message"])


async def value(caller: Caller, node: str, name: str) -> str:
    found = await caller.result("play_look", properties={node: [name]})
    return str(found["properties"][node][name])


async def test_a_running_game_is_asked_in_the_words_of_played_games(make_caller: MakeCaller, level: Path) -> None:
    with (level / "project.godot").open("a") as settings:
        settings.write(STRICT)  # what comes into the game is held to no project's warnings
    caller = make_caller()
    assert "No game" in await refusal(caller, "play_look")
    assert (await caller.result("run_project", headless=True))["run"] == 1
    up = await caller.reply("wait_for_game")
    assert up.structured is not None
    state = up.structured["result"]
    assert (state["run"], state["by"], state["scene"]) == (1, "scenewright", "res://level.tscn")
    assert "nothing repeats" in str(up.structured["warnings"])
    nodes = {node["path"] for node in (await caller.result("play_look"))["nodes"]}
    assert {"Player", "Coin", "Hud/Count"} <= nodes
    near = (await caller.result("play_look", near="Player", radius=500))["nodes"]
    assert any(node["path"] == "Coin" for node in near)
    moved = await caller.result("play_set", properties={"Player": {"position": [100, 279]}})
    assert moved["values"][0]["value"] == "Vector2(100, 279)"
    walked = await caller.result(
        "play_step",
        frames=3000,
        inputs=[{"action": "ui_right"}],
        until="$Player.coins == 1",
        watch=["$Player.coins"],
        signals=["Coin.body_entered"],
        digest=True,
    )
    assert walked["stopped"] == "condition"
    assert walked["watch"][0].endswith(": 0")
    assert walked["digest"]["texts"][0].startswith("Hud/Count 'Coins: 1/2'")
    assert walked["signals"][0]["times"] == 1
    assert "Coin" in walked["removed"]
    await caller.result("play_step", frames=1, inputs=[{"action": "ui_right", "pressed": False}])
    assert (await caller.result("play_expect", text="1/2"))["met"] is True
    digest = (await caller.result("play_digest"))["digest"]
    assert digest["state"].keys() == {"Player", "Coin2"}  # and nothing of what answers
    assert "is no session" in await refusal(caller, "play_end")
    assert await refusal(caller, "play_save_tape", path="a.tape.json")
    made = await caller.result("play_call", calls=[{"node": "Player", "method": "next"}])
    assert made["calls"][0]["value"] == "null"
    await caller.result("play_step", frames=600, until="has_node('Play')")
    assert (await caller.result("play_click", text="Play"))["clicked"] == "Play"
    assert await value(caller, ".", "clicks") == "1"


async def test_a_suspended_game_takes_frames_one_by_one(make_caller: MakeCaller, level: Path) -> None:
    caller = make_caller()
    script = (
        level / "menu.gd"
    ).read_text() + "\n\nvar ticks: int = 0\n\n\nfunc _process(_delta: float) -> void:\n\tticks += 1\n"
    (level / "menu.gd").write_text(script)
    await caller.result("run_project", headless=True, scene="menu.tscn")
    assert (await caller.result("suspend_game"))["suspended"] is True
    before = int(await value(caller, ".", "ticks"))
    assert int(await value(caller, ".", "ticks")) == before
    for frames in (1, 1, 5):
        assert (await caller.result("play_step", frames=frames))["stopped"] == "limit"
    assert int(await value(caller, ".", "ticks")) == before + 7
    typed = await caller.result("play_step", frames=4, inputs=[{"click": "Play"}])
    assert typed["stopped"] == "limit"
    assert await value(caller, ".", "clicks") == "1"
    assert int(await value(caller, ".", "ticks")) == before + 11
    assert (await caller.result("suspend_game", suspended=False))["suspended"] is False
    on = await caller.result("play_step", frames=600, until=f"ticks > {before + 30}")
    assert on["stopped"] == "condition"
    await caller.result("play_click", node="Name")
    await caller.result("play_type", text="Ada 2!")
    assert await value(caller, "Name", "text") == '"Ada 2!"'
    assert (await caller.result("play_evaluate", expressions=["$Name.text.length()"]))["values"] == ["6"]
    assert "may not use 'OS'" in await refusal(caller, "play_evaluate", expressions=["OS.get_name()"])
    # Side by side: a session of its own is what is meant where there is one, unless the running game is named.
    await caller.result("play_begin", scenePath="level.tscn")
    assert (await caller.result("play_look"))["frame"] == 0
    assert (await caller.result("play_look", session="running"))["nodes"][0]["type"] == "Control"
    await caller.result("play_end")


async def test_runs_are_told_apart_and_their_end_is_told(make_caller: MakeCaller, level: Path) -> None:
    caller = make_caller()
    await caller.result("run_project", headless=True)
    stumbled = await caller.result("play_call", calls=[{"node": "Player", "method": "stumble"}])
    error = stumbled["errors"][0]
    assert (error["path"], error["line"], error["stack"]) == ("res://player.gd", 30, ["stumble (res://player.gd:30)"])
    second = await caller.result("run_project", headless=True)
    assert second["run"] == 2
    left = await caller.result("play_step", frames=600, calls=[{"node": "Player", "method": "leave", "frame": 3}])
    assert left["stopped"] == "quit"
    assert left["digest"]["scene"] == "res://level.tscn"
    assert await refusal(caller, "play_look", session="running") == "The game has ended."
    with anyio.fail_after(60):  # it has said goodbye, and is about to leave
        while (ended := await caller.result("get_debug_output"))["running"]:
            await anyio.sleep(0.05)
    assert (ended["run"], ended["running"], ended["exitCode"], ended["errors"]) == (2, False, 3, [])
    first = await caller.result("get_debug_output", run=1)
    assert (first["run"], [(each["line"], each["run"]) for each in first["errors"]]) == (1, [(30, 1)])
    assert "no run 9" in await refusal(caller, "get_debug_output", run=9)
    assert "No game was up within 0.3 s" in await refusal(caller, "wait_for_game", timeoutMs=300)


async def test_a_step_that_is_given_up_ends(make_caller: MakeCaller, level: Path) -> None:
    caller = make_caller()
    await caller.result("run_project", headless=True)
    await caller.result("wait_for_game")
    with anyio.move_on_after(0.3) as scope:
        await caller.run("play_step", {"frames": 36_000})
    assert scope.cancelled_caught
    with anyio.fail_after(30):
        while (await caller.run("play_look")).fault is not None:
            await anyio.sleep(0.05)
    guest = caller.runtime.services.get(Games, Games).current(level).guest
    assert guest is not None
    with pytest.raises(TimedOut):
        await anyio.to_thread.run_sync(lambda: guest.ask("step", {"frames": 36_000}, timeout=0.3))
    with anyio.fail_after(30):
        while (await caller.run("play_look")).fault is not None:
            await anyio.sleep(0.05)


async def test_a_game_at_a_breakpoint_says_so(make_caller: MakeCaller, level: Path) -> None:
    caller = make_caller()
    await caller.result("run_project", headless=True)
    await caller.result("wait_for_game")
    await caller.result("debug_resume", how="pause")
    assert "stands still in the debugger" in await refusal(caller, "play_look")
    await caller.result("debug_resume")
    assert (await caller.result("play_look"))["nodes"]
