"""A resource that a node of a scene holds, be it inside the scene or in a file of its own: reading and changing it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from scenewright.core.faults import Unsupported
from scenewright.godot.assets.resource_file import ResourceFile
from scenewright.godot.documents.scene import external_files
from scenewright.godot.documents.variant import ExtResource, SubResource
from scenewright.godot.scenes.scene_edit import SceneEdit

__all__ = ["Held", "held_by", "held_or_new", "inline"]


def inline(kind: str, props: Mapping[str, Any]) -> dict[str, Any]:
    """Return a new resource inside the file, as values name it."""
    return {"$resource": kind, "props": dict(props)}


class Held:
    """The resource in a property of a node."""

    def __init__(self, edit: SceneEdit, resource: ResourceFile, *, in_scene: bool) -> None:
        self._edit = edit
        self._in_scene = in_scene
        self.resource = resource
        self.type = resource.type

    @property
    def place(self) -> str:
        """The file that it is in."""
        return self.resource.path

    def read(self) -> dict[str, Any]:
        """Return what the file sets."""
        return self.resource.read(None, defaults=False)

    def set(self, values: Mapping[str, Any], *, reset: Iterable[str] = ()) -> dict[str, Any]:
        """Change it and return the values as they arrived; its own file is staged, the scene is not saved yet."""
        placed = self.resource.set(values, reset=reset)
        if self._in_scene:
            self._edit.document = placed.document
        else:
            self._edit.workspace.save(self.resource.path, placed.document)
        return placed.shown()


def held_by(edit: SceneEdit, node: str, name: str) -> Held | None:
    """Return what a property of a node holds, or None if it is empty.

    Raises:
        Unsupported: it is in a file that cannot be changed as text, or comes with an instance.
    """
    property_ = edit.node(node).find(name)
    own = edit.scene.by_path.get(edit.node(node).path)
    value = property_.value if property_ is not None else None
    if value is None:
        return None
    if own is None or own.section.find(name) is None:
        raise Unsupported(
            f"'{name}' of '{node}' comes from another scene.", hint="Change it there, or set another one here."
        )
    if isinstance(value, SubResource):
        resource = ResourceFile(edit.workspace, edit.index, edit.document, edit.path, value.id)
        return Held(edit, resource, in_scene=True)
    path = _external_path(edit, value)
    if path is None or not path.endswith(".tres"):
        raise Unsupported(
            f"'{name}' of '{node}' is in {f'{path}, which' if path else 'a form that'} is not text.",
            hint="Save it as a .tres file first.",
        )
    return Held(edit, ResourceFile(edit.workspace, edit.index, edit.workspace.document(path), path), in_scene=False)


def held_or_new(edit: SceneEdit, node: str, name: str, kind: str) -> Held:
    """Return what a property of a node holds; a new resource inside the scene if it is empty."""
    held = held_by(edit, node, name)
    if held is None:
        edit.set(node, {name: inline(kind, {})})
        held = held_by(edit, node, name)
    assert held is not None  # put there just now
    return held


def _external_path(edit: SceneEdit, value: Any) -> str | None:
    if not isinstance(value, ExtResource):
        return None
    return next((file.path for file in external_files(edit.document) if file.id == value.id), None)
