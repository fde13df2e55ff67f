"""What a game printed last and the debugger did not get: one that ends at once, or crashes, does not send all of it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from scenewright.godot.engine.complaints import Complaint, plain, printed, read_complaints

__all__ = ["unheard"]


def unheard(
    raw: Sequence[str], heard: Sequence[tuple[int, str, Any]], *, whole: bool
) -> tuple[list[str], list[Complaint]]:
    """Return the lines and complaints after the last heard line; `whole` says that the raw lines are complete."""
    lines = [value for _, kind, value in heard if kind == "output"]
    known = {value.message for _, kind, value in heard if kind == "error"}
    rest = raw[_count_heard(raw, lines, whole=whole) :]
    return printed(rest), [complaint for complaint in read_complaints(rest) if complaint.message not in known]


def _count_heard(raw: Sequence[str], lines: Sequence[str], *, whole: bool) -> int:
    """How many of the raw lines came before the end of what was heard; all where the last one is not among them."""
    if not lines:
        return 0
    places = [at for at, line in enumerate(raw) if plain(line) == lines[-1]]
    if not places:
        return len(raw)  # it looks otherwise there, as rich text does: better nothing than everything twice
    number = min(lines.count(lines[-1]), len(places)) if whole else len(places)
    return places[number - 1] + 1
