"""Makes of what a client sends a value of the declared kind, or says what was expected.

A value may come as JSON (`[0, 1, 0]`, `{"x": 0}`, "#ff8800"), as the engine's literal ("Vector3.new(0, 1, 0)") or in
its wire form (`{"_type": "Vector3", …}`). Nothing is guessed and nothing is dropped.
"""

from __future__ import annotations

import base64
import binascii
import re
from collections.abc import Callable, Mapping
from typing import Any

from scenewright.core.faults import Invalid, did_you_mean
from scenewright.roblox import palette
from scenewright.roblox.backend import Target
from scenewright.roblox.frames import oriented
from scenewright.roblox.reflection.database import database
from scenewright.roblox.values import IDENTITY, Value, as_bytes, f32
from scenewright.roblox.wire import AXES, FACES, PHYSICS

__all__ = ["Refused", "coerce", "coerce_attribute"]

_LITERAL = re.compile(r"\s*([A-Za-z]\w*)?(?:\.(\w+))?\s*\((.*)\)\s*", re.DOTALL)
_HEX = re.compile(r"#?([0-9a-fA-F]{6}|[0-9a-fA-F]{3})")


class Refused(ValueError):
    """What was expected, in words."""

    def __init__(self, expected: str, hint: str | None = None) -> None:
        super().__init__(expected)
        self.expected = expected
        self.hint = hint


def coerce(given: Any, kind: str, *, enum: str | None = None, path: str = "input.value", name: str = "value") -> Value:
    """The value of a property, a reference as the target it names.

    Raises:
        Invalid: it cannot be a value of that kind.
    """
    try:
        if kind == "Enum":
            return Value(kind, _enum(given, enum))
        reader = _READERS.get(kind)
        if reader is None:
            raise Refused(f"a {kind}, which cannot be set by value")
        return Value(kind, reader(given))
    except Refused as refused:
        raise Invalid(
            f"'{name}' must be {refused.expected}; it is {_shown(given)}.", path=path, rule="type", hint=refused.hint
        ) from None


def coerce_attribute(given: Any, *, path: str, name: str) -> Value:
    """The value of an attribute, whose kind follows from its form.

    Raises:
        Invalid: attributes cannot hold it.
    """
    kind = _attribute_kind(given)
    if kind is None:
        raise Invalid(
            f"The attribute '{name}' must be text, a number, true, false or a typed value; it is {_shown(given)}.",
            path=path,
            rule="type",
            hint='For example {"_type": "Vector3", "x": 0, "y": 1, "z": 0}.',
        )
    if kind == "EnumItem":
        enum = str(given.get("enum"))
        return Value(kind, (enum, coerce(given, "Enum", enum=enum, path=path, name=name).data))
    return coerce(given, kind, path=path, name=name)


def _attribute_kind(given: Any) -> str | None:
    if isinstance(given, bool):
        return "Bool"
    if isinstance(given, (int, float)):
        return "Float64"
    if isinstance(given, str):
        return "String"
    kind = given.get("_type") if isinstance(given, dict) else None
    known = {"Enum": "EnumItem", "Color3Float": "Color3", "RectFloat": "Rect", "BinaryString": "String"}
    if kind in known:
        return known[kind]
    return kind if kind in _ATTRIBUTES else None


_ATTRIBUTES = frozenset((
    "Vector2", "Vector3", "UDim", "UDim2", "Color3", "BrickColor", "CFrame", "NumberSequence", "ColorSequence",
    "NumberRange", "Rect", "Font",
))  # fmt: skip


def _shown(given: Any) -> str:
    text = repr(given)
    return text if len(text) <= 80 else f"{text[:80]}…"


# Numbers and text


def _number(given: Any) -> float:
    if isinstance(given, bool) or not isinstance(given, (int, float, str)):
        raise Refused("a number")
    try:
        if isinstance(given, str) and "_" in given:
            raise ValueError
        return float(given)
    except (ValueError, OverflowError):
        raise Refused("a number") from None


def _single(given: Any) -> float:
    return f32(_number(given))


