"""What a call of Godot's is given beside its arguments: the edited scene where it names none, and a check of what it
says of the editor and the engine.

Editors are found by files in the user's own folder, so a claim can only say what is so already. What would be something
else is refused, with what to do instead.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import anyio.to_thread

from scenewright.core.faults import Denied, Fault, Invalid
from scenewright.core.policy.gates import decide, pass_gates_of, refusal

if TYPE_CHECKING:
    from scenewright.core.calls.call import Call

__all__ = ["complete"]

_HERE = ("127.0.0.1", "localhost", "::1", "[::1]")
_PLAIN_FILES = ("project.file.read", "project.file.write", "project.file.edit", "project.file.delete")


async def complete(call: Call) -> None:
    """Check what a call claims, and name the scene that it leaves out."""
    if call.claims:
        await _check_claims(call, call.claims)
    if call.operation.id in _PLAIN_FILES:
        _name_from_root(call)
    await _name_scene(call)


async def _check_claims(call: Call, claims: dict[str, Any]) -> None:
    _check_host(claims.get("host"))
    _check_token(call, claims.get("token"))
    await _check_binary(claims.get("godotPath"))
    _choose_editor(call, claims.get("port"))


def _check_host(host: Any) -> None:
    if host is not None and str(host).strip().lower() not in _HERE:
        raise Denied(
            f"'{host}' is another machine; editors are reached on this one only.",
            hint="Run the server where the editor runs, and leave host out.",
        )


def _check_token(call: Call, token: Any) -> None:
    from scenewright.bridge.discovery import Editor

    if token is not None and token != Editor(call.state.project.root, 0, 0).token():
        raise Denied(
            "This is not the token that the server and this project's editors share.",
            hint="Leave token out: it is read from your own folder. SCENEWRIGHT_BRIDGE_TOKEN, set for the server "
            "and the editor before they start, names another.",
        )


async def _check_binary(path: Any) -> None:
    from scenewright.godot.engine.binary import find_binary

    if path is None:
        return
    try:
        used = (await anyio.to_thread.run_sync(find_binary)).path.resolve()
    except Fault:
        used = None
    if Path(str(path)).expanduser().resolve() != used:
        raise Denied(
            f"The server uses {used or 'no Godot'}; a call cannot name another program to start.",
            hint=f"Start the server with GODOT_PATH={path} in its environment, and leave godotPath out.",
        )


def _choose_editor(call: Call, port: Any) -> None:
    """Which of several editors is meant."""
    from scenewright.godot.editor.live.access import live_of

    if port is None:
        return
    if not isinstance(port, int) or isinstance(port, bool):
        raise Invalid(
            "'port' is the number of an editor's port.",
            path="input.port",
            rule="type",
            hint="status lists the editors.",
        )
    live_of(call.runtime).editors.choose(call.state.project.root, port)


def _name_from_root(call: Call) -> None:
    """A file from the project's root, also as the engine writes it."""
    path = call.arguments.get("path")
    if isinstance(path, str) and path.startswith("res://"):
        call.arguments["path"] = path.removeprefix("res://")


async def _name_scene(call: Call) -> None:
    """A scene that a call leaves out is the one that the open editor shows; a call that is refused asks nobody."""
    operation = call.operation
    if "scenePath" not in operation.input_schema.get("required", ()) or _names_scene(call):
        return
    from scenewright.godot.editor.live.access import ask, live_of

    if not live_of(call.runtime).is_open(call.state.project):
        return
    pass_gates_of(call, operation)
    if not (decision := decide(operation, call, call.arguments)).allowed:
        raise refusal(call.name, decision)
    scene = (await ask(call, "scenewright.get_state")).get("current_scene")
    if scene:
        call.arguments["scenePath"] = scene
        call.warnings.append(f"Used the edited scene, {scene}.")


def _names_scene(call: Call) -> bool:
    names = [name for name, meant in call.operation.parameter_aliases.items() if meant == "scenePath"]
    return any(name in call.arguments for name in ("scenePath", "scene_path", *names))
