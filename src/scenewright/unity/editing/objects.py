"""Adds, removes and moves GameObjects, those of prefab instances included."""

from __future__ import annotations

import re
from functools import cached_property
from typing import Any

from scenewright.core.faults import Invalid, Unsupported
from scenewright.unity.editing import documents
from scenewright.unity.editing.session import EditSession
from scenewright.unity.objects.facts import INSTANCE, SCENE_ROOTS, Instance, number, target_of
from scenewright.unity.objects.nodes import ObjectNode
from scenewright.unity.objects.prefab_expansion import outer_id

__all__ = ["Hierarchy"]

_REFERENCE = re.compile(rb"\{fileID: (-?\d+)\}")


class Hierarchy:
    """Changes to the tree of one file."""

    def __init__(self, session: EditSession) -> None:
        self.session = session
        self.added = 0
        self.removed: set[int] = set()

    @cached_property
    def _parents(self) -> dict[int, ObjectNode]:
        return {id(child): node for node in self.session.tree for child in node.children}

    def add(self, name: str, parent: ObjectNode | None, *, is_rect: bool = False, **fields: Any) -> int:
        """Add a new GameObject with a transform; return its id, the transform's is the next."""
        file_id, transform_id = self.session.new_ids(2)
        father = self.transform_id(parent) if parent is not None else 0
        is_rect = is_rect or (parent is not None and bool(parent.parts) and parent.parts[0].class_id == 224)
        class_id = 224 if is_rect else 4
        order = self.order(parent)
        types = self.session.types
        text = documents.game_object(types.class_type(1), file_id, name, {transform_id: class_id}, **fields)
        text += documents.transform(types.class_type(class_id), transform_id, file_id, father, order=order)
        self.session.add_documents(file_id, text)
        self.added += 2
        self.attach(transform_id, parent, None)
        return file_id

    def remove(self, node: ObjectNode) -> int:
        """Take an object away with all below it; return how many references to it were emptied."""
        if node.instance is not None and not self.is_root(node):
            self._listed_items(node.instance, "m_RemovedGameObjects").append(self._source(node))
            self._forget_added(node, node.instance)
        else:
            for below in node.walk():
                self._forget(below)
            self.detach(node)
        for file_id in self.removed:
            self.session.edits.remove_document(self.session.file.by_id[file_id])
        self._list_orphans()
        return self.clear_references(self.removed)

    def _list_orphans(self) -> None:
        """List what stays and had a removed object as its parent as a root: a prefab that changed has lost it."""
        rows = self._scene_roots()
        for document in self.session.file.documents if rows is not None else ():
            if document.file_id in self.removed or document.stripped or document.class_id not in (4, 224, INSTANCE):
                continue
            holder = document.data if document.class_id != INSTANCE else document.data.get("m_Modification") or {}
            parent = target_of(holder.get("m_TransformParent" if document.class_id == INSTANCE else "m_Father"))[0]
            if rows is not None and parent in self.removed:
                rows.append({"fileID": str(document.file_id)})

    def move(self, node: ObjectNode, parent: ObjectNode | None, index: int | None) -> None:
        """Move an object to another parent; its own position, rotation and scale stay as they are written."""
        if node.instance is not None and not self.is_root(node):
            raise Unsupported(f"The parent of '{node.path}' is set by a prefab.", hint="Move it in the prefab itself.")
        if parent is None and index is not None and self._scene_roots() is None:
            raise Unsupported(
                "The order of this scene's roots is spread over their transforms (m_RootOrder).",
                hint="Leave index out, so that it becomes the last root; or save the scene with Unity 2022.2 or newer.",
            )
        if parent is not None and any(below is parent for below in node.walk()):
            raise Invalid(f"'{parent.path}' is below '{node.path}'.", path="input.newParentPath", rule="tree")
        father = {"fileID": str(self.transform_id(parent) if parent is not None else 0)}
        # A list of roots names an instance by itself, and a list of children by its transform.
        by_itself = parent is None and node.instance is not None
        transform_id = node.instance.file_id if by_itself and node.instance is not None else self.transform_id(node)
        self.detach(node)
        self.attach(transform_id, parent, index)
        if node.instance is not None:
            self.session.edits.set_value(node.instance.document, ["m_Modification", "m_TransformParent"], father)
            return
        document = self.session.file.document(transform_id)
        self.session.edits.set_value(document, ["m_Father"], father)
        if "m_RootOrder" in document.data:
            siblings = self.session.tree.roots if parent is None else parent.children
            last = max([len(siblings), *(self._stored_order(other) + 1 for other in siblings if other is not node)])
            self.session.edits.set_value(document, ["m_RootOrder"], str(last if index is None else index))

    def transform_id(self, node: ObjectNode) -> int:
        """Return the id of an object's transform in this file; one that only a prefab has gets a stand-in."""
        if not node.parts and node.opaque:
            raise Unsupported(f"'{node.path}' comes from a model, and the file does not say which its root is.")
        if not node.parts:
            raise Invalid(f"'{node.path}' has no transform.", path="input.parentPath", rule="tree")
        part = node.parts[0]
        return part.file_id if part.file_id in self.session.file.by_id else self._stand_in(node, part.class_id)

    def object_id(self, node: ObjectNode) -> int:
        """Return the id of a GameObject in this file; one that only a prefab has gets a stand-in."""
        return node.file_id if node.file_id in self.session.file.by_id else self._stand_in(node, 1)

    def _stand_in(self, node: ObjectNode, class_id: int) -> int:
        inner = node.inner if class_id == 1 or node.inner is None else node.inner.parts[0]
        if node.instance is None or inner is None or inner.file_id == 0:
            raise Unsupported(f"'{node.path}' comes from a prefab that cannot be read.")
        guid, instance = node.instance.guid, node.instance.file_id
        is_prefab = self.session.file.path.endswith(".prefab")
        file_id = outer_id(inner.file_id, instance) if is_prefab else self.session.new_ids(1)[0]
        self.session.add_documents(file_id, documents.stripped(class_id, file_id, inner.file_id, guid, instance))
        self.added += 1
        part = node if class_id == 1 else node.parts[0]
        part.file_id = file_id
        return file_id

    def clear_references(self, gone: set[int]) -> int:
        """Empty the references to objects that are gone, as the editor does."""
        count, listed = 0, self.session.list_spans()
        for match in _REFERENCE.finditer(self.session.file.data):
            start, end = match.span()
            if int(match[1]) not in gone or self.session.edits.covers(start, end):
                continue
            if not any(first <= start < last for first, last in listed):
                self.session.edits.replace(match.start(1), match.end(1), "0")
                count += 1
        return count

    def _forget(self, node: ObjectNode) -> None:
        """Note the documents of an object as removed."""
        self.removed |= self.ids_of(node)

    def ids_of(self, node: ObjectNode) -> set[int]:
        """Return the ids of an object's documents, with those of its instance where it is the root of one."""
        file = self.session.file
        if node.instance is None:
            ids = [node.file_id, *(part.file_id for part in node.parts)]
        else:
            owned = [part.file_id for part in node.parts if part.inner is None]
            ids = [node.instance.file_id, *owned, *self._stand_ins(node.instance)]
        return {file_id for file_id in ids if file_id in file.by_id}

    def _forget_added(self, node: ObjectNode, instance: Instance) -> None:
        """Note what this file has added to a part of an instance as removed."""
        for below in node.walk():
            if below.instance is not instance:
                self._forget(below)
                parent = self._parents[id(below)]
                if parent.instance is instance:
                    self.detach(below)
            else:
                own = {part.file_id for part in below.parts if part.inner is None}
                self.removed |= own & self.session.file.by_id.keys()
                rows = self.session.items(instance.document, "m_Modification", "m_AddedComponents") if own else None
                if rows is not None:
                    rows[:] = [row for row in rows if target_of(row.get("addedObject"))[0] not in own]

    def _stand_ins(self, instance: Instance) -> list[int]:
        return [
            document.file_id
            for document in self.session.file.documents
            if document.stripped and target_of(document.data.get("m_PrefabInstance"))[0] == instance.file_id
        ]

    def is_root(self, node: ObjectNode) -> bool:
        """Return whether an object is no part of an instance, or the root of one."""
        parent = self._parents.get(id(node))
        return parent is None or parent.instance is None or parent.instance is not node.instance

    def attach(self, transform_id: int, parent: ObjectNode | None, index: int | None) -> None:
        """List a transform, or the instance that is a root, as a child of its parent."""
        item: Any = {"fileID": str(transform_id)}
        if parent is None:
            rows = self._scene_roots()
        elif parent.instance is not None and self.session.own(parent) is None:
            # Before 2022.2 such a child is known by its own parent alone.
            rows = self.session.items(parent.instance.document, "m_Modification", "m_AddedGameObjects")
            item = {
                "targetCorrespondingSourceObject": self._source(parent.parts[0], parent),
                "insertIndex": "-1",
                "addedObject": {"fileID": str(transform_id)},
            }
        else:
            rows = self.session.items(self.session.file.document(parent.parts[0].file_id), "m_Children")
        if rows is not None:
            rows.insert(len(rows) if index is None else min(index, len(rows)), item)

    def detach(self, node: ObjectNode) -> tuple[list[Any] | None, int]:
        """Take an object out of the list of its parent; return that list and the place it had there."""
        parent, transform_id = self._parents.get(id(node)), node.parts[0].file_id if node.parts else 0
        if parent is None:
            rows = self._scene_roots()
        elif parent.instance is not None and self.session.own(parent) is None:
            rows = self.session.items(parent.instance.document, "m_Modification", "m_AddedGameObjects")
        else:
            rows = self.session.items(self.session.file.document(parent.parts[0].file_id), "m_Children")
        ids = {transform_id}
        if node.instance is not None:
            ids |= {node.instance.file_id, *self._stand_ins(node.instance)}
        if rows is None:
            return None, 0
        listed = [at for at, row in enumerate(rows) if target_of(row.get("addedObject", row))[0] in ids]
        rows[:] = [row for row in rows if target_of(row.get("addedObject", row))[0] not in ids]
        return rows, min(listed, default=len(rows))

    def _scene_roots(self) -> list[Any] | None:
        document = next(self.session.file.of_class(SCENE_ROOTS), None)
        return None if document is None else self.session.items(document, "m_Roots")

    def order(self, parent: ObjectNode | None) -> int | None:
        """Return the place of a new object among its siblings, in files that write it into its transform."""
        if parent is None and self.session.file.path.endswith(".prefab"):
            raise Invalid(
                "A prefab has one root.",
                path="input.parentPath",
                rule="required",
                hint="Name the parent with parentPath.",
            )
        if not self.session.types.has_root_order:
            return None
        siblings = self.session.tree.roots if parent is None else parent.children
        return max([len(siblings), *(self._stored_order(other) + 1 for other in siblings)])

    def _stored_order(self, node: ObjectNode) -> int:
        """Return the place that a transform itself says it has."""
        document = self.session.own(node.parts[0]) if node.parts else None
        return number(document.data.get("m_RootOrder")) if document is not None else -1

    def _listed_items(self, instance: Instance, key: str) -> list[Any]:
        rows = self.session.items(instance.document, "m_Modification", key)
        if rows is None:
            raise Unsupported(
                f"The file was saved by a version of Unity that does not keep {key} in prefab instances.",
                hint="Save the scene once with Unity 2022.2 or newer.",
            )
        return rows

    def _source(self, part: Any, node: ObjectNode | None = None) -> dict[str, str]:
        """Return a reference to what an object is in its prefab."""
        instance = (node or part).instance
        assert instance is not None
        assert part.inner is not None
        return {"fileID": str(part.inner.file_id), "guid": instance.guid, "type": "3"}
