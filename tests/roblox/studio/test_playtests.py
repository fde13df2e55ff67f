"""Playtests through the tools: what they end with, code and input in them, and their consoles."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from tests.conftest import Caller, MakeCaller
from tests.roblox.luau.places import script
from tests.roblox.studio.live import open_in_studio
from tests.roblox.studio.window import StudioWindow

from scenewright.roblox.place.documents import write_tree
from scenewright.roblox.tree import Instance, InstanceTree

pytestmark = [pytest.mark.anyio, pytest.mark.xdist_group("playtests")]
ROUNDS = "return { number = 0 }"
SERVER = """
local Rounds = require(game.ReplicatedStorage.Rounds)
local Test = game:GetService("StudioTestService")
local arguments = Test:GetTestArgs()
Rounds.number = 3
print("round", Rounds.number)
if arguments.quick then
    Test:EndTest({ passed = arguments.quick, list = { 1, 2 } })
end
game.ReplicatedStorage.Won.OnServerEvent:Connect(function(player, how)
    Test:EndTest({ winner = player.Name, how = how })
end)
"""
CLIENT = """
local UserInputService = game:GetService("UserInputService")
local Won = game.ReplicatedStorage.Won
UserInputService.InputBegan:Connect(function(input)
    print("pressed", input.KeyCode.Name, input.UserInputType.Name)
end)
script.Parent.Parent.PlayerGui.Hud.Play.Activated:Connect(function()
    Won:FireServer("by the button")
end)
"""


def _child(parent: Instance, class_name: str, name: str) -> Instance:
    made = Instance(class_name, name)
    made.attach(parent)
    return made


@pytest.fixture
def window(project: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[StudioWindow]:
    tree = InstanceTree()
    storage = _child(tree.root, "ReplicatedStorage", "ReplicatedStorage")
    _child(storage, "RemoteEvent", "Won")
    script("ModuleScript", "Rounds", ROUNDS).attach(storage)
    script("Script", "Main", SERVER).attach(_child(tree.root, "ServerScriptService", "ServerScriptService"))
    player = _child(_child(tree.root, "StarterPlayer", "StarterPlayer"), "StarterPlayerScripts", "StarterPlayerScripts")
    script("LocalScript", "Keys", CLIENT).attach(player)
    hud = _child(_child(tree.root, "StarterGui", "StarterGui"), "ScreenGui", "Hud")
    _child(hud, "TextButton", "Play")
    place = project / "game.rbxl"
    place.write_bytes(write_tree(place.name, tree))
    with open_in_studio(monkeypatch, place, layout={"Hud.Play": [100, 40, 50, 20]}) as opened:
        yield opened


@pytest.fixture
def on(window: StudioWindow, make_caller: MakeCaller) -> Caller:
    del window
    return make_caller(bridge_enabled=True, allow_dangerous=True)


async def _output(on: Caller, tool: str, **arguments: Any) -> dict[str, Any]:
    reply = await on.reply(f"roblox.{tool}", arguments)
    assert reply.error is None, reply.error
    assert isinstance(reply.structured, dict)
    output: dict[str, Any] = reply.structured["output"]
    return output


async def _refusal(on: Caller, tool: str, **arguments: Any) -> Any:
    reply = await on.reply(f"roblox.{tool}", arguments)
    assert reply.error is not None, reply.structured
    return reply.error


async def test_what_a_script_ends_a_playtest_with_comes_back(on: Caller):
    ended = await _output(on, "play_start", mode="run", arguments={"quick": 12}, waitSeconds=20)
    assert (ended["ended"], ended["value"]) == (True, {"passed": 12, "list": [1, 2]})
    assert ended["seconds"] >= 0
    again = await _output(on, "play_status")
    assert (again["running"], again["ended"], again["value"]) == (False, True, ended["value"])


async def test_a_playtest_begins_with_what_the_place_holds_now(on: Caller, window: StudioWindow):
    source = "game:GetService('StudioTestService'):EndTest(workspace.New.Size.X)"
    made = {"parentPath": "Workspace", "className": "Part", "name": "New", "properties": {"Size": [7, 1, 1]}}
    await _output(on, "instance_create", **made)
    await _output(on, "script_update", scriptPath="ServerScriptService.Main", source=source)
    assert (await _output(on, "play_start", mode="run", waitSeconds=20))["value"] == 7
    assert window.do("return studio.unrecorded") == 0


async def test_code_runs_on_the_server_and_with_a_player_among_the_games_own(on: Caller):
    await _output(on, "play_start")
    number = await _output(on, "play_evaluate", source="require(game.ReplicatedStorage.Rounds).number")
    assert number == {"value": 3}
    theirs = await _output(
        on, "play_evaluate", peer="client", source="print('here')\nreturn game.Players.LocalPlayer, { workspace.Name }"
    )
    assert theirs["value"] == {"path": "Players.Player1", "className": "Player"}
    assert theirs["output"] == ["output: here"]
    own = await _output(on, "play_evaluate", peer="client", source="require(game.ReplicatedStorage.Rounds).number")
    assert own == {"value": 0}
    status = await _output(on, "play_status")
    assert status == {"running": True, "mode": "play", "players": ["Player1"]}


async def test_code_that_fails_says_where_and_code_that_takes_too_long_is_left(on: Caller):
    await _output(on, "play_start")
    failed = await _refusal(on, "play_evaluate", source="local x = nil\nprint('before')\nreturn x.y")
    assert "Evaluated:3: attempt to index nil with 'y'" in failed.message
    assert failed.data["details"]["output"] == ["output: before"]
    late = await _refusal(on, "play_evaluate", peer="client", source="task.wait(60)", seconds=1)
    assert late.data["details"]["outcome"] == "running"
    wrong = await _refusal(on, "play_evaluate", source="local = 3")
    assert wrong.data["validation_path"] == "input.source"
    stranger = await _refusal(on, "play_evaluate", peer="client", player="Nobody", source="1")
    assert "Player1" in stranger.message


async def test_keys_and_the_mouse_reach_the_players_scripts(on: Caller):
    await _output(on, "play_start")
    keys = [{"key": "W", "seconds": 0.1}, {"key": "LeftShift", "action": "down"}, {"text": "hi"}, {"seconds": 0.05}]
    assert await _output(on, "play_input", steps=keys) == {"done": 4}
    held = "game:GetService('UserInputService'):IsKeyDown(Enum.KeyCode.LeftShift)"
    assert await _output(on, "play_evaluate", peer="client", source=held) == {"value": True}
    said = await _output(on, "console_output", peer="client")
    assert [each["message"] for each in said["messages"]] == ["pressed W Keyboard", "pressed LeftShift Keyboard"]
    server = await _output(on, "console_output", peer="server")
    assert [each["message"] for each in server["messages"]] == ["round 3"]
    assert await _output(on, "console_output", playtest=True) == server
    assert (await _output(on, "console_output"))["messages"] == []


async def test_input_and_code_that_end_the_playtest_say_what_it_ended_with(on: Caller):
    await _output(on, "play_start")
    # The button lies 58 pixels lower than its own position says, below the top bar.
    steps = [{"position": [125, 50]}, {"element": "Hud.Play"}, {"seconds": 15}]
    pressed = await _output(on, "play_input", steps=steps)
    assert pressed["playtest"]["value"] == {"winner": "Player1", "how": "by the button"}
    assert "done" not in pressed
    await _output(on, "play_start", mode="run")
    end = "game:GetService('StudioTestService'):EndTest('code') task.wait(15)"
    assert (await _output(on, "play_evaluate", source=end, seconds=20))["playtest"]["value"] == "code"


@pytest.mark.parametrize(
    ("step", "path", "says"),
    [
        ({"key": "Spcae"}, "input.steps.1.key", "Did you mean 'Space'"),
        ({"key": "W", "text": "x"}, "input.steps.1", "one thing"),
        ({}, "input.steps.1", "one thing"),
        ({"key": "W", "action": "move"}, "input.steps.1.action", "Only the mouse"),
    ],
)
async def test_a_step_that_makes_no_sense_is_refused_before_anything_is_done(
    on: Caller, step: dict[str, Any], path: str, says: str
):
    refused = await _refusal(on, "play_input", steps=[{"key": "W"}, step])
    assert refused.data["validation_path"] == path
    assert says in f"{refused.message} {refused.data}"


async def test_a_step_that_fails_says_how_many_were_done(on: Caller):
    await _output(on, "play_start")
    refused = await _refusal(on, "play_input", steps=[{"key": "W"}, {"element": "Hud.Plya"}])
    assert refused.data["code"] == "NOT_FOUND"
    assert (refused.data["details"]["done"], "'Plya'" in refused.message) == (1, True)


async def test_stopping_returns_the_end_and_several_players_are_told_apart(on: Caller, window: StudioWindow):
    await _output(on, "play_start", players=2)
    several = await _refusal(on, "play_evaluate", peer="client", source="1")
    assert "Player1, Player2" in several.message
    name = "game.Players.LocalPlayer.Name"
    assert await _output(on, "play_evaluate", peer="client", player="Player2", source=name) == {"value": "Player2"}
    assert await _output(on, "play_input", player="Player2", steps=[{"key": "E"}]) == {"done": 1}
    for player, count in (("Player1", 0), ("Player2", 1)):
        heard = await _output(on, "console_output", peer="client", player=player)
        assert [each["message"] for each in heard["messages"]] == ["pressed E Keyboard"] * count
    rest = await _output(on, "console_output", peer="client", player="Player2", cursor=heard["cursor"])
    assert rest["messages"] == []
    twice = await _refusal(on, "play_start")
    assert "runs already" in twice.message
    stopped = await _output(on, "play_stop", value={"reason": "enough"})
    assert (stopped["stopped"], stopped["ended"], stopped["value"]) == (True, True, {"reason": "enough"})
    none = await _refusal(on, "play_evaluate", source="1")
    assert "No playtest is connected" in none.message
    assert "HttpEnabled" in none.data["details"]["hint"]
    window.do("studio.refuseTests = true")
    assert "could not be played" in (await _refusal(on, "play_start")).message
