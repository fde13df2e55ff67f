"""The table of the engine's classes, read from the shipped file at the first question."""

from __future__ import annotations

import gzip
from dataclasses import dataclass, replace
from functools import cache, cached_property
from pathlib import Path
from typing import Any

import msgspec

from scenewright.unity.class_types.versions import Version, read_version

__all__ = ["SHIPPED", "UNKNOWN", "ClassType", "Field", "Table", "table"]

SHIPPED = Path(__file__).parent / "types.json.gz"
UNKNOWN = "?"  # the kind of a field whose type nothing tells
_FLOW, _TRUTH = 1, 2
# Where a component has a field of a structure: the class and the path.
_STRUCTURES = {
    "AnimationCurve": ("82", "rolloffCustomCurve"),
    "Gradient": ("120", "m_Parameters", "colorGradient"),
}


@dataclass(frozen=True, slots=True)
class Field:
    """A field as the engine declares it; a list has one child, which is the kind of its items."""

    kind: str  # "float", "PPtr<Material>", "vector", "Vector3f"
    name: str
    version: int  # written as serializedVersion where it is above 1
    flags: int
    children: tuple[Field, ...]

    @property
    def on_one_line(self) -> bool:
        return bool(self.flags & _FLOW)

    @property
    def is_truth(self) -> bool:
        """Whether the number stands for true or false."""
        return self.kind == "bool" or bool(self.flags & _TRUTH)

    @property
    def refers_to(self) -> str | None:
        """The class that a reference takes, None where it is none."""
        return self.kind[5:-1].strip("$") if self.kind.startswith("PPtr<") else None

    def child(self, name: str) -> Field | None:
        return next((child for child in self.children if child.name == name), None)


@dataclass(frozen=True, slots=True)
class ClassType:
    """A class in one version of the editor."""

    class_id: int
    name: str
    version: int
    own_from: int  # how many fields come from the classes above; the version is written after them
    fields: tuple[Field, ...]

    def field(self, name: str) -> Field | None:
        return next((field for field in self.fields if field.name == name), None)


class Table:
    """The classes of all versions."""

    def __init__(self, data: dict[str, Any]) -> None:
        self.source: str = data["source"]
        self.first, self.last = str(data["first"]), str(data["last"])
        self._nodes: list[list[Any]] = data["nodes"]
        self._classes: dict[str, list[Any]] = data["classes"]

    @cached_property
    def _numbers(self) -> dict[str, int]:
        return {str(row[0]): int(number) for number, row in self._classes.items()}

    def number(self, name: str) -> int | None:
        """Return the number of a class."""
        return self._numbers.get(name)

    def ancestors(self, name: str) -> list[str]:
        """Return a class and those that it derives from."""
        names: list[str] = []
        while name in self._numbers and name not in names:
            names.append(name)
            name = str(self._classes[str(self._numbers[name])][1])
        return names

    def structure(self, kind: str, name: str, version: Version) -> Field | None:
        """Return a field of one of the engine's structures, as a component has one."""
        class_id, *steps = _STRUCTURES[kind]
        owner = self.class_type(int(class_id), version)
        field = None if owner is None else owner.field(steps[0])
        for step in steps[1:]:
            field = None if field is None else field.child(step)
        return None if field is None else replace(field, name=name)

    def class_type(self, class_id: int, version: Version) -> ClassType | None:
        """Return a class as a version of the editor has it, None where it is not known there.

        A version newer than the table gets the newest that is known: the editor reads what older ones wrote.
        """
        row = self._classes.get(str(class_id))
        known = [entry for entry in row[2] if (read_version(entry[0]) or version) <= version] if row else []
        if row is None or not known or known[-1][1] is None:
            return None
        root = self._field(known[-1][1])
        return ClassType(class_id, str(row[0]), root.version, int(known[-1][2]), root.children)

    def _field(self, number: int) -> Field:
        kind, name, version, flags, *children = self._nodes[number]
        return Field(kind, name, version, flags, tuple(map(self._field, children)))


@cache
def table() -> Table:
    """Return the table that ships with the package."""
    return Table(msgspec.json.decode(gzip.decompress(SHIPPED.read_bytes())))
