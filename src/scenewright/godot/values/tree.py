"""A coerced value: an engine's value that may still hold what only a document can give an id."""

from __future__ import annotations

from typing import Any, TypeAlias, cast

import msgspec

from scenewright.godot.documents import variant as v

__all__ = [
    "Coerced",
    "Entries",
    "File",
    "Inline",
    "Items",
    "NodeTarget",
    "Placeable",
    "Slot",
    "array",
    "dictionary",
    "has_nodes",
]


class File(msgspec.Struct, frozen=True):
    """A file of the project; the class is empty where it is not known."""

    path: str
    class_name: str = ""
    uid: str | None = None
    script: str = ""  # the project's class or script, for a resource that has one
    declared_as: str = ""  # the type that documents which use it give it


class Slot:
    """Where a resource is that several values share: its id in the document, once it has one."""

    def __init__(self) -> None:
        self.id: str | None = None


class Inline(msgspec.Struct, frozen=True):
    """A resource to be made inside the document, with values of its own."""

    class_name: str  # the engine's
    properties: tuple[tuple[str, Coerced], ...] = ()
    script: File | None = None
    slot: Slot | None = None  # of one that is shared


class NodeTarget(msgspec.Struct, frozen=True):
    """A node of the scene, by its way from the one that has the property; scene files list such properties."""

    path: str


class Items(msgspec.Struct, frozen=True):
    """An array that holds something to be placed."""

    items: tuple[Coerced, ...]
    type: v.ElementType | File | None = None


class Entries(msgspec.Struct, frozen=True):
    """A dictionary that holds something to be placed."""

    entries: tuple[tuple[Coerced, Coerced], ...]
    key_type: v.ElementType | File | None = None
    value_type: v.ElementType | File | None = None


Placeable = File | Inline | NodeTarget | Items | Entries
Coerced: TypeAlias = "v.Variant | File | Inline | NodeTarget | Items | Entries"


def array(items: tuple[Coerced, ...], type_: v.ElementType | File | None = None) -> Coerced:
    """Return an array, plain if nothing in it is to be placed."""
    if isinstance(type_, File) or any(isinstance(item, Placeable) for item in items):
        return Items(items, type_)
    return v.Array(cast("tuple[v.Variant, ...]", items), type_)


def dictionary(
    entries: tuple[tuple[Coerced, Coerced], ...],
    key_type: v.ElementType | File | None = None,
    value_type: v.ElementType | File | None = None,
) -> Coerced:
    """Return a dictionary, plain if nothing in it is to be placed."""
    held: tuple[Any, ...] = (key_type, value_type, *(part for entry in entries for part in entry))
    if any(isinstance(part, Placeable) for part in held):
        return Entries(entries, key_type, value_type)
    return v.Dictionary(cast(Any, entries), cast(Any, key_type), cast(Any, value_type))


def has_nodes(coerced: Coerced) -> bool:
    """Return whether a value holds nodes, so that its property must be listed in the `node_paths` of its node."""
    if isinstance(coerced, Items):
        return any(map(has_nodes, coerced.items))
    if isinstance(coerced, Entries):
        return any(has_nodes(part) for entry in coerced.entries for part in entry)
    return isinstance(coerced, NodeTarget)
