"""What a node gets by name: a mesh, a collision shape, a sprite, a script, further nodes; as its child or its own."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec

from scenewright.core.faults import Invalid, did_you_mean
from scenewright.core.text.counts import with_article
from scenewright.godot.building.body_shapes import Dimension, Solid, collision, solid, visual
from scenewright.godot.documents.tree import TreeNode
from scenewright.godot.scenes.scene_edit import Addition, SceneEdit

__all__ = ["attach"]

_KNOWN = ("mesh", "shape", "sprite", "script", "nodes")


def attach(
    edit: SceneEdit, given: str, components: Mapping[str, Any], parameter: str = "input.components"
) -> list[str]:
    """Give a node its components, and return the paths of the nodes that were added.

    Raises:
        Invalid: there is no such component, or the node cannot have it.
    """
    added: list[str] = []
    for name, spec in components.items():
        where = f"{parameter}.{name}"
        node = edit.node(given)
        if name == "mesh":
            added += _mesh(edit, node, spec, where)
        elif name == "shape":
            added += _shape(edit, node, spec, where)
        elif name == "sprite":
            added += _sprite(edit, node, spec, where)
        elif name == "script":
            edit.set(node.path, {"script": _address(edit, spec, where)})
        elif name == "nodes":
            added += _nodes(edit, node, spec, where)
        else:
            raise Invalid(
                f"There is no component '{name}'.",
                path=where,
                rule="enum",
                hint=did_you_mean(name, list(_KNOWN)) or f"One of {', '.join(_KNOWN)}.",
            )
    return added


class _Holder(msgspec.Struct, frozen=True):
    """The node that a component is to be held by, as far as a caller says so."""

    kind: str | None = None
    name: str = ""
    properties: Mapping[str, Any] = {}


def _split_holder(spec: Any, where: str) -> tuple[Any, _Holder]:
    """A component, and the node to hold it: {resource, nodeName, nodeType, properties}."""
    if not isinstance(spec, Mapping) or "resource" not in spec:
        return spec, _Holder()
    unknown = set(spec) - {"resource", "nodeName", "nodeType", "properties"}
    properties = spec.get("properties") or {}
    if unknown or not isinstance(properties, Mapping):
        raise Invalid(
            "A component with a node of its own is {resource, nodeName, nodeType, properties}.", path=where, rule="type"
        )
    kind = spec.get("nodeType")
    return spec["resource"], _Holder(kind and str(kind), str(spec.get("nodeName") or ""), properties)


def _mesh(edit: SceneEdit, node: TreeNode, spec: Any, where: str) -> list[str]:
    _must_be(edit, node, "Node3D", where)
    spec, holder = _split_holder(spec, where)
    color = spec.get("color") if isinstance(spec, Mapping) else None
    plain = {name: spec[name] for name in spec if name != "color"} if color is not None else spec
    mesh = _resource(edit, plain, "3d", where)
    value = visual(mesh, "Mesh", color=color).properties["mesh"] if isinstance(mesh, Solid) else mesh
    if _is_a(edit, node, "MeshInstance3D"):
        edit.set(node.path, {"mesh": value, **holder.properties})
        return []
    return [_child(edit, node, "MeshInstance3D", {"mesh": value}, holder)]


def _shape(edit: SceneEdit, node: TreeNode, spec: Any, where: str) -> list[str]:
    dimension = _dimension(edit, node, where)
    kind = f"CollisionShape{dimension.upper()}"
    spec, holder = _split_holder(spec, where)
    shape = _resource(edit, spec, dimension, where)
    if isinstance(shape, Solid) and shape.shape is None:
        return [_child(edit, node, "CollisionPolygon2D", {"polygon": shape.points}, holder)]
    value = shape.shape if isinstance(shape, Solid) else shape
    if _is_a(edit, node, kind):
        edit.set(node.path, {"shape": value, **holder.properties})
        return []
    if not _is_a(edit, node, f"CollisionObject{dimension.upper()}"):
        raise Invalid(
            f"'{node.path}' is {with_article(node.type)}, and only bodies and areas collide.",
            path=where,
            rule="class",
            hint="Such as StaticBody2D, Area2D, StaticBody3D or Area3D.",
        )
    given = collision(shape).properties if isinstance(shape, Solid) else {"shape": value}
    return [_child(edit, node, kind, given, holder)]


def _sprite(edit: SceneEdit, node: TreeNode, spec: Any, where: str) -> list[str]:
    dimension = _dimension(edit, node, where)
    spec, holder = _split_holder(spec, where)
    given = dict(spec) if isinstance(spec, Mapping) and "$resource" not in spec else {"texture": spec}
    if isinstance(given.get("texture"), str):
        given["texture"] = _address(edit, given["texture"], where)
    kind = f"Sprite{dimension.upper()}"
    if _is_a(edit, node, kind):
        edit.set(node.path, given | dict(holder.properties))
        return []
    return [_child(edit, node, kind, given, holder)]


def _nodes(edit: SceneEdit, node: TreeNode, spec: Any, where: str) -> list[str]:
    if not isinstance(spec, list):
        raise Invalid(
            "'nodes' must be a list of {nodeType, nodeName, properties, components}.", path=where, rule="type"
        )
    added: list[str] = []
    for number, each in enumerate(spec):
        known = {"nodeType", "nodeName", "properties", "components"}
        if not isinstance(each, Mapping) or "nodeType" not in each or set(each) - known:
            raise Invalid(
                "A node has nodeType, nodeName, properties and components.", path=f"{where}[{number}]", rule="type"
            )
        kind, name = str(each["nodeType"]), str(each.get("nodeName") or each["nodeType"])
        path = _child(edit, node, kind, _read_object(each, "properties", f"{where}[{number}]"), _Holder(name=name))
        components = _read_object(each, "components", f"{where}[{number}]")
        added += [path, *attach(edit, path, components, f"{where}[{number}].components")]
    return added


def _read_object(given: Mapping[str, Any], name: str, where: str) -> Mapping[str, Any]:
    value = given.get(name) or {}
    if not isinstance(value, Mapping):
        raise Invalid(f"'{name}' must be an object.", path=f"{where}.{name}", rule="type")
    return value


def _resource(edit: SceneEdit, spec: Any, dimension: Dimension, where: str) -> Any:
    """A resource as it may be given: a shape's name, its name and size, a file, or made in place."""
    if isinstance(spec, Mapping) and "$resource" not in spec:
        unknown = [name for name in spec if name not in ("type", "size", "points")]
        if unknown or "type" not in spec:
            problem = f"There is no '{unknown[0]}' in" if unknown else "A type is missing in"
            hint = 'Give {type, size}, a mesh also color; a name, a file, or {"$resource": …}.'
            raise Invalid(f"{problem} this shape.", path=where, rule="type", hint=hint)
        return _solid(where, str(spec["type"]), dimension, spec.get("size"), spec.get("points"))
    if isinstance(spec, str) and "." not in spec and "://" not in spec:
        return _solid(where, spec, dimension)
    return _address(edit, spec, where) if isinstance(spec, str) else spec


