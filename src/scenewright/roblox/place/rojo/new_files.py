"""Makes files for instances that have none: where they go, what they are called, which kind fits."""

from __future__ import annotations

import posixpath
import re
from typing import Any

from scenewright.core.faults import Conflict, Invalid
from scenewright.core.writes.changeset import Changeset
from scenewright.roblox.kinds import SCRIPT_CLASSES
from scenewright.roblox.place.documents import write_tree
from scenewright.roblox.place.rojo.forms import described, fits_json, model_of
from scenewright.roblox.place.rojo.jsonfiles import JsonFiles
from scenewright.roblox.place.rojo.modules import localization_file
from scenewright.roblox.place.rojo.origins import Origin, Origins, names_in
from scenewright.roblox.place.rojo.rules import META, Rules
from scenewright.roblox.reflection.database import database
from scenewright.roblox.tree import Instance, InstanceTree
from scenewright.roblox.values import as_text

__all__ = ["Maker", "content_of"]

_FORBIDDEN = re.compile(r'[\x00-\x1f/\\:*?"<>|]|^[. ]|[. ]$|\.(server|client|plugin|model|meta|project)$|^init$')
_SCRIPT = re.compile(r"(.*?)((?:\.(?:server|client|plugin))?\.luau?)")


class Maker:
    """Stages new files."""

    def __init__(self, files: Changeset, json: JsonFiles, origins: Origins) -> None:
        self._files = files
        self._json = json
        self._origins = origins

    def folder_of(self, origin: Origin) -> str | None:
        """Return the folder for the children of an instance; one in a file of its own becomes a folder. None: it has
        none.
        """
        if origin.kind == "folder":
            return origin.path
        if origin.kind not in ("script", "table") or origin.is_node:
            return None
        folder, name = posixpath.split(origin.path)
        parts = _SCRIPT.fullmatch(name) if origin.kind == "script" else re.fullmatch(r"(.*)(\.csv)", name)
        if parts is None:
            return None  # by a rule of the project's own, which no init file has
        stem = posixpath.join(folder, parts.group(1))
        self._shift(origin.path, f"{stem}/init{parts.group(2)}")
        meta = posixpath.basename(origin.meta).removeprefix(parts.group(1))
        self._shift(origin.meta, f"{stem}/init{meta}")
        origin.kind, origin.path, origin.meta = "folder", stem, f"{stem}/init{meta}"
        origin.init = f"{stem}/init{parts.group(2)}"
        return stem

    def _shift(self, path: str, new: str) -> None:
        if self._files.exists(path):
            self._files.write(new, self._files.read(path))
            self._files.delete(path)

    def claim(self, folder: str, name: str, rules: Rules) -> str:
        """Return the path of an instance's files, without an ending.

        Raises:
            Invalid: no file can be called so.
            Conflict: another instance is.
        """
        if _FORBIDDEN.search(name):
            raise Invalid(
                f"'{name}' cannot be the name of a file, which Rojo needs here.", path="input.name", rule="name"
            )
        for there in names_in(self._files, folder):
            path = posixpath.join(folder, there)
            kind = rules.kind_of(path)
            is_there = self._files.exists(path) if kind is not None else bool(names_in(self._files, path))
            if is_there and (kind.name if kind is not None else there).casefold() == name.casefold():
                raise Conflict(
                    f"'{path}' already exists, and two instances of one name cannot both be files.",
                    hint="Choose another name.",
                    retryable=False,
                )
        return posixpath.join(folder, name)

    def make(self, folder: str, instance: Instance, rules: Rules) -> None:
        """Write an instance, and all below it, into a folder."""
        base = self.claim(folder, instance.name, rules)
        known = self._origins.of(instance)
        ending = _script_ending(instance, rules)
        if known is not None and known.raw is not None and _is_as_read(instance):
            self._files.write(base + posixpath.splitext(known.path)[1], known.raw)
            self._meta(base + META[0], instance, {}, ("Contents", "Source", "Value"))
        elif known is not None and known.kind == "file":
            self._files.write(base + posixpath.splitext(known.path)[1], content_of(instance, known, self._origins))
        elif ending is not None:
            self._script(base, ending, instance, rules)
        elif instance.class_name == "LocalizationTable" and self._table(base, instance, rules):
            pass
        elif instance.class_name == "Folder" or any(each.class_name in SCRIPT_CLASSES for each in instance.walk()):
            own = {} if instance.class_name == "Folder" and instance.children else {"className": instance.class_name}
            self._meta(f"{base}/init{META[0]}", instance, own, ())
            self._children(base, instance, rules)
        elif fits_json(instance, self._origins):
            self._json.store(f"{base}.model.json", model_of(instance, self._origins))
        else:
            self._files.write(f"{base}.rbxmx", write_tree(f"{base}.rbxmx", _tree_of_one(instance)))

    def _children(self, folder: str, instance: Instance, rules: Rules) -> None:
        for child in instance.children:
            self.make(folder, child, rules)

    def _script(self, base: str, ending: tuple[str, str | None], instance: Instance, rules: Rules) -> None:
        source = instance.stored("Source")
        stem = f"{base}/init" if instance.children else base
        self._files.write(stem + ending[0], source.data if source is not None else b"")
        known = ("Source", "RunContext") if _run_context(instance) == ending[1] else ("Source",)
        self._meta(stem + META[0], instance, {}, known)
        self._children(base, instance, rules)

    def _table(self, base: str, instance: Instance, rules: Rules) -> bool:
        """Return a localization table as CSV, where its contents are such."""
        contents = instance.stored("Contents")
        text = localization_file(as_text(contents.data) if contents is not None else "")
        if text is None:
            return False
        stem = f"{base}/init" if instance.children else base
        self._files.write(f"{stem}.csv", text.encode("utf-8", "surrogateescape"))
        self._meta(stem + META[0], instance, {}, ("Contents",))
        self._children(base, instance, rules)
        return True

    def _meta(self, path: str, instance: Instance, data: dict[str, Any], without: tuple[str, ...]) -> None:
        properties, attributes = described(instance, without=without)
        origin = self._origins.of(instance)
        content = data | (origin.rest if origin is not None else {})
        content |= {"properties": properties} if properties else {}
        content |= {"attributes": attributes} if attributes else {}
        if content:
            self._json.store(path, content)


