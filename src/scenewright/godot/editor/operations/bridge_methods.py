"""The bridge itself: any of its methods by name, and looking into any class or object behind it."""

from __future__ import annotations

from typing import Annotated, Any

import msgspec

from scenewright.core.calls.call import Call
from scenewright.core.faults import Invalid
from scenewright.core.operations.declaration import Example, Safety, operation
from scenewright.core.operations.model import Inputs, Outputs, about
from scenewright.core.text.counts import count_noun
from scenewright.godot.editor.operations.captures import as_named

__all__ = ["OPERATIONS"]

_ONE_OF = ("class_name", "node_path", "instance_id")
_ALIASES = {"className": "class_name", "nodePath": "node_path", "path": "node_path", "instanceId": "instance_id"}


class RpcInputs(Inputs, frozen=True, kw_only=True, rename=as_named):
    request_json: Annotated[str | dict[str, Any], about('{"method": …, "params": {…}}, as an object or as text.')]
    timeout_ms: Annotated[int, about("How long to wait.", ge=100, le=120_000)] = 20_000


class RpcAnswer(Outputs, frozen=True, kw_only=True, rename=as_named):
    method: Annotated[str, about("What was called.")]
    answer: Annotated[dict[str, Any], about("What the editor answered.")]


@operation(
    id="godot.editor.rpc",
    name="Call Bridge Method",
    category="editor",
    safety=Safety.SAFE_WRITE,
    needs_project=True,
    requires_bridge=True,
    transactional=False,
    tool="godot_rpc",
    manager="godot_workspace_manager",
    action="rpc",
    timeout=125.0,
    notes="For what has no tool of its own; the methods of the protocol, and those named scenewright.*",
    executes="sometimes",
    examples=(
        Example("Is it there?", {"request_json": {"method": "ping"}}, {"method": "ping", "answer": {"pong": True}}),
    ),
)
async def rpc(call: Call, inputs: RpcInputs) -> RpcAnswer:
    """Calls a method of the open editor's bridge."""
    from scenewright.godot.editor.live.access import ask, change

    request = _parse_object(inputs.request_json, "request_json")
    method, params = request.get("method"), request.get("params") or {}
    if not isinstance(method, str) or not method or not isinstance(params, dict):
        raise Invalid(
            "A request is an object with a 'method' and its 'params'.",
            path="input.request_json",
            rule="required",
            hint='Such as {"method": "get_editor_info", "params": {}}.',
        )
    reads = method.removeprefix("scenewright.").startswith(("get_", "find_", "read_", "inspect", "capture_", "ping"))
    send = ask if reads else change
    answer = await send(call, method, params, timeout=inputs.timeout_ms / 1000)
    call.summary = f"{method} answered."
    return RpcAnswer(method=method, answer=answer)


class InspectInputs(Inputs, frozen=True, kw_only=True, rename=as_named):
    query_json: Annotated[
        str | dict[str, Any], about("One of class_name, node_path and instance_id, as an object or as text.")
    ]
    members: Annotated[bool, about("Also methods and signals.")] = True


class Inspected(Outputs, frozen=True, kw_only=True, rename=as_named):
    class_name: Annotated[str, about("Class.")]
    inherits: Annotated[list[str], about("The classes above it.")]
    properties: Annotated[dict[str, Any], about("type and, of an object, value of each.")]
    methods: Annotated[list[str], about("Signatures.")] | None = None
    signals: Annotated[list[str], about("Signatures.")] | None = None
    instance_id: Annotated[str, about("Id of the object while it lives.")] | None = None
    node_path: Annotated[str, about("Path of a node.")] | None = None
    resources: Annotated[dict[str, str], about("Ids of the resources that properties hold.")] | None = None
    script: Annotated[str, about("Its script.")] | None = None


@operation(
    id="godot.editor.inspect",
    name="Inspect in Editor",
    category="editor",
    safety=Safety.READ_ONLY,
    needs_project=True,
    requires_bridge=True,
    tool="godot_inspect",
    manager="godot_inspector_manager",
    action="editor_inspect",
    examples=(
        Example(
            "A class",
            {"query_json": {"class_name": "Timer"}, "members": False},
            {"class_name": "Timer", "inherits": ["Node", "Object"], "properties": {"wait_time": {"type": "float"}}},
        ),
    ),
)
async def inspect(call: Call, inputs: InspectInputs) -> Inspected:
    """Inspects a class, a node of the edited scene, or a resource that one holds, as the open editor knows it."""
    from scenewright.godot.editor.live.access import ask

    query = {_ALIASES.get(key, key): value for key, value in _parse_object(inputs.query_json, "query_json").items()}
    if len(query) != 1 or next(iter(query)) not in _ONE_OF:
        raise Invalid(f"Ask for exactly one of {', '.join(_ONE_OF)}.", path="input.query_json", rule="oneOf")
    answer = await ask(call, "scenewright.inspect", {key: str(value) for key, value in query.items()})
    if not inputs.members:
        answer.pop("methods", None)
        answer.pop("signals", None)
    call.summary = f"{answer['class_name']}: {count_noun(len(answer['properties']), 'property', 'properties')}."
    return msgspec.convert({**answer, "resources": answer.get("resources") or None}, Inspected)


OPERATIONS = (rpc, inspect)


def _parse_object(given: str | dict[str, Any], name: str) -> dict[str, Any]:
    if isinstance(given, dict):
        return given
    try:
        read = msgspec.json.decode(given)
    except msgspec.DecodeError as error:
        raise Invalid(f"'{name}' is not JSON: {error}", path=f"input.{name}", rule="json") from None
    if not isinstance(read, dict):
        raise Invalid(f"'{name}' must hold an object.", path=f"input.{name}", rule="type")
    return read
