"""What deleting a scene and deleting a script share: the parameter, the fields of the reply, and how it is done."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

from scenewright.core.calls.call import Call
from scenewright.core.operations.model import about

if TYPE_CHECKING:
    from scenewright.godot.project.file_deletion import Deletion
    from scenewright.godot.project.workspace import Workspace

__all__ = ["BrokenReferences", "DeletedFiles", "Force", "delete_unless_used"]

Force = Annotated[bool, about("Delete it even if something uses it.")]
DeletedFiles = Annotated[list[str], about("Files that were deleted.")]
BrokenReferences = Annotated[list[str], about("What referred to it, with its line.")] | None


def delete_unless_used(call: Call, workspace: Workspace, path: str, *, force: bool) -> Deletion:
    """Stage the deletion of a file and of what belongs to it, and say so in the summary.

    Raises:
        Conflict: something uses it, and it is not forced.
    """
    from scenewright.godot.project.file_deletion import delete_file

    done = delete_file(workspace, path, force=force)
    call.summary = f"Deleted res://{path}."
    return done
