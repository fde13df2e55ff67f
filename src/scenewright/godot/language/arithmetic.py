"""Operators on constant values, as far as a declaration's default usually needs them."""

from __future__ import annotations

import operator
from collections.abc import Callable
from typing import Any, Final

from scenewright.godot.language.constant_values import COMPONENTS, Folded

__all__ = ["binary", "unary"]

_NUMBERS = ("bool", "int", "float")
_TEXTS = ("String", "StringName")
_MOST_BITS = 62  # larger shifts and powers are left to the engine

_BOTH: Final[dict[str, Callable[[Any, Any], Any]]] = {
    "+": operator.add,
    "-": operator.sub,
    "*": operator.mul,
}
_WHOLE: Final[dict[str, Callable[[int, int], int]]] = {
    "|": operator.or_,
    "&": operator.and_,
    "^": operator.xor,
    "<<": operator.lshift,
    ">>": operator.rshift,
}
_COMPARED: Final[dict[str, Callable[[Any, Any], bool]]] = {
    "==": operator.eq,
    "!=": operator.ne,
    "<": operator.lt,
    ">": operator.gt,
    "<=": operator.le,
    ">=": operator.ge,
}


def unary(sign: str, value: Folded) -> Folded | None:
    """Work out `-x`, `+x`, `~x` or `not x`; return None where it is not constant."""
    if sign in ("not", "!"):
        return Folded("bool", not value.raw) if value.type in _NUMBERS else None
    if sign == "~":
        return Folded("int", ~value.raw) if value.type == "int" else None
    if value.type in ("int", "float"):
        return Folded(value.type, -value.raw if sign == "-" else value.raw)
    if value.type in COMPONENTS and sign == "-":
        return Folded(value.type, tuple(-number for number in value.raw))
    return None


def binary(left: Folded, sign: str, right: Folded) -> Folded | None:
    """Work out an operator between two constants; return None where the result is not known."""
    if sign in ("and", "&&", "or", "||"):
        both = (bool(left.raw), bool(right.raw))
        return Folded("bool", all(both) if sign in ("and", "&&") else any(both))
    if left.type in _TEXTS and right.type in _TEXTS:
        return _combine_texts(left, sign, right)
    if left.type in ("int", "float") and right.type in ("int", "float"):
        return _combine_numbers(left, sign, right)
    return _combine_vectors(left, sign, right)


def _combine_texts(left: Folded, sign: str, right: Folded) -> Folded | None:
    if sign == "+":
        return Folded("String", left.raw + right.raw)
    return Folded("bool", _COMPARED[sign](left.raw, right.raw)) if sign in _COMPARED else None


def _combine_numbers(left: Folded, sign: str, right: Folded) -> Folded | None:
    both_whole = left.type == right.type == "int"
    if sign in _COMPARED:
        return Folded("bool", _COMPARED[sign](left.raw, right.raw))
    if sign in _BOTH:
        return Folded("int" if both_whole else "float", _BOTH[sign](left.raw, right.raw))
    if sign in _WHOLE and both_whole and 0 <= right.raw <= _MOST_BITS:
        return Folded("int", _WHOLE[sign](left.raw, right.raw))
    if sign in ("/", "%") and right.raw != 0:
        return _divide(left.raw, sign, right.raw, whole_numbers=both_whole)
    if sign == "**" and abs(right.raw) <= _MOST_BITS and left.raw >= 0:
        return Folded("int" if both_whole else "float", left.raw**right.raw)
    return None


def _divide(left: Any, sign: str, right: Any, *, whole_numbers: bool) -> Folded | None:
    if not whole_numbers:
        return Folded("float", left / right) if sign == "/" else None
    quotient = abs(left) // abs(right) * (1 if (left < 0) == (right < 0) else -1)  # the engine rounds towards zero
    return Folded("int", quotient if sign == "/" else left - right * quotient)


def _combine_vectors(left: Folded, sign: str, right: Folded) -> Folded | None:
    """Vectors and colours with each other, or with a number."""
    if sign not in _BOTH or not (left.type + right.type).startswith(("Vector", "Color", "int", "float")):
        return None
    if left.type == right.type and left.type in COMPONENTS and not left.type.startswith(("Transform", "Basis")):
        return Folded(left.type, tuple(map(_BOTH[sign], left.raw, right.raw)))
    vector, number = (left, right) if left.type in COMPONENTS else (right, left)
    if sign == "*" and vector.type.startswith(("Vector", "Color")) and number.type in ("int", "float"):
        if vector.type.endswith("i") and number.type == "float":
            return None
        return Folded(vector.type, tuple(component * number.raw for component in vector.raw))
    return None
