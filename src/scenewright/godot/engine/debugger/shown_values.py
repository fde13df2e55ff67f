"""Values of a running game as replies show them: as the engine writes them, objects by their number."""

from __future__ import annotations

from typing import Any

from msgspec.structs import replace

from scenewright.godot.documents.variant import Array, Dictionary, Object
from scenewright.godot.documents.variant_writer import write_variant

__all__ = ["object_number", "show_value"]

_LONGEST = 500


def object_number(value: Any) -> int | None:
    """Return by which number an object goes; None for any other value."""
    number = value.properties[0][1] if isinstance(value, Object) and value.properties else None
    return number if isinstance(number, int) else None


def show_value(value: Any) -> str:
    """Return a value as text, cut where it is long."""
    number = object_number(value)
    if number is not None:
        return f"<Object#{number}>"
    text = write_variant(_as_variant(value))
    return text if len(text) <= _LONGEST else f"{text[:_LONGEST]}…"


def _as_variant(value: Any) -> Any:
    """A value without the lists that an untyped array is read as, however deep inside."""
    if isinstance(value, list):
        return Array(tuple(map(_as_variant, value)))
    if isinstance(value, Array):
        return replace(value, items=tuple(map(_as_variant, value.items)))
    if isinstance(value, Dictionary):
        return replace(value, entries=tuple((_as_variant(key), _as_variant(item)) for key, item in value.entries))
    return value