def _whole(given: Any, bits: int = 32) -> int:
    if isinstance(given, str) and re.fullmatch(r"\s*-?\d{1,20}\s*", given):
        given = int(given)
    if isinstance(given, float) and given.is_integer():
        given = int(given)
    if isinstance(given, bool) or not isinstance(given, int) or not -(1 << bits - 1) <= given < 1 << bits - 1:
        raise Refused(f"a whole number of {bits} bits")
    return given


def _bool(given: Any) -> bool:
    if isinstance(given, str) and given.strip().lower() in ("true", "false"):
        return given.strip().lower() == "true"
    if not isinstance(given, bool):
        raise Refused("true or false")
    return given


def _text(given: Any) -> bytes:
    if isinstance(given, dict) and "base64" in given:
        return _binary(given)
    if isinstance(given, bool) or not isinstance(given, (str, int, float)):
        raise Refused("text")
    return as_bytes(str(given))


def _binary(given: Any) -> bytes:
    text = given.get("base64") if isinstance(given, dict) else None
    if not isinstance(text, str):
        raise Refused('bytes as {"_type": "BinaryString", "base64": "…"}')
    try:
        return base64.b64decode(text, validate=True)
    except binascii.Error:
        raise Refused("bytes in base64") from None


def _content_id(given: Any) -> bytes:
    if isinstance(given, int) and not isinstance(given, bool):
        return b"rbxassetid://%d" % given
    if given is None:
        return b""
    return _text(given)


def _content(given: Any) -> Any:
    if isinstance(given, dict) and given.get("_type") == "Ref":
        return _reference(given)
    return _content_id(given) or None


# Lists of numbers


def _parts(given: Any, fields: tuple[str, ...], kind: str) -> list[Any]:
    """The components of a value, from a list, an object, or text such as "Vector3.new(1, 2, 3)" and "1, 2, 3"."""
    if isinstance(given, str):
        given = _split(given, kind)
    if isinstance(given, (list, tuple)) and len(given) == len(fields):
        return list(given)
    if isinstance(given, dict):
        lowered = {str(key).lower(): part for key, part in given.items() if key != "_type"}
        if given.get("_type", kind) == kind and set(lowered) == {field.lower() for field in fields}:
            return [lowered[field.lower()] for field in fields]
    raise Refused(f"a {kind} with {', '.join(fields)}", f'For example {{"_type": "{kind}", {_example(fields)}}}.')


def _example(fields: tuple[str, ...]) -> str:
    return ", ".join(f'"{field}": {place}' for place, field in enumerate(fields))


def _split(text: str, kind: str) -> list[str]:
    found = _LITERAL.fullmatch(text)
    if found is not None and found.group(1) in (None, kind) and found.group(2) in (None, "new"):
        text = found.group(3)
    return [part for part in re.split(r"[\s,{}]+", text.strip()) if part]


def _record(kind: str, fields: tuple[str, ...], *, whole: bool = False) -> Callable[[Any], tuple[Any, ...]]:
    each: Callable[[Any], Any] = (lambda part: _whole(part, 16)) if whole else _single
    return lambda given: tuple(each(part) for part in _parts(given, fields, kind))


def _udim(given: Any) -> tuple[float, int]:
    scale, offset = _parts(given, ("scale", "offset"), "UDim")
    return _single(scale), _whole(offset)


def _udim2(given: Any) -> tuple[Any, ...]:
    if isinstance(given, dict) and {str(key).lower() for key in given} == {"x", "y"}:
        given = [part for _, part in sorted(given.items(), key=lambda item: str(item[0]).lower())]
    if isinstance(given, (list, tuple)) and len(given) == 2:
        return (*_udim(given[0]), *_udim(given[1]))
    if isinstance(given, str) and (found := re.fullmatch(r"\s*UDim2\.from(Scale|Offset)\((.*)\)\s*", given)):
        x, y = _split(found.group(2), "") if len(_split(found.group(2), "")) == 2 else ("", "")
        return (_single(x), 0, _single(y), 0) if found.group(1) == "Scale" else (0.0, _whole(x), 0.0, _whole(y))
    sx, ox, sy, oy = _parts(given, ("sx", "ox", "sy", "oy"), "UDim2")
    return _single(sx), _whole(ox), _single(sy), _whole(oy)


