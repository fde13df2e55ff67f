"""Reads a Rojo project into a tree, and remembers which file each instance came from."""

from __future__ import annotations

import os
import posixpath
from dataclasses import dataclass
from typing import Any

from scenewright.core.writes.changeset import Changeset
from scenewright.roblox.place.documents import open_place
from scenewright.roblox.place.errors import BrokenPlace
from scenewright.roblox.place.rojo.modules import json_without_comments, localization, module_source
from scenewright.roblox.place.rojo.origins import STORE, Origin, Origins, names_in, say
from scenewright.roblox.place.rojo.references import Links, link
from scenewright.roblox.place.rojo.rules import META, FileKind, Rules
from scenewright.roblox.place.rojo.values import attributes_from_json, from_json
from scenewright.roblox.reflection.database import database
from scenewright.roblox.tree import Instance
from scenewright.roblox.values import Value, as_bytes, as_text

__all__ = ["PROJECTS", "RojoReader"]

PROJECTS = ("default.project.json", "default.project.jsonc")
_INITS = (
    *(f"init{side}.{ending}" for side in ("", ".server", ".client", ".plugin") for ending in ("luau", "lua")),
    "init.csv",
)
_INIT_METAS = tuple(f"init{ending}" for ending in META)
_DEEPEST = 64
_BELOW = {"StarterPlayer": ("StarterPlayerScripts", "StarterCharacterScripts"), "Workspace": ("Terrain",)}
_KNOWN = frozenset(("name", "className", "properties", "attributes", "children"))
_ABOUT_NODES = ("id", "ignoreUnknownInstances")


@dataclass(frozen=True, slots=True)
class _At:
    """A node of a project file."""

    project: str
    keys: tuple[str, ...]
    above: str | None  # the class of the node that it hangs on
    rules: Rules
    depth: int


