"""What happens to every call, in this order, whoever makes it: an MCP client, the shell, a batch, a workflow.

Each step is one small function over the call. A step that refuses raises a Fault; nothing after it runs.
"""

from __future__ import annotations

import inspect
import json
from dataclasses import replace
from typing import Any

import anyio
import anyio.to_thread
import msgspec

from scenewright.core.call import Call, Meta, as_bool
from scenewright.core.faults import Denied, Internal, Invalid, TimedOut, Unsupported, did_you_mean
from scenewright.core.journal import Author
from scenewright.core.limits import check_payload
from scenewright.core.operation import Manager, Operation
from scenewright.core.policy import decide, pass_gates
from scenewright.core.repair import repair
from scenewright.core.validation import check

__all__ = ["STEPS"]


async def resolve(call: Call) -> None:
    """Finds the operation behind the name, and for a manager behind its action."""
    call.meta = Meta.parse(call.request.meta)
    call.tool = call.request.tool
    found = call.runtime.registry.find(call.tool)
    arguments = dict(call.request.arguments)
    if isinstance(found, Manager):
        call.action = _action(call, found, arguments)
        call.operation = call.runtime.registry.actions[found.name][call.action]
        call.arguments = _merged(call.operation, arguments)
    else:
        call.operation, call.arguments = found, arguments


async def guard_payload(call: Call) -> None:
    check_payload(call.request.arguments, call.runtime.config.max_payload_bytes)


async def limit_rate(call: Call) -> None:
    """Takes a token of the client's bucket; the parts of a batch are covered by the batch's own."""
    if call.request.parent is None:
        call.runtime.buckets.take(call.client.id)


async def find_project(call: Call) -> None:
    """Takes the arguments that every tool understands out of the rest: the project and the dry run."""
    properties = call.operation.input_schema.get("properties", {})
    path = None
    for key in ("projectPath", "project_path"):
        if key in call.arguments and "projectPath" not in properties:
            path = call.arguments.pop(key)
    if "dryRun" in call.arguments and "dryRun" not in properties:
        asked = as_bool(call.arguments.pop("dryRun"), path="input.dryRun")
        call.meta = replace(call.meta, dry_run=call.meta.dry_run or asked)
    if path is not None and not isinstance(path, str):
        raise Invalid("'projectPath' must be text.", path="input.projectPath", rule="type")
    if path is None and call.operation.needs_project:
        _require_project(call)
    call.state = call.runtime.state_for(path)
    if call.shares_changes and call.files.project != call.state.project:
        raise Invalid(
            "All parts of one all-or-nothing batch must be about the same project.",
            path="input.projectPath",
            rule="const",
        )


async def validate(call: Call) -> None:
    """Mends, checks and converts the arguments."""
    operation = call.operation
    schema = operation.input_schema
    call.arguments, notes = repair(call.arguments, schema)
    call.warnings += notes
    check(schema, call.arguments, signature=operation.signature(call.action))
    if isinstance(operation.inputs, dict):
        call.inputs = call.arguments
        return
    try:
        call.inputs = msgspec.convert(call.arguments, operation.inputs)
    except msgspec.ValidationError as error:
        raise Invalid(str(error), path="input", rule="type") from None


async def gate(call: Call) -> None:
    pass_gates(call.operation, call.runtime.config)


async def approve(call: Call) -> None:
    """Asks the policy, and a person where the policy wants one; a dry run changes nothing and needs nobody."""
    decision = decide(call)
    if not decision.allowed:
        raise Denied(f"'{call.operation.flat_name}' is not allowed: {decision.reason}.")
    if not decision.needs_approval or call.meta.approved or call.dry_run:
        return
    answer = await call.client.approve(_question(call))
    if answer is True:
        return
    if answer is False:
        raise Denied("The person in charge said no.", hint="Do not repeat this call; ask what to do instead.")
    raise Denied(
        f"'{call.operation.flat_name}' is destructive and was not approved.",
        hint="Ask the user, then repeat the call with `approved: true` in the request's metadata (--yes on the"
        " command line), or start the server with ALLOW_DANGEROUS_OPS=true. A dry run needs no approval.",
    )


