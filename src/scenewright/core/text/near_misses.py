"""What a text that was looked for in vain was probably meant to be: the line that comes closest.

The time is bounded whatever the texts are: few and short candidates are compared, the rest is counted by its letters.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from heapq import nlargest

from scenewright.core.faults import closest

__all__ = ["MOST_TEXT", "near_miss", "nearest_line"]

MOST_TEXT = 400_000  # characters that are looked through
MOST_COMPARED = 100
MOST_PARTS = 20_000  # of lines
MOST_WORDS = 8  # of a text that is compared with parts of lines
LONGEST = 200


def near_miss(find: str, text: str) -> str | None:
    """Return a sentence that shows what comes closest to a text that does not occur in another."""
    lines = text[:MOST_TEXT].splitlines()
    wanted = [line for line in find.splitlines() if line.strip()]
    held = {_loose(line) for line in lines}
    missed = next((line for line in wanted if _loose(line) not in held), None)
    if missed is None:
        return _other_spaces(wanted, lines)
    spaces = next((at for at, line in enumerate(lines) if _loose(missed) in _loose(line)), None)
    if spaces is not None and missed not in lines[spaces]:
        return f"{_shown(lines, spaces)}, with other spaces or tabs."
    at = nearest_line(missed.strip(), lines)
    return None if at is None else f"{_shown(lines, at)}."


def _other_spaces(wanted: list[str], lines: list[str]) -> str | None:
    """Every line is there, in another order, or with other spaces or empty lines between."""
    first = next((at for at, line in enumerate(lines) if wanted and _loose(line) == _loose(wanted[0])), None)
    if first is None:
        return None
    same = lines[first].strip("\r") == wanted[0]
    return f"{_shown(lines, first)}, with other " + ("lines after it." if same else "spaces or tabs.")


def nearest_line(wanted: str, lines: Sequence[str]) -> int | None:
    """Return the number, from 0, of the line that is most like a text, or has a part of as many words that is."""
    if re.fullmatch(r"\w+", wanted):
        return _nearest(wanted, _parts(lines, lambda line: re.findall(r"\w+", line)))
    whole = _nearest(wanted, _parts(lines, lambda line: [line.strip()]))
    words = len(wanted.split())
    if whole is not None or not 0 < words <= MOST_WORDS:
        return whole
    return _nearest(wanted, _parts(lines, lambda line: _runs(line.split(), words)))


def _parts(lines: Sequence[str], split: Callable[[str], Iterable[str]]) -> dict[str, int]:
    """Return the first line of each part of lines."""
    places: dict[str, int] = {}
    for at, line in enumerate(lines):
        for part in split(line):
            places.setdefault(part[:LONGEST], at)
        if len(places) > MOST_PARTS:
            break
    return places


def _runs(words: Sequence[str], length: int) -> Iterator[str]:
    """Yield each run of as many words."""
    for start in range(len(words) - length + 1):
        yield " ".join(words[start : start + length])


def _nearest(wanted: str, places: dict[str, int]) -> int | None:
    folded = Counter(wanted[:LONGEST].casefold())
    best = nlargest(MOST_COMPARED, places, key=lambda part: _share(folded, part))
    by_case = {part.casefold(): part for part in reversed(best)}
    nearest = closest(wanted[:LONGEST].casefold(), list(by_case), most=1)
    return places[by_case[nearest[0]]] if nearest else None


def _share(letters: Counter[str], part: str) -> float:
    """How many letters two texts share, of all that they have."""
    return 2 * (letters & Counter(part.casefold())).total() / (letters.total() + len(part) or 1)


def _loose(line: str) -> str:
    return " ".join(line.split())


def _shown(lines: Sequence[str], at: int) -> str:
    line = lines[at].strip()
    return f"Line {at + 1} says {(line if len(line) <= LONGEST else line[:LONGEST] + '…')!r}"
