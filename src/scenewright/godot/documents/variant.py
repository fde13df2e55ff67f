"""The engine's values as frozen Python ones.

null, bool, int, float and String are None, bool, int, float and str; everything else has a class of its own, named and
ordered as the engine's text form. Components are kept as they were read: the engine holds a vector's in 32 bits and the
writer rounds to them, so that a `0.1` stays `0.1`. Reading is in `variant_reader`, writing in `variant_writer`.
"""

from __future__ import annotations

from typing import TypeAlias

import msgspec

__all__ = [
    "AABB",
    "FLOAT_STRUCTS",
    "INT_STRUCTS",
    "PACKED_FLOATS",
    "PACKED_INTS",
    "PACKED_STRUCTS",
    "RID",
    "Array",
    "Basis",
    "Callable",
    "Color",
    "Dictionary",
    "ElementType",
    "ExtResource",
    "NodePath",
    "Object",
    "PackedByteArray",
    "PackedColorArray",
    "PackedFloat32Array",
    "PackedFloat64Array",
    "PackedInt32Array",
    "PackedInt64Array",
    "PackedStringArray",
    "PackedVector2Array",
    "PackedVector3Array",
    "PackedVector4Array",
    "Plane",
    "Projection",
    "Quaternion",
    "Rect2",
    "Rect2i",
    "Resource",
    "Signal",
    "StringName",
    "SubResource",
    "Transform2D",
    "Transform3D",
    "Variant",
    "Vector2",
    "Vector2i",
    "Vector3",
    "Vector3i",
    "Vector4",
    "Vector4i",
]


class StringName(msgspec.Struct, frozen=True, gc=False):
    text: str


class NodePath(msgspec.Struct, frozen=True, gc=False):
    text: str


class Vector2(msgspec.Struct, frozen=True, gc=False):
    x: float
    y: float


class Vector2i(msgspec.Struct, frozen=True, gc=False):
    x: int
    y: int


class Rect2(msgspec.Struct, frozen=True, gc=False):
    x: float
    y: float
    width: float
    height: float


class Rect2i(msgspec.Struct, frozen=True, gc=False):
    x: int
    y: int
    width: int
    height: int


class Vector3(msgspec.Struct, frozen=True, gc=False):
    x: float
    y: float
    z: float


class Vector3i(msgspec.Struct, frozen=True, gc=False):
    x: int
    y: int
    z: int


class Vector4(msgspec.Struct, frozen=True, gc=False):
    x: float
    y: float
    z: float
    w: float


class Vector4i(msgspec.Struct, frozen=True, gc=False):
    x: int
    y: int
    z: int
    w: int


class Transform2D(msgspec.Struct, frozen=True, gc=False):
    """The x axis, the y axis, the origin."""

    xx: float
    xy: float
    yx: float
    yy: float
    ox: float
    oy: float


class Plane(msgspec.Struct, frozen=True, gc=False):
    x: float
    y: float
    z: float
    d: float


class Quaternion(msgspec.Struct, frozen=True, gc=False):
    x: float
    y: float
    z: float
    w: float


class AABB(msgspec.Struct, frozen=True, gc=False):
    x: float
    y: float
    z: float
    width: float
    height: float
    depth: float


class Basis(msgspec.Struct, frozen=True, gc=False):
    """Row by row, as the text form has it: `yx` is the x component of the y axis."""

    xx: float
    yx: float
    zx: float
    xy: float
    yy: float
    zy: float
    xz: float
    yz: float
    zz: float


class Transform3D(msgspec.Struct, frozen=True, gc=False):
    """The basis row by row, then the origin."""

    xx: float
    yx: float
    zx: float
    xy: float
    yy: float
    zy: float
    xz: float
    yz: float
    zz: float
    ox: float
    oy: float
    oz: float


class Projection(msgspec.Struct, frozen=True, gc=False):
    """Column by column: the x, y, z and w column."""

    xx: float
    xy: float
    xz: float
    xw: float
    yx: float
    yy: float
    yz: float
    yw: float
    zx: float
    zy: float
    zz: float
    zw: float
    wx: float
    wy: float
    wz: float
    ww: float


class Color(msgspec.Struct, frozen=True, gc=False):
    r: float
    g: float
    b: float
    a: float = 1.0


class RID(msgspec.Struct, frozen=True, gc=False):
    """A handle of a running engine; 0 is none."""

    number: int = 0


class Callable(msgspec.Struct, frozen=True, gc=False):
    """Text keeps no target: every callable is written empty."""


class Signal(msgspec.Struct, frozen=True, gc=False):
    """Text keeps no source: every signal is written empty."""


class ExtResource(msgspec.Struct, frozen=True, gc=False):
    """A file listed at the top of a scene or resource, by its id there."""

    id: str


class SubResource(msgspec.Struct, frozen=True, gc=False):
    """A resource inside a scene or resource file, by its id there."""

    id: str


class Resource(msgspec.Struct, frozen=True, gc=False):
    """A file by path, as settings and configuration name one."""

    path: str
    uid: str | None = None