class RojoReader:
    """Reads one project."""

    def __init__(self, files: Changeset) -> None:
        self._files = files
        self.origins = Origins()
        self.links: Links = {}
        self.absent: list[str] = []  # paths of nodes that lead nowhere

    def read(self, project: str) -> Instance:
        """Return the root of a project.

        Raises:
            BrokenPlace: a file of it cannot be read.
        """
        root = self._project(project, Rules(), 0)
        self.links = link(root, self.origins)
        return root

    def _new(self, class_name: str, name: str, origin: Origin) -> Instance:
        instance = Instance(class_name, name, source=STORE, row=origin)
        self.origins.put(instance, origin)
        return instance

    def _adopt_child(self, parent: Instance, child: Instance) -> None:
        child.parent = parent
        parent.children.append(child)
        origin = self.origins.of(child)
        if origin is not None:
            origin.parent = parent

    def _text(self, path: str) -> str:
        return as_text(self._files.read(path)).removeprefix("\ufeff")

    def _json(self, path: str) -> dict[str, Any]:
        value = json_without_comments(self._text(path), path)
        if not isinstance(value, dict):
            raise BrokenPlace(f"'{path}' is not a JSON object.", hint="Mend the file.")
        return value

    # Project files

    def _project(self, path: str, outer: Rules, depth: int) -> Instance:
        project = self._json(path)
        folder, file = posixpath.split(path)
        rules = Rules.of(project, folder, outer)
        own = posixpath.basename(folder) or self._files.project.root.name
        stem = own if file in PROJECTS else file.partition(".project.json")[0]
        name = project.get("name") or stem or "game"
        tree = project.get("tree")
        if not isinstance(tree, dict):
            raise BrokenPlace(f"'{path}' has no tree.", hint="A Rojo project has a name and a tree.")
        root = self._node(str(name), tree, _At(path, (), None, rules, depth))
        if root is None:
            raise BrokenPlace(f"'{path}' describes nothing.", hint="Give the tree a $className or a $path.")
        return root

    def _nested(self, project: str, holder: str, rules: Rules, depth: int) -> Instance:
        """Return a project inside another, which its file or folder holds."""
        root = self._project(project, rules, depth)
        origin = self.origins.of(root)
        assert origin is not None
        origin.holder = holder
        return root

    def _node(self, name: str, node: dict[str, Any], at: _At) -> Instance | None:
        given, optional = _path_of(node)
        from_path = self._from_path(at, given) if given is not None else None
        absent = from_path is None and given is not None and not optional and self._is_absent(at, given)
        if absent:
            self.absent.append(str(given))
            from_path = self._new("Folder", name, Origin("absent", path=str(given), rules=at.rules))
        if from_path is None and given is not None and not optional:
            raise BrokenPlace(
                f"'{at.project}': $path '{given}' does not exist, or is nothing that Rojo knows.", hint="Mend it."
            )
        class_name = _class_of(name, node, from_path, at.above)
        if class_name is None:
            if optional:
                return None
            raise BrokenPlace(f"'{at.project}': '{name}' has neither $className nor $path.", hint="Give it one.")
        instance = from_path or self._new(class_name, name, Origin("node", rules=at.rules))
        origin = self.origins.of(instance)
        assert origin is not None
        origin.project, origin.keys = at.project, at.keys
        origin.inferred = "$className" not in node and class_name == name and instance.class_name in (name, "Folder")
        instance.name = name
        if origin.kind != "file":  # which keeps its own
            instance.class_name = class_name
        self._take_node(instance, origin, node, f"{at.project}: {'/'.join(at.keys) or name}")
        for child_name, child in sorted(node.items()):
            if not child_name.startswith("$") and isinstance(child, dict):
                below = _At(at.project, (*at.keys, child_name), class_name, at.rules, at.depth)
                made = self._node(child_name, child, below)
                if made is not None:
                    self._adopt_child(instance, made)
        return instance

    def _take_node(self, instance: Instance, origin: Origin, node: dict[str, Any], where: str) -> None:
        data = {key.removeprefix("$"): value for key, value in node.items() if key.startswith("$")}
        values = _values(instance.class_name, data, where)
        origin.stated = {_canonical(instance.class_name, name) for name in values}
        origin.rest |= {key: data[key] for key in _ABOUT_NODES if key in data}
        for name, value in values.items():
            for stored in say(instance, name, value):
                origin.values[stored] = instance.stored(stored) or value

    def _is_absent(self, at: _At, given: str) -> bool:
        """Return whether there is nothing at all at a path, which only a node below the root can do without."""
        place = self._files.project.locate(posixpath.join(posixpath.dirname(at.project), given) or ".")
        return bool(at.keys) and not os.path.exists(place)

    def _from_path(self, at: _At, given: str) -> Instance | None:
        path = posixpath.normpath(posixpath.join(posixpath.dirname(at.project), given))
        path = "" if path == "." else path
        self._files.project.locate(path or ".")
        return self._entry(path, at.rules, at.depth + 1)

    # Folders and files

    def _entry(self, path: str, rules: Rules, depth: int) -> Instance | None:
        if depth > _DEEPEST:
            raise BrokenPlace(
                f"'{path}' is nested deeper than {_DEEPEST} levels, or in itself.", hint="Mend the project."
            )
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
        project = next((name for name in PROJECTS if name in names), None)
        if project is not None and depth > 0 and path:
            return self._nested(prefix + project, path, rules, depth)
        instance = self._folder_itself(path, prefix, names, rules)
        for name in names:
            if name.startswith(".") or name in (*_INITS, *_INIT_METAS) or rules.ignores(prefix + name):
                continue
            child = self._entry(prefix + name, rules, depth + 1)
            if child is not None:
                self._adopt_child(instance, child)
        return instance

    def _folder_itself(self, path: str, prefix: str, names: list[str], rules: Rules) -> Instance:
        origin = Origin("folder", path=path, rules=rules)
        class_name = "Folder"
        init = next((name for name in _INITS if name in names), None)
        if init == "init.csv":
            class_name, origin.init = "LocalizationTable", prefix + init
            origin.values["Contents"] = Value(
                "String", as_bytes(localization(self._text(prefix + init), prefix + init))
            )
        elif init is not None:
            kind = Rules(legacy=rules.legacy).kind_of(prefix + init)  # whatever a project's own rules say
            assert kind is not None
            class_name, origin.init = kind.class_name, prefix + init
            self._script_values(origin, kind, prefix + init)
        class_name = self._metadata(origin, class_name, prefix + "init")
        return self._new(class_name, posixpath.basename(path), origin)

    def _metadata(self, origin: Origin, class_name: str, stem: str) -> str:
        """Take in the files of metadata, of which the second counts more; return the class that comes of it."""
        origin.meta = stem + META[0]
        for path in (stem + ending for ending in META):
            if not self._files.exists(path):
                continue
            data = self._json(path)
            if class_name == "Folder" and isinstance(data.get("className"), str):
                class_name = data["className"]
            _take_metadata(origin, class_name, data, path)
            origin.meta = path
        return class_name

    def _file(self, path: str, kind: FileKind, rules: Rules, depth: int) -> Instance | None:
        if kind.kind == "project":
            return self._nested(path, path, rules, depth)
        if kind.kind == "model":
            return self._model(path, kind.name, rules)
        if kind.kind == "file":
            return self._document(path, kind.name, rules)
        origin = Origin(kind.kind, path=path, rules=rules)
        if kind.kind == "script":
            self._script_values(origin, kind, path)
        else:
            origin.raw = self._files.read(path)
        if kind.kind == "data":
            origin.values["Source"] = Value("ProtectedString", as_bytes(module_source(self._text(path), path)))
        elif kind.kind == "text":
            origin.values["Value"] = Value("String", self._files.read(path))
        elif kind.kind == "table":
            origin.values["Contents"] = Value("String", as_bytes(localization(self._text(path), path)))
        self._metadata(origin, kind.class_name, posixpath.join(posixpath.dirname(path), kind.name))
        return self._new(kind.class_name, kind.name, origin)

    def _script_values(self, origin: Origin, kind: FileKind, path: str) -> None:
        origin.values["Source"] = Value("ProtectedString", self._files.read(path))
        if kind.run_context is not None:
            number = (database().enum("RunContext") or {}).get(kind.run_context, 0)
            origin.values["RunContext"] = Value("Enum", number)

    def _model(self, path: str, name: str, rules: Rules) -> Instance | None:
        if not self._text(path).strip():
            return None
        return self._model_node(self._json(path), name, path, Origin("model", path=path, rules=rules))

    def _model_node(self, data: dict[str, Any], name: str, path: str, origin: Origin) -> Instance:
        plain = {key[:1].lower() + key[1:]: value for key, value in data.items()}  # as they were before Rojo 7.2
        class_name = plain.get("className")
        if not isinstance(class_name, str):
            raise BrokenPlace(f"'{path}': '{name}' has no className.", hint="Mend the file.")
        _take_metadata(origin, class_name, plain, path)
        instance = self._new(class_name, name, origin)
        for child in plain.get("children") or []:
            if not isinstance(child, dict):
                raise BrokenPlace(f"'{path}': a child is not an object.", hint="Mend the file.")
            own = next((child[key] for key in ("name", "Name", "className", "ClassName") if child.get(key)), "")
            self._adopt_child(instance, self._model_node(child, str(own), path, Origin("inside")))
        return instance

    def _document(self, path: str, name: str, rules: Rules) -> Instance:
        document = open_place(path, self._files.read(path))
        roots = document.tree.root.children
        if len(roots) != 1:
            raise BrokenPlace(
                f"'{path}' must hold one instance and has {len(roots)}.", hint="Rojo takes models of one."
            )
        root = roots[0]
        root.parent, root.name = None, name
        self.origins.put(root, Origin("file", path=path, document=document, rules=rules))
        self.origins.put_inside(root, document)
        return root