def content_of(instance: Instance, origin: Origin, origins: Origins) -> bytes:
    """Return the model file of its root instance."""
    document = origin.document
    assert document is not None
    for each in instance.walk():
        known = origins.of(each)
        if known is None or known.document is not document:
            document.adopt(each)  # it came from elsewhere and has no name in the file
    # The file knows the instance as its root; for the moment of writing it hangs there again.
    above, instance.parent = instance.parent, document.tree.root
    document.tree.root.dirty = True
    try:
        return document.content()
    finally:
        instance.parent = above


def _is_as_read(instance: Instance) -> bool:
    return not set(instance.changes or ()) & {"Source", "Value", "Contents"}


def _run_context(instance: Instance) -> str | None:
    value = instance.stored("RunContext")
    items = database().enum("RunContext") or {}
    return next((name for name, number in items.items() if value is not None and number == value.data), None)


def _script_ending(instance: Instance, rules: Rules) -> tuple[str, str | None] | None:
    """Return the ending of a script's file, and the run context that it stands for; None where no file
    says its class.
    """
    if instance.class_name == "ModuleScript":
        return ".luau", None
    if instance.class_name == "LocalScript":
        return (".client.luau", None) if rules.legacy else None
    if instance.class_name != "Script":
        return None
    context = _run_context(instance)
    if context == "Plugin":
        return ".plugin.luau", context
    if rules.legacy:
        return ".server.luau", "Legacy" if context == "Legacy" else None
    return (".client.luau", context) if context == "Client" else (".server.luau", "Server")


def _tree_of_one(instance: Instance) -> InstanceTree:
    """Return a tree of one instance, to be written only."""
    tree = InstanceTree()
    tree.root.children = [instance]
    return tree
