"""What can go wrong with a Godot text file, as faults a caller can act on.

    Invalid
    ├── ParseError      the file, or a value in it, is not what the engine reads; says where
    └── EditError       the edit asked for would make a file the engine could not read as meant

`Malformed` is the bare form inside the parsers, which know an offset but neither the file nor the line.
"""

from __future__ import annotations

import re
from bisect import bisect_left

from scenewright.core.faults import Invalid

__all__ = ["EditError", "LineIndex", "Malformed", "ParseError", "line_and_column"]


class Malformed(ValueError):
    """A text that does not follow the grammar, at an offset of that text."""

    def __init__(self, reason: str, offset: int) -> None:
        super().__init__(reason)
        self.reason = reason
        self.offset = offset


class ParseError(Invalid):
    """A broken place of a file; lines and columns count from 1, columns in characters."""

    def __init__(self, reason: str, *, line: int, column: int, file: str | None = None) -> None:
        where = f"{file or 'text'}:{line}:{column}"
        super().__init__(f"{where}: {reason}", details={"file": file, "line": line, "column": column})
        self.reason = reason
        self.file = file
        self.line = line
        self.column = column


class EditError(Invalid):
    """An edit that cannot be made."""


class LineIndex:
    """The lines of a text, for many offsets."""

    def __init__(self, text: str) -> None:
        self._ends = [match.start() for match in re.finditer("\n", text)]

    def place(self, offset: int) -> tuple[int, int]:
        """Return the line and column of an offset, both counted from 1."""
        line = bisect_left(self._ends, offset)
        return line + 1, offset - (self._ends[line - 1] if line else -1)


def line_and_column(text: str, offset: int) -> tuple[int, int]:
    """Return the line and column of an offset in a text, both counted from 1."""
    return text.count("\n", 0, offset) + 1, offset - text.rfind("\n", 0, offset)
