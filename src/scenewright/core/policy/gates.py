"""Who may do what: the gates that are settings of the server, and the policy pack that decides over the rest."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from scenewright.core.calls.call import Call, Meta
from scenewright.core.config import Config
from scenewright.core.faults import Denied
from scenewright.core.operations.declaration import Operation, Safety
from scenewright.core.policy.deletion import deletes
from scenewright.core.policy.rules import Decision, SideEffect, Subject
from scenewright.core.settings import FILE

__all__ = [
    "cited",
    "decide",
    "forbidden_by_project",
    "is_offered",
    "not_run_here",
    "pass_external",
    "pass_gates",
    "pass_gates_of",
    "refusal",
    "settings_of",
    "subject_of",
]


def settings_of(call: Call) -> Config:
    """Return the settings of the server as far as the call's project does not forbid more."""
    return call.state.restricted(call.runtime.config)


def is_offered(operation: Operation, config: Config) -> bool:
    """Return whether a server with these settings lists an operation at all."""
    allowed = not (config.read_only and operation.writes) and (config.may_run or operation.executes != "always")
    return allowed and config.tier.includes(operation.tier)


def pass_gates(operation: Operation, config: Config) -> None:
    """Raise Denied where a setting of the server rules the operation out."""
    # What runs other operations writes nothing itself; each of those comes through here on its own.
    if config.read_only and operation.writes and not operation.runs_others:
        raise Denied(
            f"'{operation.flat_name}' changes files and the server is in read-only mode.",
            hint="Start the server without --read-only and READ_ONLY_MODE to allow changes.",
        )
    if operation.executes == "always" and not config.may_run:
        raise not_run_here(operation)
    if not config.tier.includes(operation.tier):
        raise Denied(
            f"'{operation.flat_name}' belongs to {operation.tier}; this server offers {config.tier}.",
            hint=f"Set SCENEWRIGHT_TIER={operation.tier} to offer it.",
        )
    if operation.starts_other_programs:
        pass_external(f"'{operation.flat_name}' starts another program or reaches out of this machine.", config)


def pass_gates_of(call: Call, operation: Operation) -> None:
    """Raise Denied where a setting of the server, or the call's project, rules an operation out."""
    pass_gates(operation, call.runtime.config)
    settings = settings_of(call)
    if settings is call.runtime.config:
        return
    try:
        pass_gates(operation, settings)
    except Denied:
        raise forbidden_by_project(operation) from None


def forbidden_by_project(operation: Operation) -> Denied:
    """Return the fault of a call that the project's own settings forbid."""
    return Denied(
        f"'{operation.flat_name}' is not allowed here: {FILE} of the project forbids it.",
        hint="Do not repeat this call; the file is a person's to change.",
    )


def pass_external(reason: str, config: Config) -> None:
    """Raise Denied, for this reason, where the server may start no programs but engines, nor reach further."""
    if not config.allow_external:
        raise Denied(reason, hint="Set ALLOW_EXTERNAL_TOOLS=true in the server's environment to allow it.")


def not_run_here(operation: Operation) -> Denied:
    """Return the fault of a call that would run project code on a server that runs none."""
    return Denied(
        f"'{operation.flat_name}' runs code of the project and the server is in read-only mode.",
        hint="Start the server with --allow-run, or without --read-only and READ_ONLY_MODE.",
    )


def decide(
    operation: Operation,
    call: Call,
    arguments: Mapping[str, Any],
    *,
    dry_run: bool | None = None,
    dangerous_allowed: bool | None = None,
) -> Decision:
    """Return what the policy of a call's project says of an operation, called like that call or as a part of it.

    `dry_run` and `dangerous_allowed` ask what it would say if that were so.
    """
    meta = call.meta if dry_run is None else replace(call.meta, dry_run=dry_run)
    subject = subject_of(operation, arguments, meta, settings_of(call))
    if dangerous_allowed is not None:
        subject = replace(subject, dangerous_allowed=dangerous_allowed)
    return call.state.policy.current().decide(subject)


def subject_of(operation: Operation, arguments: Mapping[str, Any], meta: Meta, config: Config) -> Subject:
    """Return a call of an operation as rules see it."""
    return Subject(
        action=operation.id,
        names=frozenset((operation.id, operation.flat_name, *operation.aliases)),
        side_effects=_side_effects(operation) | ({"delete"} if deletes(operation, arguments) else set()),
        actor=meta.actor,
        dry_run=meta.dry_run,
        dangerous_allowed=config.allow_dangerous,
    )


def _side_effects(operation: Operation) -> frozenset[SideEffect]:
    # What runs other operations writes and runs nothing itself; each of those is decided on its own.
    if operation.runs_others and operation.safety is not Safety.DESTRUCTIVE:
        return frozenset(("none",))
    effects: set[SideEffect] = {"execute"} if operation.executes == "always" else set()
    if operation.writes:
        effects |= {"write", "destructive"} if operation.safety is Safety.DESTRUCTIVE else {"write"}
    return frozenset(effects or {operation.side_effects})


def refusal(name: str, decision: Decision) -> Denied:
    """Return the fault of a call that the policy denies."""
    return Denied(
        f"'{name}' is not allowed: {decision.reason}.",
        hint="Do not repeat this call. `scenewright policy explain` shows a person why, and the policy is theirs.",
        details=cited(decision),
    )


def cited(decision: Decision) -> dict[str, Any]:
    """Return which policy decided, and by which of its rules, as a fault's details have it."""
    return {"policy": decision.policy} | ({"rule": decision.rule} if decision.rule else {})
