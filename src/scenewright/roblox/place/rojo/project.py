"""A Rojo project as a place: read from its files, written back to them."""

from __future__ import annotations

import hashlib

from scenewright.core.writes.changeset import Changeset
from scenewright.roblox.place.rojo.reader import RojoReader
from scenewright.roblox.place.rojo.writer import Writer
from scenewright.roblox.tree import ROOT_CLASS, Instance, InstanceTree

__all__ = ["RojoPlace"]


class RojoPlace:
    """The place that a project file describes."""

    def __init__(self, files: Changeset, project: str) -> None:
        self._reader = RojoReader(files)
        self._top = self._reader.read(project)
        self.warnings = [_warn_of(project, self._reader.absent)] if self._reader.absent else []
        self.is_place = self._top.class_name == ROOT_CLASS
        self.tree = InstanceTree(self._top) if self.is_place else InstanceTree()
        if self.is_place:
            self._top.name = "game"
        else:
            self._top.parent = self.tree.root
            self.tree.root.children.append(self._top)
            origin = self._reader.origins.of(self._top)
            assert origin is not None
            origin.parent = self.tree.root
        self._known: dict[str, Instance] | None = None

    def adopt(self, instance: Instance) -> None:
        """Inside a model file the instance needs a name there; elsewhere its file is its name."""
        self._known = None
        for above in instance.ancestors():
            origin = self._reader.origins.of(above)
            if origin is not None and origin.document is not None:
                origin.document.adopt(instance)
                return

    def identify(self, instance: Instance) -> str:
        """Of the path, counted where siblings share a name."""
        parts = []
        current = instance
        while current.parent is not None:
            twins = [child for child in current.parent.children if child.name == current.name]
            parts.append(f"{current.name}\0{next(i for i, twin in enumerate(twins) if twin is current)}")
            current = current.parent
        text = "\1".join(reversed(parts)).encode("utf-8", "surrogateescape")
        return f"inst-{hashlib.blake2b(text, digest_size=8).hexdigest()}"

    def find(self, identifier: str) -> Instance | None:
        if self._known is None:
            self._known = {self.identify(instance): instance for instance in self.tree.walk()}
        return self._known.get(identifier)

    def forget(self, instance: Instance) -> None:
        self._known = None
        for above in instance.ancestors():
            origin = self._reader.origins.of(above)
            if origin is not None and origin.document is not None:
                origin.document.forget(instance)
                return

    def save(self, files: Changeset) -> None:
        Writer(files, self._reader, self._top).write()


def _warn_of(project: str, absent: list[str]) -> str:
    do, hold = ("do", "they hold") if len(absent) > 1 else ("does", "it holds")
    paths = ", ".join(f"'{path}'" for path in absent[:5]) + (" …" if len(absent) > 5 else "")
    return (
        f"{paths} of '{project}' {do} not exist, so what {hold} is missing here."
        " A fresh clone lacks its packages: `wally install` or `npm install` brings them."
    )
