"""Makes of what a client sends a value of the declared kind, or says what was expected.

A value may come as JSON (`[0, 1, 0]`, `{"x": 0}`, "#ff8800"), as the engine's literal ("Vector3.new(0, 1, 0)") or in
its wire form (`{"_type": "Vector3", …}`). Nothing is guessed and nothing is dropped.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

from scenewright.core.faults import Invalid
from scenewright.core.text.counts import with_article
from scenewright.roblox.value_forms.cframes import as_frame
from scenewright.roblox.value_forms.colors import as_brick, as_color
from scenewright.roblox.value_forms.records import as_range, as_rect, as_udim, as_udim2, record_of
from scenewright.roblox.value_forms.references_and_enums import (
    as_content,
    as_enum,
    as_font,
    as_physics,
    as_reference,
    as_unique,
    bits_of,
)
from scenewright.roblox.value_forms.refusal import Refused
from scenewright.roblox.value_forms.scalars import (
    as_binary,
    as_bool,
    as_content_id,
    as_number,
    as_single,
    as_text,
    as_whole,
)
from scenewright.roblox.value_forms.sequences import as_color_sequence, as_number_sequence
from scenewright.roblox.values import Value
from scenewright.roblox.wire import AXES, FACES

__all__ = ["Refused", "coerce", "coerce_attribute"]


def coerce(given: Any, kind: str, *, enum: str | None = None, path: str = "input.value", name: str = "value") -> Value:
    """Return the value of a property, a reference as the target it names.

    Raises:
        Invalid: it cannot be a value of that kind.
    """
    try:
        if kind == "Enum":
            return Value(kind, as_enum(given, enum))
        reader = _READERS.get(kind)
        if reader is None:
            raise Refused(f"{with_article(kind)}, which cannot be set by value")
        return Value(kind, reader(given))
    except Refused as refused:
        raise Invalid(
            f"'{name}' must be {refused.expected}; it is {_show_value(given)}.",
            path=path,
            rule="type",
            hint=refused.hint,
        ) from None


def coerce_attribute(given: Any, *, path: str, name: str) -> Value:
    """Return the value of an attribute, whose kind follows from its form.

    Raises:
        Invalid: attributes cannot hold it.
    """
    if isinstance(given, str) and (literal := _LITERAL.fullmatch(given)):
        if literal.group(1) == "Enum":
            given = {"_type": "Enum", "enum": literal.group(2), "value": literal.group(3)}
        elif literal.group(1) in _ATTRIBUTES:
            return coerce(given, literal.group(1), path=path, name=name)
    kind = _attribute_kind(given)
    if kind is None:
        raise Invalid(
            f"The attribute '{name}' must be text, a number, true, false or a typed value; it is {_show_value(given)}.",
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


_ATTRIBUTES = frozenset(
    (
        "Vector2",
        "Vector3",
        "UDim",
        "UDim2",
        "Color3",
        "BrickColor",
        "CFrame",
        "NumberSequence",
        "ColorSequence",
        "NumberRange",
        "Rect",
        "Font",
    )
)


# As a script writes a value; other text that begins so is text.
_LITERAL = re.compile(r"([A-Z]\w+)\.(\w+)(?:\.(\w+)|\(.*\))", re.DOTALL)


def _show_value(given: Any) -> str:
    text = repr(given)
    return text if len(text) <= 80 else f"{text[:80]}…"


_VECTOR = record_of("Vector3", ("x", "y", "z"))
_READERS: dict[str, Callable[[Any], Any]] = {
    "String": as_text,
    "ProtectedString": as_text,
    "BinaryString": as_binary,
    "SharedString": as_binary,
    "ContentId": as_content_id,
    "Content": as_content,
    "Bool": as_bool,
    "Float32": as_single,
    "Float64": as_number,
    "Int32": as_whole,
    "Int64": lambda given: as_whole(given, 64),
    "SecurityCapabilities": lambda given: as_whole(given, 64),
    "Vector2": record_of("Vector2", ("x", "y")),
    "Vector3": _VECTOR,
    "Vector2int16": record_of("Vector2int16", ("x", "y"), whole=True),
    "Vector3int16": record_of("Vector3int16", ("x", "y", "z"), whole=True),
    "Ray": record_of("Ray", ("ox", "oy", "oz", "dx", "dy", "dz")),
    "UDim": as_udim,
    "UDim2": as_udim2,
    "Rect": as_rect,
    "NumberRange": as_range,
    "Color3": as_color,
    "Color3uint8": lambda given: tuple(round(part * 255) for part in as_color(given)),
    "BrickColor": as_brick,
    "CFrame": as_frame,
    "OptionalCFrame": lambda given: None if given is None else as_frame(given),
    "NumberSequence": as_number_sequence,
    "ColorSequence": as_color_sequence,
    "PhysicalProperties": as_physics,
    "Axes": bits_of("Axes", AXES),
    "Faces": bits_of("Faces", FACES),
    "Font": as_font,
    "Ref": as_reference,
    "UniqueId": as_unique,
}