def _rect(given: Any) -> tuple[float, ...]:
    if isinstance(given, dict) and ("minX" in given or given.get("_type") == "RectFloat"):
        given = [given.get(key, 0) for key in ("minX", "minY", "maxX", "maxY")]
    return tuple(_single(part) for part in _parts(given, ("x0", "y0", "x1", "y1"), "Rect"))


def _range(given: Any) -> tuple[float, float]:
    if isinstance(given, (int, float)) and not isinstance(given, bool):
        given = [given, given]
    low, high = (_single(part) for part in _parts(given, ("min", "max"), "NumberRange"))
    if low > high:
        raise Refused("a NumberRange whose min is not above its max")
    return low, high


# Colours


def _color(given: Any) -> tuple[float, ...]:
    """Of 0 to 1, or of 0 to 255 where a part is above 1 or the form says so."""
    if isinstance(given, str):
        return _color_text(given)
    kind = given.get("_type") if isinstance(given, dict) else None
    parts = [_number(part) for part in _parts(given, ("r", "g", "b"), str(kind or "Color3"))]
    if kind not in (None, "Color3", "Color3Float"):
        raise Refused("a Color3")
    if kind == "Color3" or (kind is None and max(parts) > 1):
        if not all(0 <= part <= 255 for part in parts):
            raise Refused("a Color3 of 0 to 255")
        return tuple(f32(part / 255) for part in parts)
    return tuple(f32(part) for part in parts)


def _color_text(given: str) -> tuple[float, ...]:
    text = given.strip()
    found = re.fullmatch(r"Color3\.fromHex\(\s*[\"']?(.*?)[\"']?\s*\)", text)
    if hexed := _HEX.fullmatch(found.group(1) if found else text):
        digits = hexed.group(1)
        digits = digits if len(digits) == 6 else "".join(digit * 2 for digit in digits)
        return tuple(f32(part / 255) for part in bytes.fromhex(digits))
    literal = _LITERAL.fullmatch(text)
    numbers = _split(literal.group(3) if literal else text, "Color3")
    if len(numbers) != 3 or (literal and literal.group(1) != "Color3"):
        raise Refused(
            "a Color3", 'For example "#ff8800", [255, 136, 0] or {"_type": "Color3", "r": 255, "g": 136, "b": 0}.'
        )
    if literal and literal.group(2) == "new":
        return tuple(_single(number) for number in numbers)
    return _color({"_type": "Color3"} | dict(zip("rgb", numbers, strict=True))) if literal else _color(numbers)


def _brick(given: Any) -> int:
    if isinstance(given, dict) and given.get("_type", "BrickColor") == "BrickColor":
        given = given.get("name") or given.get("number")
    if isinstance(given, int) and not isinstance(given, bool) and palette.by_number(given):
        return given
    if isinstance(given, str):
        found = re.fullmatch(r"\s*BrickColor\.new\([\"'](.*)[\"']\)\s*", given)
        known = palette.by_name(found.group(1) if found else given.strip())
        if known is not None:
            return known.number
        raise Refused(
            "the name of a BrickColor", did_you_mean(given, [color.name for color in palette.palette().values()])
        )
    raise Refused("a BrickColor, by name or number")


# Places


def _frame(given: Any) -> tuple[float, ...]:
    if isinstance(given, str):
        given = _split(given, "CFrame")
    if isinstance(given, dict):
        return _frame_object(given)
    if isinstance(given, (list, tuple)) and len(given) in (3, 12):
        parts = tuple(_single(part) for part in given)
        return parts if len(parts) == 12 else (*parts, *IDENTITY[3:])
    raise Refused(
        "a CFrame: x, y, z, or all 12 components",
        'For example [0, 5, 0], or {"position": [0, 5, 0], "orientation": [0, 90, 0]}.',
    )


