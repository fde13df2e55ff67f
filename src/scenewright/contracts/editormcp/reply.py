"""EditorMCP's Tool Definition Schema v0.1: the outputs that a tool declares, as they are.

An error is text for the model, as godot-mcp-unified's MCP reference has it.
"""

from __future__ import annotations

from typing import Any

from scenewright.contracts.budget import output_within_budget
from scenewright.contracts.rendered import Rendered, encode_body
from scenewright.contracts.unified.errors import render_error
from scenewright.contracts.wording import output_in_words, schema_in_words
from scenewright.core.calls.call import Outcome
from scenewright.core.operations.declaration import Operation
from scenewright.core.operations.model import JsonSchema, to_wire

__all__ = ["output_schema", "render"]


def render(outcome: Outcome, *, modern: bool, brief: bool) -> Rendered:
    del modern
    call = outcome.call
    meta: dict[str, Any] = {"correlationId": call.meta.correlation_id}
    if outcome.fault is not None:
        return render_error(outcome.fault, meta, brief=brief)
    output, cut = output_within_budget(call, to_wire(call.output))
    warnings = [*call.warnings, *cut]
    meta |= {"warnings": warnings} if warnings else {}
    said = output if output is None else output_in_words(call.operation, output, contractual=not brief)
    structured, text = encode_body(said)
    return Rendered(structured=structured, text=text, attachments=tuple(call.attachments), meta=meta)


def output_schema(operation: Operation, *, brief: bool) -> JsonSchema | None:
    schema = operation.output_schema
    return None if schema is None else schema_in_words(operation, schema, contractual=not brief)
