"""Lossless documents: `.tscn`, `.tres`, `project.godot`, `.import`, `.cfg`, `export_presets.cfg` and their kin.

A document keeps its source; sections are handles into it, and values are read when they are asked for. An edit gives a
new document in which only the edited span differs. What is broken somewhere stops no query elsewhere.

    document = Document.parse(path.read_bytes(), "player.tscn")
    node = document.find("node", name="Sprite")
    moved = document.set_property(node, "position", Vector2(1, 2))
    path.write_bytes(moved.to_bytes())
"""

from __future__ import annotations

from collections.abc import Iterable
from itertools import accumulate

import msgspec

from scenewright.godot.documents import edits
from scenewright.godot.documents.chunk import Chunk
from scenewright.godot.documents.errors import EditError, LineIndex, Malformed, ParseError, line_and_column
from scenewright.godot.documents.lexical import Kind, sections
from scenewright.godot.documents.section import Section
from scenewright.godot.documents.variant import Variant
from scenewright.godot.documents.variant_reader import read_variant
from scenewright.godot.documents.variant_writer import write_attribute, write_property_name, write_variant

__all__ = ["Document", "Source"]

_COMPACT = frozenset({"ext_resource", "connection", "editable"})
_BOM = "\ufeff"


class Source(msgspec.Struct, frozen=True):
    """A value given as text, written as it is."""

    text: str


