"""The engine's classes, properties and enums, read from the shipped database at the first question.

A property has one canonical name, by which scripts know it, and perhaps another under which files store it; older
names are aliases, and some properties have moved to others altogether.
"""

from __future__ import annotations

import gzip
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache, cached_property
from pathlib import Path
from typing import Any

import msgspec

__all__ = ["SHIPPED", "ClassProperty", "Database", "database"]

SHIPPED = Path(__file__).parent / "data" / "reflection.json.gz"
_MOST_SUPERCLASSES = 32
# Properties that no file holds: they only show another one, which files hold; and how one becomes the other.
_VIEWS = {
    ("Lighting", "ClockTime"): "^ClockTimeToTimeOfDay:TimeOfDay",
    ("Humanoid", "Health"): "^Same:Health_XML",
    ("Model", "WorldPivot"): "^CFrameToOptional:WorldPivotData",
}


@dataclass(frozen=True, slots=True)
class ClassProperty:
    """A property as a class declares it."""

    name: str
    owner: str
    kind: str  # "Vector3", or "Enum.Material"
    scriptability: str  # "ReadWrite", "Read", "None" or "Custom"
    tags: tuple[str, ...]
    storage: str

    @property
    def alias_for(self) -> str | None:
        return self.storage[1:] if self.storage.startswith("@") else None

    @property
    def stored_as(self) -> str | None:
        """The name under which files hold it; None where they do not, or where it moved to another property."""
        if self.storage.startswith("="):
            return self.storage[1:]
        return self.name if self.storage == "" else None

    @property
    def moved_to(self) -> tuple[str, tuple[str, ...]] | None:
        """How it is converted, and the properties that hold it now."""
        if not self.storage.startswith((">", "^")):
            return None
        how, _, names = self.storage[1:].partition(":")
        return how, tuple(names.split(","))

    @property
    def is_view(self) -> bool:
        """Whether it only shows the property that `moved_to` names, today as ever."""
        return self.storage.startswith("^")

    @property
    def enum(self) -> str | None:
        return self.kind[5:] if self.kind.startswith("Enum.") else None

    @property
    def writable(self) -> bool:
        return "ReadOnly" not in self.tags and self.scriptability != "Read"


class Database:
    """Answers about classes by name; unknown names have no class."""

    def __init__(self, path: Path = SHIPPED) -> None:
        self._path = path

    @cached_property
    def _data(self) -> dict[str, Any]:
        data: dict[str, Any] = msgspec.json.decode(gzip.decompress(self._path.read_bytes()))
        return data

    @property
    def version(self) -> str:
        return str(self._data["version"])

    @property
    def source(self) -> str:
        return str(self._data["source"])

    @property
    def classes(self) -> list[str]:
        return list(self._data["classes"])

    @property
    def enums(self) -> list[str]:
        return list(self._data["enums"])

    def knows(self, name: str) -> bool:
        return name in self._data["classes"]

    def superclass(self, name: str) -> str | None:
        entry = self._data["classes"].get(name)
        return entry[0] or None if entry else None

    def lineage(self, name: str) -> Iterator[str]:
        """Yield the class and what it inherits from, nearest first."""
        current: str | None = name
        for _ in range(_MOST_SUPERCLASSES):
            if current is None or not self.knows(current):
                return
            yield current
            current = self.superclass(current)

    def is_a(self, name: str, ancestor: str) -> bool:
        return name == ancestor or ancestor in self.lineage(name)

    def tags(self, name: str) -> tuple[str, ...]:
        entry = self._data["classes"].get(name)
        return tuple(entry[1]) if entry else ()

    def creatable(self, name: str) -> bool:
        tags = self.tags(name)
        return self.knows(name) and "NotCreatable" not in tags and "Service" not in tags

    def is_service(self, name: str) -> bool:
        return "Service" in self.tags(name)

    @cache  # noqa: B019 - there is one database, and it lives as long as the process
    def property(self, class_name: str, name: str) -> ClassProperty | None:
        """Return a property by any of its names, as declared by the class or the nearest it inherits from."""
        for owner in self.lineage(class_name):
            entry = self._data["classes"][owner][2].get(name)
            if entry is not None:
                kind, scriptability, tags, storage = entry
                storage = _VIEWS.get((owner, name), storage)
                return ClassProperty(name, owner, kind, scriptability, tuple(tags), storage)
        return None

    def canonical(self, class_name: str, name: str) -> ClassProperty | None:
        """Return a property by any of its names, under its canonical one."""
        declared = self.property(class_name, name)
        if declared is not None and declared.alias_for is not None:
            return self.property(class_name, declared.alias_for) or declared
        return declared

    def properties(self, class_name: str) -> dict[str, ClassProperty]:
        """Return all properties under their canonical names, inherited ones included."""
        declared: dict[str, ClassProperty] = {}
        for owner in self.lineage(class_name):
            for name in self._data["classes"][owner][2]:
                entry = self.property(class_name, name)
                if entry is not None and entry.alias_for is None:
                    declared.setdefault(name, entry)
        return dict(sorted(declared.items()))

    @cache  # noqa: B019 - as above
    def _links(self, owner: str) -> tuple[dict[str, list[str]], dict[str, list[tuple[str, str]]]]:
        """Of one class's own properties: aliases by what they stand for, and what moved, by where to."""
        aliases: dict[str, list[str]] = {}
        moved: dict[str, list[tuple[str, str]]] = {}
        for name in self._data["classes"][owner][2]:
            entry = self.property(owner, name)
            if entry is None:
                continue
            if entry.alias_for is not None:
                aliases.setdefault(entry.alias_for, []).append(name)
            elif entry.moved_to is not None:
                how, targets = entry.moved_to
                for target in targets:
                    moved.setdefault(target, []).append((name, how))
        return aliases, moved

    def aliases(self, owner: str, name: str) -> list[str]:
        """Return the other names that a class itself declares for a property."""
        return self._links(owner)[0].get(name, [])

    def moved_from(self, class_name: str, name: str) -> list[tuple[str, str]]:
        """Return the properties that are held by this one now, and how they are converted."""
        return [link for owner in self.lineage(class_name) for link in self._links(owner)[1].get(name, [])]

    def default(self, class_name: str, name: str) -> dict[str, Any] | None:
        """Return the default of a property by its canonical name, as `{kind: data}`; defaults are inherited too."""
        for owner in self.lineage(class_name):
            default: dict[str, Any] | None = self._data["classes"][owner][3].get(name)
            if default is not None:
                return default
        return None

    def enum(self, name: str) -> dict[str, int] | None:
        items: dict[str, int] | None = self._data["enums"].get(name)
        return items


@cache
def database() -> Database:
    """Return the shipped database."""
    return Database()
