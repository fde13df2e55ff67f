"""A prefab instance as the objects it brings: a copy of the prefab's tree with the instance's changes made to it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from scenewright.core.calls.deadline import check_deadline
from scenewright.unity.objects.facts import Instance, number, target_of
from scenewright.unity.objects.model_roots import root_of
from scenewright.unity.objects.nodes import Component, ObjectNode, ObjectTree
from scenewright.unity.yaml.source import UnityFile

__all__ = ["Copy", "expand", "modifications_of", "outer_id"]

_MASK = 0x7FFF_FFFF_FFFF_FFFF
MOST_OBJECTS = 100_000
_UNREAD = UnityFile(b"")  # stands for a source that cannot be read


class Copy:
    """The objects of one instance by their ids in the prefab."""

    def __init__(self, root: ObjectNode) -> None:
        self.root = root
        self.order = 0
        self.nodes: dict[int, ObjectNode] = {}
        self.owners: dict[int, ObjectNode] = {}
        self.parts: dict[int, Component] = {}


def outer_id(source: int, instance: int) -> int:
    """Return the id that an object of a nested prefab has in the prefab around it."""
    return (source ^ instance) & _MASK


def modifications_of(instance: Instance) -> list[dict[str, Any]]:
    rows = instance.modification.get("m_Modifications")
    return [row for row in rows if isinstance(row, dict)] if isinstance(rows, list) else []


def expand(instance: Instance, source: ObjectTree | None, into: ObjectTree, written: Mapping[int, int]) -> Copy:
    """Return the objects of an instance; `written` has the ids of those that the file itself mentions."""
    if source is None or not source.roots:
        return _opaque_copy(instance, into, written)
    if into.size + source.size > MOST_OBJECTS:
        into.diagnostics.append(_too_large(instance))
        return _opaque_copy(instance, into, written)
    into.size += source.size
    copy = _copy_prefab(instance, source, into, written)
    copy.root.prefab = instance.guid
    _remove(instance, copy)
    for row in modifications_of(instance):
        _modify(copy, row)
    return copy


def _too_large(instance: Instance) -> str:
    return (
        f"The prefab {instance.guid} is shown without what is in it: there would be more than {MOST_OBJECTS:,} objects."
        " Ask for the prefab itself."
    )


def _opaque_copy(instance: Instance, into: ObjectTree, written: Mapping[int, int]) -> Copy:
    """Return one node for an instance of a model, a package's prefab or one that is missing: its root, as far as the
    instance's changes tell of it.
    """
    root = ObjectNode(into.file, 0, "")
    root.instance, root.prefab, root.opaque = instance, instance.guid, True
    copy = Copy(root)
    known = root_of(instance, written)
    if known is not None:
        source = ObjectNode(_UNREAD, known.object_id, "")
        source.parts = [Component(_UNREAD, known.transform_id, known.class_id)]
        root.inner = source
        root.file_id = _id_of(known.object_id, instance, into, written)
        copy.nodes[known.object_id] = root
        _copy_part(source.parts[0], _id_of(known.transform_id, instance, into, written), root, copy, into)
        if root.file_id:
            into.nodes[root.file_id] = root
    for row in modifications_of(instance):
        _modify(copy, row)
    if not root.name:
        root.name = next((str(row.get("value", "")) for row in modifications_of(instance) if _names(row)), "")
    return copy


def _names(row: Mapping[str, Any]) -> bool:
    return row.get("propertyPath") == "m_Name"


def _id_of(inner: int, instance: Instance, into: ObjectTree, written: Mapping[int, int]) -> int:
    """Return the id that an object of a prefab has in the file, 0 where it has none."""
    return written.get(inner) or (outer_id(inner, instance.file_id) if inner and into.is_prefab else 0)


def _copy_prefab(instance: Instance, source: ObjectTree, into: ObjectTree, written: Mapping[int, int]) -> Copy:
    copy: Copy | None = None
    waiting: list[tuple[ObjectNode, ObjectNode | None]] = [(source.roots[0], None)]
    while waiting:
        check_deadline()
        inner, parent = waiting.pop()
        node = ObjectNode(into.file, _id_of(inner.file_id, instance, into, written), inner.name)
        node.active, node.tag, node.layer = inner.active, inner.tag, inner.layer
        node.inner, node.instance = inner, instance
        node.prefab, node.opaque = inner.prefab, inner.opaque
        copy = copy or Copy(node)
        copy.nodes[inner.file_id] = node
        for part in inner.parts:
            _copy_part(part, _id_of(part.file_id, instance, into, written), node, copy, into)
        if parent is not None:
            parent.children.append(node)
        if node.file_id:
            into.nodes[node.file_id] = node
        waiting.extend((child, node) for child in reversed(inner.children))
    assert copy is not None
    return copy


def _copy_part(inner: Component, file_id: int, node: ObjectNode, copy: Copy, into: ObjectTree) -> None:
    part = Component(into.file, file_id, inner.class_id, inner.script, inner=inner, instance=node.instance)
    node.parts.append(part)
    copy.parts[inner.file_id] = part
    copy.owners[inner.file_id] = node
    if file_id:
        into.parts[file_id] = part
        into.owners[file_id] = node


def _remove(instance: Instance, copy: Copy) -> None:
    gone = {id(copy.parts[source]) for source in _targets(instance, "m_RemovedComponents") if source in copy.parts}
    removed = {id(copy.nodes[source]) for source in _targets(instance, "m_RemovedGameObjects") if source in copy.nodes}
    if gone or removed:
        for node in list(copy.root.walk()):
            node.parts = [part for part in node.parts if id(part) not in gone]
            node.children = [child for child in node.children if id(child) not in removed]


def _targets(instance: Instance, key: str) -> list[int]:
    rows = instance.modification.get(key)
    return [target_of(row)[0] for row in rows] if isinstance(rows, list) else []


def _modify(copy: Copy, row: dict[str, Any]) -> None:
    """Apply what a hierarchy shows; other properties are read with `overrides`."""
    target, _ = target_of(row.get("target"))
    value, path = str(row.get("value", "")), row.get("propertyPath")
    if path == "m_RootOrder" and copy.owners.get(target) is copy.root:
        copy.order = number(value)
    node = copy.nodes.get(target)
    if node is None:
        return
    if path == "m_Name":
        node.name = value
    elif path == "m_IsActive":
        node.active = value == "1"
    elif path == "m_TagString":
        node.tag = value
    elif path == "m_Layer":
        node.layer = number(value)
