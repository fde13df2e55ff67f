"""Shows changes to a person: one unified diff per file, within a size one can read."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import zip_longest
from typing import TYPE_CHECKING

from scenewright.core.moves import moves

if TYPE_CHECKING:
    from scenewright.core.changes import Change

__all__ = ["Diff", "diff_of"]

ENTRY_BYTES = 4_000
TOTAL_BYTES = 16_000
LINE_CHARS = 160  # an input event or a tile map is a line of thousands
CONTEXT = 2
COMPARABLE_BYTES = 400_000  # beyond this a line diff takes seconds

_Replaced = tuple[slice, slice]  # lines of the old text and those of the new one in their place


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
    for head, change in _headed(changes):
        lines = _lines(change)
        added += sum(line.startswith("+") for line in lines)
        removed += sum(line.startswith("-") for line in lines)
        entry = _entry(head, change, lines, min(ENTRY_BYTES, room))
        room = max(0, room - len(entry))
        entries.append(entry)
    files = f"{len(entries)} file{'s' if len(entries) > 1 else ''} changed"
    return Diff(f"{files}, +{added} −{removed} lines", entries)


def _headed(changes: Sequence[Change]) -> Iterator[tuple[str, Change]]:
    """What happened to each file; one that went elsewhere is one file, with what changed in it on the way."""
    moved = moves(changes)
    old = {new: next(change for change in changes if change.path == path) for path, new in moved.items()}
    for change in changes:
        if change.path in old:
            before = old[change.path]
            yield f"moved {before.path} to {change.path}", replace(change, before=before.before)
        elif change.path not in moved:
            yield f"{change.kind} {change.path}", change


def _entry(head: str, change: Change, lines: list[str], room: int) -> str:
    if not lines and change.before == change.after:
        return head
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
    """Unified hunks."""
    from difflib import SequenceMatcher  # only a write needs it

    # What is the same at both ends is most of the file, and comparing it would be most of the time.
    start = _same(before, after)
    end = _same(before[start:][::-1], after[start:][::-1])
    matcher = SequenceMatcher(None, before[start : len(before) - end], after[start : len(after) - end])
    changes = [
        (slice(i + start, j + start), slice(k + start, m + start))
        for tag, i, j, k, m in matcher.get_opcodes()
        if tag != "equal"
    ]
    return [line for hunk in _hunks(changes) for line in _hunk(hunk, before, after)]


def _same(before: Sequence[str], after: Sequence[str]) -> int:
    """How many lines, or characters of one, are the same from the start."""
    pairs = enumerate(zip(before, after, strict=False))
    return next((number for number, (old, new) in pairs if old != new), min(len(before), len(after)))


def _hunks(changes: list[_Replaced]) -> list[list[_Replaced]]:
    """Changes that are so close that the lines around them meet, together."""
    hunks: list[list[_Replaced]] = []
    for change in changes:
        if hunks and change[0].start - hunks[-1][-1][0].stop <= 2 * CONTEXT:
            hunks[-1].append(change)
        else:
            hunks.append([change])
    return hunks


def _hunk(changes: list[_Replaced], before: list[str], after: list[str]) -> list[str]:
    lead = min(CONTEXT, changes[0][0].start)
    at = changes[0][0].start - lead
    lines: list[str] = []
    for old, new in changes:
        lines += [f" {_around(line)}" for line in before[at : old.start]]
        lines += _replaced(before[old], after[new])
        at = old.stop
    lines += [f" {_around(line)}" for line in before[at : at + CONTEXT]]
    removed = _range(changes[0][0].start - lead, sum(line[0] != "+" for line in lines))
    added = _range(changes[0][1].start - lead, sum(line[0] != "-" for line in lines))
    return [f"@@ -{removed} +{added} @@", *lines]


def _replaced(old: list[str], new: list[str]) -> list[str]:
    """Lines that go and lines that come; of a long one, the part in which it differs from that in its place."""
    places = [_same(*pair) for pair in zip_longest(old, new, fillvalue="")]
    gone = [f"-{_around(line, place)}" for line, place in zip(old, places, strict=False)]
    return gone + [f"+{_around(line, place)}" for line, place in zip(new, places, strict=False)]


def _around(line: str, place: int = 0) -> str:
    body = line.removesuffix("\n")
    if len(body) <= LINE_CHARS:
        return line
    start = min(max(0, place - LINE_CHARS // 3), len(body) - LINE_CHARS)
    end = start + LINE_CHARS
    shown = f"{'…' if start else ''}{body[start:end]}{'…' if end < len(body) else ''} ({len(body):,} characters)"
    return shown + line[len(body) :]


def _range(start: int, count: int) -> str:
    if count == 1:
        return f"{start + 1}"
    return f"{start + 1 if count else start},{count}"


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
