"""How a value is refused: what was expected where, and an example that would have been right."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import Any

import msgspec

from scenewright.core.faults import Invalid, closest
from scenewright.core.text.counts import with_article
from scenewright.godot.classes.choices import Choices
from scenewright.godot.classes.index import ClassIndex
from scenewright.godot.classes.records import Property
from scenewright.godot.classes.variant import Hint

__all__ = ["EXAMPLES", "Mismatch", "invalid", "shown"]

_LONGEST = 80
_ALIKE = 0.45

EXAMPLES: dict[str, str] = {
    "Nil": '5, "text", [1, 2], {"$type": "Vector2", "x": 0, "y": 1}',
    "bool": "true",
    "int": "5",
    "float": "0.5",
    "String": '"text"',
    "Vector2": '[0, 1] or {"x": 0, "y": 1} or "Vector2(0, 1)"',
    "Vector2i": '[0, 1] or "Vector2i(0, 1)"',
    "Rect2": '[0, 0, 64, 32] or {"position": [0, 0], "size": [64, 32]}',
    "Rect2i": '[0, 0, 64, 32] or {"position": [0, 0], "size": [64, 32]}',
    "Vector3": '[0, 1, 0] or {"x": 0, "y": 1, "z": 0} or "Vector3(0, 1, 0)"',
    "Vector3i": '[0, 1, 0] or "Vector3i(0, 1, 0)"',
    "Transform2D": '{"origin": [10, 20], "rotation_degrees": 90} or "Transform2D(1, 0, 0, 1, 10, 20)"',
    "Vector4": "[0, 1, 0, 1]",
    "Vector4i": "[0, 1, 0, 1]",
    "Plane": '{"normal": [0, 1, 0], "d": 0} or "Plane(0, 1, 0, 0)"',
    "Quaternion": '[0, 0, 0, 1] (x, y, z, w) or {"rotation_degrees": [0, 90, 0]}',
    "AABB": '{"position": [0, 0, 0], "size": [1, 1, 1]}',
    "Basis": '[[1, 0, 0], [0, 1, 0], [0, 0, 1]] (rows) or {"rotation_degrees": [0, 90, 0]}',
    "Transform3D": '{"origin": [0, 1, 0], "rotation_degrees": [0, 90, 0], "scale": [1, 1, 1]}',
    "Projection": "[[1, 0, 0, 0], [0, 1, 0, 0], [0, 0, 1, 0], [0, 0, 0, 1]] (columns)",
    "Color": '"#ff8800", "red", [1, 0.5, 0] or "Color(1, 0.5, 0, 1)"',
    "StringName": '"name"',
    "NodePath": '"../Player"',
    "RID": '"RID()"',
    "Object": '{"$resource": "Resource"} or "res://file.tres"',
    "Callable": '"Callable()"',
    "Signal": '"Signal()"',
    "Dictionary": '{"key": 1} or {"$type": "Dictionary", "entries": [[1, "one"]]}',
    "Array": "[1, 2, 3]",
    "PackedByteArray": '[0, 255] or {"$type": "PackedByteArray", "base64": "AP8="}',
    "PackedInt32Array": "[1, 2, 3]",
    "PackedInt64Array": "[1, 2, 3]",
    "PackedFloat32Array": "[0.5, 1]",
    "PackedFloat64Array": "[0.5, 1]",
    "PackedStringArray": '["a", "b"]',
    "PackedVector2Array": "[[0, 0], [10, 0]]",
    "PackedVector3Array": "[[0, 0, 0], [1, 0, 0]]",
    "PackedColorArray": '["#ff8800", [1, 0, 0]]',
    "PackedVector4Array": "[[0, 0, 0, 1]]",
}


class Mismatch(Exception):
    """A value that is not of the type; containers add where in them it stands."""

    def __init__(self, reason: str, *, hint: str | None = None) -> None:
        super().__init__(reason)
        self.reason = reason
        self.hint = hint
        self.place = ""
        self.expected: Property | None = None  # what was wanted at that place

    def within(self, place: str, expected: Property | None = None) -> Mismatch:
        self.place = place + self.place
        self.expected = self.expected or expected
        return self


def invalid(problem: Mismatch, value: Any, wanted: Property, index: ClassIndex) -> Invalid:
    """Return the fault that refuses a value for a property."""
    name = f"{wanted.owner}.{wanted.name}" if wanted.owner else wanted.name
    value, expected = _as_sent(value, problem.expected or wanted)
    choices = index.choices(expected)
    example = _example_for(expected, choices, index, value)
    hint = f"{problem.hint} " if problem.hint else ""
    return Invalid(
        f"{name}{problem.place} takes {with_article(_describe_expected(expected, choices))}: {problem.reason}.",
        path=f"{wanted.name}{problem.place}",
        rule="type",
        hint=f"{hint}For example {example}.",
        details={"property": name, "expected": expected.type, "example": example, "got": shown(value)},
    )


def _as_sent(value: Any, expected: Property) -> tuple[Any, Property]:
    """A value that said its type where any would do, as it was before, and what that type asks for."""
    type_name = value.get("$type") if isinstance(value, Mapping) and set(value) == {"$type", "value"} else None
    if expected.variant != "Nil" or not isinstance(type_name, str) or type_name not in EXAMPLES:
        return value, expected
    return value["value"], msgspec.structs.replace(expected, type=type_name, variant=type_name)


def shown(value: Any) -> str:
    """Return a value as it was sent, cut where it is long."""
    try:
        text = json.dumps(value, ensure_ascii=False)
    except (TypeError, ValueError):
        text = repr(value)
    except RecursionError:
        return "…"
    return text if len(text) <= _LONGEST else f"{text[: _LONGEST - 1]}…"


def _describe_expected(wanted: Property, choices: Choices | None) -> str:
    if wanted.variant == "Nil":
        return "value"
    if choices is not None:
        return f"set of flags ({wanted.enum or 'int'})" if choices.is_flags else wanted.enum or wanted.type
    return " or ".join(wanted.classes) or wanted.type


def _example_for(wanted: Property, choices: Choices | None, index: ClassIndex, value: Any) -> str:
    if choices is None:
        return _example_object(wanted, index, value) if wanted.variant == "Object" else EXAMPLES[wanted.variant]
    names = list(choices.constants or choices.labels)
    if choices.is_flags:
        return json.dumps(names[:2])
    return " or ".join(f'"{name}"' for name in names[:3])


def _example_object(wanted: Property, index: ClassIndex, value: Any) -> str:
    """One of the class that the caller names, or of one called alike; else of the first that the property takes."""
    if wanted.hint == Hint.NODE_TYPE:
        return EXAMPLES["NodePath"]
    known = [name for name in wanted.classes if name in index]
    made = [name for top in known for name in (top, *index.subclasses(top)) if index.row(name).instantiable]
    named = next((near for name in _names_in(value) for near in closest(name, made, most=1, likeness=_ALIKE)), None)
    if named is None:
        return f'{{"$resource": "{made[0]}", "props": {{}}}} or "res://file.tres"' if made else EXAMPLES["Object"]
    return f'{{"$resource": "{named}", "props": {{}}}}'


def _names_in(value: Any) -> list[str]:
    """The texts of a value that may be the names of classes."""
    if isinstance(value, Mapping):
        return [text for pair in value.items() for text in pair if isinstance(text, str) and text[:1].isupper()]
    return re.findall(r"\b[A-Z]\w+", value)[:20] if isinstance(value, str) else []
