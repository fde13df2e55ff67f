"""Policy packs, as Gox has them: rules that say who may do what, and how one of them decides.

Values in, values out: where a pack comes from is for `packs` to know.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from typing import Annotated, Literal

from scenewright.core.operations.model import Inputs, about
from scenewright.core.policy.modes import Mode

__all__ = ["Approver", "Decision", "Pack", "Policy", "Rule", "RuleMatch", "SideEffect", "Subject"]

Approver = Literal["person", "caller"]
SideEffect = Literal["none", "read", "write", "delete", "destructive", "execute"]
DENIED = "no rule allows it"


class RuleMatch(Inputs, frozen=True, kw_only=True):
    """Which calls a rule is about; what is left out matches anything."""

    actor: Annotated[str, about("Exactly this actor.", min_length=1)] | None = None
    actor_prefix: Annotated[str, about("Actors whose name begins so.", min_length=1)] | None = None
    action_id: Annotated[str, about("Exactly this operation, by id or tool name.", min_length=1)] | None = None
    action_prefix: Annotated[str, about("Operations whose id begins so, such as 'godot.'.", min_length=1)] | None = None
    side_effects: (
        Annotated[
            list[SideEffect],
            about(
                "Any of these; what deletes or is destructive is also a write, and what runs project code is not a "
                "read. Empty matches anything."
            ),
        ]
        | None
    ) = None
    dry_run: Annotated[bool, about("Only dry runs, or only what is not one.")] | None = None
    dangerous_allowed: (
        Annotated[bool, about("Whether the server was started with ALLOW_DANGEROUS_OPS=true.")] | None
    ) = None

    def mismatch(self, subject: Subject) -> str | None:
        """Return the first condition that does not hold, or None where the rule matches."""
        return next(self._unmet(subject), None)

    def _unmet(self, subject: Subject) -> Iterator[str]:
        actor = subject.actor or ""
        if self.actor is not None and actor != self.actor:
            yield "actor"
        if self.actor_prefix is not None and not actor.startswith(self.actor_prefix):
            yield "actorPrefix"
        if self.action_id is not None and self.action_id not in subject.names:
            yield "actionId"
        if self.action_prefix is not None and not subject.action.startswith(self.action_prefix):
            yield "actionPrefix"
        if self.side_effects and subject.side_effects.isdisjoint(self.side_effects):
            yield "sideEffects"
        if self.dry_run not in (None, subject.dry_run):
            yield "dryRun"
        if self.dangerous_allowed not in (None, subject.dangerous_allowed):
            yield "dangerousAllowed"

    def covers(self, other: RuleMatch) -> bool:
        """Return whether every call that the other matches is matched by this one."""
        return all(
            (
                self.actor in (None, other.actor),
                _any_begins(self.actor_prefix, other.actor, other.actor_prefix),
                self.action_id in (None, other.action_id),
                _any_begins(self.action_prefix, other.action_id, other.action_prefix),
                not self.side_effects
                or bool(other.side_effects and set(other.side_effects) <= self._covered_effects()),
                self.dry_run in (None, other.dry_run),
                self.dangerous_allowed in (None, other.dangerous_allowed),
            )
        )

    def _covered_effects(self) -> set[SideEffect]:
        wanted = set(self.side_effects or ())
        return wanted | {"delete", "destructive"} if "write" in wanted else wanted


class Rule(Inputs, frozen=True, kw_only=True):
    """What becomes of the calls it matches."""

    match: Annotated[RuleMatch, about("Which calls it is about; all conditions must hold, and none means every call.")]
    effect: Annotated[Literal["allow", "deny"], about("What becomes of them.")]
    name: Annotated[str, about("What it is called where it decides.")] | None = None
    reason: Annotated[str, about("Why; part of every refusal.")] | None = None
    requires_approval: Annotated[bool, about("Allowed only once a person has approved the call.")] = False
    priority: Annotated[int, about("Rules with more come first; among equals, the one written first.")] = 0


class Pack(Inputs, frozen=True, kw_only=True):
    """A whole policy."""

    version: Annotated[Literal["v1"], about("Version of this format.")]
    rules: Annotated[list[Rule], about("The rules; the first that matches decides.")]
    mode: Annotated[Mode, about("What becomes of a call that no rule matches; default: deny-by-default.")] | None = None
    default_deny_reason: Annotated[str, about("Why a call is denied, where no rule says it.", min_length=1)] | None = (
        None
    )
    approved_by: (
        Annotated[
            Approver,
            about(
                "Whose approval counts: a person's, or also a caller's own `approved: true`. Default: person; in the"
                " contract dialect, caller. A project's own file cannot say caller."
            ),
        ]
        | None
    ) = None
    description: Annotated[str, about("What the pack is for, for those who read it.")] | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Subject:
    """A call as rules see it."""

    action: str  # the operation's id
    names: frozenset[str]  # that id and every other name of the operation
    side_effects: frozenset[SideEffect]
    actor: str | None = None
    dry_run: bool = False
    dangerous_allowed: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Decision:
    """What a policy says of a call, and by which rule; without one, by the pack's mode."""

    allowed: bool
    needs_approval: bool = False
    reason: str
    policy: str
    rule: str | None = None

    @property
    def strictness(self) -> int:
        """Denied is stricter than approved by a person, and that than allowed."""
        return 2 if not self.allowed else int(self.needs_approval)


