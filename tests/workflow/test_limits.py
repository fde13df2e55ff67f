"""How many runs are carried out at once, how many wait, and which are kept."""

from __future__ import annotations

import sqlite3
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import anyio
import anyio.to_thread
import pytest
from tests.conftest import Caller, MakeCaller
from tests.core.samples import FakeClient
from tests.workflow.conftest import Probe, ask

from scenewright.core.config import Config, WorkflowLimits
from scenewright.workflow.engines import engine_of

pytestmark = pytest.mark.anyio


@pytest.fixture
def own() -> Probe:
    return Probe()


async def test_runs_over_the_limit_wait_and_can_be_cancelled_before_they_begin(
    make_caller: MakeCaller, own: Probe
) -> None:
    caller = make_caller(*own.operations(), workflow=WorkflowLimits(max_concurrent_runs=2))
    hold = {"id": "h", "steps": [{"actionId": "core.hold"}]}
    runs = [await ask(caller, "workflow.run", definition=hold) for _ in range(4)]
    with anyio.fail_after(20):
        while own.at_once < 2:
            await anyio.sleep(0.01)
    states = [await ask(caller, "workflow.status", runId=each["runId"]) for each in runs]
    assert sorted(each["phase"] for each in states) == ["executing", "executing", "queued", "queued"]
    queued = [each["runId"] for each in states if each["phase"] == "queued"]
    await ask(caller, "workflow.cancel", runId=queued[0])
    own.released.set()
    ended = [await ask(caller, "workflow.status", runId=each["runId"], waitMs=20_000) for each in runs]
    assert {each["runId"]: each["status"] for each in ended} == {
        each["runId"]: "canceled" if each["runId"] == queued[0] else "succeeded" for each in runs
    }
    assert own.most_at_once == 2


async def test_a_sqlite_that_is_too_old_is_refused_at_once(
    make_caller: MakeCaller, own: Probe, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sqlite3, "sqlite_version", "3.41.2")
    monkeypatch.setattr(sqlite3, "sqlite_version_info", (3, 41, 2))
    monkeypatch.setattr(sys, "version_info", (3, 12, 0, "final", 0))
    caller = make_caller(*own.operations())
    outcome = await caller.run("workflow.run", {"definition": {"id": "h", "steps": [{"actionId": "core.hold"}]}})
    assert outcome.fault is not None
    assert outcome.fault.message == "SQLite 3.41.2 is too old for workflows on this Python."
    assert "PostgreSQL by SCENEWRIGHT_DATABASE_URL" in (outcome.fault.hint or "")


async def test_a_full_queue_denies_further_runs(make_caller: MakeCaller, own: Probe) -> None:
    caller = make_caller(*own.operations(), workflow=WorkflowLimits(max_concurrent_runs=1, max_queued_runs=1))
    hold = {"definition": {"id": "h", "steps": [{"actionId": "core.hold"}]}}
    first = await ask(caller, "workflow.run", **hold)
    await ask(caller, "workflow.run", **hold)
    reply = await caller.reply("workflow.run", hold)
    assert reply.error is not None
    assert (reply.error.code, reply.error.data["code"]) == (-32043, "ACCESS_DENIED")
    own.released.set()
    assert (await ask(caller, "workflow.status", runId=first["runId"], waitMs=20_000))["status"] == "succeeded"


async def phase_of(caller: Caller, run_id: str, phase: str) -> None:
    with anyio.fail_after(30):
        while (await ask(caller, "workflow.status", runId=run_id)).get("phase") != phase:
            await anyio.sleep(0.05)


async def test_a_run_that_waits_for_a_person_lets_others_through_and_then_waits_for_its_turn(
    make_caller: MakeCaller, own: Probe, project: Path
) -> None:
    caller = make_caller(*own.operations(), workflow=WorkflowLimits(max_concurrent_runs=1), policy_rules="careful")
    for name in ("a.txt", "b.txt"):
        (project / name).touch()
    delete = [{"id": name[0], "actionId": "delete_file", "input": {"path": name}} for name in ("a.txt", "b.txt")]
    asking = (await ask(caller, "workflow.run", definition={"id": "d", "steps": delete}))["runId"]
    await phase_of(caller, asking, "waiting")
    hold = {"id": "h", "steps": [{"actionId": "core.hold"}]}
    holding = (await ask(caller, "workflow.run", definition=hold))["runId"]
    with anyio.fail_after(30):
        await own.begun.wait()
    assert (await caller.run("workflow.approve", {"runId": asking}, client=FakeClient(True))).ok
    await phase_of(caller, asking, "queued")
    assert (project / "a.txt").exists()  # there is one slot, and the other run has it
    own.released.set()
    assert (await ask(caller, "workflow.status", runId=holding, waitMs=20_000))["status"] == "succeeded"
    await phase_of(caller, asking, "waiting")  # over the second file
    assert (await caller.run("workflow.approve", {"runId": asking}, client=FakeClient(True))).ok
    ended = await ask(caller, "workflow.status", runId=asking, waitMs=20_000)
    assert (ended["status"], ended["completedSteps"]) == ("succeeded", 2)
    assert [(project / name).exists() for name in ("a.txt", "b.txt")] == [False, False]


