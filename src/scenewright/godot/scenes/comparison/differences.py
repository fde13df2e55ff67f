"""Compares two scenes node by node; a node is known by its `unique_id` where it has one, else by its path."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Literal

import msgspec

from scenewright.godot.documents import paths
from scenewright.godot.documents.references import Reference, resource_sections
from scenewright.godot.documents.scene import Connection, Node, Scene
from scenewright.godot.documents.variant import Variant
from scenewright.godot.scenes.comparison.meaning import Meaning, same

__all__ = ["Difference", "Kind", "compare", "pair_nodes"]

Kind = Literal[
    "added",
    "removed",
    "renamed",
    "moved",
    "reordered",
    "retyped",
    "property",
    "groups",
    "connected",
    "disconnected",
    "editable",
    "resource",
    "uid",
]


class Difference(msgspec.Struct, frozen=True):
    """One thing that is not the same; `node` is its path in the newer scene, or in the older where it is gone."""

    kind: Kind
    node: str = ""
    name: str = ""
    before: Any = None
    after: Any = None


def compare(old: Scene, new: Scene, pairs: dict[str, str] | None = None) -> list[Difference]:
    """Return what is different: nodes in the order of the newer scene, then connections and files."""
    comparison = _Comparison(old, new, pair_nodes(old, new) if pairs is None else pairs)
    return [*comparison.nodes(), *comparison.order(), *comparison.wires(), *comparison.rest()]


def pair_nodes(old: Scene, new: Scene) -> dict[str, str]:
    """Return the old path of every new path that is the same node."""
    by_id = {node.unique_id: node.path for node in old.nodes if node.unique_id is not None and not node.is_override}
    known = {
        node.path: by_id[node.unique_id]
        for node in new.nodes
        if node.unique_id is not None and node.unique_id in by_id and not node.is_override
    }
    free = {node.path for node in old.nodes} - set(known.values())
    pairs = {".": "."}
    for node in new.nodes[1:]:
        if node.path in known:
            pairs[node.path] = known[node.path]
        elif (old_path := _old_path_of(node, pairs)) in free:
            pairs[node.path] = old_path
            free.discard(old_path)
    return pairs


def _old_path_of(node: Node, pairs: dict[str, str]) -> str:
    """Where a node without a known id was, if whatever is above it was there already."""
    above = node.parent or "."
    while above != "." and above not in pairs:
        above = paths.parent_of(above)
    start = pairs.get(above, above)
    rest = node.path if above == "." else node.path[len(above) + 1 :]
    return rest if start == "." else f"{start}/{rest}"


class _Comparison:
    def __init__(self, old: Scene, new: Scene, pairs: dict[str, str]) -> None:
        self._old, self._new = old, new
        self._pairs = pairs
        self._after = {before: after for after, before in pairs.items()}
        self._old_meaning, self._new_meaning = Meaning(old.document), Meaning(new.document)
        self._same_resources = _resource_texts(old) == _resource_texts(new)

    def nodes(self) -> Iterator[Difference]:
        gone = [node for node in self._old.nodes if node.path not in self._after]
        yield from (Difference("removed", node.path, before=self._kind_of(node, self._old_meaning)) for node in gone)
        for node in self._new.nodes:
            if node.path in self._pairs:
                yield from self._compare_nodes(self._old.node(self._pairs[node.path]), node)
            else:
                yield from self._compare_added(node)

    def order(self) -> Iterator[Difference]:
        """Yield the parents whose remaining children stand in another order."""
        before, after = _children_by_parent(self._old), _children_by_parent(self._new)
        for parent, children in after.items():
            held = before.get(self._pairs.get(parent, ""), [])
            there = set(held)
            kept = [path for path in children if self._pairs.get(path) in there]
            known = {self._pairs[path] for path in kept}
            old_order = [path for path in held if path in known]
            if [self._pairs[path] for path in kept] != old_order:
                names = [paths.name_of(self._after[path]) for path in old_order]
                yield Difference("reordered", parent, before=names, after=[paths.name_of(path) for path in kept])

    def wires(self) -> Iterator[Difference]:
        old_wires = {self._connection_key(wire, self._old_meaning, self._after): wire for wire in self._old.connections}
        new_wires = {self._connection_key(wire, self._new_meaning, {}): wire for wire in self._new.connections}
        yield from (
            Difference("disconnected", wire[1], wire[0], before=wire[2])
            for wire in sorted(old_wires.keys() - new_wires)
        )
        yield from (
            Difference("connected", wire[1], wire[0], after=wire[2]) for wire in sorted(new_wires.keys() - old_wires)
        )

    def rest(self) -> Iterator[Difference]:
        old_marks = {self._new_path_of(path, self._after) for path in self._old.editable}
        for path in sorted(old_marks ^ self._new.editable.keys()):
            yield Difference("editable", path, before=path in old_marks, after=path in self._new.editable)
        old_files = {file.path: file.type for file in self._old.external_files}
        new_files = {file.path: file.type for file in self._new.external_files}
        for path in sorted(old_files.keys() ^ new_files.keys()):
            yield Difference("resource", name=path, before=old_files.get(path), after=new_files.get(path))
        uids = [scene.document.tagged("gd_scene")[0].string("uid") for scene in (self._old, self._new)]
        if uids[0] != uids[1]:
            yield Difference("uid", before=uids[0], after=uids[1])

    def _compare_added(self, node: Node) -> Iterator[Difference]:
        yield Difference("added", node.path, after=self._kind_of(node, self._new_meaning))
        for name, value in node.section.values().items():
            yield Difference("property", node.path, name, after=self._new_meaning.shown(value))
        if node.groups:
            yield Difference("groups", node.path, after=sorted(node.groups))

    def _compare_nodes(self, old: Node, new: Node) -> Iterator[Difference]:
        if old.name != new.name:
            yield Difference("renamed", new.path, before=old.name, after=new.name)
        if (
            new.parent is not None
            and old.parent is not None
            and self._new_path_of(old.parent, self._after) != new.parent
        ):
            yield Difference("moved", new.path, before=old.path, after=new.path)
        if self._says_the_same(old, new):
            return
        kinds = self._kind_of(old, self._old_meaning), self._kind_of(new, self._new_meaning)
        if kinds[0] != kinds[1]:
            yield Difference("retyped", new.path, before=kinds[0], after=kinds[1])
        if set(old.groups) != set(new.groups):
            yield Difference("groups", new.path, before=sorted(old.groups), after=sorted(new.groups))
        yield from self._compare_values(new.path, "", old.section.values(), new.section.values())

    def _says_the_same(self, old: Node, new: Node) -> bool:
        """Whether the text alone tells that nothing is different, as for nearly all nodes of a big scene."""
        text = new.section.text
        return old.section.text.rstrip() == text.rstrip() and (self._same_resources or "Resource(" not in text)

    def _compare_values(
        self, node: str, prefix: str, old: dict[str, Variant], new: dict[str, Variant], depth: int = 0
    ) -> Iterator[Difference]:
        """Properties that differ; inside resources of one class by `shape:size`, as the engine names them."""
        for name in sorted(old.keys() | new.keys()):
            before, after = self._old_meaning.shown(old.get(name)), self._new_meaning.shown(new.get(name))
            if name in old and name in new and same(before, after):
                continue
            held = self._old_meaning.inner(old.get(name)), self._new_meaning.inner(new.get(name))
            if held[0] is not None and held[1] is not None and held[0][0] == held[1][0] and depth < 8:
                yield from self._compare_values(node, f"{prefix}{name}:", held[0][1], held[1][1], depth + 1)
            else:
                yield Difference("property", node, prefix + name, before, after)

    def _kind_of(self, node: Node, meaning: Meaning) -> str:
        scene = meaning.file(node.section.attribute("instance"))
        return node.type or scene or node.placeholder or ""

    def _connection_key(self, wire: Connection, meaning: Meaning, moved: dict[str, str]) -> tuple[str, str, str]:
        source, target = self._new_path_of(wire.source, moved), self._new_path_of(wire.target, moved)
        more = f" flags={wire.flags}" if wire.flags != 2 else ""
        more += f" unbinds={wire.unbinds}" if wire.unbinds else ""
        more += f" binds={[meaning.shown(value) for value in wire.binds]}" if wire.binds else ""
        return wire.signal, source, f"{target}:{wire.method}{more}"

    def _new_path_of(self, path: str, moved: dict[str, str]) -> str:
        """A path of the older scene as the newer has it."""
        above = path
        while above != "." and above not in moved:
            above = paths.parent_of(above)
        return paths.rebased(path, above, moved.get(above, above))


def _resource_texts(scene: Scene) -> dict[Reference, str]:
    return {reference: section.text.rstrip() for reference, section in resource_sections(scene.document).items()}


def _children_by_parent(scene: Scene) -> dict[str, list[str]]:
    children: dict[str, list[str]] = {}
    for node in scene.nodes:
        if node.parent is not None and not node.is_override:
            children.setdefault(node.parent, []).append(node.path)
    return children
