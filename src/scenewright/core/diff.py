"""Shows changes to a person: one unified diff per file, within a size one can read."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from scenewright.core.changes import Change

__all__ = ["Diff", "diff_of"]

ENTRY_BYTES = 4_000
TOTAL_BYTES = 16_000
COMPARABLE_BYTES = 400_000  # beyond this a line diff takes seconds


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
    from difflib import unified_diff  # only a write needs it

    texts = [_text(content) for content in (change.before, change.after)]
    if None in texts or sum(len(text or "") for text in texts) > COMPARABLE_BYTES:
        return []
    before, after = ((text or "").splitlines() for text in texts)
    return [line for line in unified_diff(before, after, lineterm="", n=2) if not line.startswith(("---", "+++"))]


def _text(content: bytes | None) -> str | None:
    if content is None:
        return ""
    try:
        text = content.decode("utf-8")
    except UnicodeDecodeError:
        return None
    return None if "\0" in text else text
