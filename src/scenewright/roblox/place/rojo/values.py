"""Property values as Rojo's JSON files write them: plain where the declared type says the rest, else with it."""

from __future__ import annotations

import base64
import math
from collections.abc import Callable
from typing import Any

from scenewright.core.faults import Unsupported
from scenewright.core.text.counts import with_article
from scenewright.roblox.attributes import pack_attributes, pack_tags, unpack_attributes, unpack_tags
from scenewright.roblox.coercion import coerce
from scenewright.roblox.defaults import from_json as from_qualified
from scenewright.roblox.materials import pack_material_colors, unpack_material_colors
from scenewright.roblox.place.errors import BrokenPlace
from scenewright.roblox.properties import declared_kind
from scenewright.roblox.reflection.database import database
from scenewright.roblox.values import Value, as_text
from scenewright.roblox.wire import short

__all__ = ["attribute_from_json", "attributes_from_json", "attributes_to_json", "from_json", "to_json"]

_WEIGHTS = {
    100: "Thin",
    200: "ExtraLight",
    300: "Light",
    400: "Regular",
    500: "Medium",
    600: "SemiBold",
    700: "Bold",
    800: "ExtraBold",
    900: "Heavy",
}
_PHYSICS = ("density", "friction", "elasticity", "frictionWeight", "elasticityWeight", "acousticAbsorption")


def from_json(given: Any, class_name: str, name: str, where: str) -> Value:
    """Return the value of a property.

    Raises:
        Invalid: it does not fit the property; the message names the file.
    """
    declared = database().canonical(class_name, name)
    kind = declared_kind(declared) if declared else None
    if kind == "Ref":
        raise BrokenPlace(
            f"{where}: '{name}' is a reference, which no JSON file of Rojo holds as a property.",
            hint=f"Give the target an id, and set the attribute Rojo_Target_{name} here to it.",
        )
    value = _blob(kind, given, where) or _with_its_type(given, where)
    if value is not None:
        return value
    if kind == "Color3" and isinstance(given, list) and len(given) == 3:
        given = {"_type": "Color3Float"} | dict(zip("rgb", given, strict=True))
    if kind is None:
        kind = "Bool" if isinstance(given, bool) else "Float64" if isinstance(given, (int, float)) else "String"
    enum = declared.enum if declared else None
    return coerce(given, kind, enum=enum, path="input.placePath", name=f"{where}: {name}")


def _with_its_type(given: Any, where: str) -> Value | None:
    if not isinstance(given, dict) or len(given) != 1:
        return None
    ((key, inner),) = given.items()
    return _blob(key, inner, where) or from_qualified(given)


def _blob(kind: str | None, given: Any, where: str) -> Value | None:
    """Return what files hold in one blob and JSON in many parts."""
    if kind == "Tags" and isinstance(given, list):
        return Value(kind, pack_tags([str(tag) for tag in given]))
    if kind == "Attributes" and isinstance(given, dict) and set(given) != {"Attributes"}:
        return Value(kind, attributes_from_json(given, where))
    if kind == "MaterialColors" and isinstance(given, dict) and set(given) != {"MaterialColors"}:
        return Value(kind, pack_material_colors(given))
    return None


def attribute_from_json(given: Any, where: str) -> Value:
    """Return an attribute, whose type must be plain from its form."""
    if isinstance(given, dict) and len(given) == 1:
        value = from_qualified(given)
        if value is not None:
            return value
    if isinstance(given, bool):
        return Value("Bool", given)
    if isinstance(given, (int, float)):
        return Value("Float64", float(given))
    if isinstance(given, str):
        return Value("String", given.encode())
    raise Unsupported(f"{where}: an attribute is neither plain nor a value with its type.")


def attributes_from_json(given: dict[str, Any], where: str) -> bytes:
    return pack_attributes({name: attribute_from_json(value, where) for name, value in given.items()})


def attributes_to_json(blob: bytes) -> dict[str, Any]:
    return {
        name: _plain_json(value) if value.kind in ("Bool", "Float64", "String") else {value.kind: _qualified(value)}
        for name, value in unpack_attributes(blob).items()
    }


def to_json(value: Value, class_name: str, name: str) -> Any:
    """Return a property's value.

    Raises:
        Unsupported: Rojo's JSON has no form for it.
    """
    declared = database().canonical(class_name, name)
    kind = declared_kind(declared) if declared else None
    if kind == "Enum" and value.kind == "Enum" and declared is not None:
        items = database().enum(declared.enum or "") or {}
        item = next((item for item, number in items.items() if number == value.data), None)
        return item if item is not None else {"Enum": value.data}
    if value.kind == "Tags":
        return unpack_tags(value.data)
    if kind == value.kind and kind in _AMBIGUOUS:
        return _plain_json(value)
    return {value.kind: _qualified(value)}


