"""A branch of a scene made a scene of its own."""

from __future__ import annotations

from typing import Annotated

from scenewright.core.calls.call import Call
from scenewright.core.operations.declaration import Example, Safety, operation
from scenewright.core.operations.model import Inputs, Outputs, about
from scenewright.core.text.counts import count_noun
from scenewright.godot.project.openers import NodePath, ScenePath, open_workspace
from scenewright.godot.scenes.operations.scenes import free_place

__all__ = ["OPERATIONS"]

_SHOWN = 5


class ExtractInputs(Inputs, frozen=True, kw_only=True):
    scene_path: ScenePath
    node_path: NodePath
    new_path: Annotated[str, about("Scene file to write.", min_length=1)]


class Extracted(Outputs, frozen=True, kw_only=True):
    scene_path: Annotated[str, about("The scene, which has an instance now.")]
    new_path: Annotated[str, about("The new scene.")]
    nodes: Annotated[int, about("How many nodes went there.")]
    uid: Annotated[str, about("Its uid.")]


@operation(
    id="godot.scene.extract",
    category="scene",
    safety=Safety.SAFE_WRITE,
    needs_project=True,
    tool="extract_scene",
    manager="godot_scene_manager",
    action="extract",
    beyond_contract=True,
    asked_for="save branch as scene split refactor prefab",
    examples=(
        Example(
            "A lamp",
            {"scenePath": "level.tscn", "nodePath": "Lamp", "newPath": "lamp.tscn"},
            {"scenePath": "res://level.tscn", "newPath": "res://lamp.tscn", "nodes": 3, "uid": "uid://b4k2j0x1y7q3"},
        ),
    ),
)
def extract_scene(call: Call, inputs: ExtractInputs) -> Extracted:
    """Makes a node with all below it a scene of its own, and an instance of that where it was."""
    from scenewright.godot.documents import ids
    from scenewright.godot.project.workspace import node_path
    from scenewright.godot.scenes.branch_extraction import extract_branch

    workspace = open_workspace(call)
    scene = workspace.scene(inputs.scene_path)
    branch = node_path(scene, inputs.node_path)
    place, uid = free_place(call, inputs.new_path, overwrite=False, field="newPath"), ids.new_uid()
    done = extract_branch(scene, branch, f"res://{place}", uid)
    workspace.save(place, done.inner.document)
    workspace.save(inputs.scene_path, done.outer.document)
    path = workspace.resource_path(inputs.scene_path)
    if done.opened:
        call.warnings.append(f"Connections of {path} lead into '{branch}', so its inside is editable there.")
    if done.shared:
        told = f"{count_noun(len(done.shared), 'resource')} that both use ({', '.join(done.shared[:_SHOWN])})"
        call.warnings.append(f"{told} were one and are two now; put them into files to share them.")
    if done.names:
        names = ", ".join(f"%{name}" for name in done.names[:_SHOWN])
        call.warnings.append(f"{names} are names of the new scene now: scripts outside reach them through '{branch}'.")
    if done.outward:
        ways = "; ".join(done.outward[:_SHOWN])
        call.warnings.append(f"These lead out of the new scene, and to nothing elsewhere: {ways}.")
    call.summary = f"Made '{branch}' of {path} res://{place}, {count_noun(done.nodes, 'node')}."
    return Extracted(scene_path=path, new_path=f"res://{place}", nodes=done.nodes, uid=uid)


OPERATIONS = (extract_scene,)
