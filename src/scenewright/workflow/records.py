"""What is kept of a run: one record per step, its log lines, and how it all ended. Plain JSON, made once."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

from scenewright.contracts.gox.codes import code_of
from scenewright.core.faults import Fault
from scenewright.core.operations.declaration import Operation
from scenewright.workflow.model import Action

__all__ = ["DONE", "Line", "error_of", "is_retryable", "is_unknown", "line", "now", "record"]

Line = dict[str, Any]
DONE = ("succeeded", "skipped")


def now() -> str:
    return datetime.now(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")


def line(level: str, message: str, step: Action | None = None) -> Line:
    """Return a log line as the Gox MCP contract has it."""
    body: Line = {"timestamp": now(), "level": level, "message": message}
    if step is not None:
        body |= {"stepId": step.id, "actionId": step.action_id}
    return body


def record(step: Action, status: str, logs: list[Line], **more: Any) -> dict[str, Any]:
    """Return what became of a step, or of one item of it."""
    body = {"id": step.id, "actionId": step.action_id, "status": status, "logs": logs}
    return body | {key: value for key, value in more.items() if value is not None}


def error_of(fault: Fault) -> dict[str, Any]:
    """Return a fault as `lastError` has it, with what a person needs to go on."""
    error: dict[str, Any] = {"code": code_of(fault).name, "message": fault.message, "kind": fault.kind}
    if fault.hint:
        error["hint"] = fault.hint
    return error


def is_retryable(fault: Fault, operation: Operation | None) -> bool:
    """Say whether a step may be tried again: as in Gox, not if it was invalid, not found or denied."""
    if fault.kind in ("invalid", "not_found", "denied", "unsupported", "interrupted"):
        return False
    if operation is not None and is_unknown(fault, operation):
        return False
    return fault.retryable or fault.kind == "internal"


def is_unknown(fault: Fault, operation: Operation) -> bool:
    """Return whether a write may have been carried out although it failed."""
    if fault.kind == "interrupted":
        return True
    return (
        operation.writes
        and not operation.transactional
        and not operation.idempotent
        and fault.kind in ("timed_out", "internal")
    )
