"""The presets of export_presets.cfg, read and written as the editor does."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec

from scenewright.core.faults import Conflict, Invalid, NotFound, did_you_mean
from scenewright.godot.classes.index import ClassIndex
from scenewright.godot.documents.document import Document, Source
from scenewright.godot.documents.section import Section
from scenewright.godot.documents.variant import PackedStringArray, Variant
from scenewright.godot.documents.variant_reader import parse_variant
from scenewright.godot.export.platforms import Platform, own_properties, platform_named
from scenewright.godot.project.workspace import Workspace
from scenewright.godot.values.coercion import coerce
from scenewright.godot.values.context import EngineOnly
from scenewright.godot.values.elements import of_type
from scenewright.godot.values.literals import type_name
from scenewright.godot.values.placement import place

__all__ = ["FILE", "Preset", "Presets"]

FILE = "export_presets.cfg"
_FIRST = ("name", "platform", "runnable")
_FIXED = ("name", "platform", "export_path", "runnable")  # set by parameters of their own
_FILES = "export_files"


class Preset(msgspec.Struct, frozen=True):
    """A preset: its place in the file, and what the file says of it."""

    number: int
    name: str
    platform: str
    own: dict[str, Variant]
    options: dict[str, Variant]

    @property
    def export_path(self) -> str:
        return str(self.own.get("export_path") or "")

    @property
    def runnable(self) -> bool:
        return self.own.get("runnable") is True


class Presets:
    """The presets of a project; an edit is staged at once."""

    def __init__(self, workspace: Workspace, index: ClassIndex) -> None:
        self._workspace = workspace
        self._index = index
        self._document = workspace.document(FILE) if workspace.files.exists(FILE) else Document.parse(b"", FILE)

    def all(self) -> list[Preset]:
        """Return the presets in order; as for the engine, they end with the first number that is not there."""
        presets: list[Preset] = []
        while (section := self._document.find(f"preset.{len(presets)}")) is not None:
            options = self._document.find(f"{section.tag}.options")
            own = section.values()
            presets.append(
                Preset(
                    len(presets),
                    str(own.get("name") or ""),
                    str(own.get("platform") or ""),
                    own,
                    options.values() if options else {},
                )
            )
        return presets

    def named(self, name: str) -> Preset:
        """Return a preset by its name; raise NotFound if there is none."""
        known = self.all()
        preset = next((each for each in known if each.name == name), None)
        if preset is None:
            names = [each.name for each in known]
            listed = f"There are: {', '.join(names)}." if names else "Make one with add_export_preset."
            raise NotFound(f"There is no export preset '{name}'.", hint=did_you_mean(name, names) or listed)
        return preset

    def add(self, name: str | None, platform: str, export_path: str, given: Mapping[str, Any]) -> str:
        """Add a preset with all that the editor would write of it, and return its name.

        Raises:
            NotFound: there is no such platform.
            Conflict: there is a preset of that name.
        """
        real, declared = platform_named(platform)
        known = self.all()
        name = name or _free_name(real, {each.name for each in known})
        self._refuse_taken(name)
        runnable = not any(each.runnable and each.platform == real for each in known)
        values: list[tuple[str, Variant | Source]] = [("name", name), ("platform", real), ("runnable", runnable)]
        for key, text in own_properties().options.items():
            values.append((key, Source(text)))
            if key == "exclude_filter":  # where the editor has it
                values.append(("export_path", export_path))
        tag = f"preset.{len(known)}"
        document = self._document
        options = [(key, Source(text)) for key, text in declared.options.items()]
        texts = [document.new_section(tag, (), values), document.new_section(f"{tag}.options", (), options)]
        self._document = document.insert_all(texts, document.sections[-1] if document.sections else document.preamble)
        self.edit(name, given, {})
        return name

    def edit(self, name: str, own: Mapping[str, Any], options: Mapping[str, Any]) -> None:
        """Set properties of a preset and options of its platform.

        Raises:
            NotFound: there is no such preset, property or option.
            Invalid: a value is of another type.
        """
        preset = self.named(name)
        _, declared = platform_named(preset.platform)
        tag = f"preset.{preset.number}"
        fresh = [
            (key, self._coerce_value(key, given, own_properties(), preset.own, "properties"))
            for key, given in own.items()
        ]
        settings = [
            (key, self._coerce_value(key, given, declared, preset.options, "options")) for key, given in options.items()
        ]
        self._refuse_missing_files(dict(fresh))
        for key, value in fresh:
            before = _following_key(key, self._section(tag))
            self._document = self._document.set_property(self._section(tag), key, value, before=before)
        for key, value in settings:
            self._document = self._document.set_property(self._section(f"{tag}.options"), key, value)
        self._workspace.save(FILE, self._document)

    def set_fixed(self, name: str, key: str, value: Variant) -> None:
        """Set what is not an option: name, export_path, runnable."""
        preset = self.named(name)
        if key == "name":
            self._refuse_taken(str(value), but=preset)
        self._document = self._document.set_property(self._section(f"preset.{preset.number}"), key, value)
        if key == "runnable" and value:
            self._only_runnable(preset)
        self._workspace.save(FILE, self._document)

    def _only_runnable(self, preset: Preset) -> None:
        """Of a platform one preset is run with one click."""
        for other in self.all():
            if other.platform == preset.platform and other.number != preset.number and other.runnable:
                section = self._section(f"preset.{other.number}")
                self._document = self._document.set_property(section, "runnable", False)

    def _refuse_taken(self, name: str, but: Preset | None = None) -> None:
        if any(each.name == name for each in self.all() if each != but):
            raise Conflict(
                f"An export preset '{name}' exists already.",
                hint="Choose another name, or edit it with edit_export_preset.",
                retryable=False,
            )

    def _section(self, tag: str) -> Section:
        section = self._document.find(tag)
        if section is None:  # a file that was written by hand
            sections = self._document.sections
            self._document = self._document.insert(self._document.new_section(tag), sections[-1])
            section = self._document.find(tag)
        assert section is not None
        return section

    def _coerce_value(
        self, key: str, given: Any, declared: Platform, now: Mapping[str, Variant], parameter: str
    ) -> Variant:
        if key == _FILES and parameter == "properties":
            default: Variant = PackedStringArray(())
        elif key in declared.options:
            default = parse_variant(declared.options[key])
        elif key in now and key not in _FIXED:
            default = now[key]  # of a plugin, or of another version
        else:
            known = [*declared.options, *([_FILES] if parameter == "properties" else [])]
            near = did_you_mean(key, known)
            listed = f"Among: {', '.join(known[:30])}."
            raise NotFound(f"A preset has no '{key}' in {parameter}.", hint=near or listed)
        names = declared.choices.get(key)
        if names and isinstance(given, str):
            return _choose_value(key, given, names, default, parameter)
        kind = of_type(type_name(default), "EditorExportPreset", key, self._index)
        _, value = place(self._document, coerce(given, kind, EngineOnly(self._index)))
        return value

    def _refuse_missing_files(self, own: Mapping[str, Variant]) -> None:
        listed = own.get(_FILES)
        for path in listed.items if isinstance(listed, PackedStringArray) else ():
            if not self._workspace.files.exists(self._workspace.place(path)):
                raise NotFound(f"There is no file '{path}', which export_files names.")


def _choose_value(key: str, given: str, names: list[str], default: Variant, parameter: str) -> Variant:
    choice = next((name for name in names if name.casefold() == given.casefold()), None)
    if choice is None and not (isinstance(default, int) and given.isdecimal()):
        raise Invalid(
            f"'{key}' cannot be '{given}'.",
            path=f"input.{parameter}.{key}",
            rule="enum",
            hint=f"One of: {', '.join(names)}.",
        )
    if isinstance(default, int):
        return names.index(choice) if choice is not None else int(given)
    return choice


def _following_key(key: str, section: Section) -> str | None:
    """What the editor writes behind a property that only some presets have."""
    return "include_filter" if key == _FILES and section.find("include_filter") else None


def _free_name(platform: str, taken: set[str]) -> str:
    number = 1
    while (name := platform if number == 1 else f"{platform} {number}") in taken:
        number += 1
    return name
