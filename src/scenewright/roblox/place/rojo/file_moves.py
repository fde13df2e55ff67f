"""Moves the files of instances that stand elsewhere, or are called otherwise, than they were read: as they are."""

from __future__ import annotations

import os
import posixpath
from dataclasses import dataclass, field
from typing import Any

from scenewright.core.faults import Conflict
from scenewright.core.projects.file_walk import walk_folders
from scenewright.core.writes.changeset import Changeset
from scenewright.roblox.place.rojo.jsonfiles import JsonFiles, dig, drop
from scenewright.roblox.place.rojo.new_files import Maker
from scenewright.roblox.place.rojo.origins import Origin, Origins, names_in
from scenewright.roblox.tree import Instance

__all__ = ["Mover", "delete_folder"]

_FILES = ("script", "data", "text", "table", "model", "file")
_CONTAINERS = ("model", "file")


@dataclass(slots=True)
class _Bundle:
    """What was lifted from its old place."""

    files: dict[str, bytes] = field(default_factory=dict)  # by what their paths have after the old one
    node: dict[str, Any] | None = None


class Mover:
    """Lifts files from where they were, and puts them where they are to be; all are lifted before any is put."""

    def __init__(self, files: Changeset, json: JsonFiles, origins: Origins, maker: Maker) -> None:
        self._files = files
        self._json = json
        self._origins = origins
        self._maker = maker
        self._lifted: dict[int, _Bundle] = {}

    def can_move(self, instance: Instance) -> bool:
        """Return whether its files, or its node, can go along as they are."""
        origin, parent = self._origins.of(instance), self._origins.of(instance.parent)
        if origin is None or parent is None or self._is_contained(instance):
            return False
        if origin.holder:
            return parent.kind == "folder" and instance.parent is origin.parent
        if origin.is_node:
            return bool(origin.keys) and parent.project == origin.project
        is_place = parent.kind == "folder" or (parent.kind in ("script", "table") and not parent.is_node)
        return is_place and origin.kind in (*_FILES, "folder") and bool(origin.path) and parent.rules == origin.rules

    def _is_contained(self, instance: Instance) -> bool:
        origins = (self._origins.of(above) for above in instance.ancestors())
        return any(origin is not None and origin.kind in _CONTAINERS for origin in origins)

    def lift(self, instance: Instance) -> None:
        origin = self._origins.of(instance)
        assert origin is not None
        bundle = self._lifted[id(instance)] = _Bundle()
        if origin.holder:
            return
        if origin.is_node:
            bundle.node = dig(self._json.load(origin.project), origin.keys)
            self._json.edit(origin.project, lambda data: drop(data, origin.keys))
        elif origin.kind == "folder":
            bundle.files = {
                path[len(origin.path) :]: self._take_file(path) for path in files_in(self._files, origin.path)
            }
            vacate(self._files, origin.path)
        else:
            stem = self._stem(origin)
            paths = (path for path in (origin.path, origin.meta) if path and self._files.exists(path))
            bundle.files = {path[len(stem) :]: self._take_file(path) for path in paths}

    def put(self, instance: Instance) -> None:
        origin, parent = self._origins.of(instance), self._origins.of(instance.parent)
        assert origin is not None
        assert parent is not None
        bundle = self._lifted[id(instance)]
        if origin.holder:
            self._json.edit(origin.project, lambda data: data.update({"name": instance.name}))
        elif bundle.node is not None:
            self._put_node(instance, origin, parent, bundle.node)
        else:
            self._put_files(instance, origin, parent, bundle.files)

    def _put_node(self, instance: Instance, origin: Origin, parent: Origin, node: dict[str, Any]) -> None:
        old, new = origin.keys, (*parent.keys, instance.name)
        if instance.name.startswith("$") or instance.name in dig(self._json.load(origin.project), parent.keys):
            raise Conflict(f"'{origin.project}' already has a '{instance.name}' there.", retryable=False)
        own = {"$className": instance.class_name} | node if origin.inferred else node
        self._json.edit(origin.project, lambda data: dig(data, parent.keys).update({instance.name: own}))
        for each in instance.walk():
            known = self._origins.of(each)
            if known is not None and known.project == origin.project and known.keys[: len(old)] == old:
                known.keys = new + known.keys[len(old) :]

    def _put_files(self, instance: Instance, origin: Origin, parent: Origin, files: dict[str, bytes]) -> None:
        folder = self._maker.folder_of(parent)
        assert folder is not None
        old = origin.path if origin.kind == "folder" else self._stem(origin)
        new = self._maker.claim(folder, instance.name, origin.rules)
        for ending, content in files.items():
            self._files.write(new + ending, content)
        for each in instance.walk():
            known = self._origins.of(each)
            if known is not None:
                _shift(known, old, new)

    def _stem(self, origin: Origin) -> str:
        kind = origin.rules.kind_of(origin.path)
        assert kind is not None
        return posixpath.join(posixpath.dirname(origin.path), kind.name)

    def _take_file(self, path: str) -> bytes:
        content = self._files.read(path)
        self._files.delete(path)
        return content


def _shift(origin: Origin, old: str, new: str) -> None:
    """Follow files that have moved from below one path to below another."""
    for name in ("path", "meta", "init", "project", "holder"):
        path: str = getattr(origin, name)
        if path.startswith(old) and path[len(old) : len(old) + 1] in ("", "/", "."):
            setattr(origin, name, new + path[len(old) :])


def files_in(files: Changeset, folder: str) -> list[str]:
    """Return all files in a folder and below it, whether Rojo knows them or not."""
    paths: list[str] = []
    for name in names_in(files, folder):
        path = posixpath.join(folder, name)
        if os.path.isdir(files.project.locate(path)) or not files.exists(path):
            paths += files_in(files, path)
        else:
            paths.append(path)
    return paths


def vacate(files: Changeset, folder: str) -> None:
    """Let the folders themselves go, which would be instances."""
    place = files.project.locate(folder)
    for inner, _, _ in walk_folders(place):
        files.vacate(os.path.relpath(inner, files.project.root))


def delete_folder(files: Changeset, folder: str) -> None:
    for path in files_in(files, folder):
        files.delete(path)
    vacate(files, folder)
