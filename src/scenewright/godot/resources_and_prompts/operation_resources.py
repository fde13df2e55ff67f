"""Resources that an operation answers: read through the whole pipeline, like a call."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from typing import Any
from urllib.parse import unquote

import msgspec

from scenewright.core.calls.call import Request
from scenewright.core.operations.model import to_wire
from scenewright.core.operations.resources_and_prompts import Content
from scenewright.core.runtime import Runtime

__all__ = ["Read", "answer", "answered_by", "as_json", "plain_path"]

Read = Callable[[Runtime, Mapping[str, str]], Awaitable[Content]]


def answered_by(tool: str, **fixed: Any) -> Read:
    """Return the output of an operation as JSON; the parts of the URI are arguments, under their own names."""

    async def read(runtime: Runtime, values: Mapping[str, str]) -> Content:
        given = {name: plain_path(value) for name, value in values.items()}
        return as_json(await answer(runtime, tool, fixed | given))

    return read


async def answer(runtime: Runtime, tool: str, arguments: Mapping[str, Any]) -> Any:
    """Return the output of a call.

    Raises:
        Fault: it failed.
    """
    outcome = await runtime.run(Request(tool=tool, arguments=arguments))
    if outcome.fault is not None:
        raise outcome.fault
    return to_wire(outcome.call.output)


def as_json(value: object) -> Content:
    return Content(msgspec.json.encode(value).decode())


def plain_path(part: str) -> str:
    """Return a path as a URI may hold it: encoded or not, with `res://` or without."""
    return unquote(part).removeprefix("res://")
