"""How a checked definition becomes a plan: who asks, and what a person has approved or still must."""

from __future__ import annotations

from scenewright.core.call import Call
from scenewright.core.policy import ask_person
from scenewright.workflow.checking import Checked
from scenewright.workflow.plan import Plan

__all__ = ["accepted"]

MAX_NAMED = 5


async def accepted(call: Call, checked: Checked, *, ask: bool = True) -> Plan:
    """The plan of a run that this call starts.

    A client that can ask a person is asked at once, for all steps that need it. Where it cannot, the run waits at the
    first of them.

    Raises:
        Denied: the person said no.
    """
    everyone = [step.id or "" for group in checked.groups for step in group]
    risky = list(checked.needs_approval)
    asked = bool(risky) and ask and not call.meta.approved and await ask_person(call, _question(checked))
    # Nothing more than what a person has seen: a policy that changes before a step begins is asked anew.
    approved = everyone if call.meta.approved else risky if asked else []
    return Plan(
        definition=checked.definition,
        correlation_id=call.meta.correlation_id,
        actor=call.meta.actor,
        project_path=call.project_path,
        dry_run=call.dry_run,
        approved=approved,
        waits=[name for name in risky if name not in approved],
    )


def _question(checked: Checked) -> str:
    risky = checked.needs_approval
    steps = {step.id: step for group in checked.groups for step in group}
    named = ", ".join(f"{name} ({steps[name].action_id})" for name in risky[:MAX_NAMED])
    more = f" and {len(risky) - MAX_NAMED} more" if len(risky) > MAX_NAMED else ""
    return f"Allow these steps of the workflow '{checked.definition.id}'? {named}{more}"
