"""One file being changed: its edits, new ids, and the check of the result before it is staged."""

from __future__ import annotations

import hashlib
from functools import cached_property
from typing import Any

from scenewright.core.faults import Internal
from scenewright.unity.editing.object_types import ObjectTypes
from scenewright.unity.objects.nodes import Component, ObjectNode, ObjectTree
from scenewright.unity.objects.overrides import value_at
from scenewright.unity.workspace import Workspace
from scenewright.unity.yaml.edits import Edits
from scenewright.unity.yaml.property_spans import PathStep, locate
from scenewright.unity.yaml.source import ObjectDocument, UnityFile

__all__ = ["EditSession"]


class EditSession:
    """Edits of a scene, prefab or asset; nothing is staged before `save`."""

    def __init__(self, workspace: Workspace, path: str) -> None:
        self.workspace = workspace
        self.file: UnityFile = workspace.open_for_edit(path)
        self.edits = Edits(self.file)
        self._given: set[int] = set()
        self._tree: ObjectTree | None = None
        self._lists: dict[tuple[int, tuple[PathStep, ...]], tuple[ObjectDocument, list[Any]]] = {}

    @property
    def tree(self) -> ObjectTree:
        """The hierarchy before the edits."""
        if self._tree is None:
            self._tree = self.workspace.tree(self.file.path)
        return self._tree

    @cached_property
    def types(self) -> ObjectTypes:
        """How the objects of the file are declared."""
        return ObjectTypes(self.workspace, self.file)

    def own(self, part: ObjectNode | Component) -> ObjectDocument | None:
        """Return the document of an object that this file itself holds; None where a prefab instance brings it."""
        document = self.file.by_id.get(part.file_id)
        return None if document is None or document.stripped or part.inner is not None else document

    def new_ids(self, count: int) -> list[int]:
        """Return ids that nothing in the file has, one after the other; the same for the same file and request."""
        start = hashlib.blake2b(self.file.data, digest_size=8, key=str(len(self._given)).encode()).digest()
        size = 31 if self.file.path.endswith(".unity") else 62
        first = int.from_bytes(start) % (1 << size)
        taken = self.file.by_id.keys() | self._given
        while first < 1000 or any(number in taken for number in range(first, first + count)):
            first += count
        ids = list(range(first, first + count))
        self._given.update(ids)
        return ids

    def items(self, document: ObjectDocument, *path: PathStep) -> list[Any] | None:
        """Return a list of a document to be changed in place, until it is saved; None where the file does not
        write it.
        """
        key = (document.file_id, path)
        if key not in self._lists:
            value = value_at(document.data, path)
            if value is None or not isinstance(value, (list, str)):
                return None
            self._lists[key] = (document, list(value) if isinstance(value, list) else [])
        return self._lists[key][1]

    def list_spans(self) -> list[tuple[int, int]]:
        """Return where the lists stand that are going to be changed."""
        places = [locate(document, path) for (_, path), (document, _) in self._lists.items()]
        return [(place.entry, place.after) for place in places if place is not None]

    def add_documents(self, file_id: int, text: str) -> None:
        """Add documents where the engine would write them: scenes are sorted by id, prefabs are not."""
        ids = [document.file_id for document in self.file.documents]
        at = len(self.file.data)
        if self.file.path.endswith(".unity"):
            later = [document for document in self.file.documents if document.file_id > file_id]
            sorted_by_id = ids == sorted(ids)
            last = self.file.documents[-1] if self.file.documents else None
            if sorted_by_id and later:
                at = later[0].start
            elif last is not None and last.type_name == "SceneRoots":
                at = last.start
        if at == len(self.file.data) and not self.file.data.endswith(b"\n"):
            text = "\n" + text
        self.edits.insert(at, text)

    def save(self, *, added: int = 0, removed: int = 0) -> ObjectTree | UnityFile:
        """Check the result by reading it and stage it; return what is now in the file.

        Raises:
            Internal: the result is not what was meant.
        """
        for (_, path), (document, items) in self._lists.items():
            if not self.edits.covers(document.start, document.end):
                self.edits.set_list(document, path, items)
        result = self.edits.applied()
        if len(result.documents) != len(self.file.documents) + added - removed:
            raise Internal
        for document in result.documents:
            before = self.file.by_id.get(document.file_id)
            if before is None or _bytes(before) != _bytes(document):
                _ = document.tree  # which fails where it cannot be read
        if len(result.by_id) != len(result.documents) and len(self.file.by_id) == len(self.file.documents):
            raise Internal
        self.workspace.files.write(result.path, result.data)
        after = Workspace(self.workspace.files)
        return after.tree(result.path) if result.path.endswith((".unity", ".prefab")) else after.file(result.path)


def _bytes(document: ObjectDocument) -> bytes:
    return document.file.data[document.start : document.end]
