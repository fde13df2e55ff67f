"""The demo's game, played through by the tools until it has all its coins, and kept as a playtest."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from scenewright.cli.demo.game import COINS, Call, Chapter

__all__ = ["TAPE", "look_at_play", "playthrough"]

TAPE = "tests/all_coins.tape.json"
_X = "$Player.position.x"
_ON_A_LEDGE = "$Player.is_on_floor() and $Player.position.y < {top}"
_RIGHT = {"action": "right"}
_JUMP = ({"action": "jump"}, {"frame": 2, "action": "jump", "pressed": False})


def playthrough() -> Chapter:
    return Chapter("The game is played, frame by frame, and what was played becomes a test of it.", tuple(_calls()))


def _calls() -> Iterator[Call]:
    yield _play("begin", seed=1)
    yield _step("$Player.is_on_floor()")
    yield _step(f"{_X} >= 190", [_RIGHT])  # held from now on
    yield _step(_ON_A_LEDGE.format(top=125), _JUMP)
    yield _step(f"{_X} >= 275")
    yield _step(_ON_A_LEDGE.format(top=95), _JUMP)
    yield _step(f"{_X} >= 402")
    yield _step(_ON_A_LEDGE.format(top=60), _JUMP)
    yield _play("expect", text=f"{len(COINS)} / {len(COINS)}", within=120)
    yield _play("save_tape", path=TAPE)
    yield _play("end")
    yield _play("replay", path=TAPE)


def _step(until: str, inputs: Sequence[dict[str, Any]] = ()) -> Call:
    return _play("step", frames=300, until=until, **({"inputs": list(inputs)} if inputs else {}))


def _play(action: str, **params: Any) -> Call:
    return "godot_play_manager", {"action": action, **params}


def look_at_play(action: str, result: dict[str, Any]) -> str | None:
    """Return what is wrong with the reply to an action of play; None where nothing is."""
    wanted = {"step": ("stopped", "condition"), "expect": ("met", True), "replay": ("passed", True)}
    wanted["save_tape"] = ("repeats", True)
    name, value = wanted.get(action, ("", None))
    return None if result.get(name) == value else f"play {action}: {name} is {result.get(name)}, not {value}"
