"""godot-mcp-omni's Tool Contract v1: the envelope of every Godot tool."""

from __future__ import annotations

from typing import Any

from scenewright.contracts.budget import output_within_budget
from scenewright.contracts.omni.codes import CODES, code_of
from scenewright.contracts.rendered import Rendered, encode_body
from scenewright.contracts.tool_names import as_listed
from scenewright.core.calls.call import Call, Outcome
from scenewright.core.faults import Fault, Invalid
from scenewright.core.operations.declaration import Operation
from scenewright.core.operations.model import JsonSchema
from scenewright.core.writes.diff import is_within

__all__ = ["error_of", "output_schema", "render"]


def render(outcome: Outcome, *, modern: bool) -> Rendered:
    del modern  # the envelope is the same in both eras
    call = outcome.call
    meta = {
        "tool": call.tool,
        "action": call.action,
        "correlationId": call.meta.correlation_id,
        "durationMs": outcome.duration_ms,
    }
    body: dict[str, Any] = {"ok": outcome.ok, "summary": outcome.summary}
    warnings = list(call.warnings)
    if outcome.fault is None:
        result, cut = output_within_budget(call)
        warnings += cut
        body |= {"result": result, "error": None, "meta": meta} | _extras(outcome)
    else:
        error = error_of(outcome.fault)
        if "suggestedFix" in error:
            error["suggestedFix"] = as_listed(error["suggestedFix"], call)
        body |= {"result": None, "error": error, "meta": meta}
    if warnings:
        body["warnings"] = [as_listed(warning, call) for warning in warnings]
    structured, text = encode_body(body)
    return Rendered(
        structured=structured,
        text=text,
        is_error=not outcome.ok,
        attachments=tuple(call.attachments) if outcome.ok else (),
        meta={"correlationId": call.meta.correlation_id},
    )


def error_of(fault: Fault) -> dict[str, Any]:
    """Return a fault as the envelope's `error`."""
    details = dict(fault.details)
    if isinstance(fault, Invalid):
        details |= {key: value for key, value in (("path", fault.path), ("rule", fault.rule)) if value}
    error: dict[str, Any] = {"code": code_of(fault), "message": fault.message, "retryable": fault.retryable}
    if details:
        error["details"] = details
    if fault.hint:
        error["suggestedFix"] = fault.hint
    return error


def _extras(outcome: Outcome) -> dict[str, Any]:
    call, diff = outcome.call, outcome.diff
    dry = {"dryRun": True} if call.dry_run and call.operation.writes else {}
    if diff is None or call.changes is None:
        return {"execution": _edit_mode(call) | dry} if call.stage or dry else {}
    execution: dict[str, Any] = _edit_mode(call) | {"diff": {"summary": diff.summary, "entries": diff.entries}} | dry
    if call.entry is not None:
        execution["historyEntry"] = call.entry.id
    root, engines = call.state.project.root, {engine.name for engine in call.state.engines}
    prefix = "" if engines and "godot" not in engines else "res://"  # which only Godot has
    files = [
        {"kind": change.kind, "pathAbs": str(root / change.path), "resPath": f"{prefix}{change.path}"}
        | ({} if change.after is None else {"bytes": len(change.after)})
        for change in call.changes.changes()
        if not call.changes.is_live(change.path)
        and not any(is_within(change.path, folder) for folder in call.state.generated)  # the diff counts those
    ]
    return {"execution": execution} if call.dry_run or not files else {"execution": execution, "files": files}


def _edit_mode(call: Call) -> dict[str, Any]:
    """Whether the call worked on what an editor has open, or on the files."""
    files = call.changes
    if files is not None and files.drafts:
        return {"mode": "live", "editor": {"place": files.drafts[-1].place}}
    stage = (files.stage if files is not None else None) or call.stage
    changed = [] if files is None else [files.is_live(change.path) for change in files.changes()]
    if stage is None or not (any(changed) if changed else stage.used):
        return {"mode": "files"}
    return {"mode": "live", "editor": stage.label}


def output_schema(operation: Operation) -> JsonSchema:
    result = operation.output_schema or {"type": "object"}
    definitions = result.get("$defs")
    schema: JsonSchema = {
        "type": "object",
        "properties": {
            "ok": {"type": "boolean"},
            "summary": {"type": "string"},
            "result": {"anyOf": [{k: v for k, v in result.items() if k != "$defs"}, {"type": "null"}]},
            "error": {"anyOf": [_ERROR, {"type": "null"}]},
            "meta": _META,
            "execution": {"type": "object"},
            "files": {"type": "array", "items": _FILE},
            "warnings": {"type": "array", "items": {"type": "string"}},
        },
        "required": ["ok", "summary", "result", "error", "meta"],
    }
    return schema | ({"$defs": definitions} if definitions else {})


_ERROR: JsonSchema = {
    "type": "object",
    "properties": {
        "code": {"type": "string", "enum": sorted(set(CODES.values()))},
        "message": {"type": "string"},
        "details": {"type": "object"},
        "retryable": {"type": "boolean"},
        "suggestedFix": {"type": "string"},
    },
    "required": ["code", "message"],
}
_FILE: JsonSchema = {
    "type": "object",
    "properties": {
        "kind": {"type": "string"},
        "pathAbs": {"type": "string"},
        "resPath": {"type": "string"},
        "bytes": {"type": "integer"},
    },
    "required": ["kind", "pathAbs", "resPath"],
}
_META: JsonSchema = {
    "type": "object",
    "properties": {
        "tool": {"type": "string"},
        "action": {"anyOf": [{"type": "string"}, {"type": "null"}]},
        "correlationId": {"type": "string"},
        "durationMs": {"type": "integer"},
    },
    "required": ["tool", "action", "correlationId", "durationMs"],
}
