"""What was watched frame by frame, in as few lines as tell it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

__all__ = ["fold_rows"]

_MOST = 200


def fold_rows(names: Sequence[str], rows: Sequence[Sequence[Any]]) -> list[str]:
    """Return a line for each run of frames with the same values: `12-40: $Player.position.x = 3`."""
    runs: list[tuple[int, int, Sequence[Any]]] = []
    for frame, values in rows:
        if runs and runs[-1][2] == values:
            runs[-1] = (runs[-1][0], int(frame), values)
        else:
            runs.append((int(frame), int(frame), values))
    lines = [f"{_frames(first, last)}: {_values(names, values)}" for first, last, values in runs]
    left_out = len(lines) - _MOST
    return lines if left_out <= 0 else [*lines[: _MOST // 2], f"… {left_out} more", *lines[-_MOST // 2 :]]


def _frames(first: int, last: int) -> str:
    return str(first) if first == last else f"{first}-{last}"


def _values(names: Sequence[str], values: Sequence[Any]) -> str:
    """One value stands for itself; of several each has its name."""
    if len(names) == 1:
        return str(values[0])
    return ", ".join(f"{name} = {value}" for name, value in zip(names, values, strict=True))
