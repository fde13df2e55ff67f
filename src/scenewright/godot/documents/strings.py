"""Strings in quotes, read and written: escapes as the engine has them."""

from __future__ import annotations

import re

from scenewright.godot.documents.errors import EditError, Malformed

__all__ = ["quoted", "quoted_name", "read_string"]

_ESCAPE = re.compile(
    r"\\(?:u([dD][89abAB][0-9a-fA-F]{2})\\u([dD][c-fC-F][0-9a-fA-F]{2})|u(.{0,4})|U(.{0,6})|(.))", re.DOTALL
)
_CONTROL = {"b": "\b", "t": "\t", "n": "\n", "f": "\f", "r": "\r"}
_NAME_ESCAPES = str.maketrans(
    {"\\": "\\\\", "\b": "\\b", "\f": "\\f", "\n": "\\n", "\r": "\\r", "\t": "\\t", "'": "\\'", '"': '\\"'}
)


def read_string(raw: str, offset: int = 0) -> str:
    """Return the text of a string given without its quotes.

    Raises:
        Malformed: an escape is broken; `offset` is where the string starts.
    """
    if "\\" not in raw:
        return raw
    return _ESCAPE.sub(lambda match: _unescape(match, offset), raw)


def _unescape(match: re.Match[str], offset: int) -> str:
    lead, trail, short, long, letter = match.groups()
    if lead is not None:
        return chr(0x10000 + (int(lead, 16) - 0xD800 << 10) + int(trail, 16) - 0xDC00)
    if letter is not None:
        return _CONTROL.get(letter, letter)
    digits, size = (short, 4) if short is not None else (long, 6)
    if len(digits) != size or not all(digit in "0123456789abcdefABCDEF" for digit in digits):
        raise Malformed("Malformed hex constant in string", offset + match.start())
    code = int(digits, 16)
    if 0xD800 <= code < 0xE000:
        raise Malformed("Invalid UTF-16 sequence in string, unpaired surrogate", offset + match.start())
    if not 0 < code < 0x110000:
        raise Malformed(f"There is no character U+{code:04X}", offset + match.start())
    return chr(code)


def quoted(text: str) -> str:
    """Return a String's text in quotes; line breaks stay."""
    return '"' + _check_readable(text).replace("\\", "\\\\").replace('"', '\\"') + '"'


def quoted_name(text: str) -> str:
    """Return the string of a StringName, NodePath or tag in quotes, on one line.

    The engine also writes \\a and \\v, and cannot read them back; those two stay as they are.
    """
    return '"' + _check_readable(text).translate(_NAME_ESCAPES) + '"'


def _check_readable(text: str) -> str:
    if "\0" in text:
        raise EditError("The engine's strings cannot hold a NUL.")
    return text
