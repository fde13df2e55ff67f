"""Many small edits of one document, made together: each section's text is changed in place, then all at once."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from scenewright.godot.documents import edits
from scenewright.godot.documents.chunk import Chunk
from scenewright.godot.documents.document import Document, Source
from scenewright.godot.documents.section import Section
from scenewright.godot.documents.variant import Variant

__all__ = ["Batch"]


class Batch:
    """Collects edits of properties and attributes; the document itself stays as it is."""

    def __init__(self, document: Document) -> None:
        self._document = document
        self._chunks: dict[int, Chunk] = {}

    def set_property(
        self, section: Section, name: str, value: Variant | Source, *, rank: Callable[[str], Any] | None = None
    ) -> None:
        """Set a property; a new one stands before those of a higher rank, without ranks last."""
        document, chunk = self._document, self._current_chunk(section)

        def written(newline: str) -> str:
            return document.write(value, newline)

        at = len(chunk.items)
        if rank is not None and name not in chunk.names:
            own = rank(name)
            at = min((number for known, number in chunk.names.items() if rank(known) > own), default=at)
        if at < len(chunk.items):
            text = edits.insert_property(chunk, name, written, document.newline, at=at)
        else:
            text = edits.set_property(chunk, name, written, document.newline)
        self._put_text(section, text)

    def remove_property(self, section: Section, name: str) -> None:
        self._put_text(section, edits.remove_property(self._current_chunk(section), name))

    def set_attribute(self, section: Section, name: str, value: Variant | Source) -> None:
        self._put_text(
            section, edits.set_attribute(self._current_chunk(section), name, self._document.write_attribute(value))
        )

    def remove_attribute(self, section: Section, name: str) -> None:
        self._put_text(section, edits.remove_attribute(self._current_chunk(section), name))

    def done(self) -> Document:
        """Return the document with all edits made."""
        return self._document.replaced({index: chunk.text for index, chunk in self._chunks.items()})

    def _current_chunk(self, section: Section) -> Chunk:
        return self._chunks.get(section.index, section.chunk)

    def _put_text(self, section: Section, text: str) -> None:
        self._chunks[section.index] = Chunk(text, self._document.kind)
