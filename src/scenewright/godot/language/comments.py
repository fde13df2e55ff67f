"""Documentation comments: the `##` lines above a declaration, or the one behind it."""

from __future__ import annotations

import re

__all__ = ["Comments"]

_DOC = re.compile(r"\s*##(?!#) ?(.*)")


class Comments:
    """The `##` comments of one file by line, counted from 1."""

    def __init__(self, source: str) -> None:
        self._lines = source.split("\n")
        self._texts = {
            number: match[1].rstrip() for number, line in enumerate(self._lines, 1) if (match := _DOC.match(line))
        }

    def above(self, line: int) -> str:
        """Return the block that ends right above a line."""
        first = line
        while first - 1 in self._texts:
            first -= 1
        return "\n".join(self._texts[number] for number in range(first, line))

    def behind(self, line: int, column: int) -> str:
        """Return what is said behind a declaration that ends at a byte column of a line."""
        rest = self._lines[line - 1].encode()[column:].decode("utf-8", "replace")
        match = _DOC.match(rest)
        return match[1].strip() if match else ""

    def of_class(self, first_member: int | None) -> str:
        """Return the first block that stands before all members and is not that of the first one."""
        for number in sorted(self._texts):
            if first_member is not None and number >= first_member:
                break
            if number - 1 in self._texts:
                continue
            last = number
            while last + 1 in self._texts:
                last += 1
            if last + 1 != first_member:
                return "\n".join(self._texts[at] for at in range(number, last + 1))
        return ""
