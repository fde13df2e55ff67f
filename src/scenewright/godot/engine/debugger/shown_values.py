"""Values of a running game as replies show them: as the engine writes them, objects by their number."""

from __future__ import annotations

from typing import Any

from scenewright.godot.documents.variant import Array, Object
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
    return Array(tuple(_as_variant(item) for item in value)) if isinstance(value, list) else value
