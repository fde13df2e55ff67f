"""Works out constant expressions: literals, named constants, enumerations, constructors, simple arithmetic."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import TYPE_CHECKING, Final, Protocol

from scenewright.godot.language.arithmetic import binary, unary
from scenewright.godot.language.constant_values import NIL, Folded
from scenewright.godot.language.constructors import construct
from scenewright.godot.language.entities import Builtin, Entity
from scenewright.godot.language.syntax import parse_expression, text_of

if TYPE_CHECKING:
    from tree_sitter import Node

__all__ = ["Lookup", "fold", "preloaded_path", "string_value"]

_PRELOAD: Final = re.compile(r"""preload\(\s*("[^"\n]*"|'[^'\n]*')\s*\)""")
_ESCAPE: Final = re.compile(r"\\(u[0-9a-fA-F]{4}|U[0-9a-fA-F]{6}|\n|.)", re.DOTALL)
_ESCAPES: Final = {"n": "\n", "t": "\t", "r": "\r", "a": "\a", "b": "\b", "f": "\f", "v": "\v", "\n": ""}


class Lookup(Protocol):
    """What names stand for where the expression is written."""

    def lookup(self, name: str) -> Entity | None: ...

    def member(self, entity: Entity, name: str) -> Entity | None: ...


def fold(expression: str, names: Lookup) -> Entity | None:
    """Return what an expression is worth, or the class or enum it names; None where only the engine can tell."""
    node = parse_expression(expression)
    return _fold(node, names) if node is not None else None


def string_value(text: str) -> str:
    """Return the text a string literal stands for."""
    if text.startswith("r"):
        return _unquoted(text[1:])
    return _ESCAPE.sub(_escape, _unquoted(text))


def preloaded_path(expression: str) -> str:
    """Return the path in `preload("res://item.tscn")`, empty for any other expression."""
    match = _PRELOAD.fullmatch(expression.strip())
    return string_value(match[1]) if match else ""


def _fold(node: Node, names: Lookup) -> Entity | None:
    reader = _READERS.get(node.type)
    return reader(node, names) if reader else None


def _value(node: Node | None, names: Lookup) -> Folded | None:
    folded = _fold(node, names) if node is not None else None
    return folded if isinstance(folded, Folded) else None


def _integer(node: Node, _: Lookup) -> Folded:
    text = text_of(node).replace("_", "")
    return Folded("int", int(text, 10 if text.isdigit() else 0))


def _float(node: Node, _: Lookup) -> Folded:
    return Folded("float", float(text_of(node).replace("_", "")))


def _unary(node: Node, names: Lookup) -> Folded | None:
    value = _value(node.named_children[0], names)
    return unary(text_of(node.children[0]), value) if value else None


def _binary(node: Node, names: Lookup) -> Folded | None:
    left = _value(node.child_by_field_name("left"), names)
    right = _value(node.child_by_field_name("right"), names)
    return binary(left, text_of(node.children[1]), right) if left and right else None


def _conditional(node: Node, names: Lookup) -> Folded | None:
    condition = _value(node.child_by_field_name("condition"), names)
    if condition is None:
        return None
    return _value(node.child_by_field_name("left" if condition.raw else "right"), names)


def _array(node: Node, names: Lookup) -> Folded | None:
    items = [_value(child, names) for child in node.named_children if child.type != "comment"]
    return None if None in items else Folded("Array", tuple(items))


def _dictionary(node: Node, names: Lookup) -> Folded | None:
    pairs = []
    for pair in (child for child in node.named_children if child.type == "pair"):
        left, value = pair.child_by_field_name("left"), _value(pair.child_by_field_name("value"), names)
        named = any(child.type == "=" for child in pair.children)  # `{ name = 1 }`
        key = Folded("String", text_of(left)) if named else _value(left, names)
        if key is None or value is None:
            return None
        pairs.append((key, value))
    return Folded("Dictionary", tuple(pairs))


def _call(node: Node, names: Lookup) -> Folded | None:
    arguments = node.child_by_field_name("arguments")
    values = [_value(child, names) for child in arguments.named_children] if arguments else []
    function = names.lookup(text_of(node.named_children[0]))
    if not isinstance(function, Builtin) or None in values:
        return None
    return construct(function.name, [value for value in values if value is not None], names)


def _attribute(node: Node, names: Lookup) -> Entity | None:
    first, *rest = node.named_children
    entity = _fold(first, names)
    for part in rest:
        if entity is None or part.type not in ("identifier", "attribute_subscript"):
            return None
        if part.type == "identifier":
            entity = names.member(entity, text_of(part))
        else:
            container = names.member(entity, text_of(part.named_children[0]))
            entity = _item(container, part, names)
    return entity


def _subscript(node: Node, names: Lookup) -> Folded | None:
    return _item(_fold(node.named_children[0], names), node, names)


def _item(container: Entity | None, node: Node, names: Lookup) -> Folded | None:
    """What an array or a dictionary holds under the subscript of a node."""
    arguments = node.child_by_field_name("arguments")
    key = _value(arguments.named_children[0], names) if arguments and arguments.named_child_count == 1 else None
    if not isinstance(container, Folded) or key is None:
        return None
    if container.type == "Array" and key.type == "int" and -len(container.raw) <= key.raw < len(container.raw):
        element: Folded = container.raw[key.raw]
        return element
    if container.type == "Dictionary":
        return next((value for known, value in container.raw if (known.type, known.raw) == (key.type, key.raw)), None)
    return None


_READERS: Final[dict[str, Callable[[Node, Lookup], Entity | None]]] = {
    "integer": _integer,
    "float": _float,
    "string": lambda node, _: Folded("String", string_value(text_of(node))),
    "string_name": lambda node, _: Folded("StringName", string_value(text_of(node)[1:])),
    "node_path": lambda node, _: Folded("NodePath", string_value(text_of(node)[1:])),
    "true": lambda *_: Folded("bool", True),
    "false": lambda *_: Folded("bool", False),
    "null": lambda *_: NIL,
    "identifier": lambda node, names: names.lookup(text_of(node)),
    "parenthesized_expression": lambda node, names: _fold(node.named_children[0], names),
    "unary_operator": _unary,
    "binary_operator": _binary,
    "conditional_expression": _conditional,
    "array": _array,
    "dictionary": _dictionary,
    "call": _call,
    "attribute": _attribute,
    "subscript": _subscript,
}


def _unquoted(text: str) -> str:
    width = 3 if text.startswith(('"""', "'''")) and len(text) >= 6 else 1
    return text[width:-width]


def _escape(match: re.Match[str]) -> str:
    mark = match[1]
    if mark[0] in "uU" and len(mark) > 1:
        return chr(int(mark[1:], 16))
    return _ESCAPES.get(mark, mark)
