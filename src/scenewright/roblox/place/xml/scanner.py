"""Finds the parts of an XML place without reading them: elements by their spans, CDATA and comments stepped over.

Only what such files are made of is taken; declarations of document types, and with them entities, are refused.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from scenewright.roblox.place.errors import BrokenPlace

__all__ = ["Element", "attributes", "broken", "children", "closing", "plain", "unescaped"]

_OPEN = re.compile(rb"<([A-Za-z_][\w.:-]*)((?:\s[^<>]*?)?)(/?)>")
_ATTRIBUTE = re.compile(rb"""\s([\w:.-]+)\s*=\s*(?:"([^"<]*)"|'([^'<]*)')""")
_SPECIAL = re.compile(rb"<!\[CDATA\[|<!--")
_ENTITY = re.compile(rb"&(?:#(\d{1,7})|#[xX]([0-9a-fA-F]{1,6})|(lt|gt|amp|quot|apos));")
_NAMED = {b"lt": b"<", b"gt": b">", b"amp": b"&", b"quot": b'"', b"apos": b"'"}


@dataclass(frozen=True, slots=True)
class Element:
    """An element by its place in the file: all of it, and what is between its tags."""

    tag: bytes
    head: bytes  # the attributes, as they stand
    start: int
    inner: int
    outer: int  # where the inside ends
    end: int

    @property
    def attributes(self) -> dict[bytes, bytes]:
        return attributes(self.head)


def broken(data: bytes, place: int, problem: str) -> BrokenPlace:
    line = data.count(b"\n", 0, place) + 1
    column = place - data.rfind(b"\n", 0, place)
    return BrokenPlace(f"Line {line}, column {column}: {problem}")


def attributes(head: bytes) -> dict[bytes, bytes]:
    return {name: unescaped(one or other) for name, one, other in _ATTRIBUTE.findall(head)}


def skip(data: bytes, place: int, end: int) -> int:
    """After white space, comments and processing instructions."""
    while place < end:
        if data[place] in b" \t\r\n":
            place += 1
        elif data.startswith(b"<!--", place):
            place = _after(data, place + 4, end, b"-->")
        elif data.startswith(b"<?", place):
            place = _after(data, place + 2, end, b"?>")
        else:
            break
    return place


def _after(data: bytes, place: int, end: int, mark: bytes) -> int:
    start = data.find(mark, place, end)
    if start < 0:
        raise broken(data, place, f"'{mark.decode()}' is missing.")
    return start + len(mark)


def closing(data: bytes, place: int, end: int, mark: bytes) -> int:
    """Return where a closing tag starts that is neither in CDATA nor in a comment."""
    while True:
        start = data.find(mark, place, end)
        if start < 0:
            raise broken(data, place, f"'{mark.decode('utf-8', 'replace')}' is missing.")
        special = _SPECIAL.search(data, place, start)
        if special is None:
            return start
        place = _after(data, special.end(), end, b"-->" if special.group() == b"<!--" else b"]]>")


def element(data: bytes, place: int, end: int) -> Element:
    """Return the element that starts at a place."""
    opened = _OPEN.match(data, place, end)
    if opened is None:
        raise broken(data, place, "an element was expected here.")
    tag, head, empty = opened.groups()
    if empty:
        return Element(tag, head, place, opened.end(), opened.end(), opened.end())
    inner = opened.end()
    outer = closing(data, inner, end, b"</" + tag + b">")
    nested = re.compile(b"<" + re.escape(tag) + rb"(?:\s[^<>]*[^/<>]|\s)?>")
    searched, opens = inner, 0
    while True:
        opens += sum(1 for _ in nested.finditer(data, searched, outer)) if _simple(data, inner, outer) else 0
        if not opens:
            return Element(tag, head, place, inner, outer, outer + len(tag) + 3)
        opens -= 1
        searched = outer + 1
        outer = closing(data, searched, end, b"</" + tag + b">")


def _simple(data: bytes, start: int, end: int) -> bool:
    return _SPECIAL.search(data, start, end) is None


def children(data: bytes, start: int, end: int) -> list[Element]:
    """Return the elements directly inside a span; text between them is not looked at."""
    elements = []
    place = skip(data, start, end)
    while place < end:
        if data[place] != 0x3C:
            next_tag = data.find(b"<", place, end)
            place = end if next_tag < 0 else next_tag
            continue
        part = element(data, place, end)
        elements.append(part)
        place = skip(data, part.end, end)
    return elements


def plain(data: bytes, start: int, end: int) -> bytes:
    """Return the text of a span: entities resolved, CDATA as it is, comments gone."""
    special = _SPECIAL.search(data, start, end)
    if special is None:
        return unescaped(data[start:end])
    parts = []
    while special is not None:
        parts.append(unescaped(data[start : special.start()]))
        comment = special.group() == b"<!--"
        start = _after(data, special.end(), end, b"-->" if comment else b"]]>")
        if not comment:
            parts.append(data[special.end() : start - 3])
        special = _SPECIAL.search(data, start, end)
    return b"".join([*parts, unescaped(data[start:end])])


def unescaped(text: bytes) -> bytes:
    return _ENTITY.sub(_entity, text) if b"&" in text else text


def _entity(match: re.Match[bytes]) -> bytes:
    decimal, hexadecimal, name = match.groups()
    if name is not None:
        return _NAMED[name]
    number = int(decimal) if decimal is not None else int(hexadecimal, 16)
    if number > 0x10FFFF:
        return match.group()
    return chr(number).encode("utf-8", "surrogatepass")
