"""Reads what the engine says it would rename, file by file."""

from __future__ import annotations

import re
from collections.abc import Iterable

import msgspec

__all__ = ["Planned", "read_plan"]

_FILE = re.compile(r'^Checking for conversion - \d+/\d+ file - "(?P<path>.*)" with size')
_RENAME = re.compile(r'^\t+Line ?\((?P<line>\d+)\), (?P<what>.*?)\s+-\s+LINE """ .* """\s*$')
_REWRITE = re.compile(r'^\t+Line ?\((?P<line>\d+)\) - FULL LINES - """ (?P<old>.*) """\s+=+>\s+""" (?P<new>.*) """\s*$')


class Planned(msgspec.Struct, frozen=True):
    """One thing that would be other."""

    path: str
    line: int
    change: str


def read_plan(lines: Iterable[str]) -> list[Planned]:
    """Return what the engine would change, in the order it reports it."""
    changes: list[Planned] = []
    path = ""
    for line in lines:
        if file := _FILE.match(line):
            path = file["path"]
        elif rename := _RENAME.match(line):
            changes.append(Planned(path, int(rename["line"]), rename["what"]))
        elif rewrite := _REWRITE.match(line):
            changes.append(Planned(path, int(rewrite["line"]), f"{rewrite['old']} -> {rewrite['new']}"))
    return changes
