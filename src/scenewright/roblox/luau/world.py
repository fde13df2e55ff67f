"""A loaded place as the environment in the virtual machine asks for it, and the engine's classes."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

from scenewright.roblox.attributes import unpack_attributes, unpack_tags
from scenewright.roblox.palette import palette
from scenewright.roblox.properties import declared_kind, read, stored_properties
from scenewright.roblox.reflection.database import database
from scenewright.roblox.tree import Instance, InstanceTree
from scenewright.roblox.values import Value, zero
from scenewright.roblox.wire import to_wire

__all__ = ["TreeWorld"]

MOST_SAID = 100_000  # characters of output that are kept
_BLOBS = ("AttributesSerialize", "Attributes", "Tags", "Name")


class TreeWorld:
    """Answers from a tree; an instance's row is its place in the order of the tree, and 0 is the place itself."""

    def __init__(self, tree: InstanceTree) -> None:
        self.rows = [tree.root, *tree.walk()]
        self._row = {id(instance): row for row, instance in enumerate(self.rows)}
        self.said: list[tuple[str, str]] = []
        self._room = MOST_SAID

    def add(self, tree: InstanceTree) -> int:
        """Take the instances of another tree in, which stay out of the place; return the row of the first."""
        row = len(self.rows)
        for instance in tree.walk():
            self._row[id(instance)] = len(self.rows)
            self.rows.append(instance)
        return row

    # The place

    def children(self, row: int) -> list[tuple[int, str, str]]:
        return [(self._row[id(child)], child.class_name, child.name) for child in self.rows[row].children]

    def parent(self, row: int) -> int | None:
        parent = self.rows[row].parent
        return None if parent is None else self._row.get(id(parent))

    def instance(self, row: int) -> dict[str, Any]:
        instance = self.rows[row]
        stored = stored_properties(instance)
        properties = {
            name: self._wire(instance.class_name, name, value)
            for name, value in stored.items()
            if name not in _BLOBS and value.kind != "Unknown"
        }
        return {
            "properties": {name: wire for name, wire in properties.items() if wire is not None},
            "attributes": {name: to_wire(value) for name, value in self._attributes(instance).items()},
            "tags": unpack_tags(_blob(instance, "Tags")),
        }

    def value(self, row: int, name: str) -> Any:
        """Return what the file holds of one property; None where it holds nothing."""
        instance = self.rows[row]
        value = read(instance, name, defaults=False)
        if value is None or name in _BLOBS or value.kind == "Unknown":
            return None
        return self._wire(instance.class_name, name, value)

    def _wire(self, class_name: str, name: str, value: Value) -> Any:
        declared = database().canonical(class_name, name)
        wire = to_wire(value, enum=declared.enum if declared else None, reference=self._reference)
        return {"_type": "Nil"} if wire is None else wire

    def _reference(self, instance: Instance) -> Any:
        row = self._row.get(id(instance))
        return None if row is None else {"_type": "Ref", "row": row}

    def _attributes(self, instance: Instance) -> dict[str, Value]:
        return unpack_attributes(_blob(instance, "Attributes"))

    def say(self, level: str, message: str) -> None:
        if self._room > 0:
            self.said.append((level, message[: self._room]))
            self._room -= len(message)

    # The engine

    def class_(self, name: str) -> dict[str, Any] | None:
        return _class(name)

    def property(self, class_name: str, name: str) -> dict[str, Any] | None:
        return _property(class_name, name)

    def default(self, class_name: str, name: str) -> Any:
        declared = database().canonical(class_name, name)
        if declared is None:
            return None
        value = read(Instance(class_name, ""), declared.name) or Value(
            declared_kind(declared), zero(declared_kind(declared))
        )
        return to_wire(value, enum=declared.enum)

    def enum(self, name: str) -> dict[str, int] | None:
        return database().enum(name)

    def enums(self) -> list[str]:
        return database().enums

    def brick_colors(self) -> list[tuple[int, str, int, int, int]]:
        return [(color.number, color.name, *color.rgb) for color in palette().values()]


def _blob(instance: Instance, name: str) -> bytes:
    value = read(instance, name, defaults=False)
    return value.data if value is not None and isinstance(value.data, bytes) else b""


@lru_cache(maxsize=2000)
def _class(name: str) -> dict[str, Any] | None:
    known = database()
    if not known.knows(name):
        return None
    return {
        "name": name,
        "lineage": list(known.lineage(name)),
        "creatable": known.creatable(name),
        "service": known.is_service(name),
    }


@lru_cache(maxsize=20_000)
def _property(class_name: str, name: str) -> dict[str, Any] | None:
    declared = database().canonical(class_name, name)
    if declared is None:
        return None
    return {
        "name": declared.name,
        "kind": declared_kind(declared),
        "enum": declared.enum,
        "writable": declared.writable,
        "visible": declared.scriptability != "None",
        "protected": declared.name == "Source",
    }
