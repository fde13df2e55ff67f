"""Who may do what: the gates that are settings of the server, and the policy pack that decides over the rest."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from scenewright.core.call import Call
from scenewright.core.config import Config
from scenewright.core.faults import Denied
from scenewright.core.operation import Operation, Safety
from scenewright.core.rules import Decision, SideEffect, Subject

__all__ = ["ask_person", "decide", "is_offered", "not_run_here", "pass_gates", "refusal", "subject_of", "unapproved"]


def is_offered(operation: Operation, config: Config) -> bool:
    """Whether a server with these settings lists an operation at all."""
    allowed = not (config.read_only and operation.writes) and (config.may_run or operation.executes != "always")
    return allowed and config.tier.includes(operation.tier)


def pass_gates(operation: Operation, config: Config) -> None:
    """Raises Denied where a setting of the server rules the operation out."""
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
    if operation.external and not config.allow_external:
        raise Denied(
            f"'{operation.flat_name}' starts another program or reaches out of this machine.",
            hint="Set ALLOW_EXTERNAL_TOOLS=true in the server's environment to allow it.",
        )


def not_run_here(operation: Operation) -> Denied:
    """The fault of a call that would run project code on a server that runs none."""
    return Denied(
        f"'{operation.flat_name}' runs code of the project and the server is in read-only mode.",
        hint="Start the server with --allow-run, or without --read-only and READ_ONLY_MODE.",
    )


def decide(
    operation: Operation, call: Call, *, dry_run: bool | None = None, dangerous_allowed: bool | None = None
) -> Decision:
    """What the policy of a call's project says of an operation, called like that call or as a part of it.

    `dry_run` and `dangerous_allowed` ask what it would say if that were so.
    """
    tried = call.dry_run if dry_run is None else dry_run
    subject = subject_of(operation, call.runtime.config, actor=call.meta.actor, dry_run=tried)
    if dangerous_allowed is not None:
        subject = replace(subject, dangerous_allowed=dangerous_allowed)
    return call.state.policy.current().decide(subject)


def subject_of(operation: Operation, config: Config, *, actor: str | None, dry_run: bool) -> Subject:
    """A call of an operation as rules see it."""
    return Subject(
        action=operation.id,
        names=frozenset((operation.id, operation.flat_name, *operation.aliases)),
        side_effects=_side_effects(operation),
        actor=actor,
        dry_run=dry_run,
        dangerous_allowed=config.allow_dangerous,
    )


def _side_effects(operation: Operation) -> frozenset[SideEffect]:
    # What runs other operations writes and runs nothing itself; each of those is decided on its own.
    if operation.runs_others and operation.safety is not Safety.DESTRUCTIVE:
        return frozenset(("none",))
    found: set[SideEffect] = {"execute"} if operation.executes == "always" else set()
    if operation.writes:
        found |= {"write", "destructive"} if operation.safety is Safety.DESTRUCTIVE else {"write"}
    return frozenset(found or {operation.side_effects})


def refusal(name: str, decision: Decision) -> Denied:
    """The fault of a call that the policy denies."""
    return Denied(
        f"'{name}' is not allowed: {decision.reason}.",
        hint="Do not repeat this call. `scenewright policy explain` shows a person why, and the policy is theirs.",
        details=_cited(decision),
    )


def unapproved(call: Call, decision: Decision) -> Denied:
    """The fault of a call that needs a person where none could be asked."""
    ways = ["repeat the call with `approved: true` in the request's metadata (--yes on the command line)"]
    if not decide(call.operation, call, dangerous_allowed=True).needs_approval:
        ways.append("start the server with ALLOW_DANGEROUS_OPS=true")
    free = not decide(call.operation, call, dry_run=True).needs_approval
    return Denied(
        f"'{call.name}' was not approved: {decision.reason}.",
        hint=f"Ask the user, then {', or '.join(ways)}.{' A dry run needs no approval.' if free else ''}",
        details=_cited(decision),
    )


def _cited(decision: Decision) -> dict[str, Any]:
    return {"policy": decision.policy} | ({"rule": decision.rule} if decision.rule else {})


async def ask_person(call: Call, question: str) -> bool:
    """Whether a person approved; False where the client cannot ask one.

    Raises:
        Denied: the person said no.
    """
    answer = await call.client.approve(question)
    if answer is False:
        raise Denied("The person in charge said no.", hint="Do not repeat this call; ask what to do instead.")
    return answer is True
