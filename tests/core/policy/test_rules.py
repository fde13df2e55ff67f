"""Which rule of a pack decides."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from scenewright.core.policy.rules import Pack, Policy, Rule, RuleMatch, Subject

READ = Subject(
    action="godot.node.get", names=frozenset(("godot.node.get", "get_node")), side_effects=frozenset({"read"})
)
WIPE = Subject(
    action="project.file.delete",
    names=frozenset(("project.file.delete", "delete_file")),
    side_effects=frozenset({"write", "destructive"}),
    actor="ci-7",
)


def rule(effect: str = "deny", *, match: dict[str, Any] | None = None, **fields: Any) -> Rule:
    return msgspec.convert({"match": match or {}, "effect": effect} | fields, Rule)


def policy(*rules: Rule, **fields: Any) -> Policy:
    return Policy("test", Pack(version="v1", rules=list(rules), **fields))


@pytest.mark.parametrize(
    ("match", "reads", "wipes"),
    [
        ({}, True, True),
        ({"actor": "ci-7"}, False, True),
        ({"actor": "ci"}, False, False),
        ({"actorPrefix": "ci-"}, False, True),
        ({"actorPrefix": "CI"}, False, False),
        ({"actionId": "project.file.delete"}, False, True),
        ({"actionId": "delete_file"}, False, True),
        ({"actionId": "project.file"}, False, False),
        ({"actionPrefix": "godot."}, True, False),
        ({"actionPrefix": "delete"}, False, False),
        ({"sideEffects": ["read"]}, True, False),
        ({"sideEffects": ["none"]}, False, False),
        ({"sideEffects": ["none", "read"]}, True, False),
        ({"sideEffects": ["write"]}, False, True),
        ({"sideEffects": ["destructive"]}, False, True),
        ({"sideEffects": []}, True, True),
        ({"dryRun": False}, True, True),
        ({"dryRun": True}, False, False),
        ({"dangerousAllowed": False}, True, True),
        ({"dangerousAllowed": True}, False, False),
        ({"actorPrefix": "ci", "actionPrefix": "godot."}, False, False),
        ({"actorPrefix": "ci", "actionPrefix": "project.", "sideEffects": ["write"], "dryRun": False}, False, True),
    ],
)
def test_a_rule_matches_where_all_its_conditions_hold(match: dict[str, Any], reads: bool, wipes: bool) -> None:
    decides = policy(rule("deny", match=match), mode="allow-all")
    assert (not decides.decide(READ).allowed, not decides.decide(WIPE).allowed) == (reads, wipes)


def test_the_highest_priority_decides_and_among_equals_the_first() -> None:
    rules = (
        rule("allow", name="low", priority=-1),
        rule("deny", name="first"),
        rule("allow", name="second"),
        rule("allow", name="high", priority=9, requiresApproval=True, match={"dryRun": True}),
    )
    assert policy(*rules).decide(READ).rule == "first"
    dry = policy(*rules).decide(replace(READ, dry_run=True))
    assert (dry.rule, dry.allowed, dry.needs_approval) == ("high", True, True)


@pytest.mark.parametrize(("mode", "allowed"), [("allow-all", True), ("deny-by-default", False), (None, False)])
def test_what_no_rule_matches_is_up_to_the_mode(mode: Any, allowed: bool) -> None:
    decision = policy(rule("allow", match={"actor": "nobody"}), mode=mode).decide(READ)
    assert decision.allowed is allowed
    assert decision.rule is None
    assert Policy("test", Pack(version="v1", rules=[], mode=mode), "allow-all").decide(READ).allowed is (
        mode != "deny-by-default"
    )


def test_a_denial_says_why_in_the_words_of_the_pack() -> None:
    silent, spoken = rule(name="silent"), rule(name="spoken", reason="because")
    assert policy(spoken).decide(READ).reason == "because"
    assert policy(silent, default_deny_reason="not here").decide(READ).reason == "not here"
    assert policy(default_deny_reason="not here").decide(READ).reason == "not here"
    assert "silent" in policy(silent).decide(READ).reason
    assert policy(rule()).decide(READ).rule == "rules[0]"


def test_a_policy_that_cannot_be_used_denies_everything_and_says_why() -> None:
    decision = Policy.unusable("/etc/p.json", "it is not valid JSON").decide(READ)
    assert not decision.allowed
    assert "/etc/p.json" in decision.reason
    assert "it is not valid JSON" in decision.reason


# Properties over any pack and any call

NAMES = st.sampled_from(["ci", "ci-7", "me"])
ACTIONS = st.sampled_from(["core.ping", "core.batch", "godot.node.add", "project.file.delete"])
PREFIXES = st.sampled_from(["core.", "godot.", "project.file", "c"])
EFFECTS = st.lists(st.sampled_from(["none", "read", "write", "destructive"]), unique=True)
MATCHES = st.fixed_dictionaries(
    {},
    optional={
        "actor": NAMES,
        "actorPrefix": st.sampled_from(["c", "ci-"]),
        "actionId": ACTIONS,
        "actionPrefix": PREFIXES,
        "sideEffects": EFFECTS,
        "dryRun": st.booleans(),
        "dangerousAllowed": st.booleans(),
    },
)
RULES = st.builds(
    lambda **fields: msgspec.convert(fields, Rule),
    match=MATCHES,
    effect=st.sampled_from(["allow", "deny"]),
    requiresApproval=st.booleans(),
    priority=st.integers(-3, 3),
    reason=st.sampled_from(["a", "b"]),
)
SUBJECTS = st.builds(
    lambda action, effects, **fields: Subject(
        action=action, names=frozenset((action,)), side_effects=frozenset(effects), **fields
    ),
    ACTIONS,
    st.sampled_from([("none",), ("read",), ("write",), ("write", "destructive")]),
    actor=st.none() | NAMES,
    dry_run=st.booleans(),
    dangerous_allowed=st.booleans(),
)
LISTS = st.lists(RULES, max_size=6)


def verdict(rules: list[Rule], subject: Subject, mode: Any = "deny-by-default") -> tuple[bool, bool, str]:
    decision = policy(*rules, mode=mode).decide(subject)
    return decision.allowed, decision.needs_approval, decision.reason


@given(LISTS, RULES, SUBJECTS)
def test_a_rule_of_lower_priority_changes_no_decision_that_a_rule_made(
    rules: list[Rule], added: Rule, subject: Subject
) -> None:
    before = policy(*rules).decide(subject)
    lowest = min((each.priority for each in rules), default=0) - 1
    lower = msgspec.structs.replace(added, priority=lowest)
    if before.rule is not None:
        assert verdict([lower, *rules], subject) == verdict(rules, subject)


@given(LISTS, RULES, SUBJECTS)
def test_a_rule_that_does_not_match_changes_nothing(rules: list[Rule], added: Rule, subject: Subject) -> None:
    if added.match.mismatch(subject) is not None:
        for mode in ("allow-all", "deny-by-default"):
            assert verdict([added, *rules], subject, mode) == verdict(rules, subject, mode)


@given(LISTS, SUBJECTS)
def test_a_rule_for_everything_on_top_decides_everything(rules: list[Rule], subject: Subject) -> None:
    assert verdict([*rules, rule("deny", priority=9, reason="stop")], subject) == (False, False, "stop")


@given(LISTS, SUBJECTS)
def test_the_order_of_rules_with_different_priorities_does_not_matter(rules: list[Rule], subject: Subject) -> None:
    ranked = [msgspec.structs.replace(each, priority=index) for index, each in enumerate(rules)]
    assert verdict(ranked, subject) == verdict(ranked[::-1], subject)


@given(LISTS, SUBJECTS)
def test_denying_by_default_never_allows_more(rules: list[Rule], subject: Subject) -> None:
    if policy(*rules, mode="deny-by-default").decide(subject).allowed:
        assert verdict(rules, subject) == verdict(rules, subject, "allow-all")


@given(MATCHES, MATCHES, SUBJECTS)
def test_a_rule_that_covers_another_matches_all_that_it_matches(
    one: dict[str, Any], other: dict[str, Any], subject: Subject
) -> None:
    wide, narrow = msgspec.convert(one, RuleMatch), msgspec.convert(other, RuleMatch)
    assert wide.covers(wide)
    if wide.covers(narrow) and narrow.mismatch(subject) is None:
        assert wide.mismatch(subject) is None
