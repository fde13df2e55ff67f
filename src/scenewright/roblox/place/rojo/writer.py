"""Writes changes of a Rojo project back to the files they belong in; what did not change is not touched."""

from __future__ import annotations

import os
from typing import Any

from scenewright.core.faults import Conflict, Unsupported
from scenewright.core.writes.changeset import Changeset
from scenewright.roblox.place.rojo.file_moves import Mover, delete_folder
from scenewright.roblox.place.rojo.forms import attributes_like, canonical, model_of, node_of, property_json
from scenewright.roblox.place.rojo.jsonfiles import JsonFiles, dig, drop
from scenewright.roblox.place.rojo.modules import localization_file
from scenewright.roblox.place.rojo.new_files import Maker, content_of
from scenewright.roblox.place.rojo.origins import Origin
from scenewright.roblox.place.rojo.reader import RojoReader
from scenewright.roblox.place.rojo.references import settle
from scenewright.roblox.properties import read
from scenewright.roblox.tree import Instance
from scenewright.roblox.values import Value, as_text

__all__ = ["Writer"]

_CONTAINERS = ("model", "file")
_LEGACY = {"name": "Name", "className": "ClassName", "properties": "Properties", "children": "Children"}


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
        if not origin.is_node:
            raise Unsupported(f"'{parent.path}' is a file that cannot have children.", hint="Choose another parent.")
        if child.name.startswith("$") or child.name in dig(self._json.load(origin.project), origin.keys):
            raise Conflict(f"'{parent.path}' already has a '{child.name}' in '{origin.project}'.", retryable=False)
        node = node_of(child, self._origins)
        self._json.edit(origin.project, lambda data: dig(data, origin.keys).update({child.name: node}))


def _put_all(instance: Instance, names: list[str], data: dict[str, Any], prefix: str) -> None:
    for name in names:
        _put_property(instance, name, data, prefix)


def _put_property(instance: Instance, name: str, data: dict[str, Any], prefix: str) -> None:
    """Say one property, or nothing of it, in a JSON object."""
    value = read(instance, name, defaults=False)
    properties: dict[str, Any] = data.get(f"{prefix}properties") or {}
    attributes: dict[str, Any] = data.get(f"{prefix}attributes") or {}
    known = next((key for key in properties if canonical(instance.class_name, key) == name), name)
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


def _in_legacy_words(data: dict[str, Any]) -> dict[str, Any]:
    """Return a JSON model in the words that it had before Rojo 7.2."""
    model = {_LEGACY.get(key, key): value for key, value in data.items()}
    if "Children" in model:
        model["Children"] = [_in_legacy_words(child) for child in model["Children"]]
    return model
