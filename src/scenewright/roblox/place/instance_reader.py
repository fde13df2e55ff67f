"""Reads instances of a place in the form that operations answer with."""

from __future__ import annotations

from typing import Any

from scenewright.core.faults import Unsupported
from scenewright.roblox.attributes import unpack_attributes, unpack_tags
from scenewright.roblox.backend import Info, InstanceMatches, InstanceView, Search, Snapshot, Source, View
from scenewright.roblox.place.documents import PlaceDocument
from scenewright.roblox.properties import read, stored_properties
from scenewright.roblox.reflection.database import database
from scenewright.roblox.tree import Instance
from scenewright.roblox.values import Value, as_text
from scenewright.roblox.wire import to_wire

__all__ = ["Looker", "attributes_of", "tags_of"]

_APART = ("Attributes", "Name", "Source", "Tags")  # said elsewhere


def attributes_of(instance: Instance) -> dict[str, Value]:
    value = read(instance, "Attributes", defaults=False)
    return unpack_attributes(value.data) if value is not None else {}


def tags_of(instance: Instance) -> list[str]:
    value = read(instance, "Tags", defaults=False)
    return unpack_tags(value.data) if value is not None else []


class Looker:
    """Looks at one document."""

    def __init__(self, document: PlaceDocument) -> None:
        self._document = document
        self._nodes = 0

    def info(self, instance: Instance) -> Info:
        root = self._document.tree.root
        above = instance.parent
        return Info(
            instance_id="inst-root" if instance is root else self._document.identify(instance),
            name=instance.name,
            class_name=instance.class_name,
            path=instance.path,
            parent_path="" if above is None or above is root else above.path,
            child_count=len(instance.children),
        )

    def find(self, root: Instance, search: Search, offset: int, limit: int) -> InstanceMatches:
        matches: list[Instance] = []
        part = search.name_contains.lower() if search.name_contains is not None else None
        for instance in root.walk():
            if part is not None and part not in instance.name.lower():
                continue
            if search.class_name is not None and instance.class_name != search.class_name:
                continue
            if search.is_a is not None and not database().is_a(instance.class_name, search.is_a):
                continue
            if search.tag is not None and search.tag not in tags_of(instance):
                continue
            matches.append(instance)
            if len(matches) > offset + limit:
                break
        infos = tuple(self.info(instance) for instance in matches[offset : offset + limit])
        return InstanceMatches(self.info(root), infos, len(matches) > offset + limit)

    def node(self, instance: Instance, view: View) -> InstanceView:
        return InstanceView(
            info=self.info(instance),
            properties=self._properties(instance, view.properties) if view.properties is not None else {},
            attributes=self._attributes(instance) if view.attributes else {},
            tags=tuple(sorted(tags_of(instance))) if view.tags else (),
            source=self._text(instance) if view.source else None,
        )

    def snapshot(self, root: Instance, wanted: Snapshot) -> InstanceView:
        self._nodes = 0
        return self._branch(root, wanted, 0)

    def _branch(self, instance: Instance, wanted: Snapshot, depth: int) -> InstanceView:
        self._nodes += 1
        node = self.node(instance, wanted.view)
        if depth >= wanted.max_depth:
            return _replace_children(node, (), len(instance.children))
        children = []
        for child in instance.children[: wanted.max_children]:
            if self._nodes >= wanted.max_nodes:
                break
            children.append(self._branch(child, wanted, depth + 1))
        return _replace_children(node, tuple(children), len(instance.children) - len(children))

    def source(self, script: Instance) -> Source:
        return Source(self.info(script), self._text(script) or "")

    def wire(self, instance: Instance, name: str, value: Value) -> Any:
        declared = database().canonical(instance.class_name, name)
        return to_wire(value, enum=declared.enum if declared else None, reference=self._reference)

    def property(self, instance: Instance, name: str) -> Any:
        """Return a property's value in its wire form; None where nothing says it."""
        value = read(instance, name)
        return self.wire(instance, name, value) if value is not None else None

    def _properties(self, instance: Instance, names: tuple[str, ...]) -> dict[str, Any]:
        if names:
            values = {name: read(instance, name) for name in names}
        else:
            values = {name: value for name, value in stored_properties(instance).items() if name not in _APART}
        return {name: self.wire(instance, name, value) for name, value in values.items() if value is not None}

    def _attributes(self, instance: Instance) -> dict[str, Any]:
        try:
            return {name: to_wire(value) for name, value in sorted(attributes_of(instance).items())}
        except Unsupported as unknown:
            return {"_unreadable": unknown.message}

    def _text(self, instance: Instance) -> str | None:
        value = instance.stored("Source")
        return as_text(value.data) if value is not None and isinstance(value.data, bytes) else None

    def _reference(self, other: Instance) -> Any:
        return {"_type": "Ref", "instanceId": self._document.identify(other), "path": other.path}


def _replace_children(node: InstanceView, children: tuple[InstanceView, ...], left_out: int) -> InstanceView:
    return InstanceView(node.info, node.properties, node.attributes, node.tags, node.source, children, left_out)
