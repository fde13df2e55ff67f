"""Patterns with `*` and `?`, matched in time that grows with the text and the pattern and no faster.

A regular expression made of `*a*a*a*` tries all ways to share the text among the stars. Here each part of the pattern
takes all places where the parts before it may have ended at once.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

__all__ = ["ANY", "ANY_WITHIN", "RUN", "RUN_WITHIN", "Choice", "Glob", "OneOf", "Part", "wildcards"]


@dataclass(frozen=True, slots=True)
class Wildcard:
    """One character or any number of them, with slashes or without."""

    many: bool
    slashes: bool


@dataclass(frozen=True, slots=True)
class OneOf:
    """One character between some pairs of first and last ones, or one that is not."""

    ranges: tuple[tuple[str, str], ...]
    negated: bool = False

    def has(self, char: str) -> bool:
        return any(first <= char <= last for first, last in self.ranges) is not self.negated


@dataclass(frozen=True, slots=True)
class Choice:
    """One of several sequences of parts."""

    ways: tuple[tuple[Part, ...], ...]


Part = str | Wildcard | OneOf | Choice
ANY, RUN = Wildcard(many=False, slashes=True), Wildcard(many=True, slashes=True)
ANY_WITHIN, RUN_WITHIN = Wildcard(many=False, slashes=False), Wildcard(many=True, slashes=False)


@dataclass(frozen=True, slots=True)
class Glob:
    """A pattern for whole texts."""

    parts: tuple[Part, ...]
    ignore_case: bool = False

    def matches(self, text: str) -> bool:
        return len(text) in _ends(self.parts, text.lower() if self.ignore_case else text, {0})


def wildcards(text: str, *, slashes: bool, ignore_case: bool = False) -> list[Part]:
    """Return the parts of a pattern in which `*` and `?` may stand for slashes too, or may not."""
    any_one, run = (ANY, RUN) if slashes else (ANY_WITHIN, RUN_WITHIN)
    special: dict[str, Part] = {"*": run, "?": any_one}
    pieces = re.split(r"([*?])", text.lower() if ignore_case else text)
    return [special.get(piece, piece) for piece in pieces if piece]


def _ends(parts: Iterable[Part], text: str, starts: set[int]) -> set[int]:
    """Return where the parts may end that begin at one of some places."""
    for part in parts:
        starts = _after(part, text, starts)
        if not starts:
            break
    return starts


def _after(part: Part, text: str, starts: set[int]) -> set[int]:
    if isinstance(part, str):
        return {start + len(part) for start in starts if text.startswith(part, start)}
    if isinstance(part, Choice):
        return {end for way in part.ways for end in _ends(way, text, starts)}
    if isinstance(part, OneOf):
        return {start + 1 for start in starts if start < len(text) and part.has(text[start])}
    if not part.many:
        return {start + 1 for start in starts if start < len(text) and (part.slashes or text[start] != "/")}
    return _run(text, sorted(starts), slashes=part.slashes)


def _run(text: str, starts: Sequence[int], *, slashes: bool) -> set[int]:
    ends: set[int] = set()
    covered = -1
    for start in starts:
        if start <= covered:
            continue
        stop = -1 if slashes else text.find("/", start)
        covered = len(text) if stop < 0 else stop
        ends.update(range(start, covered + 1))
    return ends
