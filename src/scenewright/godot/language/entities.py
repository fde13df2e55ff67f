"""What a name in a script can stand for besides a value."""

from __future__ import annotations

from typing import Protocol

import msgspec

from scenewright.godot.classes.index import ClassIndex
from scenewright.godot.language.constant_values import EnumRef, Folded
from scenewright.godot.language.records import ClassDecl, Script

__all__ = ["Builtin", "Entity", "Native", "ScriptClass", "World"]


class World(Protocol):
    """Where names lead out of a file: the engine's classes, the project's, other files."""

    @property
    def index(self) -> ClassIndex: ...

    def class_named(self, name: str) -> Script | None:
        """Return the script with that `class_name`."""
        ...

    def script_at(self, path: str) -> Script | None:
        """Return the script in a file, by its `res://` path or uid."""
        ...


class Native(msgspec.Struct, frozen=True):
    """A class of the engine."""

    name: str


class Builtin(msgspec.Struct, frozen=True):
    """A built-in type such as `Vector2`."""

    name: str


class ScriptClass(msgspec.Struct, frozen=True):
    """A script's class: the body of the file, or an inner class with those around it, outermost first."""

    script: Script
    nest: tuple[ClassDecl, ...]

    @classmethod
    def of(cls, script: Script) -> ScriptClass:
        return cls(script, (script.body,))

    @property
    def decl(self) -> ClassDecl:
        return self.nest[-1]

    @property
    def global_name(self) -> str:
        """Its `class_name`; inner classes have none."""
        return self.decl.name if len(self.nest) == 1 else ""

    @property
    def full_name(self) -> str:
        """How the engine names it: `Item`, `res://item.gd`, `res://item.gd.Inner`."""
        return ".".join([self.script.class_name or self.script.path, *(inner.name for inner in self.nest[1:])])

    def inner(self, name: str) -> ScriptClass | None:
        declaration = self.decl.inner(name)
        return ScriptClass(self.script, (*self.nest, declaration)) if declaration else None

    def outer(self) -> ScriptClass | None:
        return ScriptClass(self.script, self.nest[:-1]) if len(self.nest) > 1 else None


Entity = Folded | EnumRef | Native | Builtin | ScriptClass
