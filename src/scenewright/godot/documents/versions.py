"""The version of the engine that a project is for, and what older ones read in another form than 4.6 writes."""

from __future__ import annotations

import re

from scenewright.godot.documents.document import Document
from scenewright.godot.documents.edit_batch import Batch
from scenewright.godot.documents.resources import with_load_steps
from scenewright.godot.documents.settings import find_setting
from scenewright.godot.documents.variant import Dictionary, PackedStringArray, StringName

__all__ = ["Version", "in_form_of", "made_with", "older_form"]

Version = tuple[int, int]

_VERSION = re.compile(r"^(\d+)\.(\d+)$")
_LIBRARY = "libraries/"
_OF_GODOT_4 = 5  # config_version
_NEWER_FORM: Version = (4, 6)  # since then libraries stand apart, nodes have ids and files no count of resources
_IDS = {"node": ("unique_id", "parent_id_path", "owner_uid_path"), "connection": ("from_uid_path", "to_uid_path")}
_ID_IN_TEXT = b" unique_id="
_RESOURCE = re.compile(rb"^\[(?:ext|sub)_resource ", re.MULTILINE)


def made_with(settings: Document) -> Version | None:
    """Return the version that project.godot names, which is that of the editor it was last open in."""
    listed = find_setting(settings, "application/config/features")
    marks = listed.value.items if listed is not None and isinstance(listed.value, PackedStringArray) else ()
    match = next((match for mark in marks if (match := _VERSION.match(mark))), None)
    return (int(match[1]), int(match[2])) if match else None


def older_form(settings: Document) -> int | None:
    """Return the format of a project.godot that an engine before Godot 4 wrote."""
    named = find_setting(settings, "config_version")
    value = named.value if named is not None else None
    return value if isinstance(value, int) and 0 < value < _OF_GODOT_4 else None


def in_form_of(version: Version | None, document: Document, before: bytes | None) -> bytes:
    """Return a file as an engine of this version writes it; so that any reads it as meant, if it is unknown.

    What `before`, the file until now, has in the form of a newer engine stays so: that one wrote it.
    """
    content = document.to_bytes()
    if version is not None and version >= _NEWER_FORM:
        return content
    if _has_libraries_apart(content) and not _has_libraries_apart(before or b""):
        document = _with_libraries_in_one(document)
    if version is not None and _is_in_newer_form(content) and not _is_in_newer_form(before or b""):
        document = with_load_steps(_without_ids(document), is_wanted=True)
    return document.to_bytes()


def _has_libraries_apart(content: bytes) -> bool:
    return b"\n" + _LIBRARY.encode() in content


def _is_in_newer_form(content: bytes) -> bool:
    """Whether nodes have ids, or there are resources and no count of them."""
    if _ID_IN_TEXT in content:
        return True
    return _RESOURCE.search(content) is not None and b"load_steps=" not in content.partition(b"\n")[0]


def _without_ids(document: Document) -> Document:
    batch = Batch(document)
    for tag, names in _IDS.items():
        for section in document.tagged(tag):
            for name in names:
                if name in section.chunk.attributes:
                    batch.remove_attribute(section, name)
    return batch.done()


def _with_libraries_in_one(document: Document) -> Document:
    """Players' libraries as one dictionary each; kept apart, an engine before 4.6 would not see them."""
    for section in document.tagged("node"):
        apart = [library for library in section.properties if library.name.startswith(_LIBRARY)]
        if apart:
            document = _with_dictionary(document, section.index, [library.name for library in apart])
    return document


def _with_dictionary(document: Document, index: int, names: list[str]) -> Document:
    section = document.sections[index - 1]
    known = section.value("libraries")
    entries = dict(known.entries) if isinstance(known, Dictionary) else {}
    for name in names:
        entries[StringName(name.removeprefix(_LIBRARY))] = section.value(name)
    document = document.set_property(section, "libraries", Dictionary(tuple(entries.items())), before=names[0])
    for name in names:
        document = document.remove_property(document.sections[index - 1], name)
    return document
