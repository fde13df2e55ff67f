"""Reads a Rojo project into a tree, and remembers which file each instance came from."""

from __future__ import annotations

import os
import posixpath
from dataclasses import dataclass, field
from typing import Any

from scenewright.core.changes import Changeset
from scenewright.roblox.attributes import pack_attributes, unpack_attributes
from scenewright.roblox.place.documents import Document, open_place
from scenewright.roblox.place.errors import BrokenPlace
from scenewright.roblox.place.rojo.modules import json_without_comments, localization, module_source
from scenewright.roblox.place.rojo.rules import FileKind, Rules, ignores
from scenewright.roblox.place.rojo.values import attributes_from_json, from_json
from scenewright.roblox.reflection.database import database
from scenewright.roblox.tree import Instance
from scenewright.roblox.values import Value, as_text

__all__ = ["Origin", "Reader", "names_in"]

_INITS = tuple(f"init{side}.{ending}" for side in ("", ".server", ".client", ".plugin") for ending in ("luau", "lua"))
_DEFAULT = "default.project.json"
_DEEPEST = 64
_BELOW = {"StarterPlayer": ("StarterPlayerScripts", "StarterCharacterScripts"), "Workspace": ("Terrain",)}


@dataclass(slots=True, eq=False)
class Origin:
    """Where an instance came from."""

    kind: str  # node, folder, script, data, text, table, model, file or inside
    path: str = ""  # its file or folder, from the project's root
    meta: str = ""  # where its metadata is, or would be
    init: str = ""  # of a folder, the script that it is
    project: str = ""  # of a node, its project file
    keys: tuple[str, ...] = ()  # and its place there
    document: Document | None = None  # of a .rbxm or .rbxmx file
    values: dict[str, Value] = field(default_factory=dict)
    raw: bytes | None = None  # of a data file, its content
    parent: Instance | None = None


class _Values:
    """The properties of instances that were read from text files."""

    def names(self, row: Any) -> list[str]:
        return ["Name", *row.values]

    def value(self, row: Any, name: str) -> Value | None:
        found: Value | None = row.values.get(name)
        return found


STORE = _Values()


def names_in(files: Changeset, folder: str) -> list[str]:
    """The names in a folder, sorted, as the call sees it: staged files included."""
    place = files.project.locate(folder or ".")
    found = set(os.listdir(place)) if os.path.isdir(place) else set()
    prefix = f"{folder}/" if folder else ""
    gone = set()
    for change in files.changes():
        if change.path.startswith(prefix):
            name, _, below = change.path[len(prefix) :].partition("/")
            if change.after is not None:
                found.add(name)
            elif not below:
                gone.add(name)
    return sorted(found - gone)


