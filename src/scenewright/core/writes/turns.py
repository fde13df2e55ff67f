"""Lets the calls of one process to a project's journal in the order in which they came, a few at a time.

Each that waits there holds a thread, and of many that wait for one lock some wait for very long. So most wait here, on
the event loop; a few go ahead, so that the next is at hand when one is done.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

import anyio
import anyio.to_thread
from anyio.lowlevel import RunVar

from scenewright.core.writes.locks import WAIT_SECONDS, busy_elsewhere

__all__ = ["in_turn"]

Result = TypeVar("Result")
AT_ONCE = 12
_turns: RunVar[dict[Path, anyio.CapacityLimiter]] = RunVar("turns at journals")


async def in_turn(folder: Path, work: Callable[[], Result]) -> Result:
    """Do what writes to the journal in a folder, in a worker thread, once it is this call's turn.

    Raises:
        Conflict: those before it have kept it waiting for too long.
    """
    turns = _turns.get({})
    _turns.set(turns)
    turn = turns.setdefault(folder, anyio.CapacityLimiter(AT_ONCE))
    began = anyio.current_time()
    try:
        async with turn:
            if anyio.current_time() - began > WAIT_SECONDS:
                raise busy_elsewhere()
            return await anyio.to_thread.run_sync(work, limiter=anyio.CapacityLimiter(1))
    finally:
        if not turn.borrowed_tokens and not turn.statistics().tasks_waiting:
            turns.pop(folder, None)
