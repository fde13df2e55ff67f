"""Properties that the engine shows and does not store, as those that it stores: degrees, 3D parts, presets, positions.

What cannot be told without the running game, such as a global position, is refused with the property to set instead.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from math import radians, sqrt
from typing import Any

from scenewright.core.faults import Invalid
from scenewright.godot.classes.index import ClassIndex
from scenewright.godot.classes.records import Property
from scenewright.godot.classes.variant import PropertyUsage
from scenewright.godot.documents import variant as v
from scenewright.godot.documents.floats import real, single
from scenewright.godot.documents.variant_writer import write_variant
from scenewright.godot.values.transforms import basis, transform_3d

__all__ = ["as_stored", "check_stored"]

Read = Callable[[str], Any]
_SIDES = ("left", "top", "right", "bottom")
# By the preset's number: the anchors, and how the control grows (0 to the begin, 1 to the end, 2 both ways).
_PRESETS = (
    (0, 0, 0, 0, 1, 1),
    (1, 0, 1, 0, 0, 1),
    (0, 1, 0, 1, 1, 0),
    (1, 1, 1, 1, 0, 0),
    (0, 0.5, 0, 0.5, 1, 2),
    (0.5, 0, 0.5, 0, 2, 1),
    (1, 0.5, 1, 0.5, 0, 2),
    (0.5, 1, 0.5, 1, 2, 0),
    (0.5, 0.5, 0.5, 0.5, 2, 2),
    (0, 0, 0, 1, 1, 2),
    (0, 0, 1, 0, 2, 1),
    (1, 0, 1, 1, 0, 2),
    (0, 1, 1, 1, 2, 0),
    (0.5, 0, 0.5, 1, 2, 2),
    (0, 0.5, 1, 0.5, 2, 2),
    (0, 0, 1, 1, 2, 2),
)
_TURNS = ("rotation", "rotation_degrees", "quaternion", "basis")
_PARTS_3D = ("position", "scale", *_TURNS)
_INSTEAD = {
    "name": "rename_node changes it",
    "owner": "move_node changes it",
    "paused": "a game pauses it when it runs",
    "volume_linear": "set volume_db",
    "transform": "set position, rotation, scale and skew",
    "ratio": "set value",
    "progress_ratio": "set progress",
    "playing": "set autoplay",
}
# The editor shows these, and their setters fail outside of a scene tree, which is where a file is read.
_IN_A_TREE = ("progress_ratio", "playing")


def as_stored(
    kind: str, values: Mapping[str, Any], index: ClassIndex, coerce_value: Read, read_current: Read
) -> dict[str, Any]:
    """Return the values with those that stand for stored ones replaced.

    `coerce_value` coerces the value of a name, `read_current` reads the one that is stored.

    Raises:
        Invalid: two of them say the same.
    """
    stored = dict(values)
    if index.is_a(kind, "Node3D"):
        return _merge_transform(stored, coerce_value, read_current)
    if "rotation_degrees" in stored and (index.is_a(kind, "Node2D") or index.is_a(kind, "Control")):
        _only_one(stored, ("rotation", "rotation_degrees"))
        stored["rotation"] = _rounded(radians(coerce_value("rotation_degrees")))
        del stored["rotation_degrees"]
    if index.is_a(kind, "Control"):
        _apply_anchor_preset(stored, coerce_value)
        _set_offsets(stored, coerce_value, read_current)
    return stored


def check_stored(wanted: Property) -> None:
    """Refuse what a file cannot hold.

    Raises:
        Invalid
    """
    if wanted.dynamic or wanted.stored or not wanted.setter or wanted.usage & PropertyUsage.SCRIPT_VARIABLE:
        return
    if wanted.usage & PropertyUsage.EDITOR and wanted.name not in _IN_A_TREE:
        return
    local = wanted.name.removeprefix("global_")
    instead = _INSTEAD.get(wanted.name) or (f"set {local}" if local != wanted.name else "")
    raise Invalid(
        f"{wanted.owner}.{wanted.name} is not stored: it exists only while the game runs.",
        path=f"input.properties.{wanted.name}",
        rule="stored",
        hint=f"{instead[:1].upper()}{instead[1:]}." if instead else None,
    )


def _merge_transform(values: dict[str, Any], coerce_value: Read, read_current: Read) -> dict[str, Any]:
    parts = [name for name in _PARTS_3D if name in values]
    if not parts:
        return values
    _only_one(values, _TURNS)
    start = coerce_value("transform") if "transform" in values else read_current("transform")
    now = _components_of(start if isinstance(start, v.Transform3D) else transform_3d({"origin": [0, 0, 0]}))
    rows, origin = now[:9], now[9:]
    if "position" in values:
        origin = _components_of(coerce_value("position"))
    if "basis" in values:
        rows = _components_of(coerce_value("basis"))
    elif parts != ["position"]:
        turned, scale = _split_scale(rows)
        turn = next((name for name in _TURNS if name in values), None)
        turned = _components_of(basis({turn: list(_components_of(coerce_value(turn)))})) if turn else turned
        scale = _components_of(coerce_value("scale")) if "scale" in values else scale
        rows = tuple(part * scale[at % 3] for at, part in enumerate(turned))
    rest = {name: value for name, value in values.items() if name not in parts}
    return rest | {"transform": {"$literal": write_variant(v.Transform3D(*rows, *origin))}}


def _apply_anchor_preset(values: dict[str, Any], coerce_value: Read) -> None:
    """A preset with the anchors it means; the engine reads the preset only to show it."""
    if "anchors_preset" not in values:
        return
    preset = coerce_value("anchors_preset")
    if not 0 <= preset < len(_PRESETS):
        return
    *anchors, across, down = _PRESETS[preset]
    values |= {
        f"anchor_{side}": anchor for side, anchor in zip(_SIDES, anchors, strict=True) if f"anchor_{side}" not in values
    }
    values.setdefault("grow_horizontal", across)
    values.setdefault("grow_vertical", down)
    size = _size_at_preset(values, anchors, coerce_value)
    for axis, (start, end) in enumerate((("left", "right"), ("top", "bottom"))):
        first, last = anchors[axis], anchors[axis + 2]
        if first != last:
            values.setdefault(f"offset_{start}", 0)
            values.setdefault(f"offset_{end}", 0)
        elif size is not None:
            values.setdefault(f"offset_{start}", -first * size[axis])
            values.setdefault(f"offset_{end}", (1 - first) * size[axis])


def _size_at_preset(values: dict[str, Any], anchors: Sequence[float], coerce_value: Read) -> tuple[float, float] | None:
    """The size that a control keeps at its preset, as the editor sets offsets: the one given, else its smallest."""
    if "position" in values:
        return None
    name = next((name for name in ("size", "custom_minimum_size") if name in values), None)
    if name is None:
        return None
    size = _components_of(coerce_value(name))
    if name == "size":
        for axis, side in enumerate(("width", "height")):
            if anchors[axis] != anchors[axis + 2] and size[axis]:
                raise Invalid(
                    f"With this anchors_preset the {side} follows from the parent's size.",
                    path="input.properties.size",
                    rule="stored",
                    hint=f"Give 0 as the {side}, or set offset_left, offset_top, offset_right and offset_bottom.",
                )
        del values["size"]
    return size[0], size[1]


def _set_offsets(values: dict[str, Any], coerce_value: Read, read_current: Read) -> None:
    """A position or size as the offsets they mean where no anchor depends on the parent's size."""
    parts = [name for name in ("position", "size") if name in values]
    if not parts:
        return

    def known(name: str) -> float:
        value = values.get(name)
        if isinstance(value, int | float):
            return float(value)
        return float((coerce_value(name) if value is not None else read_current(name)) or 0.0)

    if any(known(f"anchor_{side}") for side in _SIDES):
        raise Invalid(
            f"The {parts[0]} of an anchored control follows from its parent's size.",
            path=f"input.properties.{parts[0]}",
            rule="stored",
            hint="Set offset_left, offset_top, offset_right and offset_bottom.",
        )
    place = coerce_value("position") if "position" in values else v.Vector2(known("offset_left"), known("offset_top"))
    wide, high = known("offset_right") - known("offset_left"), known("offset_bottom") - known("offset_top")
    size = coerce_value("size") if "size" in values else v.Vector2(wide, high)
    for name in parts:
        del values[name]
    values |= {"offset_left": place.x, "offset_top": place.y}
    values |= {"offset_right": place.x + size.x, "offset_bottom": place.y + size.y}


