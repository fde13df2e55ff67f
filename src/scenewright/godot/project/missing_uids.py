"""Gives files the uids they lack: scripts and shaders a file beside them, scenes and resources one in their header.

As in the editor, whoever names another file by its path names its uid too.
"""

from __future__ import annotations

from collections.abc import Iterator

from scenewright.godot.documents.document import Document
from scenewright.godot.documents.errors import ParseError
from scenewright.godot.documents.ids import new_uid
from scenewright.godot.documents.section import Section
from scenewright.godot.project.checks.inventory import Inventory
from scenewright.godot.project.workspace import Workspace

__all__ = ["BESIDE", "HEADED", "Identities"]

BESIDE = (".gd", ".cs", ".gdshader", ".gdshaderinc")
HEADED = (".tscn", ".tres")


class Identities:
    """The uids of a project's files, those given here included."""

    def __init__(self, workspace: Workspace) -> None:
        self._workspace = workspace
        self._inventory = Inventory(workspace)
        self._uids = {path: uid for uid, paths in self._inventory.holders.items() for path in paths}
        self.unreadable: list[str] = []

    def of(self, path: str) -> str | None:
        return self._uids.get(path)

    def give(self) -> Iterator[str]:
        """Stage a uid for each file that has none, and yield the files."""
        for path in self._inventory.ending(*BESIDE):
            if path not in self._uids:
                self._workspace.files.write(
                    self._workspace.place(f"{path}.uid"), f"{self._assign_uid(path)}\n".encode()
                )
                yield path
        for path in self._inventory.ending(*HEADED):
            document = self._read_document(path)
            header = document.sections[0] if document is not None and document.sections else None
            if document is not None and header is not None and not header.string("uid"):
                self._workspace.save(path, document.set_attribute(header, "uid", self._assign_uid(path)))
                yield path

    def name(self) -> Iterator[str]:
        """Stage uids where files name others by path alone or with an unknown uid, and yield the files."""
        for path in self._inventory.ending(*HEADED):
            document = self._read_document(path)
            if document is not None and (named := self.named(document)) is not document:
                self._workspace.save(path, named)
                yield path

    def named(self, document: Document) -> Document:
        """Return the document with the uid of each file that it names."""
        known = set(self._uids.values())
        for number in range(len(document.sections)):
            section = document.sections[number]
            uid = self._find_missing_uid(section, known) if section.tag == "ext_resource" else None
            if uid is not None:
                document = document.set_attribute(section, "uid", uid)
        return document

    def _find_missing_uid(self, section: Section, known: set[str]) -> str | None:
        """The uid that a reference lacks; one that is known leads to its file, wherever the path says that is."""
        if section.string("uid") in known:
            return None
        return self._uids.get(section.string("path") or "")

    def _assign_uid(self, path: str) -> str:
        uid = self._uids[path] = new_uid(self._uids.values())
        return uid

    def _read_document(self, path: str) -> Document | None:
        try:
            document = self._workspace.document(path)
            sound = not document.problems()
        except ParseError:
            sound = False
        if sound:
            return document
        if path not in self.unreadable:
            self.unreadable.append(path)
        return None
