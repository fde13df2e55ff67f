"""Puts a coerced value into a document: its files declared, its resources made, and what is left a plain value."""

from __future__ import annotations

from typing import cast

from scenewright.godot.documents import variant as v
from scenewright.godot.documents.document import Document
from scenewright.godot.documents.references import resource_sections
from scenewright.godot.documents.resources import add_external_file, add_inner_resource
from scenewright.godot.documents.section import Section
from scenewright.godot.values.tree import Coerced, Entries, File, Inline, Items, NodeTarget, Slot

__all__ = ["place"]


def place(document: Document, coerced: Coerced, *, before: Section | None = None) -> tuple[Document, v.Variant]:
    """Add what a value needs and return the value; `before` is the section that will hold it.

    Configuration files declare nothing: files and resources stand there in place.
    """
    placing = _Placing(document, before)
    value = placing.value(coerced)
    return placing.document, value


class _Placing:
    def __init__(self, document: Document, before: Section | None) -> None:
        self.document = document
        self._declares = document.kind == "tags"
        # Resources stand before the one that refers to them, but never between nodes.
        self._from_end = None
        if before is not None and before.tag == "sub_resource":
            self._from_end = len(document.sections) - before.index

    def value(self, coerced: Coerced) -> v.Variant:
        if isinstance(coerced, File):
            return self._place_file(coerced)
        if isinstance(coerced, Inline):
            return self._place_inline(coerced)
        if isinstance(coerced, NodeTarget):
            return v.NodePath(coerced.path)
        if isinstance(coerced, Items):
            return v.Array(tuple(map(self.value, coerced.items)), self._place_type(coerced.type))
        if isinstance(coerced, Entries):
            entries = tuple((self.value(key), self.value(item)) for key, item in coerced.entries)
            return v.Dictionary(entries, self._place_type(coerced.key_type), self._place_type(coerced.value_type))
        return coerced

    def _place_file(self, file: File) -> v.ExtResource | v.Resource:
        if not self._declares:
            return v.Resource(file.path, file.uid)
        kind = file.declared_as or file.class_name or "Resource"
        self.document, name = add_external_file(self.document, kind, file.path, file.uid)
        return v.ExtResource(name)

    def _place_inline(self, inline: Inline) -> v.Variant:
        if inline.slot is not None and self._declares:
            return self._place_shared(inline, inline.slot)
        return self._place_new(inline)

    def _place_shared(self, inline: Inline, slot: Slot) -> v.Variant:
        if slot.id is None or v.SubResource(slot.id) not in resource_sections(self.document):
            placed = self._place_new(inline)
            slot.id = placed.id if isinstance(placed, v.SubResource) else None
            return placed
        return v.SubResource(slot.id)

    def _place_new(self, inline: Inline) -> v.Variant:
        # What a resource holds stands in the file by the names of its properties, as the engine finds them.
        placed = {name: self.value(item) for name, item in sorted(inline.properties, key=lambda part: part[0])}
        properties = {name: placed[name] for name, _ in inline.properties}
        if not self._declares:
            return v.Object(inline.class_name, tuple(properties.items()))
        self.document, name = add_inner_resource(
            self.document, inline.class_name, properties, before=self._section_before()
        )
        return v.SubResource(name)

    def _section_before(self) -> Section | None:
        """The section again, after others have come in front of it."""
        sections = self.document.sections
        return None if self._from_end is None else sections[len(sections) - self._from_end - 1]

    def _place_type(self, type_: v.ElementType | File | None) -> v.ElementType | None:
        return cast("v.ElementType", self._place_file(type_)) if isinstance(type_, File) else type_
