"""Whether a call may run code of its project: what the operation says, the server's settings, the policy, and whose
project it is.

Whatever starts a process on a project, or hands it a script, takes a `Permit`, which only `permit_execution` gives: an
operation that forgot to say that it executes is refused there.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from scenewright.core.calls.call import Call
from scenewright.core.faults import Denied
from scenewright.core.policy.approval import ask_person, require_person, unapproved, way_to_approve
from scenewright.core.policy.approval_subject import ApprovalItem, Matter
from scenewright.core.policy.gates import (
    cited,
    decide,
    forbidden_by_project,
    not_run_here,
    refusal,
    settings_of,
    subject_of,
)
from scenewright.core.policy.rules import Decision

__all__ = ["Permit", "may_run_in_dry_run", "permit_execution"]


@dataclass(frozen=True, slots=True)
class Permit:
    """Leave to run code of a project."""

    operation: str  # the id of the operation that got it


async def permit_execution(call: Call) -> Permit:
    """Make sure that a call may run code of its project, asking a person where nobody named the project.

    Raises:
        Denied: it may not.
    """
    operation = call.operation
    if not (operation.may_execute or call.follows_up):
        raise Denied(
            f"'{operation.flat_name}' does not declare that it runs code, so none was run.",
            hint="This is a bug in scenewright; please report it.",
        )
    if not call.runtime.config.may_run:
        raise not_run_here(operation)
    if not settings_of(call).may_run:
        raise forbidden_by_project(operation)
    if operation.executes != "always":  # of the others the policy was asked with the call
        await _ask_policy(call)
    await _ask_for_trust(call)
    return Permit(operation.id)


def may_run_in_dry_run(call: Call) -> bool:
    """Return whether a dry run may run code of the project, of which it then keeps nothing.

    What changes nothing is allowed to more than what runs code, so that the policy is asked as of a real run.
    """
    real = subject_of(call.operation, call.arguments, replace(call.meta, dry_run=False), settings_of(call))
    decision = call.state.policy.current().decide(replace(real, side_effects=frozenset(("execute",))))
    if decision.needs_approval:
        return decide(call.operation, call, call.arguments).needs_approval  # then a person was asked about this call
    return decision.allowed


async def _ask_policy(call: Call) -> None:
    subject = subject_of(call.operation, call.arguments, call.meta, settings_of(call))
    decision = call.state.policy.current().decide(replace(subject, side_effects=frozenset(("execute",))))
    if not decision.allowed:
        raise refusal(call.name, decision)
    if not decision.needs_approval:
        return
    matter = _approval_matter(call, f"Allow '{call.name}' to run code of the project", decision)
    if call.follows_up:
        raise unapproved(call, matter)
    await require_person(call, matter)


async def _ask_for_trust(call: Call) -> None:
    """A project that a person named is trusted; of another a person is asked once, for as long as this process runs."""
    state = call.state
    if state.named or state.trusted_to_run:
        return
    root = state.project.root
    matter = _approval_matter(call, f"Run code of the project {str(root)!r}")
    if not call.follows_up and await ask_person(call, matter, anew=True):
        state.trusted_to_run = True
        return
    raise Denied(
        f"The project {str(root)!r} was named only by this call, so its code is not run.",
        hint=f"A person can start the server with --project {root}. {way_to_approve(call, matter)}.",
        details={"project": str(root)},
    )


def _approval_matter(call: Call, title: str, decision: Decision | None = None) -> Matter:
    return Matter(
        title=title,
        reason=decision.reason if decision else "no one named it when the server was started",
        parts=[ApprovalItem(call.name, call.arguments)],
        project=str(call.state.project.root),
        details=cited(decision) if decision else {},
    )
