"""Shows changes to a person: one unified diff per file, within a size one can read."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from scenewright.core.changes import Change

__all__ = ["Diff", "diff_of"]

ENTRY_BYTES = 4_000
TOTAL_BYTES = 16_000
CONTEXT = 2
COMPARABLE_BYTES = 400_000  # beyond this a line diff takes seconds
_NUMBERS = re.compile(r"([-+])(\d+)")


@dataclass(frozen=True, slots=True)
class Diff:
    """Seed 001's diff."""

    summary: str
    entries: list[str]


def diff_of(changes: Sequence[Change]) -> Diff | None:
    """The diff of some changes; None where there are none."""
    if not changes:
        return None
    entries, added, removed, room = [], 0, 0, TOTAL_BYTES
    for change in changes:
        lines = _lines(change)
        added += sum(line.startswith("+") for line in lines)
        removed += sum(line.startswith("-") for line in lines)
        entry = _entry(change, lines, min(ENTRY_BYTES, room))
        room = max(0, room - len(entry))
        entries.append(entry)
    files = f"{len(changes)} file{'s' if len(changes) > 1 else ''} changed"
    return Diff(f"{files}, +{added} −{removed} lines", entries)


def _entry(change: Change, lines: list[str], room: int) -> str:
    head = f"{change.kind} {change.path}"
    if not lines:
        return f"{head} ({_size(change.before)} → {_size(change.after)})"
    body: list[str] = []
    for count, line in enumerate(lines):
        room -= len(line) + 1
        if room < 0:
            body.append(f"… {len(lines) - count} more lines")
            break
        body.append(line)
    return "\n".join([head, *body])


def _size(content: bytes | None) -> str:
    return "nothing" if content is None else f"{len(content):,} bytes"


def _lines(change: Change) -> list[str]:
    before, after = _text(change.before), _text(change.after)
    if before is None or after is None or len(before) + len(after) > COMPARABLE_BYTES:
        return []
    return [part for line in _compare(_split(before), _split(after)) for part in _shown(line)]


def _compare(before: list[str], after: list[str]) -> list[str]:
    from difflib import unified_diff  # only a write needs it

    # What is the same at both ends is most of the file, and comparing it most of the time.
    start = _same(before, after)
    end = _same(before[start:][::-1], after[start:][::-1])
    first = max(0, start - CONTEXT)
    old = before[first : len(before) - max(0, end - CONTEXT)]
    new = after[first : len(after) - max(0, end - CONTEXT)]
    lines = list(unified_diff(old, new, lineterm="", n=CONTEXT))[2:]  # without the two lines for the names
    return [_moved(line, first) if line.startswith("@@") else line for line in lines]


def _same(before: list[str], after: list[str]) -> int:
    """How many lines are the same from the start."""
    pairs = enumerate(zip(before, after, strict=False))
    return next((number for number, (old, new) in pairs if old != new), min(len(before), len(after)))


def _moved(head: str, lines: int) -> str:
    """A hunk's head with its line numbers counted from the start of the file."""
    return _NUMBERS.sub(lambda found: f"{found[1]}{int(found[2]) + lines}", head)


def _split(text: str) -> list[str]:
    # Only at line feeds: a form feed or a Unicode line separator is a character of its line, as for every editor.
    lines = text.split("\n")
    return [f"{line}\n" for line in lines[:-1]] + ([lines[-1]] if lines[-1] else [])


def _shown(line: str) -> list[str]:
    if line.startswith("@@"):
        return [line]
    return [line[:-1]] if line.endswith("\n") else [line, "\\ No newline at end of file"]


def _text(content: bytes | None) -> str | None:
    if content is None:
        return ""
    try:
        text = content.decode("utf-8")
    except UnicodeDecodeError:
        return None
    return None if "\0" in text else text
