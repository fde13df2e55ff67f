"""Where things are in a Godot text file, found by regular expressions, without reading any value.

A file is text before the first section, then sections: a header in brackets and `name = value` lines. A value ends
where its brackets and quotes do, over as many lines as it takes; a line in a string that looks like a header is none.
Nothing here fails: what fits no rule is a broken header, a property with a broken value, or junk up to the line's end.
"""

from __future__ import annotations

import re

from scenewright.core.calls.deadline import check_deadline

__all__ = ["Item", "Kind", "attributes", "header_end", "is_whole", "items", "plain_attributes", "sections"]

Kind = str
"""`tags`: scenes and resources, whose headers have attributes; `plain`: configuration, whose headers are names."""

# A quote behind a backslash starts none; without that, each of many such quotes would be looked behind to the end.
_STRING = r'(?<!\\)"(?:[^"\\]++|\\.)*+"'
_COMMENT = r";[^\n]*+"
_FLAT = r'[^"()\[\]{};]++'


def _balanced_pattern(opening: str, closing: str, depth: int) -> str:
    inner = _balanced_pattern(r"[\[({]", r"[\])}]", depth - 1) if depth else "(?!)"
    return rf"{opening}(?:{_FLAT}|{_STRING}|{inner}|{_COMMENT})*+{closing}"


# Deeper values exist but are rare; `_deep_end` finds their end.
_BRACKETS = _balanced_pattern(r"[\[{]", r"[\]}]", 5)
_TYPE = _balanced_pattern(r"\[", r"\]", 2)
_CALL = _balanced_pattern(r"\(", r"\)", 5)
_STRINGS = rf"[&^@]?+{_STRING}"
_OTHERS = (
    r"|-?[0-9][0-9.eE+-]*+"
    rf"|-?[A-Za-z_][A-Za-z0-9_]*+(?:{_TYPE})?+(?:[ \t]*+{_CALL})?+(?!\()"
    rf"|{_BRACKETS}"
    r"|\#[0-9a-fA-F]*+"
)
_IN_HEADER = rf"(?:{_STRINGS}{_OTHERS})"
# A string that was never closed ends at the first quote of a later line, right before a word; that is not its end.
_VALUE = rf"(?:{_STRINGS}(?=[\s;]|\Z){_OTHERS})"
# The engine takes a value from the next line too; unless that line is a property of its own.
_ASSIGNED = r'[ \t]*+=[ \t]*+(?:(?=[^\s])|\s++(?![^\s"=;\[(]++[ \t]*+=|\[))'
_NAME = rf'(?:[^\s"=;\[][^\s"=;]*+|{_STRING})'
_GAP = rf"(?:\s++|{_COMMENT})*+"
_FLAGS = re.DOTALL | re.ASCII

_RUN = re.compile(rf"(?:\s++|{_COMMENT}|{_NAME}{_ASSIGNED}{_VALUE})*+", _FLAGS)
_ITEM = re.compile(rf"{_GAP}({_NAME}){_ASSIGNED}({_VALUE})", _FLAGS)
_LOOSE = re.compile(r'([^\s"=;\[][^"=;\n]*+|"(?:[^"\\]++|\\.)*+"[ \t]*+)=[ \t]*+([^\n]*)', _FLAGS)
_TAG = re.compile(r"\[\s*[A-Za-z_0-9.:]*")
_LINE = re.compile(r"[^\n]*")
_AFTER_GAP = re.compile(rf"{_GAP}", _FLAGS)
_ATTRIBUTE = re.compile(rf"\s*+([A-Za-z_][A-Za-z0-9_]*+)\s*+=\s*+({_IN_HEADER})", _FLAGS)
_PLAIN_ATTRIBUTE = re.compile(r' ([A-Za-z_][A-Za-z0-9_]*+)=(?:"([^"\\]*+)"|([0-9]{1,18}+))')
_PLAIN_HEADER = re.compile(rf"\[[A-Za-z_]++(?:{_PLAIN_ATTRIBUTE.pattern})*+\]")
_HEADERS: dict[Kind, re.Pattern[str]] = {
    "tags": re.compile(rf'\[[^\]\["(\n]*+(?:(?:{_STRING}|{_BRACKETS}|{_CALL})[^\]\["(\n]*+)*+\]', _FLAGS),
    "plain": re.compile(r"\[[^\]\\\n]*+(?:\\.[^\]\\\n]*+)*+\]", _FLAGS),
}
_SECTIONS = {kind: re.compile(f"({pattern.pattern}){_RUN.pattern}", _FLAGS) for kind, pattern in _HEADERS.items()}
_DEEPEST = 128  # no value that deep is read; looking further would only cost time in a file full of open brackets
_OPENING = re.compile(r"(?:[A-Za-z_][A-Za-z0-9_]*)?(?=[\[({])")
# A line that starts a section of a scene, or assigns a property, shows that a bracket before it was never closed.
_NEXT = r"\n(?:\[(?:node|(?:ext_|sub_)?resource|connection|editable)\b|[^\s\"=;:,\[\](){}]++[ \t]*+=)"
_DEEP = re.compile(rf"{_NEXT}|[\[({{]|[\])}}]|{_STRING}|{_COMMENT}|\"", _FLAGS)