async def dry_run(call: Call) -> None:
    operation = call.operation
    if call.dry_run and operation.writes and not operation.supports_dry_run:
        raise Unsupported(f"'{operation.flat_name}' cannot show what it would do.", hint="Leave dryRun out.")


async def execute(call: Call) -> None:
    """Runs the handler, with a time limit; a handler that is given up can no longer change anything."""
    handler, limit = call.operation.handler, call.operation.timeout or call.runtime.config.action_timeout
    try:
        with anyio.fail_after(limit):
            if inspect.iscoroutinefunction(handler):
                call.output = await handler(call, call.inputs)
            else:
                call.output = await anyio.to_thread.run_sync(handler, call, call.inputs, abandon_on_cancel=True)
    except TimeoutError:
        raise TimedOut(
            f"'{call.operation.flat_name}' took longer than {limit:g} s and was stopped; nothing was written.",
            hint="Narrow the request, or raise GOX_ACTION_TIMEOUT_SECONDS.",
        ) from None


async def journal(call: Call) -> None:
    """Commits what the handler staged, unless this is a dry run or a part of a larger commit."""
    if call.changes is None or call.dry_run or call.shares_changes:
        return
    changes = call.changes.changes()
    if not changes:
        return
    if not call.operation.writes:
        raise Internal
    state = call.state
    state.open_for_writing()
    author = Author(
        call.operation.id,
        call.meta.correlation_id,
        call.meta.actor,
        call.summary or call.operation.name,
        call.undoes,
    )
    # Not abandoned on cancel: a commit that has begun is carried through, and its outcome is known.
    call.entry = await anyio.to_thread.run_sync(state.journal.commit, changes, author)


STEPS = (
    resolve, guard_payload, limit_rate, find_project, validate, gate, approve, dry_run, execute, journal,
)  # fmt: skip


def _require_project(call: Call) -> None:
    runtime = call.runtime
    by_contract = runtime.config.dialect == "contract" and call.request.origin == "mcp"
    if by_contract or not runtime.has_project:
        raise Invalid(
            "'projectPath' is required.",
            path="input.projectPath",
            rule="required",
            hint="Pass the absolute path of the project's folder, or start the server with --project DIR.",
        )


def _question(call: Call) -> str:
    shown = json.dumps(call.arguments, ensure_ascii=False, default=str)
    shown = shown if len(shown) <= 600 else shown[:600] + "…"
    return f"Allow '{call.operation.name}' ({call.operation.flat_name})? It cannot be taken lightly: {shown}"


def _action(call: Call, manager: Manager, arguments: dict[str, Any]) -> str:
    actions = call.runtime.registry.actions[manager.name]
    action = arguments.pop("action", None)
    if not isinstance(action, str) or action not in actions:
        known = list(actions)
        hint = did_you_mean(action[:100], known) if isinstance(action, str) else None
        raise Invalid(
            f"'action' of {manager.name} must be one of: {', '.join(known)}.",
            path="input.action",
            rule="required" if action is None else "enum",
            hint=hint or f"For example {actions[known[0]].signature(known[0])}.",
        )
    return action


def _merged(operation: Operation, arguments: dict[str, Any]) -> dict[str, Any]:
    """The parameters of an action, given beside `action` or under `params`."""
    if "params" not in arguments or "params" in operation.input_schema.get("properties", {}):
        return arguments
    params = arguments.pop("params")
    if isinstance(params, str):
        params, _ = repair({"params": params}, {"properties": {"params": {"type": "object"}}})
        params = params["params"]
    if params is None:
        return arguments
    if not isinstance(params, dict):
        raise Invalid("'params' must be an object.", path="input.params", rule="type")
    for key in params.keys() & arguments.keys():
        if params[key] != arguments[key]:
            raise Invalid(
                f"'{key}' is given twice, beside 'params' and in it, with different values.",
                path=f"input.{key}",
                rule="unique",
            )
    return {**params, **arguments}
