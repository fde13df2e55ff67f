"""Values of the engine taken apart, so that a type that loses nothing by it can take them."""

from __future__ import annotations

from typing import Any

import msgspec

from scenewright.core.text.counts import with_article
from scenewright.godot.classes.records import Property
from scenewright.godot.classes.variant import PACKED_ELEMENTS
from scenewright.godot.documents import variant as v
from scenewright.godot.values.literals import type_name
from scenewright.godot.values.refusal import Mismatch
from scenewright.godot.values.tree import Coerced, Entries, Items
from scenewright.godot.values.vectors import parts_of

__all__ = ["loosened", "typed_like"]

_TEXTS = ("String", "StringName", "NodePath")
_STRUCTS = frozenset([*v.FLOAT_STRUCTS, *v.INT_STRUCTS])
_NUMBERS = ("bool", "int", "float")


def loosened(value: v.Variant, wanted: Property) -> Any:
    """Return a value as JSON would have it.

    Raises:
        Mismatch: the type could not take it without a guess or a loss.
    """
    kind, goal = type_name(value), wanted.variant
    if isinstance(value, v.StringName | v.NodePath) and goal in _TEXTS:
        return value.text
    if isinstance(value, str) and goal in (*_TEXTS, *_NUMBERS):
        return value
    if kind in _NUMBERS and goal in _NUMBERS:
        return value
    if kind in _STRUCTS and kind.removesuffix("i") == goal.removesuffix("i"):
        return parts_of(value)
    if isinstance(value, v.PackedByteArray) and goal == kind:
        return value
    if isinstance(value, v.Array | v.Dictionary):
        if goal in _STRUCTS:
            return _plain_form(value)
        if isinstance(value, v.Array) and goal in ("Array", "int", *PACKED_ELEMENTS):
            return value.items
    if kind in PACKED_ELEMENTS and (goal in PACKED_ELEMENTS or goal == "Array"):
        return _items_of(value)
    raise Mismatch(f"{with_article(kind)} is not {with_article(goal)}")


def typed_like(made: Coerced, value: v.Variant) -> Coerced:
    """Return an array or dictionary with the element types of the one it was made of."""
    if isinstance(made, v.Array | Items) and isinstance(value, v.Array) and made.type is None:
        return msgspec.structs.replace(made, type=value.type)
    if isinstance(made, v.Dictionary | Entries) and isinstance(value, v.Dictionary) and made.key_type is None:
        return msgspec.structs.replace(made, key_type=value.key_type, value_type=value.value_type)
    return made


def _items_of(value: Any) -> tuple[Any, ...]:
    return tuple(value.data) if isinstance(value, v.PackedByteArray) else value.items


def _plain_form(value: Any) -> Any:
    """Lists, objects and numbers all the way down."""
    if isinstance(value, v.Array):
        return [_plain_form(item) for item in value.items]
    if isinstance(value, v.Dictionary):
        return {str(getattr(key, "text", key)): _plain_form(item) for key, item in value.entries}
    return value
