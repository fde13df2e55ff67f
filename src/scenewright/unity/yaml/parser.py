"""The text of one document as dicts, lists and strings; equal to what PyYAML's base loader makes of it.

Rows are found by one regular expression for the whole document, so that the loop over them does little; whatever is
not a plain `key: value` goes the slower ways. What is returned may share parts and must not be changed in place.
"""

from __future__ import annotations

import re
from typing import Any

from scenewright.core.faults import Invalid
from scenewright.unity.yaml.flow import FlowError, read_flow
from scenewright.unity.yaml.scalars import fold_double, fold_plain, fold_single, is_closed, literal, quotes_in, unquote

__all__ = ["ROW", "ParseError", "Parser", "Row", "parse"]

Row = tuple[str, str, str, str, str]  # indent, dash, key, value, and what is not `key: value`
ROW = re.compile(r"^( *)(- )?(?:(\w+):(?: +(.*))?|(.*))$", re.MULTILINE)
_QUOTED_KEY = re.compile(r"""("(?:[^"\\]|\\.)*"|'(?:[^']|'')*'):(?: +(.*))?$""")
_SPECIAL = frozenset("{[\"'|>")
_BLANK: Row = ("", "", "", "", "")


class ParseError(Invalid):
    """The text is not what the engine writes."""

    def __init__(self, reason: str, line: int, file: str = "") -> None:
        where = f"'{file}', line" if file else "Line"
        super().__init__(f"{where} {line}: {reason}.", rule="yaml", details={"file": file, "line": line})
        self.reason = reason
        self.line = line


def parse(text: str) -> Any:
    """Return the value of a document's text.

    Raises:
        ParseError: it is not of the dialect.
    """
    return Parser(text).document()


