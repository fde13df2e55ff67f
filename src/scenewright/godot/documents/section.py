"""A section of a document and the properties and attributes in it: frozen handles that read on demand."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from scenewright.godot.documents.chunk import Chunk
from scenewright.godot.documents.errors import Malformed, ParseError
from scenewright.godot.documents.lexical import plain_attributes
from scenewright.godot.documents.variant import Variant
from scenewright.godot.documents.variant_reader import read_variant

if TYPE_CHECKING:
    from scenewright.godot.documents.document import Document

__all__ = ["Attribute", "Section", "SectionProperty"]


class Section(msgspec.Struct, frozen=True, eq=False, gc=False):
    """A header and its properties; before the first header a section with an empty tag."""

    document: Document
    index: int
    chunk: Chunk

    @property
    def tag(self) -> str:
        """`node`, `application`, `preset.0.options`."""
        return self.chunk.tag

    @property
    def text(self) -> str:
        """Its source, with the blank lines and comments that follow it."""
        return self.chunk.text

    @property
    def line(self) -> int:
        """The line of the file it starts on."""
        return self.document.line_and_column(self, 0)[0]

    @property
    def properties(self) -> tuple[SectionProperty, ...]:
        name = self.chunk.name
        return tuple([SectionProperty(self, name(item), *item) for item in self.chunk.items if item[1] > item[0]])

    def find(self, name: str) -> SectionProperty | None:
        """Return a property by name."""
        index = self.chunk.names.get(name)
        if index is None:
            return None
        return SectionProperty(self, name, *self.chunk.items[index])

    def value(self, name: str, default: Variant = None) -> Variant:
        """Return a property's value.

        Raises:
            ParseError: it is broken.
        """
        property_ = self.find(name)
        return default if property_ is None else property_.value

    def values(self) -> dict[str, Variant]:
        """Return every property's value by name.

        Raises:
            ParseError: one is broken.
        """
        chunk = self.chunk
        name, text = chunk.name, chunk.text
        try:
            return {name(item): read_variant(text, item[2], item[3]) for item in chunk.items if item[1] > item[0]}
        except Malformed as problem:
            raise self.document.problem(self, problem) from None

    def header(self) -> dict[str, Variant]:
        """Return every attribute's value by name.

        Raises:
            ParseError: one is broken.
        """
        text = self.chunk.text
        plain = plain_attributes(text[: self.chunk.header_end]) if self.chunk.kind == "tags" else {}
        if plain is not None:
            return {**plain}
        spans = self.chunk.attributes
        try:
            return {name: read_variant(text, start, end) for name, (start, end) in spans.items()}
        except Malformed as problem:
            raise self.document.problem(self, problem) from None

    @property
    def attributes(self) -> tuple[Attribute, ...]:
        return tuple([Attribute(self, name, *span) for name, span in self.chunk.attributes.items()])

    def attribute(self, name: str, default: Variant = None) -> Variant:
        """Return the value of an attribute of the header.

        Raises:
            ParseError: it is broken.
        """
        span = self.chunk.attributes.get(name)
        return default if span is None else self._read(*span)

    def string(self, name: str) -> str | None:
        """Return the value of an attribute, if it is a string."""
        try:
            return self.chunk.string(name)
        except Malformed:
            return None

    def known(self, name: str) -> Variant:
        """Return the value of an attribute, or None where it is broken."""
        try:
            return self.attribute(name)
        except ParseError:
            return None

    def _read(self, start: int, end: int) -> Variant:
        try:
            return read_variant(self.chunk.text, start, end)
        except Malformed as problem:
            raise self.document.problem(self, problem) from None


class SectionProperty(msgspec.Struct, frozen=True, eq=False, gc=False):
    """A property of a section; offsets are of the section's text."""

    section: Section
    name: str
    start: int
    name_end: int
    value_start: int
    value_end: int

    @property
    def raw(self) -> str:
        """The value as it stands in the file."""
        return self.section.chunk.text[self.value_start : self.value_end]

    @property
    def value(self) -> Variant:
        """The value, read when first asked for.

        Raises:
            ParseError: it is broken.
        """
        return self.section._read(self.value_start, self.value_end)

    @property
    def line(self) -> int:
        return self.section.document.line_and_column(self.section, self.start)[0]


class Attribute(msgspec.Struct, frozen=True, eq=False, gc=False):
    """An attribute of a section's header."""

    section: Section
    name: str
    value_start: int
    value_end: int

    @property
    def raw(self) -> str:
        """The value as it stands in the file."""
        return self.section.chunk.text[self.value_start : self.value_end]

    @property
    def value(self) -> Variant:
        """The value, read when first asked for.

        Raises:
            ParseError: it is broken.
        """
        return self.section._read(self.value_start, self.value_end)
