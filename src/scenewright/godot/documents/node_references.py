"""NodePaths kept pointing at the nodes they mean when nodes are renamed, moved or removed.

Node properties point from their own node. The tracks of an animation and the properties of a replication point from the
root that their player or synchronizer has, so those are found through it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

from scenewright.godot.documents import paths
from scenewright.godot.documents.edit_batch import Batch
from scenewright.godot.documents.errors import ParseError
from scenewright.godot.documents.references import references, resource_sections
from scenewright.godot.documents.scene import Node, Scene
from scenewright.godot.documents.section import Section, SectionProperty
from scenewright.godot.documents.variant import Array, Dictionary, NodePath, PackedStringArray, SubResource, Variant

__all__ = ["Moved", "repoint", "write_node_paths"]

Moved = Callable[[str], str | None]
"""Where a node is afterwards, or None if it is gone."""

_ROOTED = {"libraries": "root_node", "replication_config": "root_path"}  # both are ".." unless said
_TRACK = re.compile(r"(?:tracks|properties)/[0-9]+/path")


def repoint(scene: Scene, batch: Batch, moved: Moved) -> None:
    """Rewrite every NodePath of a scene that would otherwise lead elsewhere."""
    work = _Repointing(scene, batch, moved)
    for node in scene.nodes:
        if moved(node.path) is not None:
            work.node(node)


def write_node_paths(batch: Batch, node: Node, names: tuple[str, ...]) -> None:
    """Record which properties of a node hold nodes."""
    if names:
        batch.set_attribute(node.section, "node_paths", PackedStringArray(names))
    else:
        batch.remove_attribute(node.section, "node_paths")


class _Repointing:
    def __init__(self, scene: Scene, batch: Batch, moved: Moved) -> None:
        self._scene = scene
        self._batch = batch
        self._moved = moved
        self._before = scene.unique_names
        self._after = {
            paths.name_of(new_path) if new_path != "." else name: new_path
            for name, old_path in scene.unique_names.items()
            if (new_path := moved(old_path)) is not None
        }
        self._declared: dict[str, Section] | None = None
        self._seen: set[int] = set()

    def node(self, node: Node) -> None:
        text = node.section.text
        if "NodePath(" in text:
            self._repoint_properties(node)
        if any(name in text for name in _ROOTED):
            self._repoint_tracks(node)

    def _repoint_properties(self, node: Node) -> None:
        here, there = node.path, self._moved(node.path) or node.path
        node_paths = node.node_paths
        for property_ in _with_paths(node.section):
            old, new = here, there
            if property_.name == "root_motion_track":
                old, new = self._animation_root(node, "root_node")
            value = _read_value(property_)
            changed = self._repoint_value(value, old, new, gone=property_.name in node_paths)
            if changed is None and value is not None:
                self._batch.remove_property(node.section, property_.name)
                node_paths = tuple(name for name in node_paths if name != property_.name)
                write_node_paths(self._batch, node, node_paths)
            elif changed != value:
                self._batch.set_property(node.section, property_.name, changed)

    def _repoint_tracks(self, node: Node) -> None:
        for prefix, root in _ROOTED.items():
            holders = [property_ for property_ in node.section.properties if property_.name.partition("/")[0] == prefix]
            for section in self._resources_reached("".join(property_.raw for property_ in holders)):
                old, new = self._animation_root(node, root)
                for property_ in _with_paths(section):
                    value = _read_value(property_)
                    changed = (
                        self._repoint_value(value, old, new, gone=False) if _TRACK.fullmatch(property_.name) else value
                    )
                    if changed != value:
                        self._batch.set_property(section, property_.name, changed)

    def _animation_root(self, node: Node, name: str) -> tuple[str, str]:
        """Where the paths of a player's animations start, before and after."""
        there = self._moved(node.path) or node.path
        property_ = node.section.find(name)
        value = None if property_ is None else _read_value(property_)
        if isinstance(value, NodePath):
            old_root = paths.resolve(node.path, value.text, self._before)
            if old_root is not None:
                return old_root, self._moved(old_root) or old_root
        return tuple("." if path == "." else paths.parent_of(path) for path in (node.path, there))  # type: ignore[return-value]

    def _resources_reached(self, raw: str) -> Iterator[Section]:
        """The resources inside the file that a value leads to, each once."""
        if self._declared is None:
            declared = resource_sections(self._scene.document).items()
            self._declared = {name.id: section for name, section in declared if isinstance(name, SubResource)}
        pending = [raw]
        while pending:
            for name in references(pending.pop()):
                section = self._declared.get(name.id) if isinstance(name, SubResource) else None
                if section is not None and section.index not in self._seen:
                    self._seen.add(section.index)
                    pending.append(section.text)
                    yield section

    def _repoint_value(self, value: Variant, old: str, new: str, *, gone: bool) -> Variant:
        """A value with its NodePaths led right; with `gone`, null where the node is no more."""
        if isinstance(value, NodePath):
            return self._repoint_path(value, old, new, gone=gone)
        if isinstance(value, Array):
            items = tuple(self._repoint_value(item, old, new, gone=gone) for item in value.items)
            return value if items == value.items else Array(items, value.type)
        if isinstance(value, Dictionary):
            pairs = ((self._repoint_value(key, old, new, gone=gone), item) for key, item in value.entries)
            entries = tuple((key, self._repoint_value(item, old, new, gone=gone)) for key, item in pairs)
            return value if entries == value.entries else Dictionary(entries, value.key_type, value.value_type)
        return value

    def _repoint_path(self, value: NodePath, old: str, new: str, *, gone: bool) -> NodePath | None:
        names, colon, rest = value.text.partition(":")
        target = paths.resolve(old, names, self._before) if names else None
        if target is None:
            return value
        goal = self._moved(target)
        if goal is None:
            return None if gone else value
        if paths.resolve(new, names, self._after) == goal:
            return value
        start, prefix = new, ""
        unique = names.partition("/")[0]
        if unique.startswith("%"):
            start = self._moved(self._before[unique[1:]]) or new
            prefix = "%" + paths.name_of(start)
        way = paths.relative(start, goal)
        led = prefix if prefix and way == "." else f"{prefix}/{way}" if prefix else way
        return NodePath(led + colon + rest)


def _with_paths(section: Section) -> list[SectionProperty]:
    return [property_ for property_ in section.properties if "NodePath(" in property_.raw]


def _read_value(property_: SectionProperty) -> Variant:
    """A value, or None for one that is broken: it stays as it is."""
    try:
        return property_.value
    except ParseError:
        return None
