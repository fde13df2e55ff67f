"""Starts the engine of a session, on the project as it is saved, with what it lacks of imports."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import ExitStack
from typing import TYPE_CHECKING, Any

import anyio
import anyio.to_thread

from scenewright.core.policy.execution import permit_execution
from scenewright.godot.play.sessions import Session, Sessions, Start

if TYPE_CHECKING:
    from scenewright.core.calls.call import Call
    from scenewright.core.policy.execution import Permit
    from scenewright.godot.engine.process import EngineProcess
    from scenewright.godot.engine.worker import Reply, Worker

__all__ = ["begin_session", "sessions_of"]


def sessions_of(call: Call) -> Sessions:
    return call.runtime.services.get(Sessions, Sessions)


async def begin_session(call: Call, start: Start, picture: Mapping[str, Any] | None = None) -> tuple[Session, Reply]:
    """Start an engine and the scene in it; the session is kept, and what the scene said as it began is told.

    `picture` says what the engine is to draw at which frames.

    Raises:
        Unsupported: there is no Godot, or no screen to draw on.
        Conflict: there are as many sessions as there may be.
    """
    permit = await permit_execution(call)
    held: list[EngineProcess | Worker] = []
    try:
        return await anyio.to_thread.run_sync(_begin, call, permit, start, picture, held, abandon_on_cancel=True)
    except anyio.get_cancelled_exc_class():
        for each in held:
            each.kill()
        raise


def _begin(
    call: Call, permit: Permit, start: Start, picture: Mapping[str, Any] | None, held: list[EngineProcess | Worker]
) -> tuple[Session, Reply]:
    from scenewright.godot.engine.display import Screen, own_drivers
    from scenewright.godot.engine.requests import pool_with_imports
    from scenewright.godot.engine.worker import LOCK_STEP, Worker

    sessions = sessions_of(call)
    name = sessions.reserve()
    with ExitStack() as stack:
        stack.callback(sessions.release, name)
        pool = stack.enter_context(pool_with_imports(call, permit, held.append))
        pool.refresh()
        environment = call.runtime.services.get(Screen, Screen).environment() | own_drivers() if start.screen else {}
        worker = Worker(
            permit,
            pool.binary,
            pool.project,
            arguments=_engine_arguments(start),
            environment={**environment, **LOCK_STEP},
            game_arguments=start.arguments,
        )
        held.append(worker)
        stack.callback(worker.kill)
        worker.ask("engine.learn_uids", {"uids": pool.uids()}, timeout=30.0)
        engine = ".".join(map(str, pool.binary.version))
        session = Session(name, call.state.project.root, start, worker, ExitStack(), engine=engine)
        reply = session.ask("begin", _params(start) | ({"picture": picture} if picture else {}))
        if reply.value["loads"]:
            session.stack = stack.pop_all()
            sessions.add(session)
        return session, reply


def _params(start: Start) -> dict[str, Any]:
    from scenewright.godot.engine.probe_expressions import SINGLETONS

    params: dict[str, Any] = {"scene": start.scene, "seed": start.seed, "singletons": SINGLETONS}
    return params | ({"size": list(start.size)} if start.size else {})


def _engine_arguments(start: Start) -> tuple[str, ...]:
    shown = (
        ("--rendering-driver", "opengl3", "--rendering-method", "gl_compatibility") if start.screen else ("--headless",)
    )
    return (*shown, "--audio-driver", "Dummy", "--fixed-fps", str(start.fps))
