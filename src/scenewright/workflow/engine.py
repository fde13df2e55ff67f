"""The engine of a runtime: starts DBOS when the first run needs it, takes runs in, and carries out those it is given.

Two event loops meet here. DBOS begins runs on its own; they are carried out on the server's, where editors are
connected and clients are told things.
"""

from __future__ import annotations

import asyncio
import contextvars
import hashlib
import logging
import threading
from contextlib import suppress
from datetime import datetime
from typing import TYPE_CHECKING, Any

import anyio
import anyio.to_thread
import msgspec

from scenewright.core.calls.call import Outcome, Request
from scenewright.core.faults import Conflict, Fault
from scenewright.core.operations.declaration import Manager, Operation
from scenewright.core.records.database import check_database
from scenewright.core.records.run_log import Run
from scenewright.core.writes.locks import locked
from scenewright.workflow.dry_run import Trial
from scenewright.workflow.editors import uses_editor
from scenewright.workflow.event_loops import run_on_loop, wait_for_shutdown
from scenewright.workflow.keeper import Keeper
from scenewright.workflow.liveness import Liveness
from scenewright.workflow.model import Action
from scenewright.workflow.plan import RunPlan
from scenewright.workflow.records import Line
from scenewright.workflow.run_storage import check_sqlite, storage_of
from scenewright.workflow.runner import Running
from scenewright.workflow.store import RunRecord, WorkflowStore, new_run, started_at

if TYPE_CHECKING:
    from scenewright.core.runtime import Runtime
    from scenewright.workflow.run_recorder import Recorder
    from scenewright.workflow.slots import Slots

__all__ = ["WorkflowEngine"]

logger = logging.getLogger(__name__)
SLOT_SECONDS = 0.1  # how often a run that may go on looks for room
PAUSE = 0.05  # how often a waiting run looks whether it was cancelled
_started: list[WorkflowEngine] = []  # at most one: a process has one DBOS


