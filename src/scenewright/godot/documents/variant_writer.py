"""Values as the engine writes them: the exact text of `var_to_str` and of the scene and resource saver.

Two things depend on the file's format number. Up to 3 (`compat`, and in every configuration file) minus infinity is
`inf_neg` and bytes are numbers; from 4 on they are `-inf` and base64. The engine reads both in either.
"""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Callable, Iterable
from typing import Any, cast

from msgspec import Struct
from msgspec.structs import astuple

from scenewright.godot.documents import variant as v
from scenewright.godot.documents.errors import EditError
from scenewright.godot.documents.floats import real, single
from scenewright.godot.documents.key_order import in_engine_order
from scenewright.godot.documents.strings import quoted, quoted_name

__all__ = ["write_attribute", "write_property_name", "write_variant"]

_NEEDS_QUOTES = frozenset('="; []')
_NESTING = 100  # the engine writes nothing below that


def write_variant(value: v.Variant, *, compat: bool = True, newline: str = "\n") -> str:
    """Return the text of a value; `newline` separates the lines of a dictionary, never those inside a string.

    Raises:
        EditError: the engine could not read the value back, such as a number of more than 64 bits.
    """
    out: list[str] = []
    _Writer(out, compat=compat, newline=newline).write(value, 0)
    return "".join(out)


def write_attribute(value: v.Variant, *, compat: bool = True) -> str:
    """Return a value in the header of a section, where strings stay on one line."""
    if isinstance(value, str):
        return quoted_name(value)
    if isinstance(value, v.Array) and value.type is None and all(isinstance(item, str) for item in value.items):
        return f"[{', '.join(quoted_name(str(item)) for item in value.items)}]"
    return write_variant(value, compat=compat)


def write_property_name(name: str) -> str:
    """Return a property's name, quoted where the engine would."""
    if not name:
        raise EditError("A property needs a name.")
    if any(letter in _NEEDS_QUOTES or not "!" <= letter <= "~" for letter in name):
        return quoted(name)
    return name


class _Writer:
    def __init__(self, out: list[str], *, compat: bool, newline: str) -> None:
        self.out = out
        self.compat = compat
        self.newline = newline

    def write(self, value: v.Variant, depth: int) -> None:
        if depth > _NESTING:
            raise EditError(f"The value is nested deeper than {_NESTING} levels.")
        kind = type(value)
        simple = _SIMPLE.get(kind)
        if simple is not None:
            self.out.append(simple(value))
        elif kind in _FLOATS:
            self._write_call(kind, self._format_reals(astuple(cast(Struct, value))))
        elif isinstance(value, float):
            self.out.append(_format_float(value, compat=self.compat))
        elif kind in _PACKED:
            self._write_call(kind, self._packed_parts(value))
        else:
            self._write_container(value, depth)

    def _write_container(self, value: v.Variant, depth: int) -> None:
        if isinstance(value, v.Array):
            self._write_array(value, depth)
        elif isinstance(value, v.Dictionary):
            self._write_dictionary(value, depth)
        elif isinstance(value, v.Object):
            self._write_object(value, depth)
        else:
            raise EditError(f"A {type(value).__name__} is not a value of the engine.")

    def _write_call(self, kind: type, arguments: Iterable[str]) -> None:
        self.out.append(f"{kind.__name__}({', '.join(arguments)})")

    def _format_reals(self, numbers: Iterable[float]) -> Iterable[str]:
        return (real(single(number), compat=self.compat) for number in numbers)

    def _packed_parts(self, value: Any) -> Iterable[str]:
        if isinstance(value, v.PackedByteArray):
            if self.compat:
                return map(str, value.data)
            return ['"' + b64encode(value.data).decode() + '"'] if value.data else []
        if isinstance(value, v.PackedStringArray):
            return map(quoted_name, value.items)
        if isinstance(value, v.PackedFloat64Array):
            return (real(number, compat=self.compat) for number in value.items)
        if isinstance(value, v.PackedFloat32Array):
            return self._format_reals(value.items)
        if isinstance(value, v.PackedInt32Array | v.PackedInt64Array):
            bits = 32 if isinstance(value, v.PackedInt32Array) else 64
            return (_format_integer(number, bits) for number in value.items)
        _, size = v.PACKED_STRUCTS[type(value).__name__]
        if len(value.components) % size:
            raise EditError(f"A {type(value).__name__} has {size} components per element.")
        return self._format_reals(value.components)

    def _write_array(self, value: v.Array, depth: int) -> None:
        if value.type is not None:
            self.out.append(f"Array[{_element_type(value.type)}](")
        self.out.append("[")
        for index, item in enumerate(value.items):
            if index:
                self.out.append(", ")
            self.write(item, depth + 1)
        self.out.append("]" if value.type is None else "])")

    def _write_dictionary(self, value: v.Dictionary, depth: int) -> None:
        typed = value.key_type is not None or value.value_type is not None
        if typed:
            types = (_element_type(kind or "Variant") for kind in (value.key_type, value.value_type))
            self.out.append(f"Dictionary[{', '.join(types)}](")
        self.out.append("{")
        for index, (key, item) in enumerate(in_engine_order(value.entries)):
            self.out.append(f",{self.newline}" if index else self.newline)
            self.write(key, depth + 1)
            self.out.append(": ")
            self.write(item, depth + 1)
        self.out.append((self.newline if value.entries else "") + "}" + (")" if typed else ""))

    def _write_object(self, value: v.Object, depth: int) -> None:
        self.out.append(f"Object({value.type},")
        for index, (name, item) in enumerate(value.properties):
            self.out.append(("," if index else "") + f"{quoted(name)}:")
            self.write(item, depth + 1)
        self.out.append(f"){self.newline}")


