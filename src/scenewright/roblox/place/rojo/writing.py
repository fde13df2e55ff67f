"""Writes changes of a Rojo project back to the files they belong in; what did not change is not touched."""

from __future__ import annotations

import os
import posixpath
import re
from typing import Any

from scenewright.core.changes import Changeset
from scenewright.core.faults import Conflict, Invalid, Unsupported
from scenewright.roblox.attributes import pack_attributes
from scenewright.roblox.kinds import SCRIPT_CLASSES
from scenewright.roblox.place.documents import write_tree
from scenewright.roblox.place.rojo.forms import described, dumped, fits_json, model_of
from scenewright.roblox.place.rojo.modules import json_without_comments
from scenewright.roblox.place.rojo.reading import Origin, Reader, names_in
from scenewright.roblox.place.rojo.values import attributes_to_json, to_json
from scenewright.roblox.properties import read
from scenewright.roblox.reflection.database import database
from scenewright.roblox.tree import Instance, Tree
from scenewright.roblox.values import Value, as_text

__all__ = ["Writer"]

_ENDINGS = {"Script": ".server.luau", "LocalScript": ".client.luau", "ModuleScript": ".luau"}
_FORBIDDEN = re.compile(r'[\x00-\x1f/\\:*?"<>|]|^[. ]|[. ]$|\.(server|client|plugin|model|meta|project)$|^init$')
_CONTAINERS = ("model", "file")


