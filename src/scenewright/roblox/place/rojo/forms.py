"""What the JSON files of a Rojo project say of an instance: properties, attributes, models, nodes."""

from __future__ import annotations

from typing import Any

from scenewright.core.faults import Unsupported
from scenewright.roblox.attributes import pack_attributes
from scenewright.roblox.place.rojo.origins import STORE, Origin, Origins
from scenewright.roblox.place.rojo.values import attribute_from_json, attributes_to_json, to_json
from scenewright.roblox.properties import read, stored_as, stored_properties
from scenewright.roblox.reflection.database import database
from scenewright.roblox.tree import Instance
from scenewright.roblox.values import Value

__all__ = ["attributes_like", "canonical", "described", "fits_json", "model_of", "node_of", "property_json"]

_OWN = ("Attributes", "HistoryId", "Name", "UniqueId")


def canonical(class_name: str, stored: str) -> str:
    declared = database().canonical(class_name, stored)
    return declared.name if declared else stored


def described(instance: Instance, *, without: tuple[str, ...] = ()) -> tuple[dict[str, Any], dict[str, Any]]:
    """Return an instance's properties and attributes as JSON; what did not change is said as it was. References are not
    among them: they go by attributes.

    Raises:
        Unsupported: JSON has no form for one of them.
    """
    origin: Origin | None = instance.row if instance.source is STORE else None
    properties = _as_given(instance, origin) if origin is not None else {}
    written = {stored for name in properties for stored in origin.made.get(name, ())} if origin is not None else set()
    for name, value in stored_properties(instance).items():
        if name in (*_OWN, *without) or value.kind == "Ref" or (name == "Tags" and not value.data):
            continue
        if not written.intersection(stored_as(instance.class_name, name)):
            properties[name] = property_json(value, instance.class_name, name)
    if origin is not None and "Attributes" in without:
        return properties, origin.attributes
    blob = read(instance, "Attributes", defaults=False)
    attributes = attributes_like(blob.data, origin.attributes if origin is not None else {}) if blob else {}
    return properties, attributes


def _as_given(instance: Instance, origin: Origin) -> dict[str, Any]:
    """Return the properties of its file that are as they were."""
    changed = set(instance.changes or ())
    return {
        name: value
        for name, value in origin.given.items()
        if canonical(instance.class_name, name) not in _OWN and not changed.intersection(origin.made.get(name, (name,)))
    }


def property_json(value: Value, class_name: str, name: str) -> Any:
    plain = Value("String", value.data) if value.kind == "ProtectedString" else value
    return to_json(plain, class_name, name)


def attributes_like(blob: bytes, given: dict[str, Any]) -> dict[str, Any]:
    """Return attributes as JSON, each in the form that it had, in the order in which they were."""
    attributes = attributes_to_json(blob)
    for name in attributes:
        if name in given and _as_written(given[name]) == attributes[name]:
            attributes[name] = given[name]
    return {name: attributes[name] for name in (*(each for each in given if each in attributes), *attributes)}


def _as_written(given: Any) -> Any:
    """Return an attribute's JSON in the form in which we write it."""
    return attributes_to_json(pack_attributes({"a": attribute_from_json(given, "")}))["a"]


def model_of(
    instance: Instance, origins: Origins, *, named: bool = False, without: tuple[str, ...] = ()
) -> dict[str, Any]:
    """Return an instance and all below it as a JSON model."""
    properties, attributes = described(instance, without=without)
    model: dict[str, Any] = {"name": instance.name} if named else {}
    model["className"] = instance.class_name
    model |= _other_fields(instance, origins)
    if properties:
        model["properties"] = properties
    if attributes:
        model["attributes"] = attributes
    if instance.children:
        model["children"] = [model_of(child, origins, named=True) for child in instance.children]
    return model


def node_of(instance: Instance, origins: Origins) -> dict[str, Any]:
    """Return an instance and all below it as a node of a project file."""
    properties, attributes = described(instance)
    node: dict[str, Any] = {"$className": instance.class_name}
    node |= {f"${key}": value for key, value in _other_fields(instance, origins).items() if not key.startswith("$")}
    if properties:
        node["$properties"] = properties
    if attributes:
        node["$attributes"] = attributes
    return node | {child.name: node_of(child, origins) for child in instance.children}


def _other_fields(instance: Instance, origins: Origins) -> dict[str, Any]:
    origin = origins.of(instance)
    return origin.rest if origin is not None else {}


def fits_json(instance: Instance, origins: Origins) -> bool:
    try:
        model_of(instance, origins)
    except Unsupported:
        return False
    return True
