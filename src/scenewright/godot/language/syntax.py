"""The only module that knows tree-sitter: parses GDScript, finds what is wrong, and reads on after it."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator
from functools import cache
from time import monotonic
from typing import TYPE_CHECKING

from scenewright.core.calls.deadline import check_deadline
from scenewright.godot.language.parsable_source import parsable_source
from scenewright.godot.language.records import Problem

if TYPE_CHECKING:
    from tree_sitter import Language, Node

__all__ = ["NoParser", "SyntaxChunk", "Unparsable", "parse", "parse_expression", "problems_in", "text_of"]

# What sound code takes on a busy machine, and some more.
PARSE_SECONDS, PARSE_SECONDS_OF_BYTE, MOST_PARSE_SECONDS = 2.0, 5e-6, 10.0

_MARK = b"\xef\xbb\xbf"
_DECLARATION = re.compile(rb"(?:@|(?:abstract|class|class_name|const|enum|extends|func|signal|static|var)\b)")
_LEAD = re.compile(rb"\s*(?:#.*|@\w+(?:\([^()]*\))?\s*(?:#.*)?)?$")
_SHOWN = 40


class Unparsable(Exception):
    """It takes so long that nobody else would be served: the parser lets no other thread run."""


class NoParser(Unparsable):
    """No grammar of GDScript is made for this system: `plain_reader` reads what stands at the left edge."""


class SyntaxChunk:
    """A parsed piece of a file and the line it starts at, counted from 0; what was parsed may stand for the source.

    Lines are counted here, from byte offsets: the points of tree-sitter 0.26.0 corrupt memory.
    """

    __slots__ = ("_source", "_starts", "first_row", "root")

    def __init__(self, parsed: bytes, source: bytes, first_row: int, end: float) -> None:
        self.root: Node = _parse_root(parsed, end)
        self.first_row = first_row
        self._source = source
        self._starts = [0, *(newline.end() for newline in re.finditer(rb"\n", source))]

    @property
    def size(self) -> int:
        """How many bytes of the file it is."""
        return len(self._source)

    def text(self, node: Node | None) -> str:
        """Return the source of a node."""
        return self._source[node.start_byte : node.end_byte].decode("utf-8", "replace") if node else ""

    def field(self, node: Node, name: str) -> str:
        """Return the source of a node's field, empty where it has none."""
        return self.text(node.child_by_field_name(name))

    def row(self, offset: int) -> int:
        """Return the line of a byte in the file, counted from 0."""
        return bisect_right(self._starts, offset) - 1 + self.first_row

    def column(self, offset: int) -> int:
        """Return the place of a byte in its line, counted from 0."""
        return offset - self._starts[bisect_right(self._starts, offset) - 1]

    def lines(self, node: Node) -> tuple[int, int]:
        """Return the first and last line of a node, counted from 1; blank lines after it are none of it."""
        first = self.row(node.start_byte) + 1
        return first, first + text_of(node).rstrip().count("\n")


@cache
def _language() -> Language:
    # Loaded here: most runs never read a script.
    from tree_sitter import Language

    try:
        from tree_sitter_gdscript import language
    except ImportError:
        return _packed_language()
    return Language(language())


def _packed_language() -> Language:
    """Return the same grammar from the pack that is installed where it has no package of its own.

    Raises:
        NoParser: there is none either.
    """
    try:
        from tree_sitter_language_pack import get_language
    except ImportError:
        raise NoParser from None
    language: Language = get_language("gdscript")
    return language


def _end_for(source: bytes) -> float:
    return monotonic() + min(MOST_PARSE_SECONDS, PARSE_SECONDS + PARSE_SECONDS_OF_BYTE * len(source))


def _parse_root(source: bytes, end: float) -> Node:
    from tree_sitter import Parser

    check_deadline()
    left = end - monotonic()
    if left <= 0:
        raise Unparsable
    # A parser must not be used by two threads at once, and a new one costs microseconds. After an error it may need
    # time that grows with the square of the text. What should replace the time-out is not asked for texts in memory.
    parser = Parser(_language(), timeout_micros=max(1, int(left * 1_000_000)))
    try:
        return parser.parse(source).root_node
    except ValueError:
        raise Unparsable from None


def parse(source: bytes) -> list[SyntaxChunk]:
    """Parse the whole file as one chunk or, with bad syntax, each top-level declaration as its own.

    An unclosed bracket would otherwise swallow all declarations after it.

    Raises:
        Unparsable: it takes too long, or there is no parser.
    """
    source = source.removeprefix(_MARK)
    end = _end_for(source)
    whole = SyntaxChunk(source, source, 0, end)
    if not whole.root.has_error:
        return [whole]
    parsed = parsable_source(source)
    if parsed != source and not (again := SyntaxChunk(parsed, source, 0, end)).root.has_error:
        return [again]
    return [
        SyntaxChunk(parsed[start:stop], source[start:stop], row, end)
        for row, start, stop in _split_declarations(parsed)
    ]


def parse_expression(text: str) -> Node | None:
    """Parse the expression in a text; return None where it is none."""
    source = f"var _ = {text}\n".encode()
    try:
        root = _parse_root(source, _end_for(source))
    except Unparsable:
        return None
    if root.has_error or root.named_child_count != 1:
        return None
    return root.named_children[0].child_by_field_name("value")


def problems_in(chunk: SyntaxChunk) -> Iterator[Problem]:
    """Return every place where the parser had to skip or invent something."""
    if not chunk.root.has_error:
        return
    todo = [chunk.root]
    while todo:
        node = todo.pop()
        if node.is_error or node.is_missing:
            yield _problem(chunk, node)
        elif node.has_error:
            todo.extend(reversed(node.children))


def text_of(node: Node | None) -> str:
    """Return the source of a node."""
    return (node.text or b"").decode("utf-8", "replace") if node else ""


def _problem(chunk: SyntaxChunk, node: Node) -> Problem:
    if node.is_missing:
        message = f"Expected '{node.type}' here."
    else:
        shown = " ".join(chunk.text(node).split())[:_SHOWN]
        message = f"Unexpected '{shown}'." if shown else "Unexpected end of line."
    return Problem(chunk.row(node.start_byte) + 1, chunk.column(node.start_byte) + 1, message)


def _split_declarations(source: bytes) -> Iterator[tuple[int, int, int]]:
    """Cut before each line that starts a declaration, annotations above it with it: line, first byte and end."""
    start, first_row, leading, at, row = 0, 0, True, 0, 0
    for row, line in enumerate(source.splitlines(keepends=True)):
        if not leading and _DECLARATION.match(line):
            yield first_row, start, at
            start, first_row, leading = at, row, True
        leading = leading and bool(_LEAD.match(line.rstrip(b"\r\n")))
        at += len(line)
    if start < at:
        yield first_row, start, at
