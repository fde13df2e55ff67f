"""Edits, targets and instances as the bridge carries them; the other side is the plugin's `Edits.luau`."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from scenewright.roblox.backend import (
    Create,
    Delete,
    Done,
    Duplicate,
    Edit,
    Info,
    Move,
    SetAttribute,
    SetProperty,
    SetSource,
    SetTags,
    Target,
)
from scenewright.roblox.values import Value
from scenewright.roblox.wire import FACES, PHYSICS, to_wire

__all__ = ["done_from_wire", "edit_from_wire", "edit_to_wire", "info_from_wire", "mapping", "target_to_wire", "tidy"]

_KEYS = ("_type", "x", "y", "z", "components", "r", "g", "b", "name", "number", "enum", "value")
_ORDERS = {
    "Ray": ("_type", "ox", "oy", "oz", "dx", "dy", "dz"),
    "UDim2": ("_type", "sx", "ox", "sy", "oy"),
    "UDim": ("_type", "scale", "offset"),
    "Rect": ("_type", "x0", "y0", "x1", "y1"),
    "NumberRange": ("_type", "min", "max"),
    "Faces": ("_type", *FACES),
    "Font": ("_type", "family", "weight", "style"),
    "PhysicalProperties": ("_type", *PHYSICS),
    "Ref": ("_type", "instanceId", "path"),
}
FindTarget = Callable[[Mapping[str, Any]], Target]


def tidy(value: Any) -> Any:
    """Return a value from Luau in the very form in which files give theirs: numbers short, keys in order, nothing as
    null.
    """
    if isinstance(value, float):
        return to_wire(Value("Float64", value))
    if isinstance(value, list):
        return [tidy(part) for part in value]
    if isinstance(value, dict):
        return None if value.get("_type") == "Nil" else {key: tidy(value[key]) for key in _ordered(value)}
    return value


def _ordered(value: Mapping[str, Any]) -> list[str]:
    """Return the keys of a table in the order in which files have them; Luau's tables have none."""
    if "time" in value:
        order: tuple[str, ...] = ("time", "value", "envelope", "r", "g", "b")
    else:
        order = _ORDERS.get(str(value.get("_type")), _KEYS) if "_type" in value else ()
    known = [key for key in order if key in value]
    return known + [key for key in value if key not in order]


def mapping(value: Any) -> dict[str, Any]:
    """Return a table of names; Luau's JSON has an empty one as a list."""
    return value if isinstance(value, dict) else {}


def info_from_wire(wire: Mapping[str, Any]) -> Info:
    return Info(
        instance_id=str(wire.get("instanceId", "")),
        name=str(wire.get("name", "")),
        class_name=str(wire.get("className", "")),
        path=str(wire.get("path", "")),
        parent_path=str(wire.get("parentPath", "")),
        child_count=int(wire.get("childCount", 0)),
    )


def done_from_wire(edit: Edit, wire: Mapping[str, Any]) -> Done:
    """Return what an edit did, as the plugin tells it."""
    before, after = tidy(wire.get("before")), tidy(wire.get("after"))
    return Done(edit, info_from_wire(wire["info"]), before, after, int(wire.get("count", 1)))


def target_to_wire(target: Target) -> dict[str, Any]:
    named = {"path": target.path, "id": target.id, "key": target.key}
    return {key: value for key, value in named.items() if value is not None} | {"field": target.field}


def edit_to_wire(edit: Edit) -> dict[str, Any]:
    match edit:
        case Create():
            wire: dict[str, Any] = {
                "kind": "create",
                "parent": target_to_wire(edit.parent),
                "className": edit.class_name,
                "name": edit.name,
                "properties": edit.properties,
                "attributes": edit.attributes,
                "tags": list(edit.tags),
                "source": edit.source,
                "key": edit.key,
            }
        case SetProperty():
            wire = {"kind": "setProperty", "name": edit.name, "value": edit.value}
        case SetAttribute():
            wire = {"kind": "setAttribute", "name": edit.name, "value": edit.value}
        case SetTags():
            wire = {"kind": "setTags", "tags": list(edit.tags)}
        case SetSource():
            wire = {"kind": "setSource", "source": edit.source}
        case Move():
            wire = {"kind": "move", "parent": target_to_wire(edit.parent)}
        case Duplicate():
            parent = target_to_wire(edit.parent) if edit.parent else None
            wire = {"kind": "duplicate", "parent": parent, "name": edit.name, "key": edit.key}
        case Delete():
            wire = {"kind": "delete"}
    if not isinstance(edit, Create):
        wire["target"] = target_to_wire(edit.target)
    return {key: value for key, value in wire.items() if value is not None}


def edit_from_wire(wire: Mapping[str, Any], find: FindTarget) -> Edit:
    """Return an edit that a script made; `find` says which instance a target means."""
    target = find(mapping(wire.get("target")))
    match wire["kind"]:
        case "create":
            return Create(
                parent=find(wire["parent"]),
                class_name=wire["className"],
                name=wire["name"],
                properties=mapping(wire["properties"]),
                attributes=mapping(wire["attributes"]),
                tags=tuple(wire["tags"]),
                source=wire.get("source"),
                key=wire.get("key"),
            )
        case "setProperty":
            return SetProperty(target, wire["name"], wire.get("value"))
        case "setAttribute":
            return SetAttribute(target, wire["name"], wire.get("value"))
        case "setTags":
            return SetTags(target, tuple(wire["tags"]))
        case "setSource":
            return SetSource(target, wire["source"])
        case "move":
            return Move(target, find(wire["parent"]))
    return Delete(target)
