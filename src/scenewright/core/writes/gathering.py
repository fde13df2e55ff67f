"""Commits of one process that wait at the same time go together: what makes each durable is done once for all of them.

Whoever has the turn takes those along that wait; they find that they are settled. Knows nothing of files or databases.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import PurePosixPath

from scenewright.core.projects.file_names import plain_name
from scenewright.core.writes.changeset import Change
from scenewright.core.writes.ledger import Author, Entry
from scenewright.core.writes.locks import busy_elsewhere

__all__ = ["Commitment", "Gathering", "compatible"]


@dataclass(slots=True, eq=False)
class Commitment:
    """What one call wants written, and what became of it."""

    changes: Sequence[Change]
    author: Author
    seen: Mapping[str, bytes | None] = field(default_factory=dict)
    live: Sequence[Change] = ()
    vacated: Iterable[str] = ()
    entry: Entry | None = None
    error: BaseException | None = None
    settled: bool = False

    def succeed(self, entry: Entry) -> None:
        self.entry, self.settled = entry, True

    def fail(self, error: BaseException) -> None:
        self.error, self.settled = error, True

    def result(self) -> Entry:
        """Return the entry.

        Raises:
            BaseException: what it failed with.
        """
        if self.error is not None:
            raise self.error
        assert self.entry is not None
        return self.entry

    @property
    def is_plain(self) -> bool:
        """Whether it only writes files, so that others can be written beside it."""
        author = self.author
        writes = all(change.after is not None for change in self.changes)
        return writes and not (self.live or self.vacated or author.deed or author.undoes or author.live)


class Gathering:
    """The turn to write, and those who wait for it."""

    def __init__(self) -> None:
        self._changed = threading.Condition()
        self._taken = False
        self._waiting: list[Commitment] = []

    @contextmanager
    def turn(self, wait: float) -> Iterator[None]:
        """Have the turn.

        Raises:
            Conflict: others have it for longer than the wait.
        """
        with self._changed:
            if not self._changed.wait_for(lambda: not self._taken, wait):
                raise busy_elsewhere()
            self._taken = True
        try:
            yield
        finally:
            self._pass_on()

    @contextmanager
    def joined(self, commitment: Commitment, wait: float) -> Iterator[bool]:
        """Wait until somebody has settled it, or it is this thread's turn; yield whether it is.

        Raises:
            Conflict: others have the turn for longer than the wait.
        """
        until = time.monotonic() + wait
        with self._changed:
            self._waiting.append(commitment)
            while not commitment.settled and self._taken:
                # Whoever has taken it along will settle it.
                mine = commitment in self._waiting
                if not self._changed.wait(max(0.0, until - time.monotonic()) if mine else None) and mine:
                    self._waiting.remove(commitment)
                    raise busy_elsewhere()
            leads = not commitment.settled
            self._taken = self._taken or leads
        try:
            yield leads
        finally:
            if leads:
                self._pass_on(commitment)

    def take(self) -> list[Commitment]:
        """Take along those who wait; for who has the turn."""
        with self._changed:
            taken, self._waiting = self._waiting, []
        return taken

    def _pass_on(self, commitment: Commitment | None = None) -> None:
        with self._changed:
            if commitment in self._waiting:
                self._waiting.remove(commitment)
            self._taken = False
            self._changed.notify_all()


def compatible(waiting: Sequence[Commitment]) -> Iterator[list[Commitment]]:
    """Yield those that can be made at once, in their order: none meets a file that another writes.

    Paths are compared as systems do that know no case, where two of them may be one file.
    """
    group: list[Commitment] = []
    written: set[str] = set()
    for commitment in waiting:
        paths = {_plain(change.path) for change in commitment.changes}
        around = {str(folder) for path in paths for folder in PurePosixPath(path).parents}
        meets = not written.isdisjoint(paths | around | set(map(_plain, commitment.seen))) or any(
            not paths.isdisjoint(map(str, PurePosixPath(path).parents)) for path in written
        )
        if group and (meets or not commitment.is_plain or not group[0].is_plain):
            yield group
            group, written = [], set()
        group.append(commitment)
        written |= paths
    if group:
        yield group


def _plain(path: str) -> str:
    return "/".join(map(plain_name, path.split("/")))