class Parser:
    """Rows of a document; each method reads from a row on and returns a value and the row after it."""

    def __init__(self, text: str) -> None:
        self.text = text.replace("\r\n", "\n") if "\r" in text else text
        self.rows: list[Row] = ROW.findall(self.text.rstrip())
        self._lines: list[str] | None = None
        self._flows: dict[str, Any] = {}

    @property
    def lines(self) -> list[str]:
        """The same rows as they are written."""
        if self._lines is None:
            self._lines = self.text.rstrip().split("\n")
        return self._lines

    def document(self) -> Any:
        start = self.after_blanks(0)
        if start >= len(self.rows) or self.rows[start] == _BLANK:
            return {}
        value, end = self.block(start)
        if self.after_blanks(end) < len(self.rows):
            raise ParseError("the indentation fits nothing above", end + 1)
        return value

    def block(self, at: int) -> tuple[Any, int]:
        """Return a mapping, a sequence or a scalar that begins at a row."""
        lead, dash, key, _, other = self.rows[at]
        if dash or other == "-":
            return self.sequence(at, len(lead))
        if key or self.split_key(other) is not None:
            return self.mapping(at, len(lead))
        return self.value(other, at + 1, len(lead) - 1)

    def mapping(self, at: int, indent: int) -> tuple[dict[str, Any], int]:
        out: dict[str, Any] = {}
        rows, end = self.rows, len(self.rows)
        while at < end:
            lead, dash, key, value, other = rows[at]
            if len(lead) != indent or dash:
                if key or other or dash:
                    break
                at += 1
                continue
            if not key:
                if not other:
                    at += 1
                    continue
                split = self.split_key(other)
                if split is None:
                    break
                key, value = split
            at += 1
            if not value:
                out[key], at = self.child(at, indent)
            elif value[0] in _SPECIAL:
                out[key], at = self.value(value, at, indent)
            elif at < end and (len(rows[at][0]) > indent or rows[at] == _BLANK):
                out[key], at = self.plain(value, at, indent)
            else:
                out[key] = value.rstrip()
        return out, at

    def sequence(self, at: int, indent: int) -> tuple[list[Any], int]:
        out: list[Any] = []
        rows, end = self.rows, len(self.rows)
        while at < end:
            lead, dash, key, _, other = rows[at]
            if not (dash or key or other):
                at += 1
                continue
            if len(lead) != indent or not (dash or other == "-"):
                break
            item, at = self.item(at, indent)
            out.append(item)
        return out, at

    def item(self, at: int, indent: int) -> tuple[Any, int]:
        """Return the item whose dash stands on a row."""
        lead, dash, key, value, other = self.rows[at]
        if not dash or not (key or other):
            return self.child(at + 1, indent, in_sequence=True)
        if not key and not self.nests(other):
            return self.value(other, at + 1, indent)
        # The dash counts as indentation, so the rest of the row is for now a row of the item.
        kept = self.rows[at]
        self.rows[at] = (lead + "  ", "", key, value, other) if key else ROW.findall(f"{lead}  {other}")[0]
        parsed = self.mapping(at, indent + 2) if key else self.block(at)
        self.rows[at] = kept
        return parsed

    def child(self, at: int, indent: int, *, in_sequence: bool = False) -> tuple[Any, int]:
        """Return what stands on the rows below a key that has nothing beside it."""
        below = self.after_blanks(at)
        if below < len(self.rows):
            lead, dash, _, _, other = self.rows[below]
            # A list may stand as far left as the key it belongs to.
            if len(lead) > indent or (not in_sequence and len(lead) == indent and (dash or other == "-")):
                return self.block(below)
        return "", at

    def value(self, text: str, at: int, indent: int) -> tuple[Any, int]:
        """Return a value that begins on the row before `at`."""
        first = text[0]
        if first in "{[":
            return self._flow(text, at)
        if first in "\"'":
            return self._quoted(text, at)
        if first in "|>":
            end = self._deeper(at, indent)
            return literal(text, self.lines[at:end]), end
        return self.plain(text, at, indent)

    def plain(self, text: str, at: int, indent: int) -> tuple[str, int]:
        end = self._deeper(at, indent)
        return (fold_plain([text, *self.lines[at:end]]) if end > at else text.rstrip()), end

    def split_key(self, text: str) -> tuple[str, str] | None:
        """Return the key and value of a row whose key is quoted, empty or has other characters than letters."""
        if text[:1] in ('"', "'"):
            match = _QUOTED_KEY.match(text)
            return (unquote(match[1]), match[2] or "") if match else None
        if text[:1] in ("{", "["):
            return None
        key, colon, value = text.partition(": ")
        if colon:
            return key, value.lstrip(" ")
        return (text[:-1], "") if text.endswith(":") else None

    def after_blanks(self, at: int) -> int:
        rows = self.rows
        while at < len(rows) and not any(rows[at][1:]):
            at += 1
        return at

    def nests(self, text: str) -> bool:
        """Return whether what stands beside a dash is itself a list or a mapping."""
        return text == "-" or text.startswith("- ") or self.split_key(text) is not None

    def _deeper(self, at: int, indent: int) -> int:
        """Return the row after those that are further right, blank ones at the end not counted."""
        end = at
        while (below := self.after_blanks(end)) < len(self.rows) and len(self.rows[below][0]) > indent:
            end = below + 1
        return end

    def _flow(self, text: str, at: int) -> tuple[Any, int]:
        known = self._flows.get(text)
        if known is not None:
            return known, at
        start, whole = at, text.rstrip()
        while not _balanced(whole):
            if at >= len(self.rows):
                raise ParseError("a bracket is never closed", start)
            whole += " " + self.lines[at].strip()
            at += 1
        try:
            value = read_flow(whole)
        except FlowError as error:
            raise ParseError(str(error), start) from None
        if at == start:
            self._flows[text] = value
        return value, at

    def _quoted(self, text: str, at: int) -> tuple[str, int]:
        text = text.rstrip()
        if is_closed(text):
            return unquote(text), at
        start, quote, count = at, text[0], quotes_in(text, text[0])
        while count % 2:
            if at >= len(self.rows):
                raise ParseError("a quoted text is never closed", start)
            count += quotes_in(self.lines[at], quote)
            at += 1
        parts = [text, *self.lines[start:at]]
        return unquote((fold_double if quote == '"' else fold_single)(parts)), at


def _balanced(text: str) -> bool:
    if text[-1] not in "}]":
        return False
    if '"' in text or "'" in text:
        try:
            read_flow(text)
        except FlowError:
            return False
        return True
    return text.count("{") == text.count("}") and text.count("[") == text.count("]")
