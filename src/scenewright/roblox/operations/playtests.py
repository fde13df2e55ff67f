"""Playtests in Studio: begun and ended, with what they end with, looked into, and played."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any, Literal

from scenewright.core.calls.call import Call
from scenewright.core.faults import Invalid
from scenewright.core.operations.declaration import Example, Safety, operation
from scenewright.core.operations.model import about
from scenewright.roblox.operations.playtest_models import InputStep, PlayerName, PlaytestEnd, PlaytestTold, StudioInputs
from scenewright.roblox.operations.studio import MANAGER, studio_of

if TYPE_CHECKING:
    from scenewright.roblox.playtests import Playtest

__all__ = ["OPERATIONS"]

_FAREWELL = 10.0  # seconds that a playtest has to end once it was told to
_TIMEOUT = 180.0


class PlayInputs(StudioInputs, frozen=True, kw_only=True):
    mode: Annotated[Literal["play", "run"], about("play with a character, run without.")] = "play"
    players: Annotated[int, about("Players; several get a Studio each.", ge=1, le=8)] = 1
    arguments: Annotated[dict[str, Any], about("What StudioTestService:GetTestArgs returns in it.")] | None = None
    wait_seconds: Annotated[float, about("Wait up to this long for a script to end it.", ge=0, le=120)] = 0


class Playing(PlaytestEnd, frozen=True, kw_only=True):
    started: Annotated[bool, about("Whether a playtest was started.")]
    mode: Annotated[str, about("play or run.")]
    output: Annotated[list[str], about("What its server printed while the call waited.")] | None = None


@operation(
    id="roblox.play_start",
    name="Start Playtest",
    category="editor",
    safety=Safety.SAFE_WRITE,
    contract="gox",
    manager=MANAGER,
    action="play_start",
    common=True,
    beyond_contract=True,
    requires_bridge=True,
    transactional=False,
    executes="always",
    timeout=_TIMEOUT,
    notes="A server script ends it with StudioTestService:EndTest(value), and the value comes back here. What is"
    " printed in the last second before that may be missed.",
    examples=(
        Example("Play", {}, {"started": True, "mode": "play"}),
        Example(
            "Until a test in the game ends it",
            {"mode": "run", "waitSeconds": 60},
            {"started": True, "mode": "run", "ended": True, "value": {"passed": 12}, "seconds": 4.2},
        ),
    ),
)
async def play_start(call: Call, inputs: PlayInputs) -> Playing:
    """Starts a playtest in Studio, and returns what a script in it ends it with, where the call waits for that."""
    playtest = await _playtest(call, inputs.studio)
    await playtest.start(inputs.mode, inputs.players, inputs.arguments)
    if not inputs.wait_seconds:
        return Playing(started=True, mode=inputs.mode)
    status = await playtest.wait(inputs.wait_seconds)
    if status["running"]:
        call.warnings.append(f"The playtest has not ended in {inputs.wait_seconds:g} s, and goes on.")
    return Playing(started=True, mode=inputs.mode, output=playtest.output or None, **_end(status))


class PlaytestStatus(PlaytestEnd, frozen=True, kw_only=True):
    running: Annotated[bool, about("Whether a playtest runs that was started here.")]
    mode: Annotated[str, about("play or run.")] | None = None
    players: Annotated[list[str], about("Who plays, once the playtest is connected.")] | None = None


@operation(
    id="roblox.play_status",
    name="Playtest Status",
    category="editor",
    safety=Safety.READ_ONLY,
    contract="gox",
    manager=MANAGER,
    action="play_status",
    beyond_contract=True,
    requires_bridge=True,
    examples=(
        Example("Does it run?", {}, {"running": True, "mode": "play", "players": ["Player1"]}),
        Example("What came of it?", {}, {"running": False, "ended": True, "value": "won", "seconds": 31.5}),
    ),
)
async def play_status(call: Call, inputs: StudioInputs) -> PlaytestStatus:
    """Tells whether a playtest runs and who plays, or what the last one ended with."""
    playtest = await _playtest(call, inputs.studio)
    status = await playtest.status()
    if not status["running"]:
        return PlaytestStatus(running=False, mode=(status["last"] or {}).get("mode"), **_end(status))
    return PlaytestStatus(running=True, mode=status["now"]["mode"], players=await playtest.players())


class StopInputs(StudioInputs, frozen=True, kw_only=True):
    value: Annotated[Any, about("What it ends with; text says that it was stopped, if nothing is given.")] = None


class Stopped(PlaytestEnd, frozen=True, kw_only=True):
    stopped: Annotated[bool, about("Whether the playtest was told to end.")]


@operation(
    id="roblox.play_stop",
    name="Stop Playtest",
    category="editor",
    safety=Safety.SAFE_WRITE,
    contract="gox",
    manager=MANAGER,
    action="play_stop",
    beyond_contract=True,
    requires_bridge=True,
    transactional=False,
    examples=(Example("Stop", {}, {"stopped": True, "ended": True, "value": "stopped by scenewright", "seconds": 9}),),
)
async def play_stop(call: Call, inputs: StopInputs) -> Stopped:
    """Ends the running playtest, and returns what it ended with."""
    playtest = await _playtest(call, inputs.studio)
    await playtest.ask("play.stop", {} if inputs.value is None else {"value": inputs.value})
    status = await playtest.wait(_FAREWELL)
    if status["running"]:
        call.warnings.append(f"Studio was told to end the playtest, which has not ended in {_FAREWELL:g} s.")
    return Stopped(stopped=True, **_end(status))


class EvaluateInputs(StudioInputs, frozen=True, kw_only=True):
    source: Annotated[str, about("Luau: an expression, or statements that return.", min_length=1, max_length=100_000)]
    peer: Annotated[Literal["server", "client"], about("Where it runs.")] = "server"
    player: PlayerName | None = None
    seconds: Annotated[int, about("How long it may take.", ge=1, le=20)] = 5


class Evaluated(PlaytestTold, frozen=True, kw_only=True):
    value: Annotated[Any, about("What it returned; left out where that is nil.")] = None
    output: Annotated[list[str], about("What was printed there meanwhile.")] | None = None


@operation(
    id="roblox.play_evaluate",
    name="Evaluate in Playtest",
    category="debug",
    safety=Safety.DESTRUCTIVE,
    contract="gox",
    manager=MANAGER,
    action="play_evaluate",
    common=True,
    beyond_contract=True,
    requires_bridge=True,
    transactional=False,
    executes="always",
    timeout=60.0,
    notes="It runs among the game's own scripts, so a module that it requires is the one that the game uses, with what"
    " it holds now. What it changes is gone when the playtest ends; what it sends to data stores is not.",
    examples=(
        Example(
            "A module's state on the server",
            {"source": "require(game.ServerScriptService.Rounds).current"},
            {"value": {"number": 3, "left": 41.5}},
        ),
        Example(
            "Where a player's camera is", {"peer": "client", "source": "workspace.CurrentCamera.CFrame.Position"}, {}
        ),
    ),
)
async def play_evaluate(call: Call, inputs: EvaluateInputs) -> Evaluated:
    """Runs Luau in the playtest, on the server or with a player, and returns what it returns."""
    from scenewright.roblox.edits import tidy

    playtest = await _playtest(call, inputs.studio)
    client = inputs.peer == "client"
    asked = {"source": _as_statements(inputs.source), "seconds": inputs.seconds}
    answer = tidy(await playtest.ask("play.evaluate", asked, in_client=client, player=inputs.player))
    if playtest.ended:
        return Evaluated(playtest=PlaytestEnd(**_end(playtest.ended)))
    if not answer.get("shared"):
        call.warnings.append("It ran in the plugin, not in the game: modules that it required were run afresh.")
    return Evaluated(value=answer.get("value"), output=answer.get("output") or None)


class InputInputs(StudioInputs, frozen=True, kw_only=True):
    steps: Annotated[list[InputStep], about("What the player does, one after the other.", min_length=1, max_length=100)]
    player: PlayerName | None = None


class InputDone(PlaytestTold, frozen=True, kw_only=True):
    done: Annotated[int, about("Steps that were done.")] | None = None


@operation(
    id="roblox.play_input",
    name="Play with Keyboard and Mouse",
    category="editor",
    safety=Safety.SAFE_WRITE,
    contract="gox",
    manager=MANAGER,
    action="play_input",
    common=True,
    beyond_contract=True,
    requires_bridge=True,
    transactional=False,
    executes="always",
    timeout=60.0,
    forms={"steps": '{"key":"W","seconds":2}, {"text":"hi"}, {"element":"Hud.Play"}, {"position":[400,300]} or a wait'},
    notes="All steps together take at most 20 s. Roblox refuses input on its own screens, such as the chat.",
    examples=(
        Example(
            "Walk, jump and press a button",
            {"steps": [{"key": "W", "seconds": 1.5}, {"key": "Space"}, {"element": "Hud.Play"}]},
            {"done": 3},
        ),
    ),
)
async def play_input(call: Call, inputs: InputInputs) -> InputDone:
    """Presses keys, types and uses the mouse as a player of the playtest."""
    from scenewright.core.operations.model import to_wire

    for index, step in enumerate(inputs.steps):
        _check_step(step, f"input.steps.{index}")
    playtest = await _playtest(call, inputs.studio)
    seconds = sum(step.seconds or 0 for step in inputs.steps)
    asked = {"steps": [to_wire(step) for step in inputs.steps], "seconds": seconds}
    answer = await playtest.ask("play.input", asked, in_client=True, player=inputs.player)
    if playtest.ended:
        return InputDone(playtest=PlaytestEnd(**_end(playtest.ended)))
    return InputDone(done=int(answer["done"]))


def _check_step(step: InputStep, path: str) -> None:
    from scenewright.core.faults import did_you_mean
    from scenewright.roblox.reflection.database import database

    given = [name for name in ("key", "text", "position", "element") if getattr(step, name) is not None]
    if len(given) > 1 or not (given or step.seconds):
        raise Invalid(
            "A step is one thing: key, text, position, element, or seconds alone to wait.", path=path, rule="exclusive"
        )
    keys = database().enum("KeyCode") or {}
    if step.key is not None and step.key not in keys:
        hint = did_you_mean(step.key, list(keys)) or "Keys are items of Enum.KeyCode, such as W, Space or LeftShift."
        raise Invalid(f"'{step.key}' is no key.", path=f"{path}.key", rule="enum", hint=hint)
    if step.action == "move" and given[0] not in ("position", "element"):
        raise Invalid("Only the mouse moves.", path=f"{path}.action", rule="enum")


def _as_statements(source: str) -> str:
    """Return an expression as a statement that returns it, and statements as they are, both checked."""
    from scenewright.roblox.syntax import available, check, find_problem

    expression = f"return {source}"
    if available() and find_problem(expression) is None and find_problem(f"return ({source}\n)") is None:
        return expression
    check(source, field="source", name="playtest")
    return source


def _end(status: dict[str, Any]) -> dict[str, Any]:
    last = status["last"]
    if last is None:
        return {}
    seconds = round(float(last["seconds"]), 2)
    return {"ended": True, "value": last.get("value"), "error": last.get("error"), "seconds": seconds}


async def _playtest(call: Call, studio: str | None) -> Playtest:
    from scenewright.roblox.playtests import Playtest

    return Playtest(await studio_of(call, studio))


OPERATIONS = (play_start, play_status, play_stop, play_evaluate, play_input)