Item = tuple[int, int, int, int]
"""Start and end of a property's name, start and end of its value; junk has an empty name."""


def sections(text: str, kind: Kind) -> list[tuple[int, int]]:
    """Return where each section starts and where its header ends."""
    spans: list[tuple[int, int]] = []
    match_section, run = _SECTIONS[kind].match, _RUN.match
    position, end = _end_of(run(text, 1 if text.startswith("\ufeff") else 0)), len(text)
    while position < end:
        check_deadline()
        if text[position] != "[":
            position = _end_of(run(text, _read_odd_item(text, position, end)[3]))
            continue
        match = match_section(text, position)
        if match is not None:
            spans.append((position, match.end(1)))
            position = match.end()
        else:  # a header that is not closed takes its line
            line = _end_of(_LINE.match(text, position))
            spans.append((position, line))
            position = _end_of(run(text, line))
    return spans


def header_end(text: str, kind: Kind) -> int:
    """Return where the header at the start of a section ends."""
    return _end_of(_HEADERS[kind].match(text) or _LINE.match(text))


def is_whole(header: str, kind: Kind) -> bool:
    """Return whether a header is closed."""
    return _HEADERS[kind].fullmatch(header) is not None


def items(text: str, start: int) -> list[Item]:
    """Return the properties and the junk of a section, from behind its header."""
    items: list[Item] = []
    position, end, match_item = start, len(text), _ITEM.match
    while True:
        while (match := match_item(text, position)) is not None:
            (_, position), name, value = match.regs
            items.append(name + value)
        position = _end_of(_AFTER_GAP.match(text, position))
        if position >= end:
            return items
        check_deadline()
        item = _read_odd_item(text, position, end)
        position = item[3]
        items.append(item)


def attributes(header: str) -> dict[str, tuple[int, int]]:
    """Return where the value of each attribute of a tag starts and ends, up to the first that is broken."""
    spans: dict[str, tuple[int, int]] = {}
    name = _TAG.match(header)
    position = name.end() if name else 1
    while (match := _ATTRIBUTE.match(header, position)) is not None:
        (_, position), _, spans[match[1]] = match.regs
    return spans


def plain_attributes(header: str) -> dict[str, str | int] | None:
    """Return the attributes of a tag with only whole numbers and plain strings, or None for any other tag."""
    if _PLAIN_HEADER.fullmatch(header) is None:
        return None
    return {name: int(digits) if digits else text for name, text, digits in _PLAIN_ATTRIBUTE.findall(header)}


def _read_odd_item(text: str, position: int, end: int) -> Item:
    """What no rule fits: a value nested too deep for them, a broken one, a name with spaces in it, or junk."""
    match = _LOOSE.match(text, position)
    if match is None:
        line = _LINE.match(text, position)
        return position, position, position, max(position + len(line[0].rstrip()) if line else 0, position + 1)
    value_start = match.start(2)
    value_end = _deep_end(text, value_start, end) or value_start + len(match[2].rstrip())
    return position, position + len(match[1].rstrip()), value_start, value_end


def _deep_end(text: str, start: int, end: int) -> int:
    """Where a value with brackets ends, or 0 if it does not."""
    depth = 0
    opening = _OPENING.match(text, start)
    if opening is None:
        return 0
    for token in _DEEP.finditer(text, opening.end(), end):
        letter = token[0][0]
        if token[0] == '"' or letter == "\n" or depth > _DEEPEST:
            return 0
        if letter in "[({":
            depth += 1
        elif letter in "])}":
            depth -= 1
            if depth <= 0 and text[token.end() : token.end() + 1] != "(":
                return token.end()
    return 0


def _end_of(match: re.Match[str] | None) -> int:
    assert match is not None  # every pattern this is used for can match the empty text
    return match.end()
