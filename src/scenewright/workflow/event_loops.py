"""From one event loop to another, and what to do where there is none left."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from typing import Any

__all__ = ["elsewhere", "never"]


async def elsewhere(loop: asyncio.AbstractEventLoop, doing: Callable[[], Coroutine[Any, Any, Any]]) -> Any:
    """What comes of something that is done on another loop, in the context of the caller."""
    coroutine = doing()
    try:
        future = asyncio.run_coroutine_threadsafe(coroutine, loop)
    except RuntimeError:  # that loop has ended, and this process is about to
        coroutine.close()
        await never()
    return await asyncio.wrap_future(future)


async def never() -> None:
    """Waits until the event loop ends; for a run whose process is about to."""
    await asyncio.Event().wait()
