"""Runs a handler within its time, and says what is true of one that was given up.

Handlers on the event loop can be cancelled. Those in threads cannot: they end at their next look at the deadline, and
whatever they stage afterwards is dropped with their call.
"""

from __future__ import annotations

import inspect
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import anyio
import anyio.to_thread
from anyio.lowlevel import RunVar

from scenewright.core.calls.call import Call
from scenewright.core.calls.deadline import Deadline
from scenewright.core.faults import TimedOut, Unsupported

__all__ = ["run_handler"]

MOST_THREADS = 64  # handlers at once, beside the threads that the rest of the server uses
MOST_OF_A_CLIENT = 16  # so that the others of an HTTP server are served whatever one of them asks for
GRACE_SECONDS = 1.0
_LOOK_SECONDS = 0.01
_HINT = "Narrow the request, or raise GOX_ACTION_TIMEOUT_SECONDS; for a manager's action, timeoutMs."
_everyone: RunVar[anyio.CapacityLimiter] = RunVar("handlers")
_clients: RunVar[dict[str, anyio.CapacityLimiter]] = RunVar("handlers of clients")


async def run_handler(call: Call, limit: float) -> Any:
    """Return what the handler returns.

    Raises:
        TimedOut: it took longer, or was not even begun, since so much else is under way.
    """
    deadline = Deadline(limit)
    output = None
    try:
        with deadline.in_force(), anyio.move_on_after(limit) as scope:
            output = await _run_handler(call, deadline)
    except TimedOut:
        if not deadline.noticed:
            raise
    except RecursionError:
        raise _too_deep(call) from None
    finally:
        deadline.expire()  # also where the client cancelled: a thread that goes on learns of it so
    if not scope.cancelled_caught and not deadline.noticed:
        return output
    await _wait_for_thread(deadline)
    raise deadline.said_by_thread or _timed_out(call, deadline)


def _too_deep(call: Call) -> Unsupported:
    return Unsupported(
        f"'{call.name}' met something that is nested too deeply to be read; nothing was written.",
        hint="Look for a value, a node or a file nested in itself or in very many others.",
    )


async def _run_handler(call: Call, deadline: Deadline) -> Any:
    handler = call.operation.handler
    if inspect.iscoroutinefunction(handler):
        deadline.begun = True
        return await handler(call, call.inputs)

    def work() -> Any:
        with deadline.thread_at_work():
            try:
                return handler(call, call.inputs)
            except TimedOut as fault:
                # Kept for where the call's own time is over meanwhile: it says what took so long.
                deadline.said_by_thread = None if deadline.noticed else fault
                raise

    async with _wait_for_turn(call.client.id) as limiter:
        return await anyio.to_thread.run_sync(work, abandon_on_cancel=True, limiter=limiter)


@asynccontextmanager
async def _wait_for_turn(client: str) -> AsyncIterator[anyio.CapacityLimiter]:
    """Wait until the client has few enough calls under way."""
    limiters = _clients.get({})
    _clients.set(limiters)
    own = limiters.setdefault(client, anyio.CapacityLimiter(MOST_OF_A_CLIENT))
    everyone = _everyone.get(None) or anyio.CapacityLimiter(MOST_THREADS)
    _everyone.set(everyone)
    task = object()
    try:
        await own.acquire_on_behalf_of(task)
        try:
            yield everyone
        finally:
            own.release_on_behalf_of(task)
    finally:
        if not own.borrowed_tokens and not own.statistics().tasks_waiting:
            limiters.pop(client, None)


async def _wait_for_thread(deadline: Deadline) -> None:
    with anyio.move_on_after(GRACE_SECONDS):
        while deadline.working:
            await anyio.sleep(_LOOK_SECONDS)


def _timed_out(call: Call, deadline: Deadline) -> TimedOut:
    limit = f"{deadline.seconds:g} s"
    if not deadline.begun:
        message = f"'{call.name}' was not begun within {limit}: too many other calls are under way."
        return TimedOut(message, hint="Wait for the others, then make the call again.")
    if not deadline.working:
        return TimedOut(f"'{call.name}' took longer than {limit} and was stopped; {_left_behind(call)}.", hint=_HINT)
    message = f"'{call.name}' took longer than {limit} and was given up; {_left_behind(call)}, {_still_possible(call)}."
    return TimedOut(message, hint=_HINT)


def _still_possible(call: Call) -> str:
    if call.dry_run or (call.operation.transactional and not call.lasting) or not call.operation.writes:
        return "and it can no longer change anything"
    return "but what it began outside the project's files may still happen"


def _left_behind(call: Call) -> str:
    if call.lasting and not call.dry_run:
        return "it is unknown how far it got"
    if not call.written:
        return "nothing was written"
    return f"what its parts had written before stays, as history entries {', '.join(map(str, call.written))}"
