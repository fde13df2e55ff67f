"""Values as they are meant: a file by its path, a resource inside the document by what it holds, never by an id."""

from __future__ import annotations

import json
from functools import cached_property
from typing import Any

from scenewright.godot.documents import variant as v
from scenewright.godot.documents.document import Document
from scenewright.godot.documents.references import Reference, resource_sections
from scenewright.godot.documents.section import Section
from scenewright.godot.values.presentation import present
from scenewright.godot.values.tree import Coerced, Entries, File, Inline, Items

__all__ = ["Meaning", "same"]

_DEEPEST = 24  # resources inside each other


class Meaning:
    """Reads the values of one document."""

    def __init__(self, document: Document) -> None:
        self._document = document

    def shown(self, value: v.Variant) -> Any:
        """Return a value as JSON, alike for all documents that mean the same by it."""
        return present(self._resolve_value(value, ()), document=self._document)

    def inner(self, value: v.Variant) -> tuple[str, dict[str, v.Variant]] | None:
        """Return the class and the properties of a resource inside the document, if a value is one."""
        section = self._sections.get(value) if isinstance(value, v.SubResource) else None
        return None if section is None else (section.string("type") or "", section.values())

    def file(self, reference: v.Variant) -> str | None:
        """Return the path of a file that a value refers to."""
        section = self._sections.get(reference) if isinstance(reference, v.ExtResource) else None
        return None if section is None else section.string("path")

    @cached_property
    def _sections(self) -> dict[Reference, Section]:
        return resource_sections(self._document)

    def _resolve_value(self, value: v.Variant, chain: tuple[Reference, ...]) -> Coerced:
        if isinstance(value, v.ExtResource | v.SubResource):
            return self._resolve_resource(value, chain)
        if isinstance(value, v.Array):
            return Items(
                tuple(self._resolve_value(item, chain) for item in value.items), self._resolve_type(value.type)
            )
        if isinstance(value, v.Dictionary):
            entries = tuple(
                (self._resolve_value(key, chain), self._resolve_value(item, chain)) for key, item in value.entries
            )
            return Entries(entries, self._resolve_type(value.key_type), self._resolve_type(value.value_type))
        return value

    def _resolve_resource(self, value: Reference, chain: tuple[Reference, ...]) -> Coerced:
        section = self._sections.get(value)
        if section is None or value in chain or len(chain) > _DEEPEST:
            return value
        if isinstance(value, v.ExtResource):
            return File(section.string("path") or section.string("uid") or "")
        held = sorted(section.values().items())
        return Inline(
            section.string("type") or "",
            tuple((name, self._resolve_value(item, (*chain, value))) for name, item in held),
        )

    def _resolve_type(self, kind: v.ElementType | None) -> v.ElementType | File | None:
        path = self.file(kind) if isinstance(kind, v.ExtResource) else None
        return kind if path is None else File(path)


def same(one: Any, other: Any) -> bool:
    """Return whether two values are shown alike; unlike in Python, `true` is not 1 and NaN is itself."""
    return json.dumps(one, sort_keys=True) == json.dumps(other, sort_keys=True)
