"""What seed 000's workspace manager takes with every action: how to reach the editor, and which Godot to use.

Editors are found by what they leave in the project's folder, so that these can only say what is so already. What
would be something else is refused, with what to do instead.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import anyio.to_thread

from scenewright.core.faults import Denied, Fault
from scenewright.godot.earlier.arguments import Old

if TYPE_CHECKING:
    from scenewright.core.calls.call import Call

__all__ = ["reached"]

_HERE = ("127.0.0.1", "localhost", "::1", "[::1]")
_MODES = ("auto", "headless")


async def reached(old: Old, call: Call) -> None:
    """Takes mode, host, port, token and godotPath, which say how an action is carried out."""
    _host(old)
    _token(old, call)
    await _binary(old)
    _port(old, call)
    _mode(old, call)


def _host(old: Old) -> None:
    host = old.take("host")
    if host is not None and str(host).strip().lower() not in _HERE:
        raise Denied(
            f"'{host}' is another machine; editors are reached on this one only.",
            hint="Run the server where the editor runs, and leave host out.",
        )


def _token(old: Old, call: Call) -> None:
    from scenewright.bridge.discovery import Editor

    given = old.take("token")
    if given is not None and given != Editor(call.state.project.root, 0, 0).token():
        raise Denied(
            "This is not the token that the server and this project's editors share.",
            hint="Leave token out: it is read from your own folder. SCENEWRIGHT_BRIDGE_TOKEN, set for the server "
            "and the editor before they start, names another.",
        )


async def _binary(old: Old) -> None:
    from scenewright.godot.engine.binary import find_binary

    given = old.take("godotPath")
    if given is None:
        return
    try:
        used = (await anyio.to_thread.run_sync(find_binary)).path.resolve()
    except Fault:
        used = None
    if Path(str(given)).expanduser().resolve() != used:
        raise Denied(
            f"The server uses {used or 'no Godot'}; a call cannot name another program to start.",
            hint=f"Start the server with GODOT_PATH={given} in its environment, and leave godotPath out.",
        )


def _port(old: Old, call: Call) -> None:
    """Which of several editors is meant; where an operation has a port or an editor of its own, that is it."""
    own = call.operation.input_schema.get("properties", {})
    if "port" in own or "editor" in own or "port" not in old.given:
        return
    from scenewright.godot.editor.live.access import live_of

    port = old.take("port")
    if not isinstance(port, int) or isinstance(port, bool):
        raise old.refused("port", "'port' is the number of an editor's port.", "type", "status lists the editors.")
    live_of(call.runtime).editors.choose(call.state.project.root, port)


def _mode(old: Old, call: Call) -> None:
    mode = old.take("mode") if "mode" not in call.operation.input_schema.get("properties", {}) else None
    if mode is None:
        return
    if mode not in _MODES:
        raise old.refused("mode", f"There is no mode '{mode}'.", "enum", "auto or headless.")
    if mode == "headless" and "headless" in call.operation.input_schema.get("properties", {}):
        old.put("headless", True, "mode")
