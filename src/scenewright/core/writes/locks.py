"""A lock between processes, held on a file and dropped by the system when its holder dies."""

from __future__ import annotations

import errno
import os
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from scenewright.core.faults import Conflict
from scenewright.core.writes.disk import BINARY

__all__ = ["BUSY", "WAIT_SECONDS", "busy_elsewhere", "locked", "try_lock"]

WAIT_SECONDS = 30.0

if sys.platform == "win32":
    import msvcrt

    BUSY: type[OSError] = PermissionError

    def try_lock(descriptor: int) -> None:
        try:
            msvcrt.locking(descriptor, msvcrt.LK_NBLCK, 1)
        except OSError as error:
            if error.errno:
                raise
            raise BUSY(errno.EACCES, os.strerror(errno.EACCES)) from None  # Wine gives no reason
else:
    import fcntl

    BUSY: type[OSError] = BlockingIOError

    def try_lock(descriptor: int) -> None:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)


@contextmanager
def locked(path: Path, wait: float = WAIT_SECONDS) -> Iterator[int]:
    """Hold the lock at `path`, against other threads too; give the open file.

    Raises:
        Conflict: another process has held it for longer than the wait.
        OSError: there can be no lock, such as where nothing may be written.
    """
    descriptor = os.open(path, os.O_RDWR | os.O_CREAT | BINARY, 0o600)  # Python sets close-on-exec itself
    try:
        _acquire(descriptor, wait)
        yield descriptor
    finally:
        os.close(descriptor)


def busy_elsewhere() -> Conflict:
    """Return the fault of what has waited for another process for too long."""
    return Conflict(
        "Another scenewright process is busy writing to this project.",
        hint="Try again in a moment; if this persists, look for a process that hangs.",
    )


def _acquire(descriptor: int, wait: float) -> None:
    deadline = time.monotonic() + wait
    pause = 0.0005
    while True:
        try:
            return try_lock(descriptor)
        except BUSY:
            if time.monotonic() >= deadline:
                raise busy_elsewhere() from None
        time.sleep(pause)
        pause = min(pause * 2, 0.05)
