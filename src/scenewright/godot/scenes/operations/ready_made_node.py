"""What operations that put one ready-made node into a scene have in common."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Annotated, Any

from scenewright.core.calls.call import Call
from scenewright.core.faults import Invalid, did_you_mean
from scenewright.core.operations.model import Inputs, about
from scenewright.core.text.counts import with_article
from scenewright.godot.project.openers import ScenePath, open_edit
from scenewright.godot.scenes.operations.node_properties import NodeWritten, Values

if TYPE_CHECKING:
    from scenewright.godot.scenes.scene_edit import SceneEdit, Written

__all__ = [
    "Color",
    "Is3D",
    "ParentPath",
    "ReadyMadeNode",
    "Unique",
    "add_one",
    "chosen",
    "given",
    "is_3d",
    "put",
    "written",
]

ParentPath = Annotated[str, about("Parent; the root if left out.")]
Unique = Annotated[bool, about("Add a number if the name is taken.")]
Is3D = Annotated[bool, about("3D instead of 2D; by the parent if left out.")]
Color = Annotated[Any, about("'#ff8800', 'orange', [r, g, b] or {\"r\": …}.")]


class ReadyMadeNode(Inputs, frozen=True, kw_only=True):
    scene_path: ScenePath
    node_name: Annotated[str, about("Name of the new node.", min_length=1, max_length=200)]
    parent_node_path: ParentPath = "."
    properties: Values | None = None


def given(**values: Any) -> dict[str, Any]:
    """Return the values that are not None."""
    return {name: value for name, value in values.items() if value is not None}


def chosen(name: str, known: Mapping[str, Any] | tuple[str, ...], parameter: str) -> str:
    """Return the name if it is a known one.

    Raises:
        Invalid: it is not.
    """
    plain = name.strip().lower()
    if plain in known:
        return plain
    raise Invalid(
        f"'{name}' is not one of {', '.join(known)}.",
        path=f"input.{parameter}",
        rule="enum",
        hint=did_you_mean(name, list(known)),
    )


def is_3d(edit: SceneEdit, parent: str, *, wanted: bool | None) -> bool:
    """Return whether a child of this parent is to be 3D: as asked for, else as the nearest 2D or 3D node above.

    Raises:
        Invalid: the parent is of the other kind.
    """
    node = edit.node(parent, parameter="parentNodePath")
    own = _is_3d(edit, node.type)
    if wanted is not None and own is not None and wanted is not own:
        raise Invalid(
            f"'{node.path}' is {with_article(node.type)}, so its children must be {'3D' if own else '2D'}.",
            path="input.is3D",
            rule="class",
            hint="Leave is3D out, or give another parentNodePath.",
        )
    return bool(_inherited_side(edit, node.path) if wanted is None else wanted)


def _inherited_side(edit: SceneEdit, path: str) -> bool | None:
    from scenewright.godot.documents import paths

    side = _is_3d(edit, edit.node(path).type)
    return side if side is not None or path == "." else _inherited_side(edit, paths.parent_of(path))


def _is_3d(edit: SceneEdit, kind: str | None) -> bool | None:
    if kind not in edit.index:
        return None
    sides = {"Node3D": True, "CanvasItem": False}
    return next((side for base, side in sides.items() if edit.index.is_a(kind or "", base)), None)


def put(edit: SceneEdit, kind: str, inputs: ReadyMadeNode, values: Mapping[str, Any]) -> Written:
    """Add the node with these values; the caller's own properties win."""
    from scenewright.godot.scenes.scene_edit import Addition

    edit.node(inputs.parent_node_path, parameter="parentNodePath")
    properties = {**values, **(inputs.properties or {})}
    return edit.add(Addition(name=inputs.node_name, kind=kind, parent=inputs.parent_node_path, properties=properties))


def written(call: Call, edit: SceneEdit, node: Written, kind: str) -> NodeWritten:
    """Stage the scene and say what was added."""
    edit.save()
    call.summary = f"Added '{node.path}' ({kind})."
    return NodeWritten(scene_path=edit.path, node_path=node.path, properties=node.values or None)


def add_one(call: Call, inputs: ReadyMadeNode, kind: str, values: Mapping[str, Any]) -> NodeWritten:
    """Add a node of a class with values, and nothing else."""
    edit = open_edit(call, inputs.scene_path)
    return written(call, edit, put(edit, kind, inputs, values), kind)
