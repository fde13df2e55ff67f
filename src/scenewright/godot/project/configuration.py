"""project.godot as one call sees it: settings by name, each with what the engine declares of it."""

from __future__ import annotations

import re
from functools import cached_property
from typing import Any

import msgspec

from scenewright.core.faults import Invalid, NotFound, did_you_mean
from scenewright.godot.classes.index import ClassIndex
from scenewright.godot.classes.records import Property
from scenewright.godot.classes.variant import Hint
from scenewright.godot.documents.document import Document
from scenewright.godot.documents.settings import find_setting, remove_setting, set_setting, setting_names
from scenewright.godot.documents.variant import Variant
from scenewright.godot.documents.variant_reader import parse_variant
from scenewright.godot.project.addresses import Addresses
from scenewright.godot.project.workspace import Workspace
from scenewright.godot.values.coercion import coerce
from scenewright.godot.values.context import EngineOnly
from scenewright.godot.values.elements import ANY, of_type
from scenewright.godot.values.literals import type_name
from scenewright.godot.values.placement import place
from scenewright.godot.values.tree import File

__all__ = ["FILE", "Configuration"]

FILE = "project.godot"
_NAME = re.compile(r"[^/\[\]\"=;:\\\x00-\x20][^\[\]\"=;\\\x00-\x1f]*")
_OPEN = ("input/", "layer_names/")  # sections of the engine that take any name


class Configuration:
    """The settings of a project; an edit is staged with `save`."""

    def __init__(self, workspace: Workspace, index: ClassIndex, *, file: str = FILE) -> None:
        self._workspace = workspace
        self._file = file  # elsewhere only where a project is begun in a folder of another
        self.index = index
        self.document: Document = workspace.document(file)

    def names(self) -> list[str]:
        """Return the names of the settings that the file sets, in its order."""
        return list(dict.fromkeys(setting_names(self.document)))

    def value(self, name: str) -> Variant:
        """Return a setting: the file's, else the engine's default, else None."""
        setting = find_setting(self.document, name)
        return self.default(name) if setting is None else setting.value

    def has(self, name: str) -> bool:
        return find_setting(self.document, name) is not None

    def text(self, name: str) -> str:
        value = self.value(name)
        return value if isinstance(value, str) else ""

    def below(self, section: str) -> list[str]:
        """Return the file's settings of a section, without its name."""
        start = f"{section}/"
        return [name.removeprefix(start) for name in self.names() if name.startswith(start)]

    def default(self, name: str) -> Variant:
        known = self.known(name)
        return parse_variant(known.default) if known is not None and known.default else None

    @cached_property
    def declared(self) -> dict[str, Property]:
        """The engine's own settings."""
        return {setting.name: setting for setting in self.index.properties("ProjectSettings", inherited=False)}

    def known(self, name: str) -> Property | None:
        """Return the engine's declaration of a setting; one for a feature (`….mobile`) has the setting's own."""
        declared = self.declared.get(name) or self.declared.get(re.sub(r"\.[^./]+$", "", name))
        if declared is not None and (declared.default or "").startswith("Packed"):
            packed = (declared.default or "").partition("(")[0]  # the engine calls some of them a String
            return msgspec.structs.replace(declared, type=packed, variant=packed)
        return declared

    def set(self, name: str, value: Variant) -> None:
        self.document = set_setting(self.document, name, value)

    def remove(self, name: str) -> None:
        """Remove a setting. Raises: NotFound."""
        if not self.has(name):
            raise NotFound(f"The project does not set '{name}'.", hint=did_you_mean(name, self.names()))
        self.document = remove_setting(self.document, name)

    def save(self) -> None:
        self._workspace.save(self._file, self.document)

    def check_name(self, name: str, *, custom: bool) -> None:
        """Refuse what cannot be a setting, and what is most likely a typo.

        Raises:
            Invalid, NotFound
        """
        if not _NAME.fullmatch(name) or "/" not in name.strip("/") or name != name.strip("/"):
            raise Invalid(
                f"'{name}' is not a setting name.",
                path="input.key",
                rule="name",
                hint="Use a section and a key, such as 'application/config/name'.",
            )
        section = f"{name.partition('/')[0]}/"
        ours = section not in _OPEN and any(known.startswith(section) for known in self.declared)
        if ours and not custom and self.known(name) is None and not self.has(name):
            hint = did_you_mean(name, list(self.declared)) or ""
            raise NotFound(
                f"The engine has no setting '{name}'.", hint=f"{hint} custom: true sets one of your own.".strip()
            )

    def coerced(self, name: str, value: Any) -> Variant:
        """Return a value as the setting holds it: by its declared type, its current type, or the form it comes in.

        Raises:
            Invalid, NotFound
        """
        wanted = self.known(name) or self._as_it_is(name)
        if wanted.variant in ("String", "Nil") and isinstance(value, str) and value.startswith(("res://", "uid://")):
            self._check_file(wanted, value)
            return value
        _, stored = place(self.document, coerce(value, wanted, _Files(self._workspace, self.index)))
        if wanted.hint == Hint.FILE and isinstance(stored, str) and stored and "://" not in stored:
            stored = self._workspace.resource_path(stored)
            self._check_file(wanted, stored)
        return stored

    def _as_it_is(self, name: str) -> Property:
        setting = find_setting(self.document, name)
        if setting is None or setting.value is None:
            return msgspec.structs.replace(ANY, owner="ProjectSettings", name=name)
        return of_type(type_name(setting.value), "ProjectSettings", name, self.index)

    def _check_file(self, wanted: Property, address: str) -> None:
        if wanted.hint == Hint.FILE:
            Addresses(self._workspace).file(address)


class _Files(EngineOnly):
    """What a value may name here: the engine's classes and the project's files."""

    def __init__(self, workspace: Workspace, index: ClassIndex) -> None:
        super().__init__(index)
        self._addresses = Addresses(workspace)

    def file(self, address: str) -> File:
        return self._addresses.file(address)
