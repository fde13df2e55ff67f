"""Arrays, packed arrays and dictionaries, element by element."""

from __future__ import annotations

from base64 import b64decode
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, TypeAlias

from scenewright.godot.classes.records import Property
from scenewright.godot.classes.variant import Hint
from scenewright.godot.documents import variant as v
from scenewright.godot.values import tree
from scenewright.godot.values.context import Context, known_file
from scenewright.godot.values.elements import ANY, parts_of_type
from scenewright.godot.values.numbers import component, integer, real
from scenewright.godot.values.refusal import Mismatch, shown
from scenewright.godot.values.vectors import parts_of

__all__ = ["Inner", "array", "byte_array", "dictionary", "json_object", "packed"]

Inner: TypeAlias = Callable[[Any, Property], tree.Coerced]
"""How an element is coerced."""


class _Verbatim(str):
    """A text that is a key as it stands."""


def array(value: Any, wanted: Property, inner: Inner, context: Context) -> tree.Coerced:
    """Coerce a list, each item by the declared type of the items."""
    (element,) = parts_of_type(wanted, context.index) or (ANY,)
    items = tuple(_coerce_items(_check_list(value), element, inner))
    return tree.array(items, _element_type(element, context) if "[" in wanted.type else None)


def json_object(value: Mapping[str, Any], wanted: Property, inner: Inner, context: Context) -> tree.Coerced:
    """Coerce a dictionary with text keys, which are read as the declared type of the keys if there is one."""
    (key, *_) = parts_of_type(wanted, context.index) or (ANY,)
    entries = value.items() if key.variant != "Nil" else ((_Verbatim(name), item) for name, item in value.items())
    return dictionary(entries, wanted, inner, context)


def dictionary(entries: Iterable[tuple[Any, Any]], wanted: Property, inner: Inner, context: Context) -> tree.Coerced:
    """Coerce entries, keys and values by their declared types; a key that appears twice is refused."""
    key, value = parts_of_type(wanted, context.index) or (ANY, ANY)
    coerced_entries: list[tuple[tree.Coerced, tree.Coerced]] = []
    seen: set[tuple[type, tree.Coerced]] = set()
    for key_form, item in entries:
        place = f"[{shown(key_form)}]"
        made = str(key_form) if isinstance(key_form, _Verbatim) else _coerce_at(key_form, key, inner, place)
        if (type(made), made) in seen:
            raise Mismatch(f"the key {shown(key_form)} appears twice")
        seen.add((type(made), made))
        coerced_entries.append((made, _coerce_at(item, value, inner, place)))
    types = [_element_type(part, context) for part in (key, value)]
    if "[" not in wanted.type or types == [None, None] or _is_nodes(key) or _is_nodes(value):
        return tree.dictionary(tuple(coerced_entries))
    return tree.dictionary(tuple(coerced_entries), types[0] or "Variant", types[1] or "Variant")


def packed(value: Any, wanted: Property, inner: Inner, context: Context) -> v.Variant:
    """Coerce a packed array; one of vectors or colors also from their numbers in a row."""
    kind, items = wanted.variant, _check_list(value)
    (element,) = parts_of_type(wanted, context.index)
    if kind in v.PACKED_INTS:
        bits = 32 if kind == "PackedInt32Array" else 64
        return v.PACKED_INTS[kind](tuple(_coerce_numbers(items, element, inner, lambda item: integer(item, bits))))
    if kind in v.PACKED_FLOATS:
        read = component if kind == "PackedFloat32Array" else real
        return v.PACKED_FLOATS[kind](tuple(_coerce_numbers(items, element, inner, read)))
    if kind == "PackedStringArray":
        texts = _coerce_items(items, element, inner)
        return v.PackedStringArray(tuple(str(text) for text in texts))
    struct, size = v.PACKED_STRUCTS[kind]
    if items and all(_is_number(item) for item in items):
        if len(items) % size:
            raise Mismatch(f"{len(items)} numbers are not a multiple of {size}")
        return struct(tuple(_coerce_items(items, element, lambda item, _: component(item))))
    return struct(tuple(part for item in _coerce_items(items, element, inner) for part in parts_of(item) or ()))


def byte_array(value: Any) -> v.PackedByteArray:
    """Read bytes from numbers, or from `{"base64": …}`."""
    if isinstance(value, Mapping) and set(value) == {"base64"} and isinstance(value["base64"], str):
        try:
            return v.PackedByteArray(b64decode(value["base64"], validate=True))
        except ValueError:
            raise Mismatch(f"{shown(value['base64'])} is not base64") from None
    if isinstance(value, v.PackedByteArray):
        return value
    numbers = list(_coerce_items(_check_list(value), ANY, lambda item, _: integer(item)))
    outside = next((number for number in numbers if not 0 <= number <= 255), None)
    if outside is not None:
        raise Mismatch(f"{outside} is not a byte")
    return v.PackedByteArray(bytes(numbers))


def _check_list(value: Any) -> Sequence[Any]:
    if isinstance(value, list | tuple):
        return value
    raise Mismatch(f"{shown(value)} is not a list")


def _coerce_items(items: Sequence[Any], element: Property, inner: Callable[[Any, Property], Any]) -> Iterable[Any]:
    return [_coerce_at(item, element, inner, f"[{number}]") for number, item in enumerate(items)]


def _coerce_numbers(items: Sequence[Any], element: Property, inner: Inner, read: Callable[[Any], Any]) -> Iterable[Any]:
    """Numbers that nothing names need no second look: there can be very many."""
    return _coerce_items(items, element, lambda item, want: read(item if _is_number(item) else inner(item, want)))


def _coerce_at(value: Any, wanted: Property, inner: Callable[[Any, Property], Any], place: str) -> Any:
    try:
        return inner(value, wanted)
    except Mismatch as problem:
        raise problem.within(place, wanted) from None


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _is_nodes(element: Property) -> bool:
    return element.variant == "Object" and element.hint == Hint.NODE_TYPE


def _element_type(element: Property, context: Context) -> v.ElementType | tree.File | None:
    """How a file names the type: built-in and engine's classes by name, the project's by their script.

    Nodes stand in files as paths, which an array of nodes could not hold: it has no type there.
    """
    if element.variant == "Nil" or _is_nodes(element):
        return None
    if element.variant != "Object":
        return element.variant
    name = element.classes[0] if element.classes else element.type
    if name.startswith("res://"):
        return known_file(context, name)
    if context.scripts is not None and name not in context.index and name in context.scripts.classes():
        return known_file(context, context.scripts.classes()[name])
    return name
