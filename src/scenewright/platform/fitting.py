"""Fits sections into a budget of bytes: everything in few words first, then what is cheapest at greater length."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import zip_longest
from typing import Any

from scenewright.contracts.rendered import as_text, replace_surrogates
from scenewright.core.projects.overview import Item, Section

__all__ = ["Fitted", "fit", "json_size"]

_AROUND = 6  # bytes of JSON around an entry: quotes, colon, comma
_NAMED = 5  # items that are named in a line about what was left out
_A_LINE = 120  # bytes that such a line takes


class Fitted:
    """Which length of each item is shown; -1 for none."""

    def __init__(self, sections: Sequence[Section], budget: int) -> None:
        self._sections = sections
        self._level = {id(item): -1 for section in sections for item in section.items}
        self._left = budget
        self._fill()

    @property
    def shown(self) -> dict[str, Any]:
        """The sections with something to show: a text, or a text for each item by its name."""
        shown: dict[str, Any] = {}
        for section in self._sections:
            texts = {item.name: item.lengths[self._level[id(item)]] for item in section.items if self._is_shown(item)}
            if texts:
                shown[section.name] = texts[""] if texts.keys() == {""} else texts
        return shown

    @property
    def left_out(self) -> list[str]:
        """What is not shown, or not at length, and how to see it."""
        return [line for section in self._sections for line in self._lines_about(section)]

    def _is_shown(self, item: Item) -> bool:
        return self._level[id(item)] >= 0

    def _fill(self) -> None:
        items = [item for section in self._sections for item in section.items]
        self._left -= sum(_size(section.name) for section in self._sections)
        for item in _in_turn(self._sections):
            self._raise(item, 0)
        self._left -= _A_LINE * sum(1 for section in self._sections if section.unread)
        for _ in range(max((len(item.lengths) for item in items), default=0)):
            waiting = [item for item in items if 0 <= self._level[id(item)] < len(item.lengths) - 1]
            for item in sorted(waiting, key=lambda item: (not item.first, self._cost(item, self._level[id(item)] + 1))):
                self._raise(item, self._level[id(item)] + 1)

    def _raise(self, item: Item, level: int) -> None:
        cost = self._cost(item, level)
        if cost <= self._left:
            self._level[id(item)] = level
            self._left -= cost

    def _cost(self, item: Item, level: int) -> int:
        before = self._level[id(item)]
        return _size(item.lengths[level]) - _size(item.lengths[before]) if before >= 0 else _whole(item, level)

    def _lines_about(self, section: Section) -> Iterator[str]:
        missing = [item.name for item in section.items if not self._is_shown(item)] + list(section.unread)
        short = [
            item.name or section.name for item in section.items if 0 <= self._level[id(item)] < len(item.lengths) - 1
        ]
        remedy = f": {section.more}" if section.more else ""
        if missing:
            yield f"{section.name} not shown: {_named(missing)}{remedy}"
        if short:
            yield f"{section.name} shortened: {_named(short)}{remedy}"


def _in_turn(sections: Sequence[Section]) -> Iterator[Item]:
    """The first item of each section, then the second of each, so that a long section leaves room for the others."""
    rows = zip_longest(*(section.items for section in sections))
    return (item for row in rows for item in row if item is not None)


def fit(sections: Sequence[Section], budget: int) -> Fitted:
    """Choose a length for each item so that all together stay within a number of bytes."""
    return Fitted(sections, budget)


def _named(names: Sequence[str]) -> str:
    rest = len(names) - _NAMED
    return ", ".join(names[:_NAMED]) + (f" and {rest} more" if rest > 0 else "")


def _whole(item: Item, level: int) -> int:
    return _size(item.name) + _size(item.lengths[level]) + _AROUND


def _size(text: str) -> int:
    return json_size(text) - 2


def json_size(value: Any) -> int:
    """Return how many bytes a value takes in a reply."""
    return len(as_text(replace_surrogates(value)).encode())
