"""Where a property stands in a file, by byte: what an edit replaces, and what it must leave alone.

A path is a list of keys and item numbers below the document's class, such as `["m_Materials", 0]`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Literal, NamedTuple

from scenewright.unity.yaml.flow import flow_span, read_flow
from scenewright.unity.yaml.parser import ROW, Parser
from scenewright.unity.yaml.source import ObjectDocument

__all__ = ["PathStep", "ValueSpan", "locate", "property_path"]

PathStep = str | int
_ARRAY = re.compile(r"\.?Array\.data\[(\d+)\]|\[(\d+)\]")


@dataclass(frozen=True, slots=True)
class ValueSpan:
    """The bytes of a value, and of the lines of its whole entry."""

    start: int
    end: int
    entry: int
    after: int
    indent: int  # of the key, or of the dash of an item
    style: Literal["scalar", "flow", "block", "empty"]
    value: Any


class _Slot(NamedTuple):
    row: int
    end: int  # the row after the entry
    indent: int
    column: int  # where the value begins on the row; past its end where it stands below


def property_path(text: str) -> list[PathStep]:
    """Return a property as the engine names it (`m_Materials.Array.data[0]`) or shorter
    (`m_Materials[0]`), as steps.
    """
    marked = _ARRAY.sub(lambda match: f".\0{match[1] or match[2]}", text)
    return [int(part[1:]) if part.startswith("\0") else part for part in marked.split(".") if part]


def locate(document: ObjectDocument, path: Sequence[PathStep]) -> ValueSpan | None:
    """Return the place of a property in the file of its document; None where it does not write it."""
    return _Locator(document).find(path)


class _Locator(Parser):
    def __init__(self, document: ObjectDocument) -> None:
        super().__init__(document.text)
        self._base = document.body
        raw = document.file.data[document.body : document.end]
        self._starts = [0, *(match.end() for match in re.finditer(rb"\n", raw)), len(raw)]

    def find(self, path: Sequence[PathStep]) -> ValueSpan | None:
        slot = next(self._entries(self.after_blanks(0), 0), (None, None))[1]
        for number, step in enumerate(path):
            if slot is None:
                return None
            if self._text(slot)[:1] in ("{", "["):
                return self._in_flow(slot, path[number:])
            slot = self._follow_step(slot, step)
        return None if slot is None else self._place(slot)

    def _follow_step(self, slot: _Slot, step: PathStep) -> _Slot | None:
        if self._holds_entries(slot):
            return self._entry_beside_dash(slot, step)
        below = self.after_blanks(slot.row + 1)
        if self._text(slot) or below >= slot.end:
            return None
        lead, dash, _, _, other = self.rows[below]
        children = self._items if dash or other == "-" else self._entries
        return dict(children(below, len(lead))).get(step)

    def _entry_beside_dash(self, slot: _Slot, step: PathStep) -> _Slot | None:
        """Return a key of an item that begins beside its dash."""
        row = ROW.findall(" " * slot.column + self.lines[slot.row][slot.column :])[0]
        kept, self.rows[slot.row] = self.rows[slot.row], row
        try:
            children = self._items if row[1] or row[4] == "-" else self._entries
            return dict(children(slot.row, slot.column)).get(step)
        finally:
            self.rows[slot.row] = kept

    def _entries(self, at: int, indent: int) -> Iterator[tuple[PathStep, _Slot]]:
        while (at := self.after_blanks(at)) < len(self.rows):
            lead, dash, key, value, other = self.rows[at]
            split = (key, value) if key else self.split_key(other)
            if len(lead) != indent or dash or split is None:
                return
            row, (key, value) = at, split
            _, at = self.value(value, at + 1, indent) if value else self.child(at + 1, indent)
            yield key, _Slot(row, at, indent, len(self.lines[row]) - len(value))

    def _items(self, at: int, indent: int) -> Iterator[tuple[PathStep, _Slot]]:
        number = 0
        while (at := self.after_blanks(at)) < len(self.rows):
            lead, dash, key, _, other = self.rows[at]
            if len(lead) != indent or not (dash or other == "-"):
                return
            row = at
            _, at = self.item(row, indent)
            empty = not dash or not (key or other)
            yield number, _Slot(row, at, indent, len(self.lines[row]) if empty else indent + 2)
            number += 1

    def _text(self, slot: _Slot) -> str:
        return self.lines[slot.row][slot.column :].strip()

    def _place(self, slot: _Slot) -> ValueSpan:
        entry, after = self._byte(slot.row, 0), self._byte(slot.end, 0)
        if self._holds_entries(slot):
            value, _ = self.item(slot.row, slot.indent)
            return ValueSpan(self._byte(slot.row, slot.column), after, entry, after, slot.indent, "block", value)
        if self._text(slot):
            return self._written_beside(slot, entry, after)
        below = self.after_blanks(slot.row + 1)
        if below < slot.end:
            value, _ = self.block(below)
            return ValueSpan(self._byte(slot.row + 1, 0), after, entry, after, slot.indent, "block", value)
        end = self._byte(slot.row, len(self.lines[slot.row]))
        return ValueSpan(end, end, entry, after, slot.indent, "empty", "")

    def _written_beside(self, slot: _Slot, entry: int, after: int) -> ValueSpan:
        last = slot.end - 1
        while last > slot.row and not self.lines[last].strip():
            last -= 1
        value, _ = self.value(self.lines[slot.row][slot.column :], slot.row + 1, slot.indent)
        start, end = self._byte(slot.row, slot.column), self._byte(last, len(self.lines[last].rstrip()))
        return ValueSpan(
            start, end, entry, after, slot.indent, "flow" if self._text(slot)[0] in "{[" else "scalar", value
        )

    def _holds_entries(self, slot: _Slot) -> bool:
        """Return whether this is an item whose own keys begin beside its dash."""
        if slot.column != slot.indent + 2:
            return False
        _, dash, key, _, other = ROW.findall(self.lines[slot.row][slot.indent :])[0]
        return bool(dash) and (bool(key) or self.nests(other))

    def _in_flow(self, slot: _Slot, path: Sequence[PathStep]) -> ValueSpan | None:
        lines = self.lines[slot.row : slot.end]
        text = "\n".join([lines[0][slot.column :], *lines[1:]]).rstrip()
        start, end = 0, len(text)
        for step in path:
            inside = text[start:end]
            if inside[:1] not in ("{", "["):
                return None
            span = flow_span(inside, step)
            if span is None:
                return None
            start, end = start + span[0], start + span[1]
        inside = text[start:end]
        nested = inside[:1] in ("{", "[")
        value = read_flow(inside) if nested else read_flow(f"[{inside}]")[0] if inside else ""
        return ValueSpan(
            self._in_text(slot, text, start),
            self._in_text(slot, text, end),
            self._byte(slot.row, 0),
            self._byte(slot.end, 0),
            slot.indent,
            "flow" if nested else "scalar",
            value,
        )

    def _in_text(self, slot: _Slot, text: str, offset: int) -> int:
        above = text.count("\n", 0, offset)
        column = offset - (text.rfind("\n", 0, offset) + 1)
        return self._byte(slot.row + above, column if above else slot.column + column)

    def _byte(self, row: int, column: int) -> int:
        if row >= len(self.lines):
            return self._base + self._starts[min(row, len(self._starts) - 1)]
        prefix = self.lines[row][:column].encode("utf-8", "surrogateescape")
        return self._base + self._starts[row] + len(prefix)
