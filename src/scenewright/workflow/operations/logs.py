"""`workflow.logs`, as the Gox MCP contract has it."""

from __future__ import annotations

from typing import Annotated, Literal

import anyio.to_thread

from scenewright.core.calls.call import Call
from scenewright.core.faults import Invalid
from scenewright.core.operations.declaration import Example, Safety, operation
from scenewright.core.operations.model import Inputs, Outputs, Record, about
from scenewright.workflow.engines import engine_of
from scenewright.workflow.operations.snapshots import EXAMPLE, RUN_ID

__all__ = ["OPERATIONS"]


class LogQuery(Inputs, frozen=True, kw_only=True):
    run_id: RUN_ID
    level: Annotated[Literal["info", "warn", "error"], about("Only lines of this level.")] | None = None
    step_id: Annotated[str, about("Only lines of this step.")] | None = None
    since: Annotated[str, about("Only lines from this moment on, such as 2026-01-01T12:00:00Z.")] | None = None
    limit: Annotated[int, about("Only the last N lines.", ge=1, le=1000)] | None = None


class LogLine(Record, frozen=True, kw_only=True):
    timestamp: Annotated[str, about("When.")]
    level: Annotated[str, about("info, warn or error.")]
    message: Annotated[str, about("What happened.")]
    step_id: Annotated[str, about("In which step.")] | None = None
    action_id: Annotated[str, about("What the step calls.")] | None = None


class Logs(Outputs, frozen=True, kw_only=True):
    run_id: Annotated[str, about("The run's id.")]
    logs: Annotated[list[LogLine], about("Oldest first.")]


@operation(
    id="workflow.logs",
    category="workflow",
    safety=Safety.READ_ONLY,
    contract="gox-workflow",
    is_about_runs=True,
    examples=(
        Example(
            "What went wrong",
            {"runId": EXAMPLE["runId"], "level": "error"},
            {
                "runId": EXAMPLE["runId"],
                "logs": [
                    {
                        "timestamp": "2026-01-01T12:00:00.100Z",
                        "level": "error",
                        "message": "There is no file.",
                        "stepId": "read",
                        "actionId": "read_file",
                    }
                ],
            },
        ),
    ),
)
async def logs(call: Call, inputs: LogQuery) -> Logs:
    """Shows the log of a run, filtered by level, step and time."""
    engine = engine_of(call.runtime)
    store = await engine.started()
    since = _moment(inputs.since)
    run = await anyio.to_thread.run_sync(store.find, inputs.run_id)
    lines = await anyio.to_thread.run_sync(store.logs, run.run_id)
    lines = sorted([*lines, *engine.live_logs(run.run_id)], key=lambda each: each["timestamp"])
    wanted = [
        each
        for each in lines[-engine.limits.max_logs :]
        if inputs.level in (None, each["level"])
        and inputs.step_id in (None, each.get("stepId"))
        and (since is None or each["timestamp"] >= since)
    ]
    shown = wanted[-inputs.limit :] if inputs.limit else wanted
    return Logs(
        run_id=run.run_id,
        logs=[
            LogLine(
                timestamp=each["timestamp"],
                level=each["level"],
                message=each["message"],
                step_id=each.get("stepId"),
                action_id=each.get("actionId"),
            )
            for each in shown
        ],
    )


OPERATIONS = (logs,)


def _moment(text: str | None) -> str | None:
    """Return a moment as log lines have it, so that the two can be compared as text."""
    from datetime import UTC, datetime

    if text is None:
        return None
    try:
        moment = datetime.fromisoformat(text)
        moment = (moment if moment.tzinfo else moment.replace(tzinfo=UTC)).astimezone(UTC)
    except (ValueError, OverflowError):  # the latter where it is before the year 1 in UTC
        raise Invalid(
            f"'since' must be a moment such as 2026-01-01T12:00:00Z, not {text[:60]!r}.",
            path="input.since",
            rule="format",
        ) from None
    return moment.isoformat(timespec="milliseconds").replace("+00:00", "Z")
