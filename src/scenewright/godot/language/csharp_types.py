"""C#'s words for types and values in GDScript's, so that both kinds of scripts are understood by the same code."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final, Protocol

from scenewright.csharp.syntax import text_of
from scenewright.godot.classes.index import GLOBAL, ClassIndex
from scenewright.godot.classes.variant import VARIANT_TYPES

if TYPE_CHECKING:
    from tree_sitter import Node

__all__ = ["UNTOLD", "CSharpNames", "engine_class", "translate_type", "translate_value"]

UNTOLD: Final = "_only_running_it_tells()"  # stands for a value that a look at the text does not tell
_PLAIN: Final = {
    **dict.fromkeys(("int", "uint", "long", "ulong", "short", "ushort", "byte", "sbyte", "char", "nint"), "int"),
    **dict.fromkeys(("Int32", "UInt32", "Int64", "UInt64", "Int16", "UInt16", "Byte", "SByte"), "int"),
    **dict.fromkeys(("float", "double", "Single", "Double", "real_t"), "float"),
    **dict.fromkeys(("bool", "Boolean"), "bool"),
    **dict.fromkeys(("string", "String"), "String"),
    **dict.fromkeys(("object", "Variant"), "Variant"),
    "void": "void",
}
_PACKED: Final = {
    "byte": "PackedByteArray",
    "int": "PackedInt32Array",
    "long": "PackedInt64Array",
    "float": "PackedFloat32Array",
    "double": "PackedFloat64Array",
    "string": "PackedStringArray",
    "Vector2": "PackedVector2Array",
    "Vector3": "PackedVector3Array",
    "Vector4": "PackedVector4Array",
    "Color": "PackedColorArray",
}
_BUILTIN: Final = {name.lower(): name for name in VARIANT_TYPES if name not in ("Nil", "Object")}
_GENERIC: Final = re.compile(r"(?P<outer>[\w.]+)<(?P<inside>.+)>", re.DOTALL)
_NUMBER_ENDING: Final = re.compile(r"[fFdDmMuUlL]+$")
_WORD_START: Final = re.compile(r"(?<=[a-z0-9])(?=[A-Z])")
_DEEPEST: Final = 8


class CSharpNames(Protocol):
    """Where the names of classes lead."""

    @property
    def index(self) -> ClassIndex: ...

    def csharp_type(self, name: str) -> str:
        """Return what the engine calls a C# class of the project: its own global name, else its nearest native base.

        Empty where the project has no such class.
        """
        ...


def engine_class(index: ClassIndex, name: str) -> str | None:
    """Return the engine's class that C# spells so, as GpuParticles2D for GPUParticles2D."""
    plain = name.rpartition(".")[2]
    if plain == "GodotObject":
        return "Object"
    if plain in index:
        return plain
    return next((known for known in index.class_names if known.lower() == plain.lower()), None)


def translate_type(written: str, names: CSharpNames, enums: frozenset[str] = frozenset(), depth: int = 0) -> str:
    """Return a type in GDScript's words; empty where it is none that the engine knows."""
    text = "".join(written.split()).removeprefix("global::").removeprefix("Godot.").removesuffix("?")
    if depth > _DEEPEST:
        return ""
    if text.endswith("[]"):
        inside = text[:-2].removeprefix("Godot.")
        return _PACKED.get(inside) or _array(translate_type(inside, names, enums, depth + 1))
    if (generic := _GENERIC.fullmatch(text)) is not None:
        return _translate_generic(generic, names, enums, depth)
    text = text.removeprefix("Collections.").removeprefix("System.")
    if text in _PLAIN:
        return _PLAIN[text]
    if text in enums:
        return text
    if text.lower() in _BUILTIN:
        return _BUILTIN[text.lower()]
    return _engine_enum(text, names.index) or engine_class(names.index, text) or names.csharp_type(text)


def translate_value(node: Node | None, declared: str) -> str | None:
    """Return an initial value as GDScript would write it, None for no value, `UNTOLD` where that is not known."""
    if node is None:
        return None
    return _translate(node, declared) or UNTOLD


def _array(element: str) -> str:
    return f"Array[{element}]" if element else ""


