"""What a run keeps: the records of its parts, and what it waits for. One for each pass through a run.

A run is carried out on the server's loop, and DBOS lives on its own. A pass begins with a look at all that is on
record; a part that is there is not done again, and any other is recorded in a batch with those of other runs.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Coroutine
from functools import partial
from typing import Any

import msgspec

from scenewright.workflow.dbos_setup import DBOS, batches
from scenewright.workflow.event_loops import run_on_loop
from scenewright.workflow.step_records import RunRecords, StepRecord
from scenewright.workflow.store import topic

__all__ = ["Recorder"]

Doing = Callable[[], Coroutine[Any, Any, Any]]


class Recorder:
    """Keeps the parts of one run."""

    def __init__(self, run_id: str, loop: asyncio.AbstractEventLoop) -> None:
        self._run_id = run_id
        self._loop = loop
        self._batches = batches()
        self._records: RunRecords | None = None
        self._begun = 0

    async def look(self) -> None:
        """Read what is on record, before any part of the run begins."""
        self._records = await self._batches.look_up(self._run_id)

    async def kept(self, name: str, doing: Doing) -> Any:
        """Return the record of a part of a run: the one there is, or that of doing it now."""
        assert self._records is not None
        number, self._begun = self._begun, self._begun + 1
        if number in self._records.steps:
            recorded, made = self._records.steps[number]
            if recorded != name:
                raise RuntimeError(f"Part {number} of the run is on record as '{recorded}', and is '{name}' now.")
            return made
        began = _milliseconds()
        made = await doing()
        record = StepRecord(
            run_id=self._run_id,
            owner=self._records.owner,
            number=number,
            name=name,
            made=msgspec.json.encode(made).decode(),
            began_ms=began,
            ended_ms=_milliseconds(),
        )
        await self._batches.record(record)
        return made

    async def wait_for(self, step_id: str | None) -> None:
        """Note which step the run waits for a person over; None where it goes on."""
        note = partial(DBOS.update_workflow_attributes_async, self._run_id, {"waiting": step_id}, merge=True)
        await run_on_loop(self._loop, note)

    async def answer(self, step_id: str, seconds: float) -> Any:
        """Return what a person says to a step; None where nobody does for so long."""
        return await run_on_loop(self._loop, partial(DBOS.recv_async, topic(step_id), timeout_seconds=seconds))


def _milliseconds() -> int:
    return int(time.time() * 1000)
