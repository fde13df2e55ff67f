"""Running something on another event loop, and waiting for the end where there is none left."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from typing import Any

__all__ = ["run_on_loop", "wait_for_shutdown"]


async def run_on_loop(loop: asyncio.AbstractEventLoop, doing: Callable[[], Coroutine[Any, Any, Any]]) -> Any:
    """Run a coroutine on another loop, in the caller's context, and return its result."""
    coroutine = doing()
    try:
        future = asyncio.run_coroutine_threadsafe(coroutine, loop)
    except RuntimeError:  # that loop has ended, and this process is about to
        coroutine.close()
        await wait_for_shutdown()
    return await asyncio.wrap_future(future)


async def wait_for_shutdown() -> None:
    """Wait until the event loop ends; for a run whose process is about to."""
    await asyncio.Event().wait()