def _translate_generic(generic: re.Match[str], names: CSharpNames, enums: frozenset[str], depth: int) -> str:
    outer = generic["outer"].rpartition(".")[2]
    if outer not in ("Array", "Dictionary"):
        return ""  # of those that C# has itself, the engine takes none
    parts = [translate_type(part, names, enums, depth + 1) for part in _split_arguments(generic["inside"])]
    if not all(parts) or len(parts) != (1 if outer == "Array" else 2):
        return ""
    return f"{outer}[{', '.join(parts)}]"


def _split_arguments(text: str) -> list[str]:
    parts, depth = [""], 0
    for letter in text:
        depth += (letter in "<[") - (letter in ">]")
        if letter == "," and depth == 0:
            parts.append("")
        else:
            parts[-1] += letter
    return parts


def _engine_enum(text: str, index: ClassIndex) -> str:
    """`Node.ProcessModeEnum` is `Node.ProcessMode`; the global ones have no owner."""
    owner, dot, name = text.rpartition(".")
    place = engine_class(index, owner) if dot else GLOBAL
    if place is None:
        return ""
    for known in (name, name.removesuffix("Enum")):
        if any(enum.name == known for enum in index.enums(place)):
            return f"{place}.{known}" if dot else known
    return ""


def _translate(node: Node, declared: str) -> str:
    text = text_of(node)
    match node.type:
        case "integer_literal" | "real_literal":
            return _number(text)
        case "string_literal" | "boolean_literal" | "null_literal" | "identifier":
            return text
        case "prefix_unary_expression" | "parenthesized_expression":
            return _around(node, text, declared)
        case "binary_expression":
            return _binary(node, declared)
        case "member_access_expression":
            return _member(text)
        case "object_creation_expression" | "implicit_object_creation_expression":
            return _construction(node, declared)
        case "initializer_expression" | "collection_expression" | "array_creation_expression":
            return _list(node)
    return ""


def _around(node: Node, text: str, declared: str) -> str:
    inside = _translate(node.named_children[0], declared) if node.named_children else ""
    if not inside or text[0] not in "(-+~":
        return ""
    return f"({inside})" if text[0] == "(" else f"{text[0]}{inside}"


def _number(text: str) -> str:
    if text[:2].lower() in ("0x", "0b"):
        return text.rstrip("uUlL")
    return _NUMBER_ENDING.sub("", text) or "0"


def _binary(node: Node, declared: str) -> str:
    left, right = (node.child_by_field_name(side) for side in ("left", "right"))
    if left is None or right is None:
        return ""
    operator = text_of(node)[left.end_byte - node.start_byte : right.start_byte - node.start_byte].strip()
    parts = [_translate(each, declared) for each in (left, right)]
    return (
        f"{parts[0]} {operator} {parts[1]}" if all(parts) and operator in ("+", "-", "*", "/", "|", "&", "<<") else ""
    )


def _member(text: str) -> str:
    """`Vector2.Up` and `Colors.Red` are constants in capitals, `Mathf.Pi` a global one; an enum's member is itself."""
    owner, _, name = "".join(text.split()).removeprefix("Godot.").rpartition(".")
    capitals = _WORD_START.sub("_", name).upper()
    if owner == "Colors":
        return f"Color.{capitals}"
    if owner == "Mathf":
        return capitals if capitals in ("PI", "TAU", "INF") else ""
    if owner.lower() in _BUILTIN:
        return f"{_BUILTIN[owner.lower()]}.{capitals}"
    return f"{owner}.{name}"


def _construction(node: Node, declared: str) -> str:
    written = text_of(node.child_by_field_name("type")) or declared
    kind = _BUILTIN.get(written.removeprefix("Godot.").lower(), "")
    arguments = next((child for child in node.children if child.type == "argument_list"), None)
    if any(child.type == "initializer_expression" for child in node.children):
        return ""
    given = [child for child in arguments.named_children if child.type == "argument"] if arguments else []
    if declared.startswith("Array"):
        return "" if given else "[]"
    if declared.startswith("Dictionary"):
        return "" if given else "{}"
    values = [_translate(child.named_children[-1], "") for child in given]
    return f"{kind}({', '.join(values)})" if kind and all(values) else ""


def _list(node: Node) -> str:
    if node.type == "array_creation_expression":
        inside = next((child for child in node.children if child.type == "initializer_expression"), None)
        return _list(inside) if inside is not None else ""
    values = [_translate(child, "") for child in node.named_children if child.type != "comment"]
    return f"[{', '.join(values)}]" if all(values) else ""
