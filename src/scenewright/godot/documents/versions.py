"""The version of the engine that a project is for, and what older ones read in another form than 4.6 writes."""

from __future__ import annotations

import re

from scenewright.godot.documents.document import Document
from scenewright.godot.documents.settings import find_setting
from scenewright.godot.documents.variant import Dictionary, PackedStringArray, StringName

__all__ = ["Version", "in_older_form", "made_with", "may_need_older_form"]

Version = tuple[int, int]

_VERSION = re.compile(r"^(\d+)\.(\d+)$")
_LIBRARY = "libraries/"
_LIBRARIES_APART_SINCE: Version = (4, 6)


def made_with(settings: Document) -> Version | None:
    """Return the version that project.godot names, which is that of the editor it was last open in."""
    listed = find_setting(settings, "application/config/features")
    marks = listed.value.items if listed is not None and isinstance(listed.value, PackedStringArray) else ()
    match = next((match for mark in marks if (match := _VERSION.match(mark))), None)
    return (int(match[1]), int(match[2])) if match else None


def may_need_older_form(content: bytes) -> bool:
    """Return whether a file holds anything that older engines read in another form; most do not."""
    return b"\n" + _LIBRARY.encode() in content


def in_older_form(document: Document, version: Version | None) -> Document:
    """Return a scene that an engine of this version reads as meant; of any version, if it is unknown."""
    if version is not None and version >= _LIBRARIES_APART_SINCE:
        return document
    for section in document.tagged("node"):
        apart = [library for library in section.properties if library.name.startswith(_LIBRARY)]
        if apart:
            document = _with_libraries_in_one(document, section.index, [library.name for library in apart])
    return document


def _with_libraries_in_one(document: Document, index: int, names: list[str]) -> Document:
    """An animation player's libraries as a dictionary; kept apart, an engine before 4.6 would not see them."""
    section = document.sections[index - 1]
    known = section.value("libraries")
    entries = dict(known.entries) if isinstance(known, Dictionary) else {}
    for name in names:
        entries[StringName(name.removeprefix(_LIBRARY))] = section.value(name)
    document = document.set_property(section, "libraries", Dictionary(tuple(entries.items())), before=names[0])
    for name in names:
        document = document.remove_property(document.sections[index - 1], name)
    return document
