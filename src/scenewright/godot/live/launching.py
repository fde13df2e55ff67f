"""Starting an editor for a project, and what has to be there for that."""

from __future__ import annotations

import subprocess
from dataclasses import dataclass
from pathlib import Path
from time import monotonic

import anyio
import anyio.to_thread

from scenewright.bridge.discovery import find_editors
from scenewright.bridge.link import Link
from scenewright.core.call import Call
from scenewright.core.faults import Fault, Unsupported
from scenewright.godot.live.access import live_of

__all__ = ["Launched", "has_addon", "installed_version", "launch"]

_LOOK_AGAIN = 0.2
_started: list[subprocess.Popen[bytes]] = []  # held, so that none is taken for forgotten while it runs


@dataclass(frozen=True, slots=True)
class Launched:
    pid: int
    headless: bool
    was_open: bool
    link: Link | None


async def launch(call: Call, scene: str | None, *, headless: bool | None, seconds: float) -> Launched:
    """The editor that has the project open, started where there is none.

    Raises:
        Unsupported: there is no Godot here, or it ended at once.
    """
    from scenewright.godot.engine.binary import find_binary
    from scenewright.godot.engine.games import can_show_windows
    from scenewright.godot.operations.opening import open_workspace

    root = call.state.project.root
    if found := find_editors(root):
        link = await _connected(call, found[0].pid, seconds)
        return Launched(found[0].pid, headless=False, was_open=True, link=link)
    binary = await anyio.to_thread.run_sync(find_binary)
    hidden = not can_show_windows() if headless is None else headless
    command = [str(binary.path), *(["--headless"] if hidden else []), "--editor", "--path", str(root)]
    if scene is not None:
        command.append(open_workspace(call).resource_path(scene))
    process = await anyio.to_thread.run_sync(_start, command, root)
    if not await has_addon(call):
        call.warnings.append("The addon is not enabled in this project, so the editor cannot be connected to;"
                             " godot_sync_addon installs it.")  # fmt: skip
        return Launched(process.pid, hidden, was_open=False, link=None)
    link = await _connected(call, process.pid, seconds)
    if link is None and process.poll() is not None:
        raise Unsupported(
            f"The editor ended at once, with code {process.returncode}.",
            hint="Start it by hand to see why; without a screen pass `headless: true`.",
        )
    return Launched(process.pid, hidden, was_open=False, link=link)


async def has_addon(call: Call) -> bool:
    """Whether project.godot enables the addon."""
    from scenewright.godot.operations.addon import PLUGIN

    settings = call.state.project.root / "project.godot"
    try:
        return PLUGIN in await anyio.to_thread.run_sync(lambda: settings.read_text(encoding="utf-8", errors="replace"))
    except OSError:
        return False


async def installed_version() -> str | None:
    """The version of the Godot that would be started, or None where there is none."""
    from scenewright.godot.engine.binary import find_binary

    try:
        binary = await anyio.to_thread.run_sync(find_binary)
    except Fault:
        return None
    return ".".join(map(str, binary.version))


def _start(command: list[str], root: Path) -> subprocess.Popen[bytes]:
    quiet = subprocess.DEVNULL
    process = subprocess.Popen(
        command, cwd=root, stdin=quiet, stdout=quiet, stderr=quiet, start_new_session=True
    )  # fmt: skip
    _started.append(process)
    return process


async def _connected(call: Call, pid: int, seconds: float) -> Link | None:
    """The link to an editor once it takes calls; None where that takes too long."""
    editors, root = live_of(call.runtime).editors, call.state.project.root
    until = monotonic() + seconds
    while True:
        link = next((link for link in editors.links(root) if link.editor.pid == pid), None)
        if link is not None and link.responsive:
            return link
        ended = any(process.pid == pid and process.poll() is not None for process in _started)
        if monotonic() >= until or ended:
            return None
        await anyio.sleep(_LOOK_AGAIN)