@dataclass(frozen=True, slots=True)
class Policy:
    """A pack in force: its name, or the file it came from."""

    name: str
    pack: Pack
    fallback: Mode = "deny-by-default"
    approved_by: Approver = "person"
    broken: str | None = None  # why the file cannot be used; then nothing is allowed
    limit: Policy | None = None  # what a project brought, or the one around it: it may forbid and ask, never allow
    ordered: tuple[tuple[str, Rule], ...] = field(init=False)

    def __post_init__(self) -> None:
        named = [(rule.name or f"rules[{index}]", rule) for index, rule in enumerate(self.pack.rules)]
        object.__setattr__(self, "ordered", tuple(sorted(named, key=lambda entry: -entry[1].priority)))

    @classmethod
    def unusable(cls, name: str, problem: str) -> Policy:
        """Return the policy of a file that cannot be used: it denies everything and says why."""
        return cls(name, Pack(version="v1", rules=[]), broken=problem)

    @property
    def mode(self) -> Mode:
        return self.pack.mode or self.fallback

    def decide(self, subject: Subject) -> Decision:
        """Return the decision of the first rule that matches, in order of priority; with a limit, the stricter
        of both.
        """
        own = self._decide(subject)
        other = self.limit.decide(subject) if self.limit is not None else own
        return other if other.strictness > own.strictness else own

    def deciding(self, subject: Subject) -> Policy:
        """Return the policy that the decision is taken from: this one, or its limit."""
        if self.limit is None or self._decide(subject) == self.decide(subject):
            return self
        return self.limit.deciding(subject)

    def within(self, outer: Policy) -> Policy:
        """This policy, made stricter by another and all that limits it."""
        limit = outer if self.limit is None else self.limit.within(outer)
        whose: Approver = "person" if "person" in (self.approved_by, outer.approved_by) else "caller"
        return replace(self, limit=limit, approved_by=whose)

    def _decide(self, subject: Subject) -> Decision:
        if self.broken is not None:
            reason = f"the policy in {self.name} cannot be used ({self.broken}), so every call is denied"
            return Decision(allowed=False, reason=reason, policy=self.name)
        for name, rule in self.ordered:
            if rule.match.mismatch(subject) is None:
                return self._decide_by_rule(name, rule)
        if self.mode == "allow-all":
            return Decision(allowed=True, reason="the policy allows what no rule denies", policy=self.name)
        return Decision(allowed=False, reason=self.pack.default_deny_reason or DENIED, policy=self.name)

    def _decide_by_rule(self, name: str, rule: Rule) -> Decision:
        if rule.effect == "deny":
            reason = rule.reason or self.pack.default_deny_reason or f"rule '{name}' denies it"
            return Decision(allowed=False, reason=reason, policy=self.name, rule=name)
        verb = "wants a person's approval" if rule.requires_approval else "allows it"
        return Decision(
            allowed=True,
            needs_approval=rule.requires_approval,
            reason=rule.reason or f"rule '{name}' {verb}",
            policy=self.name,
            rule=name,
        )


def _any_begins(prefix: str | None, *values: str | None) -> bool:
    return prefix is None or any(value is not None and value.startswith(prefix) for value in values)
