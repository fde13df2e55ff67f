"""Resources inside the files of one call: those of a scene, and of the resource files that it uses.

A part is found by following a reference; it may be inside the scene or be a `.tres` of its own, and is read and changed
the same way. Nothing is staged before `save`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Protocol

from scenewright.core.faults import Invalid, NotFound
from scenewright.godot.documents.document import Document, Source
from scenewright.godot.documents.references import resource_sections
from scenewright.godot.documents.resources import (
    add_inner_resource,
    resource_section,
    set_resource_properties,
    used_resources,
    without_released,
)
from scenewright.godot.documents.section import Section
from scenewright.godot.documents.variant import ExtResource, SubResource, Variant
from scenewright.godot.project.workspace import Workspace
from scenewright.godot.scenes.scene_edit import SceneEdit
from scenewright.godot.values.placement import place
from scenewright.godot.values.tree import Coerced

__all__ = ["HeldResource", "Holder", "ReachedResources", "ResourceEdit"]


class Holder(Protocol):
    """A file with resources in it."""

    path: str

    @property
    def document(self) -> Document: ...

    @document.setter
    def document(self, changed: Document) -> None: ...

    def save(self) -> None: ...


class ResourceEdit:
    """A resource file that the call changes."""

    def __init__(self, workspace: Workspace, path: str, document: Document | None = None) -> None:
        self.path = workspace.resource_path(path)
        self.document = workspace.document(path) if document is None else document
        self._workspace = workspace

    def save(self) -> None:
        self._workspace.save(self.path, self.document)


class HeldResource:
    """One resource of a file: with an id inside it, without one the file's own."""

    def __init__(self, holder: Holder, id_: str | None) -> None:
        self.holder = holder
        self.id = id_

    @property
    def section(self) -> Section:
        if self.id is not None:
            return resource_section(self.holder.document, SubResource(self.id))
        main = self.holder.document.find("resource")
        if main is None:
            raise NotFound(f"{self.holder.path} has no [resource].")
        return main

    @property
    def type(self) -> str:
        section = self.section if self.id is not None else self.holder.document.sections[0]
        return section.string("type") or ""

    def value(self, name: str, default: Variant = None) -> Variant:
        return self.section.value(name, default)

    def names(self) -> list[str]:
        return [property_.name for property_ in self.section.properties]

    def set(self, values: Mapping[str, Coerced | Source], *, remove: Iterable[str] = ()) -> None:
        """Set properties, remove others, and drop the resources that only the old values used."""
        before = used_resources(self.holder.document)
        placed = {name: self._place_value(value) for name, value in values.items()}
        for name in remove:
            if self.section.find(name) is not None and name not in placed:
                self.holder.document = self.holder.document.remove_property(self.section, name)
        if self.id is not None:
            changed = set_resource_properties(self.holder.document, SubResource(self.id), placed)
        else:
            changed = self.holder.document
            for name, value in placed.items():
                self.holder.document = changed
                changed = changed.set_property(self.section, name, value)
        self.holder.document = without_released(changed, before)

    def move_last(self, name: str) -> None:
        """Put a property after all others, where the engine reads them in order and needs it there."""
        property_ = self.section.find(name)
        if property_ is None or self.section.properties[-1].name == name:
            return
        raw = Source(property_.raw)
        self.holder.document = self.holder.document.remove_property(self.section, name)
        self.holder.document = self.holder.document.set_property(self.section, name, raw)

    def make(self, kind: str, values: Mapping[str, Coerced]) -> SubResource:
        """Add a new resource to the same file, before this one, which is to refer to it."""
        placed = {name: self._place_value(value) for name, value in values.items()}
        before = self.section if self.id is not None else None
        self.holder.document, name = add_inner_resource(self.holder.document, kind, placed, before=before)
        return SubResource(name)

    def _place_value(self, value: Coerced | Source) -> Variant | Source:
        if isinstance(value, Source):
            return value
        self.holder.document, placed = place(self.holder.document, value, before=self.section)
        return placed


class ReachedResources:
    """The scene of a call and the resource files reached from it."""

    def __init__(self, edit: SceneEdit) -> None:
        self.edit = edit
        self._files: dict[str, ResourceEdit] = {}
        self._read: dict[str, Document] = {edit.path: edit.document}

    def follow(self, holder: Holder, value: Variant) -> HeldResource | None:
        """Return the resource that a value of a file refers to, or None if it refers to none.

        Raises:
            Invalid: it is in a file that only the engine can change.
        """
        if isinstance(value, SubResource):
            return HeldResource(holder, value.id)
        if not isinstance(value, ExtResource):
            return None
        section = resource_sections(holder.document).get(value)
        path = (section.string("path") if section else None) or ""
        if not path.endswith(".tres"):
            raise Invalid(
                f"Only the engine can read '{path}'.",
                rule="file",
                hint="Keep what you want to change in a .tres, or in the scene itself.",
            )
        return HeldResource(self._open_file(path), None)

    def reading(self, document: Document, path: str) -> Holder:
        """Open a scene that is only read, such as one that the edited scene instances."""
        return _Reading(path, document)

    def save(self) -> None:
        """Stage what was changed."""
        if self.edit.document is not self._read[self.edit.path]:
            self.edit.save()
        self.save_files()

    def save_files(self) -> None:
        """Stage what was changed in other files than the scene."""
        for holder in self.changed_files():
            holder.save()

    def changed_files(self) -> list[ResourceEdit]:
        return [file for file in self._files.values() if file.document is not self._read[file.path]]

    def _open_file(self, path: str) -> ResourceEdit:
        if path not in self._files:
            self._files[path] = resource = ResourceEdit(self.edit.workspace, path)
            self._read[resource.path] = resource.document
        return self._files[path]


class _Reading:
    def __init__(self, path: str, document: Document) -> None:
        self.path = path
        self.document = document

    def save(self) -> None:
        raise AssertionError(f"{self.path} is only looked into")
