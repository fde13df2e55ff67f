"""What the files of a project were like at earlier looks, for as long as the server runs."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from threading import Lock

from scenewright.core.projects.overview import Values
from scenewright.platform.file_listing import Dates, revision_of

__all__ = ["SeenState", "Snapshots"]

_MOST = 50


@dataclass(frozen=True, slots=True)
class SeenState:
    """What a look saw: the files, and what was set in those that are not too large."""

    dates: Dates
    values: Mapping[str, Values]


class Snapshots:
    """Earlier states by project and revision; the oldest are forgotten first."""

    def __init__(self) -> None:
        self._kept: OrderedDict[tuple[Path, str], SeenState] = OrderedDict()
        self._lock = Lock()

    def keep(self, root: Path, state: SeenState) -> str:
        """Remember a state and return its revision."""
        revision = revision_of(state.dates)
        with self._lock:
            self._kept[root, revision] = state
            self._kept.move_to_end((root, revision))
            if len(self._kept) > _MOST:
                self._kept.popitem(last=False)
        return revision

    def find(self, root: Path, revision: str) -> SeenState | None:
        """Return the state of that revision, if it is remembered."""
        with self._lock:
            return self._kept.get((root, revision))

    def close(self) -> None:
        self._kept.clear()
