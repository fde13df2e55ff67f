"""Property values as place files hold them: a kind and plain Python data.

The kinds carry the names that rbx-dom gives them. Text and binary kinds hold bytes, since a file promises no encoding;
composite kinds hold tuples; a reference holds the instance itself, or None.

    String ProtectedString BinaryString ContentId Bytecode Tags Attributes MaterialColors    bytes
    Bool Int32 Int64 Float32 Float64 Enum BrickColor Axes Faces SecurityCapabilities         bool, int or float
    Vector2 Vector3 Vector2int16 Vector3int16 Color3 Color3uint8 Rect Ray NumberRange        tuple of numbers
    UDim (scale, offset)   UDim2 (x scale, x offset, y scale, y offset)
    CFrame (x, y, z, r00, r01 … r22)   OptionalCFrame the same or None
    NumberSequence ((time, value, envelope), …)   ColorSequence ((time, r, g, b, envelope), …)
    PhysicalProperties None, or 5 or 6 numbers   Font (family, weight, style, cached face)
    UniqueId (index, time, random)   SharedString NetAssetRef bytes   Ref Instance or None
    Content None, bytes or Instance   Unknown raw bytes
"""

from __future__ import annotations

import math
import struct
from typing import Any, NamedTuple

__all__ = ["ENUM", "IDENTITY", "TEXT_KINDS", "Value", "as_bytes", "as_text", "f32", "same", "zero"]

ENUM = "Enum."  # the prefix of declared types that are enums
TEXT_KINDS = frozenset(
    ("String", "ProtectedString", "BinaryString", "ContentId", "Tags", "Attributes", "MaterialColors")
)
_FLOAT = struct.Struct("<f")
IDENTITY = (0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0)
_ZERO: dict[str, Any] = {
    "Bool": False,
    "Float32": 0.0,
    "Float64": 0.0,
    "BrickColor": 194,
    "Vector2": (0.0, 0.0),
    "Vector3": (0.0, 0.0, 0.0),
    "Vector2int16": (0, 0),
    "Vector3int16": (0, 0, 0),
    "Color3": (0.0, 0.0, 0.0),
    "Color3uint8": (0, 0, 0),
    "Rect": (0.0,) * 4,
    "Ray": (0.0,) * 6,
    "NumberRange": (0.0, 0.0),
    "UDim": (0.0, 0),
    "UDim2": (0.0, 0, 0.0, 0),
    "CFrame": IDENTITY,
    "NumberSequence": ((0.0, 0.0, 0.0), (1.0, 0.0, 0.0)),
    "UniqueId": (0, 0, 0),
    "ColorSequence": ((0.0, 0.0, 0.0, 0.0, 0.0), (1.0, 0.0, 0.0, 0.0, 0.0)),
    "Font": (b"rbxasset://fonts/families/SourceSansPro.json", 400, 0, b""),
}
_NUMBERS = ("Int32", "Int64", "Enum", "Axes", "Faces", "SecurityCapabilities")
_NOTHING = ("Ref", "Content", "OptionalCFrame", "PhysicalProperties")


class Value(NamedTuple):
    """A value of a property, as a file has it."""

    kind: str
    data: Any


def f32(number: float) -> float:
    """Return the nearest number that a 32-bit float can hold; what is too large becomes infinite, as in the engine."""
    try:
        nearest: float = _FLOAT.unpack(_FLOAT.pack(number))[0]
    except OverflowError:
        return math.copysign(math.inf, number)
    return nearest


def zero(kind: str) -> Any:
    """Return the data of a value that nobody has set."""
    if kind in _ZERO:
        return _ZERO[kind]
    if kind in _NUMBERS:
        return 0
    return None if kind in _NOTHING else b""


def as_text(data: bytes) -> str:
    """Return bytes as text; what is not UTF-8 survives the way back."""
    return data.decode("utf-8", "surrogateescape")


def as_bytes(text: str) -> bytes:
    return text.encode("utf-8", "surrogateescape")


def same(one: Any, other: Any, *, tolerance: float = 0.0) -> bool:
    """Return whether two data are equal, not-a-number equal to itself, and floats within a relative tolerance."""
    if isinstance(one, tuple) and isinstance(other, tuple):
        return len(one) == len(other) and all(same(a, b, tolerance=tolerance) for a, b in zip(one, other, strict=True))
    if isinstance(one, float) or isinstance(other, float):
        if not (isinstance(one, (int, float)) and isinstance(other, (int, float))):
            return False
        return one == other or (one != one and other != other) or _close(one, other, tolerance)
    return bool(one == other)


def _close(one: float, other: float, tolerance: float) -> bool:
    return tolerance > 0 and abs(one - other) <= tolerance * max(1.0, abs(one), abs(other))
