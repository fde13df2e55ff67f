"""Who may do what: the gates that are settings, and the person who is asked."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from tests.conftest import Caller, MakeCaller
from tests.core.samples import FakeClient, Named, fault_of, sample, write_new

from scenewright.core.config import Config
from scenewright.core.operations.declaration import Safety
from scenewright.core.operations.tiers import Tier
from scenewright.core.policy.gates import is_offered
from scenewright.core.projects.ownership import state_folder

pytestmark = pytest.mark.anyio

DELETE = "delete_file"
WRITE: dict[str, Any] = {"safety": Safety.SAFE_WRITE, "inputs": Named}


@pytest.fixture
def careful(make_caller: MakeCaller) -> Caller:
    """A caller of a server that asks before every deletion."""
    return make_caller(policy_rules="careful")


async def test_read_only_refuses_every_way_to_a_write(make_caller: MakeCaller, project: Path) -> None:
    (project / "a.txt").write_text("one")
    caller = make_caller(read_only=True)
    write = {"path": "b.txt", "content": ""}
    for tool, arguments in (
        ("write_file", write),
        ("project.file.write", write),
        ("project_file_write", write),
        ("project_file_manager", {"action": "write", **write}),
        ("project_file_manager", {"action": "write", "params": write}),
        ("delete_file", {"path": "a.txt"}),
        ("history.undo", {}),
        ("write_file", {"dryRun": True, **write}),
    ):
        fault = fault_of(await caller.run(tool, arguments, meta={"approved": True}))
        assert fault.kind == "denied"
        assert "read-only" in fault.message
        assert "READ_ONLY_MODE" in str(fault.hint)
    assert (await caller.run("read_file", {"path": "a.txt"})).ok
    assert (await caller.run("history", {"action": "list"})).ok


async def test_read_only_refuses_the_writes_of_a_batch_and_lets_its_reads_through(
    make_caller: MakeCaller, project: Path
) -> None:
    (project / "a.txt").write_text("one")
    items = [
        {"tool": "read_file", "args": {"path": "a.txt"}},
        {"tool": "write_file", "args": {"path": "b.txt", "content": ""}},
        {"tool": "project_file_manager", "args": {"action": "write", "path": "b.txt", "content": ""}},
    ]
    caller = make_caller(read_only=True)
    outcome = await caller.run("batch_operations", {"operations": items, "stopOnError": False})
    assert [result.success for result in outcome.call.output.results] == [True, False, False]
    assert {result.error["code"] for result in outcome.call.output.results[1:]} == {"E_PERMISSION_DENIED"}
    assert fault_of(await caller.run("batch_operations", {"operations": items, "atomic": True})).kind == "denied"
    assert not (project / "b.txt").exists()


async def test_a_tier_above_the_servers_is_refused_and_not_offered(make_caller: MakeCaller) -> None:
    higher = sample(tier=Tier.TIER2)
    for tier, allowed in ((Tier.CORE, False), (Tier.TIER1, False), (Tier.TIER2, True), (Tier.TIER4, True)):
        caller = make_caller(higher, tier=tier)
        outcome = await caller.run("test.sample")
        assert outcome.ok is allowed
        assert is_offered(higher, caller.runtime.config) is allowed
        if not allowed:
            assert "SCENEWRIGHT_TIER=tier2" in str(fault_of(outcome).hint)


async def test_what_reaches_out_of_the_process_needs_a_setting(make_caller: MakeCaller) -> None:
    reaching = sample(starts_other_programs=True)
    fault = fault_of(await make_caller(reaching).run("test.sample"))
    assert fault.kind == "denied"
    assert "ALLOW_EXTERNAL_TOOLS" in str(fault.hint)
    assert (await make_caller(reaching, allow_external=True).run("test.sample")).ok


def test_read_only_offers_what_reads() -> None:
    config = Config(read_only=True)
    assert is_offered(sample(), config)
    assert not is_offered(sample(write_new, **WRITE), config)


@pytest.mark.parametrize(
    ("safety", "dangerous", "asks"),
    [
        (Safety.READ_ONLY, False, False),
        (Safety.SAFE_WRITE, False, False),
        (Safety.DESTRUCTIVE, False, True),
        (Safety.DESTRUCTIVE, True, False),
    ],
)
async def test_by_default_only_the_destructive_needs_a_person(
    make_caller: MakeCaller, safety: Safety, dangerous: bool, asks: bool
) -> None:
    client = FakeClient(True)
    caller = make_caller(sample(safety=safety), allow_dangerous=dangerous)
    assert (await caller.run("test.sample", client=client)).ok
    assert len(client.questions) == asks


@pytest.mark.parametrize("settings", [{"policy_rules": "gox"}, {"dialect": "contract"}], ids=["pack", "dialect"])
async def test_approval_by_metadata_lets_a_call_through_where_the_policy_counts_it(
    make_caller: MakeCaller, settings: dict[str, Any]
) -> None:
    client = FakeClient(False)
    caller = make_caller(sample(safety=Safety.DESTRUCTIVE), **settings)
    assert (await caller.run("test.sample", meta={"approved": "yes"}, client=client)).ok
    assert client.questions == []
    assert not (await caller.run("test.sample", client=client)).ok


@pytest.mark.parametrize(
    ("answer", "said"), [(True, None), (False, "The person in charge said no."), (None, "was not approved")]
)
async def test_the_client_is_asked(careful: Caller, project: Path, answer: bool | None, said: str | None) -> None:
    (project / "a.txt").write_text("one")
    client = FakeClient(answer)
    outcome = await careful.run(DELETE, {"path": "a.txt"}, client=client)
    assert outcome.ok is (said is None)
    assert (project / "a.txt").exists() is (said is not None)
    if said is not None:
        assert fault_of(outcome).kind == "denied"
        assert said in fault_of(outcome).message
    (question,) = client.questions
    assert "Delete File" in question
    assert '"path": "a.txt"' in question


@pytest.mark.parametrize(("pack", "way"), [("default", "scenewright"), ("gox", "approved: true")])
async def test_the_refusal_says_how_to_approve(make_caller: MakeCaller, pack: str, way: str) -> None:
    caller = make_caller(sample(safety=Safety.DESTRUCTIVE), policy_rules=pack)
    hint = str(fault_of(await caller.run("test.sample")).hint)
    assert all(word in hint for word in (way, "ALLOW_DANGEROUS_OPS", "dry run"))
    assert ("approved: true" in hint) is (pack == "gox")


# Policies of a project


def put_in_force(project: Path, *rules: dict[str, Any], **fields: Any) -> Path:
    folder = state_folder(project)
    folder.mkdir(parents=True, exist_ok=True)
    place = folder / "policy.json"
    place.write_text(json.dumps({"version": "v1", "mode": "allow-all", "rules": rules, **fields}))
    return place


async def test_a_policy_denies_every_way_to_an_operation(caller: Caller, project: Path) -> None:
    place = put_in_force(
        project, {"name": "no-writes", "match": {"actionId": "project.file.write"}, "effect": "deny", "reason": "shut"}
    )
    write = {"path": "b.txt", "content": ""}
    for tool, arguments in (
        ("write_file", write),
        ("project.file.write", write),
        ("project_file_manager", {"action": "write", **write}),
        ("write_file", {"dryRun": True, **write}),
    ):
        fault = fault_of(await caller.run(tool, arguments, meta={"approved": True}))
        assert fault.kind == "denied"
        assert "shut" in fault.message
        assert fault.details == {"policy": str(place), "rule": "no-writes"}
    assert (await caller.run("edit_file", {"path": "none", "find": "a", "replace": "b"})).fault is not None
    assert not (project / "b.txt").exists()


async def test_a_policy_tells_actors_apart(caller: Caller, project: Path) -> None:
    put_in_force(project, {"match": {"actorPrefix": "ci-"}, "effect": "deny"})
    assert not (await caller.run("core.ping", meta={"actor": "ci-1"})).ok
    assert (await caller.run("core.ping", meta={"actor": "me"})).ok
    assert (await caller.run("core.ping")).ok


async def test_what_a_policy_wants_approved_is_asked_whatever_it_is(caller: Caller, project: Path) -> None:
    put_in_force(
        project,
        {"match": {"sideEffects": ["none"]}, "effect": "allow", "requiresApproval": True, "reason": "ask me first"},
    )
    for answer, ok in ((True, True), (False, False), (None, False)):
        client = FakeClient(answer)
        assert (await caller.run("core.ping", client=client)).ok is ok
        assert "ask me first" in client.questions[0]
        assert (await caller.run("core.ping", client=client, meta={"approved": True})).ok is ok
        assert len(client.questions) == 2


async def test_the_refusal_names_only_the_ways_out_that_there_are(caller: Caller, project: Path) -> None:
    put_in_force(project, {"match": {"sideEffects": ["write"]}, "effect": "allow", "requiresApproval": True})
    hint = str(fault_of(await caller.run(DELETE, {"path": "a.txt"})).hint)
    assert "scenewright" in hint
    assert "ALLOW_DANGEROUS_OPS" not in hint
    assert "dry run" not in hint


async def test_the_items_of_a_batch_are_under_policy_and_so_is_the_batch(caller: Caller, project: Path) -> None:
    items = [{"tool": "core.ping"}, {"tool": "write_file", "args": {"path": "b.txt", "content": ""}}]
    batch = {"operations": items, "stopOnError": False}
    put_in_force(project, {"match": {"actionPrefix": "project.file."}, "effect": "deny"})
    outcome = await caller.run("batch_operations", batch)
    assert [result.success for result in outcome.call.output.results] == [True, False]
    assert fault_of(await caller.run("batch_operations", batch | {"atomic": True})).kind == "denied"
    put_in_force(project, {"match": {"actionId": "core.batch_operations"}, "effect": "deny"})
    assert fault_of(await caller.run("batch_operations", batch)).kind == "denied"
    assert not (project / "b.txt").exists()


async def test_a_batch_passes_an_approval_only_to_the_calls_it_was_given_for(caller: Caller, project: Path) -> None:
    put_in_force(project, {"match": {"actionId": DELETE}, "effect": "allow", "requiresApproval": True})
    other = project / "inner"
    other.mkdir()
    (other / "project.godot").touch()
    put_in_force(other, {"match": {"actionId": "core.ping"}, "effect": "allow", "requiresApproval": True})
    (project / "a.txt").write_text("one")
    items = [
        {"tool": DELETE, "args": {"path": "a.txt"}},
        {"tool": "core.ping", "args": {"projectPath": str(other)}},
    ]
    client = FakeClient(True)
    outcome = await caller.run("batch_operations", {"operations": items, "stopOnError": False}, client=client)
    assert [result.success for result in outcome.call.output.results] == [True, False]
    assert "1 of them, marked with !" in client.questions[0]
    assert "2. core.ping" in client.questions[0]


async def test_each_project_has_its_own_policy_and_the_servers_comes_before_all(
    make_caller: MakeCaller, project: Path, tmp_path: Path
) -> None:
    other = tmp_path / "other"
    other.mkdir()
    (other / "project.godot").touch()
    put_in_force(other, mode="deny-by-default")
    caller = make_caller(roots=(tmp_path,))
    there = {"projectPath": str(other)}
    assert (await caller.run("core.ping")).ok
    assert not (await caller.run("core.ping", there)).ok
    assert (await make_caller(roots=(tmp_path,), policy_rules="allow-all").run("core.ping", there)).ok
    assert not (await make_caller(policy_rules="quarantine").run("core.ping")).ok


async def test_a_broken_policy_denies_everything_until_it_is_mended(caller: Caller, project: Path) -> None:
    place = put_in_force(project, {"match": {}, "effect": "alow"})
    (project / "a.txt").write_text("one")
    for tool, arguments in (("core.ping", {}), ("read_file", {"path": "a.txt"}), (DELETE, {"path": "a.txt"})):
        fault = fault_of(await caller.run(tool, arguments, meta={"approved": True}))
        assert fault.kind == "denied"
        assert str(place) in fault.message
        assert "rules[0].effect" in fault.message
    assert (project / "a.txt").exists()
    put_in_force(project)
    assert (await caller.run("core.ping")).ok


async def test_no_operation_can_change_the_policy(caller: Caller, project: Path) -> None:
    place = put_in_force(project)
    before = place.read_bytes()
    for tool, arguments in (
        ("write_file", {"path": ".scenewright/policy.json", "content": "{}"}),
        ("edit_file", {"path": ".scenewright/policy.json", "find": "v1", "replace": "v2"}),
        (DELETE, {"path": ".scenewright/policy.json"}),
        ("write_file", {"path": ".scenewright/../.scenewright/policy.json", "content": "{}"}),
    ):
        assert fault_of(await caller.run(tool, arguments, meta={"approved": True})).kind == "denied"
    assert place.read_bytes() == before
