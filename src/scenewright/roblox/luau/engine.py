"""The Luau virtual machine itself, as pluau brings it, and the way values take in and out of it.

Never imported by a server process: the library prints on standard output and never lets another thread run.
"""

from __future__ import annotations

import math
import sys
import types
from importlib import import_module
from typing import Any

__all__ = ["LuauError", "Values", "pluau", "text"]


def _load() -> Any:
    # The package's one module of annotations uses a statement that Python knows from 3.12 on.
    if sys.version_info < (3, 12) and "pluau.args" not in sys.modules:
        stand_in = types.ModuleType("pluau.args")
        stand_in.Argument = object  # type: ignore[attr-defined]
        sys.modules["pluau.args"] = stand_in
    return import_module("pluau")


pluau: Any = _load()
LuauError = RuntimeError  # what pluau raises
MOST_DEPTH = 64
_PLAIN = frozenset((int, float, bool, type(None)))


class Values:
    """Converts between Python's JSON values and Luau's.

    The engine's encoder drops the named entries of a table that has numbered ones too, and writes numbers that JSON
    does not have; `strict` refuses both.
    """

    def __init__(self, lua: Any, *, strict: bool = False) -> None:
        self._lua = lua
        self._strict = strict

    def into(self, value: Any) -> Any:
        """Return a JSON value as Luau has it; null becomes nil."""
        kind = type(value)
        if kind is str:
            # Plain text crosses by itself; bytes that are no text need to be wrapped.
            return value if value.isascii() else self._lua.create_string(value.encode("utf-8", "surrogateescape"))
        if kind is dict:
            table = self._lua.create_table_with_capacity(0, len(value))
            for key, part in value.items():
                table.raw_set(self.into(key), part if type(part) in _PLAIN else self.into(part))
            return table
        if kind in (list, tuple):
            table = self._lua.create_table_with_capacity(len(value), 0)
            for index, part in enumerate(value, 1):
                table.raw_set(index, part if type(part) in _PLAIN else self.into(part))
            return table
        return value

    def out(self, value: Any, depth: int = 0) -> Any:
        """Return a Luau value as JSON has it, in the way of the engine's encoder: an empty table is a list.

        Raises:
            ValueError: JSON has no such thing.
        """
        if value is None or isinstance(value, (bool, int, float)):
            if self._strict and isinstance(value, float) and not math.isfinite(value):
                raise ValueError(f"{value} is not JSON")
            return value
        if isinstance(value, pluau.String):
            return text(value)
        if isinstance(value, pluau.Table):
            if depth > MOST_DEPTH:
                raise ValueError("tables in tables without end")
            return self._table(value, depth + 1)
        raise ValueError(f"a {type(value).__name__.lower()} is not JSON")

    def _table(self, table: Any, depth: int) -> Any:
        length = table.raw_len()
        if length > 0 or table.empty:
            if self._strict and sum(1 for _ in table) != length:
                raise ValueError("a table has both numbered and other entries")
            return [self.out(table.raw_get(index), depth) for index in range(1, length + 1)]
        entries = {}
        for key, part in table:
            entries[text(key) if isinstance(key, pluau.String) else str(key)] = self.out(part, depth)
        return entries


def text(value: Any) -> str:
    """Return a Luau string as Python has it; what is not UTF-8 survives the way back."""
    return bytes(value.as_bytes()).decode("utf-8", "surrogateescape")
