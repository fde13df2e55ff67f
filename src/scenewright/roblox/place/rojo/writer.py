"""Writes changes of a Rojo project back to the files they belong in; what did not change is not touched."""

from __future__ import annotations

import os
import posixpath
from typing import Any

from scenewright.core.faults import Conflict, Unsupported
from scenewright.core.writes.changeset import Changeset
from scenewright.roblox.kinds import SCRIPT_CLASSES
from scenewright.roblox.place.rojo.file_moves import Mover, delete_folder
from scenewright.roblox.place.rojo.forms import attributes_like, canonical, model_of, node_of, property_json
from scenewright.roblox.place.rojo.jsonfiles import JsonFiles, dig, drop
from scenewright.roblox.place.rojo.modules import localization_file
from scenewright.roblox.place.rojo.new_files import Maker, content_of
from scenewright.roblox.place.rojo.origins import Origin, names_in
from scenewright.roblox.place.rojo.reader import RojoReader
from scenewright.roblox.place.rojo.references import settle
from scenewright.roblox.place.rojo.rules import META
from scenewright.roblox.properties import read
from scenewright.roblox.reflection.database import database
from scenewright.roblox.tree import Instance
from scenewright.roblox.values import Value, as_text

__all__ = ["Writer"]

_CONTAINERS = ("model", "file")
_LEGACY = {"name": "Name", "className": "ClassName", "properties": "Properties", "children": "Children"}
# Folders that a package manager fills.
_PACKAGES = frozenset(("node_modules", "packages", "serverpackages", "devpackages"))