class Writer:
    """Stages what differs between a tree and the files it was read from."""

    def __init__(self, files: Changeset, reader: Reader, root: Instance) -> None:
        self._files = files
        self._reader = reader
        self._root = root
        self._alive = {id(instance) for instance in root.walk()}
        self._folders: dict[int, str] = {}  # of instances that got a folder only now

    def write(self) -> None:
        removed = [pair for pair in self._reader.origins.values() if self._is_displaced(*pair)]
        for _, origin in removed:
            self._remove(origin)
        again = {id(instance) for instance, _ in removed if id(instance) in self._alive}
        self._branch(self._root, again)

    def _is_displaced(self, instance: Instance, origin: Origin) -> bool:
        """Whether an instance is gone, or stands elsewhere or under another name than its file says."""
        if id(instance) not in self._alive:
            return True
        renamed = instance.changes is not None and "Name" in instance.changes and origin.kind != "inside"
        return instance is not self._root and (renamed or instance.parent is not origin.parent)

    def _branch(self, instance: Instance, again: set[int]) -> None:
        """Writes one instance in place, then those below it; what is new there gets files of its own."""
        origin = self._reader.origin(instance)
        assert origin is not None
        if origin.kind in _CONTAINERS:
            if instance.dirty:
                self._container(instance, origin)
            return
        if instance.changes:
            self._values(instance, origin)
        for child in list(instance.children):
            known = self._reader.origin(child)
            if known is None or id(child) in again or known.kind == "inside":
                self._emit(instance, origin, child)
            elif child.dirty:
                self._branch(child, again)

    # Away

    def _remove(self, origin: Origin) -> None:
        if origin.kind == "inside" or self._goes_along(origin):
            return
        if origin.keys and origin.project:
            self._edit(origin.project, lambda data: _dig(data, origin.keys[:-1]).pop(origin.keys[-1], None))
        if origin.kind == "node" or (origin.keys and origin.project and origin.kind == "folder" and not origin.path):
            return
        if origin.kind == "folder":
            self._delete_folder(origin.path)
            return
        for path in (origin.path, origin.meta):
            if path and self._files.exists(path):
                self._files.delete(path)

    def _goes_along(self, origin: Origin) -> bool:
        """Whether the file lies in a folder that goes as a whole."""
        above = origin.parent
        known = self._reader.origin(above) if above is not None else None
        return known is not None and above is not None and id(above) not in self._alive and not origin.keys

    def _delete_folder(self, folder: str) -> None:
        for name in names_in(self._files, folder):
            path = f"{folder}/{name}"
            if os.path.isdir(self._files.project.locate(path)):
                self._delete_folder(path)
            elif self._files.exists(path):
                self._files.delete(path)

    # In place

    def _values(self, instance: Instance, origin: Origin) -> None:
        changed = {name: value for name, value in (instance.changes or {}).items() if name != "Name"}
        source = changed.pop("Source", None)
        if source is not None:
            self._source(instance, origin, source)
        if origin.kind == "text" and "Value" in changed:
            value = changed.pop("Value")
            self._files.write(origin.path, value.data if value is not None else b"")
        if (origin.kind == "table" or origin.init.endswith(".csv")) and "Contents" in changed:
            raise Unsupported(
                f"'{instance.path}' is made from a CSV file.", hint=f"Edit '{origin.init or origin.path}' itself."
            )
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

    def _properties(self, instance: Instance, origin: Origin, stored: list[str]) -> None:
        names = [_canonical(instance.class_name, name) for name in stored]

        def change(data: dict[str, Any], prefix: str) -> None:
            for name in names:
                self._set(instance, name, data, prefix)

        if origin.keys or origin.project:
            self._edit(origin.project, lambda data: change(_dig(data, origin.keys), "$"))
        else:
            self._edit(origin.meta, lambda data: change(data, ""))

    def _set(self, instance: Instance, name: str, data: dict[str, Any], prefix: str) -> None:
        value = read(instance, name, defaults=False)
        if name == "Attributes":
            found = attributes_to_json(value.data if value else pack_attributes({}))
            data[f"{prefix}attributes"] = found
            if not found:
                del data[f"{prefix}attributes"]
            return
        section = data.setdefault(f"{prefix}properties", {})
        if value is None:
            section.pop(name, None)
        else:
            simple = Value("String", value.data) if value.kind == "ProtectedString" else value
            section[name] = to_json(simple, instance.class_name, name)

    def _edit(self, path: str, change: Any) -> None:
        """Changes a JSON file, which may be a new one."""
        before = self._files.read(path) if self._files.exists(path) else None
        data, commented = json_without_comments(as_text(before), path) if before is not None else ({}, False)
        if commented:
            raise Unsupported(
                f"'{path}' has comments, which would be lost.",
                hint="Change that file by hand, or take the comments out.",
            )
        change(data)
        self._files.write(path, dumped(data, before))

    def _container(self, instance: Instance, origin: Origin) -> None:
        if origin.kind == "model":
            self._files.write(origin.path, dumped(model_of(instance), self._files.read(origin.path)))
            return
        document = origin.document
        assert document is not None
        # The file knows the instance as its root; for the moment of writing it hangs there again.
        above, instance.parent = instance.parent, document.tree.root
        document.tree.root.dirty = True
        try:
            document.save(self._files)
        finally:
            instance.parent = above

    # New

    def _emit(self, parent: Instance, origin: Origin, child: Instance) -> None:
        folder = self._folder_of(parent, origin)
        if folder is not None:
            self._files_for(folder, child)
            return
        if origin.kind in ("text", "data", "table"):
            raise Unsupported(f"'{parent.path}' is a file that cannot have children.", hint="Choose another parent.")
        if any(key == child.name for key in _dig(self._load(origin.project), origin.keys)) or child.name.startswith(
            "$"
        ):
            raise Conflict(f"'{parent.path}' has a '{child.name}' in '{origin.project}' already.", retryable=False)
        node = _as_node(child)
        self._edit(origin.project, lambda data: _dig(data, origin.keys).update({child.name: node}))

    def _load(self, path: str) -> dict[str, Any]:
        data, _ = json_without_comments(as_text(self._files.read(path)), path)
        return data if isinstance(data, dict) else {}

    def _folder_of(self, parent: Instance, origin: Origin) -> str | None:
        """The folder for a parent's children; a script in a file of its own becomes a folder."""
        if id(parent) in self._folders:
            return self._folders[id(parent)]
        if origin.kind == "folder":
            return origin.path
        if origin.kind != "script" or origin.project:
            return None
        stem, ending = _split_script(origin.path)
        self._files.write(f"{stem}/init{ending}", self._files.read(origin.path))
        self._files.delete(origin.path)
        if self._files.exists(origin.meta):
            self._files.write(f"{stem}/init.meta.json", self._files.read(origin.meta))
            self._files.delete(origin.meta)
        self._folders[id(parent)] = stem
        return stem

    def _files_for(self, folder: str, instance: Instance) -> None:
        if _FORBIDDEN.search(instance.name):
            raise Invalid(
                f"'{instance.name}' cannot be the name of a file, which Rojo needs here.",
                path="input.name", rule="name",
            )  # fmt: skip
        self._refuse_taken(folder, instance)
        base = f"{folder}/{instance.name}" if folder else instance.name
        known = self._reader.origin(instance)
        if known is not None and known.raw is not None and not set(instance.changes or {}) - {"Name"}:
            self._files.write(base + posixpath.splitext(known.path)[1], known.raw)
        elif self._is_legacy_script(instance):
            self._script(base, instance)
        elif instance.class_name == "Folder" or any(each.class_name in SCRIPT_CLASSES for each in instance.walk()):
            self._as_folder(base, instance)
        elif fits_json(instance):
            self._files.write(f"{base}.model.json", dumped(model_of(instance)))
        else:
            self._files.write(f"{base}.rbxmx", write_tree(f"{base}.rbxmx", _alone(instance)))

    def _is_legacy_script(self, instance: Instance) -> bool:
        if instance.class_name == "ModuleScript":
            return True
        return instance.class_name in ("Script", "LocalScript") and self._reader.rules.legacy

    def _script(self, base: str, instance: Instance) -> None:
        source = instance.stored("Source")
        ending = _ENDINGS[instance.class_name]
        path = f"{base}/init{ending}" if instance.children else f"{base}{ending}"
        self._files.write(path, source.data if source is not None else b"")
        self._meta(f"{base}/init.meta.json" if instance.children else f"{base}.meta.json", instance, {})
        for child in instance.children:
            self._files_for(base, child)

    def _as_folder(self, base: str, instance: Instance) -> None:
        own = {} if instance.class_name == "Folder" and instance.children else {"className": instance.class_name}
        self._meta(f"{base}/init.meta.json", instance, own)
        for child in instance.children:
            self._files_for(base, child)

    def _meta(self, path: str, instance: Instance, data: dict[str, Any]) -> None:
        properties, attributes = described(instance, without=("Source",) if self._is_legacy_script(instance) else ())
        found = (
            data
            | ({"properties": properties} if properties else {})
            | ({"attributes": attributes} if attributes else {})
        )
        if found:
            self._files.write(path, dumped(found))

    def _refuse_taken(self, folder: str, instance: Instance) -> None:
        for name in names_in(self._files, folder):
            path = f"{folder}/{name}" if folder else name
            kind = self._reader.rules.kind_of(path)
            there = self._files.exists(path) if kind is not None else bool(names_in(self._files, path))
            if there and (kind.name if kind is not None else name).casefold() == instance.name.casefold():
                raise Conflict(
                    f"'{path}' is there already, and two instances of one name cannot both be files.",
                    hint="Choose another name.", retryable=False,
                )  # fmt: skip


def _canonical(class_name: str, stored: str) -> str:
    declared = database().canonical(class_name, stored)
    return declared.name if declared else stored


def _dig(data: dict[str, Any], keys: tuple[str, ...]) -> dict[str, Any]:
    """A node of a project file."""
    node: dict[str, Any] = data.setdefault("tree", {})
    for key in keys:
        node = node.setdefault(key, {})
    return node


def _as_node(instance: Instance) -> dict[str, Any]:
    """An instance and all below it as a node of a project file."""
    properties, attributes = described(instance)
    found: dict[str, Any] = {"$className": instance.class_name}
    if properties:
        found["$properties"] = properties
    if attributes:
        found["$attributes"] = attributes
    return found | {child.name: _as_node(child) for child in instance.children}


def _split_script(path: str) -> tuple[str, str]:
    folder, name = posixpath.split(path)
    found = re.fullmatch(r"(.*?)((?:\.(?:server|client|plugin))?\.luau?)", name)
    assert found is not None
    return posixpath.join(folder, found.group(1)), found.group(2)


def _alone(instance: Instance) -> Tree:
    """A tree of one instance, to be written only."""
    tree = Tree()
    tree.root.children = [instance]
    return tree