def _frame_object(given: Mapping[str, Any]) -> tuple[float, ...]:
    keys = {str(key) for key in given} - {"_type"}
    if given.get("_type", "CFrame") != "CFrame" or not keys:
        raise Refused("a CFrame")
    if isinstance(given.get("components"), list) and keys <= {"components", "x", "y", "z"}:
        return _frame(given["components"])
    if keys <= {"position", "orientation"}:
        frame = _frame(given.get("position", [0, 0, 0]))
        turned = given.get("orientation")
        return frame if turned is None else oriented(frame, _VECTOR(turned))
    if keys <= {"x", "y", "z"}:
        return _frame([given.get(key, 0) for key in ("x", "y", "z")])
    raise Refused("a CFrame with x, y and z, with components, or with position and orientation")


# Sequences


def _numbers(given: Any) -> tuple[Any, ...]:
    if isinstance(given, (int, float)) and not isinstance(given, bool):
        given = [given, given]
    points = _keypoints(given)
    if all(not isinstance(point, (dict, list)) for point in points):
        points = [{"time": place / max(1, len(points) - 1), "value": point} for place, point in enumerate(points)]
    found = []
    for point in points:
        if isinstance(point, list):
            point = dict(zip(("time", "value", "envelope"), point, strict=False))
        if not isinstance(point, dict) or not {"time", "value"} <= set(point) <= {"time", "value", "envelope"}:
            raise Refused("a NumberSequence of keypoints with time, value and perhaps envelope")
        found.append(tuple(_single(point.get(key, 0)) for key in ("time", "value", "envelope")))
    return _timed(found, "NumberSequence")


def _colors(given: Any) -> tuple[Any, ...]:
    if isinstance(given, str) or (isinstance(given, dict) and given.get("_type") in ("Color3", "Color3Float")):
        given = [given, given]
    found = []
    points = _keypoints(given)
    for place, point in enumerate(points):
        if isinstance(point, dict) and "time" in point:
            rest = {key: part for key, part in point.items() if key not in ("time", "envelope")}
            color = rest.pop("color", None) or {"_type": "Color3Float", **rest}
            found.append((_single(point["time"]), *_color(color), 0.0))
        else:
            found.append((f32(place / max(1, len(points) - 1)), *_color(point), 0.0))
    return _timed(found, "ColorSequence")


def _keypoints(given: Any) -> list[Any]:
    points = given.get("keypoints") if isinstance(given, dict) else given
    if not isinstance(points, list) or len(points) < 2:
        raise Refused("a sequence of at least two keypoints")
    return points


def _timed(points: list[Any], kind: str) -> tuple[Any, ...]:
    times = [point[0] for point in points]
    if times != sorted(times) or times[0] != 0 or times[-1] != 1 or len(points) > 20:
        raise Refused(f"a {kind} of 2 to 20 keypoints whose times go from 0 to 1")
    return tuple(points)


# The rest


def _physics(given: Any) -> tuple[float, ...] | None:
    if given is None:
        return None
    if isinstance(given, list) and 3 <= len(given) <= 6:
        given = dict(zip(PHYSICS, given, strict=False))
    if not isinstance(given, dict) or not set(given) - {"_type"} <= set(PHYSICS) or "density" not in given:
        raise Refused(f"null or PhysicalProperties with {', '.join(PHYSICS)}")
    usual = {"friction": 0.3, "elasticity": 0.5, "frictionWeight": 1, "elasticityWeight": 1}
    parts = tuple(_single(given.get(key, usual.get(key))) for key in PHYSICS[:5])
    return (*parts, _single(given[PHYSICS[5]])) if PHYSICS[5] in given else parts


def _bits(kind: str, names: tuple[str, ...]) -> Callable[[Any], int]:
    def read(given: Any) -> int:
        if isinstance(given, dict):
            given = [key for key, on in given.items() if key != "_type" and on is True]
        if isinstance(given, str):
            given = _split(given, kind)
        lowered = [str(name).rpartition(".")[2].lower() for name in given] if isinstance(given, list) else ["?"]
        if not set(lowered) <= set(names):
            raise Refused(f"{kind}, some of {', '.join(names)}")
        return sum(1 << names.index(name) for name in set(lowered))

    return read


