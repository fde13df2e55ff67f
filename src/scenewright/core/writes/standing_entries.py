"""Which entries of the history stand: an editor's own undo and redo change that, and tell nobody but the editor."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from scenewright.core.projects.live import Stage, unchained
from scenewright.core.writes.journal import Entry

__all__ = ["Standing"]


class Standing:
    """Goes through the history from its newest entry on."""

    def __init__(self, stage: Stage | None) -> None:
        self._stage = stage
        self._taken_back: set[int] = set()  # by entries that stand
        self._replaced: dict[tuple[Any, Any], int] = {}  # by editor and scene: the oldest place of a later step

    def among(self, entries: Iterable[Entry]) -> Iterator[Entry]:
        """Yield those that nobody has taken back, or made again, in an editor; newest first, page after page.

        An entry that a later one took back is still among them: what editors have of it is that one's doing.
        """
        for entry in entries:
            reverted = self._is_reverted(entry)
            if entry.id in self._taken_back:
                yield entry
            elif not reverted:
                self._taken_back.update(entry.undoes)
                yield entry

    def _is_reverted(self, entry: Entry) -> bool:
        """Return whether the editor has turned back all that the entry did; what it wrote to files stays, so
        it stands.
        """
        if self._stage is None or not entry.live:
            return False
        made = [] if entry.undoes else [step for steps in unchained(entry.live) for step in steps.values() if step]
        discarded = [self._is_discarded(step) for step in made]
        if entry.id in self._taken_back or any(file.path not in entry.live for file in entry.files):
            return False
        return (bool(discarded) and all(discarded)) or self._stage.reverted(entry.live)

    def _is_discarded(self, step: dict[str, Any]) -> bool:
        """Return whether a later step has the place that this one had, so that it was undone and can never be
        redone.
        """
        place, version = (step.get("pid"), step.get("scene")), step.get("version")
        if version is None:
            return False
        replaced = self._replaced.get(place)
        self._replaced[place] = version if replaced is None else min(replaced, version)
        return replaced is not None and version >= replaced