def _format_float(value: float, *, compat: bool) -> str:
    text = real(value, compat=compat)
    # `inf_neg` gets the suffix from the engine as little as `inf` does
    return text if any(letter in text for letter in ".en") else f"{text}.0"


def _format_integer(value: int, bits: int) -> str:
    if not -(1 << bits - 1) <= value < 1 << bits - 1:
        raise EditError(f"{value} does not fit in {bits} bits.")
    return str(value)


def _format_resource(value: v.Resource) -> str:
    parts = (quoted(value.path),) if value.uid is None else (quoted(value.uid), quoted(value.path))
    return f"Resource({', '.join(parts)})"


def _element_type(kind: v.ElementType) -> str:
    return kind if isinstance(kind, str) else write_variant(kind)


_FLOATS = frozenset[type](v.FLOAT_STRUCTS.values())
_PACKED = frozenset[type](
    [v.PackedByteArray, v.PackedStringArray]
    + [*v.PACKED_INTS.values(), *v.PACKED_FLOATS.values()]
    + [kind for kind, _ in v.PACKED_STRUCTS.values()]
)
_SIMPLE: dict[type, Callable[[Any], str]] = {
    type(None): lambda _: "null",
    bool: lambda value: "true" if value else "false",
    int: lambda value: _format_integer(value, 64),
    str: quoted,
    v.StringName: lambda value: f"&{quoted_name(value.text)}",
    v.NodePath: lambda value: f"NodePath({quoted_name(value.text)})",
    v.ExtResource: lambda value: f"ExtResource({quoted(value.id)})",
    v.SubResource: lambda value: f"SubResource({quoted(value.id)})",
    v.Resource: _format_resource,
    v.RID: lambda value: f"RID({value.number or ''})",
    v.Callable: lambda _: "Callable()",
    v.Signal: lambda _: "Signal()",
}
for _kind in v.INT_STRUCTS.values():
    _SIMPLE[_kind] = lambda value: (
        f"{type(value).__name__}({', '.join(_format_integer(number, 32) for number in astuple(value))})"
    )
