"""How godot-mcp-omni speaks of nodes: with mesh, shape and sprite beside them, in lists, and as a UI in one call."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from scenewright.contracts.omni.arguments import OmniArguments

__all__ = ["attach_components", "batch_create", "create_node", "create_ui", "update_node"]

_PARTS = ("mesh", "shape", "sprite")
_LAYERS = ("collisionLayer", "collisionMask")
_LAYOUTS = {
    "full": "full_rect",
    "fill": "full_rect",
    "top": "top_wide",
    "bottom": "bottom_wide",
    "left": "left_wide",
    "right": "right_wide",
}


def create_node(theirs: OmniArguments) -> None:
    """Translate a new node with its components beside it."""
    if "nodeType" not in theirs.given:
        theirs.put("nodeType", theirs.take("type"), "type")
    kind = str(theirs.given.get("nodeType") or "")
    theirs.add("properties", theirs.take_object("props"), "'props'")
    components = _components(theirs, kind)
    if components:
        theirs.add("components", components, "what the node is made of")
    theirs.take("dimension")  # the class of the node says so
    theirs.take("ensureChildUniqueName")  # children get a free name always
    if any([theirs.switch("autoImport"), theirs.switch("autoLoadTexture")]):
        theirs.notes.append("Nothing was imported: import_assets does that for all files at once.")
    _join_bits(theirs)


def update_node(theirs: OmniArguments) -> None:
    """Translate properties that go by the names of what they hold."""
    values = theirs.take_object("props")
    for name in ("mesh", "shape"):
        if (spec := theirs.take(name)) is not None:
            values[name] = _resource(spec)
    if (texture := theirs.take("texture", "texturePath", "sprite")) is not None:
        values["texture"] = _resource(texture)
    if (script := theirs.take("scriptPath", "script")) is not None:
        values["script"] = _resource(script)
    _join_bits(theirs)
    for name, own in zip(_LAYERS, ("collision_layer", "collision_mask"), strict=True):
        if (layers := theirs.take(name)) is not None:
            values[own] = _layers(layers)
    theirs.add("properties", values, "what the node is made of")


def batch_create(theirs: OmniArguments) -> None:
    """Translate a list of nodes, each as create takes one."""
    _tell_of_all_or_none(theirs)
    items = theirs.given.get("items")
    if isinstance(items, list):
        theirs.given["items"] = [_item(theirs, item, f"items[{number}]") for number, item in enumerate(items)]


def attach_components(theirs: OmniArguments) -> None:
    """Translate components as a list of nodes, each as create takes one."""
    theirs.switch("ensureUniqueName")
    theirs.switch("ensureChildUniqueName")
    given = theirs.given.get("components")
    if isinstance(given, list):
        nodes = [_item(theirs, item, f"components[{number}]") for number, item in enumerate(given)]
        for each in nodes:
            if isinstance(each, dict):
                each.pop("ensureUniqueName", None)
        theirs.given["components"] = {"nodes": nodes}


def create_ui(theirs: OmniArguments) -> None:
    """Translate a UI into a layer, a control that fills it, and its elements, as a list of nodes."""
    parent = str(theirs.take("parentNodePath") or ".")
    root, control = str(theirs.take("uiRootName") or "UI"), str(theirs.take("uiControlName") or "UIRoot")
    unique = theirs.switch("ensureUniqueName") is not False
    elements = theirs.take("elements") or []
    if not isinstance(elements, list):
        raise theirs.refused("elements", "'elements' is a list of nodes.", "type")
    nodes = [_element(theirs, each, f"elements[{number}]") for number, each in enumerate(elements)]
    inside = {
        "nodeType": str(theirs.take("uiControlType") or "Control"),
        "nodeName": control,
        "properties": {"anchors_preset": "full_rect"} | theirs.take_object("uiControlProps"),
        "components": {"nodes": [each for each in nodes if "parentNodePath" not in each]},
    }
    layer = {
        "nodeType": str(theirs.take("uiRootType") or "CanvasLayer"),
        "nodeName": root,
        "parentNodePath": parent,
        "properties": theirs.take_object("uiRootProps"),
        "ensureUniqueName": unique,
        "components": {"nodes": [inside]},
    }
    theirs.given["items"] = [layer, *(each for each in nodes if "parentNodePath" in each)]


def _components(theirs: OmniArguments, kind: str) -> dict[str, Any]:
    components = {part: _resource(spec) for part in _PARTS if (spec := theirs.take(part)) is not None}
    for preset, parts in (("meshPreset", ("mesh",)), ("shapePreset", ("shape",)), ("primitive", _of_primitive(kind))):
        if (name := theirs.take(preset)) is not None:
            components = dict.fromkeys(parts, name) | components
    if _is_body(kind) and (texture := theirs.take("texture", "texturePath")) is not None:
        components.setdefault("sprite", texture)
    if theirs.switch("autoAttach"):
        components = _default_components(kind) | components
    for part in _PARTS:
        own = {
            "nodeName": theirs.take(f"{part}NodeName"),
            "nodeType": theirs.take(f"{part}NodeType"),
            "properties": theirs.take(f"{part}Props"),
        }
        own = {name: value for name, value in own.items() if value is not None}
        if own and part not in components:
            raise theirs.refused(
                f"{part}NodeName", f"There is no {part} that this could be about.", "required", f"Give {part} too."
            )
        if own:
            components[part] = {"resource": components[part], **own}
    return components


def _resource(spec: Any) -> Any:
    """A resource as godot-mcp-omni writes it: a path, {path}, or {type, props} with the name of a class."""
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


def _default_components(kind: str) -> dict[str, Any]:
    if not _is_body(kind):
        return {}
    return {"mesh": "box", "shape": "box"} if kind.endswith("3D") else {"shape": {"type": "rectangle", "size": 64}}


def _join_bits(theirs: OmniArguments) -> None:
    for name in _LAYERS:
        theirs.put(name, theirs.take(f"{name}Bits"), f"{name}Bits")


def _layers(value: Any) -> Any:
    """Layers by number, or a switch for each, under the names that a property of flags takes."""
    if not isinstance(value, list):
        return value
    if value and all(isinstance(layer, bool) for layer in value):
        value = [number for number, is_on in enumerate(value, 1) if is_on]
    return [f"Layer {layer}" if isinstance(layer, int) else layer for layer in value] or 0


def _item(theirs: OmniArguments, item: Any, place: str) -> Any:
    if not isinstance(item, Mapping):
        return item
    inner = theirs.within(dict(item), place)
    inner.put("nodeName", inner.take("name"), "name")
    create_node(inner)
    return inner.given


def _element(theirs: OmniArguments, element: Any, place: str) -> dict[str, Any]:
    """A control of a UI: laid out by a preset, or by its place and size."""
    if not isinstance(element, Mapping):
        raise theirs.refused(place, "An element is an object with nodeType and nodeName.", "type")
    inner = theirs.within(dict(element), place)
    placed: dict[str, Any] = {}
    if (layout := inner.take("layout", "dock", "preset")) is not None:
        placed["anchors_preset"] = _LAYOUTS.get(str(layout).lower(), str(layout))
    if (position := inner.take("position", "pos")) is not None:
        placed["position"] = position
    if (size := inner.take("size", "dimensions")) is not None:
        placed["size"] = size
    inner.add("properties", placed, "its place")
    node: dict[str, Any] = _item(theirs, inner.given, place)
    if "parentNodePath" not in node:
        node.pop("ensureUniqueName", None)
    return node


def _tell_of_all_or_none(theirs: OmniArguments) -> None:
    if theirs.switch("stopOnError") is False:
        theirs.notes.append("'stopOnError' is not needed: all nodes are added or none.")
