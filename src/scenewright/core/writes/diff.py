"""Shows changes: to a person as one unified diff per file, to a model in brief; both within a size one can read."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import islice
from typing import TYPE_CHECKING

from scenewright.core.text.counts import count_noun
from scenewright.core.writes.folded_lines import fold
from scenewright.core.writes.line_matching import Replaced, replaced_lines
from scenewright.core.writes.moves import moves

if TYPE_CHECKING:
    from scenewright.core.writes.changeset import Change, Changeset

__all__ = ["Diff", "diff_of", "diff_of_all", "is_within"]

ENTRY_BYTES = 4_000
TOTAL_BYTES = 16_000
LINE_CHARS = 160  # an input event or a tile map is a line of thousands
CONTEXT = 2
FOLDED_LINES = 20_000
_BYTES = 'PackedByteArray("'  # what follows nobody can read, such as the cells of a tile map
COMPARABLE_BYTES = 32_000_000  # beyond this even splitting into lines takes seconds


_Cut = Callable[[str, int], str]


@dataclass(frozen=True, slots=True)
class Diff:
    """The diff of the Gox MCP contract."""

    summary: str
    entries: list[str]
    short: list[str] | None = field(default=None, compare=False)
    shortest: list[str] | None = field(default=None, compare=False)

    @property
    def brief(self) -> list[str]:
        """The entries for whoever knows what was sent: no lines around those that changed, what repeats stands once,
        and of a file that came or went there is the size.
        """
        return self.entries if self.short is None else self.short

    @property
    def replaced(self) -> list[str]:
        """The brief entries for whoever knows every new line: those that came where nothing went are only counted."""
        return self.brief if self.shortest is None else self.shortest


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

    def lines(self, context: int = CONTEXT, *, whole: bool = False) -> Iterator[str]:
        """Yield unified hunks, made as far as somebody reads them; long lines are cut, unless asked for whole."""
        for hunk in _hunks(self.replaced, context):
            for line in _hunk(hunk, self.before, self.after, context, _whole if whole else _text_around):
                yield from _show_line(line)


def diff_of_all(staged: Changeset, generated: Sequence[str] = ()) -> Diff | None:
    """Return the diff of all that was staged, for files and for editors."""
    diffs = [diff for diff in (diff_of(staged.changes(), generated), *(draft.diff for draft in staged.drafts)) if diff]
    if not diffs:
        return None
    return Diff(
        "; ".join(diff.summary for diff in diffs),
        [entry for diff in diffs for entry in diff.entries],
        [entry for diff in diffs for entry in diff.brief],
        [entry for diff in diffs for entry in diff.replaced],
    )


def diff_of(changes: Sequence[Change], generated: Sequence[str] = ()) -> Diff | None:
    """Return the diff of some changes; None where there are none. Of what lies in generated folders it has
    the number.
    """
    if not changes:
        return None
    counted, compared = [], []
    for folder in generated:
        inside = [change for change in changes if is_within(change.path, folder)]
        counted += [_count_changes(folder, inside)] if inside else []
        compared += [_compare_lines(change) for change in inside]
    rest = [each for each in changes if not any(is_within(each.path, folder) for folder in generated)]
    shown = [_Shown(head, change, _compare_lines(change)) for head, change in _heads_of_changes(rest)]
    summary = _summary(compared + [each.comparison for each in shown])
    ways = (_entry, _brief_entry, _replaced_entry)
    return Diff(summary, *(counted + _within_room(shown, way) for way in ways))


@dataclass(frozen=True, slots=True)
class _Shown:
    """A file as it is shown."""

    head: str
    change: Change
    comparison: _Comparison | None


def _within_room(shown: Sequence[_Shown], show: Callable[[_Shown, int], str]) -> list[str]:
    entries, room = [], TOTAL_BYTES
    for each in shown:
        entries.append(show(each, min(ENTRY_BYTES, room)))
        room = max(0, room - len(entries[-1]))
    return entries


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


def _entry(shown: _Shown, room: int) -> str:
    comparison = shown.comparison
    if (line := _in_a_line(shown)) is not None or comparison is None:
        return line or shown.head
    return _hunks_within(shown.head, comparison.lines(), comparison.added + comparison.removed, room)


def _brief_entry(shown: _Shown, room: int) -> str:
    """Return an entry for whoever knows what was sent: not the text that came, nor what stands around a change."""
    comparison, change = shown.comparison, shown.change
    if (line := _in_a_line(shown)) is not None or comparison is None:
        return line or shown.head
    if change.before is None or change.after is None:
        lines = count_noun(comparison.added + comparison.removed, "line")
        return f"{shown.head} ({lines}, {_size(change.after if change.before is None else change.before)})"
    folded = _fold(comparison)
    return _hunks_within(shown.head, folded, sum(each[0] in "+-" for each in folded), room)


def _replaced_entry(shown: _Shown, room: int) -> str:
    """Return the brief entry without hunks that only add lines, which are counted."""
    comparison, change = shown.comparison, shown.change
    if comparison is None or change.before is None or change.after is None or not comparison.replaced:
        return _brief_entry(shown, room)
    replaced = [(old, new) for old, new in comparison.replaced if old.stop > old.start]
    came = sum(new.stop - new.start for old, new in comparison.replaced if old.stop == old.start)
    if not came:
        return _brief_entry(shown, room)
    head = f"{shown.head} ({count_noun(came, 'new line')})"
    folded = _fold(replace(comparison, replaced=replaced)) if replaced else []
    return _hunks_within(head, folded, sum(each[0] in "+-" for each in folded), room)


def _fold(comparison: _Comparison) -> list[str]:
    cut = list(islice(comparison.lines(context=0), FOLDED_LINES))
    return fold(cut, list(islice(comparison.lines(context=0, whole=True), FOLDED_LINES)))


def _in_a_line(shown: _Shown) -> str | None:
    """Return what is to be said where there are no lines to show."""
    change, comparison = shown.change, shown.comparison
    if change.before == change.after:
        return shown.head
    if comparison is None or not comparison.replaced:
        return f"{shown.head} ({_size(change.before)} → {_size(change.after)})"
    return None


def _hunks_within(head: str, lines: Iterable[str], left: int, room: int) -> str:
    body: list[str] = []
    for line in lines:
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


def _hunks(changes: list[Replaced], context: int) -> list[list[Replaced]]:
    """Return the changes in groups, those that are so close that the lines around them meet in one."""
    hunks: list[list[Replaced]] = []
    for change in changes:
        if hunks and change[0].start - hunks[-1][-1][0].stop <= 2 * context:
            hunks[-1].append(change)
        else:
            hunks.append([change])
    return hunks


def _hunk(changes: list[Replaced], before: list[str], after: list[str], context: int, cut: _Cut) -> list[str]:
    lead = min(context, changes[0][0].start)
    at = changes[0][0].start - lead
    lines: list[str] = []
    for old, new in changes:
        lines += [f" {cut(line, 0)}" for line in before[at : old.start]]
        lines += _replaced(before[old], after[new], cut)
        at = old.stop
    lines += [f" {cut(line, 0)}" for line in before[at : at + context]]
    removed = _range(changes[0][0].start - lead, sum(line[0] != "+" for line in lines))
    added = _range(changes[0][1].start - lead, sum(line[0] != "-" for line in lines))
    return [f"@@ -{removed} +{added} @@", *lines]


def _replaced(old: list[str], new: list[str], cut: _Cut) -> list[str]:
    """Return lines that go and lines that come; of a long one, the part in which it differs from that in its place."""
    gone = [f"-{cut(line, _place(number, old, new))}" for number, line in enumerate(old)]
    return gone + [f"+{cut(line, _place(number, new, old))}" for number, line in enumerate(new)]


def _place(number: int, lines: list[str], others: list[str]) -> int:
    """Return where a line differs from that in its place or, where there is none, from the one before it."""
    if number < len(others):
        return _count_same(lines[number], others[number])
    return _count_same(lines[number - 1], lines[number]) if number else 0


def _whole(line: str, place: int) -> str:
    del place
    return line


def _text_around(line: str, place: int) -> str:
    body = line.removesuffix("\n")
    if len(body) <= LINE_CHARS:
        return line
    if (start := body.find(_BYTES)) >= 0:
        return f'{body[:start]}{_BYTES}…") ({len(body):,} characters){line[len(body) :]}'
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
