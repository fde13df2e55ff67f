"""Workflows under policy: the tools themselves, every step, and the calls that a step makes in turn."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from tests.conftest import Caller, MakeCaller
from tests.core.samples import FakeClient

from scenewright.core.calls.call import Outcome
from scenewright.core.projects.ownership import state_folder

pytestmark = pytest.mark.anyio

PING = {"actionId": "core.ping"}
WRITE = {"id": "write", "actionId": "write_file", "input": {"path": "a.txt", "content": "one"}}
DELETE = {"id": "delete", "actionId": "delete_file", "input": {"path": "old.txt"}}
HIDDEN = {
    "id": "batch",
    "actionId": "batch_operations",
    "input": {"operations": [{"tool": "delete_file", "args": {"path": "old.txt"}}], "atomic": True},
}
MANAGED = {
    "id": "batch",
    "actionId": "batch_operations",
    "input": {
        "operations": [{"tool": "project_file_manager", "args": {"action": "delete", "path": "old.txt"}}],
        "atomic": True,
    },
}


def put_in_force(project: Path, *rules: dict[str, Any], mode: str = "allow-all") -> None:
    state_folder(project).mkdir(parents=True, exist_ok=True)
    (state_folder(project) / "policy.json").write_text(json.dumps({"version": "v1", "mode": mode, "rules": rules}))


def started(*steps: dict[str, Any], **more: Any) -> dict[str, Any]:
    return {"definition": {"id": "test", "steps": list(steps)}, "waitMs": 30_000, **more}


async def run(caller: Caller, *steps: dict[str, Any], **more: Any) -> Outcome:
    return await caller.run("workflow.run", started(*steps, **more))


def status(outcome: Outcome) -> str:
    return str(outcome.call.output.status) if outcome.ok else str(outcome.fault and outcome.fault.kind)


async def test_a_step_that_is_denied_is_refused_before_anything_runs(caller: Caller, project: Path) -> None:
    put_in_force(
        project, {"name": "keep", "match": {"actionId": "delete_file"}, "effect": "deny", "reason": "keep them"}
    )
    outcome = await run(caller, WRITE, DELETE, approved=True)
    assert outcome.fault is not None
    assert outcome.fault.kind == "denied"
    assert "'delete'" in outcome.fault.message
    assert "keep them" in outcome.fault.message
    assert outcome.fault.details["rule"] == "keep"
    assert not (project / "a.txt").exists()


async def test_a_read_only_policy_lets_workflows_read(caller: Caller, project: Path) -> None:
    (project / "old.txt").write_text("old")
    put_in_force(project, {"match": {"sideEffects": ["none", "read"]}, "effect": "allow"}, mode="deny-by-default")
    read = {"actionId": "read_file", "input": {"path": "old.txt"}}
    assert status(await run(caller, PING, read)) == "succeeded"
    assert status(await run(caller, PING, WRITE)) == "denied"


@pytest.mark.parametrize("step", [HIDDEN, MANAGED], ids=["tool", "manager"])
async def test_what_a_batch_in_a_workflow_deletes_needs_the_same_approval(
    make_caller: MakeCaller, project: Path, step: dict[str, Any]
) -> None:
    caller = make_caller(policy_rules="careful")
    (project / "old.txt").write_text("old")
    unapproved = await caller.run("workflow.run", {"definition": {"id": "test", "steps": [step]}, "waitMs": 500})
    assert unapproved.call.output.status != "succeeded"
    assert (project / "old.txt").exists()
    await caller.run("workflow.cancel", {"runId": unapproved.call.output.run_id})
    claimed = await caller.run("workflow.run", started(step, approved=True) | {"waitMs": 500})
    assert claimed.call.output.status != "succeeded"
    await caller.run("workflow.cancel", {"runId": claimed.call.output.run_id})
    assert (project / "old.txt").exists()
    approved = await caller.run("workflow.run", started(step), client=FakeClient(True))
    assert status(approved) == "succeeded"
    assert not (project / "old.txt").exists()
