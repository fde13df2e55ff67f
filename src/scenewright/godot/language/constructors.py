"""Built-in types made of constants: `Vector2(1, 2)`, `Color("ff8800")`, `Color(Color.RED, 0.5)`."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from scenewright.godot.language.constant_values import COMPONENTS, Folded, converted, zero_of
from scenewright.godot.language.entities import Builtin

if TYPE_CHECKING:
    from scenewright.godot.language.constant_expressions import Lookup

__all__ = ["construct"]

_HEX: Final = re.compile(r"#?([0-9a-fA-F]{3,4}|[0-9a-fA-F]{6}|[0-9a-fA-F]{8})")
_NAMED_COLOUR: Final = re.compile(r"[a-z_]+", re.IGNORECASE)


def construct(type_: str, arguments: Sequence[Folded], names: Lookup) -> Folded | None:
    """Return what the constructor gives, or None where that is not known here."""
    if not arguments:
        return zero_of(type_)
    if type_ == "Color" and arguments[0].type in ("String", "Color"):
        return _colour(arguments, names)
    if type_ not in COMPONENTS:
        return converted(arguments[0], type_) if len(arguments) == 1 else None
    if len(arguments) == 1 and arguments[0].type in COMPONENTS:
        return converted(arguments[0], type_)
    # Boxes and planes can be made of vectors; matrices are made of columns but written in rows, so they are left alone.
    if not type_.startswith(("Rect", "AABB", "Plane")) and any(
        argument.type not in ("int", "float") for argument in arguments
    ):
        return None
    numbers = [number for argument in arguments for number in _numbers(argument)]
    if type_ == "Color" and len(numbers) == 3:
        numbers.append(1.0)
    if len(numbers) != COMPONENTS[type_]:
        return None
    return Folded(type_, tuple(int(number) for number in numbers) if type_.endswith("i") else tuple(numbers))


def _numbers(value: Folded) -> Sequence[float]:
    if value.type in ("int", "float"):
        return (value.raw,)
    joined: Sequence[float] = value.raw if value.type.startswith("Vector") else ()
    return joined


def _colour(arguments: Sequence[Folded], names: Lookup) -> Folded | None:
    first, *rest = arguments
    base = first if first.type == "Color" else _colour_of(first.raw, names)
    if base is None or not rest:
        return base
    return Folded("Color", (*base.raw[:3], rest[0].raw)) if rest[0].type in ("int", "float") else None


def _colour_of(text: str, names: Lookup) -> Folded | None:
    if match := _HEX.fullmatch(text):
        digits = match[1]
        if len(digits) < 6:
            digits = "".join(digit * 2 for digit in digits)
        parts = [int(digits[at : at + 2], 16) / 255 for at in range(0, len(digits), 2)]
        return Folded("Color", (*parts, 1.0)[:4])
    if _NAMED_COLOUR.fullmatch(text):
        named = names.member(Builtin("Color"), text.upper().replace(" ", "_"))
        return named if isinstance(named, Folded) else None
    return None
