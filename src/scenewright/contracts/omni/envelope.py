"""godot-mcp-omni's Tool Contract v1: the envelope of every Godot tool."""

from __future__ import annotations

import re
from typing import Any

from scenewright.contracts.budget import output_within_budget
from scenewright.contracts.echo import news_of, without_said
from scenewright.contracts.omni.codes import CODES, code_of
from scenewright.contracts.rendered import Rendered, encode_body, entries_of
from scenewright.core.calls.call import Call, Outcome
from scenewright.core.faults import Fault, Invalid
from scenewright.core.operations.declaration import Operation
from scenewright.core.operations.model import JsonSchema, to_wire
from scenewright.core.writes.diff import is_within

__all__ = ["error_of", "output_schema", "render"]

_NAMED_FILE = re.compile(r"(created|deleted) (.+?) \([^()\n]*\)")


def render(outcome: Outcome, *, modern: bool, brief: bool) -> Rendered:
    del modern  # the envelope is the same in both eras
    call = outcome.call
    body, warnings = (_brief_body if brief else _whole_body)(outcome)
    if warnings:
        body["warnings"] = warnings
    structured, text = encode_body(body)
    return Rendered(
        structured=structured,
        text=text,
        is_error=not outcome.ok,
        attachments=tuple(call.attachments) if outcome.ok else (),
        meta={"correlationId": call.meta.correlation_id},
    )


def _whole_body(outcome: Outcome) -> tuple[dict[str, Any], list[str]]:
    call = outcome.call
    meta = {
        "tool": call.tool,
        "action": call.action,
        "correlationId": call.meta.correlation_id,
        "durationMs": outcome.duration_ms,
    }
    body: dict[str, Any] = {"ok": outcome.ok, "summary": outcome.summary}
    if outcome.fault is not None:
        return body | {"result": None, "error": error_of(outcome.fault), "meta": meta}, list(call.warnings)
    result, cut = output_within_budget(call, to_wire(call.output))
    return body | {"result": result, "error": None, "meta": meta} | _extras(outcome), [*call.warnings, *cut]


def _brief_body(outcome: Outcome) -> tuple[dict[str, Any], list[str]]:
    """Return the envelope without what is empty, what its caller knows, and what is said elsewhere in it."""
    call = outcome.call
    if outcome.fault is not None:
        return {"ok": False, "error": error_of(outcome.fault, brief=True)}, list(call.warnings)
    result, cut = output_within_budget(call, news_of(outcome))
    body: dict[str, Any] = {"ok": True, "summary": outcome.summary}
    body |= {"result": result} if result else {}
    execution = _brief_execution(outcome)
    return body | ({"execution": execution} if execution else {}), [*without_said(call.warnings, result), *cut]


def _brief_execution(outcome: Outcome) -> dict[str, Any]:
    """Return where the call worked if an editor is open, what changed, and its entry in the history."""
    call, diff = outcome.call, outcome.diff
    has_editor = call.stage is not None or (call.changes is not None and (call.changes.stage or call.changes.drafts))
    execution: dict[str, Any] = _edit_mode(call) if has_editor else {}
    if diff is not None:
        entries = entries_of(diff, outcome, brief=True)
        entries = [entry for entry in entries if call.dry_run or not _is_said(entry, outcome.summary)]
        execution |= {"diff": {"entries": entries}} if entries else {}
    execution |= {"dryRun": True} if call.dry_run and call.operation.writes else {}
    return execution | ({"historyEntry": call.entry.id} if call.entry is not None else {})


def _is_said(entry: str, summary: str) -> bool:
    """Return whether a summary says all that an entry does: which file came or went."""
    match = _NAMED_FILE.fullmatch(entry)
    said = summary.replace("res://", "")
    return match is not None and said.startswith(f"{match[1].capitalize()} {match[2]}")


def error_of(fault: Fault, *, brief: bool = False) -> dict[str, Any]:
    """Return a fault as the envelope's `error`; in brief as every tool says it in the portable dialect."""
    details = dict(fault.details)
    if isinstance(fault, Invalid):
        details |= {key: value for key, value in (("path", fault.path), ("rule", fault.rule)) if value}
    error: dict[str, Any] = {"code": code_of(fault, portable=brief), "message": fault.message}
    if fault.retryable or not brief:
        error["retryable"] = fault.retryable
    if brief:
        kept = ("path", "rule")
        details = {name: value for name, value in details.items() if name in kept or not _is_told(value, fault)}
    if details:
        error["details"] = details
    if fault.hint:
        error["suggestedFix"] = fault.hint
    return error


def _is_told(detail: Any, fault: Fault) -> bool:
    """Return whether a detail is said by the message or the hint, or is the list of this one problem."""
    if isinstance(detail, str):
        return detail in fault.message or detail in (fault.hint or "")
    only = detail[0] if isinstance(detail, list) and len(detail) == 1 else None
    return isinstance(only, dict) and only.get("message") == fault.message


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
        if not _is_in_editor(call, change.path)
        and not any(is_within(change.path, folder) for folder in call.state.generated)  # the diff counts those
    ]
    return {"execution": execution} if call.dry_run or not files else {"execution": execution, "files": files}


def _is_in_editor(call: Call, path: str) -> bool:
    files = call.changes
    if files is None or not files.is_live(path):
        return False
    stage = files.stage or call.stage
    return stage is None or stage.has_made(path)


def _edit_mode(call: Call) -> dict[str, Any]:
    """Whether the call worked on what an editor has open, or on the files."""
    files = call.changes
    if files is not None and files.drafts:
        return {"mode": "live", "editor": {"place": files.drafts[-1].place}}
    stage = (files.stage if files is not None else None) or call.stage
    changed = [] if files is None else [_is_in_editor(call, change.path) for change in files.changes()]
    if stage is None or not (any(changed) if changed else stage.used):
        return {"mode": "files"}
    return {"mode": "live", "editor": stage.label}


def output_schema(operation: Operation, *, brief: bool) -> JsonSchema:
    result = operation.output_schema or {"type": "object"}
    definitions = result.get("$defs")
    if brief and operation.writes:
        result, definitions = _without_required(result), _without_required(definitions)
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
        "required": ["ok"] if brief else ["ok", "summary", "result", "error", "meta"],
    }
    return schema | ({"$defs": definitions} if definitions else {})


def _without_required(schema: Any) -> Any:
    """Return a schema that lets every property be left out: a caller who sent it knows it."""
    if isinstance(schema, list):
        return [_without_required(each) for each in schema]
    if not isinstance(schema, dict):
        return schema
    return {
        key: _without_required(value)
        for key, value in schema.items()
        if key != "required" or not isinstance(value, list)
    }


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
