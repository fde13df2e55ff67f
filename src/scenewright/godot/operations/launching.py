"""Starting the Godot editor, and closing the one that was started."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import anyio.to_thread

from scenewright.core.call import Call
from scenewright.core.faults import Denied, NotFound
from scenewright.core.model import Inputs, NoInputs, Outputs, about
from scenewright.core.operation import Example, Safety, operation

if TYPE_CHECKING:
    from scenewright.godot.engine.launching import LaunchedEditors

__all__ = ["OPERATIONS"]


class LaunchInputs(Inputs, frozen=True, kw_only=True):
    headless: Annotated[bool, about("Without a window; by default where none can be shown.")] | None = None


class EditorLaunched(Outputs, frozen=True, kw_only=True):
    pid: Annotated[int, about("Process id.")]
    headless: Annotated[bool, about("Whether it has no window.")]
    already_running: Annotated[bool, about("Whether it ran before this call.")]


@operation(
    id="godot.editor.launch", name="Launch Editor", category="editor", safety=Safety.READ_ONLY, needs_project=True,
    tool="launch_editor", action=("godot_workspace_manager", "launch"), transactional=False, idempotent=True,
    notes="Needs Godot. It lives on without this server. With the addon (sync_addon) it connects in about ten seconds.",
    examples=(Example("On a screen", {}, {"pid": 4711, "headless": False, "alreadyRunning": False}),),
)  # fmt: skip
async def launch_editor(call: Call, inputs: LaunchInputs) -> EditorLaunched:
    """Starts the Godot editor on the project and returns at once; one that has it open already is left alone."""
    from scenewright.bridge.discovery import find_editors
    from scenewright.godot.engine.binary import find_binary
    from scenewright.godot.engine.games import can_show_windows

    root, editors = call.state.project.root, _editors(call)
    if not call.files.exists("project.godot"):
        raise NotFound("There is no project.godot in this folder.", hint="Pass projectPath, the project's root.")
    known = editors.find(root)
    if known is not None:
        call.summary = f"The editor runs already, as process {known.pid}."
        return EditorLaunched(pid=known.pid, headless=known.headless, already_running=True)
    if attached := find_editors(root):
        call.summary = f"An editor has the project open already, as process {attached[0].pid}."
        return EditorLaunched(pid=attached[0].pid, headless=False, already_running=True)
    headless = inputs.headless if inputs.headless is not None else not can_show_windows()
    if not headless and not can_show_windows():
        raise Denied("No window can be shown here: there is no display.", hint="Pass headless: true, or set DISPLAY.")
    made = await anyio.to_thread.run_sync(lambda: editors.launch(find_binary(), root, headless=headless))
    call.summary = f"The editor starts, as process {made.pid}."
    return EditorLaunched(pid=made.pid, headless=headless, already_running=False)


class EditorClosed(Outputs, frozen=True, kw_only=True):
    pid: Annotated[int, about("Process that was ended.")]


@operation(
    id="godot.editor.close", name="Close Editor", category="editor", safety=Safety.DESTRUCTIVE, needs_project=True,
    tool="close_editor", action=("godot_workspace_manager", "close"), transactional=False,
    notes="Only one that launch_editor of this server has started. What is not saved in it is lost.",
    examples=(Example("One that was launched", {}, {"pid": 4711}),),
)  # fmt: skip
async def close_editor(call: Call, inputs: NoInputs) -> EditorClosed:  # noqa: ARG001
    """Ends the editor that launch_editor started."""
    ended = await anyio.to_thread.run_sync(_editors(call).end, call.state.project.root)
    if ended is None:
        raise NotFound("No editor of this project was started here.", hint="Close it by hand, as it was opened.")
    call.summary = f"The editor was closed, process {ended.pid}."
    return EditorClosed(pid=ended.pid)


OPERATIONS = (launch_editor, close_editor)


def _editors(call: Call) -> LaunchedEditors:
    from scenewright.godot.engine.launching import LaunchedEditors

    return call.runtime.services.get(LaunchedEditors, LaunchedEditors)
