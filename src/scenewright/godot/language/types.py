"""Works out declared types: built-in, engine's and project's classes, enumerations, typed arrays and dictionaries."""

from __future__ import annotations

import posixpath
from typing import Final

import msgspec

from scenewright.godot.classes.index import GLOBAL
from scenewright.godot.classes.variant import PACKED_ELEMENTS, VARIANT_TYPES, type_arguments
from scenewright.godot.language.constant_expressions import fold, preloaded_path
from scenewright.godot.language.constant_values import EnumRef, Folded
from scenewright.godot.language.entities import Builtin, Entity, Native, ScriptClass
from scenewright.godot.language.records import VariableDecl
from scenewright.godot.language.scope import Scope

__all__ = ["ANY", "TypeRef", "declared_type", "type_of_value", "type_of_variable"]

_RESOURCE_FILES: Final = {
    ".tscn": "PackedScene",
    ".scn": "PackedScene",
    ".gd": "GDScript",
    ".gdshader": "Shader",
    ".png": "CompressedTexture2D",
    ".svg": "CompressedTexture2D",
    ".webp": "CompressedTexture2D",
    ".jpg": "CompressedTexture2D",
}


class TypeRef(msgspec.Struct, frozen=True):
    """A type as the engine sees it."""

    variant: str  # `Nil` for any value
    name: str = ""  # as written
    native: str = ""  # of an object: the engine's class it is or extends
    class_name: str = ""  # of an object: what the engine calls its class
    is_resource: bool = False
    enum: EnumRef | None = None
    element: TypeRef | None = None
    key: TypeRef | None = None

    @property
    def number(self) -> int:
        return VARIANT_TYPES.index(self.variant)

    @property
    def is_any(self) -> bool:
        return self.variant == "Nil"


ANY: Final = TypeRef("Nil", "Variant")


def type_of_variable(variable: VariableDecl, scope: Scope) -> TypeRef | None:
    """Return the type a variable is declared with, or has from its value; None where it is not known."""
    if variable.type:
        return declared_type(variable.type, scope)
    return type_of_value(variable.value, scope) if variable.value is not None else None


def declared_type(text: str, scope: Scope) -> TypeRef | None:
    """Return the type that a text in a script stands for."""
    text = "".join(text.split())
    outer, bracket, inside = text.partition("[")
    if bracket:
        parts = [declared_type(part, scope) or ANY for part in type_arguments(inside[:-1])]
        if outer == "Array" and len(parts) == 1:
            return TypeRef("Array", text, element=parts[0])
        if outer == "Dictionary" and len(parts) == 2:
            return TypeRef("Dictionary", text.replace(",", ", "), key=parts[0], element=parts[1])
        return None
    if text in ("Variant", "void"):
        return ANY
    first, *rest = text.split(".")
    entity = scope.lookup(first)
    for part in rest:
        entity = scope.member(entity, part) if entity is not None else None
    return _type_of_entity(entity, text, scope)


def type_of_value(expression: str, scope: Scope) -> TypeRef | None:
    """Return the type of an initial value."""
    text = expression.strip()
    if path := preloaded_path(text):
        return _type_of_file(path)
    if text.startswith("load("):
        return _type_of_file("")
    construction = text.partition(".new(")
    if construction[1] and construction[2].endswith(")"):
        return declared_type(construction[0], scope)
    value = fold(text, scope)
    if isinstance(value, Folded):
        return TypeRef(value.type, value.type, enum=value.enum)
    return _type_of_call(text, scope)


def _type_of_call(text: str, scope: Scope) -> TypeRef | None:
    """`Vector2(x, y)` is a Vector2 even where x is not known, `deg_to_rad(90)` a float, `Color.html("")` a Color."""
    called, bracket, _ = text.partition("(")
    owner, _, name = called.strip().rpartition(".")
    if not bracket or not text.endswith(")"):
        return None
    if not owner and isinstance(scope.lookup(name), Builtin):
        return declared_type(name, scope)
    place = owner or GLOBAL
    index = scope.world.index
    if not index.has_method(place, name) or (owner and not isinstance(scope.lookup(owner), Builtin)):
        return None
    return declared_type(index.method(place, name).returns, scope)


def _type_of_file(path: str) -> TypeRef:
    native = _RESOURCE_FILES.get(posixpath.splitext(path)[1], "Resource")
    return TypeRef("Object", native, native, native, is_resource=True)


def _type_of_entity(entity: Entity | None, text: str, scope: Scope) -> TypeRef | None:
    if isinstance(entity, Builtin):
        element = PACKED_ELEMENTS.get(entity.name)
        return TypeRef(entity.name, entity.name, element=TypeRef(element, element) if element else None)
    if isinstance(entity, Native):
        return _object(entity.name, entity.name, entity.name, scope)
    if isinstance(entity, EnumRef):
        return TypeRef("int", entity.name, enum=entity)
    if isinstance(entity, ScriptClass):
        native = Scope(entity, scope.world).native_base()
        # The engine has no name for a class without `class_name`, and tells its native base instead.
        return _object(text, native, entity.global_name or native, scope)
    return None


def _object(name: str, native: str, class_name: str, scope: Scope) -> TypeRef:
    is_resource = scope.world.index.is_a(native, "Resource")
    return TypeRef("Object", name, native, class_name, is_resource=is_resource)
