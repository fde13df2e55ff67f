"""What a run keeps with DBOS: the records of its parts, and what it waits for. One for each pass through a run.

A run is carried out on the server's loop, and DBOS lives on its own. In a run that goes on after a crash DBOS is asked,
there, whether a part is on record before it is done. Of a new run nothing can be: its parts are done at once, and
recorded in batches with those of other runs. The ways between threads cost more than most steps.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from functools import partial
from typing import Any

from scenewright.workflow.dbos_setup import DBOS, batches
from scenewright.workflow.event_loops import run_on_loop
from scenewright.workflow.step_batches import BegunStep
from scenewright.workflow.store import topic

__all__ = ["Recorder"]

Doing = Callable[[], Coroutine[Any, Any, Any]]


class Recorder:
    """Keeps the parts of one run."""

    def __init__(self, run_id: str, loop: asyncio.AbstractEventLoop) -> None:
        self._run_id = run_id
        self._loop = loop
        self._batches = batches()
        self._is_new = False

    async def look(self) -> None:
        """Find out whether the run is new; before any part of it begins."""
        self._is_new = await self._batches.is_new(self._run_id)

    async def kept(self, name: str, doing: Doing) -> Any:
        """Return the record of a part of a run: the one there is, or that of doing it now."""
        if not self._is_new:
            return await self._kept_by_dbos(name, doing)
        step = BegunStep(name)
        made = await doing()
        await self._batches.record(step, made)
        return made

    async def _kept_by_dbos(self, name: str, doing: Doing) -> Any:
        here = asyncio.get_running_loop()

        async def back() -> Any:
            return await run_on_loop(here, doing)

        return await run_on_loop(self._loop, partial(DBOS.run_step_async, {"name": name}, back))

    async def wait_for(self, step_id: str | None) -> None:
        """Note which step the run waits for a person over; None where it goes on."""
        note = partial(DBOS.update_workflow_attributes_async, self._run_id, {"waiting": step_id}, merge=True)
        await run_on_loop(self._loop, note)

    async def answer(self, step_id: str, seconds: float) -> Any:
        """Return what a person says to a step; None where nobody does for so long."""
        return await run_on_loop(self._loop, partial(DBOS.recv_async, topic(step_id), timeout_seconds=seconds))
