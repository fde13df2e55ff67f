"""The Gox MCP contract v0.1: `{runId, output, diff}`, and errors of the JSON-RPC protocol."""

from __future__ import annotations

from typing import Any

from scenewright.contracts.budget import output_within_budget
from scenewright.contracts.gox.codes import code_of
from scenewright.contracts.rendered import Rendered, RpcError, encode_body
from scenewright.core.calls.call import DRY_RUN, Outcome
from scenewright.core.faults import Invalid, NotFound
from scenewright.core.operations.declaration import Operation
from scenewright.core.operations.model import JsonSchema

__all__ = ["output_schema", "refuse", "render"]

INVALID_PARAMS = -32602


def render(outcome: Outcome, *, modern: bool) -> Rendered:
    call, diff = outcome.call, outcome.diff
    if not outcome.ok:
        return refuse(outcome, modern=modern)
    assert call.run is not None
    output, cut = output_within_budget(call)
    output = output or {}
    if call.operation.contract == "gox":
        if call.dry_run and call.operation.writes:
            output = _mark_dry_run(output)
        output = {
            "runId": call.run.run_id,
            "output": output,
            "diff": {"summary": diff.summary, "entries": diff.entries} if diff else None,
        }
        # Also where the model reads: most hosts keep `_meta` to themselves.
        output |= {"warnings": [*call.warnings, *cut]} if call.warnings or cut else {}
    meta: dict[str, Any] = {"correlationId": call.meta.correlation_id}
    if call.warnings or cut:
        meta["warnings"] = [*call.warnings, *cut]
    structured, text = encode_body(output)
    return Rendered(structured=structured, text=text, attachments=tuple(call.attachments), meta=meta)


def _mark_dry_run(output: dict[str, Any]) -> dict[str, Any]:
    """The output of a dry run, which must not read like that of a write."""
    summary = {"diffSummary": f"{DRY_RUN} {output['diffSummary']}"} if output.get("diffSummary") else {}
    return {"dryRun": True} | output | summary


def refuse(outcome: Outcome, *, modern: bool) -> Rendered:
    """Return the fault as a protocol error."""
    fault = outcome.fault
    assert fault is not None
    codes = code_of(fault)
    details = fault.details | ({"hint": fault.hint} if fault.hint else {})
    data: dict[str, Any] = {
        "code": codes.name,
        "category": codes.category,
        "retryable": fault.retryable,
        "correlation_id": outcome.call.meta.correlation_id,
        "details": details,
    }
    if isinstance(fault, Invalid):
        named = (("validation_path", fault.path), ("validation_rule", fault.rule))
        data |= {key: value for key, value in named if value}
    # A name that no tool has is, to the protocol, an invalid parameter.
    unknown_tool = outcome.call.operation is None and isinstance(fault, NotFound)
    number = INVALID_PARAMS if unknown_tool else codes.rpc_modern if modern else codes.rpc
    message = f"{fault.message} {fault.hint}" if fault.hint else fault.message
    (message, data), _ = encode_body([message, data])
    return Rendered(error=RpcError(number, message, data), text=message)


def output_schema(operation: Operation) -> JsonSchema:
    output = operation.output_schema or {"type": "object"}
    if operation.contract == "gox-workflow":
        return output
    definitions = output.get("$defs")
    output = {key: value for key, value in output.items() if key != "$defs"}
    if operation.writes and operation.supports_dry_run:
        output["properties"] = {"dryRun": {"type": "boolean"}} | output.get("properties", {})
    schema: JsonSchema = {
        "type": "object",
        "properties": {
            "runId": {"type": "string"},
            "output": output,
            "diff": {"anyOf": [_DIFF, {"type": "null"}]},
            "warnings": {"type": "array", "items": {"type": "string"}},
        },
        "required": ["runId", "output", "diff"],
    }
    return schema | ({"$defs": definitions} if definitions else {})


_DIFF: JsonSchema = {
    "type": "object",
    "properties": {"summary": {"type": "string"}, "entries": {"type": "array", "items": {"type": "string"}}},
    "required": ["summary", "entries"],
}
