"""The only module that knows tree-sitter's C#: parses a file and finds declarations and their attributes in it."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator
from functools import cache
from typing import TYPE_CHECKING, NamedTuple

from scenewright.core.calls.deadline import check_deadline

if TYPE_CHECKING:
    from tree_sitter import Language, Node

__all__ = ["TYPES", "Attribute", "LineIndex", "attributes_of", "nodes_below", "parse", "text_of"]

TYPES = frozenset(
    {"class_declaration", "struct_declaration", "enum_declaration", "record_declaration", "interface_declaration"}
)
_MOST_MICROSECONDS = 2_000_000
_AROUND = ("preproc", "namespace", "declaration_list", "file_scoped")


class Attribute(NamedTuple):
    """`[Export(PropertyHint.Range, "0,10")]`: its name without namespace and `Attribute`, its arguments."""

    name: str
    arguments: tuple[Node, ...]


class LineIndex:
    """Lines of a source by byte, from 1; the points that tree-sitter gives are not to be trusted."""

    def __init__(self, source: bytes) -> None:
        self._starts = [0, *(newline.end() for newline in re.finditer(rb"\n", source))]

    def line(self, offset: int) -> int:
        """Return the line of a byte."""
        return bisect_right(self._starts, offset)

    def column(self, offset: int) -> int:
        """Return the place of a byte in its line, from 1."""
        return offset - self._starts[self.line(offset) - 1] + 1


@cache
def _language() -> Language:
    import tree_sitter_c_sharp
    from tree_sitter import Language

    return Language(tree_sitter_c_sharp.language())


def parse(source: bytes) -> Node | None:
    """Return the root of a file without a byte order mark, None where reading it takes too long."""
    from tree_sitter import Parser

    check_deadline()
    try:
        # A parser must not be used by two threads at once, and a new one costs microseconds.
        return Parser(_language(), timeout_micros=_MOST_MICROSECONDS).parse(source).root_node
    except ValueError:
        return None


def nodes_below(node: Node, kinds: frozenset[str] | set[str], *, inside_types: bool) -> Iterator[Node]:
    """Yield nodes of some kinds in their order, those within conditions of the preprocessor too."""
    waiting = list(reversed(node.children))
    while waiting:
        child = waiting.pop()
        if child.type in kinds:
            yield child
        if child.type in TYPES and not inside_types:
            continue
        if child.type in TYPES or child.type.startswith(_AROUND):
            waiting.extend(reversed(child.children))


def attributes_of(node: Node) -> list[Attribute]:
    """Return the attributes of a declaration, in their order."""
    lists = [row for row in node.children if row.type == "attribute_list"]
    return [_attribute(each) for row in lists for each in row.named_children if each.type == "attribute"]


def text_of(node: Node | None) -> str:
    """Return the source of a node, empty for none."""
    return "" if node is None or node.text is None else node.text.decode("utf-8", "replace")


def _attribute(node: Node) -> Attribute:
    name = text_of(node.child_by_field_name("name")).rpartition(".")[2].removesuffix("Attribute")
    lists = [row for row in node.named_children if row.type == "attribute_argument_list"]
    values = [each.named_children for row in lists for each in row.named_children if each.type == "attribute_argument"]
    return Attribute(name, tuple(value[-1] for value in values if value))
