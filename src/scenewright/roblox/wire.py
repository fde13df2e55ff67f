"""Values as they cross the border to clients and to Studio: JSON scalars, or an object with `_type`.

The types and their fields are those of bridge protocol 1.1 (typed values); kinds that it does not know follow suit.
A colour of whole bytes is a `Color3` of 0 to 255, any other a `Color3Float`.
"""

from __future__ import annotations

import base64
import math
from collections.abc import Callable
from typing import Any

from scenewright.roblox.palette import by_number
from scenewright.roblox.reflection.database import database
from scenewright.roblox.values import Value, f32

__all__ = ["AXES", "FACES", "PHYSICS", "short", "to_wire"]

AXES = ("x", "y", "z")
FACES = ("right", "top", "back", "left", "bottom", "front")
PHYSICS = ("density", "friction", "elasticity", "frictionWeight", "elasticityWeight", "acousticAbsorption")
_FIELDS = {
    "Vector2": ("x", "y"),
    "Vector3": ("x", "y", "z"),
    "Vector2int16": ("x", "y"),
    "Vector3int16": ("x", "y", "z"),
    "UDim": ("scale", "offset"),
    "UDim2": ("sx", "ox", "sy", "oy"),
    "Rect": ("x0", "y0", "x1", "y1"),
    "Ray": ("ox", "oy", "oz", "dx", "dy", "dz"),
    "NumberRange": ("min", "max"),
}
_PLAIN = ("Bool", "Int32", "Int64", "SecurityCapabilities")


def to_wire(value: Value, *, enum: str | None = None, reference: Callable[[Any], Any] | None = None) -> Any:
    """Return a value in its wire form; `enum` names the enum of an Enum, `reference` says an instance."""
    kind, data = value
    if kind in _PLAIN:
        return data
    if kind in ("Float32", "Float64"):
        return _number(data)
    if kind in _FIELDS:
        return {"_type": kind} | {key: _number(part) for key, part in zip(_FIELDS[kind], data, strict=True)}
    if kind == "Enum":
        return _enum(enum, data)
    if kind in ("Ref", "Content") and data is not None and not isinstance(data, bytes):
        return reference(data) if reference else None
    writer = _WRITERS.get(kind)
    return writer(data) if writer else _text(data)


def _number(number: float) -> Any:
    """Return a number; those that JSON does not have as text, and whole ones without a fraction."""
    if isinstance(number, int):
        return number
    if math.isfinite(number):
        return int(number) if number == int(number) and abs(number) < 1e15 else short(number)
    return "nan" if number != number else "inf" if number > 0 else "-inf"


def short(number: float) -> float:
    """Return the fewest digits that still give the same 32-bit float, where it is one."""
    if number != f32(number):
        return number
    return next((short for digits in (6, 7, 8) if f32(short := float(f"{number:.{digits}g}")) == number), number)


def _text(data: Any) -> Any:
    try:
        return data.decode()
    except UnicodeDecodeError:
        return _binary(data)


def _binary(data: bytes) -> dict[str, Any]:
    return {"_type": "BinaryString", "base64": base64.b64encode(data).decode()}


def _enum(name: str | None, number: int) -> Any:
    items = database().enum(name) if name else None
    item = next((item for item, value in (items or {}).items() if value == number), None)
    return {"_type": "Enum", "enum": name or "", "value": item if item is not None else number}


def _color(data: tuple[float, ...]) -> dict[str, Any]:
    whole = [round(part * 255) if math.isfinite(part) else -1 for part in data]
    if all(0 <= part <= 255 and f32(part / 255) == f32(each) for part, each in zip(whole, data, strict=True)):
        return {"_type": "Color3", "r": whole[0], "g": whole[1], "b": whole[2]}
    red, green, blue = map(_number, data)
    return {"_type": "Color3Float", "r": red, "g": green, "b": blue}


def _frame(data: tuple[float, ...] | None) -> Any:
    if data is None:
        return None
    parts = [_number(part) for part in data]
    return {"_type": "CFrame", "x": parts[0], "y": parts[1], "z": parts[2], "components": parts}


def _brick(number: int) -> dict[str, Any]:
    known = by_number(number)
    return {"_type": "BrickColor", "name": known.name if known else "", "number": number}


def _points(data: Any) -> dict[str, Any]:
    keys = ("time", "value", "envelope")
    points = [{key: _number(part) for key, part in zip(keys, point, strict=True)} for point in data]
    return {"_type": "NumberSequence", "keypoints": points}


def _colors(data: Any) -> dict[str, Any]:
    keys = ("time", "r", "g", "b")
    points = [{key: _number(part) for key, part in zip(keys, point, strict=False)} for point in data]
    return {"_type": "ColorSequence", "keypoints": points}


def _physics(data: Any) -> Any:
    if data is None:
        return None
    return {"_type": "PhysicalProperties"} | {key: _number(part) for key, part in zip(PHYSICS, data, strict=False)}


def _bits(kind: str, names: tuple[str, ...]) -> Callable[[int], dict[str, Any]]:
    return lambda bits: {"_type": kind} | {name: bool(bits >> place & 1) for place, name in enumerate(names)}


def _font(data: Any) -> dict[str, Any]:
    family, weight, style, _ = data
    return {"_type": "Font", "family": _text(family), "weight": weight, "style": "Italic" if style else "Normal"}


def _unique(data: Any) -> str:
    index, time, random = data
    return f"{random & (1 << 64) - 1:016x}{time:08x}{index:08x}"


_WRITERS: dict[str, Callable[[Any], Any]] = {
    "Color3": _color,
    "Color3uint8": lambda data: {"_type": "Color3", "r": data[0], "g": data[1], "b": data[2]},
    "CFrame": _frame,
    "OptionalCFrame": _frame,
    "BrickColor": _brick,
    "NumberSequence": _points,
    "ColorSequence": _colors,
    "PhysicalProperties": _physics,
    "Axes": _bits("Axes", AXES),
    "Faces": _bits("Faces", FACES),
    "Font": _font,
    "EnumItem": lambda data: _enum(*data),
    "UniqueId": _unique,
    "Content": lambda data: "" if data is None else _text(data),
    "Ref": lambda data: data,
    **dict.fromkeys(
        ("BinaryString", "SharedString", "NetAssetRef", "Attributes", "Tags", "MaterialColors", "Bytecode", "Unknown"),
        _binary,
    ),
}
