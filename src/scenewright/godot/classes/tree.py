"""Who inherits whom: the part of the index that is read as a whole, and answers without unpacking a class."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from functools import cached_property

from scenewright.core.faults import Invalid, NotFound, did_you_mean
from scenewright.godot.classes.store import ClassRow

__all__ = ["ClassTree"]


class ClassTree:
    """The classes, built-in types and scopes of one version of the engine."""

    def __init__(self, rows: Iterable[ClassRow], version: str) -> None:
        self.version = version
        self._rows: Mapping[str, ClassRow] = {row.name: row for row in rows}
        self._below: dict[str, list[str]] = {}
        for row in self._rows.values():
            self._below.setdefault(row.inherits, []).append(row.name)
        self._by_id = tuple(self._rows)

    def __contains__(self, name: object) -> bool:
        return name in self._rows

    @property
    def class_names(self) -> tuple[str, ...]:
        """Every class, built-in type and scope, sorted."""
        return self._by_id

    def row(self, name: str) -> ClassRow:
        """Return what is known of a class without reading its record.

        Raises:
            NotFound: there is no such class.
        """
        row = self._rows.get(name)
        if row is None:
            hint = did_you_mean(name, self.class_names, "search_docs finds classes by what they do.")
            raise NotFound(f"Godot {self.version} has no class '{name[:100]}'.", hint=hint)
        return row

    def chain(self, name: str) -> tuple[str, ...]:
        """Return the class and its ancestors, nearest first."""
        names = [self.row(name).name]
        while (above := self._rows[names[-1]].inherits) in self._rows:
            names.append(above)
        return tuple(names)

    def is_a(self, name: str, ancestor: str) -> bool:
        """Return whether a class is another or inherits it; False for an unknown name."""
        while name != ancestor and name in self._rows:
            name = self._rows[name].inherits
        return name == ancestor and name in self._rows

    def subclasses(self, name: str, *, direct: bool = False) -> tuple[str, ...]:
        """Return the classes below one, sorted."""
        self.row(name)
        names = list(self._below.get(name, ()))
        if not direct:
            for child in names:  # grows while it is read
                names.extend(self._below.get(child, ()))
        return tuple(sorted(names))

    def descendants(self, name: str) -> int:
        """Return how many classes inherit this one."""
        return self._descendants.get(name, 0)

    @cached_property
    def _descendants(self) -> Counter[str]:
        return Counter(above for name in self._rows for above in self.chain(name)[1:])

    def node_class(self, name: str, where: str) -> str:
        """Return the name of a class that a node can have; `where` is the parameter that asks for it.

        Raises:
            NotFound: there is no such class.
            Invalid: it is none of nodes, or no node is of this class itself.
        """
        row = self.row(name)
        if not self.is_a(name, "Node"):
            raise Invalid(f"'{name}' is not a node class.", path=where, rule="class")
        if not row.instantiable:
            instantiable = [below for below in self.subclasses(name) if self.row(below).instantiable]
            raise Invalid(
                f"'{name}' is abstract.",
                path=where,
                rule="class",
                hint=f"Use one of {', '.join(instantiable[:8])}." if instantiable else None,
            )
        return row.name

    def node_classes(self, *, instantiable: bool = True) -> tuple[str, ...]:
        """Return the classes a scene's nodes can have; those only the editor has are left out."""
        return self._in_files("Node", instantiable=instantiable)

    def resource_classes(self, *, instantiable: bool = True) -> tuple[str, ...]:
        """Return the classes a project's resources can be of."""
        return self._in_files("Resource", instantiable=instantiable)

    def _in_files(self, root: str, *, instantiable: bool) -> tuple[str, ...]:
        rows = (self._rows[name] for name in sorted((root, *self.subclasses(root))))
        return tuple(row.name for row in rows if not row.editor_only and (row.instantiable or not instantiable))
