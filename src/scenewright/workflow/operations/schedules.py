"""`workflow.schedule`, `.schedules` and `.unschedule`: runs that start by the clock while a server is there."""

from __future__ import annotations

from typing import Annotated, Any

import anyio.to_thread
import msgspec

from scenewright.core.calls.call import Call
from scenewright.core.faults import Invalid
from scenewright.core.operations.declaration import Example, Safety, operation
from scenewright.core.operations.model import Inputs, NoInputs, Outputs, Record, about
from scenewright.core.text.counts import count_noun
from scenewright.workflow.engines import engine_of

__all__ = ["OPERATIONS"]

Name = Annotated[str, about("The schedule's name.", min_length=1, max_length=100)]
_PLAN = {"id": "check", "steps": [{"actionId": "project.workspace_stats"}]}
_ROW = {"name": "nightly", "cron": "0 3 * * *", "workflowId": "check"}


class ScheduleInputs(Inputs, frozen=True, kw_only=True):
    name: Name
    cron: Annotated[str, about("Minute, hour, day, month, weekday, such as 0 3 * * *; six fields begin with seconds.")]
    definition: Annotated[dict[str, Any], about("What to do, as in workflow.run.")]
    timezone: Annotated[str, about("IANA name, such as Europe/Berlin; UTC if left out.")] | None = None


class ScheduleRow(Record, frozen=True, kw_only=True):
    name: Name
    cron: Annotated[str, about("When.")]
    workflow_id: Annotated[str, about("The definition's id.")]
    timezone: Annotated[str, about("Time zone of cron.")] | None = None
    last_fired_at: Annotated[str, about("When it last started a run.")] | None = None


class Scheduled(Outputs, frozen=True, kw_only=True):
    schedule: Annotated[ScheduleRow, about("The schedule as it now is.")]


class Schedules(Outputs, frozen=True, kw_only=True):
    schedules: Annotated[list[ScheduleRow], about("By name.")]


class ScheduleName(Inputs, frozen=True, kw_only=True):
    name: Name


class Unscheduled(Outputs, frozen=True, kw_only=True):
    name: Name
    existed: Annotated[bool, about("Whether there was such a schedule.")]


@operation(
    id="workflow.schedule",
    name="Schedule Workflow",
    category="workflow",
    safety=Safety.SAFE_WRITE,
    manager="workflow_manager",
    action="schedule",
    runs_others=True,
    idempotent=True,
    stands_alone=True,
    notes="Runs start only while a server of the project is there; missed runs are not made up for.",
    examples=(
        Example("Every night", {"name": "nightly", "cron": "0 3 * * *", "definition": _PLAN}, {"schedule": _ROW}),
    ),
)
async def schedule(call: Call, inputs: ScheduleInputs) -> Scheduled:
    """Runs a workflow at set times; replaces the schedule of the same name."""
    from scenewright.workflow.acceptance import accepted
    from scenewright.workflow.definition_checks import check_definition, read_definition

    engine = engine_of(call.runtime)
    checked = check_definition(read_definition(inputs.definition), call)
    schedule = {"name": inputs.name, "cron": inputs.cron, "timezone": inputs.timezone}
    plan = await accepted(call, checked, schedule=schedule)
    context = {"name": inputs.name, "plan": msgspec.to_builtins(plan), "total": checked.total}
    store = await engine.started()
    if not call.dry_run:
        try:
            await anyio.to_thread.run_sync(store.schedule, inputs.name, inputs.cron, inputs.timezone, context)
        except ValueError as error:
            raise Invalid(
                f"{error}.", path="input.cron", rule="format", hint="For example 0 3 * * * for three in the morning."
            ) from None
    call.summary = f"'{inputs.name}' runs {plan.definition.id} at {inputs.cron}."
    row = ScheduleRow(name=inputs.name, cron=inputs.cron, workflow_id=plan.definition.id, timezone=inputs.timezone)
    return Scheduled(schedule=row)


@operation(
    id="workflow.schedules",
    name="List Schedules",
    category="workflow",
    safety=Safety.READ_ONLY,
    manager="workflow_manager",
    action="schedules",
    examples=(Example("All", {}, {"schedules": [_ROW]}),),
)
async def schedules(call: Call, inputs: NoInputs) -> Schedules:
    """Lists the schedules of this project."""
    del inputs
    store = await engine_of(call.runtime).started()
    stored = await anyio.to_thread.run_sync(store.schedules)
    rows = [
        ScheduleRow(
            name=each["name"],
            cron=each["cron"],
            workflow_id=each["workflowId"],
            timezone=each["timezone"],
            last_fired_at=each["lastFiredAt"],
        )
        for each in stored
    ]
    call.summary = f"{count_noun(len(rows), 'schedule')}."
    return Schedules(schedules=rows)


@operation(
    id="workflow.unschedule",
    name="Unschedule Workflow",
    category="workflow",
    safety=Safety.SAFE_WRITE,
    manager="workflow_manager",
    action="unschedule",
    idempotent=True,
    stands_alone=True,
    examples=(Example("One", {"name": "nightly"}, {"name": "nightly", "existed": True}),),
)
async def unschedule(call: Call, inputs: ScheduleName) -> Unscheduled:
    """Removes a schedule; runs that it has started go on."""
    store = await engine_of(call.runtime).started()
    known = [each["name"] for each in await anyio.to_thread.run_sync(store.schedules)]
    if inputs.name in known and not call.dry_run:
        await anyio.to_thread.run_sync(store.unschedule, inputs.name)
    return Unscheduled(name=inputs.name, existed=inputs.name in known)


OPERATIONS = (schedule, schedules, unschedule)
