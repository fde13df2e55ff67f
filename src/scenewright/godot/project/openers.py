"""What every operation on Godot files starts with; the libraries behind it are loaded by the first call."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

from scenewright.core.calls.call import Call
from scenewright.core.operations.model import about

if TYPE_CHECKING:
    from scenewright.godot.classes.index import ClassIndex
    from scenewright.godot.documents.scene import Scene
    from scenewright.godot.documents.versions import Version
    from scenewright.godot.project.configuration import Configuration
    from scenewright.godot.project.workspace import Workspace
    from scenewright.godot.scenes.scene_edit import SceneEdit

__all__ = ["NodePath", "ScenePath", "class_index", "open_configuration", "open_edit", "open_scene", "open_workspace"]

ScenePath = Annotated[str, about("Scene file, res:// or from the project's root.", min_length=1)]
NodePath = Annotated[str, about("Node, as a path from the scene's root; '.' is the root.", min_length=1)]


def open_workspace(call: Call) -> Workspace:
    """Return the project's files as this call sees them."""
    from scenewright.godot.project.workspace import Workspace

    return Workspace(call.files, _engine_of(call), notes=call.warnings)


def open_scene(call: Call, path: str) -> tuple[Workspace, Scene]:
    """Return a scene, and the workspace it lies in."""
    workspace = open_workspace(call)
    return workspace, workspace.scene(path)


def open_edit(call: Call, path: str) -> SceneEdit:
    """Return a scene that the call is going to change."""
    from scenewright.godot.scenes.scene_edit import SceneEdit

    workspace = open_workspace(call)
    workspace.refuse_older()
    return SceneEdit(workspace, class_index(call), path)


def open_configuration(call: Call) -> Configuration:
    """Return the project's settings as this call sees them."""
    from scenewright.godot.project.configuration import Configuration

    return Configuration(open_workspace(call), class_index(call))


def class_index(call: Call) -> ClassIndex:
    """Return the classes of the engine that the project is for."""
    from scenewright.godot.engine.classes import classes_for

    return classes_for(call.state.project.root)


def _engine_of(call: Call) -> Version | None:
    """The version of the editor that has the project open."""
    if call.stage is None:
        return None
    from scenewright.godot.editor.live.stage import GodotStage

    return call.stage.version if isinstance(call.stage, GodotStage) else None
