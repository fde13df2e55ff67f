"""No contract at all: the content a handler attached, and nothing around it."""

from __future__ import annotations

from scenewright.contracts.rendered import Rendered
from scenewright.core.call import Outcome
from scenewright.core.model import JsonSchema, to_wire
from scenewright.core.operation import Operation

__all__ = ["output_schema", "render"]


def render(outcome: Outcome, *, modern: bool) -> Rendered:
    del modern
    if outcome.fault is not None:
        return Rendered(text=outcome.fault.message, is_error=True)
    output = to_wire(outcome.call.output)
    return Rendered(structured=output or None, attachments=tuple(outcome.call.attachments))


def output_schema(operation: Operation) -> JsonSchema | None:
    return operation.output_schema