def _font(given: Any) -> tuple[bytes, int, int, bytes]:
    if isinstance(given, str):
        given = {"family": given}
    if not isinstance(given, dict) or not isinstance(given.get("family"), str):
        raise Refused("a Font with family, weight and style")
    if not set(given) <= {"_type", "family", "weight", "style"}:
        raise Refused("a Font with family, weight and style, and nothing else")
    family = given["family"] if ":" in given["family"] else f"rbxasset://fonts/families/{given['family']}.json"
    weights, styles = database().enum("FontWeight") or {}, {"Normal": 0, "Italic": 1}
    weight, style = given.get("weight", 400), given.get("style", "Normal")
    weight = weights.get(weight, weight) if isinstance(weight, str) else weight
    if weight not in weights.values() or style not in styles:
        raise Refused(f"a Font whose weight is one of {', '.join(weights)} and whose style is Normal or Italic")
    return family.encode(), weight, styles[style], b""


def _reference(given: Any) -> Target | None:
    if given is None or given == "":
        return None
    if isinstance(given, str):
        return Target(path=given, field="value")
    if isinstance(given, dict) and given.get("_type", "Ref") == "Ref":
        path, identifier, key = given.get("path"), given.get("instanceId"), given.get("key")
        if any(isinstance(each, str) for each in (path, identifier, key)):
            return Target(path=path, id=identifier, key=key, field="value")
    raise Refused("null, the path of an instance, or a Ref with path or instanceId")


def _enum(given: Any, enum: str | None) -> int:
    items = database().enum(enum or "")
    if items is None:
        raise Refused(f"an item of an enum; there is no Enum.{enum}")
    if isinstance(given, dict) and given.get("_type", "Enum") == "Enum":
        if given.get("enum") not in (None, "", enum):
            raise Refused(f"an item of Enum.{enum}, not of Enum.{given.get('enum')}")
        given = given.get("value")
    if isinstance(given, int) and not isinstance(given, bool) and given in items.values():
        return given
    if isinstance(given, str):
        word = given.removeprefix(f"Enum.{enum}.").strip()
        if word in items:
            return items[word]
        raise Refused(
            f"an item of Enum.{enum}", did_you_mean(word, list(items)) or f"Some are {', '.join(list(items)[:12])}."
        )
    raise Refused(f"an item of Enum.{enum}, by name", f"Some are {', '.join(list(items)[:12])}.")


def _unique(given: Any) -> tuple[int, int, int]:
    if not isinstance(given, str) or not re.fullmatch(r"[0-9a-fA-F]{32}", given):
        raise Refused("a UniqueId of 32 hexadecimal digits")
    bits = bytes.fromhex(given)
    random = int.from_bytes(bits[:8], "big", signed=True)
    return int.from_bytes(bits[12:], "big"), int.from_bytes(bits[8:12], "big"), random


_VECTOR = _record("Vector3", ("x", "y", "z"))
_READERS: dict[str, Callable[[Any], Any]] = {
    "String": _text,
    "ProtectedString": _text,
    "BinaryString": _binary,
    "SharedString": _binary,
    "ContentId": _content_id,
    "Content": _content,
    "Bool": _bool,
    "Float32": _single,
    "Float64": _number,
    "Int32": _whole,
    "Int64": lambda given: _whole(given, 64),
    "SecurityCapabilities": lambda given: _whole(given, 64),
    "Vector2": _record("Vector2", ("x", "y")),
    "Vector3": _VECTOR,
    "Vector2int16": _record("Vector2int16", ("x", "y"), whole=True),
    "Vector3int16": _record("Vector3int16", ("x", "y", "z"), whole=True),
    "Ray": _record("Ray", ("ox", "oy", "oz", "dx", "dy", "dz")),
    "UDim": _udim,
    "UDim2": _udim2,
    "Rect": _rect,
    "NumberRange": _range,
    "Color3": _color,
    "Color3uint8": lambda given: tuple(round(part * 255) for part in _color(given)),
    "BrickColor": _brick,
    "CFrame": _frame,
    "OptionalCFrame": lambda given: None if given is None else _frame(given),
    "NumberSequence": _numbers,
    "ColorSequence": _colors,
    "PhysicalProperties": _physics,
    "Axes": _bits("Axes", AXES),
    "Faces": _bits("Faces", FACES),
    "Font": _font,
    "Ref": _reference,
    "UniqueId": _unique,
}
