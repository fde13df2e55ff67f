"""What the elements of a property must be: its declared array, dictionary or packed type, read as properties."""

from __future__ import annotations

from functools import lru_cache

from scenewright.godot.classes.index import ClassIndex
from scenewright.godot.classes.records import Property
from scenewright.godot.classes.variant import PACKED_ELEMENTS, VARIANT_TYPES, Hint, type_arguments

__all__ = ["ANY", "of_type", "parts_of_type", "real_type"]

ANY = Property(owner="", name="value", type="Variant", variant="Nil")

# The engine declares these as something else than they are.
_MISDECLARED = {
    ("Curve", "_data"): "Array",
    ("Curve2D", "_data"): "Dictionary",
    ("Curve3D", "_data"): "Dictionary",
    ("ConvexPolygonShape3D", "points"): "PackedVector3Array",
    ("TileMapPattern", "tile_data"): "PackedInt32Array",
}


def real_type(wanted: Property) -> Property:
    """Return the property with the type its values really have."""
    known = _MISDECLARED.get((wanted.owner, wanted.name))
    if wanted.type == "Array" and (wanted.default or "").startswith("Array["):
        kind = (wanted.default or "").partition("(")[0]  # its items have a type all the same
        return Property(wanted.owner, wanted.name, kind, "Array", wanted.default)
    return wanted if known is None else Property(wanted.owner, wanted.name, known, known, wanted.default)


@lru_cache(1024)
def of_type(type_: str, owner: str, name: str, index: ClassIndex) -> Property:
    """Return a property of a type given by name: `int`, `Array[Texture2D]`, `Control.FocusMode`, `res://item.gd`."""
    outer = type_.partition("[")[0]
    if type_ == "Variant":
        return Property(owner, name, type_, "Nil")
    if outer in VARIANT_TYPES and type_ != "Object":
        return Property(owner, name, type_, outer)
    if type_.startswith("res://"):  # what a script makes, in a file: nodes stand there without a type
        return Property(owner, name, type_, "Object", hint=int(Hint.RESOURCE_TYPE), hint_string=type_)
    if "." in type_:
        return Property(owner, name, "int", "int", enum=type_)
    hint = Hint.NODE_TYPE if index.is_a(type_, "Node") else Hint.RESOURCE_TYPE
    return Property(owner, name, type_, "Object", hint=int(hint), hint_string=type_)


def parts_of_type(wanted: Property, index: ClassIndex) -> tuple[Property, ...]:
    """Return what an array's items, or a dictionary's keys and values, must be; empty for anything."""
    if wanted.variant in PACKED_ELEMENTS:
        return (_packed_element(wanted, index),)
    hinted = wanted.hint in (Hint.ARRAY_TYPE, Hint.DICTIONARY_TYPE, Hint.TYPE_STRING, Hint.RESOURCE_TYPE)
    if hinted and wanted.hint_string:
        texts = wanted.hint_string.split(";") if wanted.variant == "Dictionary" else [wanted.hint_string]
    elif "[" in wanted.type:
        texts = type_arguments(wanted.type.partition("[")[2].removesuffix("]"))
    else:
        return ()
    return tuple(_from_hint(text, wanted, index) for text in texts)


def _packed_element(wanted: Property, index: ClassIndex) -> Property:
    if wanted.hint == Hint.TYPE_STRING and wanted.hint_string:
        return _from_hint(wanted.hint_string, wanted, index)
    return of_type(PACKED_ELEMENTS[wanted.variant], wanted.owner, wanted.name, index)


def _from_hint(text: str, wanted: Property, index: ClassIndex) -> Property:
    """An element from `Texture2D`, `int` or the long form `24/17:Texture2D`, `2/2:A,B`."""
    head, colon, rest = text.partition(":")
    number, _, hint = head.partition("/")
    if not colon or not number.isdigit():
        return of_type(text, wanted.owner, wanted.name, index)
    variant = VARIANT_TYPES[int(number)]
    type_ = rest.split(",")[0] if variant == "Object" and rest else "Variant" if variant == "Nil" else variant
    return Property(wanted.owner, wanted.name, type_, variant, hint=int(hint or 0), hint_string=rest)