_AMBIGUOUS = frozenset(
    (
        "Bool",
        "String",
        "ContentId",
        "Content",
        "Float32",
        "Float64",
        "Int32",
        "Int64",
        "Vector2",
        "Vector3",
        "Color3",
    )
)


def _plain_json(value: Value) -> Any:
    data = value.data
    if isinstance(data, bytes):
        return _text(data)
    if value.kind == "Content":
        return "" if data is None else _refuse("a reference")
    if isinstance(data, tuple):
        return [_number(part) for part in data]
    return _number(data) if isinstance(data, float) else data


def _text(data: bytes) -> str:
    try:
        return data.decode()
    except UnicodeDecodeError:
        return str(_refuse("text that is not UTF-8"))


def _number(number: float) -> Any:
    if isinstance(number, int):
        return number
    if not math.isfinite(number):
        _refuse("a number that JSON does not have")
    return int(number) if number == int(number) and abs(number) < 1e15 else short(number)


def _refuse(what: str) -> Any:
    raise Unsupported(f"Rojo's JSON files cannot hold {what}.")


def _qualified(value: Value) -> Any:
    writer = _WRITERS.get(value.kind)
    if writer is None:
        _refuse(with_article(value.kind))
    assert writer is not None
    return writer(value.data)


def _numbers(data: Any) -> list[Any]:
    return [_number(part) for part in data]


def _frame(data: Any) -> Any:
    if data is None:
        return None
    parts = _numbers(data)
    return {"position": parts[:3], "orientation": [parts[3:6], parts[6:9], parts[9:12]]}


def _pairs(data: Any) -> list[Any]:
    parts = _numbers(data)
    half = len(parts) // 2
    return [parts[:half], parts[half:]]


def _bits(names: tuple[str, ...]) -> Callable[[int], list[str]]:
    return lambda bits: [name for place, name in enumerate(names) if bits >> place & 1]


def _font(data: Any) -> dict[str, Any]:
    family, weight, style, face = data
    font = {
        "family": as_text(family),
        "weight": _WEIGHTS.get(weight, "Regular"),
        "style": "Italic" if style else "Normal",
    }
    return font | ({"cachedFaceId": as_text(face)} if face else {})


def _physics(data: Any) -> Any:
    return "Default" if data is None else dict(zip(_PHYSICS, _numbers(data), strict=False))


def _base64(data: bytes) -> str:
    return base64.b64encode(data).decode()


_WRITERS: dict[str, Callable[[Any], Any]] = {
    "Bool": bool,
    "Int32": int,
    "Int64": int,
    "Enum": int,
    "BrickColor": int,
    "SecurityCapabilities": int,
    "Float32": _number,
    "Float64": _number,
    "String": _text,
    "ProtectedString": _text,
    "ContentId": _text,
    "BinaryString": _base64,
    "Vector2": _numbers,
    "Vector3": _numbers,
    "Color3": _numbers,
    "Color3uint8": list,
    "Vector3int16": list,
    "NumberRange": _numbers,
    "UDim": _numbers,
    "UDim2": _pairs,
    "Rect": _pairs,
    "Ray": lambda data: dict(zip(("origin", "direction"), _pairs(data), strict=True)),
    "CFrame": _frame,
    "OptionalCFrame": _frame,
    "NumberSequence": lambda data: {
        "keypoints": [dict(zip(("time", "value", "envelope"), _numbers(point), strict=True)) for point in data]
    },
    "ColorSequence": lambda data: {
        "keypoints": [{"time": _number(point[0]), "color": _numbers(point[1:4])} for point in data]
    },
    "PhysicalProperties": _physics,
    "Axes": _bits(("X", "Y", "Z")),
    "Faces": _bits(("Right", "Top", "Back", "Left", "Bottom", "Front")),
    "Font": _font,
    "Content": lambda data: (
        "None" if data is None else {"Uri": _text(data)} if isinstance(data, bytes) else _refuse("a reference")
    ),
    "Attributes": attributes_to_json,
    "MaterialColors": unpack_material_colors,
    "UniqueId": lambda data: f"{data[2] & (1 << 64) - 1:016x}{data[1]:08x}{data[0]:08x}",
    "EnumItem": lambda data: {"type": data[0], "value": data[1]},
}
