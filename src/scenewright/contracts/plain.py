"""No contract at all: the content a handler attached, and nothing around it."""

from __future__ import annotations

from scenewright.contracts.rendered import Rendered, replace_surrogates
from scenewright.core.calls.call import Outcome
from scenewright.core.operations.declaration import Operation
from scenewright.core.operations.model import JsonSchema, to_wire

__all__ = ["output_schema", "render"]


def render(outcome: Outcome, *, modern: bool, brief: bool) -> Rendered:
    del modern, brief
    if outcome.fault is not None:
        return Rendered(text=replace_surrogates(outcome.fault.message), is_error=True)
    call = outcome.call
    structured = None if call.operation.outputs is None else replace_surrogates(to_wire(call.output))
    return Rendered(structured=structured, attachments=tuple(call.attachments))


def output_schema(operation: Operation, *, brief: bool) -> JsonSchema | None:
    del brief
    return operation.output_schema