class WorkflowEngine:
    """Carries out the runs of a runtime's project."""

    def __init__(self, runtime: Runtime) -> None:
        self.runtime = runtime
        self.limits = runtime.config.workflow
        self.storage = storage_of(runtime)
        self.news = anyio.Event()  # replaced whenever something happened to a run of this process
        self._loop: asyncio.AbstractEventLoop | None = None  # the server's
        self._thread = 0  # that it runs in
        self._lock = threading.Lock()
        self._liveness: Liveness | None = None
        self._keeper: Keeper | None = None
        self._store: WorkflowStore | None = None
        self._slots: Slots | None = None
        self._closing = False
        self._active: set[str] = set()
        self._cancelled: set[str] = set()
        self._scopes: dict[str, set[anyio.CancelScope]] = {}
        self._live: dict[str, list[Line]] = {}

    # Life

    @property
    def is_started(self) -> bool:
        return self._store is not None

    async def started(self) -> WorkflowStore:
        """Return the records of runs, with the engine behind them running."""
        if self._loop is None or not self._loop.is_running():
            self._loop, self._thread = asyncio.get_running_loop(), threading.get_ident()
        if self._store is None:
            await anyio.to_thread.run_sync(self._start)
        assert self._store is not None
        return self._store

    def _start(self) -> None:
        with self._lock:
            if self._store is not None:
                return
            if _started:
                raise Conflict("Workflows of another project are being carried out in this process.")
            if self.storage.file is not None:
                check_sqlite()
            from scenewright.workflow import dbos_setup
            from scenewright.workflow.slots import Slots

            self.runtime.state.open_for_writing()
            liveness = self.storage.liveness()
            try:
                liveness.enter()
                # Two processes must not make the same tables at the same moment.
                with locked(self.storage.folder / "workflows.lock"):
                    if self.storage.file is not None:
                        check_database(self.storage.file)
                    dbos_setup.start_up(self.storage, self.limits, self._carry_out, self._start_scheduled)
            except BaseException:
                dbos_setup.shut_down()
                liveness.leave()
                raise
            self._liveness = liveness
            self._store = WorkflowStore(self.storage, self.limits)
            self._slots = Slots(self.storage, self.limits)
            self._keeper = Keeper(self, self._store, liveness)
            self._keeper.start()
            _started.append(self)

    def close(self) -> None:
        """Stop; what is under way stays on record for whoever comes next."""
        with self._lock:
            if self._store is None:
                return
            from scenewright.workflow import dbos_setup

            self._closing = True
            assert self._keeper is not None
            assert self._liveness is not None
            try:
                self._keeper.stop()
                dbos_setup.shut_down()
            finally:
                self._liveness.leave()
                self._store = None
                _started.remove(self)

    # What a run asks for

    async def _carry_out(self, plan: dict[str, Any]) -> Any:
        """Carry out a run; called on DBOS's loop."""
        from scenewright.workflow.dbos_setup import DBOS
        from scenewright.workflow.run_recorder import Recorder

        run_id = str(DBOS.workflow_id)
        made = msgspec.convert(plan, RunPlan)
        if self._closing or self._loop is None or not self._loop.is_running():
            await wait_for_shutdown()
        assert self._loop is not None
        records = Recorder(run_id, asyncio.get_running_loop())
        return await run_on_loop(self._loop, lambda: self._carry_here(run_id, made, records))

    async def _carry_here(self, run_id: str, plan: RunPlan, records: Recorder) -> dict[str, Any]:
        self._active.add(run_id)
        try:
            await records.look()
            ending = await Running(self, run_id, plan, records).carry_out()
            self._log_end(run_id, plan, ending)
            return ending
        finally:
            self._active.discard(run_id)
            self._cancelled.discard(run_id)
            self._live.pop(run_id, None)
            self._scopes.pop(run_id, None)
            self.told(run_id)

    def note(self, record: RunRecord) -> None:
        """Put a run that nobody has begun into the run log, as it stands."""
        run = Run(
            run_id=record.run_id,
            correlation_id=record.correlation_id,
            name=record.workflow_id,
            type="workflow",
            status=record.status,
            started_at=record.started_at,
            ended_at=record.ended_at,
            actor=record.actor,
            diff_summary=f"steps={record.completed}/{record.total}",
        )
        self.runtime.runs.put(run)
        self.told(record.run_id)

    def _log_end(self, run_id: str, plan: RunPlan, ending: dict[str, Any]) -> None:
        error = ending.get("lastError", {})
        total = sum(map(len, plan.definition.groups()))
        run = Run(
            run_id=run_id,
            correlation_id=plan.correlation_id,
            name=plan.definition.id,
            type="workflow",
            status=ending["status"],
            started_at=started_at(run_id),
            ended_at=ending["endedAt"],
            actor=plan.actor,
            error_code=error.get("code"),
            error_message=error.get("message"),
            diff_summary=f"steps={ending['completed']}/{total}",
        )
        self.runtime.runs.put(run)

    async def _start_scheduled(self, at: str, context: dict[str, Any]) -> str:
        """Start the run of a schedule; the same one however often it is tried."""
        store = self._store
        if store is None:
            await wait_for_shutdown()
        assert store is not None
        plan = msgspec.convert(context["plan"], RunPlan)
        moment = int(datetime.fromisoformat(at).timestamp() * 1000)
        run_id = f"wf-{moment:x}-{hashlib.sha256(context['name'].encode()).hexdigest()[:10]}"
        fresh = new_run(plan, context["total"], run_id)
        self.note(fresh)
        await asyncio.to_thread(lambda: store.submit(fresh, plan, uses_editor=uses_editor(plan, self.runtime)))
        return run_id

    async def call(self, run_id: str, request: Request, trial: Trial | None = None) -> Outcome | None:
        """Make a call; None where the run was cancelled before anything came of it."""
        assert self._liveness is not None
        while not self._liveness.is_sure():
            await asyncio.sleep(PAUSE)
        if self._closing:
            await wait_for_shutdown()
        # Nothing in the call may take itself for a part of DBOS's workflow.
        calling = self._call(run_id, request, trial)
        return await asyncio.get_running_loop().create_task(calling, context=contextvars.Context())

    async def _call(self, run_id: str, request: Request, trial: Trial | None) -> Outcome | None:
        with anyio.CancelScope() as scope:
            self._scopes.setdefault(run_id, set()).add(scope)
            try:
                return await (self.runtime.run(request) if trial is None else trial.run(request))
            finally:
                self._scopes.get(run_id, set()).discard(scope)
        return None

    async def step_aside(self, run_id: str) -> None:
        """Let another run be carried out while this one waits for a person."""
        assert self._slots is not None
        try:
            await anyio.to_thread.run_sync(self._slots.give_up, run_id)
        except self._slots.passing:
            logger.warning("workflows: a run that waits keeps its slot", exc_info=True)

    async def step_in(self, run_id: str) -> None:
        """Wait until the run may be carried out again; one that is cancelled meanwhile need not."""
        while not await self._has_slot(run_id):
            if await self.pause(run_id, SLOT_SECONDS):
                return
            if self._closing:
                await wait_for_shutdown()

    async def _has_slot(self, run_id: str) -> bool:
        assert self._slots is not None
        try:
            return await anyio.to_thread.run_sync(self._slots.take, run_id)
        except self._slots.passing:
            return False  # the database may be away for a while

    async def pause(self, run_id: str, seconds: float) -> bool:
        """Wait; return True where the run was cancelled meanwhile."""
        loop = asyncio.get_running_loop()
        deadline = loop.time() + seconds
        while not self.is_cancelled(run_id) and (left := deadline - loop.time()) > 0:
            await asyncio.sleep(min(PAUSE, left))
        return self.is_cancelled(run_id)

    def is_cancelled(self, run_id: str) -> bool:
        return run_id in self._cancelled

    def operation(self, step: Action) -> Operation | None:
        """Return what a step calls, where that can be told from its action alone."""
        try:
            target = self.runtime.registry.find(step.action_id or "")
        except Fault:
            return None
        return None if isinstance(target, Manager) else target

    # What others may know

    @property
    def active(self) -> set[str]:
        """The runs that this process carries out now."""
        return set(self._active)

    def live_logs(self, run_id: str) -> list[Line]:
        """Return what steps that are not yet on record have said."""
        return list(self._live.get(run_id, ()))

    def log(self, run_id: str, logs: list[Line], entry: Line) -> None:
        logs.append(entry)
        self._live.setdefault(run_id, []).append(entry)

    def step_ended(self, run_id: str, step: Action, made: dict[str, Any]) -> None:
        del made
        self._live[run_id] = [entry for entry in self._live.get(run_id, ()) if entry.get("stepId") != step.id]
        self.told(run_id)

    def told(self, run_id: str) -> None:
        """Pass on that something happened to a run."""
        if self._loop is None or self._closing:
            return
        if threading.get_ident() == self._thread:
            self._announce_news(run_id)
        else:
            with suppress(RuntimeError):  # the server's loop has just ended
                self._loop.call_soon_threadsafe(self._announce_news, run_id)

    def _announce_news(self, run_id: str) -> None:
        self.news.set()
        self.news = anyio.Event()
        for uri in ("gox://status", "gox://runs", f"gox://runs/{run_id}"):
            self.runtime.changed(uri)

    def cancel_here(self, run_id: str) -> None:
        """Stop a run if this process carries it out: no further step begins, and one under way is given up."""
        if run_id not in self._active:
            return
        self._cancelled.add(run_id)
        if self._loop is not None:
            with suppress(RuntimeError):
                self._loop.call_soon_threadsafe(self._give_up, run_id)

    def _give_up(self, run_id: str) -> None:
        for scope in self._scopes.get(run_id, set()).copy():
            scope.cancel()