def _solid(where: str, name: str, dimension: Dimension, size: Any = None, points: Any = None) -> Solid:
    """A body; a refusal names the component that it is for."""
    try:
        return solid(name, dimension, size, points)
    except Invalid as problem:
        field = (problem.path or "").removeprefix("input.")
        problem.path = where if field == "shape" else f"{where}.{field}"
        raise


def _address(edit: SceneEdit, spec: Any, where: str) -> str:
    if not isinstance(spec, str):
        raise Invalid("A file path is needed.", path=where, rule="type")
    return edit.workspace.resource_path(spec)


def _child(edit: SceneEdit, node: TreeNode, kind: str, given: Mapping[str, Any], holder: _Holder) -> str:
    free = edit.free_name(node.path, holder.name or kind)
    properties = {**given, **holder.properties}
    return edit.add(Addition(name=free, kind=holder.kind or kind, parent=node.path, properties=properties)).path


def _dimension(edit: SceneEdit, node: TreeNode, where: str) -> Dimension:
    if _is_a(edit, node, "Node3D"):
        return "3d"
    if not _is_a(edit, node, "CanvasItem"):
        raise Invalid(
            f"'{node.path}' is {with_article(node.type)}, which has no position in the world.",
            path=where,
            rule="class",
            hint="Give it to a 2D or 3D node.",
        )
    return "2d"


def _must_be(edit: SceneEdit, node: TreeNode, kind: str, where: str) -> None:
    if not _is_a(edit, node, kind):
        raise Invalid(
            f"'{node.path}' is {with_article(node.type)}, not {with_article(kind)}.", path=where, rule="class"
        )


def _is_a(edit: SceneEdit, node: TreeNode, kind: str) -> bool:
    return node.type in edit.index and edit.index.is_a(node.type or "", kind)