def _rounded(number: float) -> float:
    """A number as the engine keeps it, in 32 bits."""
    return float(real(single(number)))


def _only_one(values: Mapping[str, Any], names: tuple[str, ...]) -> None:
    present = [name for name in names if name in values]
    if len(present) > 1:
        raise Invalid(
            f"{present[0]} and {present[1]} mean the same; give one of them.", path="input.properties", rule="oneOf"
        )


def _components_of(value: Any) -> tuple[float, ...]:
    return tuple(getattr(value, name) for name in value.__struct_fields__)


def _split_scale(rows: tuple[float, ...]) -> tuple[tuple[float, ...], tuple[float, ...]]:
    """A basis without its scale, and the scale; negative as the engine has it where the basis mirrors."""
    (a, b, c), (d, e, f), (g, h, i) = rows[:3], rows[3:6], rows[6:]
    sign = -1.0 if a * (e * i - f * h) - b * (d * i - f * g) + c * (d * h - e * g) < 0 else 1.0
    scale = tuple(sign * sqrt(sum(rows[3 * row + axis] ** 2 for row in range(3))) for axis in range(3))
    if 0.0 in scale:
        return _components_of(basis({"rotation": [0, 0, 0]})), scale
    return tuple(part / scale[at % 3] for at, part in enumerate(rows)), scale
