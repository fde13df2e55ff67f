"""Looks names up the way the engine does: the class, what it inherits, the classes around it, the global ones."""

from __future__ import annotations

import math
import posixpath
from collections.abc import Iterator
from typing import Final

import msgspec

from scenewright.godot.classes.index import GLOBAL
from scenewright.godot.classes.records import Constant
from scenewright.godot.classes.variant import VARIANT_TYPES
from scenewright.godot.language.constant_expressions import fold, preloaded_path
from scenewright.godot.language.constant_values import COMPONENTS, EnumRef, Folded
from scenewright.godot.language.entities import Builtin, Entity, Native, ScriptClass, World
from scenewright.godot.language.records import EnumDecl

__all__ = ["UNNAMED", "Scope"]

_MATH: Final = {"PI": math.pi, "TAU": math.tau, "INF": math.inf, "NAN": math.nan}
_BUILTIN: Final = frozenset(VARIANT_TYPES) - {"Nil", "Object"}
_DEEPEST: Final = 24  # constants may name each other, and classes inherit each other, in a circle
UNNAMED: Final = "<anonymous enum>"


class Scope(msgspec.Struct, frozen=True):
    """The names that can be used inside a script's class."""

    place: ScriptClass
    world: World
    depth: int = 0

    def lookup(self, name: str) -> Entity | None:
        """Return what a name stands for."""
        around: ScriptClass | None = self.place
        while around is not None:
            entity = self._in_class(around, name)
            if entity is not None:
                return entity
            around = around.outer()
        return self._global(name)

    def member(self, entity: Entity, name: str) -> Entity | None:
        """Return what `entity.name` stands for."""
        if isinstance(entity, ScriptClass):
            return self._in_class(entity, name)
        if isinstance(entity, EnumRef):
            return Folded("int", entity.members[name], entity) if name in entity.members else None
        if isinstance(entity, Native | Builtin):
            return self._in_native(entity.name, name)
        if entity.type == "Dictionary":
            return next((value for key, value in entity.raw if key.raw == name), None)
        return None

    def lineage(self) -> list[ScriptClass]:
        """Return the class and the script classes it inherits, nearest first."""
        return list(_lineage(self.place, self.world))

    def native_base(self) -> str:
        """Return the engine's class at the end of the line."""
        last = self.lineage()[-1]
        base = Scope(last, self.world, self.depth).base()
        return base.name if isinstance(base, Native) else "RefCounted"

    def base(self) -> ScriptClass | Native | None:
        """Return what the class extends, or None where that is not found."""
        decl = self.place.decl
        if decl.extends_path:
            script = self.world.script_at(self.resolved_path(decl.extends_path))
            entity: Entity | None = ScriptClass.of(script) if script else None
            parts = decl.extends_name.split(".") if decl.extends_name else []
        elif decl.extends_name:
            first, *parts = decl.extends_name.split(".")
            outer = self.place.outer()
            entity = Scope(outer, self.world, self.depth + 1).lookup(first) if outer else self._own_or_global(first)
        else:
            entity, parts = Native("RefCounted"), []
        for part in parts:
            entity = self.member(entity, part) if entity is not None else None
        return entity if isinstance(entity, ScriptClass | Native) else None

    def resolved_path(self, path: str) -> str:
        """Return a path written in the script as one from the project's root."""
        if "://" in path:
            return path
        return "res://" + posixpath.normpath(posixpath.join(posixpath.dirname(self.place.script.path[6:]), path))

    def script(self, path: str) -> ScriptClass | None:
        """Return the script at a path written in this one."""
        script = self.world.script_at(self.resolved_path(path))
        return ScriptClass.of(script) if script else None

    def _own_or_global(self, name: str) -> Entity | None:
        """For `extends`: a class of this file or of the project, not one that would have to be inherited first."""
        return self._declared(self.place, name) or self._global(name)

    def _in_class(self, place: ScriptClass, name: str) -> Entity | None:
        if self.depth > _DEEPEST:
            return None
        lineage = list(_lineage(place, self.world))
        for owner in lineage:
            if (entity := self._declared(owner, name)) is not None:
                return entity
        base = Scope(lineage[-1], self.world, self.depth + 1).base()
        return self._in_native(base.name, name) if isinstance(base, Native) else None

    def _declared(self, place: ScriptClass, name: str) -> Entity | None:
        decl, inside = place.decl, Scope(place, self.world, self.depth + 1)
        if (constant := decl.constant(name)) is not None:
            return inside.preloaded(constant.value) or fold(constant.value, inside)
        for enum in decl.enums:
            if enum.name and enum.name == name:
                return inside.enum(enum)
            if not enum.name and any(member == name for member, _ in enum.members):
                return inside.member(inside.enum(enum), name)
        return place.inner(name)

    def preloaded(self, expression: str) -> ScriptClass | None:
        """Return the class in `preload("res://other.gd")`."""
        path = preloaded_path(expression)
        return self.script(path) if path else None

    def enum(self, decl: EnumDecl) -> EnumRef:
        """Return the members of an enumeration with their numbers."""
        members: dict[str, int] = {}
        following = 0
        for name, text in decl.members:
            value = fold(text, _Among(self, members)) if text else None
            number = value.raw if isinstance(value, Folded) and value.type == "int" else following
            members[name] = number
            following = number + 1
        return EnumRef(f"{self.place.full_name}.{decl.name or UNNAMED}", members)

    def _global(self, name: str) -> Entity | None:
        index = self.world.index
        if (script := self.world.class_named(name)) is not None:
            return ScriptClass.of(script)
        if name in _BUILTIN:
            return Builtin(name)
        if name in index:
            return Native(name)
        if name in _MATH:
            return Folded("float", _MATH[name])
        return self._in_native(GLOBAL, name)

    def _in_native(self, class_name: str, name: str) -> Entity | None:
        index = self.world.index
        if class_name not in index:
            return None
        for enum in index.enums(class_name):
            if enum.name == name or name in enum.numbers:
                declared = EnumRef(enum.qualified, enum.numbers)
                return declared if enum.name == name else self.member(declared, name)
        constant = next((known for known in index.constants(class_name) if known.name == name), None)
        return _constant(constant) if constant else None


class _Among(msgspec.Struct, frozen=True):
    """Inside an enumeration its earlier members can be named."""

    scope: Scope
    members: dict[str, int]

    def lookup(self, name: str) -> Entity | None:
        return Folded("int", self.members[name]) if name in self.members else self.scope.lookup(name)

    def member(self, entity: Entity, name: str) -> Entity | None:
        return self.scope.member(entity, name)


def _lineage(place: ScriptClass, world: World) -> Iterator[ScriptClass]:
    seen: list[str] = []
    current: ScriptClass | Native | None = place
    while isinstance(current, ScriptClass) and current.full_name not in seen:
        seen.append(current.full_name)
        yield current
        current = Scope(current, world, len(seen)).base()


def _constant(constant: Constant) -> Folded | None:
    if constant.type in COMPONENTS:
        numbers = constant.value.partition("(")[2].rstrip(")").split(",")
        return Folded(constant.type, tuple(float(number) for number in numbers))
    return Folded("int", int(constant.value)) if constant.value.lstrip("-").isdigit() else None
