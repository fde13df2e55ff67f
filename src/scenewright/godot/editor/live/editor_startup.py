"""An editor for a project: found open or started, and waited for until it takes calls."""

from __future__ import annotations

from dataclasses import dataclass
from time import monotonic

import anyio
import anyio.to_thread

from scenewright.bridge.discovery import find_editors
from scenewright.bridge.link import Link
from scenewright.core.calls.call import Call
from scenewright.core.faults import Denied, Fault
from scenewright.core.policy.execution import permit_execution
from scenewright.core.writes.file_sizes import read_limited
from scenewright.godot.editor.live.access import live_of
from scenewright.godot.engine.binary import find_binary
from scenewright.godot.engine.started_editors import LaunchedEditors

__all__ = ["Opened", "editors_started_here", "has_addon", "installed_version", "open_editor"]

_LOOK_AGAIN = 0.2


@dataclass(frozen=True, slots=True)
class Opened:
    """An editor that has the project open."""

    pid: int
    headless: bool
    was_open: bool
    link: Link | None


def editors_started_here(call: Call) -> LaunchedEditors:
    return call.runtime.services.get(LaunchedEditors, LaunchedEditors)


async def open_editor(
    call: Call, scene: str | None, *, headless: bool | None, seconds: float, port: int | None = None
) -> Opened:
    """Return the editor that has the project open, started where there is none.

    Raises:
        Unsupported: there is no Godot here.
        Denied: no window can be shown.
        NotConnected: it ended at once.
    """
    root = call.state.project.root
    opened = _find_running(call)
    if opened is None:
        hidden = _decide_hidden(headless)
        permit = await permit_execution(call)
        ours = editors_started_here(call)
        known = await anyio.to_thread.run_sync(
            lambda: ours.launch(permit, find_binary(), root, headless=hidden, scene=scene, port=port)
        )
        opened = Opened(known.pid, hidden, was_open=False, link=None)
    if not await has_addon(call):
        call.warnings.append(
            "The addon is not enabled in this project, so the editor cannot be connected to;"
            " godot_sync_addon installs it."
        )
        return opened
    link = await _wait_for_link(call, opened.pid, seconds)
    return Opened(opened.pid, opened.headless, opened.was_open, link)


def _find_running(call: Call) -> Opened | None:
    root = call.state.project.root
    if (known := editors_started_here(call).find(root)) is not None:
        return Opened(known.pid, known.headless, was_open=True, link=None)
    attached = find_editors(root)
    return Opened(attached[0].pid, headless=False, was_open=True, link=None) if attached else None


def _decide_hidden(asked: bool | None) -> bool:  # noqa: FBT001
    from scenewright.godot.engine.games import can_show_windows

    if asked is False and not can_show_windows():
        raise Denied("No window can be shown here: there is no display.", hint="Pass headless: true, or set DISPLAY.")
    return not can_show_windows() if asked is None else asked


async def has_addon(call: Call) -> bool:
    """Return whether project.godot enables the addon."""
    from scenewright.godot.editor.addon_files import PLUGIN

    settings = call.state.project.root / "project.godot"
    try:
        return PLUGIN.encode() in await anyio.to_thread.run_sync(read_limited, settings)
    except OSError:
        return False


async def installed_version() -> str | None:
    """Return the version of the Godot that would be started, or None where there is none."""
    try:
        binary = await anyio.to_thread.run_sync(find_binary)
    except Fault:
        return None
    return ".".join(map(str, binary.version))


async def _wait_for_link(call: Call, pid: int, seconds: float) -> Link | None:
    """The link to an editor once it takes calls; None where that takes too long or it ends."""
    editors, root = live_of(call.runtime).editors, call.state.project.root
    ours, until = editors_started_here(call), monotonic() + seconds
    was_ours = ours.find(root) is not None
    while True:
        link = next((link for link in editors.links(root) if link.editor.pid == pid), None)
        if link is not None and link.responsive:
            return link
        if monotonic() >= until or (was_ours and ours.find(root) is None):
            return None
        await anyio.sleep(_LOOK_AGAIN)