class Writer:
    """Stages what differs between a tree and the files it was read from."""

    def __init__(self, files: Changeset, reader: RojoReader, root: Instance) -> None:
        self._files = files
        self._reader = reader
        self._origins = reader.origins
        self._root = root
        self._json = JsonFiles(files)
        self._maker = Maker(files, self._json, self._origins)
        self._mover = Mover(files, self._json, self._origins, self._maker)
        self._alive = {id(instance) for instance in root.walk()}

    def write(self) -> None:
        settle(self._root, self._origins, self._reader.links)
        displaced = [pair for pair in self._origins.pairs() if self._is_displaced(*pair)]
        moved = {id(each) for each, _ in displaced if id(each) in self._alive and self._mover.can_move(each)}
        # What lies deeper first, so that it is neither lost with its folder nor taken along.
        for instance, origin in sorted(displaced, key=lambda pair: -pair[1].path.count("/") - len(pair[1].keys)):
            if id(instance) in moved:
                self._mover.lift(instance)
            else:
                self._remove(origin)
        for instance in self._root.walk():
            if id(instance) in moved:
                self._mover.put(instance)
        self._branch(self._root, {id(each) for each, _ in displaced if id(each) in self._alive} - moved)

    def _is_displaced(self, instance: Instance, origin: Origin) -> bool:
        """Return whether an instance is gone, or stands elsewhere or under another name than its file says."""
        if id(instance) not in self._alive:
            return True
        renamed = instance.changes is not None and "Name" in instance.changes and origin.kind != "inside"
        return instance is not self._root and (
            renamed or instance.parent is not self._origins.parent_of(instance, origin)
        )

    def _branch(self, instance: Instance, again: set[int]) -> None:
        """Write one instance in place, then those below it; what is new there gets files of its own."""
        origin = self._origins.of(instance)
        assert origin is not None
        if origin.kind in _CONTAINERS:
            if instance.dirty:
                self._container(instance, origin)
            return
        if instance.changes:
            self._values(instance, origin)
        for child in list(instance.children):
            known = self._origins.of(child)
            if known is None or id(child) in again or known.kind == "inside":
                self._emit(instance, origin, child)
            elif child.dirty:
                self._branch(child, again)

    # Away

    def _remove(self, origin: Origin) -> None:
        if origin.kind == "inside" or self._goes_along(origin):
            return
        if origin.holder:
            self._delete(origin.holder)
            return
        above = self._origins.of(origin.parent) if self._is_gone(origin.parent) else None
        if origin.keys and (above is None or above.project != origin.project):
            self._json.edit(origin.project, lambda data: drop(data, origin.keys))
        for path in (origin.path, origin.meta):
            self._delete(path)

    def _delete(self, path: str) -> None:
        if path and os.path.isdir(self._files.project.locate(path)):
            delete_folder(self._files, path)
        elif path and self._files.exists(path):
            self._files.delete(path)

    def _goes_along(self, origin: Origin) -> bool:
        """Return whether the file lies in a folder that goes as a whole."""
        return self._is_gone(origin.parent) and not origin.keys

    def _is_gone(self, instance: Instance | None) -> bool:
        return self._origins.of(instance) is not None and id(instance) not in self._alive

    # In place

    def _values(self, instance: Instance, origin: Origin) -> None:
        changed = {name: value for name, value in (instance.changes or {}).items() if name != "Name"}
        source = changed.pop("Source", None)
        if source is not None:
            self._source(instance, origin, source)
        if origin.kind == "text" and "Value" in changed:
            value = changed.pop("Value")
            self._files.write(origin.path, value.data if value is not None else b"")
        table = origin.init if origin.init.endswith(".csv") else origin.path if origin.kind == "table" else ""
        if table and "Contents" in changed:
            self._table(instance, table, changed.pop("Contents"))
        if changed:
            self._properties(instance, origin, list(changed))

    def _source(self, instance: Instance, origin: Origin, value: Value) -> None:
        path = origin.init if origin.kind == "folder" else origin.path
        if origin.kind in ("script", "folder") and path:
            self._files.write(path, value.data)
        elif origin.kind == "data":
            raise Unsupported(f"'{instance.path}' is made from a data file.", hint=f"Edit '{origin.path}' itself.")
        else:
            self._properties(instance, origin, ["Source"])

    def _table(self, instance: Instance, path: str, value: Value | None) -> None:
        contents = as_text(value.data) if value is not None else ""
        text = localization_file(contents, as_text(self._files.read(path)))
        if text is None:
            raise Unsupported(
                f"'{instance.path}' is made from a CSV file, and these contents are not a list of entries.",
                hint='Such as [{"key": "Hi", "source": "Hello", "values": {"de": "Hallo"}}].',
            )
        self._files.write(path, text.encode("utf-8", "surrogateescape"))

    def _properties(self, instance: Instance, origin: Origin, stored: list[str]) -> None:
        """Change properties where they are said: in the project, or in the file of metadata."""
        names = list(dict.fromkeys(canonical(instance.class_name, name) for name in stored))
        own = {canonical(instance.class_name, name) for name in origin.given}
        own |= {"Attributes"} if origin.attributes else set()
        in_project = [name for name in names if origin.is_node and (name in origin.stated or name not in own)]
        in_metadata = [name for name in names if name not in in_project]
        if in_project:
            self._json.edit(origin.project, lambda data: _put_all(instance, in_project, dig(data, origin.keys), "$"))
        if in_metadata:
            self._json.edit(origin.meta, lambda data: _put_all(instance, in_metadata, data, ""))

    def _container(self, instance: Instance, origin: Origin) -> None:
        """A model, which is one file; what the project says of its root stays there."""
        stated = {name: canonical(instance.class_name, name) for name in instance.changes or ()}
        stated = {stored: name for stored, name in stated.items() if name in origin.stated}
        before = {canonical(instance.class_name, name): value for name, value in origin.values.items()}
        differ = [name for name in stated.values() if read(instance, name, defaults=False) != before.get(name)]
        if differ:
            self._properties(instance, origin, differ)
        if origin.kind == "model":
            self._model(instance, origin)
            return
        for stored in stated:
            assert instance.changes is not None
            del instance.changes[stored]
        self._files.write(origin.path, content_of(instance, origin, self._origins))

    def _model(self, instance: Instance, origin: Origin) -> None:
        before = self._json.load(origin.path)
        data = model_of(instance, self._origins, without=tuple(origin.stated))
        if "ClassName" in before:
            data = _in_legacy_words(data)
        named = {key: before[key] for key in ("name", "Name") if key in before}  # which Rojo ignores
        self._json.store(origin.path, named | data)

    # New

    def _emit(self, parent: Instance, origin: Origin, child: Instance) -> None:
        folder = self._maker.folder_of(origin)
        if folder is not None:
            self._maker.make(folder, child, origin.rules)
            return
        if origin.kind == "absent":
            raise Conflict(
                f"'{parent.path}' comes from '{origin.path}', which does not exist, so nothing can be put into it.",
                hint="Install the packages, or make the folder, first.",
                retryable=False,
            )
        if not origin.is_node:
            raise Unsupported(f"'{parent.path}' is a file that cannot have children.", hint="Choose another parent.")
        if child.name.startswith("$") or child.name in dig(self._json.load(origin.project), origin.keys):
            raise Conflict(f"'{parent.path}' already has a '{child.name}' in '{origin.project}'.", retryable=False)
        node = self._as_files(origin, child) if _holds_script(child) else node_of(child, self._origins)
        self._json.edit(origin.project, lambda data: dig(data, origin.keys).update({child.name: node}))

    def _as_files(self, origin: Origin, child: Instance) -> dict[str, Any]:
        """Write a script, or what holds one, into files beside those of the project; return the node that says where.

        Raises:
            Unsupported: everywhere there would be an instance of its own.
        """
        here = posixpath.dirname(origin.project)
        paths = _paths_in(self._json.load(origin.project).get("tree", {}))
        source = _source_folder(paths)
        taken = [posixpath.normpath(path) for path, _ in paths]
        for base in (source, ""):
            folder = posixpath.join(base, *origin.keys)
            if not any(path in (".", folder) or folder.startswith(f"{path}/") for path in taken):
                break
        else:
            raise Unsupported(
                f"There is no folder for '{child.name}' that '{origin.project}' does not read already.",
                hint="Create it in an instance that is a folder of the project.",
            )
        before = set(names_in(self._files, posixpath.join(here, folder)))
        self._maker.make(posixpath.join(here, folder), child, origin.rules)
        made = sorted(set(names_in(self._files, posixpath.join(here, folder))) - before)
        name = next(name for name in made if not name.endswith(META))
        return {"$path": posixpath.join(folder, name)}


