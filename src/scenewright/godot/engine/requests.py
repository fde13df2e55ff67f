"""How a handler asks the engine: off the event loop, with progress, and ended when the call is."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, NamedTuple

import anyio
import anyio.from_thread
import anyio.to_thread

from scenewright.core.calls.call import Call
from scenewright.core.faults import Fault, NotConnected
from scenewright.core.policy.execution import permit_execution
from scenewright.godot.engine.commands import run_to_end
from scenewright.godot.engine.pool import Pool, Pools
from scenewright.godot.engine.staged_copy import project_with, staged_changes

if TYPE_CHECKING:
    from pathlib import Path

    from scenewright.core.policy.execution import Permit
    from scenewright.core.writes.changeset import Change
    from scenewright.godot.engine.process import EngineProcess
    from scenewright.godot.engine.worker import Reply, Worker

__all__ = [
    "FreshEngine",
    "ask_engine",
    "ask_engine_at",
    "ask_engines",
    "ask_fresh_engine",
    "pool_of",
    "pool_with_imports",
]

_IMPORT_SECONDS = 90.0


class FreshEngine(NamedTuple):
    """How a new engine is started: whether it draws, with which arguments, and in which copy of the project."""

    draws: bool = False
    arguments: tuple[str, ...] = ()
    changes: Sequence[Change] = ()


def pool_of(call: Call, permit: Permit) -> Pool:
    """Return the engines of the call's project, for a call that may run its code.

    Raises:
        Unsupported: there is no Godot to be had.
    """
    return call.runtime.services.get(Pools, Pools).of(call.state.project.root, permit)


@contextmanager
def pool_seeing(call: Call, permit: Permit) -> Iterator[Pool]:
    """The engines of the project as the call sees it; those on what a batch has staged are ended afterwards.

    Raises:
        Unsupported: there is no Godot to be had.
    """
    pool = pool_of(call, permit)
    if not (changes := staged_changes(call)):
        yield pool
        return
    with project_with(call.state.project.root, changes) as folder:
        own = Pool(permit, pool.binary, folder)
        try:
            yield own
        finally:
            own.close()


async def ask_engine(
    call: Call, method: str, params: Mapping[str, Any], *, timeout: float = 30.0, memory: int | None = None
) -> Reply:
    """Send a request to a warm engine; if the call is cancelled, so is the engine's work.

    With `memory` the engine may take no more bytes than that to answer, where the system can limit it.

    Raises:
        Denied: code of this project may not be run.
        Unsupported: there is no Godot to be had.
        NotConnected: it crashed; the next call gets a new one.
        TimedOut: it hung, or none became free.
    """
    permit = await permit_execution(call)
    held: list[Worker] = []

    def tell(done: int, total: int, message: str) -> None:
        anyio.from_thread.run(call.progress, done, total, message)

    def hold(worker: Worker) -> None:
        held.append(worker)
        worker.most_growth = memory

    def work() -> Reply:
        with pool_seeing(call, permit) as pool:
            return pool.ask(method, params, timeout=timeout, on_progress=tell, holding=hold)

    try:
        return await anyio.to_thread.run_sync(work, abandon_on_cancel=True)
    except anyio.get_cancelled_exc_class():
        for worker in held:
            worker.kill()
        raise


async def ask_engines(
    call: Call, method: str, parts: Sequence[Mapping[str, Any]], *, timeout: float = 60.0
) -> list[Reply | Fault]:
    """Send the parts of a request to as many engines as there are cores; return what became of each, in order.

    Progress is told in parts; if the call is cancelled, all that is under way is ended.

    Raises:
        Unsupported: there is no Godot to be had.
    """
    permit = await permit_execution(call)
    held: set[Worker] = set()
    done, ended = 0, False

    def hold(worker: Worker) -> None:
        if ended:
            raise NotConnected("The call was cancelled.")
        held.add(worker)

    def tell() -> None:
        nonlocal done
        done += 1
        if ended:
            raise NotConnected("The call was cancelled.")
        anyio.from_thread.run(call.progress, done, len(parts), f"{done} of {len(parts)} parts")

    def work() -> list[Reply | Fault]:
        with pool_seeing(call, permit) as pool:
            return pool.ask_each(method, parts, timeout=timeout, on_reply=tell, holding=hold)

    try:
        return await anyio.to_thread.run_sync(work, abandon_on_cancel=True)
    except anyio.get_cancelled_exc_class():
        ended = True
        for worker in held:
            worker.kill()
        raise


async def ask_fresh_engine(
    call: Call,
    method: str,
    params: Mapping[str, Any],
    *,
    engine: FreshEngine,
    timeout: float = 60.0,
) -> Reply:
    """Send a request to a new engine, which is ended afterwards; for what runs the project's code.

    Raises:
        Unsupported: there is no Godot, or no screen to draw on.
        NotConnected: it crashed.
        TimedOut: it hung.
    """
    from scenewright.godot.engine.display import Screen, own_drivers
    from scenewright.godot.engine.worker import LOCK_STEP, Worker

    permit = await permit_execution(call)
    held: list[Worker | EngineProcess] = []

    def work() -> Reply:
        environment = call.runtime.services.get(Screen, Screen).environment() | own_drivers() if engine.draws else {}
        with pool_with_imports(call, permit, held.append, engine.changes) as pool:
            pool.refresh()
            worker = Worker(
                permit, pool.binary, pool.project, arguments=engine.arguments, environment={**environment, **LOCK_STEP}
            )
            held.append(worker)
            try:
                worker.ask("engine.learn_uids", {"uids": pool.uids()}, timeout=30.0)
                return worker.ask(method, params, timeout=timeout)
            finally:
                worker.kill()

    try:
        return await anyio.to_thread.run_sync(work, abandon_on_cancel=True)
    except anyio.get_cancelled_exc_class():
        for each in held:
            each.kill()
        raise


@contextmanager
def pool_with_imports(
    call: Call, permit: Permit, holding: Callable[[EngineProcess], None], changes: Sequence[Change] = ()
) -> Iterator[Pool]:
    """The engines of the project as the call sees it, with what it lacks of imports; the reply says what that was."""
    from scenewright.godot.engine.first_imports import FailedImports, with_imports

    pool = pool_of(call, permit)
    root = call.state.project.root

    def run_import(folder: Path) -> None:
        run_to_end(permit, ["--path", str(folder), "--headless", "--import"], holding=holding, timeout=_IMPORT_SECONDS)

    failed = call.runtime.services.get(FailedImports, FailedImports)
    with with_imports(root, _by_path([*staged_changes(call), *changes]), run_import, failed) as first_import:
        call.warnings += first_import.remarks
        if first_import.folder == root:
            yield pool
            return
        own = Pool(permit, pool.binary, first_import.folder)
        try:
            yield own
        finally:
            own.close()


def _by_path(changes: Sequence[Change]) -> list[Change]:
    """One for each file, the last."""
    return list({change.path: change for change in changes}.values())


async def ask_engine_at(
    call: Call, project: Path, method: str, params: Mapping[str, Any], *, timeout: float = 60.0
) -> Reply:
    """Send a request to a new engine in another folder than the project, and end it afterwards.

    Raises:
        Unsupported: there is no Godot to be had.
        NotConnected: it crashed.
        TimedOut: it hung.
    """
    from scenewright.godot.engine.binary import find_binary

    permit = await permit_execution(call)
    held: list[Pool] = []

    def work() -> Reply:
        held.append(Pool(permit, find_binary(), project, most=1))
        return held[0].ask(method, params, timeout=timeout)

    try:
        return await anyio.to_thread.run_sync(work, abandon_on_cancel=True)
    finally:
        for pool in held:
            pool.close()
