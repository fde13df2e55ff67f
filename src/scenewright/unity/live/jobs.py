"""A command that takes long: handed to the editor as a job, looked after until it is done, cancelled with the call."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from typing import Any

import anyio

from scenewright.core.faults import Conflict, Fault, TimedOut
from scenewright.unity.live.commands import Command
from scenewright.unity.live.pipeline import Pipeline
from scenewright.unity.live.refusals import EditorRefused, UnknownCommand, result_of
from scenewright.unity.live.wire import Answer

__all__ = ["Tell", "run_as_job"]

Tell = Callable[[float, float | None, str | None], Awaitable[None]]
_LOOK_SECONDS = 0.25
_GRACE = 3.0
_DONE = ("completed", "succeeded")
_FAILED = ("failed", "error")


async def run_as_job(
    pipeline: Pipeline,
    command: Command,
    parameters: Mapping[str, Any],
    tell: Tell,
    *,
    seconds: float,
    judged: bool = True,
) -> Any:
    """Carry out a command in the background and return its result; `judged` as in `result_of`.

    Raises:
        Fault: it failed or was cancelled; with `outcome: unknown`, the editor has forgotten the job.
    """
    handle = result_of(await pipeline.send(command, parameters, seconds=seconds, job=True), judged=judged)
    number = handle.get("jobId") if isinstance(handle, Mapping) else None
    if not isinstance(number, str):
        return handle  # an editor that knows no jobs has carried it out
    try:
        with anyio.fail_after(seconds):
            return result_of(await _await_end(pipeline, number, tell), judged=judged)
    except TimeoutError:
        await pipeline.cancel_job(number)
        raise TimedOut(
            f"'{command.name}' was not done in {seconds:g} seconds; the editor was asked to stop it.",
            details={"outcome": "unknown"},
            retryable=False,
        ) from None
    except anyio.get_cancelled_exc_class():
        with anyio.CancelScope(shield=True), anyio.move_on_after(_GRACE):
            await pipeline.cancel_job(number)
        raise


async def _await_end(pipeline: Pipeline, number: str, tell: Tell) -> Answer:
    last: tuple[float, str | None] | None = None
    while True:
        try:
            job = await pipeline.job(number)
        except UnknownCommand:
            raise _forgotten() from None
        state = str(job.get("state")) if isinstance(job, Mapping) else ""
        if state in _DONE:
            return Answer(200, {"success": True, "result": job.get("result")})
        if state in _FAILED:
            raise _failure(job)
        if state in ("canceled", "cancelled"):
            raise Conflict("The job was cancelled in the editor.", retryable=False)
        if state not in ("queued", "running"):
            raise _forgotten()
        step = _progress(job)
        if step is not None and step != last:
            await tell(step[0], 1.0, step[1])
            last = step
        await pipeline.rest(_LOOK_SECONDS)


def _progress(job: Mapping[str, Any]) -> tuple[float, str | None] | None:
    told = job.get("progress")
    if not isinstance(told, Mapping):
        return None
    share, text = told.get("pct"), told.get("info") or told.get("title")
    done = min(1.0, max(0.0, float(share))) if isinstance(share, (int, float)) else 0.0
    return done, str(text)[:200] if text else None


def _failure(job: Mapping[str, Any]) -> Fault:
    text = ": ".join(str(job[name]) for name in ("error", "errorDetails") if job.get(name))
    return EditorRefused(f"Unity: {text[:1500] or 'the job failed'}", details={"outcome": "failed"})


def _forgotten() -> Conflict:
    return Conflict(
        "The editor does not know the job any more: it loaded scripts anew, and forgets jobs then.",
        hint="Look at its console and state; what the job had done stands.",
        details={"outcome": "unknown"},
        retryable=False,
    )