class Reader:
    """Reads one project."""

    def __init__(self, files: Changeset) -> None:
        self._files = files
        self.origins: dict[int, tuple[Instance, Origin]] = {}
        self.commented: set[str] = set()
        self.rules = Rules()

    def read(self, project: str) -> Instance:
        """The root of a project.

        Raises:
            BrokenPlace: a file of it cannot be read.
        """
        return self._project(project, self.rules, 0)

    def origin(self, instance: Instance) -> Origin | None:
        found = self.origins.get(id(instance))
        return found[1] if found else None

    def _new(self, class_name: str, name: str, origin: Origin) -> Instance:
        instance = Instance(class_name, name, source=STORE, row=origin)
        self.origins[id(instance)] = (instance, origin)
        return instance

    def _adopt(self, parent: Instance, child: Instance) -> None:
        child.parent = parent
        parent.children.append(child)
        origin = self.origin(child)
        if origin is not None:
            origin.parent = parent

    def _text(self, path: str) -> str:
        return as_text(self._files.read(path)).removeprefix("\ufeff")

    def _json(self, path: str) -> dict[str, Any]:
        value, commented = json_without_comments(self._text(path), path)
        if commented:
            self.commented.add(path)
        if not isinstance(value, dict):
            raise BrokenPlace(f"'{path}' is not a JSON object.", hint="Mend the file.")
        return value

    # Project files

    def _project(self, path: str, outer: Rules, depth: int) -> Instance:
        project = self._json(path)
        rules = Rules.of(project, outer)
        if depth == 0:
            self.rules = rules
        folder, file = posixpath.split(path)
        stem = posixpath.basename(folder) if file == _DEFAULT else file.removesuffix(".project.json")
        name = project.get("name") or stem or "game"
        tree = project.get("tree")
        if not isinstance(tree, dict):
            raise BrokenPlace(f"'{path}' has no tree.", hint="A Rojo project has a name and a tree.")
        root = self._node(path, (), str(name), tree, (rules, None, depth))
        assert root is not None
        return root

    def _node(
        self, project: str, keys: tuple[str, ...], name: str, node: dict[str, Any], state: tuple[Rules, str | None, int]
    ) -> Instance | None:
        rules, above, depth = state
        given, optional = _path_of(node)
        found = self._from_path(project, given, rules, depth + 1) if given is not None else None
        inferred = _inferred(name, above)
        if found is None and given is not None and not optional:
            raise BrokenPlace(
                f"'{project}': $path '{given}' is not there, or is nothing that Rojo knows.", hint="Mend it."
            )
        own = node.get("$className")
        class_name = own if isinstance(own, str) else None
        if class_name is None:
            from_path = found.class_name if found is not None else None
            class_name = inferred if from_path in (None, "Folder") and inferred else from_path
        if class_name is None:
            if optional:
                return None
            raise BrokenPlace(f"'{project}': '{name}' has neither $className nor $path.", hint="Give it one.")
        instance = self._as_node(found, class_name, name, (project, keys))
        origin = self.origin(instance)
        assert origin is not None
        where = f"{project}: {'/'.join(keys) or name}"
        origin.values |= _values(class_name, node.get("$properties"), node.get("$attributes"), where)
        for child_name, child in sorted(node.items()):
            if not child_name.startswith("$") and isinstance(child, dict):
                made = self._node(project, (*keys, child_name), child_name, child, (rules, class_name, depth))
                if made is not None:
                    self._adopt(instance, made)
        return instance

    def _as_node(self, found: Instance | None, class_name: str, name: str, at: tuple[str, tuple[str, ...]]) -> Instance:
        project, keys = at
        if found is None:
            return self._new(class_name, name, Origin("node", project=project, keys=keys))
        origin = self.origin(found)
        assert origin is not None
        if origin.kind == "file":
            # The instance keeps its file; only where it hangs is said by the project.
            found.name = name
            origin.project, origin.keys = project, keys
            return found
        found.class_name, found.name = class_name, name
        origin.project, origin.keys = project, keys
        return found

    def _from_path(self, project: str, given: str, rules: Rules, depth: int) -> Instance | None:
        base = posixpath.dirname(project)
        path = posixpath.normpath(posixpath.join(base, given))
        path = "" if path == "." else path
        self._files.project.locate(path or ".")
        return self._entry(path, rules, depth)

    # Folders and files

    def _entry(self, path: str, rules: Rules, depth: int) -> Instance | None:
        if depth > _DEEPEST:
            raise BrokenPlace(
                f"'{path}' is nested deeper than {_DEEPEST} levels, or in itself.", hint="Mend the project."
            )
        if path and ignores(rules.ignored, path):
            return None
        place = self._files.project.locate(path or ".")
        if os.path.isdir(place) or (not os.path.exists(place) and names_in(self._files, path)):
            return self._folder(path, rules, depth)
        kind = rules.kind_of(path)
        if kind is None or not self._files.exists(path):
            return None
        return self._file(path, kind, rules, depth)

    def _folder(self, path: str, rules: Rules, depth: int) -> Instance:
        names = names_in(self._files, path)
        prefix = f"{path}/" if path else ""
        if _DEFAULT in names and depth > 0 and path:
            return self._project(prefix + _DEFAULT, rules, depth)
        init = next((name for name in (*_INITS, "init.csv") if name in names), None)
        instance = self._folder_itself(path, prefix, init, rules)
        for name in names:
            if name == init or name.startswith(".") or name in ("init.meta.json", "init.meta.jsonc"):
                continue
            child = self._entry(prefix + name, rules, depth + 1)
            if child is not None:
                self._adopt(instance, child)
        return instance

    def _folder_itself(self, path: str, prefix: str, init: str | None, rules: Rules) -> Instance:
        name = posixpath.basename(path)
        meta = prefix + "init.meta.json"
        origin = Origin("folder", path=path, meta=meta)
        class_name = "Folder"
        if init == "init.csv":
            class_name, origin.init = "LocalizationTable", prefix + init
            origin.values["Contents"] = Value("String", localization(self._text(prefix + init)).encode())
        elif init is not None:
            kind = rules.kind_of(prefix + init)
            assert kind is not None
            class_name, origin.init = kind.class_name, prefix + init
            self._script_values(origin, kind, prefix + init)
        if self._files.exists(meta):
            data = self._json(meta)
            if class_name == "Folder" and isinstance(data.get("className"), str):
                class_name = data["className"]
            origin.values |= _values(class_name, data.get("properties"), data.get("attributes"), meta)
        return self._new(class_name, name, origin)

    def _file(self, path: str, kind: FileKind, rules: Rules, depth: int) -> Instance | None:
        if kind.kind == "project":
            return self._project(path, rules, depth)
        if kind.kind == "model":
            return self._model(path, kind.name)
        if kind.kind == "file":
            return self._document(path, kind.name)
        folder = posixpath.dirname(path)
        meta = posixpath.join(folder, f"{kind.name}.meta.json")
        origin = Origin(kind.kind, path=path, meta=meta)
        if kind.kind == "script":
            self._script_values(origin, kind, path)
        else:
            origin.raw = self._files.read(path)
        if kind.kind == "data":
            origin.values["Source"] = Value("ProtectedString", module_source(self._text(path), path).encode())
        elif kind.kind == "text":
            origin.values["Value"] = Value("String", self._files.read(path))
        elif kind.kind == "table":
            origin.values["Contents"] = Value("String", localization(self._text(path)).encode())
        if self._files.exists(meta):
            data = self._json(meta)
            origin.values |= _values(kind.class_name, data.get("properties"), data.get("attributes"), meta)
        return self._new(kind.class_name, kind.name, origin)

    def _script_values(self, origin: Origin, kind: FileKind, path: str) -> None:
        origin.values["Source"] = Value("ProtectedString", self._files.read(path))
        if kind.run_context is not None:
            number = (database().enum("RunContext") or {}).get(kind.run_context, 0)
            origin.values["RunContext"] = Value("Enum", number)

    def _model(self, path: str, name: str) -> Instance:
        return self._model_node(self._json(path), name, path, "model")

    def _model_node(self, data: dict[str, Any], name: str, path: str, kind: str) -> Instance:
        class_name = data.get("className") or data.get("ClassName")
        if not isinstance(class_name, str):
            raise BrokenPlace(f"'{path}': '{name}' has no className.", hint="Mend the file.")
        origin = Origin(kind, path=path if kind == "model" else "")
        given, attributes = (
            data.get("properties") or data.get("Properties"),
            data.get("attributes") or data.get("Attributes"),
        )
        origin.values |= _values(class_name, given, attributes, path)
        instance = self._new(class_name, name, origin)
        for child in data.get("children") or data.get("Children") or []:
            if not isinstance(child, dict):
                raise BrokenPlace(f"'{path}': a child is not an object.", hint="Mend the file.")
            own = child.get("name") or child.get("Name") or child.get("className") or child.get("ClassName")
            self._adopt(instance, self._model_node(child, str(own), path, "inside"))
        return instance

    def _document(self, path: str, name: str) -> Instance:
        document = open_place(path, self._files.read(path))
        roots = document.tree.root.children
        if len(roots) != 1:
            raise BrokenPlace(
                f"'{path}' must hold one instance and has {len(roots)}.", hint="Rojo takes models of one."
            )
        root = roots[0]
        root.parent, root.name = None, name
        self.origins[id(root)] = (root, Origin("file", path=path, document=document))
        for below in root.walk():
            if below is not root:
                self.origins[id(below)] = (below, Origin("inside", parent=below.parent))
        return root


def _path_of(node: dict[str, Any]) -> tuple[str | None, bool]:
    given = node.get("$path")
    if isinstance(given, dict):
        inner = given.get("optional")
        return (inner, True) if isinstance(inner, str) else (None, True)
    return (given, False) if isinstance(given, str) else (None, False)


def _inferred(name: str, above: str | None) -> str | None:
    if above == "DataModel" and database().is_service(name):
        return name
    return name if above is not None and name in _BELOW.get(above, ()) else None


def _values(class_name: str, properties: Any, attributes: Any, where: str) -> dict[str, Value]:
    found: dict[str, Value] = {}
    for name, given in (properties or {}).items():
        if name not in ("Name", "Parent"):
            found[name] = from_json(given, class_name, name, where)
    if attributes:
        blob = attributes_from_json(attributes, where)
        known = found.get("Attributes")
        if known is not None:
            blob = pack_attributes(unpack_attributes(known.data) | unpack_attributes(blob))
        found["Attributes"] = Value("Attributes", blob)
    return found
