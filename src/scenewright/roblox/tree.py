"""The instances of a place in memory: a tree with names, classes and stored properties.

What a file holds is read when it is first asked for, through a `PropertyStore`; only changes are kept here. So a place
opens fast, and what nobody touched can be written back as it was. Neither files nor the engine's classes are known
here.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Protocol

from scenewright.roblox.values import Value, as_bytes

__all__ = ["ROOT_CLASS", "Instance", "InstanceTree", "PropertyStore"]

ROOT_CLASS = "DataModel"


class PropertyStore(Protocol):
    """Where the properties of unchanged instances lie."""

    def names(self, row: Any) -> list[str]:
        """Return the names under which an instance's properties are stored."""

    def value(self, row: Any, name: str) -> Value | None: ...


class Instance:
    """One instance; `stored` and `store` use the names that files use."""

    __slots__ = ("changes", "children", "class_name", "dirty", "name", "parent", "referent", "row", "source")

    def __init__(
        self, class_name: str, name: str, *, referent: Any = None, source: PropertyStore | None = None, row: Any = None
    ) -> None:
        self.class_name = class_name
        self.name = name
        self.referent = referent  # the file's own name of the instance, or None for a new one
        self.parent: Instance | None = None
        self.children: list[Instance] = []
        self.source = source
        self.row = row
        self.changes: dict[str, Value | None] | None = None  # None as a value: taken away
        self.dirty = False  # something in it or below it differs from the file

    def __repr__(self) -> str:
        return f"<{self.class_name} {self.path!r}>"

    # Properties

    def stored(self, name: str) -> Value | None:
        """Return the value stored under a name, or None."""
        if self.changes is not None and name in self.changes:
            return self.changes[name]
        if name == "Name":
            return Value("String", as_bytes(self.name))
        return self.source.value(self.row, name) if self.source is not None else None

    def stored_names(self) -> list[str]:
        names = dict.fromkeys(self.source.names(self.row) if self.source is not None else ("Name",))
        for name, value in (self.changes or {}).items():
            if value is None:
                names.pop(name, None)
            else:
                names[name] = None
        return list(names)

    def store(self, name: str, value: Value | None) -> None:
        """Store a value under a name; None takes it away."""
        if self.changes is None:
            self.changes = {}
        self.changes[name] = value
        self.touch()

    def rename(self, name: str) -> None:
        self.name = name
        self.store("Name", Value("String", as_bytes(name)))

    def touch(self) -> None:
        """Mark that this instance differs from the file, and so all above it."""
        current: Instance | None = self
        while current is not None and not current.dirty:
            current.dirty = True
            current = current.parent

    # Place in the tree

    @property
    def path(self) -> str:
        """The names from the top, with dots between; the place itself is "game"."""
        names: list[str] = []
        current: Instance = self
        while current.parent is not None:
            names.append(current.name)
            current = current.parent
        return ".".join(reversed(names)) or current.name

    @property
    def depth(self) -> int:
        return sum(1 for _ in self.ancestors())

    def ancestors(self) -> Iterator[Instance]:
        current = self.parent
        while current is not None:
            yield current
            current = current.parent

    def child(self, name: str) -> Instance | None:
        """Return the first child of a name, as the engine finds it."""
        return next((child for child in self.children if child.name == name), None)

    def walk(self) -> Iterator[Instance]:
        """Yield the instance and all below it, parents before children, in order."""
        waiting = [self]
        while waiting:
            current = waiting.pop()
            yield current
            if current.children:
                waiting.extend(reversed(current.children))

    def contains(self, other: Instance) -> bool:
        return other is self or any(above is self for above in other.ancestors())

    def attach(self, parent: Instance, index: int | None = None) -> None:
        """Put the instance below a parent, away from where it was."""
        self.detach()
        self.parent = parent
        parent.children.insert(len(parent.children) if index is None else index, self)
        self.dirty = False
        self.touch()

    def detach(self) -> None:
        if self.parent is not None:
            self.parent.children.remove(self)
            self.parent.touch()
            self.parent = None


class InstanceTree:
    """All instances of a place or model; `root` stands for the place itself and is not in the file."""

    def __init__(self, root: Instance | None = None) -> None:
        self.root = root or Instance(ROOT_CLASS, "game")
        self._by_referent: dict[Any, Instance] | None = None

    def walk(self) -> Iterator[Instance]:
        """Return all instances but the root."""
        instances = self.root.walk()
        next(instances)
        return instances

    def __len__(self) -> int:
        return sum(1 for _ in self.walk())
