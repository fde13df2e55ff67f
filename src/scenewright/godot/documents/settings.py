"""Settings of project.godot and other configuration files, by the engine's names: `application/config/name`.

The first part is the section, the rest the key; a name without a slash stands before the first section.
"""

from __future__ import annotations

from scenewright.godot.documents.document import Document, Source
from scenewright.godot.documents.errors import EditError
from scenewright.godot.documents.section import Section, SectionProperty
from scenewright.godot.documents.variant import Variant

__all__ = ["find_setting", "remove_setting", "set_setting", "setting_names"]


def setting_names(document: Document) -> list[str]:
    """Return every setting the file has, in order."""
    names = [property_.name for property_ in document.preamble.properties]
    return names + [
        f"{section.tag}/{property_.name}" for section in document.sections for property_ in section.properties
    ]


def find_setting(document: Document, name: str) -> SectionProperty | None:
    """Return a setting by name; of a section that is there twice, the last to set it."""
    tag, key = _split_name(name)
    settings = (section.find(key) for section in reversed(_sections_tagged(document, tag)))
    return next((setting for setting in settings if setting is not None), None)


def set_setting(document: Document, name: str, value: Variant | Source) -> Document:
    """Set a setting; a new section of project.godot goes in alphabetical order, as the engine saves them."""
    tag, key = _split_name(name)
    known = find_setting(document, name)
    if known is not None:
        return document.set_property(known.section, key, value)
    sections = _sections_tagged(document, tag)
    if sections:
        return document.set_property(sections[-1], key, value)
    return document.insert(document.new_section(tag, (), [(key, value)]), _place_for(document, tag))


def remove_setting(document: Document, name: str) -> Document:
    """Remove a setting, and its section with the last of them.

    Raises:
        EditError: there is none of that name.
    """
    known = find_setting(document, name)
    if known is None:
        raise EditError(f"There is no setting '{name}' to remove.")
    section = known.section
    if section.tag and len(section.properties) == 1:
        return document.remove([section])
    return document.remove_property(section, known.name)


def _split_name(name: str) -> tuple[str, str]:
    tag, slash, key = name.partition("/")
    return (tag, key) if slash else ("", name)


def _sections_tagged(document: Document, tag: str) -> list[Section]:
    return list(document.tagged(tag)) if tag else [document.preamble]


def _place_for(document: Document, tag: str) -> Section:
    sections = document.sections
    if not (document.path or "").endswith("project.godot"):
        return sections[-1] if sections else document.preamble
    return next((section for section in reversed(sections) if section.tag < tag), document.preamble)
