"""Patterns for paths as people write them: `*.gd`, `levels/**`, `player_?.tscn`."""

from __future__ import annotations

from fnmatch import fnmatchcase

__all__ = ["is_path_pattern", "matches_path"]

_MARKS = frozenset("*?[")


def is_path_pattern(text: str) -> bool:
    """Return whether a text stands for several paths."""
    return not _MARKS.isdisjoint(text)


def matches_path(path: str, pattern: str, *, ignore_case: bool = False) -> bool:
    """Return whether a path fits; a pattern without a slash is for the name alone, and `*` goes across folders."""
    plain = pattern.removeprefix("res://").removeprefix("/")
    name = path if "/" in plain else path.rpartition("/")[2]
    if ignore_case:
        plain, name = plain.casefold(), name.casefold()
    return fnmatchcase(name, plain) or fnmatchcase(name, plain.replace("**/", ""))
