"""Scalars of the dialect as text; nothing is ever turned into a number, a truth value or a date."""

from __future__ import annotations

import re
from collections.abc import Sequence

__all__ = ["fold_double", "fold_plain", "fold_single", "is_closed", "literal", "quotes_in", "unquote"]

_ESCAPE = re.compile(r"\\(x[0-9A-Fa-f]{2}|u[0-9A-Fa-f]{4}|U[0-9A-Fa-f]{8}|.)", re.DOTALL)
_MEANINGS = {
    "n": "\n",
    "t": "\t",
    "r": "\r",
    "0": "\0",
    "a": "\a",
    "b": "\b",
    "e": "\x1b",
    "f": "\f",
    "v": "\v",
    "N": "\x85",
    "_": "\xa0",
    "L": "\u2028",
    "P": "\u2029",
}


def unquote(text: str) -> str:
    """Return the text that a scalar of one line means."""
    if text.startswith('"'):
        return _ESCAPE.sub(_unescape, text[1:-1]) if "\\" in text else text[1:-1]
    if text.startswith("'"):
        return text[1:-1].replace("''", "'")
    return text


def _unescape(match: re.Match[str]) -> str:
    escaped = match[1]
    if len(escaped) > 1:
        return chr(int(escaped[1:], 16))
    return _MEANINGS.get(escaped, escaped)


def quotes_in(line: str, quote: str) -> int:
    """Return how many quotes of this kind a line has that are not escaped."""
    if quote == '"':
        line = line.replace("\\\\", "").replace('\\"', "")
    return line.count(quote)


def is_closed(text: str) -> bool:
    """Return whether a scalar that begins with a quote ends on its line."""
    return quotes_in(text, text[0]) % 2 == 0


def fold_double(lines: Sequence[str]) -> str:
    """Return a double-quoted scalar over several lines as one of a single line."""
    out, blank = lines[0], 0
    for line in lines[1:]:
        text = line.strip(" \t")
        if not text:
            blank += 1
            continue
        joined = out[:-1] if _escapes_break(out) and not blank else out.rstrip(" ") + ("\n" * blank or " ")
        out = joined + text
        blank = 0
    return out


def fold_single(lines: Sequence[str]) -> str:
    """Return a single-quoted scalar over several lines as one of a single line."""
    out, blank = lines[0], 0
    for line in lines[1:]:
        text = line.strip()
        if not text:
            blank += 1
            continue
        out = out.rstrip(" ") + ("\n" * blank or " ") + text
        blank = 0
    return out


def fold_plain(lines: Sequence[str]) -> str:
    """Return a plain scalar over several lines."""
    out, blank = "".join(lines[:1]).strip(), 0
    for line in lines[1:]:
        text = line.strip()
        if not text:
            blank += 1
            continue
        out += ("\n" * blank or " ") + text
        blank = 0
    return out


def literal(style: str, lines: Sequence[str]) -> str:
    """Return a block scalar (`|` or `>`), which the engine itself does not write."""
    indent = min((len(line) - len(line.lstrip(" ")) for line in lines if line.strip()), default=0)
    rows = [line[indent:] for line in lines]
    text = "\n".join(rows) if style.startswith("|") else fold_plain(rows)
    text = text.rstrip("\n")
    return text if "-" in style or not text else text + "\n"


def _escapes_break(text: str) -> bool:
    return (len(text) - len(text.rstrip("\\"))) % 2 == 1
