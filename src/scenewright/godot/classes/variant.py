"""The engine's numbers for Variant types, property hints and usage flags, as names."""

from __future__ import annotations

from enum import IntEnum, IntFlag
from typing import Final

__all__ = ["PACKED_ELEMENTS", "VARIANT_TYPES", "Hint", "PropertyUsage", "type_arguments"]

VARIANT_TYPES: Final = (
    "Nil",
    "bool",
    "int",
    "float",
    "String",
    "Vector2",
    "Vector2i",
    "Rect2",
    "Rect2i",
    "Vector3",
    "Vector3i",
    "Transform2D",
    "Vector4",
    "Vector4i",
    "Plane",
    "Quaternion",
    "AABB",
    "Basis",
    "Transform3D",
    "Projection",
    "Color",
    "StringName",
    "NodePath",
    "RID",
    "Object",
    "Callable",
    "Signal",
    "Dictionary",
    "Array",
    "PackedByteArray",
    "PackedInt32Array",
    "PackedInt64Array",
    "PackedFloat32Array",
    "PackedFloat64Array",
    "PackedStringArray",
    "PackedVector2Array",
    "PackedVector3Array",
    "PackedColorArray",
    "PackedVector4Array",
)
PACKED_ELEMENTS: Final = {
    "PackedByteArray": "int",
    "PackedInt32Array": "int",
    "PackedInt64Array": "int",
    "PackedFloat32Array": "float",
    "PackedFloat64Array": "float",
    "PackedStringArray": "String",
    "PackedVector2Array": "Vector2",
    "PackedVector3Array": "Vector3",
    "PackedColorArray": "Color",
    "PackedVector4Array": "Vector4",
}


class Hint(IntEnum):
    """`PropertyHint`: those that say something about the value itself."""

    NONE = 0
    RANGE = 1
    ENUM = 2
    ENUM_SUGGESTION = 3
    EXP_EASING = 4
    LINK = 5
    FLAGS = 6
    LAYERS_2D_RENDER = 7
    LAYERS_2D_PHYSICS = 8
    LAYERS_2D_NAVIGATION = 9
    LAYERS_3D_RENDER = 10
    LAYERS_3D_PHYSICS = 11
    LAYERS_3D_NAVIGATION = 12
    FILE = 13
    DIR = 14
    GLOBAL_FILE = 15
    GLOBAL_DIR = 16
    RESOURCE_TYPE = 17
    MULTILINE_TEXT = 18
    EXPRESSION = 19
    PLACEHOLDER_TEXT = 20
    COLOR_NO_ALPHA = 21
    OBJECT_ID = 22
    TYPE_STRING = 23
    NODE_PATH_VALID_TYPES = 26
    SAVE_FILE = 27
    GLOBAL_SAVE_FILE = 28
    ARRAY_TYPE = 31
    LOCALE_ID = 32
    LOCALIZABLE_STRING = 33
    NODE_TYPE = 34
    HIDE_QUATERNION_EDIT = 35
    PASSWORD = 36
    LAYERS_AVOIDANCE = 37
    DICTIONARY_TYPE = 38
    TOOL_BUTTON = 39
    ONESHOT = 40
    GROUP_ENABLE = 42
    INPUT_NAME = 43
    FILE_PATH = 44


class PropertyUsage(IntFlag):
    """`PropertyUsageFlags`: where the engine stores and shows a property."""

    STORAGE = 1 << 1
    EDITOR = 1 << 2
    INTERNAL = 1 << 3
    CHECKABLE = 1 << 4
    GROUP = 1 << 6
    CATEGORY = 1 << 7
    SUBGROUP = 1 << 8
    CLASS_IS_BITFIELD = 1 << 9
    SCRIPT_VARIABLE = 1 << 12
    STORE_IF_NULL = 1 << 13
    SCRIPT_DEFAULT_VALUE = 1 << 15
    CLASS_IS_ENUM = 1 << 16
    NIL_IS_VARIANT = 1 << 17
    ARRAY = 1 << 18
    NODE_PATH_FROM_SCENE_ROOT = 1 << 22
    EDITOR_INSTANTIATE_OBJECT = 1 << 26
    READ_ONLY = 1 << 28
    SECRET = 1 << 29
    DEFAULT = STORAGE | EDITOR


def type_arguments(text: str) -> list[str]:
    """Split the types between the brackets of a typed array or dictionary at its outer commas."""
    parts, depth = [""], 0
    for letter in text:
        depth += (letter == "[") - (letter == "]")
        if letter == "," and depth == 0:
            parts.append("")
        else:
            parts[-1] += letter
    return [part.strip() for part in parts]