class Document:
    """A frozen file; every edit returns another."""

    __slots__ = ("_chunks", "_lines", "_newline", "_text", "kind", "path")

    def __init__(self, chunks: Iterable[Chunk], kind: Kind, path: str | None = None) -> None:
        self._chunks = tuple(chunks)
        self._text: str | None = None
        self._newline: str | None = None
        self._lines: tuple[int, ...] | None = None
        self.kind = kind
        self.path = path

    @classmethod
    def parse(cls, source: str | bytes, path: str | None = None) -> Document:
        """Find the sections of a file; its name tells scenes and resources from configuration.

        Bytes that are no UTF-8 are kept as they are.
        """
        text = source if isinstance(source, str) else source.decode("utf-8", "surrogateescape")
        kind = _kind_of(text, path)
        spans = sections(text, kind)
        ends = [start for start, _ in spans] + [len(text)]
        chunks = [Chunk(text[: ends[0]], kind)]
        chunks += [
            Chunk(text[start:end], kind, header_end - start)
            for (start, header_end), end in zip(spans, ends[1:], strict=True)
        ]
        document = cls(chunks, kind, path)
        document._text = text
        return document

    @property
    def text(self) -> str:
        if self._text is None:
            self._text = "".join([chunk.text for chunk in self._chunks])
        return self._text

    def to_bytes(self) -> bytes:
        """Return the file's content."""
        return self.text.encode("utf-8", "surrogateescape")

    @property
    def preamble(self) -> Section:
        """What comes before the first header, such as `config_version` of project.godot."""
        return Section(self, 0, self._chunks[0])

    @property
    def sections(self) -> tuple[Section, ...]:
        """Every section with a header, in order."""
        return tuple([Section(self, index, chunk) for index, chunk in enumerate(self._chunks) if index])

    def tagged(self, tag: str) -> tuple[Section, ...]:
        """Return the sections of a name, in order."""
        return tuple([Section(self, index, chunk) for index, chunk in enumerate(self._chunks) if chunk.tag == tag])

    def find(self, tag: str, **attributes: str) -> Section | None:
        """Return the first section of a name with these attributes."""
        wanted = attributes.items()
        for section in self.tagged(tag):
            if all(section.string(name) == value for name, value in wanted):
                return section
        return None

    @property
    def newline(self) -> str:
        """The newline that most lines end with."""
        if self._newline is None:
            text = self.text
            self._newline = "\r\n" if text.count("\r\n") * 2 > text.count("\n") else "\n"
        return self._newline

    @property
    def format(self) -> int | None:
        """The format number of a scene or resource."""
        if self.kind != "tags" or len(self._chunks) < 2:
            return None
        number = Section(self, 1, self._chunks[1]).attribute("format")
        return number if isinstance(number, int) else None

    def write(self, value: Variant | Source, newline: str = "\n") -> str:
        """Return a value as this file's format has it."""
        if isinstance(value, Source):
            return value.text
        text = write_variant(value, compat=(self.format or 3) < 4, newline=newline)
        return text.removesuffix(newline)  # an object brings its own newline

    def write_attribute(self, value: Variant | Source) -> str:
        """Return a value as the header of a section has it."""
        return value.text if isinstance(value, Source) else write_attribute(value, compat=(self.format or 3) < 4)

    def line_and_column(self, section: Section, offset: int) -> tuple[int, int]:
        """Return where an offset of a section's text is in the file."""
        if self._lines is None:
            counts = (chunk.text.count("\n") for chunk in self._chunks)
            self._lines = tuple(accumulate(counts, initial=1))
        line, column = line_and_column(section.chunk.text, offset)
        if line == 1:  # a header may stand behind something on its line
            before = "".join(chunk.text for chunk in self._chunks[max(section.index - 2, 0) : section.index])
            column += len(before) - before.rfind("\n") - 1
        return self._lines[section.index] + line - 1, column

    def problem(self, section: Section, malformed: Malformed) -> ParseError:
        """Return what is broken in a section, with its place in the file."""
        line, column = self.line_and_column(section, malformed.offset)
        return ParseError(malformed.reason, line=line, column=column, file=self.path)

    def problems(self) -> list[ParseError]:
        """Return everything broken in the file, in order; reads every value."""
        starts = accumulate((len(chunk.text) for chunk in self._chunks), initial=0)
        broken = sorted(
            (start + malformed.offset, malformed.reason)
            for start, chunk in zip(starts, self._chunks, strict=False)
            for malformed in _find_broken(chunk)
        )
        lines = LineIndex(self.text) if broken else None
        places = ((reason, lines.place(offset)) for offset, reason in broken) if lines else ()
        return [ParseError(reason, line=line, column=column, file=self.path) for reason, (line, column) in places]

    def set_property(
        self, section: Section, name: str, value: Variant | Source, *, before: str | None = None
    ) -> Document:
        """Replace a property's value, or adds the property, at the end or before another."""
        chunk = self._check_own(section)

        def written(newline: str) -> str:
            return self.write(value, newline)

        if before is not None and name not in chunk.names:
            text = edits.insert_property(chunk, name, written, self.newline, at=_item_number(chunk, before))
        else:
            text = edits.set_property(chunk, name, written, self.newline)
        return self._with_text(section.index, text)

    def remove_property(self, section: Section, name: str) -> Document:
        """Remove a property.

        Raises:
            EditError: there is none of that name.
        """
        return self._with_text(section.index, edits.remove_property(self._check_own(section), name))

    def set_attribute(self, section: Section, name: str, value: Variant | Source) -> Document:
        """Replace an attribute's value, or adds the attribute where the engine would write it."""
        chunk = self._check_own(section)
        self._must_have_tags(chunk)
        return self._with_text(section.index, edits.set_attribute(chunk, name, self.write_attribute(value)))

    def remove_attribute(self, section: Section, name: str) -> Document:
        """Remove an attribute; nothing happens if it is not there."""
        return self._with_text(section.index, edits.remove_attribute(self._check_own(section), name))

    def new_section(
        self,
        tag: str,
        attributes: Iterable[tuple[str, Variant | Source]] = (),
        properties: Iterable[tuple[str, Variant | Source]] = (),
    ) -> str:
        """Return the text of a section in this file's style, for `insert`."""
        newline = self.newline
        attribute_text = "".join(f" {name}={self.write_attribute(value)}" for name, value in attributes)
        equals = " = " if self.kind == "tags" else "="
        lines = [f"{write_property_name(name)}{equals}{self.write(value, newline)}" for name, value in properties]
        if self.kind == "tags":
            return newline.join([f"[{tag}{attribute_text}]", *lines]) + newline
        name = tag.replace("]", "\\]")
        return newline.join([f"[{name}]", *([""] if lines else []), *lines]) + newline

    def insert(self, text: str, after: Section) -> Document:
        """Put a section behind another, with the blank line the engine would leave between them."""
        return self.insert_all([text], after)

    def insert_all(self, texts: Iterable[str], after: Section) -> Document:
        """Put sections behind another, in order."""
        self._check_own(after)
        chunks = list(self._chunks)
        index = after.index
        for text in texts:
            behind = chunks[index + 1] if index + 1 < len(chunks) else None
            chunks[index : index + 1] = self._insert_between(chunks[index], text, behind)
            index += 1
        return self._with_chunks(chunks)

    def remove(self, sections: Iterable[Section]) -> Document:
        """Remove sections."""
        gone = sorted((section.index for section in sections if self._check_own(section)), reverse=True)
        chunks = list(self._chunks)
        for index in gone:
            if index == 0:
                raise EditError("What comes before the first section cannot be removed.")
            last = index == len(chunks) - 1
            chunks[index - 1 : index + 1] = [self._close_gap(chunks[index - 1], chunks[index], last=last)]
        return self._with_chunks(chunks)

    def replaced(self, texts: dict[int, str]) -> Document:
        """Return the document with other texts for the sections of some numbers."""
        chunks = list(self._chunks)
        for index, text in texts.items():
            if text != chunks[index].text:
                chunks[index] = Chunk(text, self.kind)
        return self._with_chunks(chunks)

    def _insert_between(self, previous: Chunk, text: str, behind: Chunk | None) -> list[Chunk]:
        """The section before and a new one, with the space between them and behind."""
        body, tail = previous.text[: previous.body_end], previous.text[previous.body_end :]
        newline = edits.newline_at(previous.text, previous.body_end, self.newline)
        text = text.rstrip("\r\n") + newline
        tag = Chunk(text, self.kind).tag
        if not body.removeprefix(_BOM):  # in front of everything
            tail = tail or (newline if behind is not None else "")
            return [Chunk(body, self.kind), Chunk(text + tail, self.kind)]
        if not body.endswith("\n"):
            body += newline
            if behind is None and not tail:
                text = text.removesuffix(newline)  # the file keeps its missing newline
        if behind is not None and behind.tag == tag and tag in _COMPACT and not tail.strip():
            return [Chunk(body + tail, self.kind), Chunk(text, self.kind)]
        spaced = (behind is None or bool(tail)) and (previous.tag != tag or tag not in _COMPACT)
        return [Chunk(body + (newline if spaced else ""), self.kind), Chunk(text + tail, self.kind)]

    def _close_gap(self, previous: Chunk, removed: Chunk, *, last: bool) -> Chunk:
        """The section before a removed one, with the space that is left behind it."""
        body, tail = previous.text[: previous.body_end], previous.text[previous.body_end :]
        rest = removed.text[removed.body_end :]
        if not body.removeprefix(_BOM):
            return Chunk(body + tail + rest.lstrip("\r\n"), self.kind)
        if last and not removed.text.endswith("\n"):
            return Chunk((body + tail.rstrip("\r\n")).rstrip("\r\n"), self.kind)
        keeps_tail = bool(tail.strip()) or (not rest and not last)
        return Chunk(body + (tail if keeps_tail else "") + rest, self.kind)

    def _check_own(self, section: Section) -> Chunk:
        chunk = section.chunk
        if section.index >= len(self._chunks) or self._chunks[section.index] is not chunk:
            raise EditError(f"The section [{chunk.tag}] belongs to another version of the document.")
        return chunk

    def _must_have_tags(self, chunk: Chunk) -> None:
        if chunk.kind != "tags" or not chunk.tag or not chunk.header_is_whole:
            raise EditError(f"The section [{chunk.tag}] cannot have attributes.")

    def _with_text(self, index: int, text: str) -> Document:
        return self.replaced({index: text})

    def _with_chunks(self, chunks: list[Chunk]) -> Document:
        document = Document(chunks, self.kind, self.path)
        document._newline = self._newline
        return document


def _kind_of(text: str, path: str | None) -> Kind:
    if path is not None and "." in path:
        return "tags" if path.endswith((".tscn", ".tres", ".escn")) else "plain"
    return "tags" if text.lstrip(f"{_BOM} \t\r\n").startswith(("[gd_scene", "[gd_resource")) else "plain"


def _item_number(chunk: Chunk, name: str) -> int:
    if name not in chunk.names:
        raise EditError(f"There is no property '{name}' to go before.")
    return chunk.names[name]


def _find_broken(chunk: Chunk) -> list[Malformed]:
    problems: list[Malformed] = []
    if not chunk.header_is_whole:
        problems.append(Malformed("The header of a section is not closed", 0))
    spans = list(chunk.attributes.values())
    for start, name_end, value_start, value_end in chunk.items:
        if name_end == start:
            problems.append(Malformed("Expected 'name = value' or a section", start))
        else:
            spans.append((value_start, value_end))
    for value_start, value_end in spans:
        try:
            read_variant(chunk.text, value_start, value_end)
        except Malformed as problem:
            problems.append(problem)
    return problems
