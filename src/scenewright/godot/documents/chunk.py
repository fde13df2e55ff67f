"""One section of a file as the text it is made of, with what was found in it so far.

A file is a row of chunks, the first of which is what comes before any header. Chunks know nothing of each other and
never change, so that versions of a document share them: after an edit only the chunks it touched are looked at again.
"""

from __future__ import annotations

import re

from scenewright.godot.documents.errors import Malformed
from scenewright.godot.documents.lexical import Item, Kind, attributes, header_end, is_whole, items
from scenewright.godot.documents.strings import read_string
from scenewright.godot.documents.variant_reader import read_variant

__all__ = ["Chunk"]

_TAG = re.compile(r"\[\s*([A-Za-z_][A-Za-z0-9_.:]*)")


class Chunk:
    """Treat as frozen: everything here is found once and kept."""

    __slots__ = ("_attributes", "_header_end", "_items", "_names", "_tag", "kind", "text")

    def __init__(self, text: str, kind: Kind, header_end: int = -1) -> None:
        self.text = text
        self.kind = kind
        self._header_end = header_end
        self._tag: str | None = None
        self._items: list[Item] | None = None
        self._names: dict[str, int] | None = None
        self._attributes: dict[str, tuple[int, int]] | None = None

    @property
    def header_end(self) -> int:
        if self._header_end < 0:
            starts = self.text.startswith("[")
            self._header_end = header_end(self.text, self.kind) if starts else int(self.text.startswith("\ufeff"))
        return self._header_end

    @property
    def tag(self) -> str:
        """The section's name; empty before the first header."""
        if self._tag is None:
            self._tag = self._read_tag()
        return self._tag

    def _read_tag(self) -> str:
        if not self.text.startswith("["):
            return ""
        if self.kind == "tags":
            match = _TAG.match(self.text)
            return match[1] if match else ""
        return self.text[1 : self.header_end].removesuffix("]").strip().replace("\\]", "]")

    @property
    def header_is_whole(self) -> bool:
        return not self.text.startswith("[") or is_whole(self.text[: self.header_end], self.kind)

    @property
    def items(self) -> list[Item]:
        """Properties and junk, in order."""
        if self._items is None:
            self._items = items(self.text, self.header_end)
        return self._items

    @property
    def names(self) -> dict[str, int]:
        """Which item a property is; of several with one name the last, as for the engine."""
        if self._names is None:
            self._names = {self.name(item): index for index, item in enumerate(self.items) if item[1] > item[0]}
        return self._names

    def name(self, item: Item) -> str:
        raw = self.text[item[0] : item[1]]
        if raw[0] == '"':
            try:
                return read_string(raw[1:-1])
            except Malformed:
                return raw[1:-1]
        return "".join(raw.split()) if " " in raw or "\t" in raw else raw

    @property
    def attributes(self) -> dict[str, tuple[int, int]]:
        """Where the value of each attribute of the header is."""
        if self._attributes is None:
            self._attributes = attributes(self.text[: self.header_end]) if self.kind == "tags" else {}
        return self._attributes

    def string(self, attribute: str) -> str | None:
        """Return an attribute that should be a string, or None."""
        span = self.attributes.get(attribute)
        if span is None:
            return None
        start, end = span
        raw = self.text[start + 1 : end - 1]
        if self.text[start] == '"' and "\\" not in raw:
            return raw
        value = read_variant(self.text, start, end)
        return value if isinstance(value, str) else None

    @property
    def body_end(self) -> int:
        """Behind the line of the last property, or of the header; what follows is blank or comment."""
        if not self.items and not self.tag:
            return self._preamble_end()
        last = self.items[-1][3] if self.items else self.header_end
        line_end = self.text.find("\n", last)
        return len(self.text) if line_end < 0 else line_end + 1

    def _preamble_end(self) -> int:
        content = len(self.text.rstrip())
        line_end = self.text.find("\n", content)
        if content <= self.header_end:
            return self.header_end
        return len(self.text) if line_end < 0 else line_end + 1
