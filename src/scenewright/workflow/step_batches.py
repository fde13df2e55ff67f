"""What runs ask of DBOS's tables: all that is waiting is done in one transaction, in threads of its own.

DBOS's own way to record a step asks first whether it is on record, and makes a transaction of each question and each
record. Both ways write the same row, and make sure in the same transaction that the run is still this process's.
"""

from __future__ import annotations

import asyncio
import logging
import queue
import threading
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from functools import partial
from typing import TYPE_CHECKING, Any

import sqlalchemy

from scenewright.workflow.dbos_internals import (
    StepPosition,
    StepRecord,
    insert_step,
    insert_step_alone,
    reserve_position,
    transaction,
)

if TYPE_CHECKING:
    from dbos import DBOS, Serializer

__all__ = ["Batches", "BegunStep"]

logger = logging.getLogger(__name__)
AT_ONCE = 100
STOP_SECONDS = 5.0
_RECORDED = "SELECT 1 FROM {}operation_outputs WHERE workflow_uuid = :run LIMIT 1"


@dataclass(frozen=True, slots=True)
class BegunStep:
    """A step of a run that was begun; its place among the records is that of its beginning."""

    name: str
    position: StepPosition = field(default_factory=reserve_position)  # in the run that the caller carries out
    began_ms: int = field(default_factory=lambda: _milliseconds())


@dataclass(frozen=True, slots=True)
class _BatchRequest:
    order: tuple[str, int]
    do: Callable[[sqlalchemy.Connection], Any]
    do_alone: Callable[[], Any]
    loop: asyncio.AbstractEventLoop
    answer: asyncio.Future[Any]


class Batches:
    """Threads that do what they are asked."""

    def __init__(self, dbos: DBOS, serializer: Serializer, threads: int) -> None:
        self._dbos = dbos  # need not be launched yet
        self._serializer = serializer
        self._waiting: queue.SimpleQueue[_BatchRequest | None] = queue.SimpleQueue()
        self._threads = [
            threading.Thread(target=self._serve, name=f"workflow-batches-{number}", daemon=True)
            for number in range(threads)
        ]
        for thread in self._threads:
            thread.start()

    async def is_new(self, run_id: str) -> bool:
        """Return whether nothing of a run is on record."""

        def look(connection: sqlalchemy.Connection) -> bool:
            query = _RECORDED.format("" if connection.dialect.name == "sqlite" else "dbos.")
            return connection.execute(sqlalchemy.text(query), {"run": run_id}).first() is None

        def look_alone() -> bool:
            return not self._dbos.list_workflow_steps(run_id, load_output=False, limit=1)

        return bool(await self._ask_for((run_id, 0), look, look_alone))

    async def record(self, step: BegunStep, made: Any) -> None:
        """Put a step on record; what it came to must be JSON.

        Raises:
            DBOSWorkflowConflictIDError: the run is no longer this process's.
        """
        record = StepRecord(
            position=step.position,
            name=step.name,
            output=self._serializer.serialize(made),
            serialization=self._serializer.name(),
            began_ms=step.began_ms,
            ended_ms=_milliseconds(),
        )
        order = (step.position.run_id, step.position.number)
        await self._ask_for(
            order, partial(insert_step, self._dbos, record), partial(insert_step_alone, self._dbos, record)
        )

    def stop(self) -> None:
        """End the threads once they have done what they were asked; who asks from now on waits for ever."""
        for _ in self._threads:
            self._waiting.put(None)
        for thread in self._threads:
            thread.join(STOP_SECONDS)  # or longer, where the database is away

    async def _ask_for(
        self, order: tuple[str, int], do: Callable[[sqlalchemy.Connection], Any], do_alone: Callable[[], Any]
    ) -> Any:
        loop = asyncio.get_running_loop()
        answer: asyncio.Future[Any] = loop.create_future()
        self._waiting.put(_BatchRequest(order, do, do_alone, loop, answer))
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
            with transaction(self._dbos) as connection:
                values = [request.do(connection) for request in requests]
        except BaseException:  # DBOS's sign that a run is another's is none of Exception
            # One that cannot be done must not keep the others from it; and DBOS waits for a database that is away.
            logger.info("workflows: %d records are made one by one", len(requests), exc_info=True)
            for request in requests:
                _send_answers([_done_alone(request)])
        else:
            _send_answers([_BatchResult(request, value) for request, value in zip(requests, values, strict=True)])


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


def _done_alone(request: _BatchRequest) -> _BatchResult:
    try:
        return _BatchResult(request, request.do_alone())
    except BaseException as error:
        logger.info("workflows: the run %s cannot be recorded here", request.order[0], exc_info=True)
        return _BatchResult(request, error=error)


def _send_answers(answers: Sequence[_BatchResult]) -> None:
    for loop in {answer.request.loop for answer in answers}:
        with suppress(RuntimeError):  # the loop has ended, and with it whoever waited
            loop.call_soon_threadsafe(_settle_answers, [answer for answer in answers if answer.request.loop is loop])


def _settle_answers(answers: Sequence[_BatchResult]) -> None:
    for answer in answers:
        answer.settle()


def _milliseconds() -> int:
    return int(time.time() * 1000)
