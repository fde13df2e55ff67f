"""Reads what Godot sees of a C# script into the records of GDScript: exports, signals, methods, enumerations.

Names stay as C# has them, for so the engine knows them; types and values are told in GDScript's words.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import PurePosixPath
from typing import TYPE_CHECKING, Any, Final, Protocol

from scenewright.csharp.syntax import Attribute, LineIndex, attributes_of, nodes_below, parse, text_of
from scenewright.godot.classes.variant import Hint
from scenewright.godot.language.csharp_types import (
    CSharpNames,
    engine_class,
    translate_type,
    translate_value,
)
from scenewright.godot.language.records import (
    Annotation,
    ClassDecl,
    ConstantDecl,
    EnumDecl,
    FunctionDecl,
    Lines,
    Parameter,
    Problem,
    Script,
    SignalDecl,
    VariableDecl,
)

if TYPE_CHECKING:
    from tree_sitter import Node

__all__ = ["ProjectClasses", "read_csharp"]

SIGNAL_ENDING: Final = "EventHandler"
_MARKS: Final = {
    "ExportCategory": "export_category",
    "ExportGroup": "export_group",
    "ExportSubgroup": "export_subgroup",
}
_MEMBERS: Final = frozenset(
    {
        "delegate_declaration",
        "enum_declaration",
        "field_declaration",
        "method_declaration",
        "property_declaration",
    }
)
_HINTS: Final = {hint.name.replace("_", ""): f"PROPERTY_HINT_{hint.name}" for hint in Hint}
_XML: Final = re.compile(r"<[^>\n]{0,200}>")


class ProjectClasses(CSharpNames, Protocol):
    """Where the names of classes lead, and where those of the project are declared."""

    def csharp_path(self, name: str) -> str:
        """Return the res:// path of the file that declares a class, empty for none of the project's."""
        ...


def read_csharp(source: bytes, path: str, names: ProjectClasses) -> Script:
    """Read what the class with the file's name declares, all its parts in the file; without it, nothing."""
    source = source.removeprefix(b"\xef\xbb\xbf")
    lines = LineIndex(source)
    last = max(1, source.count(b"\n") + (not source.endswith(b"\n")))
    root = parse(source)
    if root is None:
        unread = Problem(1, 1, "This is so unlike C# that parsing it takes too long; nothing of it was read.")
        return Script(path=path, body=ClassDecl(name="", lines=Lines(1, last)), problems=(unread,))
    wanted = PurePosixPath(path).stem
    parts = [
        node
        for node in nodes_below(root, {"class_declaration"}, inside_types=True)
        if text_of(node.child_by_field_name("name")) == wanted
    ]
    reader = _ClassReader(parts, lines, names)
    return Script(
        path=path,
        body=reader.body(Lines(1, last)),
        is_tool=any(each.name == "Tool" for each in reader.attributes),
        icon=next(
            (_string(each.arguments[0]) for each in reader.attributes if each.name == "Icon" and each.arguments), ""
        ),
        problems=tuple(_problems(root, lines)),
    )


