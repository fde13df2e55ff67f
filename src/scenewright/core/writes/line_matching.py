"""Which lines of a text were replaced by which: the shortest answer where that is quickly found.

The time is bounded whatever the texts are, since a project may hold anything: what would take too long to compare
is told apart by lines that occur once in both texts, and what is left of it counts as replaced as a whole.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from collections.abc import Iterator, Sequence

__all__ = ["Replaced", "replaced_lines"]

Replaced = tuple[slice, slice]  # lines of the old text and those of the new one in their place

STEPS = 400_000  # of the search for the shortest answer, for all parts of a text together


def replaced_lines(before: Sequence[str], after: Sequence[str], *, steps: int = STEPS) -> list[Replaced]:
    """Return the parts in which two texts differ, in order; between them the lines are the same."""
    return _join_touching(_Search(before, after, steps).parts())


class _Search:
    def __init__(self, before: Sequence[str], after: Sequence[str], steps: int) -> None:
        names: dict[str, int] = {}
        self._old = [names.setdefault(line, len(names)) for line in before]
        self._new = [names.setdefault(line, len(names)) for line in after]
        self._steps = steps

    def parts(self) -> Iterator[Replaced]:
        waiting = [(slice(0, len(self._old)), slice(0, len(self._new)))]
        while waiting:
            old, new = self._without_same_ends(*waiting.pop())
            if old.start == old.stop and new.start == new.stop:
                continue
            if old.start == old.stop or new.start == new.stop:
                yield old, new
            elif (replaced := self._shortest(old, new)) is not None:
                yield from replaced
            elif anchors := self._anchors(old, new):
                waiting += reversed(list(_spans_between(old, new, anchors)))
            else:
                yield old, new

    def _without_same_ends(self, old: slice, new: slice) -> Replaced:
        i, j, k, m = old.start, old.stop, new.start, new.stop
        while i < j and k < m and self._old[i] == self._new[k]:
            i, k = i + 1, k + 1
        while i < j and k < m and self._old[j - 1] == self._new[m - 1]:
            j, m = j - 1, m - 1
        return slice(i, j), slice(k, m)

    def _shortest(self, old: slice, new: slice) -> list[Replaced] | None:
        """Return the fewest lines that go and come (Myers' greedy search); None where that takes too long to find."""
        a, b = self._old[old], self._new[new]
        reached, rounds = {1: 0}, []
        for distance in range(len(a) + len(b) + 1):
            rounds.append(dict(reached))
            for diagonal in range(-distance, distance + 1, 2):
                down = diagonal == -distance or (diagonal != distance and reached[diagonal - 1] < reached[diagonal + 1])
                x = start = reached[diagonal + 1] if down else reached[diagonal - 1] + 1
                while x < len(a) and x - diagonal < len(b) and a[x] == b[x - diagonal]:
                    x += 1
                reached[diagonal] = x
                self._steps -= 1 + x - start
                if x >= len(a) and x - diagonal >= len(b):
                    return _steps_back(rounds, len(a), len(b), old.start, new.start)
            self._steps -= distance  # for the copy
            if self._steps < 0:
                return None
        return None

    def _anchors(self, old: slice, new: slice) -> list[tuple[int, int]]:
        """Return lines that occur once in both parts, as many as stand in the same order in both."""
        held, holds = Counter(self._old[old]), Counter(self._new[new])
        places = {line: at for at, line in enumerate(self._new[new], new.start) if holds[line] == 1}
        pairs = [
            (at, places[line])
            for at, line in enumerate(self._old[old], old.start)
            if held[line] == 1 and line in places
        ]
        return _longest_rising(pairs)


def _steps_back(rounds: list[dict[int, int]], x: int, y: int, old: int, new: int) -> list[Replaced]:
    """Return the way that the search has come, from its end."""
    steps: list[Replaced] = []
    for distance in range(len(rounds) - 1, 0, -1):
        reached, diagonal = rounds[distance], x - y
        down = diagonal == -distance or (diagonal != distance and reached[diagonal - 1] < reached[diagonal + 1])
        before = diagonal + 1 if down else diagonal - 1
        x, y = reached[before], reached[before] - before
        removed, added = (0, 1) if down else (1, 0)
        steps.append((slice(old + x, old + x + removed), slice(new + y, new + y + added)))
    return steps[::-1]


def _longest_rising(pairs: list[tuple[int, int]]) -> list[tuple[int, int]]:
    """As many of the pairs as can be had with their second numbers rising."""
    ends: list[int] = []  # the smallest second number that a row of each length ends with
    tops: list[int] = []  # and whose it is
    before: list[int | None] = []
    for number, (_, place) in enumerate(pairs):
        length = bisect_left(ends, place)
        before.append(tops[length - 1] if length else None)
        ends[length : length + 1] = [place]
        tops[length : length + 1] = [number]
    chosen: list[tuple[int, int]] = []
    at = tops[-1] if tops else None
    while at is not None:
        chosen.append(pairs[at])
        at = before[at]
    return chosen[::-1]


def _spans_between(old: slice, new: slice, anchors: list[tuple[int, int]]) -> Iterator[Replaced]:
    i, k = old.start, new.start
    for at, place in anchors:
        yield slice(i, at), slice(k, place)
        i, k = at + 1, place + 1
    yield slice(i, old.stop), slice(k, new.stop)


def _join_touching(parts: Iterator[Replaced]) -> list[Replaced]:
    """Return parts that touch, as one."""
    joined: list[Replaced] = []
    for old, new in parts:
        if joined and joined[-1][0].stop == old.start and joined[-1][1].stop == new.start:
            joined[-1] = slice(joined[-1][0].start, old.stop), slice(joined[-1][1].start, new.stop)
        else:
            joined.append((old, new))
    return joined
