"""Reads a GDScript file into records."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any

from scenewright.godot.language.comments import Comments
from scenewright.godot.language.declarations import DeclarationReader
from scenewright.godot.language.plain_reader import read_plainly
from scenewright.godot.language.records import EXPORT_MARKS, Annotation, ClassDecl, Lines, Problem, Script
from scenewright.godot.language.syntax import NoParser, Unparsable, parse, problems_in

if TYPE_CHECKING:
    from tree_sitter import Node

__all__ = ["read_script"]

_OF_THE_FILE = ("tool", "icon", "static_unload", "warning_ignore_start", "warning_ignore_restore")


def read_script(source: bytes | str, path: str = "") -> Script:
    """Read what a script declares. Bad syntax is reported in `problems`; the rest is read all the same."""
    data = source.encode() if isinstance(source, str) else source
    text = data.decode("utf-8-sig", "replace")
    body = _Body()
    try:
        chunks = parse(data)
    except NoParser:
        return read_plainly(text, path)
    except Unparsable:
        unread = Problem(1, 1, "This is so unlike GDScript that parsing it takes too long; nothing of it was read.")
        return Script(path=path, body=body.made(Lines(1, max(1, len(text.splitlines())))), problems=(unread,))
    comments = Comments(text)
    for chunk in chunks:
        body.read(DeclarationReader(chunk, comments), chunk.root.children)
    first = min((member.lines.first for member in body.members), default=None)
    last = max(1, len(text.splitlines()))
    declared = body.made(Lines(1, last), description=comments.of_class(first))
    icon = next((annotation.arguments for annotation in body.of_the_file if annotation.name == "icon"), ())
    return Script(
        path=path,
        body=declared,
        is_tool=any(annotation.name == "tool" for annotation in body.of_the_file),
        icon=_unquoted(icon[0]) if icon else "",
        problems=tuple(problem for chunk in chunks for problem in problems_in(chunk)),
    )


class _Body:
    """Collects the declarations of one class."""

    def __init__(self) -> None:
        self.name = ""
        self.extends_path = self.extends_name = ""
        self.members: list[Any] = []
        self.marks: list[Annotation] = []
        self.of_the_file: list[Annotation] = []
        self._of_class: tuple[Annotation, ...] = ()
        self._waiting: list[Annotation] = []  # annotations above the declaration they belong to

    def read(self, reader: DeclarationReader, nodes: Iterable[Node]) -> None:
        makers: dict[str, Callable[[Node, tuple[Annotation, ...]], Any]] = {
            "signal_statement": reader.signal,
            "variable_statement": reader.variable,
            "const_statement": reader.constant,
            "enum_definition": reader.enum,
            "function_definition": reader.function,
            "constructor_definition": reader.function,
            "class_definition": lambda node, before: _inner_class(reader, node, before),
        }
        for node in nodes:
            if node.type == "annotation":
                self._sort_annotation(reader.annotation(node))
            elif node.type in ("class_name_statement", "extends_statement"):
                self._head(reader, node)
            elif node.type == "ERROR":
                self.read(reader, node.children)
            elif node.type in makers:
                member = makers[node.type](node, tuple(self._waiting))
                self._waiting.clear()
                if member.name or node.type == "enum_definition":
                    self.members.append(member)

    def made(self, lines: Lines, **more: Any) -> ClassDecl:
        annotations = (*more.pop("annotations", ()), *self._of_class)
        by_kind: dict[str, list[Any]] = {}
        for member in self.members:
            by_kind.setdefault(type(member).__name__, []).append(member)
        return ClassDecl(
            name=more.pop("name", self.name),
            lines=lines,
            annotations=annotations,
            extends_path=self.extends_path,
            extends_name=self.extends_name,
            signals=tuple(by_kind.get("SignalDecl", ())),
            variables=tuple(by_kind.get("VariableDecl", ())),
            functions=tuple(by_kind.get("FunctionDecl", ())),
            constants=tuple(by_kind.get("ConstantDecl", ())),
            enums=tuple(by_kind.get("EnumDecl", ())),
            classes=tuple(by_kind.get("ClassDecl", ())),
            marks=tuple(self.marks),
            **more,
        )

    def extend(self, reader: DeclarationReader, node: Node) -> None:
        """Reads `extends "res://base.gd".Inner` or `extends Node2D`."""
        for part in node.named_children:
            text = reader.chunk.text(part)
            if part.type == "string":
                self.extends_path = _unquoted(text)
            elif text.startswith(('"', "'")):  # a path and an inner class of it
                quoted, _, self.extends_name = text.rpartition(text[0])
                self.extends_path, self.extends_name = quoted[1:], self.extends_name.lstrip(".")
            else:
                self.extends_name = text

    def _sort_annotation(self, annotation: Annotation) -> None:
        if annotation.name in _OF_THE_FILE:
            self.of_the_file.append(annotation)
        elif annotation.name in EXPORT_MARKS:
            self.marks.append(annotation)
        else:
            self._waiting.append(annotation)

    def _head(self, reader: DeclarationReader, node: Node) -> None:
        """`class_name` and `extends`; what stands above them annotates the class."""
        self._of_class = (*self._of_class, *self._waiting, *reader.annotations(node))
        self._waiting.clear()
        if node.type == "class_name_statement":
            self.name = reader.chunk.field(node, "name")
        extends = node if node.type == "extends_statement" else node.child_by_field_name("extends")
        if extends is not None:
            self.extend(reader, extends)


def _inner_class(reader: DeclarationReader, node: Node, before: tuple[Annotation, ...]) -> ClassDecl:
    annotations = (*before, *reader.annotations(node))
    lines = reader.lines(node, annotations)
    body = _Body()
    extends, inside = node.child_by_field_name("extends"), node.child_by_field_name("body")
    if extends is not None:
        body.extend(reader, extends)
    body.read(reader, inside.children if inside else ())
    name, description = reader.chunk.field(node, "name"), reader.above(lines.first)
    return body.made(lines, name=name, annotations=annotations, description=description)


def _unquoted(text: str) -> str:
    return text[1:-1] if len(text) > 1 and text[0] in "\"'" else text
