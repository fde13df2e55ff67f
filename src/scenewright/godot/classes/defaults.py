"""What properties start with, class by class, and the type that a start value shows where the declaration errs."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import msgspec

from scenewright.godot.classes.declared_types import from_docs
from scenewright.godot.classes.records import Property
from scenewright.godot.classes.variant import VARIANT_TYPES
from scenewright.godot.documents.errors import ParseError
from scenewright.godot.documents.variant_reader import parse_variant

__all__ = ["as_it_is", "defaults_of"]

Raw = Mapping[str, Any]
_ALSO = {("int", "float"), ("bool", "int")}  # a default of the first for a property of the second


def defaults_of(entries: Mapping[str, Raw]) -> dict[str, dict[str, str]]:
    """Return defaults by class; a class without instances takes its parent's, then the first class's below it."""
    below: dict[str, dict[str, str]] = {}
    for name in sorted(entries):
        for above in _ancestors(entries, name):
            for key, value in entries[name]["defaults"].items():
                below.setdefault(above, {}).setdefault(key, value)
    return {name: entries[name]["defaults"] or _without_object(entries, name, below) for name in entries}


def _without_object(entries: Mapping[str, Raw], name: str, below: Mapping[str, dict[str, str]]) -> dict[str, str]:
    """Only for properties that the class has: others of that name, further down, are not the same."""
    lineage = [name, *_ancestors(entries, name)]
    above: Mapping[str, str] = next(
        (entries[ancestor]["defaults"] for ancestor in lineage if entries[ancestor]["defaults"]), {}
    )
    has = {"script"} | {
        raw["name"]
        for ancestor in lineage
        for kind in ("properties", "dynamic", "elements")
        for raw in entries[ancestor][kind]
    }
    return {key: value for key, value in below.get(name, {}).items() if key in has} | dict(above)


def as_it_is(property_: Property, documented: str) -> Property:
    """Return the property with the type its value has: some declared as String or float hold something else."""
    shown = _type_of(property_.default)
    if property_.variant == "Nil" or shown in (None, property_.variant) or (shown, property_.variant) in _ALSO:
        return property_
    type_ = from_docs(documented) or shown or ""
    variant = shown if shown and type_.partition("[")[0] == shown else property_.variant
    return (
        property_ if variant == property_.variant else msgspec.structs.replace(property_, type=type_, variant=variant)
    )


def _type_of(default: str | None) -> str | None:
    """None where it says nothing: null stands for "not set" with any type."""
    try:
        value = parse_variant(default) if default is not None else None
    except ParseError:
        return None
    kind = "String" if isinstance(value, str) else type(value).__name__
    return kind if value is not None and kind in VARIANT_TYPES else None


def _ancestors(entries: Mapping[str, Raw], name: str) -> Iterable[str]:
    while (name := entries[name]["parent"]) in entries:
        yield name
