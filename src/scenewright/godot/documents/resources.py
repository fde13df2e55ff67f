"""Edits of the resources a scene or resource file declares, as the engine would write them.

A resource stands before whatever refers to it; `load_steps` is kept right where the file has it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from scenewright.core.faults import NotFound, did_you_mean
from scenewright.godot.documents import ids
from scenewright.godot.documents.document import Document, Source
from scenewright.godot.documents.edit_batch import Batch
from scenewright.godot.documents.errors import EditError
from scenewright.godot.documents.references import (
    Reference,
    references,
    rename_reference,
    resource_sections,
    unused_without,
)
from scenewright.godot.documents.scene import external_files, inner_resources
from scenewright.godot.documents.section import Section
from scenewright.godot.documents.variant import ExtResource, SubResource, Variant

__all__ = [
    "add_external_file",
    "add_inner_resource",
    "remove_resource",
    "remove_sections",
    "rename_resource_id",
    "resource_section",
    "set_resource_properties",
    "used_resources",
    "with_load_steps",
    "without_released",
]


def add_external_file(document: Document, kind: str, path: str, uid: str | None = None) -> tuple[Document, str]:
    """Declare a file and return its id; a file that is already declared keeps its id."""
    known = external_files(document)
    for file in known:
        if file.path == path or (uid is not None and file.uid == uid):
            return document, file.id
    name = ids.new_ext_resource_id(file.id for file in known)
    uids: list[tuple[str, Variant]] = [] if uid is None else [("uid", uid)]
    text = document.new_section("ext_resource", [("type", kind), *uids, ("path", path), ("id", name)])
    after = known[-1].section if known else _find_header(document)
    return with_load_steps(document.insert(text, after)), name


def add_inner_resource(
    document: Document,
    kind: str,
    properties: Mapping[str, Variant | Source] | None = None,
    *,
    before: Section | None = None,
) -> tuple[Document, str]:
    """Declare a resource inside the file and return its id; `before` is a resource that will refer to it."""
    known = inner_resources(document)
    name = ids.new_sub_resource_id(kind, (resource.id for resource in known))
    text = document.new_section("sub_resource", [("type", kind), ("id", name)], (properties or {}).items())
    if before is not None:
        after = _section_before(document, before)
    elif known:
        after = known[-1].section
    else:
        files = external_files(document)
        after = files[-1].section if files else _find_header(document)
    return with_load_steps(document.insert(text, after)), name


def resource_section(document: Document, reference: Reference) -> Section:
    """Return the section that declares a resource.

    Raises:
        NotFound: there is none.
    """
    declared = resource_sections(document)
    if reference not in declared:
        known = [other.id for other in declared if type(other) is type(reference)]
        kind = "file" if isinstance(reference, ExtResource) else "resource"
        raise NotFound(f"There is no {kind} with the id '{reference.id}'.", hint=did_you_mean(reference.id, known))
    return declared[reference]


def set_resource_properties(
    document: Document,
    reference: SubResource,
    properties: Mapping[str, Variant | Source],
    *,
    rank: Callable[[str], Any] | None = None,
) -> Document:
    """Set properties of a resource inside the file, and move what it then refers to in front of it."""
    batch, section = Batch(document), resource_section(document, reference)
    for name, value in properties.items():
        batch.set_property(section, name, value, rank=rank)
    return _order_resources(batch.done(), reference, ())


def remove_resource(document: Document, reference: Reference) -> Document:
    """Remove a resource that nothing uses, and what only it used.

    Raises:
        EditError: something uses it.
    """
    section = resource_section(document, reference)
    users = [
        other for other in document.sections if other.index != section.index and reference in references(other.text)
    ]
    if users:
        raise EditError(
            f"The resource '{reference.id}' is still used on line {users[0].line}.",
            hint="Remove or replace what refers to it first.",
        )
    return remove_sections(document, [section])


def remove_sections(document: Document, sections: Iterable[Section]) -> Document:
    """Remove sections together with the resources that only they used."""
    gone = list(sections)
    return with_load_steps(document.remove([*gone, *unused_without(document, gone)]))


def rename_resource_id(document: Document, reference: Reference, new: str) -> Document:
    """Give a resource another id, wherever it is declared or referred to."""
    section = resource_section(document, reference)
    if type(reference)(new) in resource_sections(document):
        raise EditError(f"The id '{new}' is taken.")
    document = document.set_attribute(section, "id", new)
    texts = {other.index: other.text for other in document.sections if reference in references(other.text)}
    return document.replaced({index: rename_reference(text, reference, new) for index, text in texts.items()})


def used_resources(document: Document) -> set[Reference]:
    """Return every resource that some section refers to."""
    return {reference for section in document.sections for reference in references(section.text)}


def without_released(document: Document, before: set[Reference]) -> Document:
    """Return the document without the resources that were in use before and no longer are."""
    while True:
        used = used_resources(document)
        declared = resource_sections(document)
        released = [declared[reference] for reference in declared if reference in before and reference not in used]
        if not released:
            return with_load_steps(document)
        document = document.remove(released)


def with_load_steps(document: Document, *, is_wanted: bool = False) -> Document:
    """Return the document with the header's count of resources corrected, if it has one or it is wanted."""
    header = _find_header(document)
    if "load_steps" not in header.chunk.attributes and not is_wanted:
        return document
    count = len(document.tagged("ext_resource")) + len(document.tagged("sub_resource")) + 1
    if count == 1:  # the engine leaves it out then
        return document.remove_attribute(header, "load_steps")
    if header.attribute("load_steps") == count:
        return document
    return document.set_attribute(header, "load_steps", count)


def _find_header(document: Document) -> Section:
    for section in document.sections[:1]:
        if section.tag in ("gd_scene", "gd_resource"):
            return section
    raise EditError(f"{document.path or 'This text'} does not start with [gd_scene] or [gd_resource].")


def _section_before(document: Document, section: Section) -> Section:
    return document.preamble if section.index == 1 else document.sections[section.index - 2]


def _order_resources(document: Document, reference: SubResource, chain: tuple[SubResource, ...]) -> Document:
    """Everything that a resource refers to, in front of it."""
    if reference in chain:
        raise EditError(f"The resource '{reference.id}' would contain itself.")
    section = resource_section(document, reference)
    declared = resource_sections(document)
    for used in sorted(references(section.text), key=lambda used: used.id):
        if isinstance(used, SubResource) and used in declared:
            document = _moved_before(document, used, reference)
            document = _order_resources(document, used, (*chain, reference))
    return document


def _moved_before(document: Document, used: SubResource, user: SubResource) -> Document:
    section, behind = resource_section(document, used), resource_section(document, user)
    if section.index < behind.index:
        return document
    text = section.text[: section.chunk.body_end]
    document = document.remove([section])
    return document.insert(text, _section_before(document, resource_section(document, user)))
