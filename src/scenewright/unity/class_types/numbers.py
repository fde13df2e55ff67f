"""Numbers as the engine writes them: a float with as many digits as its 32 bits need."""

from __future__ import annotations

import math
import struct

__all__ = ["LIMITS", "number_text"]

LIMITS: dict[str, tuple[int, int]] = {
    "bool": (0, 1),
    "SInt8": (-(1 << 7), (1 << 7) - 1),
    "UInt8": (0, (1 << 8) - 1),
    "SInt16": (-(1 << 15), (1 << 15) - 1),
    "UInt16": (0, (1 << 16) - 1),
    "int": (-(1 << 31), (1 << 31) - 1),
    "unsigned int": (0, (1 << 32) - 1),
    "SInt64": (-(1 << 63), (1 << 63) - 1),
    "UInt64": (0, (1 << 64) - 1),
}


def number_text(value: float, kind: str) -> str:
    """Return a number as text.

    Raises:
        OverflowError: a float has no room for it.
    """
    if kind not in ("float", "double"):
        return str(int(value))
    if not math.isfinite(value):
        return "NaN" if math.isnan(value) else "Infinity" if value > 0 else "-Infinity"
    if kind == "double":
        return _plain(repr(float(value)))
    packed = struct.pack("<f", value)
    (value,) = struct.unpack("<f", packed)
    for digits in range(6, 10):
        text = f"{value:.{digits}g}"
        if struct.pack("<f", float(text)) == packed:
            break
    return _plain(text)


def _plain(text: str) -> str:
    """Return a number without a point that says nothing, and without the exponent where it is a whole number."""
    number = float(text)
    if number.is_integer() and abs(number) < 1e9:
        return "0" if number == 0 else str(int(number))
    return text
