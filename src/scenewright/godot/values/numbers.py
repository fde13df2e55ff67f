"""bool, int and float: never rounded, never cut, never guessed."""

from __future__ import annotations

import re
from collections.abc import Mapping
from math import isfinite
from typing import Any

from scenewright.core.faults import Invalid
from scenewright.godot.classes.choices import Choices
from scenewright.godot.documents.floats import single
from scenewright.godot.values.refusal import Mismatch, shown

__all__ = ["boolean", "chosen", "component", "integer", "real"]

_INT = re.compile(r"[+-]?[0-9]+")
_FLOAT = re.compile(r"[+-]?(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)(?:[eE][+-]?[0-9]+)?")
_INFINITE = {"inf": float("inf"), "+inf": float("inf"), "-inf": float("-inf"), "inf_neg": float("-inf")}
_WORDS = {"true": True, "false": False}
_LAYER_BITS = 32


def boolean(value: Any) -> bool:
    """Read true and false, also as text, or as 1 and 0."""
    if isinstance(value, bool):
        return value
    if isinstance(value, str) and value.strip().lower() in _WORDS:
        return _WORDS[value.strip().lower()]
    if isinstance(value, int) and value in (0, 1):
        return bool(value)
    raise Mismatch(f"{shown(value)} is neither true nor false")


def integer(value: Any, bits: int = 64) -> int:
    """Read a whole number that fits into so many bits."""
    if isinstance(value, str) and _INT.fullmatch(value.strip()):
        value = int(value)
    elif isinstance(value, str):
        value = _number_in_text(value)
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise Mismatch(f"{shown(value)} is not a whole number")
    if isinstance(value, float):
        if not isfinite(value) or value != int(value):
            raise Mismatch(f"{value} is not a whole number", hint="Round it first.")
        value = int(value)
    if not -(1 << bits - 1) <= value < 1 << bits - 1:
        raise Mismatch(f"{value} does not fit in {bits} bits")
    return int(value)


def real(value: Any) -> float:
    """Read a number as 64 bits hold it."""
    if isinstance(value, str):
        value = _number_in_text(value)
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise Mismatch(f"{shown(value)} is not a number")
    if value != value:
        raise Mismatch("NaN cannot be stored")
    try:
        number = float(value)
    except OverflowError:
        raise Mismatch(f"{shown(value)} is too large") from None
    if isinstance(value, int) and int(number) != value:
        raise Mismatch(f"{value} has more digits than a float keeps")
    return number


def component(value: Any) -> float:
    """Read a number of a vector, matrix or color, which the engine keeps in 32 bits."""
    if isinstance(value, str):
        raise Mismatch(f"{shown(value)} is not a number")
    number = real(value)
    if isfinite(number) and not isfinite(single(number)):
        raise Mismatch(f"{number} is too large for 32 bits")
    return number


def chosen(value: Any, choices: Choices, layers: Mapping[str, int]) -> int:
    """Read a number by name, or flags by names; a number of an enum must be one of its own."""
    if choices.is_flags:
        return _read_flags(value, choices, layers)
    if isinstance(value, str) and not _INT.fullmatch(value.strip()):
        return _number_of_name(value, choices, layers)
    number = integer(value)
    # Only what the inspector offers too is complete: keys, for one, go on beyond their names.
    if choices.constants and choices.labels and number not in choices.names.values():
        known = ", ".join(f"{name} ({worth})" for name, worth in choices.constants.items())
        raise Mismatch(f"{number} is not one of {known}")
    return number


def _read_flags(value: Any, choices: Choices, layers: Mapping[str, int]) -> int:
    if isinstance(value, list | tuple):
        if any(not isinstance(part, str) for part in value):
            raise Mismatch(
                "numbers in a list could be layers or bits", hint="Give names in a list, or one number with the bits."
            )
        parts = list(value)
    elif isinstance(value, str) and not _INT.fullmatch(value.strip()):
        parts = [part for part in map(str.strip, re.split(r"[|,]", value)) if part]
    else:
        return _check_mask(integer(value), choices)
    mask = 0
    for part in parts:
        mask |= _number_of_name(part, choices, layers)
    return mask


def _check_mask(number: int, choices: Choices) -> int:
    if set(choices.labels) == {f"Layer {at}" for at in range(1, len(choices.labels) + 1)} and not (
        0 <= number < 1 << _LAYER_BITS
    ):
        raise Mismatch(f"{number} does not fit in {_LAYER_BITS} layers")
    return number


def _number_of_name(name: str, choices: Choices, layers: Mapping[str, int]) -> int:
    if name in layers:
        return 1 << layers[name] - 1
    try:
        return choices.value(name)
    except Invalid as problem:
        known = [*layers, *(choices.constants or choices.labels)]
        few = ", ".join(known[:12]) + (", …" if len(known) > 12 else "")
        raise Mismatch(f"'{name}' is not one of {few}", hint=problem.hint) from None


def _number_in_text(text: str) -> Any:
    plain = text.strip()
    if _FLOAT.fullmatch(plain):
        return float(plain)
    return _INFINITE.get(plain.lower(), text)
