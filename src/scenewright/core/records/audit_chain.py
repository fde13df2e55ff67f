"""The lines of an audit log: records that each carry the hash of the one before. Reads and judges them, writes none.

A line that is no record is what an interrupted write left behind, or another program's; the next record accounts for
it by its hash.
"""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import msgspec

__all__ = [
    "GENESIS",
    "Tail",
    "Verdict",
    "encode",
    "first_number",
    "hash_of",
    "read_tail",
    "records_from_end",
    "records_in",
    "verify",
]

GENESIS = "0" * 64
TAIL_BYTES = 1 << 16
_MOST_RECORDS = 1 << 62

Record = dict[str, Any]


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
class Tail:
    """The end of a file: its last record, what lies behind that, and whether the last line is a whole one."""

    record: Record | None = None
    rest: bytes = b""
    closed: bool = True


def encode(record: Mapping[str, Any]) -> bytes:
    return msgspec.json.encode(record, order="sorted")


def hash_of(record: Mapping[str, Any]) -> str:
    return hashlib.sha256(encode(record)).hexdigest()


def records_in(path: Path) -> Iterator[tuple[bytes, Record | None]]:
    """Yield each line of a file, with its record where it is one."""
    try:
        lines = path.read_bytes().split(b"\n")
    except FileNotFoundError:  # rotated away in this moment
        return
    for line in lines:
        yield line, _parse(line)


def records_from_end(path: Path) -> Iterator[Record]:
    """Yield the records of a file, the last one first, of which no more is held than a block and a line."""
    try:
        with open(path, "rb") as file:
            end, rest = file.seek(0, os.SEEK_END), b""
            while end:
                start = max(0, end - TAIL_BYTES)
                file.seek(start)
                rest, *lines = (file.read(end - start) + rest).split(b"\n")
                yield from (record for line in reversed(lines) if (record := _parse(line)) is not None)
                end = start
            if (record := _parse(rest)) is not None:
                yield record
    except FileNotFoundError:  # rotated away in this moment
        return


def first_number(path: Path) -> int | None:
    """Return the number of a file's first record."""
    return next((record["n"] for _, record in records_in(path) if record is not None), None)


def read_tail(path: Path) -> Tail:
    """Return the end of a file, of which as little as possible is read."""
    try:
        with open(path, "rb") as file:
            size = file.seek(0, os.SEEK_END)
            window = TAIL_BYTES
            while True:
                start = max(0, size - window)
                file.seek(start)
                tail = _tail_of(file.read(), whole=start == 0)
                if tail.record is not None or start == 0:
                    return tail
                window *= 4
    except FileNotFoundError:
        return Tail()


def verify(files: Sequence[Path], *, last: tuple[int, str] | None, first: int | None) -> Verdict:
    """Follow the chain through its files, oldest first.

    `last` is the number and hash of the record written last, `first` the number of the oldest that is kept, both as
    noted elsewhere; None where there is no such note.
    """
    walk = _Walk(last, first)
    for path in files:
        for line, record in records_in(path):
            if record is None:
                walk.gap.append(line)
            elif problem := walk.step(line, record):
                return Verdict(walk.count, f"{path.name}, record {record['n']}: {problem}", tuple(walk.notes))
    return Verdict(walk.count, walk.end(), tuple(walk.notes))


@dataclass(slots=True)
class _Walk:
    last: tuple[int, str] | None
    first: int | None
    count: int = 0
    previous: Record | None = None
    gap: list[bytes] = field(default_factory=list)  # lines since the last record
    notes: list[str] = field(default_factory=list)

    def step(self, line: bytes, record: Record) -> str | None:
        problem = self._own_problem(line, record) or self._link_problem(record)
        if problem:
            return problem
        if self.gap_hash():
            self.notes.append(f"Before record {record['n']} a write was interrupted; that line is accounted for.")
        self.count, self.previous = self.count + 1, record
        self.gap.clear()
        return None

    def gap_hash(self) -> str | None:
        rest = b"\n".join(self.gap).strip(b"\n")
        return hashlib.sha256(rest).hexdigest() if rest else None

    def end(self) -> str | None:
        if self.gap_hash():
            self.notes.append("The last line was interrupted; the next record will account for it.")
        number = self.previous["n"] if self.previous else 0
        if self.last is None:
            if number:
                self.notes.append("There is no head file; records cut off at the end would not be noticed.")
            return None
        noted, _ = self.last
        if noted > number:
            return f"records {number + 1} to {noted} are missing at the end" if number else "all records are missing"
        # Who was killed right after writing a record has not noted it.
        return f"records {noted + 1} to {number} were not written by scenewright" if number > noted + 1 else None

    def _own_problem(self, line: bytes, record: Record) -> str | None:
        body = {key: value for key, value in record.items() if key != "hash"}
        try:
            matches = hash_of(body) == record["hash"] and encode(record) == line
        except (ValueError, OverflowError, RecursionError):  # it holds what is never written
            matches = False
        if not matches:
            return "its content does not match its hash"
        if self.last is not None and record["n"] == self.last[0] and record["hash"] != self.last[1]:
            return "it is not the record that was written last"
        return None

    def _link_problem(self, record: Record) -> str | None:
        if record.get("torn") != self.gap_hash():
            return "a line before it is not accounted for"
        if self.previous is not None:
            follows = record["n"] == self.previous["n"] + 1 and record["prev"] == self.previous["hash"]
            return None if follows else "it does not follow the record before it"
        if record["n"] == 1:
            return None if record["prev"] == GENESIS else "it does not start the chain"
        if self.first is not None and record["n"] > self.first:
            return f"records {self.first} to {record['n'] - 1} before it are missing"
        self.notes.append(f"Starts at record {record['n']}: older files were rotated away.")
        return None


def _tail_of(data: bytes, *, whole: bool) -> Tail:
    *lines, end = data.split(b"\n")
    # A write that was cut off before its newline is complete all the same.
    if end and (record := _parse(end)) is not None and (whole or lines):
        return Tail(record, closed=False)
    usable = range(len(lines) - 1, -1 if whole else 0, -1)
    for index in usable:
        if (record := _parse(lines[index])) is not None:
            return Tail(record, b"\n".join([*lines[index + 1 :], end]).strip(b"\n"), closed=not end)
    return Tail(None, data.strip(b"\n"), closed=not end)


def _parse(line: bytes) -> Record | None:
    try:
        record = json.loads(line)
    except (ValueError, RecursionError):
        return None
    if not isinstance(record, dict) or type(record.get("n")) is not int or not 0 < record["n"] < _MOST_RECORDS:
        return None
    return record if isinstance(record.get("hash"), str) and isinstance(record.get("prev"), str) else None
