"""The audit log: one JSON line per call, each bound to the one before by a hash; `audit_chain` reads and judges them.

Several processes append to one chain under a lock. A line that a killed process left unfinished is closed by the
next one, which records that line's hash, so that it cannot be mistaken for tampering.

The lock's file, `head`, says how the chain stands: the numbers of its first and last record, the last one's hash, and
the log's size after it. So an append need not read the log, and records cut off at either end are noticed. It is
written after the record; where a kill came between the two, its size is wrong and the log itself is read.

Where the log lies in a folder that a project may bring, its head is with our own records. A log without a head came
from elsewhere then: it is set aside, and never gone on with.
"""

from __future__ import annotations

import errno
import hashlib
import logging
import os
import stat
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from itertools import islice
from pathlib import Path
from typing import Any

import msgspec

from scenewright.core.records.audit_chain import (
    GENESIS,
    Verdict,
    encode,
    first_number,
    hash_of,
    read_tail,
    records_from_end,
    verify,
)
from scenewright.core.records.redaction import redact
from scenewright.core.writes.disk import BINARY, write_private_file
from scenewright.core.writes.locks import locked

__all__ = ["AuditLog", "Verdict"]

logger = logging.getLogger(__name__)
WAIT_SECONDS = 5.0  # who holds the lock needs microseconds
HEAD_BYTES = 256


class _Head(msgspec.Struct, frozen=True, kw_only=True):
    n: int
    hash: str
    first: int
    size: int = -1
    inode: int = -1

    def fits(self, log: os.stat_result | None) -> bool:
        return log is not None and _identity(log) == (self.size, self.inode)


@dataclass(frozen=True, slots=True)
class _Standing:
    """Where the next record goes on."""

    head: _Head
    rest: bytes = b""  # what an interrupted write left at the end
    closed: bool = True


