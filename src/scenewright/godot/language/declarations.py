"""Turns syntax nodes into declarations, each by itself."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from scenewright.godot.language.comments import Comments
from scenewright.godot.language.records import (
    Annotation,
    ConstantDecl,
    EnumDecl,
    FunctionDecl,
    Lines,
    Parameter,
    SignalDecl,
    VariableDecl,
)
from scenewright.godot.language.syntax import SyntaxChunk

if TYPE_CHECKING:
    from tree_sitter import Node

__all__ = ["DeclarationReader"]

_PARAMETERS = ("identifier", "typed_parameter", "default_parameter", "typed_default_parameter", "variadic_parameter")


class DeclarationReader:
    """Reads the nodes of one chunk of a file."""

    def __init__(self, chunk: SyntaxChunk, comments: Comments) -> None:
        self.chunk = chunk
        self._comments = comments

    def annotation(self, node: Node) -> Annotation:
        name = next((self.chunk.text(child) for child in node.named_children if child.type == "identifier"), "")
        return Annotation(
            name, _arguments(self.chunk, node.child_by_field_name("arguments")), self.chunk.row(node.start_byte) + 1
        )

    def annotations(self, node: Node) -> tuple[Annotation, ...]:
        """Return the annotations on the line of a declaration."""
        group = next((child for child in node.children if child.type == "annotations"), None)
        return tuple(self.annotation(child) for child in group.named_children) if group else ()

    def lines(self, node: Node, annotations: tuple[Annotation, ...]) -> Lines:
        first, last = self.chunk.lines(node)
        return Lines(min((first, *(annotation.line for annotation in annotations))), last)

    def above(self, line: int) -> str:
        return self._comments.above(line)

    def description(self, node: Node, lines: Lines) -> str:
        end = node.end_byte
        behind = self._comments.behind(self.chunk.row(end) + 1, self.chunk.column(end))
        return self.above(lines.first) or behind

    def signal(self, node: Node, before: tuple[Annotation, ...]) -> SignalDecl:
        lines = self.lines(node, before)
        return SignalDecl(
            name=self.chunk.field(node, "name"),
            lines=lines,
            description=self.description(node, lines),
            annotations=before,
            parameters=tuple(_parameters(self.chunk, node.child_by_field_name("parameters"))),
        )

    def function(self, node: Node, before: tuple[Annotation, ...]) -> FunctionDecl:
        annotations = (*before, *self.annotations(node))
        lines = self.lines(node, annotations)
        return FunctionDecl(
            name="_init" if node.type == "constructor_definition" else self.chunk.field(node, "name"),
            lines=lines,
            description=self.above(lines.first),
            annotations=annotations,
            parameters=tuple(_parameters(self.chunk, node.child_by_field_name("parameters"))),
            returns=self.chunk.field(node, "return_type"),
            is_static=_is_static(node),
        )

    def variable(self, node: Node, before: tuple[Annotation, ...]) -> VariableDecl:
        annotations = (*before, *self.annotations(node))
        lines = self.lines(node, annotations)
        type_, inferred = _type(self.chunk, node)
        accessors = node.child_by_field_name("setget")
        return VariableDecl(
            name=self.chunk.field(node, "name"),
            lines=lines,
            description=self.description(node, lines),
            annotations=annotations,
            type=type_,
            is_inferred=inferred,
            value=_optional(self.chunk, node.child_by_field_name("value")),
            is_static=_is_static(node),
            setter=_accessor(self.chunk, accessors, "set"),
            getter=_accessor(self.chunk, accessors, "get"),
        )

    def constant(self, node: Node, before: tuple[Annotation, ...]) -> ConstantDecl:
        lines = self.lines(node, before)
        return ConstantDecl(
            name=self.chunk.field(node, "name"),
            lines=lines,
            description=self.description(node, lines),
            annotations=before,
            value=self.chunk.field(node, "value"),
            type=_type(self.chunk, node)[0],
        )

    def enum(self, node: Node, before: tuple[Annotation, ...]) -> EnumDecl:
        lines = self.lines(node, before)
        body = node.child_by_field_name("body")
        members = [child for child in body.named_children if child.type == "enumerator"] if body else []
        return EnumDecl(
            name=self.chunk.field(node, "name"),
            lines=lines,
            description=self.description(node, lines),
            annotations=before,
            members=tuple(
                (self.chunk.field(member, "left"), _optional(self.chunk, member.child_by_field_name("right")))
                for member in members
            ),
        )


def _parameters(chunk: SyntaxChunk, node: Node | None) -> Iterator[Parameter]:
    for child in node.named_children if node else ():
        if child.type not in _PARAMETERS:
            continue
        is_rest = child.type == "variadic_parameter"
        inner = child.named_children[0] if is_rest and child.named_children else child
        yield Parameter(
            name=chunk.text(inner if inner.type == "identifier" else inner.named_children[0]),
            type=_type(chunk, inner)[0],
            default=_optional(chunk, inner.child_by_field_name("value")),
            is_rest=is_rest,
        )


def _type(chunk: SyntaxChunk, node: Node) -> tuple[str, bool]:
    """The declared type, and whether it is to be inferred from the value."""
    type_node = node.child_by_field_name("type")
    if type_node is None:
        return "", False
    return ("", True) if type_node.type == "inferred_type" else (chunk.text(type_node), False)


def _arguments(chunk: SyntaxChunk, node: Node | None) -> tuple[str, ...]:
    return tuple(chunk.text(child) for child in node.named_children if child.type != "comment") if node else ()


def _accessor(chunk: SyntaxChunk, node: Node | None, which: str) -> str:
    accessor = node.child_by_field_name(which) if node else None
    if accessor is None:
        return ""
    return which if accessor.type.endswith("_body") else chunk.text(accessor)


def _is_static(node: Node) -> bool:
    return any(child.type == "static_keyword" for child in node.children)


def _optional(chunk: SyntaxChunk, node: Node | None) -> str | None:
    return chunk.text(node) if node else None
