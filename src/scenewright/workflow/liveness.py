"""Who is alive: a run is taken over only when the process that had it is provably dead.

On one machine each process holds a lock on a file of its own for as long as it lives; the system drops the lock when
the process ends, however it ends. `postgres_liveness` has the same for PostgreSQL.
"""

from __future__ import annotations

import os
from contextlib import suppress
from pathlib import Path
from typing import Protocol

from scenewright.core.writes.disk import BINARY
from scenewright.core.writes.locks import BUSY, try_lock

__all__ = ["Liveness", "LockFiles"]


class Liveness(Protocol):
    """How the processes of one database know of each other."""

    def enter(self) -> None:
        """Show from now on that this process lives."""

    def leave(self) -> None:
        """End that; harmless where it never began."""

    def is_sure(self) -> bool:
        """Return whether the others still see this process as alive; where not, it must not begin to write."""

    def is_dead(self, executor: str) -> bool:
        """Return whether another process is provably gone."""


class LockFiles:
    """One locked file per living process, in a folder."""

    def __init__(self, folder: Path, executor: str) -> None:
        self._folder = folder
        self._own = folder / f"{executor}.lock"
        self._descriptor: int | None = None

    def enter(self) -> None:
        self._folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        self._descriptor = os.open(self._own, os.O_RDWR | os.O_CREAT | BINARY, 0o600)
        try_lock(self._descriptor)

    def leave(self) -> None:
        if self._descriptor is not None:
            with suppress(OSError):
                self._own.unlink()
            os.close(self._descriptor)
            self._descriptor = None

    def is_sure(self) -> bool:
        return self._descriptor is not None

    @classmethod
    def any_alive(cls, folder: Path, prefix: str) -> bool:
        """Return whether a process whose name begins so is alive."""
        files = list(folder.glob(f"{prefix}*.lock"))
        return any(not cls(folder, "").is_dead(path.stem) for path in files)

    def is_dead(self, executor: str) -> bool:
        path = self._folder / f"{executor}.lock"
        try:
            descriptor = os.open(path, os.O_RDWR | BINARY)
        except FileNotFoundError:
            return True  # it was there before the first run, and only its owner or an heir removes it
        except OSError:
            return False
        try:
            try_lock(descriptor)
        except BUSY:
            return False
        else:
            with suppress(OSError):
                path.unlink()
            return True
        finally:
            os.close(descriptor)
