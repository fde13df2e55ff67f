"""Default values, from the form in which the reflection database has them."""

from __future__ import annotations

import base64
import math
from collections.abc import Callable
from functools import lru_cache
from typing import Any

from scenewright.roblox.kinds import default_of
from scenewright.roblox.reflection.database import database
from scenewright.roblox.values import Value, f32
from scenewright.roblox.wire import to_wire

__all__ = ["default_property", "default_value", "default_wire", "from_json"]


@lru_cache(maxsize=20_000)
def default_value(class_name: str, stored_name: str) -> Value | None:
    """Return the default of a property by the name under which files store it."""
    return _value(default_of(class_name, stored_name))


@lru_cache(maxsize=20_000)
def default_property(class_name: str, name: str) -> Value | None:
    """Return the default of a property by its canonical name."""
    return _value(database().default(class_name, name))


@lru_cache(maxsize=20_000)
def default_wire(class_name: str, name: str) -> Any:
    """Return the default of a property by its canonical name in its wire form; None where it has none."""
    default, declared = default_property(class_name, name), database().canonical(class_name, name)
    return None if default is None else to_wire(default, enum=declared.enum if declared else None)


def _value(entry: dict[str, Any] | None) -> Value | None:
    return from_json(entry) if entry else None


def from_json(entry: dict[str, Any]) -> Value | None:
    """Return a value given as `{kind: data}`, the form of the reflection database and of Rojo; None where it is not
    one.
    """
    ((kind, data),) = entry.items()
    reader = _READERS.get(kind)
    try:
        return Value(kind, reader(data)) if reader else None
    except (TypeError, ValueError, KeyError, IndexError):
        return None


def _number(data: Any) -> float:
    return math.nan if data is None else f32(float(data))


def _numbers(data: Any) -> tuple[float, ...]:
    if isinstance(data, (list, tuple)):
        return tuple(number for part in data for number in _numbers(part))
    return (_number(data),)


def _frame(data: Any) -> tuple[float, ...]:
    return _numbers(data["position"]) + _numbers(data["orientation"])


def _bits(names: tuple[str, ...]) -> Callable[[Any], int]:
    return lambda data: sum(1 << names.index(name) for name in data)


def _physics(data: Any) -> tuple[float, ...] | None:
    if data == "Default":
        return None
    keys = ("density", "friction", "elasticity", "frictionWeight", "elasticityWeight", "acousticAbsorption")
    return tuple(_number(data[key]) for key in keys if key in data)


def _content(data: Any) -> bytes | None:
    return str(data["Uri"]).encode() if isinstance(data, dict) and "Uri" in data else None


def _font(data: Any) -> tuple[bytes, int, int, bytes]:
    weights = {"Thin": 100, "ExtraLight": 200, "Light": 300, "Regular": 400, "Medium": 500, "SemiBold": 600}
    weights |= {"Bold": 700, "ExtraBold": 800, "Heavy": 900}
    style = {"Normal": 0, "Italic": 1}.get(data["style"], 0)
    face = str(data.get("cachedFaceId") or "").encode()
    return str(data["family"]).encode(), weights.get(data["weight"], 400), style, face


def _unique(data: Any) -> tuple[int, int, int]:
    bits = bytes.fromhex(str(data))
    random = int.from_bytes(bits[:8], "big", signed=True)
    return int.from_bytes(bits[12:], "big"), int.from_bytes(bits[8:12], "big"), random


def _empty(data: Any) -> bytes:
    # Attributes, tags and material colours: every default is the empty one.
    del data
    return b""


_READERS: dict[str, Callable[[Any], Any]] = {
    "Bool": bool,
    "Int32": int,
    "Int64": int,
    "Enum": int,
    "BrickColor": int,
    "SecurityCapabilities": int,
    "Float32": _number,
    "Float64": lambda data: math.nan if data is None else float(data),
    "String": lambda data: str(data).encode(),
    "ContentId": lambda data: str(data).encode(),
    "BinaryString": lambda data: base64.b64decode(data) if isinstance(data, str) else b"",
    "SharedString": lambda data: base64.b64decode(data) if isinstance(data, str) else b"",
    "NetAssetRef": _empty,
    "Attributes": _empty,
    "Tags": _empty,
    "MaterialColors": _empty,
    "Vector2": _numbers,
    "Vector3": _numbers,
    "Color3": _numbers,
    "Ray": lambda data: _numbers(data["origin"]) + _numbers(data["direction"]),
    "Rect": _numbers,
    "NumberRange": _numbers,
    "Color3uint8": lambda data: tuple(int(part) for part in data),
    "Vector3int16": lambda data: tuple(int(part) for part in data),
    "UDim": lambda data: (_number(data[0]), int(data[1])),
    "UDim2": lambda data: (_number(data[0][0]), int(data[0][1]), _number(data[1][0]), int(data[1][1])),
    "CFrame": _frame,
    "OptionalCFrame": lambda data: _frame(data) if data else None,
    "NumberSequence": lambda data: tuple(
        (_number(point["time"]), _number(point["value"]), _number(point["envelope"])) for point in data["keypoints"]
    ),
    "ColorSequence": lambda data: tuple(
        (_number(point["time"]), *_numbers(point["color"]), 0.0) for point in data["keypoints"]
    ),
    "PhysicalProperties": _physics,
    "Axes": _bits(("X", "Y", "Z")),
    "Faces": _bits(("Right", "Top", "Back", "Left", "Bottom", "Front")),
    "Font": _font,
    "UniqueId": _unique,
    "Content": _content,
    "EnumItem": lambda data: (str(data["type"]), int(data["value"])),
}
