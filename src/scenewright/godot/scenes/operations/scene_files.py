"""Scenes as files: saving one as another, renaming and deleting."""

from __future__ import annotations

from typing import Annotated

import anyio.from_thread

from scenewright.core.calls.call import Call
from scenewright.core.calls.effects import begin_lasting
from scenewright.core.faults import Invalid
from scenewright.core.operations.declaration import Example, Safety, operation
from scenewright.core.operations.model import Inputs, Outputs, about
from scenewright.godot.project.openers import ScenePath, open_workspace
from scenewright.godot.project.operations.deletions import BrokenReferences, DeletedFiles, Force, delete_unless_used
from scenewright.godot.project.operations.files import FileMoved, moved
from scenewright.godot.scenes.operations.scenes import SceneWritten, free_place, scene_place

__all__ = ["OPERATIONS"]


class CopyInputs(Inputs, frozen=True, kw_only=True):
    scene_path: ScenePath
    new_path: Annotated[str, about("Scene file to write.", min_length=1)]
    overwrite: Annotated[bool, about("Replace a scene that exists.")] = False


@operation(
    id="godot.scene.duplicate",
    category="scene",
    safety=Safety.SAFE_WRITE,
    needs_project=True,
    tool="duplicate_scene",
    manager="godot_asset_manager",
    action="scene.duplicate",
    parameter_aliases={"sourceScenePath": "scenePath", "destScenePath": "newPath"},
    examples=(
        Example(
            "A second level",
            {"scenePath": "levels/one.tscn", "newPath": "levels/two.tscn"},
            {"scenePath": "res://levels/two.tscn", "root": "One", "uid": "uid://b4k2j0x1y7q3"},
        ),
    ),
)
def duplicate_scene(call: Call, inputs: CopyInputs) -> SceneWritten:
    """Saves a scene as another file, with a uid of its own."""
    return _copy_scene(call, inputs)


class RenameInputs(Inputs, frozen=True, kw_only=True):
    scene_path: ScenePath
    new_path: Annotated[str, about("New path; a folder that exists, or a final /, keeps the name.", min_length=1)]


@operation(
    id="godot.scene.rename",
    category="scene",
    safety=Safety.SAFE_WRITE,
    needs_project=True,
    tool="rename_scene",
    manager="godot_asset_manager",
    action="scene.rename",
    notes="The same as move_file, for scenes only.",
    parameter_aliases={"newScenePath": "newPath"},
    examples=(
        Example(
            "A better name",
            {"scenePath": "levels/1.tscn", "newPath": "levels/one.tscn"},
            {
                "path": "res://levels/one.tscn",
                "previousPath": "res://levels/1.tscn",
                "files": 1,
                "references": [],
                "totalReferences": 0,
            },
        ),
    ),
)
def rename_scene(call: Call, inputs: RenameInputs) -> FileMoved:
    """Renames or moves a scene and changes every reference to it."""
    scene_place(open_workspace(call), inputs.scene_path, "scenePath")
    return moved(call, inputs.scene_path, inputs.new_path)


class DeleteInputs(Inputs, frozen=True, kw_only=True):
    scene_path: ScenePath
    force: Force = False


class SceneDeleted(Outputs, frozen=True, kw_only=True):
    scene_path: Annotated[str, about("res:// path.")]
    deleted: DeletedFiles
    broken: BrokenReferences = None


@operation(
    id="godot.scene.delete",
    category="scene",
    safety=Safety.SAFE_WRITE,
    needs_project=True,
    tool="delete_scene",
    manager="godot_asset_manager",
    action="scene.delete",
    examples=(
        Example(
            "An old level",
            {"scenePath": "levels/old.tscn"},
            {"scenePath": "res://levels/old.tscn", "deleted": ["res://levels/old.tscn"]},
        ),
    ),
)
def delete_scene(call: Call, inputs: DeleteInputs) -> SceneDeleted:
    """Deletes a scene that nothing uses, or any with force; history keeps its content."""
    workspace = open_workspace(call)
    path = scene_place(workspace, inputs.scene_path, "scenePath")
    workspace.document(path)
    done = delete_unless_used(call, workspace, path, force=inputs.force)
    return SceneDeleted(scene_path=f"res://{path}", deleted=done.gone, broken=done.broken or None)


class SaveInputs(Inputs, frozen=True, kw_only=True):
    scene_path: ScenePath
    new_path: Annotated[str, about("Save it as this file; without it the scene is only checked.")] | None = None
    overwrite: Annotated[bool, about("Replace a scene that exists.")] = False


@operation(
    id="godot.scene.save",
    category="scene",
    safety=Safety.SAFE_WRITE,
    needs_project=True,
    tool="save_scene",
    manager="godot_workspace_manager",
    notes="On files every change is saved at once; an open editor is told to save. newPath saves as another file.",
    examples=(
        Example(
            "Save as",
            {"scenePath": "levels/one.tscn", "newPath": "levels/two.tscn"},
            {"scenePath": "res://levels/two.tscn", "root": "One", "uid": "uid://b4k2j0x1y7q3"},
        ),
    ),
)
def save_scene(call: Call, inputs: SaveInputs) -> SceneWritten:
    """Saves a scene: as another file, in the editor that has it open, or on files, where it is saved already."""
    if inputs.new_path is not None:
        copy = CopyInputs(scene_path=inputs.scene_path, new_path=inputs.new_path, overwrite=inputs.overwrite)
        return _copy_scene(call, copy)
    workspace = open_workspace(call)
    scene = workspace.scene(inputs.scene_path)
    path = workspace.resource_path(inputs.scene_path)
    place = workspace.place(inputs.scene_path)
    saved = None
    if call.files.is_live(place) and anyio.from_thread.run(begin_lasting, call, "the open editor saves at once."):
        from scenewright.godot.editor.live.stage import GodotStage

        assert isinstance(call.files.stage, GodotStage)
        saved = call.files.stage.save(place)
    call.summary = f"{path} is saved{', with ' + ', '.join(saved[1:]) if saved and saved[1:] else ''}."
    uid = workspace.scene_uid(inputs.scene_path)
    return SceneWritten(scene_path=path, root=scene.root.name, uid=uid, saved=saved)


OPERATIONS = (duplicate_scene, save_scene, rename_scene, delete_scene)


def _copy_scene(call: Call, inputs: CopyInputs) -> SceneWritten:
    """A scene saved as another file."""
    from scenewright.godot.documents import ids
    from scenewright.godot.scenes.instance_cycles import check_no_circle

    workspace = open_workspace(call)
    scene = workspace.scene(inputs.scene_path)
    if workspace.place(inputs.new_path) == workspace.place(inputs.scene_path):
        raise Invalid("The copy needs another path.", path="input.newPath", rule="path")
    path = free_place(call, inputs.new_path, overwrite=inputs.overwrite, field="newPath")
    check_no_circle(workspace, path, inputs.scene_path)
    known = workspace.scene_uid(path) if call.files.exists(path) else None
    uid = known or ids.new_uid()  # who refers to a scene that is replaced finds the new one
    workspace.save(path, scene.document.set_attribute(scene.document.tagged("gd_scene")[0], "uid", uid))
    call.summary = f"Saved {workspace.resource_path(inputs.scene_path)} as res://{path}."
    return SceneWritten(scene_path=f"res://{path}", root=scene.root.name, uid=uid)
