"""Which scenes a scene is made of, so that none is put into itself."""

from __future__ import annotations

from collections.abc import Iterator

from scenewright.core.faults import Fault, Invalid
from scenewright.godot.documents.scene import Scene
from scenewright.godot.project.workspace import Workspace

__all__ = ["check_no_circle"]


def check_no_circle(workspace: Workspace, into: str, scene: str) -> None:
    """Refuse to put a scene into one that it contains itself, which the engine cannot load.

    Raises:
        Invalid
    """
    target, start = workspace.resource_path(into), workspace.resource_path(scene)
    seen: set[str] = set()
    waiting = [start]
    while waiting:
        path = waiting.pop()
        if path == target:
            reason = "a scene cannot contain itself" if path == start else f"'{start}' contains '{target}'"
            raise Invalid(
                f"'{start}' cannot be put into '{target}': {reason}.",
                path="input.instancePath",
                rule="circle",
                hint="Instance another scene, or move what both need into a third.",
            )
        if path not in seen:
            seen.add(path)
            waiting += _scenes_used_by(workspace, path)


def _scenes_used_by(workspace: Workspace, path: str) -> Iterator[str]:
    """The scenes that a scene inherits or instances; none where it cannot be read."""
    try:
        scene: Scene = workspace.scene(path)
    except Fault:
        return
    files = {file.id: file.path for file in scene.external_files}
    yield from {files[node.instance] for node in scene.nodes if node.instance in files}
