"""Colors as they may be given, where no property says that one is wanted."""

from __future__ import annotations

from typing import Any

from scenewright.core.faults import Invalid
from scenewright.godot.classes.library import shipped
from scenewright.godot.documents.errors import ParseError
from scenewright.godot.documents.variant import Color
from scenewright.godot.documents.variant_reader import parse_variant
from scenewright.godot.values import colors
from scenewright.godot.values.refusal import Mismatch

__all__ = ["read_color"]


def read_color(given: Any, parameter: str) -> Color:
    """Return a color given by its name, hex digits, numbers or the engine's literal.

    Raises:
        Invalid: it is none.
    """
    try:
        named = colors.color_from_text(given, shipped()) if isinstance(given, str) else colors.color(given)
        literal = parse_variant(given) if named is None and isinstance(given, str) else named
    except (Mismatch, ParseError) as wrong:
        raise _not_a_color(given, parameter, wrong.hint) from None
    if not isinstance(literal, Color):
        raise _not_a_color(given, parameter)
    return literal


def _not_a_color(given: Any, parameter: str, hint: str | None = None) -> Invalid:
    return Invalid(
        f"{given!r} is not a color.",
        path=f"input.{parameter}",
        rule="color",
        hint=hint or "Such as 'red', '#4f7a3a' or [0.3, 0.5, 0.2].",
    )
