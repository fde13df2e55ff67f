"""One kind of value as another, where nothing is lost that the other kind could hold."""

from __future__ import annotations

from typing import Any

from scenewright.roblox.values import TEXT_KINDS, Value, f32

__all__ = ["converted"]

_WHOLE = {"Int32": 31, "Int64": 63, "Enum": 32, "BrickColor": 32, "SecurityCapabilities": 63}
_REAL = ("Float32", "Float64")


def converted(value: Value, kind: str) -> Value | None:
    """Return the value as that kind, or None where there is no such thing."""
    if value.kind == kind:
        return value
    data = _data(value, kind)
    return None if data is _NO else Value(kind, data)


_NO = object()


def _data(value: Value, kind: str) -> Any:  # noqa: C901 - a table of pairs, one line each
    have, data = value
    if have in TEXT_KINDS and kind in TEXT_KINDS:
        return data
    if {have, kind} <= {"SharedString", "NetAssetRef"}:
        return data
    if {have, kind} <= {"CFrame", "OptionalCFrame"}:
        return data if data is not None else _NO
    if have == "Color3" and kind == "Color3uint8":
        return tuple(_byte(part) for part in data)
    if have == "Color3uint8" and kind == "Color3":
        return tuple(f32(part / 255) for part in data)
    if have in _WHOLE and kind in _WHOLE:
        return data if -(1 << _WHOLE[kind]) <= data < (1 << _WHOLE[kind]) else _NO
    if have in (*_WHOLE, *_REAL) and kind in _REAL:
        return f32(float(data)) if kind == "Float32" else float(data)
    if have in _REAL and kind in _WHOLE:
        return int(data) if data == data and abs(data) < 1 << _WHOLE[kind] and data == int(data) else _NO
    if have in TEXT_KINDS and kind == "Content":
        return data or None
    if have == "Content" and kind in TEXT_KINDS:
        return data if isinstance(data, bytes) else b"" if data is None else _NO
    return _NO


def _byte(part: float) -> int:
    # As the engine rounds: not-a-number is dark.
    return max(0, min(255, int(part * 255 + 0.5))) if part == part else 0
