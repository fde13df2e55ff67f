"""What only the caller knows: the project's files and scripts, the scene's nodes, the document's resources."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, Protocol

import msgspec

from scenewright.core.faults import NotFound
from scenewright.godot.classes.index import ClassIndex
from scenewright.godot.classes.records import Property
from scenewright.godot.documents.references import Reference
from scenewright.godot.values.named_resources import NamedResources
from scenewright.godot.values.tree import Coerced, File

__all__ = ["Context", "EngineOnly", "PathTarget", "Scripts", "is_a", "is_known", "known_file"]

# The engine declares a file by the first of these that its class inherits, else by the class itself.
_DECLARED_AS: Final = (
    "Texture2D",
    "Material",
    "Script",
    "Shader",
    "AudioStream",
    "VideoStream",
    "StyleBox",
    "Shape2D",
    "Shape3D",
    "Translation",
)


class PathTarget(msgspec.Struct, frozen=True):
    """A node: its way from the one that has the property, its class or script; empty where that is not known."""

    path: str
    class_name: str = ""


class Scripts(Protocol):
    """The project's classes, as `ProjectScripts` has them."""

    def classes(self) -> dict[str, str]: ...
    def native_base(self, path_or_class: str) -> str: ...
    def is_a(self, path_or_class: str, ancestor: str) -> bool: ...
    def property(self, path_or_class: str, name: str) -> Property: ...
    def exported(self, path_or_class: str) -> list[Property]: ...


class Context(Protocol):
    """Where a value goes."""

    @property
    def index(self) -> ClassIndex: ...

    @property
    def scripts(self) -> Scripts | None: ...

    @property
    def named(self) -> NamedResources:
        """The resources that the call gives ids of its own."""
        ...

    def file(self, address: str) -> File:
        """Return a file by `res://` path or `uid://`. Raises: NotFound."""
        ...

    def node(self, path: str) -> PathTarget:
        """Return a node by its path from the one that has the property. Raises: NotFound."""
        ...

    def declared(self, reference: Reference) -> str:
        """Return the class or script of a resource that the document declares. Raises: NotFound."""
        ...

    def layer_names(self, hint: int) -> Mapping[str, int]:
        """Return what the project calls the layers (counted from 1) of a property with that hint."""
        ...

    def uniforms(self, shader: Coerced) -> Mapping[str, str] | None:
        """Return the type of value that each uniform of a shader takes, by name; None where it cannot be read."""
        ...

    def doubt(self, note: str) -> None:
        """Note what the caller should know about a value that was accepted anyway."""
        ...


class EngineOnly:
    """A context without a project: the engine's classes and nothing else."""

    scripts: Scripts | None = None

    def __init__(self, index: ClassIndex) -> None:
        self.index = index
        self.named = NamedResources()

    def file(self, address: str) -> File:
        raise NotFound(f"There is no file '{address}'.")

    def node(self, path: str) -> PathTarget:
        raise NotFound(f"There is no node '{path}'.")

    def declared(self, reference: Reference) -> str:
        raise NotFound(f"There is no resource with the id '{reference.id}'.")

    def layer_names(self, hint: int) -> Mapping[str, int]:  # noqa: ARG002
        return {}

    def uniforms(self, shader: Coerced) -> Mapping[str, str] | None:  # noqa: ARG002
        return None

    def doubt(self, note: str) -> None:
        pass


def known_file(context: Context, address: str) -> File:
    """Return a file of the project, with the type that documents declare it by.

    Raises:
        NotFound: there is none.
    """
    file = context.file(address)
    name = file.class_name
    shared = next((known for known in _DECLARED_AS if context.index.is_a(name, known)), name)
    return msgspec.structs.replace(file, declared_as=shared or "Resource")


def is_known(context: Context, class_name: str) -> bool:
    """Return whether a class of the engine or the project has that name; scripts go by their path too."""
    return class_name in context.index or _is_script(context, class_name)


def is_a(context: Context, class_name: str, ancestor: str) -> bool:
    """Return whether a class is another or inherits it; True where one of them is not known, as with extensions."""
    if not is_known(context, class_name) or not is_known(context, ancestor):
        return True
    if context.scripts is not None and _is_script(context, class_name):
        return context.scripts.is_a(class_name, ancestor)
    return context.index.is_a(class_name, ancestor)


def _is_script(context: Context, name: str) -> bool:
    return context.scripts is not None and (name.startswith("res://") or name in context.scripts.classes())
