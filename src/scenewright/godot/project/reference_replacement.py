"""Every reference of scenes and resources to one file made a reference to another, of a class that fits."""

from __future__ import annotations

from collections.abc import Iterator

import msgspec

from scenewright.core.faults import Invalid
from scenewright.godot.classes.index import ClassIndex
from scenewright.godot.documents.document import Document
from scenewright.godot.documents.errors import EditError, ParseError
from scenewright.godot.documents.references import references, rename_reference
from scenewright.godot.documents.resources import remove_sections
from scenewright.godot.documents.scene import external_files
from scenewright.godot.documents.variant import ExtResource
from scenewright.godot.project.addresses import Addresses
from scenewright.godot.project.workspace import Workspace
from scenewright.godot.values.tree import File

__all__ = ["Replaced", "Replacement"]

# What everything is; that two files are both one says nothing.
_VAGUE = ("Resource", "RefCounted", "Object")


class Replaced(msgspec.Struct, frozen=True):
    """A file that referred to the old one, and how often."""

    path: str
    count: int


class Replacement:
    """One file in place of another; nothing is staged before `apply`."""

    def __init__(self, workspace: Workspace, index: ClassIndex, old: str, new: str) -> None:
        self._workspace = workspace
        self._index = index
        addresses = Addresses(workspace)
        self.new = addresses.file(new)
        # The old one may be gone: that is a reason to replace it.
        self.old = (
            addresses.file(old)
            if workspace.files.exists(workspace.place(old))
            else File(workspace.resource_path(old), "", None)
        )
        self.unread: list[str] = []
        if self.old.path == self.new.path:
            raise Invalid("Both are the same file.", path="input.newPath", rule="path")

    def apply(self, only: str | None = None) -> list[Replaced]:
        """Stage every document that refers to the old file, or one of them.

        Raises:
            Invalid: the new file holds something else, or the one document cannot be read.
        """
        if only:
            replaced = self._replace_in(self._workspace.place(only))
            return [replaced] if replaced else []
        return list(self._replace_in_all())

    def _replace_in_all(self) -> Iterator[Replaced]:
        for place in self._workspace.listing(".tscn", ".tres"):
            try:
                replaced = self._replace_in(place)
            except (EditError, ParseError) as broken:
                self.unread.append(f"res://{place}: {broken.message}")
                continue
            if replaced is not None:
                yield replaced

    def _replace_in(self, place: str) -> Replaced | None:
        if f"res://{place}" == self.new.path:
            return None  # what refers to the old one would refer to itself
        document = self._workspace.document(place)
        ids = list(self._declared_ids(document, self.old))
        if not ids:
            return None
        count = sum(ExtResource(name) in references(section.text) for name in ids for section in document.sections)
        for name in ids:
            document = self._replace_reference(document, name, place)
        self._workspace.save(place, document)
        return Replaced(f"res://{place}", count)

    def _declared_ids(self, document: Document, file: File) -> Iterator[str]:
        for external in external_files(document):
            if external.path == file.path or (file.uid and external.uid == file.uid):
                yield external.id

    def _replace_reference(self, document: Document, name: str, place: str) -> Document:
        section = next(external.section for external in external_files(document) if external.id == name)
        self._check_class(section.string("type") or "", place)
        known = next(self._declared_ids(document, self.new), None)
        if known is not None:
            old_reference = ExtResource(name)
            texts = {
                holder.index: holder.text for holder in document.sections if old_reference in references(holder.text)
            }
            changed = {index: rename_reference(text, old_reference, known) for index, text in texts.items()}
            document = document.replaced(changed)
            return remove_sections(
                document, [external.section for external in external_files(document) if external.id == name]
            )
        document = document.set_attribute(section, "path", self.new.path)
        section = next(external.section for external in external_files(document) if external.id == name)
        if self.new.uid:
            return document.set_attribute(section, "uid", self.new.uid)
        return document.remove_attribute(section, "uid") if section.string("uid") else document

    def _check_class(self, declared: str, place: str) -> None:
        """Refuses what the places of the old file would not take."""
        kind = self.new.class_name
        if kind not in self._index or declared not in self._index:
            return  # only the engine can tell
        if self._index.is_a(kind, declared) or self._common_base(kind, declared) not in _VAGUE:
            return
        raise Invalid(
            f"'{self.new.path}' is of class {kind}, but 'res://{place}' needs {declared}.",
            path="input.newPath",
            rule="class",
            hint=f"Give a file of class {declared}.",
        )

    def _common_base(self, one: str, other: str) -> str:
        while not self._index.is_a(other, one):
            one = self._index.class_info(one).inherits
        return one
