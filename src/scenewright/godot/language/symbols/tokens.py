"""The identifiers of GDScript text, and its strings: what is a name of the code and what only looks like one.

Offsets are characters of the text; columns are those of editors, UTF-16 units, counted from 0.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator
from typing import Final

import msgspec

__all__ = ["KEYWORDS", "Place", "Source", "Text", "Token", "is_identifier"]

_STRING: Final = (
    r'"""(?:\\[\s\S]|[^\\])*?"""'
    + r"|'''(?:\\[\s\S]|[^\\])*?'''"
    + r'|"(?:\\[\s\S]|[^"\\\n])*"'
    + r"|'(?:\\[\s\S]|[^'\\\n])*'"
)
_NAME: Final = r"[^\W\d]\w*"
_SCANNED: Final = re.compile(
    rf"(?P<comment>\#[^\n]*)|[&^]?(?P<raw>r(?=[\"']))?(?P<string>{_STRING})"
    rf"|\$(?:{_STRING}|/?%?{_NAME}(?:/%?\w+)*)|(?P<unique>%{_NAME}(?:/%?\w+)*)"
    rf"|@{_NAME}|\d[\w.]*|(?P<name>{_NAME})"
)
_BEFORE: Final = re.compile(r"(?:(\w+)|([)\]}\"'])|[\s\S])\Z")
KEYWORDS: Final = frozenset(
    re.findall(
        r"\w+",
        """and as assert await break breakpoint class class_name const continue elif else enum extends for func if in is
        match namespace not or pass preload return self signal static super trait var void when while yield
        true false null PI TAU INF NAN""",
    )
)
_KEPT_WORDS: Final = ("await", "return", "self", "super")
_OPERATORS: Final = frozenset(re.findall(r"\w+", "and as await elif else if in is match not or return when while"))


class Place(msgspec.Struct, frozen=True, order=True):
    """A position in a script, by its path from the root; line and character count from 0, in UTF-16 units."""

    path: str
    line: int
    character: int


class Token(msgspec.Struct, frozen=True):
    """One name where it stands."""

    name: str
    start: int
    line: int  # from 0
    column: int
    is_member: bool = False  # after a dot

    @property
    def end(self) -> int:
        return self.start + len(self.name)


class Text(msgspec.Struct, frozen=True):
    """A string, without its quotes."""

    content: str
    start: int
    line: int


class Source:
    """A script's text, with its names found once."""

    def __init__(self, path: str, content: bytes) -> None:
        self.path = path
        self.content = content
        self.text = content.decode("utf-8", "surrogateescape")
        self._first = 1 if self.text.startswith("\ufeff") else 0
        self._starts = [self._first, *(match.end() for match in re.finditer("\n", self.text))]
        self.tokens: list[Token] = []
        self.words: list[Token] = []  # await, return, self, super
        self.strings: list[Text] = []
        self.node_paths: list[Text] = []  # `$Sprite/Eye` and `%Bar`, with their sign
        self._scan()

    @property
    def is_utf8(self) -> bool:
        return not any("\udc80" <= character <= "\udcff" for character in self.text)

    def line_text(self, line: int) -> str:
        """Return a line, counted from 0, without its end."""
        if not 0 <= line < len(self._starts):
            return ""
        end = self._starts[line + 1] if line + 1 < len(self._starts) else len(self.text)
        return self.text[self._starts[line] : end].rstrip("\r\n")

    @property
    def line_count(self) -> int:
        return len(self._starts)

    def line_of(self, offset: int) -> int:
        """Return the line of an offset, counted from 0."""
        return max(bisect_right(self._starts, offset) - 1, 0)

    def column_of(self, offset: int) -> int:
        """Return the column of an offset, in UTF-16 units."""
        before = self.text[self._starts[self.line_of(offset)] : offset]
        return len(before) + sum(character > "\uffff" for character in before)

    def offset_of(self, line: int, column: int) -> int:
        """Return the offset of a position in UTF-16 units."""
        if not 0 <= line < len(self._starts):
            return len(self.text)
        offset, left = self._starts[line], column
        while left > 0 and offset < len(self.text) and self.text[offset] != "\n":
            left -= 2 if self.text[offset] > "\uffff" else 1
            offset += 1
        return offset

    def bytes_before(self, offset: int) -> int:
        """Return how many bytes lie before an offset."""
        return len(self.text[:offset].encode("utf-8", "surrogateescape"))

    def place(self, token: Token) -> Place:
        return Place(self.path, token.line, token.column)

    def named(self, name: str) -> list[Token]:
        return [token for token in self.tokens if token.name == name]

    def token_at(self, line: int, column: int) -> Token | None:
        """Return the name that begins at a position."""
        return next((token for token in self.tokens if token.line == line and token.column == column), None)

    def _scan(self) -> None:
        for match in self._matches():
            if match["name"] is not None:
                self._add_name(match["name"], match.start("name"))
            elif match["string"] is not None:
                quotes = 3 if match["string"][:3] in ('"""', "'''") else 1
                start = match.start("string") + quotes
                self.strings.append(Text(match["string"][quotes:-quotes], start, self.line_of(start)))
            elif match[0][0] in "$%":
                self.node_paths.append(Text(match[0], match.start(), self.line_of(match.start())))

    def _add_name(self, name: str, start: int) -> None:
        if name not in KEYWORDS:
            before = self.text[max(0, start - 20) : start].rstrip(" \t")
            is_member = before.endswith(".") and not before.endswith("..")
            self.tokens.append(Token(name, start, self.line_of(start), self.column_of(start), is_member))
        elif name in _KEPT_WORDS:
            self.words.append(Token(name, start, self.line_of(start), self.column_of(start)))

    def _matches(self) -> Iterator[re.Match[str]]:
        at = self._first
        while (match := _SCANNED.search(self.text, at)) is not None:
            if match["unique"] is not None and self._is_operand_before(match.start()):
                at = match.start() + 1  # the remainder of a division
                continue
            yield match
            at = match.end()

    def _is_operand_before(self, offset: int) -> bool:
        before = self.text[max(0, offset - 80) : offset].rstrip(" \t")
        match = _BEFORE.search(before)
        if match is None:
            return False
        return match[2] is not None or (match[1] is not None and match[1] not in _OPERATORS)


def is_identifier(name: str) -> bool:
    """Return whether a name can be given to something in GDScript."""
    return re.fullmatch(_NAME, name) is not None and name not in KEYWORDS
