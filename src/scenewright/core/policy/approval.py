"""Whether a person has approved what the policy wants approved: by whom it counts, and what a refusal says.

Whatever a caller says of itself is a claim. It counts only where the policy says `approvedBy: caller`.
"""

from __future__ import annotations

import hashlib
import json
from typing import Any

import anyio.to_thread

from scenewright.core.calls.call import Call
from scenewright.core.faults import Denied, Fault
from scenewright.core.policy.approval_subject import ApprovalItem, Matter
from scenewright.core.policy.gates import cited, decide
from scenewright.core.policy.pending_approvals import Approvals
from scenewright.core.policy.rules import Decision

__all__ = ["ask_person", "matter_of", "require_person", "unapproved", "way_to_approve"]

CLAIM = "approved by the caller does not count under this policy"
CONTROLS = ("approved", "actor", "correlationId", "waitMs")  # of arguments, none of what a call does


def matter_of(call: Call, decision: Decision) -> Matter:
    """Return a call as a person is asked about it."""
    return Matter(
        title=f"Allow '{call.operation.name}' ({call.name})",
        reason=decision.reason,
        parts=[ApprovalItem(call.name, call.arguments, call.operation)],
        project=str(call.state.project.root),
        details=cited(decision),
    )


async def require_person(call: Call, matter: Matter) -> None:
    """Return once a person has approved.

    Raises:
        Denied: the person said no, or nobody could be asked; then it says how a person can approve it.
    """
    if not await ask_person(call, matter):
        raise unapproved(call, matter)


async def ask_person(call: Call, matter: Matter, *, anew: bool = False) -> bool:
    """Return whether a person has approved; False where nobody answered.

    `anew` asks about something else than the call itself, which nothing that was said of the call answers.

    Raises:
        Denied: the person said no.
    """
    if call.request.approved and (not anew or call.request.origin == "cli"):
        return True
    if call.meta.approved and not anew:
        if call.state.policy.current().approved_by == "caller":
            return True
        if CLAIM not in call.warnings:
            call.warnings.append(CLAIM)
    if await anyio.to_thread.run_sync(_answered_on_shell, call, matter):
        return True
    question = matter.question()
    if question is None:
        return False
    answer = await call.client.approve(question)
    if answer is False:
        raise Denied("The person in charge said no.", hint="Do not repeat this call; ask what to do instead.")
    return answer is True


def unapproved(call: Call, matter: Matter) -> Denied:
    """Return the fault of a call that a person must approve, and nobody has."""
    asking = [part for part in matter.parts if part.asks and part.operation is not None]
    hints = [f"{', or '.join(_ways_to_approve(call, matter))}."]
    if matter.question() is None:
        hints.insert(0, "It is too much to be shown in one question; make it smaller, or go on like this:")
    if call.meta.approved:
        hints.append(f"{CLAIM[:1].upper()}{CLAIM[1:]}.")
    if asking and not any(_decision(call, part, dry_run=True).needs_approval for part in asking):
        hints.append("A dry run needs no approval.")
    return Denied(
        f"'{call.name}' was not approved: {matter.reason.rstrip('.')}.",
        hint=" ".join(hints),
        details=dict(matter.details),
    )


def way_to_approve(call: Call, matter: Matter) -> str:
    """Return how a person can approve on a shell what nobody was asked about; it waits there from now on."""
    try:
        waiting = Approvals().file(_digest(call, matter), _describe_call(call, matter))
    except (OSError, Fault):
        return "A person can make the call on a shell, `scenewright call … --yes`"
    return f"A person can approve it on a shell with `scenewright approve {waiting.id}`; then make the same call again"


def _ways_to_approve(call: Call, matter: Matter) -> list[str]:
    asking = [part for part in matter.parts if part.asks and part.operation is not None]
    if call.state.policy.current().approved_by == "caller":
        ways = ["Ask the user, then repeat the call with `approved: true` in the request's metadata"]
    else:
        ways = [way_to_approve(call, matter)]
    if asking and not any(_decision(call, part, dangerous_allowed=True).needs_approval for part in asking):
        ways.append("start the server with ALLOW_DANGEROUS_OPS=true")
    return ways


def _answered_on_shell(call: Call, matter: Matter) -> bool:
    verdict = Approvals().take(_digest(call, matter))
    if verdict == "rejected":
        raise Denied("A person rejected this call.", hint="Do not repeat it; ask what to do instead.")
    return verdict == "approved"


def _digest(call: Call, matter: Matter) -> str:
    """Return what an answer is for: this call with these arguments in this project, and all that was shown of it."""
    arguments = {key: value for key, value in call.arguments.items() if key not in CONTROLS}
    shown = [
        [part.operation.id if part.operation else f"{matter.title}: {part.tool}", part.arguments]
        for part in matter.parts
    ]
    subject = [call.operation.id, str(call.state.project.root), arguments, shown]
    return hashlib.sha256(json.dumps(subject, sort_keys=True, default=str).encode()).hexdigest()


def _describe_call(call: Call, matter: Matter) -> dict[str, Any]:
    return {
        "project": str(call.state.project.root),
        "tool": call.name,
        "text": matter.text(),
        "preview": _preview(call, matter),
    }


def _preview(call: Call, matter: Matter) -> dict[str, Any] | None:
    """Return the call whose dry run shows what would change: the step that a run waits at, or else the call itself."""
    part = matter.parts[0]
    if len(matter.parts) > 1:
        part = ApprovalItem(call.operation.id, call.arguments, call.operation)
    operation = part.operation
    if operation is None or not (operation.writes and operation.supports_dry_run) or operation.may_execute:
        return None
    return {"tool": operation.id, "arguments": json.loads(json.dumps(part.arguments, default=str))}


def _decision(call: Call, part: ApprovalItem, **changed: bool) -> Decision:
    assert part.operation is not None
    return decide(part.operation, call, part.arguments, **changed)