def _path_of(node: dict[str, Any]) -> tuple[str | None, bool]:
    given = node.get("$path")
    if isinstance(given, dict):
        inner = given.get("optional")
        return (inner, True) if isinstance(inner, str) else (None, True)
    return (given, False) if isinstance(given, str) else (None, False)


def _class_of(name: str, node: dict[str, Any], instance: Instance | None, above: str | None) -> str | None:
    """Return the class that a node says, has from its path, or has by its name."""
    own = node.get("$className")
    if isinstance(own, str):
        return own
    inferred = None
    if (above == "DataModel" and database().is_service(name)) or (above and name in _BELOW.get(above, ())):
        inferred = name
    from_path = instance.class_name if instance is not None else None
    return inferred if from_path in (None, "Folder") and inferred else from_path


def _canonical(class_name: str, name: str) -> str:
    declared = database().canonical(class_name, name)
    return declared.name if declared else name


def _other_fields(data: dict[str, Any]) -> dict[str, Any]:
    return {key: value for key, value in data.items() if key not in _KNOWN}


def _values(class_name: str, data: dict[str, Any], where: str) -> dict[str, Value]:
    values: dict[str, Value] = {}
    for name, given in (data.get("properties") or {}).items():
        if name not in ("Name", "Parent"):
            values[name] = from_json(given, class_name, name, where)
    attributes = data.get("attributes")
    if attributes:
        values["Attributes"] = Value("Attributes", attributes_from_json(attributes, where))
    return values


def _take_metadata(origin: Origin, class_name: str, data: dict[str, Any], where: str) -> None:
    """Take over what an instance's own file says; its attributes replace those that were said before."""
    values = _values(class_name, data, where)
    instance = Instance(class_name, "", source=STORE, row=origin)
    origin.made |= {name: say(instance, name, value) for name, value in values.items()}
    origin.given |= data.get("properties") or {}
    origin.attributes = data.get("attributes") or origin.attributes
    origin.rest |= _other_fields(data)
