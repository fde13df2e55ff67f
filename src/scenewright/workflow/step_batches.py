"""What runs ask of the database: all that is waiting is done in one transaction, in threads of its own."""

from __future__ import annotations

import asyncio
import logging
import queue
import sqlite3
import threading
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from typing import Any

import sqlalchemy

from scenewright.workflow.step_records import RunRecords, StepRecord, insert_step, look_up_run

__all__ = ["Batches"]

logger = logging.getLogger(__name__)
AT_ONCE = 100
STOP_SECONDS = 5.0
# Connections that are lost or refused, transactions that got in each other's way.
_PASSING_CLASSES = ("08", "40", "53")
FIRST_PAUSE, LONGEST_PAUSE = 0.1, 5.0  # between two tries where the database is away


@dataclass(frozen=True, slots=True)
class _BatchRequest:
    order: tuple[str, int]
    do: Callable[[sqlalchemy.Connection], Any]
    loop: asyncio.AbstractEventLoop
    answer: asyncio.Future[Any]


class Batches:
    """Threads that do what they are asked."""

    def __init__(self, engine: sqlalchemy.Engine, executor: str, threads: int) -> None:
        self._engine = engine
        self._executor = executor
        self._stopped = threading.Event()
        self._waiting: queue.SimpleQueue[_BatchRequest | None] = queue.SimpleQueue()
        self._threads = [
            threading.Thread(target=self._serve, name=f"workflow-batches-{number}", daemon=True)
            for number in range(threads)
        ]
        for thread in self._threads:
            thread.start()

    async def look_up(self, run_id: str) -> RunRecords:
        """Return what is on record of a run.

        Raises:
            DBOSWorkflowConflictIDError: the run is no longer this process's.
        """
        records = await self._ask_for((run_id, -1), partial(look_up_run, run_id=run_id, executor=self._executor))
        assert isinstance(records, RunRecords)
        return records

    async def record(self, step: StepRecord) -> None:
        """Put a step on record.

        Raises:
            DBOSWorkflowConflictIDError: the run is no longer this process's.
        """
        await self._ask_for((step.run_id, step.number), partial(insert_step, record=step))

    def stop(self) -> None:
        """End the threads once they have done what they were asked; who asks from now on waits for ever."""
        self._stopped.set()
        for _ in self._threads:
            self._waiting.put(None)
        for thread in self._threads:
            thread.join(STOP_SECONDS)  # or longer, where the database is away

    async def _ask_for(self, order: tuple[str, int], do: Callable[[sqlalchemy.Connection], Any]) -> Any:
        loop = asyncio.get_running_loop()
        answer: asyncio.Future[Any] = loop.create_future()
        self._waiting.put(_BatchRequest(order, do, loop, answer))
        return await answer

    def _serve(self) -> None:
        while (first := self._waiting.get()) is not None:
            self._do_together([first, *self._waiting_requests()])

    def _waiting_requests(self) -> list[_BatchRequest]:
        requests: list[_BatchRequest] = []
        while len(requests) < AT_ONCE:
            try:
                request = self._waiting.get_nowait()
            except queue.Empty:
                break
            if request is None:
                self._waiting.put(None)
                break
            requests.append(request)
        return requests

    def _do_together(self, requests: list[_BatchRequest]) -> None:
        # In the same order everywhere, so that no two transactions wait for each other.
        requests.sort(key=lambda request: request.order)
        try:
            with self._engine.begin() as connection:
                values = [request.do(connection) for request in requests]
        except BaseException:  # DBOS's sign that a run is another's is none of Exception
            # One that cannot be done must not keep the others from it.
            logger.info("workflows: %d records are made one by one", len(requests), exc_info=True)
            for request in requests:
                _send_answers([self._done_alone(request)])
        else:
            _send_answers([_BatchResult(request, value) for request, value in zip(requests, values, strict=True)])

    def _done_alone(self, request: _BatchRequest) -> _BatchResult:
        try:
            return _BatchResult(request, self._do_patiently(request))
        except BaseException as error:
            logger.info("workflows: the run %s cannot be recorded here", request.order[0], exc_info=True)
            return _BatchResult(request, error=error)

    def _do_patiently(self, request: _BatchRequest) -> Any:
        """Do it, and wait for the database where it is away."""
        pause = FIRST_PAUSE
        while True:
            try:
                with self._engine.begin() as connection:
                    return request.do(connection)
            except sqlalchemy.exc.DBAPIError as error:
                if not _will_pass(error) or self._stopped.wait(pause):
                    raise
                logger.warning("workflows: the database is away; trying again")
            pause = min(2 * pause, LONGEST_PAUSE)


@dataclass(frozen=True, slots=True)
class _BatchResult:
    request: _BatchRequest
    value: Any = None
    error: BaseException | None = None

    def settle(self) -> None:
        waiting = self.request.answer
        if waiting.done():  # whoever waited was cancelled
            return
        if self.error is None:
            waiting.set_result(self.value)
        else:
            waiting.set_exception(self.error)


def _will_pass(error: sqlalchemy.exc.DBAPIError) -> bool:
    """Return whether a database that refused will take the same again: it is away, or others keep it busy."""
    if not isinstance(error, sqlalchemy.exc.OperationalError | sqlalchemy.exc.InterfaceError):
        return error.connection_invalidated
    code = getattr(error.orig, "sqlstate", None)  # of PostgreSQL; none where it could not be reached at all
    if code is not None:
        return code[:2] in _PASSING_CLASSES or code[:3] == "57P"
    reason = getattr(error.orig, "sqlite_errorcode", None)
    return reason is None or reason & 0xFF in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED)


def _send_answers(answers: Sequence[_BatchResult]) -> None:
    for loop in {answer.request.loop for answer in answers}:
        with suppress(RuntimeError):  # the loop has ended, and with it whoever waited
            loop.call_soon_threadsafe(_settle_answers, [answer for answer in answers if answer.request.loop is loop])


def _settle_answers(answers: Sequence[_BatchResult]) -> None:
    for answer in answers:
        answer.settle()
