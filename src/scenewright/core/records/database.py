"""Our SQLite files: opened the same way everywhere, and their errors told as faults that say what to do."""

from __future__ import annotations

import errno
import os
import sqlite3
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from scenewright.core.faults import Conflict, Denied, Fault
from scenewright.core.projects.project import STATE_FOLDER
from scenewright.core.writes.disk import make_private_file

__all__ = [
    "Damaged",
    "check_database",
    "connect",
    "connect_read_only",
    "explain_error",
    "explained",
    "is_damage",
    "is_refusal",
    "make_own_database",
]

BUSY_SECONDS = 5.0
WORKFLOWS = "workflows.sqlite"
_FULL = (errno.ENOSPC, errno.EDQUOT)
_REFUSED = (sqlite3.SQLITE_READONLY, sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_PERM)


class Damaged(Fault):
    """A file of ours cannot be read any more; it is for a person to decide what becomes of it."""

    def __init__(self, path: Path, detail: object) -> None:
        super().__init__(
            f"{path.name} is damaged ({detail}). Nothing was written.",
            hint=f"Move {path.name} and the files that start with its name out of their folder in"
            f" {STATE_FOLDER}/ (`scenewright state` shows it); scenewright then starts a new one. The project's own"
            " files are not affected.",
        )


def connect(path: Path | None, schema: str, *, synchronous: str) -> sqlite3.Connection:
    """Open a database, in memory without a path, and make its tables; its files are for this user only.

    Raises:
        sqlite3.Error: it cannot be opened, or is none.
    """
    if path is not None:
        with suppress(PermissionError, FileNotFoundError):  # SQLite says it again, and may still read
            make_own_database(path)
    database = sqlite3.connect(path or ":memory:", timeout=BUSY_SECONDS, isolation_level=None, check_same_thread=False)
    try:
        _use_wal(database)
        database.execute(f"PRAGMA synchronous = {synchronous}")
        database.execute("PRAGMA foreign_keys = ON")
        database.executescript(schema)
    except UnicodeDecodeError as error:  # SQLite quotes the damaged part of the file, which is no text
        database.close()
        raise _damage(error) from None
    except BaseException:
        database.close()
        raise
    return database


def make_own_database(path: Path) -> None:
    """Make an empty database that only this user can read, where there is none; SQLite's other files follow it.

    Raises:
        sqlite3.OperationalError: a link or another user's file is there.
        OSError: it cannot be made.
    """
    try:
        for ending in ("", "-wal", "-shm", "-journal"):
            part = path.with_name(path.name + ending)
            if not ending or os.path.lexists(part):
                make_private_file(part)
    except (PermissionError, FileNotFoundError):
        raise
    except OSError as error:
        refusal = sqlite3.OperationalError(error.strerror)
        refusal.sqlite_errorcode = sqlite3.SQLITE_CANTOPEN
        raise refusal from error


def check_database(path: Path) -> None:
    """Make sure that a database which another library is about to use is for this user only, and is one.

    Raises:
        Fault: it is damaged, cannot be written, or is a link.
    """
    with explained(path):
        make_own_database(path)
        database = sqlite3.connect(path, timeout=BUSY_SECONDS)
        try:
            (verdict,) = database.execute("PRAGMA quick_check(1)").fetchone()
        finally:
            database.close()
        if verdict != "ok":
            raise Damaged(path, verdict)


def explain_error(error: BaseException) -> Fault | None:
    """Return the fault behind an error that nobody expected, where it is the disk's or a database's and not a bug."""
    seen: set[int] = set()
    waiting: list[BaseException | None] = [error]
    while waiting:
        current = waiting.pop(0)
        if current is None or id(current) in seen:
            continue
        seen.add(id(current))
        if _is_full(current):
            return Denied(
                "The disk is full, so the call could not be finished.",
                hint="Free some space, then look at what is there before you call again.",
            )
        if isinstance(current, sqlite3.Error) and _code(current) != sqlite3.SQLITE_ERROR:
            return _fault(Path(WORKFLOWS), current)  # the only one whose errors come to us through another library
        # What another library has wrapped is its `orig`, as with SQLAlchemy, or the cause.
        waiting += [getattr(current, "orig", None), current.__cause__, current.__context__]
    return None


def connect_read_only(path: Path) -> sqlite3.Connection:
    """Open a database in a folder where nothing can be written."""
    # SQLite must make files beside a write-ahead log to read it, unless it is told that nobody will write.
    quiet = not path.with_name(path.name + "-wal").exists()
    address = f"{path.as_uri()}?{'immutable=1' if quiet else 'mode=ro'}"
    return sqlite3.connect(address, uri=True, timeout=BUSY_SECONDS, isolation_level=None, check_same_thread=False)


@contextmanager
def explained(path: Path) -> Iterator[None]:
    """Turn an error of SQLite into a fault."""
    try:
        yield
    except UnicodeDecodeError as error:
        raise Damaged(path, _damage(error)) from error
    except sqlite3.Error as error:
        raise _fault(path, error) from error


def is_damage(error: sqlite3.Error) -> bool:
    return _code(error) in (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB)


def _damage(error: UnicodeDecodeError) -> sqlite3.DatabaseError:
    damage = sqlite3.DatabaseError(f"a text in it is none ({error.reason})")
    damage.sqlite_errorcode = sqlite3.SQLITE_CORRUPT
    return damage


def is_refusal(error: sqlite3.Error) -> bool:
    """Return whether the file or its folder may not be written."""
    return _code(error) in _REFUSED


def _use_wal(database: sqlite3.Connection) -> None:
    # SQLite does not wait for another process that makes the same switch at the same moment.
    deadline = time.monotonic() + BUSY_SECONDS
    while True:
        try:
            database.execute("PRAGMA journal_mode = WAL")
            return
        except sqlite3.OperationalError as error:
            if _code(error) != sqlite3.SQLITE_BUSY or time.monotonic() > deadline:
                raise
        time.sleep(0.002)


def _code(error: sqlite3.Error) -> int:
    # Misuse of the module has no code; the low byte is the kind of error.
    return getattr(error, "sqlite_errorcode", sqlite3.SQLITE_ERROR) & 0xFF


def _is_full(error: BaseException) -> bool:
    if isinstance(error, sqlite3.Error):
        return _code(error) == sqlite3.SQLITE_FULL
    return isinstance(error, OSError) and error.errno in _FULL


def _fault(path: Path, error: sqlite3.Error) -> Fault:
    name = f"{STATE_FOLDER}'s {path.name}"
    match _code(error):
        case sqlite3.SQLITE_BUSY | sqlite3.SQLITE_LOCKED:
            return Conflict(f"{name} is in use by another program.", hint="Close what has it open, or try again.")
        case sqlite3.SQLITE_FULL:
            return Denied("The disk is full. Nothing was written.", hint="Free some space, then call again.")
        case code if code in _REFUSED or code == sqlite3.SQLITE_IOERR:
            return Denied(
                f"{name} cannot be written ({error}), so the change could not be undone. Nothing was written.",
                hint="Check the permissions of the folder and the free space.",
            )
    return Damaged(path, error)