def _holds_script(instance: Instance) -> bool:
    return any(each.class_name in SCRIPT_CLASSES for each in instance.walk())


def _paths_in(tree: dict[str, Any], keys: tuple[str, ...] = ()) -> list[tuple[str, tuple[str, ...]]]:
    """Return every path that the nodes of a project file name, with the names that lead to its node."""
    paths: list[tuple[str, tuple[str, ...]]] = []
    for key, value in tree.items():
        if key == "$path":
            path = value.get("optional") if isinstance(value, dict) else value
            paths += [(path, keys)] if isinstance(path, str) else []
        elif not key.startswith("$") and isinstance(value, dict):
            paths += _paths_in(value, (*keys, key))
    return paths


def _source_folder(paths: list[tuple[str, tuple[str, ...]]]) -> str:
    """Return the folder that most of a project's own folders lie in, without what their nodes are called."""
    folders: list[list[str]] = []
    for path, keys in paths:
        above = posixpath.normpath(path).split("/")[:-1]
        named = list(keys[:-1])
        if named and above[-len(named) :] == named:
            above = above[: -len(named)]
        if above and above[0].casefold() not in _PACKAGES:
            folders.append(above)
    shortest: list[str] = min(folders, key=len, default=["src"])
    return "/".join(shortest)


def _put_all(instance: Instance, names: list[str], data: dict[str, Any], prefix: str) -> None:
    for name in names:
        _put_property(instance, name, data, prefix)


def _put_property(instance: Instance, name: str, data: dict[str, Any], prefix: str) -> None:
    """Say one property, or nothing of it, in a JSON object."""
    value = read(instance, name, defaults=False)
    properties: dict[str, Any] = data.get(f"{prefix}properties") or {}
    attributes: dict[str, Any] = data.get(f"{prefix}attributes") or {}
    known = next((key for key in properties if canonical(instance.class_name, key) == name), name)
    if view := next((key for key in properties if _shows(instance.class_name, key, name)), None):
        known, value = view, read(instance, view, defaults=False)  # the file stays with the words it has
        name = view
    if name == "Attributes":
        properties.pop(known, None)
        attributes = attributes_like(value.data, attributes) if value is not None else {}
    elif value is None or value.kind == "Ref":
        properties.pop(known, None)
    else:
        properties[known] = property_json(value, instance.class_name, name)
    for key, content in ((f"{prefix}properties", properties), (f"{prefix}attributes", attributes)):
        if content or (key in data and data[key] == {}):
            data[key] = content
        else:
            data.pop(key, None)


def _shows(class_name: str, key: str, name: str) -> bool:
    declared = database().property(class_name, key)
    return declared is not None and declared.is_view and declared.moved_to is not None and name in declared.moved_to[1]


def _in_legacy_words(data: dict[str, Any]) -> dict[str, Any]:
    """Return a JSON model in the words that it had before Rojo 7.2."""
    model = {_LEGACY.get(key, key): value for key, value in data.items()}
    if "Children" in model:
        model["Children"] = [_in_legacy_words(child) for child in model["Children"]]
    return model
