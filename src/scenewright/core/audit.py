"""The audit log: one JSON line per call, each bound to the one before by a hash.

Several processes append to one chain under a lock. A line that a killed process left unfinished is closed by the
next one, which records that line's hash, so that it cannot be mistaken for tampering. `head` beside the log holds
the last record's number, so that lines cut off at the end are noticed too.
"""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import msgspec

from scenewright.core.locks import locked
from scenewright.core.redaction import redact

__all__ = ["AuditLog", "Verdict"]

GENESIS = "0" * 64
TAIL_BYTES = 1 << 16


@dataclass(frozen=True, slots=True)
class Verdict:
    """What a look at the whole chain found."""

    records: int
    problem: str | None
    notes: tuple[str, ...]

    @property
    def intact(self) -> bool:
        return self.problem is None


@dataclass(frozen=True, slots=True)
class _Tail:
    number: int
    digest: str
    torn: bytes


class AuditLog:
    """An append-only chain of records with rotation."""

    def __init__(self, path: Path, *, max_bytes: int = 5 << 20, backups: int = 3) -> None:
        self.path = path
        self._max_bytes = max_bytes
        self._backups = backups

    def append(self, record: Mapping[str, Any]) -> None:
        """Adds a record; `ts`, the number and the hashes are filled in, secrets are taken out."""
        self.path.parent.mkdir(parents=True, exist_ok=True)
        body = redact(record)
        with locked(self._beside("lock")):
            tail = self._tail()
            self._write(body, tail)

    def tail(self, count: int) -> list[dict[str, Any]]:
        """The last records, oldest first."""
        records: list[dict[str, Any]] = []
        for path in [self.path, *(self._backup(n) for n in range(1, self._backups + 1))]:
            if len(records) >= count or not path.exists():
                break
            records = [r for _, r in _records(path) if r is not None] + records
        return records[-count:] if count else []

    def verify(self) -> Verdict:
        """Checks every record of every file that is left."""
        files = [self._backup(n) for n in range(self._backups, 0, -1)] + [self.path]
        with locked(self._beside("lock")):
            return _verify([path for path in files if path.exists()], self._head())

    def _write(self, body: dict[str, Any], tail: _Tail) -> None:
        full = {
            "ts": datetime.now(UTC).isoformat(timespec="milliseconds"),
            **body,
            "n": tail.number + 1,
            "prev": tail.digest,
        }
        if tail.torn:
            full["torn"] = hashlib.sha256(tail.torn).hexdigest()
        digest = _digest(full)
        line = _encode(full | {"hash": digest}) + b"\n"
        if not tail.torn:
            self._rotate(len(line))
        descriptor = os.open(self.path, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
        try:
            os.write(descriptor, b"\n" + line if tail.torn else line)
        finally:
            os.close(descriptor)
        self._beside("head").write_bytes(_encode({"n": full["n"], "hash": digest}))

    def _tail(self) -> _Tail:
        for path in (self.path, self._backup(1)):
            last, torn = _last_record(path)
            if last is not None:
                return _Tail(last["n"], last["hash"], torn)
            if torn:
                before, _ = _last_record(self._backup(1))
                number, digest = (before["n"], before["hash"]) if before else (0, GENESIS)
                return _Tail(number, digest, torn)
        return _Tail(0, GENESIS, b"")

    def _rotate(self, incoming: int) -> None:
        if not self.path.exists() or self.path.stat().st_size + incoming <= self._max_bytes:
            return
        if self._backups == 0:
            self.path.unlink()
            return
        for number in range(self._backups, 1, -1):
            if self._backup(number - 1).exists():
                self._backup(number - 1).replace(self._backup(number))
        self.path.replace(self._backup(1))

    def _head(self) -> int:
        try:
            return int(json.loads(self._beside("head").read_bytes())["n"])
        except (OSError, ValueError, KeyError, TypeError):
            return 0

    def _backup(self, number: int) -> Path:
        return self.path.with_name(f"{self.path.name}.{number}")

    def _beside(self, what: str) -> Path:
        return self.path.with_name(f".{self.path.name}.{what}")


def _encode(record: Mapping[str, Any]) -> bytes:
    return msgspec.json.encode(record, order="sorted")


def _digest(record: Mapping[str, Any]) -> str:
    return hashlib.sha256(_encode(record)).hexdigest()


def _last_record(path: Path) -> tuple[dict[str, Any] | None, bytes]:
    """The last whole record, and what an interrupted write left behind it."""
    try:
        with open(path, "rb") as file:
            size = file.seek(0, os.SEEK_END)
            window = TAIL_BYTES
            while True:
                start = max(0, size - window)
                file.seek(start)
                found, torn = _split_tail(file.read(), whole=start == 0)
                if found is not None or start == 0:
                    return found, torn
                window *= 4
    except FileNotFoundError:
        return None, b""


def _split_tail(data: bytes, *, whole: bool) -> tuple[dict[str, Any] | None, bytes]:
    body, newline, torn = data.rpartition(b"\n")
    lines = body.split(b"\n") if newline else []
    for line in reversed(lines if whole else lines[1:]):
        record = _parse(line)
        if record is not None:
            return record, torn
    return None, torn if newline or whole else b""


def _parse(line: bytes) -> dict[str, Any] | None:
    try:
        record = json.loads(line)
    except ValueError:
        return None
    whole = isinstance(record, dict) and isinstance(record.get("n"), int) and isinstance(record.get("hash"), str)
    return record if whole else None


def _records(path: Path) -> Iterator[tuple[bytes, dict[str, Any] | None]]:
    for line in path.read_bytes().split(b"\n"):
        if line:
            yield line, _parse(line)


def _verify(files: list[Path], head: int) -> Verdict:
    count, previous, torn = 0, None, None
    notes: list[str] = []
    for path in files:
        for line, record in _records(path):
            where = f"{path.name}, record {count + 1}"
            if record is None:
                torn = hashlib.sha256(line).hexdigest()
                continue
            problem = _problem(record, previous, torn)
            if problem:
                return Verdict(count, f"{where} (n={record['n']}): {problem}", tuple(notes))
            if previous is None and record["n"] > 1:
                notes.append(f"Starts at record {record['n']}: older files were rotated away.")
            if torn:
                notes.append(f"Before record {record['n']} a write was interrupted; that line is accounted for.")
            count, previous, torn = count + 1, record, None
    if previous is not None and head > previous["n"]:
        return Verdict(count, f"records {previous['n'] + 1} to {head} are missing at the end", tuple(notes))
    if previous is None and head:
        return Verdict(count, f"all {head} records are missing", tuple(notes))
    if torn:
        notes.append("The last line was interrupted; the next record will account for it.")
    return Verdict(count, None, tuple(notes))


def _problem(record: dict[str, Any], previous: dict[str, Any] | None, torn: str | None) -> str | None:
    body = {key: value for key, value in record.items() if key != "hash"}
    if _digest(body) != record["hash"]:
        return "its content does not match its hash"
    if record.get("torn") != torn:
        return "a line before it is not accounted for"
    if previous is None:
        return "it does not start the chain" if record["n"] == 1 and record["prev"] != GENESIS else None
    if record["n"] != previous["n"] + 1 or record["prev"] != previous["hash"]:
        return "it does not follow the record before it"
    return None
