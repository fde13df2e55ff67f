"""What a track moves: a node by its path from the scene's root and a property, with its type and its value now."""

from __future__ import annotations

from functools import cached_property
from math import asin, atan2, copysign, sqrt
from typing import Any

import msgspec

from scenewright.core.faults import Invalid, NotFound, did_you_mean
from scenewright.godot.animation.players import Player
from scenewright.godot.classes.records import Property
from scenewright.godot.classes.variant import VARIANT_TYPES
from scenewright.godot.documents import paths
from scenewright.godot.documents import variant as v
from scenewright.godot.documents.references import resource_sections
from scenewright.godot.documents.tree import TreeNode
from scenewright.godot.documents.variant_reader import parse_variant
from scenewright.godot.project.checks.members import Members, script_of
from scenewright.godot.scenes.property_access import NodeProperties
from scenewright.godot.values.elements import ANY, of_type
from scenewright.godot.values.tree import Coerced

__all__ = ["Targets", "TrackTarget"]

# What the engine's values have inside, beyond their own numbers.
_PARTS = {
    "Rect2": {"position": "Vector2", "size": "Vector2", "end": "Vector2"},
    "Rect2i": {"position": "Vector2i", "size": "Vector2i", "end": "Vector2i"},
    "AABB": {"position": "Vector3", "size": "Vector3", "end": "Vector3"},
    "Transform2D": {"x": "Vector2", "y": "Vector2", "origin": "Vector2"},
    "Basis": {"x": "Vector3", "y": "Vector3", "z": "Vector3"},
    "Transform3D": {"basis": "Basis", "origin": "Vector3"},
    "Plane": {"x": "float", "y": "float", "z": "float", "d": "float", "normal": "Vector3"},
    "Color": dict.fromkeys(("r", "g", "b", "a", "h", "s", "v"), "float"),
}


class TrackTarget(msgspec.Struct, frozen=True):
    """A node, the path that leads a track to it, and what its keys hold."""

    node: TreeNode
    path: str
    property: str
    wanted: Property


class Targets:
    """Finds targets for the tracks of a player."""

    def __init__(self, player: Player) -> None:
        self.edit = player.edit
        self._player = player
        self.index = player.edit.index
        self._contexts: dict[str, NodeProperties] = {}

    @cached_property
    def root(self) -> str:
        return self._player.root

    def node(self, path: str) -> TreeNode:
        """Return a node of the scene; `%Name` works too.

        Raises:
            NotFound: there is none.
        """
        if path.startswith("%"):
            unique = {node.name: node for node in self.edit.tree.nodes.values() if node.unique_name}
            if path[1:] not in unique:
                hint = did_you_mean(path, [f"%{name}" for name in unique])
                raise NotFound(f"No node of {self.edit.path} has the unique name '{path}'.", hint=hint)
            return unique[path[1:]]
        return self.edit.node(path)

    def path(self, node: TreeNode, inside: str = "") -> str:
        """Return the path to a node as a track has it."""
        way = paths.relative(self.root, node.path)
        return f"{way}:{inside}" if inside else way

    def from_track(self, path: str) -> tuple[str | None, str]:
        """Return the node's path from the scene's root, None if it is missing, and what follows the colon."""
        way, _, inside = path.partition(":")
        unique = {node.name: node.path for node in self.edit.tree.nodes.values() if node.unique_name}
        try:
            target = paths.resolve(self.root, way, unique)
        except Invalid:
            return None, inside  # the player animates what is outside of its scene
        return (target if target is not None and self.edit.tree.find(target) else None), inside

    def property(self, node_path: str, name: str) -> TrackTarget:
        """Return a property, or with colons a part of its value: `modulate:a`.

        Raises:
            NotFound: the node or property is not there.
        """
        node = self.node(node_path)
        first, *parts = name.split(":")
        wanted = self._declared(node, first)
        value = self._stored(node, first)
        for part in parts:
            wanted, value = self._step_into(wanted, value, part)
        return TrackTarget(node, self.path(node, name), name, wanted)

    def context(self, node: TreeNode) -> NodeProperties:
        """Return the context that coerces a node's keys; one for all of them, as it reads the node's script."""
        if node.path not in self._contexts:
            self._contexts[node.path] = NodeProperties(
                self.edit.workspace,
                self.index,
                tree=self.edit.tree,
                path=node.path,
                kind=node.type or "",
                script=script_of(node),
            )
        return self._contexts[node.path]

    def current(self, target: TrackTarget) -> Coerced:
        """Return the value that the scene gives a property.

        Raises:
            Invalid: it cannot be told from the files.
        """
        first, *parts = target.property.split(":")
        value: Any = self._current_value(target.node, first)
        for part in parts:
            value = getattr(value, part, None)
        if isinstance(value, v.ExtResource | v.SubResource):
            return self._resource(target, value)
        if value is None and target.wanted.variant not in ("Object", "Nil"):
            raise Invalid(
                f"The {target.property} of '{target.node.path}' cannot be read from the files.",
                rule="value",
                hint="Give the value to start from.",
            )
        return value  # type: ignore[no-any-return]

    def _declared(self, node: TreeNode, name: str) -> Property:
        properties = self.context(node)
        script = script_of(node)
        known = Members(properties.scripts).has_property(node.type or "", script, name)
        if known is None:
            return ANY
        if known and script is not None and name not in {declared.name for declared in properties.all()}:
            variable = _script_variable_type(properties, script, name)
            if variable is not None:
                return of_type(variable, node.type or "", name, self.index) if variable in VARIANT_TYPES else ANY
        return properties.declared_property(name)

    def _step_into(self, wanted: Property, value: Any, part: str) -> tuple[Property, Any]:
        """A part of a value, and of the value that the scene has."""
        kind = wanted.variant
        if kind == "Nil":
            return ANY, None
        if kind == "Object":
            return self._of_resource(wanted, value, part)
        known = _PARTS.get(kind) or _numbers(kind)
        if part not in known:
            raise NotFound(
                f"A {kind} such as {wanted.name} has no part '{part}'.", hint=did_you_mean(part, list(known))
            )
        return of_type(known[part], kind, part, self.index), getattr(value, part, None)

    def _of_resource(self, wanted: Property, stored: Any, part: str) -> tuple[Property, Any]:
        section = stored.section if isinstance(stored, _Held) else None
        kind = (section.string("type") if section else None) or next(iter(wanted.classes), "")
        if kind not in self.index or (section is not None and section.find("script") is not None):
            return ANY, None
        if section is None and not self.index.has_property(kind, part):
            return ANY, None  # what is there when the game runs may be of a class that has it
        inner = section.find(part) if section is not None and section.tag == "sub_resource" else None
        return self.index.property(kind, part), _follow_reference(
            inner.section.document, inner.value
        ) if inner else None

    def _stored(self, node: TreeNode, name: str) -> Any:
        property_ = node.find(name)
        return None if property_ is None else _follow_reference(property_.section.document, property_.value)

    def _current_value(self, node: TreeNode, name: str) -> Any:
        property_ = node.find(name)
        if property_ is not None:
            return property_.value
        if node.type in self.index and self.index.is_a(node.type or "", "Node3D"):
            spatial = node.find("transform")
            value = _of_transform(spatial.value, name) if spatial is not None else None
            if value is not None:
                return value
        if name in ("position", "size") and self.index.is_a(node.type or "", "Control"):
            return None  # follows from anchors and the parent's size
        default = self._declared(node, name).default
        return None if default is None else parse_variant(default)

    def _resource(self, target: TrackTarget, value: v.ExtResource | v.SubResource) -> Coerced:
        property_ = target.node.find(target.property.partition(":")[0])
        document = property_.section.document if property_ is not None else None
        if document is None or document is self.edit.document:
            return value
        section = resource_sections(document).get(value)
        path = section.string("path") if section is not None else None
        if path is None:
            raise Invalid(f"The {target.property} of '{target.node.path}' is kept inside another scene.", rule="value")
        return self.context(target.node).file(path)


