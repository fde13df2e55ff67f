"""A game that is played frame by frame through the tools, on the real engine."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from anyio import to_thread
from tests.conftest import Caller, MakeCaller

from scenewright.core.faults import Conflict
from scenewright.godot.play.sessions import MOST_SESSIONS, Sessions

pytestmark = pytest.mark.anyio


async def refused(caller: Caller, tool: str, **arguments: Any) -> dict[str, Any]:
    body = (await caller.reply(tool, arguments)).structured
    assert body is not None
    assert not body["ok"], body
    error: dict[str, Any] = body["error"]
    return error


@pytest.mark.usefixtures("level")
async def test_a_level_is_played_step_by_step(make_caller: MakeCaller) -> None:
    caller = make_caller()
    begun = await caller.result("play_begin")
    start = begun["digest"]
    assert (start["frame"], start["scene"]) == (0, "res://level.tscn")
    assert start["nodes"][0] == "Player CharacterBody2D 100,200 velocity 0,0"
    assert start["texts"] == ["Hud/Count 'Coins: 0/2' [8, 8, 92, 23]"]
    assert start["state"]["Player"] == "coins=0, jumps=0, was_up=false"

    fallen = await caller.result("play_step", until="$Player.is_on_floor()")
    assert (fallen["stopped"], fallen["met"]) == ("condition", True)
    again = await caller.result("play_look", properties={"Player": ["position"]})
    assert again == await caller.result("play_look", properties={"Player": ["position"]})  # no frame passes
    assert again["frame"] == fallen["frame"]

    jumped = await caller.result(
        "play_step",
        frames=120,
        inputs=[{"action": "ui_accept"}, {"frame": 1, "action": "ui_accept", "pressed": False}],
        until="$Player.is_on_floor() and $Player.jumps == 1 and $Player.velocity.y >= 0",
        watch=["$Player.is_on_floor()"],
        signals=["Player.landed"],
        digest=True,
    )
    assert jumped["stopped"] == "condition"
    assert [line.partition(": ")[2] for line in jumped["watch"]] == ["false", "true"]
    assert jumped["digest"]["frame"] == jumped["frame"] > 40
    ran = await caller.result("play_step", frames=120, inputs=[{"action": "ui_right"}], until="$Player.coins == 1")
    assert ran["stopped"] == "condition"
    held = await caller.result("play_step", frames=60)  # the key is still held
    assert held["removed"] == ["Coin2"]
    values = (await caller.result("play_evaluate", expressions=["$Player.coins", "$Hud/Count.text", "$Nobody.x"]))[
        "values"
    ]
    assert values[:2] == ["2", '"Coins: 2/2"']
    assert values[2].startswith("error")
    near = await caller.result("play_look", near="Player", radius=50)
    assert [node["path"] for node in near["nodes"]] == ["Player/Shape"]
    screen = await caller.result("play_look", screen=True)
    assert {"path": "Hud/Count", "type": "Label", "rect": [8, 8, 92, 23], "text": "Coins: 2/2"} in screen["nodes"]
    assert (await caller.result("play_look"))["total"] == 7
    below = await caller.result("play_look", node="$Player")
    assert [node["path"] for node in below["nodes"]] == ["Player", "Player/Shape"]
    assert [node["path"] for node in (await caller.result("play_look", depth=0))["nodes"]] == ["."]
    own = await caller.result("play_look", node="Player", properties=["coins"])
    assert own["properties"] == {"Player": {"coins": "2"}}
    assert "no node 'Nobody'" in (await refused(caller, "play_look", node="Nobody"))["message"]
    assert "no node 'Nobody'" in (await refused(caller, "play_look", near="Nobody"))["message"]
    ended = await caller.result("play_end")
    assert ended["frames"] == held["frame"]
    assert "No game" in (await refused(caller, "play_step"))["message"]


async def played(caller: Caller, seed: int) -> list[str]:
    """The hashes of a short game."""
    begun = await caller.result("play_begin", seed=seed)
    hashes = [begun["digest"]["hash"]]
    for inputs in ([{"action": "ui_right"}], [{"frame": 3, "action": "ui_accept"}], []):
        step = await caller.result("play_step", session=begun["session"], frames=30, inputs=inputs, digest=True)
        hashes.append(step["digest"]["hash"])
    return hashes


@pytest.mark.usefixtures("level")
async def test_the_same_seed_plays_the_same_game(make_caller: MakeCaller) -> None:
    caller = make_caller()
    one, again, other = [await played(caller, seed) for seed in (5, 5, 6)]
    assert one == again
    assert len(set(one)) == 4
    assert one[0] != other[0]
    assert "name one" in (await refused(caller, "play_digest"))["message"]
    await caller.result("play_begin")
    assert "4 games are under way" in (await refused(caller, "play_begin"))["message"]
    sessions = caller.runtime.services.get(Sessions, Sessions)
    await to_thread.run_sync(sessions.end_idle, 60.0)
    assert (await refused(caller, "play_digest"))["message"].startswith("4 games")
    await to_thread.run_sync(sessions.end_idle, 0.0)
    assert "nobody asked it" in (await refused(caller, "play_digest", session="play2"))["message"]


async def test_games_that_end_by_themselves_say_how(make_caller: MakeCaller, level: Path) -> None:
    caller = make_caller()
    await caller.result("play_begin")
    failed = await caller.result("play_step", frames=9, calls=[{"node": "Player", "method": "stumble", "frame": 2}])
    assert (failed["stopped"], failed["frame"]) == ("error", 3)
    assert failed["errors"][0]["path"] == "res://player.gd"
    paused = await caller.result("play_step", frames=5, calls=[{"node": "Player", "method": "stop"}], digest=True)
    assert (paused["stopped"], paused["frame"], paused["digest"]["paused"]) == ("limit", 8, True)
    left = await caller.result("play_step", frames=9, calls=[{"node": "Player", "method": "leave"}])
    assert (left["stopped"], left["frame"]) == ("quit", 9)
    assert left["digest"]["scene"] == "res://level.tscn"
    assert "it quit at frame 9" in (await refused(caller, "play_step", session="play1"))["message"]

    await caller.result("play_begin")
    crashed = await refused(caller, "play_step", frames=9, calls=[{"node": "Player", "method": "crash"}])
    assert "crashed after frame 0" in crashed["message"]
    assert crashed["details"]["lastDigest"]["scene"] == "res://level.tscn"
    left_over = {path.name for path in level.iterdir()} - {".scenewright", ".godot_mcp", ".godot"}
    assert left_over == {"project.godot", "player.gd", "coin.gd", "level.tscn", "menu.gd", "menu.tscn"}


@pytest.mark.usefixtures("level")
async def test_a_step_ends_where_the_scene_changes(make_caller: MakeCaller) -> None:
    caller = make_caller()
    await caller.result("play_begin")
    moved = await caller.result(
        "play_step", frames=9, calls=[{"node": "Player", "method": "next", "frame": 2}], digest=True
    )
    assert moved["stopped"] == "scene changed"
    assert moved["digest"]["scene"] == "res://menu.tscn"
    assert moved["digest"]["texts"][0] == "Play 'Play' [40, 40, 100, 40]"


@pytest.mark.usefixtures("level")
async def test_a_game_is_changed_between_frames(make_caller: MakeCaller) -> None:
    caller = make_caller()
    await caller.result("play_begin")
    given = {
        "Player": {"position": {"y": 275, "x": 150}, "velocity:x": 3, "nothing": 1},
        "$Hud/Count": {"text": "None"},
    }
    done = await caller.result("play_set", properties=given)
    assert [row.get("value", "refused") for row in done["values"]] == ["Vector2(150, 275)", "3.0", "refused", '"None"']
    assert "set 'script'" in (await refused(caller, "play_set", properties={".": {"script": "res://a.gd"}}))["message"]
    called = await caller.result("play_call", calls=[{"node": "Hud/Count", "method": "get_text"}])
    assert called["calls"] == [{"method": "get_text", "value": '"None"'}]
    expected = await caller.result("play_expect", text="Coins: 1/2", within=30)
    assert (expected["met"], expected["stopped"]) == (True, "condition")
    missed = await caller.result("play_expect", expression="$Player.coins == 2")
    assert (missed["met"], missed["found"]) == (False, "$Player.coins is 1, expected 2")
    assert missed["frame"] == expected["frame"]
    await caller.result("play_monitors")
    unmet = await caller.result("play_step", frames=4, until="$Player.coins == 9")
    assert (unmet["stopped"], unmet["met"]) == ("limit", False)
    senseless = (await caller.reply("play_step", {"frames": 2, "until": "$Player.coinz > 1"})).structured
    assert senseless is not None
    assert "'until' had no value in the end" in str(senseless["warnings"])
    await caller.result("play_step", frames=2, calls=[{"node": "Coin2", "method": "queue_free"}])
    monitors = await caller.result("play_monitors")
    assert monitors["frames"] == 8
    nodes = monitors["values"]["nodes"]
    assert nodes["max"] - nodes["min"] == 2  # the coin and its shape
    assert nodes["mean"] == pytest.approx((6 * nodes["max"] + 2 * nodes["min"]) / 8, abs=0.001)
    took = monitors["values"]["frameMs"]
    assert 0 < took["min"] <= took["mean"] <= took["max"]
    assert (await caller.result("play_monitors"))["frames"] == 0


@pytest.mark.usefixtures("level")
async def test_a_screen_is_used_by_what_it_says(make_caller: MakeCaller) -> None:
    caller = make_caller()
    await caller.result("play_begin", scenePath="menu.tscn", size=[640, 360])
    clicked = await caller.result("play_click", text="Play")
    assert (clicked["clicked"], clicked["at"]) == ("Play", [90, 60])
    assert (await caller.result("play_evaluate", expressions=["clicks"]))["values"] == ["1"]
    await caller.result("play_step", frames=3, inputs=[{"click": "$Play"}])
    assert (await caller.result("play_evaluate", expressions=["clicks"]))["values"] == ["2"]
    await caller.result("play_step", inputs=[{"click": "Play"}])  # let go in the step after it
    await caller.result("play_step", frames=2)
    assert (await caller.result("play_evaluate", expression="clicks"))["values"] == ["3"]
    await caller.result("play_click", node="Name")
    await caller.result("play_type", text="Ada 2!")
    assert (await caller.result("play_evaluate", expressions=["$Name.text"]))["values"] == ['"Ada 2!"']
    error = await refused(caller, "play_click", text="Quit")
    assert "'Play'" in error["suggestedFix"]


def test_games_whose_engines_are_still_starting_take_places_too() -> None:
    sessions = Sessions()
    names = [sessions.reserve() for _ in range(MOST_SESSIONS)]
    with pytest.raises(Conflict, match="play1, play2, play3, play4"):
        sessions.reserve()
    sessions.release(names[0])
    assert sessions.reserve() == "play5"
