"""Runs as somebody sees them who only watches: read from the file, without the engine, which would carry out runs.

Blocks, and belongs into a worker thread.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass, field
from typing import Any

import msgspec

from scenewright.core.text.control_characters import escape_json_controls
from scenewright.workflow.model import Action
from scenewright.workflow.plan import RunPlan
from scenewright.workflow.run_storage import RunStorage
from scenewright.workflow.store import started_at

__all__ = ["RunView", "StepView", "newest_runs"]

_RUNS = (
    "SELECT workflow_uuid, status, attributes, coalesce(ending.output, run.output) AS output,"
    " coalesce(start.inputs, run.inputs) AS inputs FROM workflow_status AS run"
    " LEFT JOIN workflow_input AS start USING (workflow_uuid) LEFT JOIN workflow_output AS ending USING (workflow_uuid)"
    " WHERE run.name = ? ORDER BY workflow_uuid DESC LIMIT ?"
)
_STEPS = "SELECT record, began_ms, ended_ms FROM scenewright_steps WHERE run_id = ? ORDER BY number LIMIT 200"
_OPEN = ("ENQUEUED", "PENDING", "DELAYED")


@dataclass(frozen=True, slots=True)
class StepView:
    """What became of one step, and when."""

    id: str
    action: str
    status: str
    said: str
    began: int  # milliseconds since 1970
    ended: int


@dataclass(frozen=True, slots=True, kw_only=True)
class RunView:
    """One run."""

    id: str
    workflow: str
    status: str
    started: str
    total: int
    dry_run: bool
    waits_at: str | None = None
    asks: str = ""  # what the step that it waits at would do
    error: str = ""
    steps: list[StepView] = field(default_factory=list)


def newest_runs(storage: RunStorage, limit: int) -> list[RunView]:
    """Return the newest runs of a project, none where there is no file yet.

    Raises:
        sqlite3.Error: the file cannot be read.
    """
    if storage.file is None or not storage.file.exists():
        return []
    with closing(sqlite3.connect(f"{storage.file.as_uri()}?mode=ro", uri=True)) as database:
        database.row_factory = sqlite3.Row
        rows = database.execute(_RUNS, (storage.workflow, limit)).fetchall()
        return [_view(row, list(_steps(database, row["workflow_uuid"]))) for row in rows]


def _steps(database: sqlite3.Connection, run_id: str) -> Iterator[StepView]:
    for row in database.execute(_STEPS, (run_id,)):
        made = msgspec.json.decode(row["record"])
        if not isinstance(made, dict) or "status" not in made:
            continue
        logs = made.get("logs") or [{}]
        said = str(logs[-1].get("message", ""))
        action, began, ended = str(made.get("actionId") or ""), int(row["began_ms"]), int(row["ended_ms"])
        yield StepView(str(made["id"]), action, str(made["status"]), said, began, ended)


def _view(row: sqlite3.Row, steps: list[StepView]) -> RunView:
    about, ending = _object(row["attributes"]), _object(row["output"])
    is_open = row["status"] in _OPEN
    waits_at = str(about["waiting"]) if is_open and about.get("waiting") else None
    error = (ending.get("lastError") or {}).get("message", "")
    return RunView(
        id=row["workflow_uuid"],
        workflow=str(about.get("workflowId", "")),
        status=_status(row, ending, is_open=is_open, waits=waits_at is not None),
        started=started_at(row["workflow_uuid"]),
        total=int(about.get("total") or 0),
        dry_run=bool(about.get("dryRun")),
        waits_at=waits_at,
        asks=_question(row["inputs"], waits_at) if waits_at else "",
        error=str(error),
        steps=steps,
    )


def _status(row: sqlite3.Row, ending: dict[str, Any], *, is_open: bool, waits: bool) -> str:
    if is_open:
        return "waiting" if waits else "running" if row["status"] == "PENDING" else "queued"
    if row["status"] == "CANCELLED":
        return "canceled"
    return str(ending.get("status", "interrupted"))


def _object(text: str | None) -> dict[str, Any]:
    try:
        value = msgspec.json.decode(text) if text else None
    except msgspec.DecodeError:
        return {}
    return value if isinstance(value, dict) else {}


def _question(inputs: str | None, step_id: str) -> str:
    """Return the step that a run waits at with all of its input."""
    try:
        given = _object(inputs).get("args") or [None]
        step = _find_step(msgspec.convert(given[0], RunPlan), step_id)
    except (msgspec.ValidationError, StopIteration):
        return f"step {step_id}"
    shown = dict(step.input) | ({"forEach": step.for_each.items} if step.for_each is not None else {})
    return escape_json_controls(f"{step.action_id} {msgspec.json.encode(shown).decode()}")


def _find_step(plan: RunPlan, step_id: str) -> Action:
    return next(each for group in plan.definition.groups() for each in group if each.id == step_id)
