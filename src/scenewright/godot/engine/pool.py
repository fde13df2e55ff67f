"""A pool of warm engines for each project, at most one for each core.

An engine keeps what it compiled, so it serves only as long as the project's scripts and settings are those it was
started with; after a change the next call gets a new one. One that crashed or hung is not used again.
"""

from __future__ import annotations

import logging
import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from threading import Condition, Lock
from typing import TYPE_CHECKING, Any, Final

from scenewright.core.faults import Fault, NotConnected, TimedOut
from scenewright.core.projects.project import Project
from scenewright.core.writes.changeset import Changeset
from scenewright.godot.classes.library import shipped
from scenewright.godot.engine.binary import Binary, find_binary
from scenewright.godot.engine.global_classes import refresh
from scenewright.godot.engine.shared_requests import SharedRequest
from scenewright.godot.engine.worker import Progress, Reply, Worker
from scenewright.godot.language.project_scripts import ProjectScripts
from scenewright.godot.project.checks.inventory import Inventory
from scenewright.godot.project.workspace import Workspace

if TYPE_CHECKING:
    from scenewright.core.policy.execution import Permit

__all__ = ["MOST", "Pool", "Pools"]

logger = logging.getLogger(__name__)

MOST: Final = max(os.cpu_count() or 2, 1)
_QUEUE_SECONDS = 60.0
_CODE = (".gd", ".cs", "project.godot", "override.cfg")
_WITH_UID = (".tscn", ".tres", ".uid", ".import")
_LOOKED_AT = _CODE + _WITH_UID
Stamps = dict[str, tuple[int, int]]  # by path: when it was changed, and its size


@dataclass(frozen=True, slots=True)
class Stamp:
    """The state of a project, as far as an engine remembers it."""

    code: Stamps  # what it read when it started, or keeps once it has compiled it
    uids: Stamps  # where the uids are that it was told


@dataclass(slots=True)
class _Idle:
    worker: Worker
    stamp: Stamp


class Pools:
    """The pools of all projects that this process works on."""

    def __init__(self) -> None:
        self._pools: dict[Path, Pool] = {}
        self._lock = Lock()  # two calls at once must not start a pool each, of which one would be lost

    def of(self, project: Path, permit: Permit) -> Pool:
        """Return the pool of a project.

        Raises:
            Unsupported: there is no Godot to be had.
        """
        binary = find_binary()
        with self._lock:
            pool = self._pools.get(project)
            if pool is None or pool.binary != binary:
                if pool is not None:
                    pool.close()
                pool = self._pools[project] = Pool(permit, binary, project)
            return pool

    def close(self) -> None:
        for pool in self._pools.values():
            pool.close()
        self._pools.clear()