class AuditLog:
    """An append-only chain of records with rotation."""

    def __init__(self, path: Path, *, head: Path | None = None, max_bytes: int = 5 << 20, backups: int = 3) -> None:
        self.path = path
        self._needs_head = head is not None
        self._max_bytes = max_bytes
        self._backups = backups
        self._head_path = head or path.with_name(f".{path.name}.head")

    def append(self, record: Mapping[str, Any]) -> None:
        """Add a record; `ts`, the number and the hashes are filled in, secrets are taken out.

        Raises:
            OSError: it cannot be written.
            Conflict: another process holds the log for too long.
        """
        body = redact(record)
        with self._hold_lock() as lock:
            head = _read_head(lock)
            if head is None and self._needs_head:
                self._set_aside()
            log = self._status()
            standing = _Standing(head) if head is not None and head.fits(log) else self._look_at_log(head)
            head = standing.head
            full = {"ts": _now(), **body, "n": head.n + 1, "prev": head.hash}
            if standing.rest:
                full["torn"] = hashlib.sha256(standing.rest).hexdigest()
            digest = hash_of(full)
            line = encode(full | {"hash": digest}) + b"\n"
            if log is not None and log.st_size + len(line) > self._max_bytes and not standing.rest:
                head = self._rotate(head, lock)
                standing = _Standing(head)
            size, inode = self._write(line if standing.closed else b"\n" + line)
            _write_head(lock, _Head(n=head.n + 1, hash=digest, first=head.first, size=size, inode=inode))

    def tail(self, count: int) -> list[dict[str, Any]]:
        """Return the last records, oldest first."""
        return list(islice(self.newest_first(), count))[::-1]

    def newest_first(self) -> Iterator[dict[str, Any]]:
        """Yield the records from the last one back; reads only as far as somebody wants them."""
        if self._needs_head and not self._head_path.exists():
            return  # nothing here is ours
        try:
            files = self._files()
        except FileNotFoundError:
            return
        for path in reversed(files):
            yield from records_from_end(path)

    def fingerprint(self) -> tuple[int, int] | None:
        """Return what changes with each record, at the price of a look at the file; None where there is no log."""
        try:
            status = self._status()
        except OSError:
            return None
        return _identity(status) if status is not None else None

    def verify(self) -> Verdict:
        """Check every record of every file that is left."""
        try:
            with self._hold_lock() as lock:
                return self._judge_chain(_read_head(lock))
        except (PermissionError, FileNotFoundError):
            pass  # nothing can be written there, so nobody writes there
        try:
            with open(self._head_path, "rb") as file:
                return self._judge_chain(_read_head(file.fileno()))
        except FileNotFoundError:
            return self._judge_chain(None)

    def _judge_chain(self, head: _Head | None) -> Verdict:
        if head is None and self._needs_head and os.path.lexists(self.path):
            return Verdict(0, "this log came from elsewhere, or its head is gone", ())
        if head is None:
            return verify(self._files(), last=None, first=None)
        return verify(self._files(), last=(head.n, head.hash), first=head.first)

    @contextmanager
    def _hold_lock(self) -> Iterator[int]:
        if not self.path.parent.is_dir():
            self.path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            # A folder of ours; what a person puts there, such as guidelines, is still theirs to commit.
            ignored = f"{self.path.name}*\n.{self.path.name}.head\n.gitignore\n"
            write_private_file(self.path.parent / ".gitignore", ignored)
        with locked(self._head_path, WAIT_SECONDS) as descriptor:
            yield descriptor

    def _status(self) -> os.stat_result | None:
        try:
            status = os.lstat(self.path)
        except FileNotFoundError:
            return None
        if not stat.S_ISREG(status.st_mode):  # to open a pipe would be to wait
            raise OSError(errno.EINVAL, "it is not a regular file", str(self.path))
        return status

    def _set_aside(self) -> None:
        """Move a log that came with the project out of the way, whatever it is."""
        places = [*(self._backup(number) for number in self._backup_numbers()), self.path]
        for place in (place for place in places if os.path.lexists(place)):
            number = next(number for number in range(1, 10_000) if not os.path.lexists(_set_aside_name(place, number)))
            place.rename(_set_aside_name(place, number))
            logger.warning(
                "audit: %s came with the project and was renamed to %s", place, _set_aside_name(place, number).name
            )

    def _look_at_log(self, head: _Head | None) -> _Standing:
        """Return how the chain stands by the log itself."""
        files = self._files()
        tail = read_tail(self.path)
        last = tail.record
        for path in reversed(files):
            last = last or read_tail(path).record
        if head is None:
            first = next((number for path in files if (number := first_number(path))), 1)
            head = _Head(n=0, hash=GENESIS, first=first)
        # A head that is ahead of the log has seen records that are gone; going on from it leaves the gap to be seen.
        if last is not None and last["n"] >= head.n:
            head = _Head(n=last["n"], hash=last["hash"], first=head.first)
        return _Standing(head, tail.rest, tail.closed)

    def _write(self, data: bytes) -> tuple[int, int]:
        descriptor = os.open(self.path, os.O_WRONLY | os.O_CREAT | os.O_APPEND | BINARY, 0o600)
        try:
            if os.write(descriptor, data) != len(data):
                raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC), str(self.path))
            return _identity(os.fstat(descriptor))
        finally:
            os.close(descriptor)

    def _rotate(self, head: _Head, lock: int) -> _Head:
        """Make the full log the first backup, and drop what there is no place for."""
        taken = self._backup_numbers()
        # Only up to the first free place, which a rotation that was interrupted may have left.
        free = next((number for number in range(1, self._backups + 1) if number not in taken), self._backups)
        dropped = [number for number in taken if number >= free and (number == free or number > self._backups)]
        kept = [self._backup(number) for number in reversed(taken) if number not in dropped]
        kept += [self.path] if self._backups else []
        first = next((number for path in kept if (number := first_number(path))), head.n + 1)
        # First noted, then dropped: a kill in between must not look as if records were missing.
        head = msgspec.structs.replace(head, first=first)
        _write_head(lock, head)
        for number in dropped:
            self._backup(number).unlink()
        for number in range(free, 1, -1):
            self._backup(number - 1).replace(self._backup(number))
        if self._backups:
            self.path.replace(self._backup(1))
        else:
            self.path.unlink()
        return head

    def _files(self) -> list[Path]:
        """Return the log's files, oldest first."""
        return [*(self._backup(number) for number in reversed(self._backup_numbers())), self.path]

    def _backup_numbers(self) -> list[int]:
        prefix = f"{self.path.name}."
        with os.scandir(self.path.parent) as entries:
            endings = [entry.name.removeprefix(prefix) for entry in entries if entry.name.startswith(prefix)]
        return sorted(int(ending) for ending in endings if ending.isascii() and ending.isdigit() and ending[0] != "0")

    def _backup(self, number: int) -> Path:
        return self.path.with_name(f"{self.path.name}.{number}")


def _set_aside_name(place: Path, number: int) -> Path:
    return place.with_name(f"{place.name}.set-aside-{number}")


def _identity(log: os.stat_result) -> tuple[int, int]:
    # Some file systems have numbers of 128 bits.
    return log.st_size, log.st_ino % (1 << 63)


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="milliseconds")


def _read_head(lock: int) -> _Head | None:
    try:
        return msgspec.json.decode(os.read(lock, HEAD_BYTES), type=_Head)
    except (msgspec.DecodeError, UnicodeDecodeError):
        return None


def _write_head(lock: int, head: _Head) -> None:
    # Always of the same length and in one piece, so that a kill leaves the old head or the new one.
    os.lseek(lock, 0, os.SEEK_SET)
    os.write(lock, msgspec.json.encode(head).ljust(HEAD_BYTES - 1) + b"\n")
