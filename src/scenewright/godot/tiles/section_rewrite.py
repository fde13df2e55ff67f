"""Sets many properties of one section at once, each new one where the engine would write it.

A section is looked through once, however many tiles it has; what is not named keeps its bytes.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Mapping
from typing import Any

from scenewright.godot.documents.document import Document, Source
from scenewright.godot.documents.section import Section
from scenewright.godot.documents.variant import Variant
from scenewright.godot.documents.variant_writer import write_property_name

__all__ = ["rewritten"]

Rank = Callable[[str], tuple[Any, ...]]
"""The place of a property among the others, to be compared."""

_KEPT = Source("")


def rewritten(
    document: Document, section: Section, changes: Mapping[str, Variant | Source | None], rank: Rank
) -> Document:
    """Return the document with properties of a section set, or removed where the value is None."""
    chunk, newline = section.chunk, document.newline
    lines = _property_lines(section, chunk.header_end)
    header = chunk.text[: lines[0][1]] if lines else chunk.text[: chunk.body_end]
    ranks: list[tuple[Any, ...]] = []
    texts: list[str] = []
    waiting = dict(changes)
    for name, start, end in lines:
        value = waiting.pop(name) if name in waiting else _KEPT
        if value is not None:
            ranks.append(rank(name))
            texts.append(chunk.text[start:end] if value is _KEPT else _write_line(document, name, value, newline))
    for name, value in waiting.items():
        if value is not None:
            place = bisect_right(ranks, rank(name))
            ranks.insert(place, rank(name))
            texts.insert(place, _write_line(document, name, value, newline))
    if not header.endswith("\n"):
        header += newline
    tail = chunk.text[chunk.body_end :]
    return document.replaced({section.index: header + "".join(texts) + tail})


def _property_lines(section: Section, header_end: int) -> list[tuple[str, int, int]]:
    """Name, start and end of each property with the lines it takes; comments belong to the one behind them."""
    text, properties = section.chunk.text, section.properties
    start = text.find("\n", header_end) + 1
    lines: list[tuple[str, int, int]] = []
    for property_ in properties:
        end = text.find("\n", property_.value_end) + 1 or len(text)
        lines.append((property_.name, start, end))
        start = end
    return lines


def _write_line(document: Document, name: str, value: Variant | Source, newline: str) -> str:
    return f"{write_property_name(name)} = {document.write(value, newline)}{newline}"