class _ClassReader:
    """Collects what the parts of a class declare."""

    def __init__(self, parts: list[Node], lines: LineIndex, names: ProjectClasses) -> None:
        self._parts, self._lines, self._names = parts, lines, names
        self.attributes = [each for part in parts for each in attributes_of(part)]
        bodies = [body for part in parts if (body := part.child_by_field_name("body")) is not None]
        self._members = [node for body in bodies for node in nodes_below(body, _MEMBERS, inside_types=False)]
        self._enums = frozenset(self._name(node) for node in self._members if node.type == "enum_declaration")

    def body(self, lines: Lines) -> ClassDecl:
        rows: dict[str, Any] = {"signals": [], "variables": [], "functions": [], "constants": [], "enums": []}
        for node in self._members:
            for kind, row in self._rows(node):
                rows[kind].append(row)
        is_named = any(each.name == "GlobalClass" for each in self.attributes)
        told: dict[str, Any] = {**self._base(), **{kind: tuple(each) for kind, each in rows.items()}}
        abstract = any("abstract" in _modifiers(part) for part in self._parts)
        return ClassDecl(
            name=self._name(self._parts[0]) if is_named and self._parts else "",
            lines=lines,
            description=_description(self._parts[0]) if self._parts else "",
            annotations=(Annotation("abstract"),) if abstract else (),
            marks=tuple(mark for node in self._members for mark in self._marks(node)),
            **told,
        )

    def _base(self) -> dict[str, Any]:
        for part in self._parts:
            written = next((row.named_children[0] for row in part.children if row.type == "base_list"), None)
            if written is None:
                continue
            base = text_of(written).partition("<")[0].partition("(")[0].strip()
            plain = base.rpartition(".")[2].rpartition(":")[2]
            if place := self._names.csharp_path(plain):
                return {"extends_path": place}
            return {"extends_name": engine_class(self._names.index, plain) or plain}
        return {"extends_name": "object"}  # which is no class of the engine's

    def _rows(self, node: Node) -> Iterator[tuple[str, Any]]:
        match node.type:
            case "delegate_declaration":
                if any(each.name == "Signal" for each in attributes_of(node)):
                    yield "signals", self._signal(node)
            case "enum_declaration":
                yield "enums", self._enum(node)
            case "method_declaration":
                yield "functions", self._function(node)
            case "property_declaration":
                yield "variables", self._variable(node, node, self._property_value(node))
            case _:
                yield from self._fields(node)

    def _fields(self, node: Node) -> Iterator[tuple[str, Any]]:
        declaration = next((row for row in node.named_children if row.type == "variable_declaration"), None)
        for each in declaration.named_children if declaration is not None else ():
            if each.type != "variable_declarator":
                continue
            name = each.child_by_field_name("name")
            values = [part for part in each.named_children if part != name and part.type != "bracketed_argument_list"]
            value = values[0] if values else None
            if "const" in _modifiers(node):
                told = translate_value(value, "") or ""
                declared = self._type(declaration) if declaration is not None else ""
                yield "constants", ConstantDecl(name=text_of(name), lines=self._span(node), value=told, type=declared)
            else:
                yield "variables", self._variable(node, each, value, declaration)

    def _variable(self, node: Node, named: Node, value: Node | None, typed: Node | None = None) -> VariableDecl:
        type_ = self._type(typed or node)
        return VariableDecl(
            name=self._name(named),
            lines=self._span(node),
            description=_description(node),
            annotations=tuple(
                _export(each) for each in attributes_of(node) if each.name in ("Export", "ExportToolButton")
            )
            if type_
            else (),
            type=type_,
            value=translate_value(value, type_),
            is_static="static" in _modifiers(node),
        )

    def _property_value(self, node: Node) -> Node | None:
        value = node.child_by_field_name("value")
        return None if value is not None and value.type == "arrow_expression_clause" else value

    def _signal(self, node: Node) -> SignalDecl:
        return SignalDecl(
            name=self._name(node).removesuffix(SIGNAL_ENDING),
            lines=self._span(node),
            description=_description(node),
            parameters=self._parameters(node),
        )

    def _function(self, node: Node) -> FunctionDecl:
        returns = node.child_by_field_name("returns") or node.child_by_field_name("type")
        return FunctionDecl(
            name=self._name(node),
            lines=self._span(node),
            description=_description(node),
            parameters=self._parameters(node),
            returns=translate_type(text_of(returns), self._names, self._enums),
            is_static="static" in _modifiers(node),
        )

    def _enum(self, node: Node) -> EnumDecl:
        body = node.child_by_field_name("body")
        rows = [row for row in body.named_children if row.type == "enum_member_declaration"] if body else []
        members = ((self._name(row), translate_value(row.child_by_field_name("value"), "int")) for row in rows)
        return EnumDecl(name=self._name(node), lines=self._span(node), members=tuple(members))

    def _parameters(self, node: Node) -> tuple[Parameter, ...]:
        listed = node.child_by_field_name("parameters")
        rows = [row for row in listed.named_children if row.type == "parameter"] if listed else []
        parameters = [
            Parameter(
                name=self._name(row),
                type=self._type(row),
                default=_default_of(row),
            )
            for row in rows
        ]
        text = text_of(listed)
        if re.search(r"[(,]\s*params\s", text):
            name = re.split(r"\W+", text.rstrip(") \t\r\n"))[-1]
            parameters = [each for each in parameters if each.name != name]
            parameters.append(Parameter(name=name, is_rest=True))
        return tuple(parameters)

    def _marks(self, node: Node) -> Iterator[Annotation]:
        for each in attributes_of(node):
            if each.name in _MARKS:
                arguments = tuple(text_of(argument) for argument in each.arguments)
                yield Annotation(_MARKS[each.name], arguments, self._lines.line(node.start_byte))

    def _type(self, node: Node) -> str:
        return translate_type(text_of(node.child_by_field_name("type")), self._names, self._enums)

    def _name(self, node: Node) -> str:
        return text_of(node.child_by_field_name("name"))

    def _span(self, node: Node) -> Lines:
        return Lines(self._lines.line(node.start_byte), self._lines.line(max(node.start_byte, node.end_byte - 1)))


def _export(attribute: Attribute) -> Annotation:
    if attribute.name == "ExportToolButton":
        return Annotation("export_tool_button", tuple(text_of(each) for each in attribute.arguments))
    if not attribute.arguments:
        return Annotation("export")
    hint = text_of(attribute.arguments[0]).rpartition(".")[2].upper()
    told = [text_of(each) for each in attribute.arguments[1:2]]
    return Annotation("export_custom", (_HINTS.get(hint, "PROPERTY_HINT_NONE"), *(told or ['""'])))


def _default_of(parameter: Node) -> str | None:
    written = text_of(parameter)
    if "=" not in written:
        return None
    return translate_value(parameter.named_children[-1], "")


def _modifiers(node: Node) -> set[str]:
    return {text_of(row) for row in node.children if row.type == "modifier"}


def _string(node: Node) -> str:
    return text_of(node).lstrip("@").strip('"')


def _description(node: Node) -> str:
    """The lines of `///` above a declaration, without their tags."""
    lines: list[str] = []
    above = node.prev_sibling
    while above is not None and above.type == "comment" and text_of(above).startswith("///"):
        lines.insert(0, _XML.sub("", text_of(above).lstrip("/")).strip())
        above = above.prev_sibling
    return "\n".join(line for line in lines if line)


def _problems(root: Node, lines: LineIndex) -> Iterator[Problem]:
    waiting = [root] if root.has_error else []
    while waiting:
        node = waiting.pop()
        if node.is_missing:
            yield _problem(node, lines, f"Expected '{node.type}' here.")
        elif node.is_error:
            shown = " ".join(text_of(node).split())[:40]
            yield _problem(node, lines, f"Unexpected '{shown}'." if shown else "Unexpected end of line.")
        elif node.has_error:
            waiting.extend(reversed(node.children))


def _problem(node: Node, lines: LineIndex, message: str) -> Problem:
    return Problem(lines.line(node.start_byte), lines.column(node.start_byte), message)
