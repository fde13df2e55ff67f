"""Values of a running game as replies show them: as the engine writes them, objects by their number."""

from __future__ import annotations

import re
from typing import Any, Final

from msgspec.structs import replace

from scenewright.godot.documents.variant import Array, Dictionary, Object
from scenewright.godot.documents.variant_writer import write_variant

__all__ = ["object_number", "show_value"]

_LONGEST = 500
_INSIDE: Final = re.compile(r'"\ue000(<Object#\d+>)"')  # an object in a container, which is written as a text


def object_number(value: Any) -> int | None:
    """Return by which number an object goes; None for any other value."""
    number = value.properties[0][1] if isinstance(value, Object) and value.properties else None
    return number if isinstance(number, int) else None


def show_value(value: Any) -> str:
    """Return a value as text, cut where it is long."""
    number = object_number(value)
    if number is not None:
        return f"<Object#{number}>"
    text = _INSIDE.sub(r"\1", write_variant(_as_variant(value)))
    return text if len(text) <= _LONGEST else f"{text[:_LONGEST]}…"


def _as_variant(value: Any) -> Any:
    """A value without what the writer does not take, however deep inside: lists for arrays, and numbers of objects."""
    if (number := object_number(value)) is not None:
        return f"\ue000<Object#{number}>"
    if isinstance(value, list):
        return Array(tuple(map(_as_variant, value)))
    if isinstance(value, Array):
        return replace(value, items=tuple(map(_as_variant, value.items)))
    if isinstance(value, Dictionary):
        return replace(value, entries=tuple((_as_variant(key), _as_variant(item)) for key, item in value.entries))
    return value
