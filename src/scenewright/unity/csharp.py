"""Reads C# as far as serialization needs it: which types a file declares, and their fields as Unity would save them."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from scenewright.csharp.syntax import TYPES, LineIndex, attributes_of, nodes_below, parse, text_of

if TYPE_CHECKING:
    from tree_sitter import Node

__all__ = ["DeclaredField", "DeclaredMembers", "DeclaredType", "read_members", "read_types"]

_NEVER = {"static", "const", "readonly"}


@dataclass(frozen=True, slots=True)
class DeclaredField:
    name: str
    type: str  # as it is written: "float", "List<Item>", "GameObject[]"
    initial: str | None  # what is behind the equals sign


@dataclass(slots=True)
class DeclaredType:
    name: str
    kind: str  # "class", "struct", "enum", "record" or "interface"
    bases: list[str] = field(default_factory=list)
    attributes: set[str] = field(default_factory=set)
    modifiers: set[str] = field(default_factory=set)
    requires: list[str] = field(default_factory=list)  # the classes that RequireComponent names
    fields: list[DeclaredField] = field(default_factory=list)
    members: dict[str, int] = field(default_factory=dict)  # of an enum


@dataclass(slots=True)
class DeclaredMembers:
    line: int
    methods: list[str] = field(default_factory=list)  # `12: public void Hit(int damage)`


def read_members(source: bytes) -> dict[str, DeclaredMembers]:
    """Return where each type of a source file begins, and its methods."""
    by_class: dict[str, DeclaredMembers] = {}
    source = source.removeprefix(b"\xef\xbb\xbf")
    root, lines = parse(source), LineIndex(source)
    for node in nodes_below(root, TYPES, inside_types=True) if root is not None else ():
        name = text_of(node.child_by_field_name("name"))
        members = by_class.setdefault(name, DeclaredMembers(lines.line(node.start_byte)))
        body = node.child_by_field_name("body")
        for row in nodes_below(body, {"method_declaration"}, inside_types=False) if body is not None else ():
            members.methods.append(f"{lines.line(row.start_byte)}: {_signature(row)}")
    return by_class


def _signature(node: Node) -> str:
    modifiers = [text_of(row) for row in node.children if row.type == "modifier"]
    kind = node.child_by_field_name("returns") or node.child_by_field_name("type")
    name, parameters = node.child_by_field_name("name"), node.child_by_field_name("parameters")
    return " ".join([*modifiers, text_of(kind), f"{text_of(name)}{' '.join(text_of(parameters).split())}"])


def read_types(source: bytes) -> dict[str, DeclaredType]:
    """Return the types of a source file by name; what it cannot read is left out."""
    types: dict[str, DeclaredType] = {}
    root = parse(source.removeprefix(b"\xef\xbb\xbf"))
    for node in nodes_below(root, TYPES, inside_types=True) if root is not None else ():
        name = text_of(node.child_by_field_name("name"))
        declared = types.setdefault(name, DeclaredType(name, node.type.removesuffix("_declaration")))
        declared.attributes |= _attributes(node)
        declared.modifiers |= {text_of(row) for row in node.children if row.type == "modifier"}
        declared.requires += _required(node)
        declared.bases += [
            text_of(base) for row in node.children if row.type == "base_list" for base in row.named_children
        ]
        body = node.child_by_field_name("body")
        if body is not None and declared.kind == "enum":
            declared.members = _members(body)
        elif body is not None:
            for row in nodes_below(body, {"field_declaration", "property_declaration"}, inside_types=False):
                declared.fields += _fields(row)
    return types


def _fields(node: Node) -> Iterator[DeclaredField]:
    attributes, modifiers = _attributes(node), {text_of(row) for row in node.children if row.type == "modifier"}
    shown = "public" in modifiers or attributes & {"SerializeField", "SerializeReference"}
    if not shown or modifiers & _NEVER or "NonSerialized" in attributes:
        return
    if node.type == "property_declaration":
        if "SerializeField" in attributes:
            name = text_of(node.child_by_field_name("name"))
            yield DeclaredField(f"<{name}>k__BackingField", text_of(node.child_by_field_name("type")), _initial(node))
        return
    for row in node.named_children:
        if row.type == "variable_declaration":
            kind = text_of(row.child_by_field_name("type"))
            for each in row.named_children:
                if each.type == "variable_declarator":
                    values = [part for part in each.named_children[1:] if part.type != "bracketed_argument_list"]
                    yield DeclaredField(
                        text_of(each.child_by_field_name("name")), kind, text_of(values[0]) if values else None
                    )


def _initial(node: Node) -> str | None:
    value = node.child_by_field_name("value")
    return None if value is None else text_of(value).removeprefix("=").strip()


def _attributes(node: Node) -> set[str]:
    return {attribute.name for attribute in attributes_of(node)}


def _required(node: Node) -> list[str]:
    """Return the classes that a class says its GameObject must have."""
    named = [attribute for attribute in attributes_of(node) if attribute.name == "RequireComponent"]
    types = [value for attribute in named for value in attribute.arguments if value.type == "typeof_expression"]
    return [text_of(value.child_by_field_name("type")).rpartition(".")[2] for value in types]


def _members(body: Node) -> dict[str, int]:
    members: dict[str, int] = {}
    following = 0
    for row in body.named_children:
        if row.type != "enum_member_declaration":
            continue
        value = row.child_by_field_name("value")
        number = following if value is None else _whole_number(text_of(value), members)
        if number is None:
            return {}  # without its numbers an enum is of no use
        members[text_of(row.child_by_field_name("name"))] = number
        following = number + 1
    return members


def _whole_number(text: str, known: dict[str, int]) -> int | None:
    """Return what a constant expression of whole numbers, shifts and other members comes to."""
    try:
        return _evaluate(ast.parse(text.strip(), mode="eval").body, known)
    except (SyntaxError, ValueError, OverflowError, RecursionError):
        return None


def _evaluate(node: Any, known: dict[str, int]) -> int:
    if isinstance(node, ast.Constant) and isinstance(node.value, int):
        return node.value
    if isinstance(node, ast.Name) and node.id in known:
        return known[node.id]
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
        return -_evaluate(node.operand, known)
    if isinstance(node, ast.BinOp):
        left, right = _evaluate(node.left, known), _evaluate(node.right, known)
        if isinstance(node.op, ast.LShift) and 0 <= right < 64:
            return left << right
        if isinstance(node.op, ast.BitOr):
            return left | right
        if isinstance(node.op, ast.Add):
            return left + right
    raise ValueError
