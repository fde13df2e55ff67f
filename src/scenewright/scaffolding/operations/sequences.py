"""`workflow_manager` validate and run: a list of calls, one after the other."""

from __future__ import annotations

from typing import Annotated, Any

from scenewright.core.calls.call import Call
from scenewright.core.faults import Fault
from scenewright.core.operations.declaration import Example, Safety, operation
from scenewright.core.operations.model import Inputs, Outputs, Record, about
from scenewright.core.text.counts import count_noun
from scenewright.scaffolding.runs import RUN_SECONDS, Ended, StepFailed, carry_out, seen_from_here
from scenewright.scaffolding.sequence import Sequence, read_sequence

__all__ = ["OPERATIONS"]

SHAPE = (
    "{schemaVersion: 1, projectPath?, steps: [{tool, args?, id?, title?, expectOk?}]}; in args, $PROJECT_PATH as a"
    " whole text is the project's path. Give this or workflowPath."
)


class SequenceInputs(Inputs, frozen=True, kw_only=True):
    workflow: Annotated[dict[str, Any], about(SHAPE)] | None = None
    workflow_path: Annotated[str, about("A JSON file of the project that holds it.", min_length=1)] | None = None


class StepRow(Record, frozen=True, kw_only=True):
    index: Annotated[int, about("Place in the sequence, from 1.")]
    id: Annotated[str, about("The step's name.")]
    tool: Annotated[str, about("What it calls.")]
    expected_ok: Annotated[bool, about("Whether it should succeed.")]
    title: Annotated[str, about("What it is for.")] | None = None
    actual_ok: Annotated[bool, about("Whether it succeeded; absent where it was not reached.")] | None = None
    summary: Annotated[str, about("What came of it.")] | None = None


class Validated(Outputs, frozen=True, kw_only=True):
    steps: Annotated[list[StepRow], about("The steps as they will be run.")]
    resolved_project_path: Annotated[str, about("What $PROJECT_PATH stands for.")]


@operation(
    id="workflow.sequence.validate",
    name="Validate Call Sequence",
    category="workflow",
    safety=Safety.READ_ONLY,
    manager="workflow_manager",
    action="validate",
    examples=(
        Example(
            "Two calls",
            {"workflow": {"schemaVersion": 1, "steps": [{"tool": "core.ping"}]}},
            {
                "steps": [{"index": 1, "id": "STEP-1", "tool": "core.ping", "expectedOk": True}],
                "resolvedProjectPath": "/home/me/game",
            },
        ),
    ),
)
def validate(call: Call, inputs: SequenceInputs) -> Validated:
    """Checks a list of calls without running any: tools, arguments, what the server and the policy allow."""
    from scenewright.workflow.definition_checks import check_definition, read_definition

    name, sequence = read_sequence(call, inputs.workflow, inputs.workflow_path)
    project = _project_path(call, sequence)
    try:
        check_definition(read_definition(sequence.definition(name, project)), call)
    except Fault as fault:
        raise seen_from_here(fault) from None
    call.summary = f"{count_noun(len(sequence.steps), 'step')}, all valid."
    return Validated(steps=_rows(sequence, {}), resolved_project_path=project)


class Sequenced(Validated, frozen=True, kw_only=True):
    run_id: Annotated[str, about("The run's id, for workflow.status and workflow.logs.")]
    status: Annotated[str, about("succeeded; running where it takes longer than this call may.")]


@operation(
    id="workflow.sequence.run",
    name="Run Call Sequence",
    category="workflow",
    safety=Safety.SAFE_WRITE,
    manager="workflow_manager",
    action="run",
    runs_others=True,
    timeout=RUN_SECONDS + 10.0,
    stands_alone=True,
    notes="Stops at the first step that does not end as expected. It cannot hold itself.",
    examples=(
        Example(
            "One call",
            {"workflow": {"schemaVersion": 1, "steps": [{"tool": "core.ping"}]}},
            {
                "runId": "wf-19a8f7c3b21-0c5e1f9a3d",
                "status": "succeeded",
                "resolvedProjectPath": "/home/me/game",
                "steps": [
                    {
                        "index": 1,
                        "id": "STEP-1",
                        "tool": "core.ping",
                        "expectedOk": True,
                        "actualOk": True,
                        "summary": "Ping: done.",
                    }
                ],
            },
        ),
    ),
)
async def run(call: Call, inputs: SequenceInputs) -> Sequenced:
    """Runs a list of calls one after the other, each through the whole pipeline, durably, and waits for its end."""
    name, sequence = read_sequence(call, inputs.workflow, inputs.workflow_path)
    project = _project_path(call, sequence)
    ended = await carry_out(call, sequence.definition(name, project))
    rows = _rows(sequence, {step["id"]: step for step in ended.steps})
    if ended.status not in ("succeeded", "running"):
        raise _failure(ended, rows)
    done = sum(row.actual_ok is not None for row in rows)
    waiting = f" It waits for a person at '{ended.waiting_for}'." if ended.waiting_for else ""
    call.summary = f"{done} of {count_noun(len(rows), 'step')} done.{waiting}"
    return Sequenced(run_id=ended.run_id, status=ended.status, steps=rows, resolved_project_path=project)


OPERATIONS = (validate, run)


def _project_path(call: Call, sequence: Sequence) -> str:
    return call.project_path or sequence.project_path or str(call.state.project.root)


def _rows(sequence: Sequence, records: dict[str, dict[str, Any]]) -> list[StepRow]:
    rows: list[StepRow] = []
    for number, (step_id, step) in enumerate(sequence.named(), 1):
        record = records.get(step_id)
        rows.append(
            StepRow(
                index=number,
                id=step_id,
                tool=step.tool,
                title=step.title,
                expected_ok=step.expect_ok,
                actual_ok=_actually_ok(record, expected=step.expect_ok),
                summary=_last_message(record),
            )
        )
    return rows


def _actually_ok(record: dict[str, Any] | None, *, expected: bool) -> bool | None:
    if record is None:
        return None
    as_expected = record["status"] == "succeeded"
    return expected if as_expected else not expected if record["status"] == "failed" else False


def _last_message(record: dict[str, Any] | None) -> str | None:
    return str(record["logs"][-1]["message"]) if record and record["logs"] else None


def _failure(ended: Ended, rows: list[StepRow]) -> StepFailed:
    from scenewright.core.operations.model import to_wire

    error = ended.error or {}
    failed = next((row for row in rows if row.actual_ok is not None and row.actual_ok is not row.expected_ok), None)
    where = f"Step {failed.index} ('{failed.id}')" if failed else "The run"
    message = error.get("message") or f"The run was {ended.status}."
    return StepFailed(
        f"{where} failed: {message}",
        error.get("kind", "internal"),
        hint=error.get("hint"),
        details={"runId": ended.run_id, "status": ended.status, "steps": to_wire(rows)}
        | ({"failedStep": to_wire(failed)} if failed else {}),
    )
