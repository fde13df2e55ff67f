"""JSON as people write it, with comments and loose commas: changed only where its value differs.

A container that gains or loses members keeps the text of all others, with the comments that belong to them.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from typing import Any

__all__ = ["dumped", "rewritten"]

_GAP = re.compile(r"(?:[\s]+|//[^\n]*|/\*.*?\*/)*", re.DOTALL)
_DECODER = json.JSONDecoder()
_INDENT = re.compile(r'\n([ \t]+)["{\[]')


@dataclass(frozen=True, slots=True)
class _Node:
    """A value and where it stands."""

    start: int
    end: int
    value: Any
    parts: tuple[_Part, ...] = ()  # of an object or a list


@dataclass(frozen=True, slots=True)
class _Part:
    """A member of a container; `start` is that of its key, where it has one."""

    start: int
    key: str | None
    node: _Node


def rewritten(text: str, value: Any) -> str:
    """Return the text with another value in it. The text must be JSON, comments and loose commas allowed."""
    root = _Scanner(text).value(_skip(text, 0))
    return text[: root.start] + _Writer(text).node(root, value) + text[root.end :]


def dumped(value: Any, *, indent: str = "", unit: str = "  ") -> str:
    """Return a value as new text; lists of plain values stay on one line."""
    if isinstance(value, dict) and value:
        inside = indent + unit
        members = [f"{inside}{_quoted(key)}: {dumped(each, indent=inside, unit=unit)}" for key, each in value.items()]
        return "{\n" + ",\n".join(members) + f"\n{indent}}}"
    if isinstance(value, list) and any(isinstance(each, (dict, list)) and each for each in value):
        inside = indent + unit
        return "[\n" + ",\n".join(inside + dumped(each, indent=inside, unit=unit) for each in value) + f"\n{indent}]"
    return json.dumps(value, ensure_ascii=False)


def _quoted(text: str) -> str:
    return json.dumps(text, ensure_ascii=False)


def _skip(text: str, place: int) -> int:
    """Past white space and comments."""
    gap = _GAP.match(text, place)
    assert gap is not None  # it matches nothing as well
    return gap.end()


class _Scanner:
    """Finds where each value of a text stands."""

    def __init__(self, text: str) -> None:
        self._text = text

    def value(self, place: int) -> _Node:
        if self._text[place] in "{[":
            return self._container(place)
        value, end = _DECODER.raw_decode(self._text, place)
        return _Node(place, end, value)

    def _container(self, start: int) -> _Node:
        keyed = self._text[start] == "{"
        parts: list[_Part] = []
        place = _skip(self._text, start + 1)
        while self._text[place] not in "}]":
            part = self._part(place, keyed=keyed)
            parts.append(part)
            place = _skip(self._text, part.node.end)
            if self._text[place] == ",":
                place = _skip(self._text, place + 1)
        value: Any = (
            {str(part.key): part.node.value for part in parts} if keyed else [each.node.value for each in parts]
        )
        return _Node(start, place + 1, value, tuple(parts))

    def _part(self, place: int, *, keyed: bool) -> _Part:
        if not keyed:
            return _Part(place, None, self.value(place))
        key, end = _DECODER.raw_decode(self._text, place)
        colon = _skip(self._text, end)
        return _Part(place, key, self.value(_skip(self._text, colon + 1)))


@dataclass(slots=True)
class _Slot:
    """A member with the text around it: before it, between it and its comma, and on the line after that."""

    lead: str
    text: str
    tail: str = ""
    comma: bool = False
    after: str = ""


class _Writer:
    """Writes new values over old ones."""

    def __init__(self, text: str) -> None:
        self._text = text
        indent = _INDENT.search(text)
        self._unit = indent.group(1) if indent else "  "
        self._newline = "\r\n" if "\r\n" in text else "\n"

    def node(self, node: _Node, value: Any) -> str:
        if _is_same(node.value, value):
            return self._text[node.start : node.end]
        if isinstance(node.value, dict) and isinstance(value, dict):
            return self._object(node, value)
        if isinstance(node.value, list) and isinstance(value, list):
            return self._list(node, value)
        return self._new(value, self._line_indent(node.start))

    def _object(self, node: _Node, value: dict[str, Any]) -> str:
        last = {part.key: index for index, part in enumerate(node.parts)}  # of twins the last one counts
        kept = [
            self._write_part(slot, part, value[part.key] if last[part.key] == index else part.node.value)
            for index, (slot, part) in enumerate(zip(self._slots(node), node.parts, strict=True))
            if part.key in value
        ]
        new = [(f"{_quoted(key)}: ", each) for key, each in value.items() if key not in last]
        return self._body(node, kept, [], new)

    def _list(self, node: _Node, value: list[Any]) -> str:
        old = node.value
        most = min(len(old), len(value))
        head = next((index for index in range(most) if not _is_same(old[index], value[index])), most)
        tail = next(
            (index for index in range(most - head) if not _is_same(old[-1 - index], value[-1 - index])), most - head
        )
        slots = self._slots(node)
        old_middle, new_middle = range(head, len(old) - tail), value[head : len(value) - tail]
        changed = [
            self._write_part(slots[index], node.parts[index], each)
            for index, each in zip(old_middle, new_middle, strict=False)
        ]
        new = [("", each) for each in new_middle[len(changed) :]]
        return self._body(node, slots[:head] + changed, slots[len(old) - tail :], new)

    def _write_part(self, slot: _Slot, part: _Part, value: Any) -> _Slot:
        slot.text = self._text[part.start : part.node.start] + self.node(part.node, value)
        return slot

    def _slots(self, node: _Node) -> list[_Slot]:
        """Return the members as they stand; a comment on a member's own line goes with it."""
        slots: list[_Slot] = []
        place = node.start + 1
        for part in node.parts:
            slot = _Slot(self._text[place : part.start], self._text[part.start : part.node.end])
            place = _skip(self._text, part.node.end)
            slot.comma = self._text[place] == ","
            if slot.comma:
                slot.tail = self._text[part.node.end : place]
                place += 1
                slot.after = self._rest_of_line(place)
                place += len(slot.after)
            else:
                slot.tail = self._text[part.node.end : place].rstrip()
                place = part.node.end + len(slot.tail)
            slots.append(slot)
        return slots

    def _rest_of_line(self, place: int) -> str:
        line = self._text[place:].partition("\n")[0]
        comment = re.match(r"[ \t]*(?://[^\n\r]*|/\*(?:(?!\*/)[^\n])*\*/[ \t]*(?=\r?$))", line)
        return comment.group() if comment else ""

    def _body(self, node: _Node, before: list[_Slot], behind: list[_Slot], new: list[tuple[str, Any]]) -> str:
        """Return a container of the members that stay, and new ones between them."""
        opening, closing = self._text[node.start], self._text[node.end - 1]
        indent = self._line_indent(node.start)
        flat = "\n" not in self._text[node.start : node.end] and (bool(node.parts) or "\n" not in self._text)
        lead = self._lead(node, indent, flat=flat)
        made = [
            _Slot(lead, key + self._new(each, indent if flat else indent + self._unit, flat=flat)) for key, each in new
        ]
        slots = [*before, *made, *behind]
        if flat and slots:
            slots[0].lead = self._text[node.start + 1 : node.parts[0].start] if node.parts else ""
        loose = bool(node.parts) and self._ends_loosely(node)
        body = ""
        for index, slot in enumerate(slots):
            piece = slot.text + self._separated(slot, needed=index < len(slots) - 1 or loose)
            body = self._join_texts(body, slot.lead) + piece
        return opening + self._join_texts(body, self._end(node, indent, flat=flat) if slots else "") + closing

    def _join_texts(self, body: str, more: str) -> str:
        """Join two texts, so that what follows does not end up in the comment before it."""
        commented = "//" in body.rpartition("\n")[2] and "\n" not in more
        return body + (self._newline if commented else "") + more

    def _separated(self, slot: _Slot, *, needed: bool) -> str:
        if needed and not slot.comma:
            return "," + slot.tail + slot.after  # before the comment, where there is one
        return slot.tail + ("," if needed else "") + slot.after

    def _lead(self, node: _Node, indent: str, *, flat: bool) -> str:
        if flat:
            return " " if node.parts else ""
        return self._newline + indent + self._unit

    def _end(self, node: _Node, indent: str, *, flat: bool) -> str:
        """Return what stands between the last member and the closing bracket."""
        if not node.parts:
            return "" if flat else self._newline + indent
        last = node.parts[-1].node.end
        place = _skip(self._text, last)
        if self._text[place] == ",":
            place += 1
            return self._text[place + len(self._rest_of_line(place)) : node.end - 1]
        return self._text[last + len(self._text[last:place].rstrip()) : node.end - 1]

    def _ends_loosely(self, node: _Node) -> bool:
        place = _skip(self._text, node.parts[-1].node.end)
        return self._text[place] == ","

    def _new(self, value: Any, indent: str, *, flat: bool = False) -> str:
        if flat:
            return json.dumps(value, ensure_ascii=False)
        return dumped(value, indent=indent, unit=self._unit).replace("\n", self._newline)

    def _line_indent(self, place: int) -> str:
        line = self._text[self._text.rfind("\n", 0, place) + 1 : place]
        return line[: len(line) - len(line.lstrip())]


def _is_same(one: Any, other: Any) -> bool:
    """Equal as JSON, where true is no number."""
    if isinstance(one, dict) and isinstance(other, dict):
        return one.keys() == other.keys() and all(_is_same(one[key], other[key]) for key in one)
    if isinstance(one, list) and isinstance(other, list):
        return len(one) == len(other) and all(map(_is_same, one, other))
    return isinstance(one, bool) == isinstance(other, bool) and bool(one == other)
