"""Which resources of a file its sections use, found in the text without reading the values."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable

from scenewright.godot.documents.document import Document
from scenewright.godot.documents.section import Section
from scenewright.godot.documents.variant import ExtResource, SubResource

__all__ = ["Reference", "declared_id", "references", "rename_reference", "resource_sections", "unused_without"]

Reference = ExtResource | SubResource
# A string is taken whole, so that what it only talks about does not count.
_REFERENCE = re.compile(
    r'\b(Ext|Sub)Resource\(\s*+(?:"([^"\\]*+)"|([0-9]++))\s*+\)|(?<!\\)"(?:[^"\\]++|\\.)*+"', re.DOTALL
)
_KINDS: dict[str, Callable[[str], Reference]] = {"Ext": ExtResource, "Sub": SubResource}


def references(text: str) -> set[Reference]:
    """Return the resources that a text refers to."""
    if "Resource(" not in text:
        return set()
    return {
        _KINDS[kind](name if name is not None else number)
        for kind, name, number in (match.groups() for match in _REFERENCE.finditer(text))
        if kind is not None
    }


def rename_reference(text: str, old: Reference, new: str) -> str:
    """Return the text with one resource's id changed wherever it is referred to."""

    def renamed(match: re.Match[str]) -> str:
        kind, name, number = match.groups()
        if kind is None or _KINDS[kind](name if name is not None else number) != old:
            return match[0]
        return f'{kind}Resource("{new}")'

    return _REFERENCE.sub(renamed, text)


def resource_sections(document: Document) -> dict[Reference, Section]:
    """Return the section that declares each resource."""
    sections: dict[Reference, Section] = {}
    for tag, kind in (("ext_resource", ExtResource), ("sub_resource", SubResource)):
        for section in document.tagged(tag):
            sections[kind(declared_id(section))] = section
    return sections


def declared_id(section: Section) -> str:
    """Return the id that a resource's section gives it; a number in files of Godot 3."""
    text = section.string("id")
    return text if text is not None else str(section.known("id") or "")


def unused_without(document: Document, removed: Iterable[Section]) -> list[Section]:
    """Return the resources that become unused once some sections are gone; those unused before stay."""
    declared = resource_sections(document)
    gone = {section.index: section for section in removed}
    uses = {section.index: references(section.text) for section in document.sections}
    released: list[Section] = []
    while True:
        kept: set[Reference] = set().union(*(used for index, used in uses.items() if index not in gone))
        freed = set().union(*(uses[index] for index in gone)) - kept
        sections = [declared[name] for name in freed if name in declared and declared[name].index not in gone]
        if not sections:
            return released
        released += sections
        gone.update({section.index: section for section in sections})
