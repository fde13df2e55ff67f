"""The changes: entries of the project's history, each with its diff and the way to take it back."""

from __future__ import annotations

from collections.abc import Hashable

from scenewright.core.projects.state import ProjectState
from scenewright.core.writes.journal import Entry
from scenewright.core.writes.past_changes import diff_of_entry, taken_back_among
from scenewright.dashboard.markup import Markup, join, tag
from scenewright.dashboard.parts import Links, badge, disclosure, empty, file_stamp
from scenewright.dashboard.words import clip, moment

__all__ = ["Changes", "diff_block"]

WINDOW = 40
_NAMED = 3


class Changes:
    """The newest entries of the journal."""

    name = "changes"

    def __init__(self, state: ProjectState, links: Links) -> None:
        self._state = state
        self._links = links

    def stamp(self) -> Hashable:
        file = self._state.folder / "journal.sqlite"
        return file_stamp(file, file.with_name("journal.sqlite-wal"))

    def render(self) -> Markup:
        entries = self._state.journal.entries(limit=WINDOW)
        if not entries:
            return empty("Nothing was changed yet. Each change can be taken back from here.")
        undone = taken_back_among(entries)
        rows = [self._row(entry, is_undone=entry.id in undone) for entry in entries]
        return tag("ol", *rows, class_="rows changes", data_rows=True)

    def _row(self, entry: Entry, *, is_undone: bool) -> Markup:
        paths = [file.path for file in entry.files] + list(entry.places)
        names = ", ".join(clip(path, 80) for path in paths[:_NAMED])
        rest = f" and {len(paths) - _NAMED} more" if len(paths) > _NAMED else ""
        facts = tag("span", tag("bdi", f"#{entry.id}"), tag("bdi", names + rest), class_="facts")
        head = join(tag("span", tag("bdi", clip(entry.summary, 300)), class_="what"), moment(entry.at), facts)
        more = self._links.to("changes", entry.id)
        return tag(
            "li",
            disclosure(head, more, "What it changed"),
            tag("div", badge("Taken back") if is_undone else self._button(entry), class_="deed"),
            id=f"change-{entry.id}",
            class_="undone" if is_undone else None,
            data_v="undone" if is_undone else "stands",
        )

    def _button(self, entry: Entry) -> Markup:
        label = "Redo" if entry.undoes else "Undo"
        name = f"{label} change {entry.id}: {clip(entry.summary, 80)}"
        return self._links.button(label, "undo", {"entry": str(entry.id)}, class_="undo", aria_label=name)

    def detail(self, number: int) -> Markup:
        """Return the diff of an entry.

        Raises:
            NotFound: there is no such entry.
        """
        journal = self._state.journal
        diff = diff_of_entry(journal, journal.entry(number), self._state.generated)
        return diff_block(diff.entries if diff else ["It was made in the editor, which keeps what it changed."])


def diff_block(entries: list[str]) -> Markup:
    """Return a diff with its lines marked as what they are."""
    lines = [line for entry in entries for line in entry.split("\n")]
    marked = (tag("span", f"{line}\n", class_=_kind(line)) for line in lines)
    return tag("pre", *marked, class_="diff", tabindex="0", aria_label="Diff")


def _kind(line: str) -> str | None:
    return {"+": "added", "-": "removed", "@": "place", " ": None, "": None}.get(line[:1], "file")
