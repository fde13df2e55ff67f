"""The Gox MCP contract v0.1: `{runId, output, diff}`, and errors of the JSON-RPC protocol.

Many hosts show no model an error of the protocol. In brief, which is for models, it is a result of the tool like those
of all others; only a tool that does not exist is the protocol's to refuse.
"""

from __future__ import annotations

from typing import Any

from scenewright.contracts.budget import output_within_budget
from scenewright.contracts.echo import shortened
from scenewright.contracts.gox.codes import code_of
from scenewright.contracts.rendered import Rendered, RpcError, encode_body, entries_of
from scenewright.contracts.unified.errors import render_error
from scenewright.contracts.wording import output_in_words, path_in_words, schema_in_words
from scenewright.core.calls.call import DRY_RUN, Outcome
from scenewright.core.faults import Invalid, NotFound
from scenewright.core.operations.declaration import Operation
from scenewright.core.operations.model import JsonSchema, to_wire

__all__ = ["output_schema", "refuse", "render"]

INVALID_PARAMS = -32602


def render(outcome: Outcome, *, modern: bool, brief: bool) -> Rendered:
    call, diff = outcome.call, outcome.diff
    if outcome.fault is not None:
        if brief and call.operation is not None:
            return render_error(outcome.fault, {"correlationId": call.meta.correlation_id}, brief=True)
        return refuse(outcome, modern=modern)
    assert call.run is not None
    entry = {"historyEntry": call.entry.id} if call.entry is not None else {}  # to take it back by
    output, cut = output_within_budget(call, shortened(call) if brief else to_wire(call.output))
    output = output_in_words(call.operation, output or {}, contractual=not brief)
    if call.operation.contract == "gox":
        if call.dry_run and call.operation.writes:
            output = _mark_dry_run(output)
        output = {
            "runId": call.run.run_id,
            "output": output,
            "diff": {"summary": diff.summary, "entries": entries_of(diff, outcome, brief=brief)} if diff else None,
        }
        # Also where the model reads: most hosts keep `_meta` to themselves.
        output |= {"warnings": [*call.warnings, *cut]} if call.warnings or cut else {}
    meta: dict[str, Any] = {"correlationId": call.meta.correlation_id} | entry
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
        operation = outcome.call.operation
        path = path_in_words(operation, fault.path) if operation is not None else fault.path
        named = (("validation_path", path), ("validation_rule", fault.rule))
        data |= {key: value for key, value in named if value}
    # A name that no tool has is, to the protocol, an invalid parameter.
    unknown_tool = outcome.call.operation is None and isinstance(fault, NotFound)
    number = INVALID_PARAMS if unknown_tool else codes.rpc_modern if modern else codes.rpc
    message = f"{fault.message} {fault.hint}" if fault.hint else fault.message
    (message, data), _ = encode_body([message, data])
    return Rendered(error=RpcError(number, message, data), text=message)


def output_schema(operation: Operation, *, brief: bool) -> JsonSchema:
    output = schema_in_words(operation, operation.output_schema or {"type": "object"}, contractual=not brief)
    if brief:  # what a model is not told is not there
        output = {key: value for key, value in output.items() if key != "required"}
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