async def test_a_run_that_waits_for_its_turn_again_can_be_cancelled(
    make_caller: MakeCaller, own: Probe, project: Path
) -> None:
    caller = make_caller(*own.operations(), workflow=WorkflowLimits(max_concurrent_runs=1), policy_rules="careful")
    (project / "a.txt").touch()
    delete = {"id": "d", "steps": [{"actionId": "delete_file", "input": {"path": "a.txt"}}]}
    asking = (await ask(caller, "workflow.run", definition=delete))["runId"]
    await phase_of(caller, asking, "waiting")
    await ask(caller, "workflow.run", definition={"id": "h", "steps": [{"actionId": "core.hold"}]})
    with anyio.fail_after(30):
        await own.begun.wait()
    assert (await caller.run("workflow.approve", {"runId": asking}, client=FakeClient(True))).ok
    await phase_of(caller, asking, "queued")
    await ask(caller, "workflow.cancel", runId=asking)
    assert (await ask(caller, "workflow.status", runId=asking, waitMs=20_000))["status"] == "canceled"
    assert (project / "a.txt").exists()
    own.released.set()


BATCH = {"actionId": "batch_operations", "input": {"operations": [{"tool": "core.hold"}]}}


@pytest.mark.parametrize("step", [{"actionId": "core.hold"}, BATCH], ids=["itself", "in_a_batch"])
async def test_runs_that_need_an_editor_have_it_one_after_the_other(
    make_caller: MakeCaller, own: Probe, step: dict[str, Any]
) -> None:
    operations = [replace(each, requires_bridge=each.id == "core.hold") for each in own.operations()]
    caller = make_caller(*operations)
    hold = {"id": "h", "steps": [step]}
    runs = [await ask(caller, "workflow.run", definition=hold) for _ in range(3)]
    with anyio.fail_after(20):
        await own.begun.wait()
    # Whoever needs no editor is carried out meanwhile, and so would be those two if they were among them.
    ping = {"id": "p", "steps": [{"actionId": "core.ping"}]}
    assert (await ask(caller, "workflow.run", definition=ping, waitMs=20_000))["status"] == "succeeded"
    own.released.set()
    ended = [await ask(caller, "workflow.status", runId=each["runId"], waitMs=20_000) for each in runs]
    assert {each["status"] for each in ended} == {"succeeded"}
    assert own.most_at_once == 1


async def test_ended_runs_beyond_the_number_to_keep_are_dropped_the_oldest_first(make_caller: MakeCaller) -> None:
    caller = make_caller(workflow=WorkflowLimits(retention_runs=2))
    ping = {"id": "p", "steps": [{"actionId": "core.ping"}]}
    runs = [await ask(caller, "workflow.run", definition=ping, waitMs=20_000) for _ in range(4)]
    store = await engine_of(caller.runtime).started()
    await anyio.to_thread.run_sync(store.prune)
    left = await ask(caller, "workflow.list")
    assert [each["runId"] for each in left["runs"]] == [runs[3]["runId"], runs[2]["runId"]]


async def test_ended_runs_that_are_too_old_are_dropped(make_caller: MakeCaller) -> None:
    caller = make_caller(workflow=WorkflowLimits(retention_ttl=-5))
    await ask(caller, "workflow.run", definition={"id": "p", "steps": [{"actionId": "core.ping"}]}, waitMs=20_000)
    store = await engine_of(caller.runtime).started()
    await anyio.to_thread.run_sync(store.prune)
    assert await ask(caller, "workflow.list") == {"runs": []}


def test_the_limits_are_those_of_the_environment() -> None:
    names = {
        "GOX_WORKFLOW_MAX_CONCURRENT_RUNS": "max_concurrent_runs",
        "GOX_WORKFLOW_MAX_STEPS": "max_steps",
        "GOX_WORKFLOW_MAX_LOGS_PER_RUN": "max_logs",
        "GOX_WORKFLOW_DEFAULT_STEP_TIMEOUT_SECONDS": "step_timeout",
        "GOX_WORKFLOW_MAX_STEP_TIMEOUT_SECONDS": "max_step_timeout",
        "GOX_WORKFLOW_MAX_ATTEMPTS": "max_attempts",
        "GOX_WORKFLOW_MAX_BACKOFF_SECONDS": "max_backoff",
        "GOX_WORKFLOW_RETENTION_MAX_RUNS": "retention_runs",
        "GOX_WORKFLOW_RETENTION_TTL_SECONDS": "retention_ttl",
        "SCENEWRIGHT_WORKFLOW_MAX_QUEUED_RUNS": "max_queued_runs",
        "SCENEWRIGHT_WORKFLOW_RUNS_PER_EDITOR": "runs_per_editor",
        "SCENEWRIGHT_WORKFLOW_APPROVAL_SECONDS": "approval_wait",
    }
    env = {name: str(number) for number, name in enumerate(names, 10)}
    limits = Config.from_environment(env).workflow
    assert {field: getattr(limits, field) for field in names.values()} == {
        field: number for number, field in enumerate(names.values(), 10)
    }
    assert set(names.values()) == set(WorkflowLimits.__slots__)
    assert Config.from_environment({}).workflow == WorkflowLimits()


async def test_a_runtime_that_closes_leaves_the_runs_that_wait_to_the_next(make_caller: MakeCaller) -> None:
    ping = {"id": "p", "steps": [{"actionId": "core.ping"}]}
    first = make_caller()
    runs = [await ask(first, "workflow.run", definition=ping) for _ in range(30)]
    await anyio.to_thread.run_sync(first.runtime.close)
    second = make_caller()
    ended = [await ask(second, "workflow.status", runId=each["runId"], waitMs=20_000) for each in runs]
    assert {each["status"] for each in ended} == {"succeeded"}
