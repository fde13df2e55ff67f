"""Tapes: games that were played, as small files that play them again and say where they differ.

A tape is JSON: how the game was begun (scene, seed, frames a second, size, arguments), the engine it was played in, and
events in their order. An event is what was done, in the words of `step`, `set`, `call` and `expect`, with the frame at
which it ended and what came of it: why a step stopped, whether an expectation was met, and `trail`, four characters of
what a player would notice of each frame, by which a replay finds the first frame that differs. `film` has the digest of
each frame, packed, so that a replay can tell what should have been there.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Annotated, Any, Final

import msgspec

from scenewright.core.faults import Invalid
from scenewright.godot.play.sessions import Start

__all__ = [
    "ENDING",
    "KINDS",
    "Difference",
    "Side",
    "Tape",
    "cut_events",
    "first_difference",
    "kind_of",
    "read_tape",
    "unmarked",
    "write_tape",
]

ENDING: Final = ".tape.json"
KINDS: Final = ("step", "set", "call", "expect")
_MARK: Final = 4  # characters of a trail for each frame
_MOST_BYTES: Final = 16_000_000


Side = Annotated[int, msgspec.Meta(ge=16, le=4096)]


class Tape(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A game that was played."""

    tape: int = 1  # the form of the file
    engine: str
    scene: str
    seed: Annotated[int, msgspec.Meta(ge=0, lt=2**53)]
    fps: Annotated[int, msgspec.Meta(ge=10, le=240)]
    size: tuple[Side, Side] | None = None
    arguments: Annotated[tuple[str, ...], msgspec.Meta(max_length=50)] = ()
    frames: Annotated[int, msgspec.Meta(ge=0)]
    events: list[dict[str, Any]]
    film: str = ""

    @property
    def start(self) -> Start:
        return Start(self.scene, self.seed, self.fps, self.size, screen=False, arguments=self.arguments)


class Difference(msgspec.Struct, frozen=True):
    """Where a replay first differs: in what, the frame, and both sides."""

    event: int
    frame: int
    what: str
    expected: Any
    found: Any


def read_tape(content: bytes, place: str, parameter: str = "path") -> Tape:
    """Return a tape.

    Raises:
        Invalid: the file is none, or of a form that is not known.
    """
    if len(content) > _MOST_BYTES:
        raise Invalid(f"'{place}' is too long for a tape.", path=f"input.{parameter}", rule="maxLength")
    try:
        tape = msgspec.json.decode(content, type=Tape)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as problem:
        raise Invalid(f"'{place}' is no tape: {problem}.", path=f"input.{parameter}", rule="tape") from None
    if tape.tape != 1 or not all(_is_event(event) for event in tape.events):
        raise Invalid(f"'{place}' is a tape of a form that is not known here.", path=f"input.{parameter}", rule="tape")
    return tape


def write_tape(tape: Tape) -> bytes:
    """Return the text of a tape: an event on each line, which reads and compares well."""
    head: dict[str, Any] = msgspec.to_builtins(tape)
    events, film = head.pop("events"), head.pop("film")
    lines = [f"  {json.dumps(name)}: {json.dumps(value, ensure_ascii=False)},\n" for name, value in head.items()]
    rows = ",\n".join(f"    {json.dumps(event, ensure_ascii=False)}" for event in events)
    end = f',\n  "film": {json.dumps(film)}' if film else ""
    return f'{{\n{"".join(lines)}  "events": [\n{rows}\n  ]{end}\n}}\n'.encode()


def _is_event(event: Mapping[str, Any]) -> bool:
    forms = {"frame": int, "met": bool, "stopped": str, "trail": str}
    return kind_of(event) is not None and all(
        name in KINDS or isinstance(value, forms.get(name, str)) for name, value in event.items()
    )


def kind_of(event: Mapping[str, Any]) -> str | None:
    return next((kind for kind in KINDS if isinstance(event.get(kind), dict)), None)


def first_difference(number: int, before: int, kept: Mapping[str, Any], played: Mapping[str, Any]) -> Difference | None:
    """Return where an event as it was played differs from that of a tape, which began after the frame `before`."""
    mine, theirs = str(kept.get("trail", "")), str(played.get("trail", ""))
    for at in range(0, min(len(mine), len(theirs)), _MARK):
        if mine[at : at + _MARK] != theirs[at : at + _MARK]:
            return Difference(number, before + at // _MARK + 1, "state", mine[at : at + _MARK], theirs[at : at + _MARK])
    for what in ("met", "stopped", "frame", "hash"):
        if what in kept and kept[what] != played.get(what):
            return Difference(number, int(played["frame"]), what, kept[what], played.get(what))
    return None


def cut_events(events: Sequence[Mapping[str, Any]], frame: int) -> list[dict[str, Any]]:
    """Return the events up to a frame; one that goes on beyond it is a shorter step."""
    kept: list[dict[str, Any]] = []
    before = 0
    for event in events:
        end = int(event.get("frame", 0))
        if end > frame:
            return [*kept, _cut(event, before, frame)] if frame > before else kept
        kept.append(dict(event))
        before = end
    return kept


def _cut(event: Mapping[str, Any], before: int, frame: int) -> dict[str, Any]:
    frames = frame - before
    given: Mapping[str, Any] = event.get("step", {})
    step = {name: value for name, value in given.items() if name not in ("until", "frames", "inputs", "calls")}
    for part in ("inputs", "calls"):
        due = [each for each in given.get(part, []) if each.get("frame", 0) < frames]
        step |= {part: due} if due else {}
    trail = str(event.get("trail", ""))[: frames * _MARK]
    return {"step": step | {"frames": frames}, "frame": frame, "stopped": "limit", "trail": trail}


def unmarked(event: Mapping[str, Any]) -> dict[str, Any]:
    """Return an event without what came of it, but for an expectation, which is to be met again."""
    return {name: value for name, value in event.items() if name in (*KINDS, "met")}
