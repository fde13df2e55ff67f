"""Names that live inside a function: parameters, local variables, loop variables, what a match binds."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Final

import msgspec

from scenewright.godot.language.syntax import Unparsable, parse

if TYPE_CHECKING:
    from tree_sitter import Node

    from scenewright.godot.language.symbols.tokens import Source, Token

__all__ = ["Local", "LocalNames"]

_FUNCTIONS: Final = ("function_definition", "constructor_definition", "lambda", "set_body", "get_body")
_STATEMENTS: Final = ("variable_statement", "const_statement")
_MARK: Final = b"\xef\xbb\xbf"


class Local(msgspec.Struct, frozen=True):
    """A local name: where it is declared, and the part of the text in which it can be meant; in bytes."""

    declared: int
    start: int
    end: int


class LocalNames:
    """Those of one script."""

    def __init__(self, source: Source) -> None:
        self._source = source
        self._roots: list[tuple[int, Node]] = []
        at = len(_MARK) if source.content.startswith(_MARK) else 0
        try:
            for chunk in parse(source.content):
                self._roots.append((at, chunk.root))
                at += chunk.size
        except Unparsable:
            self._roots = []

    def find(self, token: Token) -> Local | None:
        """Return the local name that a token means, None where it means a member or something of another place."""
        if token.is_member:
            return None
        offset = self._source.bytes_before(token.start)
        name = token.name.encode()
        best: Local | None = None
        for base, root in self._roots:
            if base <= offset < base + root.end_byte:
                for declared, scope in _visible(root, offset - base, name):
                    best = Local(base + declared.start_byte, base + scope.start_byte, base + scope.end_byte)
        return best

    def of(self, local: Local, name: str) -> list[Token]:
        """Return every token that means a local name."""
        return [token for token in self._source.named(name) if self.find(token) == local]


def _visible(root: Node, offset: int, name: bytes) -> Iterator[tuple[Node, Node]]:
    """The declarations of a name that hold at an offset, outermost first, each with its scope."""
    node: Node | None = root
    inside = False  # a function: names in a class body are members
    while node is not None:
        if node.type in _FUNCTIONS:
            inside = True
            yield from ((each, node) for each in _parameters(node) if each.text == name)
        elif node.type == "for_statement" and inside:
            left, body = node.child_by_field_name("left"), node.child_by_field_name("body")
            here = left is not None and (_holds(left, offset) or (body is not None and _holds(body, offset)))
            if here and left is not None and left.text == name:
                yield left, node
        elif node.type == "pattern_section":
            yield from ((each, node) for each in _bindings(node) if each.text == name)
        elif inside and node.type == "body":
            yield from ((each, node) for each in _statements(node, offset) if each.text == name)
        if node.type == "class_definition":
            inside = False
        node = next((child for child in node.children if _holds(child, offset)), None)


def _holds(node: Node, offset: int) -> bool:
    return node.start_byte <= offset < node.end_byte


def _parameters(function: Node) -> Iterator[Node]:
    for child in function.children:
        if child.type != "parameters":
            continue
        for parameter in child.named_children:
            inner = parameter.named_children[0] if parameter.type == "variadic_parameter" else parameter
            if inner.type == "identifier":
                yield inner
            elif inner.named_children and inner.named_children[0].type == "identifier":
                yield inner.named_children[0]


def _statements(body: Node, offset: int) -> Iterator[Node]:
    """Names declared in a block before an offset, or right there."""
    for statement in body.children:
        if statement.start_byte > offset:
            return
        name = statement.child_by_field_name("name") if statement.type in _STATEMENTS else None
        if name is not None and (_holds(name, offset) or statement.end_byte <= offset):
            yield name


def _bindings(section: Node) -> Iterator[Node]:
    """What the patterns of a section bind, not those of matches in its body."""
    waiting = [child for child in section.children if child.type != "body"]
    while waiting:
        node = waiting.pop()
        if node.type == "pattern_binding":
            yield from (child for child in node.named_children if child.type == "identifier")
        else:
            waiting += node.children
