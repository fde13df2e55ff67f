"""Shows changes to a person: one unified diff per file, within a size one can read."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import zip_longest
from typing import TYPE_CHECKING

from scenewright.core.text.counts import count_noun
from scenewright.core.writes.line_matching import Replaced, replaced_lines
from scenewright.core.writes.moves import moves

if TYPE_CHECKING:
    from scenewright.core.writes.changeset import Change, Changeset

__all__ = ["Diff", "diff_of", "diff_of_all", "is_within"]

ENTRY_BYTES = 4_000
TOTAL_BYTES = 16_000
LINE_CHARS = 160  # an input event or a tile map is a line of thousands
CONTEXT = 2
COMPARABLE_BYTES = 32_000_000  # beyond this even splitting into lines takes seconds


@dataclass(frozen=True, slots=True)
class Diff:
    """The diff of the Gox MCP contract."""

    summary: str
    entries: list[str]


@dataclass(frozen=True, slots=True)
class _Comparison:
    """Two versions of a file by line; the counts are right however little of it is shown."""

    before: list[str]
    after: list[str]
    replaced: list[Replaced]

    @property
    def added(self) -> int:
        return sum(new.stop - new.start for _, new in self.replaced)

    @property
    def removed(self) -> int:
        return sum(old.stop - old.start for old, _ in self.replaced)

    def lines(self) -> Iterator[str]:
        """Yield unified hunks, made as far as somebody reads them."""
        for hunk in _hunks(self.replaced):
            for line in _hunk(hunk, self.before, self.after):
                yield from _show_line(line)


def diff_of_all(staged: Changeset, generated: Sequence[str] = ()) -> Diff | None:
    """Return the diff of all that was staged, for files and for editors."""
    diffs = [diff for diff in (diff_of(staged.changes(), generated), *(draft.diff for draft in staged.drafts)) if diff]
    if not diffs:
        return None
    return Diff("; ".join(diff.summary for diff in diffs), [entry for diff in diffs for entry in diff.entries])


def diff_of(changes: Sequence[Change], generated: Sequence[str] = ()) -> Diff | None:
    """Return the diff of some changes; None where there are none. Of what lies in generated folders it has
    the number.
    """
    if not changes:
        return None
    entries, compared, room = [], [], TOTAL_BYTES
    for folder in generated:
        inside = [change for change in changes if is_within(change.path, folder)]
        entries += [_count_changes(folder, inside)] if inside else []
        compared += [_compare_lines(change) for change in inside]
    for head, change in _heads_of_changes(
        [each for each in changes if not any(is_within(each.path, g) for g in generated)]
    ):
        comparison = _compare_lines(change)
        entry = _entry(head, change, comparison, min(ENTRY_BYTES, room))
        room = max(0, room - len(entry))
        entries.append(entry)
        compared.append(comparison)
    return Diff(_summary(compared), entries)


def _summary(compared: Sequence[_Comparison | None]) -> str:
    """Return how much changed; what has no lines, or too many, is not counted as if none had changed."""
    files = f"{count_noun(len(compared), 'file')} changed"
    by_line = [comparison for comparison in compared if comparison is not None]
    if not by_line:
        return f"{files}, not comparable by line"
    added, removed = sum(each.added for each in by_line), sum(each.removed for each in by_line)
    rest = len(compared) - len(by_line)
    return f"{files}, +{added} −{removed} lines" + (f", {rest} not comparable by line" if rest else "")


def is_within(path: str, folder: str) -> bool:
    """Return whether a path leads into a folder."""
    return path.startswith(f"{folder}/")


def _count_changes(folder: str, changes: Sequence[Change]) -> str:
    kinds = Counter(change.kind for change in changes)
    return f"{', '.join(f'{kind} {number}' for kind, number in kinds.items())} files in {folder}"


def _heads_of_changes(changes: Sequence[Change]) -> Iterator[tuple[str, Change]]:
    """Yield what happened to each file; one that went elsewhere is one file, with what changed in it on the way."""
    moved = moves(changes)
    old = {new: next(change for change in changes if change.path == path) for path, new in moved.items()}
    for change in changes:
        if change.path in old:
            before = old[change.path]
            yield f"moved {before.path} to {change.path}", replace(change, before=before.before)
        elif change.path not in moved:
            yield f"{change.kind} {change.path}", change


def _entry(head: str, change: Change, comparison: _Comparison | None, room: int) -> str:
    if change.before == change.after:
        return head
    if comparison is None or not comparison.replaced:
        return f"{head} ({_size(change.before)} → {_size(change.after)})"
    body: list[str] = []
    left = comparison.added + comparison.removed
    for line in comparison.lines():
        room -= len(line) + 1
        if room < 0:
            body.append(f"… {count_noun(left, 'more line')}" if left else "…")
            break
        body.append(line)
        left -= line.startswith(("+", "-"))
    return "\n".join([head, *body])


def _size(content: bytes | None) -> str:
    return "nothing" if content is None else f"{len(content):,} bytes"


def _compare_lines(change: Change) -> _Comparison | None:
    """Both versions by line; None of what is no text, or too much of it."""
    if change.before == change.after:
        return _Comparison([], [], [])  # it only went elsewhere
    before, after = _text(change.before), _text(change.after)
    if before is None or after is None or len(before) + len(after) > COMPARABLE_BYTES:
        return None
    old, new = _split(before), _split(after)
    return _Comparison(old, new, replaced_lines(old, new))


def _count_same(before: str, after: str) -> int:
    """Return how many characters are the same from the start."""
    pairs = enumerate(zip(before, after, strict=False))
    return next((number for number, (old, new) in pairs if old != new), min(len(before), len(after)))


def _hunks(changes: list[Replaced]) -> list[list[Replaced]]:
    """Return the changes in groups, those that are so close that the lines around them meet in one."""
    hunks: list[list[Replaced]] = []
    for change in changes:
        if hunks and change[0].start - hunks[-1][-1][0].stop <= 2 * CONTEXT:
            hunks[-1].append(change)
        else:
            hunks.append([change])
    return hunks


def _hunk(changes: list[Replaced], before: list[str], after: list[str]) -> list[str]:
    lead = min(CONTEXT, changes[0][0].start)
    at = changes[0][0].start - lead
    lines: list[str] = []
    for old, new in changes:
        lines += [f" {_text_around(line)}" for line in before[at : old.start]]
        lines += _replaced(before[old], after[new])
        at = old.stop
    lines += [f" {_text_around(line)}" for line in before[at : at + CONTEXT]]
    removed = _range(changes[0][0].start - lead, sum(line[0] != "+" for line in lines))
    added = _range(changes[0][1].start - lead, sum(line[0] != "-" for line in lines))
    return [f"@@ -{removed} +{added} @@", *lines]


def _replaced(old: list[str], new: list[str]) -> list[str]:
    """Return lines that go and lines that come; of a long one, the part in which it differs from that in its place."""
    places = [_count_same(*pair) for pair in zip_longest(old, new, fillvalue="")]
    gone = [f"-{_text_around(line, place)}" for line, place in zip(old, places, strict=False)]
    return gone + [f"+{_text_around(line, place)}" for line, place in zip(new, places, strict=False)]


def _text_around(line: str, place: int = 0) -> str:
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


def _show_line(line: str) -> list[str]:
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
