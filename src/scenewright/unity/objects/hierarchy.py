"""Puts the hierarchy of a file together: own objects and prefab instances, each reached exactly once."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from scenewright.unity.objects.facts import GAME_OBJECT, Facts, Instance, read_facts
from scenewright.unity.objects.nodes import Component, ObjectNode, ObjectTree
from scenewright.unity.objects.prefab_expansion import Copy, expand
from scenewright.unity.yaml.source import UnityFile

__all__ = ["Load", "build_tree"]

Load = Callable[[str], "ObjectTree | None"]  # the tree of a prefab by its guid, where it can be read


def build_tree(file: UnityFile, load: Load, *, is_prefab: bool) -> ObjectTree:
    """Return the hierarchy of a scene or prefab."""
    return _Builder(file, load, is_prefab=is_prefab).build()


class _Builder:
    def __init__(self, file: UnityFile, load: Load, *, is_prefab: bool) -> None:
        self.tree = ObjectTree(file, is_prefab=is_prefab)
        self.facts: Facts = read_facts(file)
        self.load = load
        self.copies: dict[int, Copy] = {}
        self.transforms: dict[int, ObjectNode] = {}  # by transform id, stripped ones included
        self.placed: set[int] = set()  # identities of nodes that have a place

    def build(self) -> ObjectTree:
        self._make_own()
        self._make_instances()
        self._add_components()
        self._place_children()
        self._place_roots()
        self._place_lost()
        return self.tree

    def _make_own(self) -> None:
        tree, facts = self.tree, self.facts
        tree.size += len(facts.objects)
        for file_id, row in facts.objects.items():
            node = ObjectNode(tree.file, file_id, row.name)
            node.active, node.tag, node.layer = row.active, row.tag, row.layer
            node.parts = [self._part(part) for part in row.components]
            tree.nodes[file_id] = node
            for part in row.components:
                tree.owners[part] = node
        for file_id, transform in facts.transforms.items():
            if transform.owner in tree.nodes:
                self.transforms[file_id] = tree.nodes[transform.owner]

    def _part(self, file_id: int) -> Component:
        document = self.tree.file.by_id.get(file_id)
        part = Component(
            self.tree.file, file_id, document.class_id if document else 0, self.facts.scripts.get(file_id, "")
        )
        self.tree.parts[file_id] = part
        return part

    def _make_instances(self) -> None:
        written: dict[int, dict[int, int]] = {}
        for file_id, row in self.facts.stripped.items():
            written.setdefault(row.instance, {})[row.source] = file_id
        for instance in self.facts.instances.values():
            ids = written.get(instance.file_id, {})
            copy = expand(instance, self.load(instance.guid), self.tree, ids)
            self.copies[instance.file_id] = copy
            for source, file_id in ids.items():
                self._stand_in(copy, source, file_id)

    def _stand_in(self, copy: Copy, source: int, file_id: int) -> None:
        row = self.facts.stripped[file_id]
        node = copy.nodes.get(source) or copy.owners.get(source)
        if node is None:
            if not copy.root.opaque and row.class_id in (GAME_OBJECT, 4, 224):
                self.tree.diagnostics.append(
                    f"{copy.root.name}: the prefab no longer has the object {source} that the file refers to"
                )
            node = copy.root
        if row.class_id == GAME_OBJECT:
            self.tree.nodes[file_id] = node
        self.transforms[file_id] = node
        self.tree.owners[file_id] = node

    def _add_components(self) -> None:
        for file_id, owner in self.facts.owners().items():
            node = self.tree.nodes.get(owner)
            if node is not None:
                node.parts.append(self._part(file_id))
                self.tree.owners[file_id] = node

    def _place_children(self) -> None:
        waiting: dict[int, list[Instance]] = {}
        for instance in self.facts.instances.values():
            waiting.setdefault(instance.parent, []).append(instance)
        for file_id, row in self.facts.transforms.items():
            parent = self.transforms.get(file_id)
            if parent is not None and row.children:
                for child in row.children:
                    self._place(self.transforms.get(child), parent)
        for row in self.facts.transforms.values():
            if row.father and (father := self.transforms.get(row.father)) is not None:
                self._place(self.tree.nodes.get(row.owner), father)
        for file_id, instances in waiting.items():
            if file_id and (father := self.transforms.get(file_id)) is not None:
                for instance in sorted(instances, key=self._order):
                    self._place(self.copies[instance.file_id].root, father)

    def _place(self, node: ObjectNode | None, parent: ObjectNode) -> None:
        if node is None or id(node) in self.placed or node is parent:
            return
        if node.instance is not None and node is not self.copies[node.instance.file_id].root:
            return  # a part of an instance has its place there
        self.placed.add(id(node))
        parent.children.append(node)

    def _place_roots(self) -> None:
        roots: list[tuple[int, int, ObjectNode]] = []
        for file_id, row in self.facts.transforms.items():
            if row.father == 0 and row.owner in self.tree.nodes:
                roots.append((row.order, file_id, self.tree.nodes[row.owner]))
        for instance in self.facts.instances.values():
            if instance.parent == 0:
                root = self.copies[instance.file_id].root
                roots.append((self._order(instance), instance.file_id, root))
        roots.sort(key=partial(self._rank, {file_id: place for place, file_id in enumerate(self.facts.roots)}))
        for _, _, node in roots:
            if id(node) not in self.placed:
                self.placed.add(id(node))
                self.tree.roots.append(node)

    def _rank(self, listed: dict[int, int], row: tuple[int, int, ObjectNode]) -> tuple[int, int]:
        order, file_id, node = row
        if file_id in listed:
            return 0, listed[file_id]
        # A root that is a prefab instance is listed by its stripped transform.
        places = [place for other, place in listed.items() if self.transforms.get(other) is node]
        return (0, places[0]) if places else (1, order)

    def _order(self, instance: Instance) -> int:
        return self.copies[instance.file_id].order

    def _place_lost(self) -> None:
        """Make roots of what no root leads to: no transform, a parent that is gone, or parents in a circle."""
        everything = [*self.tree.nodes.values(), *(copy.root for copy in self.copies.values())]
        reached = {id(node) for node in self.tree}
        for node in everything:
            if id(node) in reached or (node.instance and node is not self.copies[node.instance.file_id].root):
                continue
            for other in everything if id(node) in self.placed else ():
                if node in other.children:
                    other.children.remove(node)
            self.tree.diagnostics.append(
                f"{node.name}: nothing in the file leads to this object, so it is shown as a root"
            )
            self.tree.roots.append(node)
            reached.update(id(below) for below in node.walk())
