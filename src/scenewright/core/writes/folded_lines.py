"""Lines of a diff for a reader who has little room: what repeats is said once, with its number.

Godot writes a line for each tile of a set and each track of an animation. Those that differ only in which tile or track
they are about count as repeated; what says anything else is always shown.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence

__all__ = ["fold"]

_TILE = re.compile(r"^([+-])\d+:\d+/\d+(?=[/ ])")
_PLACE = re.compile(r"^([+-][a-z_]+)/\d+/")  # tracks/0/type, points/3/position


def fold(lines: Sequence[str], whole: Sequence[str]) -> list[str]:
    """Return the lines of hunks without their repetitions, `+72 × …` standing for all of them.

    Which lines are the same is for the `whole` lines to say, of which those shown may be parts. Empty lines go where
    anything else is said, and so does the head of a hunk that has nothing left.
    """
    patterns = [_pattern(line) for line in whole]
    counts, variants = Counter(patterns), _variants(whole, patterns)
    has_text = any(_is_change(line) and line[1:].strip() for line in lines)
    shown: list[str] = []
    seen: set[str] = set()
    head: str | None = None
    for line, pattern in zip(lines, patterns, strict=True):
        if line.startswith("@@"):
            head = line
        elif not _is_change(line):
            shown.append(line)
        elif pattern not in seen and (line[1:].strip() or not has_text):
            seen.add(pattern)
            shown += [head] if head else []
            text = line if variants[pattern] == 1 else _pattern(line)
            shown.append(_say(text, counts[pattern]))
            head = None
    return shown


def _say(text: str, count: int) -> str:
    return text if count == 1 else f"{text[0]}{count} × {text[1:]}"


def _variants(lines: Sequence[str], patterns: Sequence[str]) -> Counter[str]:
    """Return how many different lines each pattern stands for."""
    return Counter(pattern for _, pattern in dict.fromkeys(zip(lines, patterns, strict=True)))


def _pattern(line: str) -> str:
    """Return the line with # for which tile, track or point it is about."""
    return _PLACE.sub(r"\1/#/", _TILE.sub(r"\1#:#/#", line))


def _is_change(line: str) -> bool:
    return line[:1] in ("+", "-")
