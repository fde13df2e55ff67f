"""Where each instance of a Rojo project came from, and what its file says of it."""

from __future__ import annotations

import os
from dataclasses import dataclass, field
from typing import Any

from scenewright.core.projects.file_names import is_unicode
from scenewright.core.writes.changeset import Changeset
from scenewright.roblox.place.documents import FileDocument
from scenewright.roblox.place.rojo.rules import Rules
from scenewright.roblox.properties import write
from scenewright.roblox.tree import Instance
from scenewright.roblox.values import Value

__all__ = ["STORE", "Origin", "Origins", "names_in", "say"]


@dataclass(slots=True, eq=False)
class Origin:
    """Where an instance came from."""

    kind: str  # node, folder, script, data, text, table, model, file or inside
    path: str = ""  # its file or folder, from the project's root
    meta: str = ""  # where its metadata is, or would be
    init: str = ""  # of a folder, the file that it is
    project: str = ""  # of a node, its project file
    keys: tuple[str, ...] = ()  # and its place there
    inferred: bool = False  # whether its class follows from its name there
    holder: str = ""  # of the root of a project inside another, the project's file or folder
    document: FileDocument | None = None  # of what is in a .rbxm or .rbxmx file
    rules: Rules = Rules()  # noqa: RUF009 - it never changes
    values: dict[str, Value] = field(default_factory=dict)
    given: dict[str, Any] = field(default_factory=dict)  # properties as the JSON says them
    made: dict[str, list[str]] = field(default_factory=dict)  # the stored names that each of them became
    attributes: dict[str, Any] = field(default_factory=dict)  # and attributes
    rest: dict[str, Any] = field(default_factory=dict)  # the other keys: id, ignoreUnknownInstances, $schema
    stated: set[str] = field(default_factory=set)  # the properties that the project itself says
    raw: bytes | None = None  # of a data file, its content
    parent: Instance | None = None

    @property
    def is_node(self) -> bool:
        return bool(self.project)


class _Values:
    """The properties of instances that were read from text files."""

    def names(self, row: Any) -> list[str]:
        return ["Name", *row.values]

    def value(self, row: Any, name: str) -> Value | None:
        value: Value | None = row.values.get(name)
        return value


STORE = _Values()


def say(instance: Instance, name: str, value: Value) -> list[str]:
    """Take a property as what the files say: under its stored name and without a mark of change. The names it took."""
    marked = [each for each in (instance, *instance.ancestors()) if not each.dirty]
    changes, instance.changes = instance.changes, None
    write(instance, name, value)
    made: dict[str, Value | None] = instance.changes or {}
    instance.changes = changes
    for each in marked:
        each.dirty = False
    if instance.source is STORE:
        instance.row.values.update(made)
    else:
        instance.changes = (changes or {}) | made
    return list(made)


class Origins:
    """The origin of each instance; instances are held, so that an id stays theirs."""

    def __init__(self) -> None:
        self._known: dict[int, tuple[Instance, Origin]] = {}
        self._inside: dict[int, Instance | None] = {}

    def of(self, instance: Instance | None) -> Origin | None:
        entry = self._known.get(id(instance))
        return entry[1] if entry else None

    def parent_of(self, instance: Instance, origin: Origin) -> Instance | None:
        """Return the parent that an instance had when it was read."""
        return self._inside.get(id(instance), origin.parent)

    def put(self, instance: Instance, origin: Origin) -> None:
        self._known[id(instance)] = (instance, origin)

    def put_inside(self, root: Instance, document: FileDocument) -> None:
        """All below the root of a model file, which may be many and are alike."""
        origin = Origin("inside", document=document)
        for below in root.walk():
            if below is not root:
                self._known[id(below)] = (below, origin)
                self._inside[id(below)] = below.parent

    def pairs(self) -> list[tuple[Instance, Origin]]:
        return list(self._known.values())


def names_in(files: Changeset, folder: str) -> list[str]:
    """Return the names in a folder, sorted, as the call sees it: staged files included."""
    place = files.project.locate(folder or ".")
    names = set(filter(is_unicode, os.listdir(place))) if os.path.isdir(place) else set()
    prefix = f"{folder}/" if folder else ""
    gone = set()
    for change in files.changes():
        if change.path.startswith(prefix):
            name, _, below = change.path[len(prefix) :].partition("/")
            if change.after is not None:
                names.add(name)
            elif not below:
                gone.add(name)
    return sorted(names - gone)
