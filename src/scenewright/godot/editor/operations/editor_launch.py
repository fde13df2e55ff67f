"""Starting the Godot editor, and closing the one that was started."""

from __future__ import annotations

from typing import Annotated

import anyio.to_thread

from scenewright.core.calls.call import Call
from scenewright.core.faults import NotFound
from scenewright.core.operations.declaration import Example, Safety, operation
from scenewright.core.operations.model import Inputs, NoInputs, Outputs, about
from scenewright.godot.project.openers import open_workspace

__all__ = ["OPERATIONS"]


class LaunchInputs(Inputs, frozen=True, kw_only=True):
    scene_path: Annotated[str, about("Scene to open in it, res:// or from the project's root.")] | None = None
    headless: Annotated[bool, about("Without a window; by default where none can be shown.")] | None = None
    wait_seconds: Annotated[float, about("How long to wait until it is connected.", ge=0, le=300)] = 60.0
    port: Annotated[int, about("Port for its bridge; a free one if left out.", ge=1024, le=65535)] | None = None


class EditorLaunched(Outputs, frozen=True, kw_only=True):
    pid: Annotated[int, about("Process id.")]
    headless: Annotated[bool, about("Whether it has no window.")]
    already_running: Annotated[bool, about("Whether it ran before this call.")]
    connected: Annotated[bool, about("Whether calls reach it.")]
    port: Annotated[int, about("Port of its bridge.")] | None = None


@operation(
    id="godot.editor.launch",
    category="editor",
    safety=Safety.SAFE_WRITE,
    needs_project=True,
    tool="launch_editor",
    manager="godot_workspace_manager",
    action="launch",
    timeout=330.0,
    transactional=False,
    idempotent=True,
    notes="Needs Godot, and the addon (godot_sync_addon) to be connected. It stays open when the server ends. It is "
    "the person's editor: it imports what is new in the project, and has their settings and user://.",
    executes="always",
    examples=(
        Example(
            "This project",
            {},
            {"pid": 4711, "headless": False, "alreadyRunning": False, "connected": True, "port": 6550},
        ),
    ),
)
async def launch_editor(call: Call, inputs: LaunchInputs) -> EditorLaunched:
    """Opens the project in the Godot editor, unless one has it open, and waits until it is connected."""
    from scenewright.godot.editor.live.editor_startup import open_editor

    if not call.files.exists("project.godot"):
        raise NotFound("There is no project.godot in this folder.", hint="Pass projectPath, the project's root.")
    scene = open_workspace(call).resource_path(inputs.scene_path) if inputs.scene_path else None
    editor = await open_editor(call, scene, headless=inputs.headless, seconds=inputs.wait_seconds, port=inputs.port)
    call.summary = f"The editor is process {editor.pid}, {'' if editor.link else 'not '}connected."
    return EditorLaunched(
        pid=editor.pid,
        headless=editor.headless,
        already_running=editor.was_open,
        connected=editor.link is not None,
        port=editor.link.editor.port if editor.link else None,
    )


class EditorClosed(Outputs, frozen=True, kw_only=True):
    pid: Annotated[int, about("Process that was ended.")]


@operation(
    id="godot.editor.close",
    category="editor",
    safety=Safety.DESTRUCTIVE,
    needs_project=True,
    tool="close_editor",
    manager="godot_workspace_manager",
    action="close",
    transactional=False,
    notes="Only one that launch_editor of this server has started. What is not saved in it is lost.",
    examples=(Example("One that was launched", {}, {"pid": 4711}),),
)
async def close_editor(call: Call, inputs: NoInputs) -> EditorClosed:  # noqa: ARG001
    """Ends the editor that launch_editor started."""
    from scenewright.godot.editor.live.editor_startup import editors_started_here

    ended = await anyio.to_thread.run_sync(editors_started_here(call).end, call.state.project.root)
    if ended is None:
        raise NotFound("No editor of this project was started here.", hint="Close it by hand, as it was opened.")
    call.summary = f"The editor was closed, process {ended.pid}."
    return EditorClosed(pid=ended.pid)


OPERATIONS = (launch_editor, close_editor)
