"""The nodes of a digest in as few lines as tell them: what moves by itself, what is alike and stands together."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

__all__ = ["node_lines"]

_ALIKE: Final = 4  # so many may stand each on a line of its own
_PLACES: Final = 3
_MOST: Final = 40
_NUMBER: Final = re.compile(r"@?(.*?)(?:@?\d+)?$")
Row = Sequence[str]  # path, class, place, and what it does


def node_lines(rows: Sequence[Row]) -> list[str]:
    """Return a line for each node, or for many that are alike: `Coin Area2D ×27: 700,610 730,610 760,610 …`."""
    groups: dict[tuple[str, str, str], list[Row]] = {}
    for row in rows:
        key = (_kind(row), row[1], row[3]) if not row[3].startswith("velocity") else (row[0], row[1], "")
        groups.setdefault(key, []).append(row)
    lines = [line for group in groups.values() for line in _lines(group)]
    moving = [line for line in lines if " velocity " in line]
    ordered = [*moving, *(line for line in lines if line not in moving)]
    left_out = len(ordered) - _MOST
    return ordered if left_out <= 0 else [*ordered[:_MOST], f"… {left_out} more"]


def _lines(group: Sequence[Row]) -> list[str]:
    if len(group) <= _ALIKE:
        return [" ".join(part for part in row if part) for row in group]
    places = " ".join(row[2] for row in group[:_PLACES])
    does = f" {group[0][3]}" if group[0][3] else ""
    return [f"{_kind(group[0])} {group[0][1]}{does} ×{len(group)}: {places} …"]


def _kind(row: Row) -> str:
    """The name of a node without the number that makes it the only one of its name."""
    match = _NUMBER.match(row[0].rpartition("/")[2])
    return match[1] if match is not None else row[0]
