"""Having the editor import what changed, and hearing what became of it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import anyio

from scenewright.core.faults import TimedOut, Unsupported
from scenewright.unity.live import intents
from scenewright.unity.live.pipeline import Pipeline

__all__ = ["import_and_compile"]

_LOOK_SECONDS = 0.3
_AT_WORK = ("triggered", "compiling", "in_progress", "importing", "reloading")


async def import_and_compile(pipeline: Pipeline, seconds: float) -> tuple[str, list[str]]:
    """Return how it ended (up_to_date, completed, failed, or imported where nobody tells) and the compile errors.

    Raises:
        TimedOut: the editor is still at work.
        Unsupported: it has no command for it.
    """
    commands = await pipeline.commands()
    intent = intents.RECOMPILE if commands.find(intents.RECOMPILE) is not None else intents.REFRESH
    # It may load scripts anew before it has answered; asking for an import twice does no harm.
    answer = await pipeline.run(intent, seconds=seconds, repeats=True)
    until = anyio.current_time() + seconds
    try:
        while _state(report := await pipeline.run(intents.RECOMPILE_STATUS, repeats=True)) in _AT_WORK:
            if anyio.current_time() >= until:
                raise TimedOut(f"Unity is still compiling after {seconds:g} seconds.")
            await pipeline.rest(_LOOK_SECONDS)
    except Unsupported:
        return _state(answer) or "imported", []
    errors = report.get("errors") if isinstance(report, Mapping) else None
    texts = [str(error)[:500] for error in errors[:100]] if isinstance(errors, list) else []
    has_failed = bool(texts) or (isinstance(report, Mapping) and report.get("failed") is True)
    return "failed" if has_failed else _state(report) or "imported", texts


def _state(report: Any) -> str:
    return str(report.get("status") or "") if isinstance(report, Mapping) else ""
