"""What operations on a live editor start with: the editor a call is for, and asking it something."""

from __future__ import annotations

import re
import uuid
from typing import TYPE_CHECKING, Any

from scenewright.core.calls.call import Call
from scenewright.core.policy.execution import permit_execution
from scenewright.core.runtime import Runtime
from scenewright.godot.engine.staged_copy import refuse_staged

if TYPE_CHECKING:
    from pathlib import Path

    from scenewright.bridge.link import Link
    from scenewright.godot.editor.live.backend import GodotLive

__all__ = ["ask", "ask_editor_of", "ask_from_thread", "change", "live_of", "warn_of_unsaved"]

_RUNS = ("run_scene", "run_main_scene")
_PATH = re.compile(r"""(?:(?:Ext)?Resource\(|(?:pre)?load\()?\s*["']?res://(?P<path>[^"'\n]*)["']?\s*\)?""")


def live_of(runtime: Runtime) -> GodotLive:
    from scenewright.godot.editor.live.backend import GodotLive

    live = runtime.live("godot")
    assert isinstance(live, GodotLive)
    return live


async def ask(
    call: Call, method: str, params: dict[str, Any] | None = None, *, timeout: float = 20.0
) -> dict[str, Any]:
    """Return the editor's answer.

    Raises:
        NotConnected: no editor has the project open, or it cannot be reached.
        Invalid: several have it open.
        Denied: a path in the parameters leads out of the project.
    """
    _check_paths(call, params)
    if _runs_code(method, params or {}):
        refuse_staged(call)
        await permit_execution(call)
    link = await _link(call.runtime, call.state.project.root)
    try:
        return _as_object(await link.request(method, params or {}, timeout=timeout))
    finally:
        call.warnings += live_of(call.runtime).take_news(call.state.project.root)


def _check_paths(call: Call, value: Any) -> None:
    """Holds paths that go to the editor to the check of all paths: the engine follows links, and `res://../`."""
    if isinstance(value, str):
        if (match := _PATH.fullmatch(value)) is not None and match["path"]:
            call.state.project.locate(match["path"].replace("\\", "/"))
        return
    if isinstance(value, dict | list):
        for part in value.values() if isinstance(value, dict) else value:
            _check_paths(call, part)


def _runs_code(method: str, params: dict[str, Any]) -> bool:
    """Whether the editor would start the game, or open a scene, whose @tool scripts then run."""
    return method == "scenewright.open_scene" or (method == "execute_action" and params.get("action") in _RUNS)


def ask_from_thread(call: Call, method: str, params: dict[str, Any]) -> dict[str, Any]:
    """Like `ask`, for an operation on files that needs the editor for once; the reply says so."""
    import anyio.from_thread

    from scenewright.godot.editor.live.stage import GodotStage

    answer = anyio.from_thread.run(ask, call, method, params)
    if isinstance(call.stage, GodotStage):
        call.stage.asked = True
    return answer


async def change(
    call: Call, method: str, params: dict[str, Any], *, key: str | None = None, timeout: float = 20.0
) -> dict[str, Any]:
    """Like `ask`, for what changes something: with the same key it is done only once."""
    return await ask(call, method, params | {"idempotency_key": key or uuid.uuid4().hex}, timeout=timeout)


async def warn_of_unsaved(call: Call) -> None:
    """Warn that an engine of ours reads the files, without what is unsaved in the editor."""
    if call.stage is None:
        return
    from scenewright.godot.editor.live.stage import GodotStage

    unsaved = await call.stage.unsaved() if isinstance(call.stage, GodotStage) else []
    if unsaved:
        more = f" and {len(unsaved) - 5} more" if len(unsaved) > 5 else ""
        call.warnings.append(
            f"This is about the files, without what is not saved in the editor: {', '.join(unsaved[:5])}{more}."
            " Save first (save_scene, save_all) to see it."
        )


async def ask_editor_of(runtime: Runtime, method: str, params: dict[str, Any]) -> dict[str, Any]:
    """Return the answer of the editor of this server's own project."""
    link = await _link(runtime, runtime.project.root)
    return _as_object(await link.request(method, params))


async def _link(runtime: Runtime, root: Path) -> Link:
    link = live_of(runtime).editors.only(root)
    if link.state == "connecting":
        await link.until_ready()
    return link


def _as_object(answer: Any) -> dict[str, Any]:
    result: dict[str, Any] = dict(answer) if isinstance(answer, dict) else {"value": answer}
    result.pop("success", None)  # the reply's own contract says so
    return result
