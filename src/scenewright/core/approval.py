"""Whether a person has approved what the policy wants approved: by whom it counts, and what a refusal says.

Whatever a caller says of itself is a claim. It counts only where the policy says `approvedBy: caller`.
"""

from __future__ import annotations

from scenewright.core.call import Call
from scenewright.core.faults import Denied
from scenewright.core.matter import Matter, Part
from scenewright.core.policy import cited, decide
from scenewright.core.rules import Decision

__all__ = ["ask_person", "matter_of", "require_person", "unapproved"]

CLAIM = "approved by the caller does not count under this policy"


def matter_of(call: Call, decision: Decision) -> Matter:
    """A call as a person is asked about it."""
    return Matter(
        title=f"Allow '{call.operation.name}' ({call.name})",
        reason=decision.reason,
        parts=[Part(call.name, call.arguments, call.operation)],
        project=str(call.state.project.root),
        details=cited(decision),
    )


async def require_person(call: Call, matter: Matter) -> None:
    """Returns where a person has approved.

    Raises:
        Denied: the person said no, or nobody could be asked; then it says how a person can approve it.
    """
    if not await ask_person(call, matter):
        raise unapproved(call, matter)


async def ask_person(call: Call, matter: Matter, *, anew: bool = False) -> bool:
    """Whether a person has approved; False where nobody answered.

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
    question = matter.question()
    if question is None:
        return False
    answer = await call.client.approve(question)
    if answer is False:
        raise Denied("The person in charge said no.", hint="Do not repeat this call; ask what to do instead.")
    return answer is True


def unapproved(call: Call, matter: Matter) -> Denied:
    """The fault of a call that a person must approve, and nobody has."""
    asking = [part for part in matter.parts if part.asks and part.operation is not None]
    hints = [f"Ask the user: {', or '.join(_ways(call, asking))}."]
    if matter.question() is None:
        hints.insert(0, "It is too much to be shown in one question; make it smaller, or:")
    if call.meta.approved:
        hints.append(f"{CLAIM[:1].upper()}{CLAIM[1:]}.")
    if asking and not any(_decision(call, part, dry_run=True).needs_approval for part in asking):
        hints.append("A dry run needs no approval.")
    return Denied(
        f"'{call.name}' was not approved: {matter.reason.rstrip('.')}.",
        hint=" ".join(hints),
        details=dict(matter.details),
    )


def _ways(call: Call, asking: list[Part]) -> list[str]:
    if call.state.policy.current().approved_by == "caller":
        ways = ["repeat the call with `approved: true` in the request's metadata (--yes on the command line)"]
    else:
        ways = ["a person can make the call on a shell, `scenewright call … --yes`"]
    if asking and not any(_decision(call, part, dangerous_allowed=True).needs_approval for part in asking):
        ways.append("start the server with ALLOW_DANGEROUS_OPS=true")
    return ways


def _decision(call: Call, part: Part, **changed: bool) -> Decision:
    assert part.operation is not None
    return decide(part.operation, call, part.arguments, **changed)