class _Held(msgspec.Struct, frozen=True):
    """A resource that a value refers to, with the section that declares it."""

    section: Any


def _follow_reference(document: Any, value: v.Variant) -> Any:
    if isinstance(value, v.ExtResource | v.SubResource):
        section = resource_sections(document).get(value)
        return _Held(section) if section is not None else None
    return value


def _script_variable_type(properties: NodeProperties, script: str, name: str) -> str | None:
    """The declared type of a script's variable; empty where it has none."""
    for ancestor in properties.scripts.lineage(script):
        for variable in ancestor.body.variables:
            if variable.name == name:
                return variable.type or ""
    return None


def _numbers(kind: str) -> dict[str, str]:
    struct = v.FLOAT_STRUCTS.get(kind) or v.INT_STRUCTS.get(kind)
    number = "int" if kind in v.INT_STRUCTS else "float"
    return dict.fromkeys(struct.__struct_fields__, number) if struct else {}


def _of_transform(value: v.Variant, name: str) -> v.Variant:
    """A part of what a Node3D stores as one."""
    if not isinstance(value, v.Transform3D):
        return None
    m = msgspec.structs.astuple(value)
    if name == "position":
        return v.Vector3(*m[9:])
    scale = [sqrt(m[at] ** 2 + m[at + 3] ** 2 + m[at + 6] ** 2) for at in range(3)]
    if name == "scale":
        return v.Vector3(*scale)
    turned = [m[at] / (scale[at % 3] or 1.0) for at in range(9)]
    if name == "rotation":
        x = asin(max(-1.0, min(1.0, -turned[5])))
        return v.Vector3(x, atan2(turned[2], turned[8]), atan2(turned[3], turned[4]))
    return _quaternion(turned) if name == "quaternion" else None


def _quaternion(m: list[float]) -> v.Quaternion:
    def part(sign: float, number: float) -> float:
        return copysign(sqrt(max(0.0, number)) / 2, sign)

    return v.Quaternion(
        part(m[7] - m[5], 1 + m[0] - m[4] - m[8]),
        part(m[2] - m[6], 1 - m[0] + m[4] - m[8]),
        part(m[3] - m[1], 1 - m[0] - m[4] + m[8]),
        sqrt(max(0.0, 1 + m[0] + m[4] + m[8])) / 2,
    )
