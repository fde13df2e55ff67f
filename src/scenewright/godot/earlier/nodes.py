"""How seed 000 speaks of nodes: with their mesh, shape and sprite beside them, in lists, and as a UI in one call."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from scenewright.godot.earlier.arguments import Old
from scenewright.godot.ui.layout import preset_number

__all__ = ["attach_components", "batch_create", "create_node", "create_ui", "update_node"]

_PARTS = ("mesh", "shape", "sprite")
_LAYERS = ("collisionLayer", "collisionMask")
_FULL = preset_number("full_rect")
_LAYOUTS = {
    "full": "full_rect",
    "fill": "full_rect",
    "top": "top_wide",
    "bottom": "bottom_wide",
    "left": "left_wide",
    "right": "right_wide",
}


def create_node(old: Old) -> None:
    """A node with what it is made of beside it."""
    if "nodeType" not in old.given:
        old.put("nodeType", old.take("type"), "type")
    kind = str(old.given.get("nodeType") or "")
    old.add("properties", old.thing("props"), "'props'")
    components = _components(old, kind)
    if components:
        old.add("components", components, "what the node is made of")
    old.take("dimension")  # the class of the node says so
    old.take("ensureChildUniqueName")  # children get a free name always
    if any([old.switch("autoImport"), old.switch("autoLoadTexture")]):
        old.notes.append("Nothing was imported: import_assets does that for all files at once.")
    _join_bits(old)


def update_node(old: Old) -> None:
    """Properties by the names of what they hold."""
    values = old.thing("props")
    for name in ("mesh", "shape"):
        if (spec := old.take(name)) is not None:
            values[name] = _resource(spec)
    if (texture := old.take("texture", "texturePath", "sprite")) is not None:
        values["texture"] = _resource(texture)
    if (script := old.take("scriptPath", "script")) is not None:
        values["script"] = _resource(script)
    _join_bits(old)
    for name, own in zip(_LAYERS, ("collision_layer", "collision_mask"), strict=True):
        if (layers := old.take(name)) is not None:
            values[own] = _layers(layers, f"{old.where}.{name}")
    old.add("properties", values, "what the node is made of")


def batch_create(old: Old) -> None:
    """Nodes in a list, each as create takes one."""
    _tell_of_all_or_none(old)
    items = old.given.get("items")
    if isinstance(items, list):
        old.given["items"] = [_item(old, item, f"items[{number}]") for number, item in enumerate(items)]


def attach_components(old: Old) -> None:
    """Components as a list of nodes, each as create takes one."""
    old.switch("ensureUniqueName")
    old.switch("ensureChildUniqueName")
    given = old.given.get("components")
    if isinstance(given, list):
        made = [_item(old, item, f"components[{number}]") for number, item in enumerate(given)]
        for each in made:
            if isinstance(each, dict):
                each.pop("ensureUniqueName", None)
        old.given["components"] = {"nodes": made}


def create_ui(old: Old) -> None:
    """A layer, a control that fills it, and its elements, as a list of nodes."""
    parent = str(old.take("parentNodePath") or ".")
    root, control = str(old.take("uiRootName") or "UI"), str(old.take("uiControlName") or "UIRoot")
    unique = old.switch("ensureUniqueName") is not False
    elements = old.take("elements") or []
    if not isinstance(elements, list):
        raise old.refused("elements", "'elements' is a list of nodes.", "type")
    made = [_element(old, each, f"elements[{number}]") for number, each in enumerate(elements)]
    inside = {
        "nodeType": str(old.take("uiControlType") or "Control"),
        "nodeName": control,
        "properties": {"anchors_preset": _FULL} | old.thing("uiControlProps"),
        "components": {"nodes": [each for each in made if "parentNodePath" not in each]},
    }
    layer = {
        "nodeType": str(old.take("uiRootType") or "CanvasLayer"),
        "nodeName": root,
        "parentNodePath": parent,
        "properties": old.thing("uiRootProps"),
        "ensureUniqueName": unique,
        "components": {"nodes": [inside]},
    }
    old.given["items"] = [layer, *(each for each in made if "parentNodePath" in each)]


def _components(old: Old, kind: str) -> dict[str, Any]:
    found = {part: _resource(spec) for part in _PARTS if (spec := old.take(part)) is not None}
    for preset, parts in (("meshPreset", ("mesh",)), ("shapePreset", ("shape",)), ("primitive", _of_primitive(kind))):
        if (name := old.take(preset)) is not None:
            found = dict.fromkeys(parts, name) | found
    if _is_body(kind) and (texture := old.take("texture", "texturePath")) is not None:
        found.setdefault("sprite", texture)
    if old.switch("autoAttach"):
        found = _usual(kind) | found
    for part in _PARTS:
        own = {
            "nodeName": old.take(f"{part}NodeName"),
            "nodeType": old.take(f"{part}NodeType"),
            "properties": old.take(f"{part}Props"),
        }
        own = {name: value for name, value in own.items() if value is not None}
        if own and part not in found:
            raise old.refused(
                f"{part}NodeName", f"There is no {part} that this could be about.", "required", f"Give {part} too."
            )
        if own:
            found[part] = {"resource": found[part], **own}
    return found


def _resource(spec: Any) -> Any:
    """A resource as seed 000 writes it: a path, {path}, or {type, props} with the name of a class."""
    if not isinstance(spec, Mapping) or "$type" in spec:
        return spec
    path = spec.get("path") or spec.get("resourcePath")
    if path is not None:
        return path
    kind = spec.get("$resource") or spec.get("type")
    if isinstance(kind, str) and kind[:1].isupper():
        return {"$resource": kind, "props": spec.get("props") or spec.get("properties") or {}}
    return dict(spec)


def _is_body(kind: str) -> bool:
    return kind[:-2].endswith(("Body", "Area")) and kind.endswith(("2D", "3D"))


def _of_primitive(kind: str) -> tuple[str, ...]:
    if kind.startswith("CollisionShape") or (_is_body(kind) and kind.endswith("2D")):
        return ("shape",)
    return ("mesh", "shape") if _is_body(kind) else ("mesh",)


def _usual(kind: str) -> dict[str, Any]:
    if not _is_body(kind):
        return {}
    return {"mesh": "box", "shape": "box"} if kind.endswith("3D") else {"shape": {"type": "rectangle", "size": 64}}


def _join_bits(old: Old) -> None:
    for name in _LAYERS:
        old.put(name, old.take(f"{name}Bits"), f"{name}Bits")


def _layers(value: Any, path: str) -> Any:
    from scenewright.godot.physics.layers import layer_names

    return layer_names(value, path) if isinstance(value, list) else value


def _item(old: Old, item: Any, place: str) -> Any:
    if not isinstance(item, Mapping):
        return item
    inner = old.within(dict(item), place)
    inner.put("nodeName", inner.take("name"), "name")
    create_node(inner)
    return inner.given


def _element(old: Old, element: Any, place: str) -> dict[str, Any]:
    """A control of a UI: laid out by a preset, or by its place and size."""
    if not isinstance(element, Mapping):
        raise old.refused(place, "An element is an object with nodeType and nodeName.", "type")
    inner = old.within(dict(element), place)
    placed: dict[str, Any] = {}
    if (layout := inner.take("layout", "dock", "preset")) is not None:
        placed["anchors_preset"] = preset_number(_LAYOUTS.get(str(layout).lower(), str(layout)), f"{place}.layout")
    if (position := inner.take("position", "pos")) is not None:
        placed["position"] = position
    if (size := inner.take("size", "dimensions")) is not None:
        placed["size"] = size
    inner.add("properties", placed, "its place")
    made: dict[str, Any] = _item(old, inner.given, place)
    if "parentNodePath" not in made:
        made.pop("ensureUniqueName", None)
    return made


def _tell_of_all_or_none(old: Old) -> None:
    if old.switch("stopOnError") is False:
        old.notes.append("'stopOnError' is not needed: all nodes are added or none.")
