"""What an entry of the history changed, and which entries still stand, for whoever shows them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from scenewright.core.writes.changeset import Change
from scenewright.core.writes.diff import Diff, diff_of

if TYPE_CHECKING:
    from scenewright.core.writes.journal import Entry, Journal

__all__ = ["diff_of_entry", "taken_back_among"]


def diff_of_entry(journal: Journal, entry: Entry, generated: Sequence[str] = ()) -> Diff | None:
    """Return the diff of an entry's files; None where it changed none."""
    changes = [Change(file.path, journal.content(file.before), journal.content(file.after)) for file in entry.files]
    return diff_of(changes, generated)


def taken_back_among(entries: Iterable[Entry]) -> set[int]:
    """Return the numbers of the entries that an undo took back which still stands; the entries come newest first."""
    taken_back: set[int] = set()
    for entry in entries:
        if entry.id not in taken_back:
            taken_back.update(entry.undoes)
    return taken_back
