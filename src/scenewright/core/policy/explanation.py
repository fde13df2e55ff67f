"""Why the policy decides a call as it does, and what a pack probably does not mean."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal

from scenewright.core.calls.arguments import merge_params, take_dry_run, take_project_path, take_timeout
from scenewright.core.calls.call import Call, Meta, Request
from scenewright.core.calls.pipeline import read_metadata, resolve
from scenewright.core.faults import Denied, did_you_mean
from scenewright.core.operations.model import Record
from scenewright.core.policy.gates import pass_gates_of, subject_of
from scenewright.core.policy.rules import Pack, Policy, Rule, RuleMatch, Subject
from scenewright.core.runtime import Runtime

__all__ = ["Considered", "Explanation", "advice", "explain"]


class Considered(Record, frozen=True, kw_only=True):
    """A rule that was looked at, up to and with the one that decides."""

    rule: str
    effect: str
    priority: int
    matches: bool
    because: str


class Explanation(Record, frozen=True, kw_only=True):
    """The decision over a call, and the way to it."""

    tool: str
    operation: str
    side_effects: list[str]
    dry_run: bool
    decision: Literal["allow", "approve", "deny"]
    reason: str
    policy: str
    considered: list[Considered]
    mode: str
    actor: str | None = None
    rule: str | None = None
    gate: str | None = None
    runs_others: bool = False


async def explain(runtime: Runtime, request: Request) -> Explanation:
    """Return what the policy would say of a request, without running it.

    Raises:
        Fault: there is no such tool or project, or the metadata is wrong.
    """
    call = Call(request=request, runtime=runtime, state=runtime.state, meta=Meta.identified(request.meta))
    await resolve(call)
    await read_metadata(call)
    if call.action is not None:
        merge_params(call)
    take_dry_run(call)
    take_timeout(call)
    call.state = runtime.state_for(take_project_path(call))
    operation, policy = call.operation, call.state.policy.current()
    subject = subject_of(operation, call.arguments, call.meta, runtime.config)
    decision, policy = policy.decide(subject), policy.deciding(subject)
    return Explanation(
        tool=call.name,
        operation=operation.id,
        side_effects=sorted(subject.side_effects),
        dry_run=call.dry_run,
        actor=call.meta.actor,
        decision="approve" if decision.needs_approval else "allow" if decision.allowed else "deny",
        rule=decision.rule,
        reason=decision.reason,
        policy=decision.policy,
        mode=policy.mode,
        considered=list(_considered_rules(policy, subject)),
        gate=_gate(call),
        runs_others=operation.runs_others,
    )


def _considered_rules(policy: Policy, subject: Subject) -> Iterator[Considered]:
    for name, rule in policy.ordered:
        unmet = rule.match.mismatch(subject)
        yield Considered(
            rule=name,
            effect="approve" if rule.effect == "allow" and rule.requires_approval else rule.effect,
            priority=rule.priority,
            matches=unmet is None,
            because=_explain_rule(rule, unmet, subject),
        )
        if unmet is None:
            return


def _explain_rule(rule: Rule, unmet: str | None, subject: Subject) -> str:
    if unmet is None:
        return "every condition holds" if rule.match != RuleMatch() else "it has no conditions"
    wanted: dict[str, tuple[object, object]] = {
        "actor": (rule.match.actor, subject.actor),
        "actorPrefix": (rule.match.actor_prefix, subject.actor),
        "actionId": (rule.match.action_id, subject.action),
        "actionPrefix": (rule.match.action_prefix, subject.action),
        "sideEffects": (" or ".join(rule.match.side_effects or ()), " and ".join(sorted(subject.side_effects))),
        "dryRun": (rule.match.dry_run, subject.dry_run),
        "dangerousAllowed": (rule.match.dangerous_allowed, subject.dangerous_allowed),
    }
    want, have = wanted[unmet]
    return f"{unmet} must be {_show_value(want)} and is {_show_value(have)}"


def _show_value(value: object) -> str:
    return str(value).lower() if isinstance(value, bool) else "not given" if value is None else str(value)


def _gate(call: Call) -> str | None:
    try:
        pass_gates_of(call, call.operation)
    except Denied as denied:
        return f"{denied.message} {denied.hint or ''}".strip()
    return None


def advice(pack: Pack, names: frozenset[str]) -> Iterator[str]:
    """Yield what a valid pack probably does not mean: rules that never decide, operations that are not there."""
    policy = Policy("", pack)
    for place, (name, rule) in enumerate(policy.ordered):
        before = next((other for other, earlier in policy.ordered[:place] if earlier.match.covers(rule.match)), None)
        if before is not None:
            yield f"'{name}' never decides: '{before}' comes first and matches all that it matches."
        if rule.requires_approval and rule.effect == "deny":
            yield f"'{name}': requiresApproval means nothing where the effect is deny."
        yield from _unknown_operations(name, rule.match, names)


def _unknown_operations(name: str, match: RuleMatch, names: frozenset[str]) -> Iterator[str]:
    if match.action_id is not None and match.action_id not in names:
        hint = did_you_mean(match.action_id, sorted(names)) or ""
        yield f"'{name}': there is no operation '{match.action_id}' here. {hint}".rstrip()
    prefix = match.action_prefix
    if prefix is not None and not any(known.startswith(prefix) for known in names):
        yield f"'{name}': no operation here has an id that begins with '{prefix}'."