class Pool:
    """The engines of one project."""

    def __init__(self, permit: Permit, binary: Binary, project: Path, *, most: int = MOST) -> None:
        self.permit = permit
        self.binary = binary
        self.project = project
        self.most = most
        self._scripts = ProjectScripts(project, shipped())
        self._listed: Stamps | None = None
        self._idle: list[_Idle] = []
        self._busy: set[Worker] = set()
        self._starting = 0
        self._wanted = 0  # calls that wait for an engine
        self._uids: tuple[Stamps, dict[str, str]] | None = None
        self._closed = False
        self._changed = Condition()

    def ask(
        self,
        method: str,
        params: Mapping[str, Any],
        *,
        timeout: float = 30.0,
        on_progress: Progress | None = None,
        holding: Callable[[Worker], None] | None = None,
    ) -> Reply:
        """Send a request to a free engine; `holding` is told which, so that it can be ended from elsewhere.

        Raises:
            NotConnected: the engine crashed.
            TimedOut: it hung, or none became free.
        """
        with self._worker() as worker:
            return _ask_worker(worker, method, params, timeout=timeout, on_progress=on_progress, holding=holding)

    def ask_each(
        self,
        method: str,
        parts: Sequence[Mapping[str, Any]],
        *,
        timeout: float = 60.0,
        on_reply: Callable[[], None] | None = None,
        holding: Callable[[Worker], None] | None = None,
    ) -> list[Reply | Fault]:
        """Send the parts of a request to all engines at once; return what became of each, in their order.

        An engine that crashes or hangs is a fault of its part alone. `on_reply` is called, in this thread, for each.
        """
        shared = SharedRequest(parts)
        engines = min(self.most, len(parts))

        def ask(worker: Worker, part: Mapping[str, Any]) -> Reply:
            return _ask_worker(worker, method, part, timeout=timeout, holding=holding)

        with ThreadPoolExecutor(max_workers=max(engines, 1)) as executor:
            for _ in range(engines):
                executor.submit(self._work_off, shared, ask)
            try:
                for _ in shared.settled():
                    if on_reply is not None:
                        on_reply()
            except BaseException:
                shared.drop()
                executor.shutdown(wait=False)
                raise
        return shared.in_order()

    def _work_off(self, parts: SharedRequest, ask: Callable[[Worker, Mapping[str, Any]], Reply]) -> None:
        """Asks one engine after the other, each for as many parts as it lives to answer and nobody else wants it."""
        part = parts.take()
        try:
            while part is not None:
                try:
                    with self._worker() as worker:
                        while part is not None:
                            parts.settle(part, ask(worker, part[1]))
                            part = parts.take()
                            if self._wanted or not worker.alive:
                                break
                except Fault as problem:
                    assert part is not None
                    parts.settle(part, problem)
                    part = parts.take()
        except BaseException as problem:  # noqa: BLE001  # raised again in the thread that waits
            parts.fail(problem)

    def close(self) -> None:
        with self._changed:
            self._closed = True
            workers = [idle.worker for idle in self._idle] + list(self._busy)
            self._idle.clear()
        for worker in workers:
            worker.kill()

    @contextmanager
    def _worker(self) -> Iterator[Worker]:
        stamp = _stamp(self.project)
        idle = self._take_idle(stamp)
        worker = idle.worker if idle else self._start_worker(stamp)
        try:
            if idle is None or idle.stamp.uids != stamp.uids:
                worker.ask("engine.learn_uids", {"uids": self._uids_at(stamp)}, timeout=30.0)
            yield worker
        finally:
            with self._changed:
                self._busy.discard(worker)
                if worker.alive and not self._closed:
                    self._idle.append(_Idle(worker, stamp))
                elif worker.alive:
                    worker.kill()
                self._changed.notify()

    def _take_idle(self, stamp: Stamp) -> _Idle | None:
        """An idle engine that knows the code as it is; None where a new one may be started."""
        with self._changed:
            self._wanted += 1
            has_room = self._changed.wait_for(self._has_room, timeout=_QUEUE_SECONDS)
            self._wanted -= 1
            if not has_room:
                raise TimedOut(
                    f"All {self.most} engines were busy for {_QUEUE_SECONDS:g} s.",
                    hint="Try again when other calls that need Godot have ended.",
                )
            if self._closed:
                raise NotConnected("The server is shutting down.", hint="Try again when it is back.")
            for idle in self._idle:
                if idle.stamp.code != stamp.code:
                    idle.worker.kill()
            self._idle = [idle for idle in self._idle if idle.worker.alive]
            if self._idle:
                chosen = self._idle.pop()
                self._busy.add(chosen.worker)
                return chosen
            self._starting += 1
            return None

    def _has_room(self) -> bool:
        return self._closed or bool(self._idle) or len(self._busy) + self._starting < self.most

    def _start_worker(self, stamp: Stamp) -> Worker:
        try:
            self._list_classes(stamp)
            worker = self._make_worker()
        except BaseException:
            with self._changed:
                self._starting -= 1
                self._changed.notify()
            raise
        with self._changed:
            self._starting -= 1
            self._busy.add(worker)
        return worker

    def _make_worker(self) -> Worker:
        """Return a new engine; one that ends as it starts, as now and then on a busy machine, is replaced once."""
        try:
            return Worker(self.permit, self.binary, self.project)
        except NotConnected as ended:
            logger.warning("an engine is started again: %s", ended)
            return Worker(self.permit, self.binary, self.project)

    def refresh(self) -> None:
        """Bring the list of the project's classes up to date, for an engine that is about to start."""
        self._list_classes(_stamp(self.project))

    def _list_classes(self, stamp: Stamp) -> None:
        with self._changed:
            if stamp.code != self._listed:
                refresh(self._scripts)
                self._listed = stamp.code

    def uids(self) -> dict[str, str]:
        """Return the uid of each file, which only the editor collects by itself."""
        return self._uids_at(_stamp(self.project))

    def _uids_at(self, stamp: Stamp) -> dict[str, str]:
        known = self._uids
        if known is None or known[0] != stamp.uids:
            holders = Inventory(Workspace(Changeset(Project.at(self.project)))).holders
            known = self._uids = stamp.uids, {paths[0]: uid for uid, paths in holders.items()}
        return known[1]


def _ask_worker(
    worker: Worker,
    method: str,
    params: Mapping[str, Any],
    *,
    timeout: float,
    on_progress: Progress | None = None,
    holding: Callable[[Worker], None] | None = None,
) -> Reply:
    if holding is not None:
        holding(worker)
    reply = worker.ask(method, params, timeout=timeout, on_progress=on_progress)
    if any(complaint.kind == "script" for complaint in reply.complaints):
        worker.kill()  # it remembers what failed to compile, and would not complain of it again
    return reply


def _stamp(project: Path) -> Stamp:
    """What the files are like, looked at before every call: the less is done here, the better."""
    code: Stamps = {}
    uids: Stamps = {}
    waiting = [str(project)]
    while waiting:
        with os.scandir(waiting.pop()) as entries:
            for entry in entries:
                name = entry.name
                if name.startswith("."):
                    continue
                if entry.is_dir(follow_symlinks=False):
                    waiting.append(entry.path)
                elif name.endswith(_LOOKED_AT):
                    status = entry.stat()
                    kind = code if name.endswith(_CODE) else uids
                    kind[entry.path] = (status.st_mtime_ns, status.st_size)
    return Stamp(code, uids)
