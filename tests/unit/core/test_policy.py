"""Who may do what: the gates that are settings, and the person who is asked."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from tests.conftest import Caller, MakeCaller
from tests.unit.core.samples import FakeClient, Named, fault_of, sample, write_new

from scenewright.core.config import Config
from scenewright.core.operation import Safety, Tier
from scenewright.core.policy import decide, is_offered

pytestmark = pytest.mark.anyio

DELETE = "delete_file"
WRITE: dict[str, Any] = {"safety": Safety.SAFE_WRITE, "inputs": Named}


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
    reaching = sample(external=True)
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
def test_only_the_destructive_needs_a_person(safety: Safety, dangerous: bool, asks: bool) -> None:
    decision = decide(sample(safety=safety), Config(allow_dangerous=dangerous))
    assert decision.allowed
    assert decision.needs_approval is asks
    assert decision.reason


async def test_approval_by_metadata_lets_a_destructive_call_through(caller: Caller, project: Path) -> None:
    (project / "a.txt").write_text("one")
    client = FakeClient(False)
    assert (await caller.run(DELETE, {"path": "a.txt"}, meta={"approved": "yes"}, client=client)).ok
    assert not (project / "a.txt").exists()
    assert client.questions == []


@pytest.mark.parametrize(
    ("answer", "said"), [(True, None), (False, "The person in charge said no."), (None, "was not approved")]
)
async def test_the_client_is_asked(caller: Caller, project: Path, answer: bool | None, said: str | None) -> None:
    (project / "a.txt").write_text("one")
    client = FakeClient(answer)
    outcome = await caller.run(DELETE, {"path": "a.txt"}, client=client)
    assert outcome.ok is (said is None)
    assert (project / "a.txt").exists() is (said is not None)
    if said is not None:
        assert fault_of(outcome).kind == "denied"
        assert said in fault_of(outcome).message
    (question,) = client.questions
    assert "Delete File" in question
    assert '"path": "a.txt"' in question


async def test_the_refusal_says_how_to_approve(caller: Caller) -> None:
    hint = str(fault_of(await caller.run(DELETE, {"path": "a.txt"})).hint)
    assert all(word in hint for word in ("approved: true", "--yes", "ALLOW_DANGEROUS_OPS", "dry run"))


async def test_a_setting_makes_approval_needless(make_caller: MakeCaller, project: Path) -> None:
    (project / "a.txt").write_text("one")
    client = FakeClient(False)
    assert (await make_caller(allow_dangerous=True).run(DELETE, {"path": "a.txt"}, client=client)).ok
    assert client.questions == []


async def test_a_long_question_is_cut(caller: Caller) -> None:
    client = FakeClient(False)
    await caller.run(DELETE, {"path": "x" * 1000}, client=client)
    assert len(client.questions[0]) < 800
