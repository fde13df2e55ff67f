"""The scripts of a project: who is called what, who extends whom, and what a script's objects have in all."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from pathlib import Path, PurePosixPath
from typing import Final

from scenewright.core.faults import Invalid, NotFound, did_you_mean
from scenewright.core.text.counts import with_article
from scenewright.core.writes.file_sizes import read_limited
from scenewright.godot.classes.index import ClassIndex
from scenewright.godot.classes.records import Property
from scenewright.godot.language.csharp import csharp_class
from scenewright.godot.language.csharp_types import engine_class
from scenewright.godot.language.entities import ScriptClass
from scenewright.godot.language.exports import exported_property
from scenewright.godot.language.records import FunctionDecl, Script, SignalDecl
from scenewright.godot.language.scope import Scope
from scenewright.godot.language.script_reader import read_script
from scenewright.godot.project.file_scan import is_seen, project_files

__all__ = ["ProjectScripts"]

_CLASS_NAME: Final = re.compile(rb"^[^#\n]*\bclass_name\s+\w", re.MULTILINE)
_ROOT: Final = "res://"


class ProjectScripts:
    """Reads a project's scripts as they are asked for; a changed file is read again, a new one after `refresh`.

    `staged` has the files, by their path from the root, that are about to be written or, with None, deleted.
    """

    def __init__(self, root: Path, index: ClassIndex, staged: Mapping[str, bytes | None] | None = None) -> None:
        self.root = root
        self.index = index
        self._staged = staged or {}
        self._read: dict[str, tuple[tuple[int, int], Script]] = {}
        self._classes: dict[str, str] | None = None
        self._csharp: dict[str, str] | None = None
        self._uids: dict[str, str] | None = None

    def refresh(self) -> None:
        """Forget which files there are, so that they are listed again."""
        self._classes = self._csharp = self._uids = None
        # What a C# file means depends on the classes of the others.
        self._read = {path: known for path, known in self._read.items() if path.endswith(".gd")}

    def paths(self) -> list[str]:
        """Return the path of every script in GDScript, sorted."""
        return sorted(_ROOT + name for name in self._names(".gd"))

    def classes(self) -> dict[str, str]:
        """Return the path of every class with a `class_name`."""
        if self._classes is None:
            named = (path for path in self.paths() if _CLASS_NAME.search(self._peek(path.removeprefix(_ROOT))))
            global_csharp = (path for path in self._csharp_classes().values() if self._is_global(path))
            paths = [*named, *global_csharp]
            self._classes = {}  # while the others are read, which may ask for a class by its name
            scripts = [script for path in paths if (script := self.script_at(path))]
            self._classes = {script.class_name: script.path for script in scripts if script.class_name}
        return self._classes

    def script(self, path_or_class: str) -> Script:
        """Return a script by its path, its uid or its `class_name`.

        Raises:
            NotFound: there is no such script.
        """
        script = self.script_at(path_or_class) or self.class_named(path_or_class)
        if script is None:
            known = [*self.classes(), *self.paths()]
            raise NotFound(f"There is no script '{path_or_class}'.", hint=did_you_mean(path_or_class, known))
        return script

    def csharp_path(self, name: str) -> str:
        """Return the path of the C# file that is named after a class and declares it, empty where there is none."""
        return self._csharp_classes().get(name, "")

    def csharp_type(self, name: str) -> str:
        """Return what the engine calls a C# class of the project: its global name, else that of what it is one of."""
        seen: set[str] = set()
        while (path := self.csharp_path(name)) and path not in seen:
            seen.add(path)
            if self._is_global(path):
                return name
            declared = csharp_class(path, self._text(path))
            name = declared.base or "" if declared is not None else ""
        return engine_class(self.index, name) or "" if name else ""

    def class_named(self, name: str) -> Script | None:
        path = self.classes().get(name)
        return self.script_at(path) if path else None

    def script_at(self, path: str) -> Script | None:
        if path.startswith("uid://"):
            path = self._paths_by_uid().get(path, "")
        if not path.startswith(_ROOT) or not path.endswith((".gd", ".cs")):
            return None
        name = path.removeprefix(_ROOT)
        try:
            stamp = self._stamp(name)
            if path not in self._read or self._read[path][0] != stamp:
                self._read[path] = stamp, self._parse(name, path)
        except OSError:
            self._read.pop(path, None)
            return None
        return self._read[path][1]

    def lineage(self, path_or_class: str) -> list[Script]:
        """Return the script and those it inherits, nearest first."""
        return [place.script for place in self._scope(path_or_class).lineage()]

    def node_class(self, name: str, parameter: str = "nodeType") -> tuple[str, str | None]:
        """Return the engine class that nodes of a class have, and their script where it is the project's class.

        Raises:
            NotFound: there is no such class.
            Invalid: it is not one of nodes.
        """
        own = None if name in self.index else self.class_named(name)
        if own is None and name not in self.index and (near := did_you_mean(name, list(self.classes()))):
            raise NotFound(f"Neither the engine nor the project has a class '{name[:100]}'.", hint=near)
        kind = name if own is None else self.native_base(own.path)
        if own is not None and not self.index.is_a(kind, "Node"):
            raise Invalid(f"'{name}' is not a node class.", path=f"input.{parameter}", rule="class")
        return self.index.node_class(kind, f"input.{parameter}"), own.path if own is not None else None

    def native_base(self, path_or_class: str) -> str:
        """Return the engine's class a script extends in the end."""
        return self._scope(path_or_class).native_base()

    def is_a(self, path_or_class: str, ancestor: str) -> bool:
        """Return whether a script is or extends a project's class, another script, or an engine class."""
        names = {name for script in self.lineage(path_or_class) for name in (script.path, script.class_name)}
        return ancestor in names or self.index.is_a(self.native_base(path_or_class), ancestor)

    def exported(self, path_or_class: str, *, inherited: bool = True) -> list[Property]:
        """Return the exported variables of a script, then those it inherits, as the engine lists them."""
        places = self._scope(path_or_class).lineage() if inherited else [self._scope(path_or_class).place]
        properties = (
            exported_property(variable, Scope(place, self)) for place in places for variable in place.decl.exported
        )
        return [property_ for property_ in properties if property_]

    def property(self, path_or_class: str, name: str) -> Property:
        """Return a property of a script's objects: an exported variable, or one of the engine's class.

        Raises:
            NotFound: there is none of that name.
        """
        exported = {property_.name: property_ for property_ in reversed(self.exported(path_or_class))}
        if name in exported:
            return exported[name]
        native = self.native_base(path_or_class)
        try:
            return self.index.property(native, name)
        except NotFound:
            known = [*exported, *(property_.name for property_ in self.index.properties(native))]
            hint = did_you_mean(name, known, f"list_properties shows those of {with_article(native)}.")
            raise NotFound(f"{path_or_class} ({with_article(native)}) has no property '{name}'.", hint=hint) from None

    def signals(self, path_or_class: str) -> list[SignalDecl]:
        """Return the signals declared by a script and those it extends; the engine's class has its own."""
        return [signal for place in self._scope(path_or_class).lineage() for signal in place.decl.signals]

    def functions(self, path_or_class: str) -> list[FunctionDecl]:
        """Return the functions declared by a script and those it extends, the nearest of a name only."""
        functions: dict[str, FunctionDecl] = {}
        for place in self._scope(path_or_class).lineage():
            for function in place.decl.functions:
                functions.setdefault(function.name, function)
        return list(functions.values())

    def has_signal(self, path_or_class: str, name: str) -> bool:
        declared = any(signal.name == name for signal in self.signals(path_or_class))
        return declared or self.index.has_signal(self.native_base(path_or_class), name)

    def has_method(self, path_or_class: str, name: str) -> bool:
        declared = any(function.name == name for function in self.functions(path_or_class))
        return declared or self.index.has_method(self.native_base(path_or_class), name)

    def _scope(self, path_or_class: str) -> Scope:
        return Scope(ScriptClass.of(self.script(path_or_class)), self)

    def _parse(self, name: str, path: str) -> Script:
        if path.endswith(".gd"):
            return read_script(self._content(name), path)
        from scenewright.godot.language.csharp_reader import read_csharp

        return read_csharp(self._content(name), path, self)

    def _csharp_classes(self) -> dict[str, str]:
        if self._csharp is None:
            paths = sorted(_ROOT + name for name in self._names(".cs"))
            self._csharp = {PurePosixPath(path).stem: path for path in reversed(paths) if self._declares_own(path)}
        return self._csharp

    def _declares_own(self, path: str) -> bool:
        return f"class {PurePosixPath(path).stem}" in self._text(path)

    def _is_global(self, path: str) -> bool:
        return "GlobalClass" in self._text(path)

    def _text(self, path: str) -> str:
        return self._peek(path.removeprefix(_ROOT)).decode("utf-8-sig", "replace")

    def _names(self, ending: str) -> Iterator[str]:
        """The files with an ending, by their path from the root, as they will be."""
        there = {file.relative_to(self.root).as_posix() for file in project_files(self.root, (ending,))}
        yield from there - self._staged.keys()
        for name, content in self._staged.items():
            if name.endswith(ending) and content is not None and is_seen(self.root, name):
                yield name

    def _peek(self, name: str) -> bytes:
        """Return a file's content for a look through many; nothing where it cannot be read."""
        try:
            return self._content(name)
        except OSError:
            return b""

    def _content(self, name: str) -> bytes:
        if name not in self._staged:
            return read_limited(self.root / name)
        content = self._staged[name]
        if content is None:
            raise FileNotFoundError(name)
        return content

    def _stamp(self, name: str) -> tuple[int, int]:
        """What is another when the file is."""
        if name in self._staged:
            return (-1, hash(self._staged[name]))
        file = (self.root / name).resolve()
        if not file.is_relative_to(self.root.resolve()):
            raise FileNotFoundError(name)
        status = file.stat()
        return (status.st_mtime_ns, status.st_size)

    def _paths_by_uid(self) -> dict[str, str]:
        if self._uids is None:
            self._uids = {
                self._peek(name).decode("utf-8", "replace").strip(): _ROOT + name.removesuffix(".uid")
                for ending in (".gd.uid", ".cs.uid")
                for name in self._names(ending)
            }
        return self._uids