ElementType: TypeAlias = "str | ExtResource | SubResource | Resource"
"""A built-in type or class by name, or the script that declares the class."""


class Array(msgspec.Struct, frozen=True, gc=False):
    items: tuple[Variant, ...] = ()
    type: ElementType | None = None


class Dictionary(msgspec.Struct, frozen=True, gc=False):
    """Entries in the order they were read; both types are set or neither (`Variant` is no type on one side)."""

    entries: tuple[tuple[Variant, Variant], ...] = ()
    key_type: ElementType | None = None
    value_type: ElementType | None = None

    def get(self, key: Variant, default: Variant = None) -> Variant:
        """Return the value of a key."""
        return next((value for known, value in self.entries if known == key), default)


class Object(msgspec.Struct, frozen=True, gc=False):
    """An object written in place, such as the input events of project.godot."""

    type: str
    properties: tuple[tuple[str, Variant], ...] = ()


class PackedByteArray(msgspec.Struct, frozen=True, gc=False):
    data: bytes = b""


class PackedInt32Array(msgspec.Struct, frozen=True, gc=False):
    items: tuple[int, ...] = ()


class PackedInt64Array(msgspec.Struct, frozen=True, gc=False):
    items: tuple[int, ...] = ()


class PackedFloat32Array(msgspec.Struct, frozen=True, gc=False):
    items: tuple[float, ...] = ()


class PackedFloat64Array(msgspec.Struct, frozen=True, gc=False):
    items: tuple[float, ...] = ()


class PackedStringArray(msgspec.Struct, frozen=True, gc=False):
    items: tuple[str, ...] = ()


class PackedVector2Array(msgspec.Struct, frozen=True, gc=False):
    """Components one after the other; `items` has them as vectors."""

    components: tuple[float, ...] = ()

    @property
    def items(self) -> tuple[Vector2, ...]:
        part = iter(self.components)
        return tuple(Vector2(*group) for group in zip(part, part, strict=False))


class PackedVector3Array(msgspec.Struct, frozen=True, gc=False):
    """Components one after the other; `items` has them as vectors."""

    components: tuple[float, ...] = ()

    @property
    def items(self) -> tuple[Vector3, ...]:
        part = iter(self.components)
        return tuple(Vector3(*group) for group in zip(part, part, part, strict=False))


class PackedVector4Array(msgspec.Struct, frozen=True, gc=False):
    """Components one after the other; `items` has them as vectors."""

    components: tuple[float, ...] = ()

    @property
    def items(self) -> tuple[Vector4, ...]:
        part = iter(self.components)
        return tuple(Vector4(*group) for group in zip(part, part, part, part, strict=False))


class PackedColorArray(msgspec.Struct, frozen=True, gc=False):
    """Components one after the other; `items` has them as colors."""

    components: tuple[float, ...] = ()

    @property
    def items(self) -> tuple[Color, ...]:
        part = iter(self.components)
        return tuple(Color(*group) for group in zip(part, part, part, part, strict=False))


FloatStruct: TypeAlias = (
    "Vector2 | Rect2 | Vector3 | Vector4 | Transform2D | Plane | Quaternion | AABB | Basis | Transform3D"
    " | Projection | Color"
)
IntStruct: TypeAlias = "Vector2i | Rect2i | Vector3i | Vector4i"
Packed: TypeAlias = (
    "PackedByteArray | PackedInt32Array | PackedInt64Array | PackedFloat32Array | PackedFloat64Array"
    " | PackedStringArray | PackedVector2Array | PackedVector3Array | PackedVector4Array | PackedColorArray"
)
Variant: TypeAlias = (
    "bool | int | float | str | StringName | NodePath | FloatStruct | IntStruct | RID | Callable | Signal"
    " | ExtResource | SubResource | Resource | Array | Dictionary | Object | Packed | None"
)

FLOAT_STRUCTS: dict[str, type[FloatStruct]] = {
    kind.__name__: kind
    for kind in (
        Vector2,
        Rect2,
        Vector3,
        Vector4,
        Transform2D,
        Plane,
        Quaternion,
        AABB,
        Basis,
        Transform3D,
        Projection,
        Color,
    )
}
INT_STRUCTS: dict[str, type[IntStruct]] = {kind.__name__: kind for kind in (Vector2i, Rect2i, Vector3i, Vector4i)}
PACKED_INTS: dict[str, type[PackedInt32Array | PackedInt64Array]] = {
    kind.__name__: kind for kind in (PackedInt32Array, PackedInt64Array)
}
PACKED_FLOATS: dict[str, type[PackedFloat32Array | PackedFloat64Array]] = {
    kind.__name__: kind for kind in (PackedFloat32Array, PackedFloat64Array)
}
PACKED_STRUCTS: dict[
    str, tuple[type[PackedVector2Array | PackedVector3Array | PackedVector4Array | PackedColorArray], int]
]
PACKED_STRUCTS = {
    "PackedVector2Array": (PackedVector2Array, 2),
    "PackedVector3Array": (PackedVector3Array, 3),
    "PackedVector4Array": (PackedVector4Array, 4),
    "PackedColorArray": (PackedColorArray, 4),
}
