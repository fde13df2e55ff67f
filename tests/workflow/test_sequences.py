"""`workflow_manager` validate and run: godot-mcp-omni's lists of calls, on the workflow engine."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from tests.conftest import Caller, MakeCaller
from tests.core.samples import FakeClient

from scenewright.core.faults import Fault

pytestmark = pytest.mark.anyio


def sequence(*steps: dict[str, Any], **more: Any) -> dict[str, Any]:
    return {"schemaVersion": 1, "steps": list(steps), **more}


PING = {"tool": "core.ping"}
WRITE = {"tool": "write_file", "args": {"path": "a.txt", "content": "one"}, "id": "write", "title": "Write it"}
MISSING = {"tool": "read_file", "args": {"path": "none.txt"}}


async def ask(caller: Caller, action: str, *steps: dict[str, Any], **arguments: Any) -> dict[str, Any]:
    given = {"workflow": sequence(*steps)} if steps else {}
    reply = await caller.reply("workflow_manager", {"action": action, **given, **arguments})
    assert reply.structured is not None
    assert reply.structured["ok"], reply.structured["error"]
    return dict(reply.structured["result"])


async def refused(caller: Caller, action: str, *steps: dict[str, Any], **arguments: Any) -> Fault:
    given = {"workflow": sequence(*steps)} if steps else {}
    outcome = await caller.run("workflow_manager", {"action": action, **given, **arguments})
    assert outcome.fault is not None
    return outcome.fault


async def test_calls_are_run_in_order_and_each_is_accounted_for(caller: Caller, project: Path) -> None:
    ended = await ask(caller, "run", PING, WRITE, {"tool": "tools/list"})
    assert ended["status"] == "succeeded"
    assert (project / "a.txt").read_text() == "one"
    rows = [(row["index"], row["id"], row["tool"], row["expectedOk"], row["actualOk"]) for row in ended["steps"]]
    assert rows == [
        (1, "STEP-1", "core.ping", True, True),
        (2, "write", "write_file", True, True),
        (3, "STEP-3", "tools/list", True, True),
    ]
    assert ended["steps"][1]["title"] == "Write it"
    assert ended["resolvedProjectPath"] == str(project.resolve())


async def test_it_stops_at_the_first_step_that_ends_otherwise_than_expected(caller: Caller, project: Path) -> None:
    fault = await refused(caller, "run", PING, MISSING, WRITE)
    assert fault.kind == "not_found"
    assert "Step 2 ('STEP-2')" in fault.message
    assert fault.details["failedStep"]["tool"] == "read_file"
    assert [row.get("actualOk") for row in fault.details["steps"]] == [True, False, None]
    assert not (project / "a.txt").exists()


async def test_a_step_may_be_meant_to_fail(caller: Caller, project: Path) -> None:
    ended = await ask(caller, "run", MISSING | {"expectOk": False}, WRITE)
    assert [row["actualOk"] for row in ended["steps"]] == [False, True]
    assert (project / "a.txt").exists()
    fault = await refused(caller, "run", PING | {"expectOk": False}, MISSING)
    assert "meant to fail" in fault.message
    assert [row.get("actualOk") for row in fault.details["steps"]] == [True, None]


async def test_the_projects_path_is_filled_in_where_it_is_a_whole_text(caller: Caller, project: Path) -> None:
    steps = [
        {"tool": "project.workspace_stats", "args": {"projectPath": "$PROJECT_PATH"}},
        {"tool": "write_file", "args": {"path": "b.txt", "content": "in $PROJECT_PATH"}},
    ]
    await ask(caller, "run", *steps)
    assert (project / "b.txt").read_text() == "in $PROJECT_PATH"


async def test_a_sequence_may_lie_in_a_file_of_the_project(caller: Caller, project: Path) -> None:
    (project / "plans").mkdir()
    (project / "plans/greet.json").write_text(json.dumps(sequence(PING)))
    ended = await ask(caller, "run", workflowPath="plans/greet.json")
    run = await caller.reply("workflow.status", {"runId": ended["runId"]})
    assert run.structured is not None
    assert run.structured["workflowId"] == "greet"
    assert (await refused(caller, "run", workflowPath="plans/none.json")).kind == "not_found"
    (project / "plans/bad.json").write_text("{")
    assert "not valid JSON" in (await refused(caller, "run", workflowPath="plans/bad.json")).message
    assert (await refused(caller, "run", workflowPath="../out.json")).kind == "denied"


async def test_validation_runs_nothing(caller: Caller, project: Path) -> None:
    checked = await ask(caller, "validate", PING, WRITE)
    assert [(row["id"], "actualOk" in row) for row in checked["steps"]] == [("STEP-1", False), ("write", False)]
    assert not (project / "a.txt").exists()


STEP = "input.workflow.steps"
WRONG: list[tuple[dict[str, Any], str, str | None]] = [
    ({"steps": [PING]}, "invalid", "input.workflow.schemaVersion"),
    ({"schemaVersion": 2, "steps": [PING]}, "invalid", "input.workflow.schemaVersion"),
    ({"schemaVersion": 1, "steps": []}, "invalid", STEP),
    ({"schemaVersion": 1, "steps": [{"args": {}}]}, "invalid", f"{STEP}[0].tool"),
    (sequence(PING, {"tool": "core.pin"}), "not_found", None),
    (sequence({"tool": "write_file", "args": {"path": 5, "content": ""}}), "invalid", f"{STEP}[0].args.path"),
    (sequence({"tool": "workflow_manager", "args": {"action": "macro.list"}}), "invalid", f"{STEP}[0].tool"),
    (sequence(PING | {"id": "a"}, PING | {"id": "a"}), "invalid", f"{STEP}[1].id"),
]


@pytest.mark.parametrize("action", ["validate", "run"])
async def test_a_wrong_sequence_is_refused_before_anything_runs(caller: Caller, action: str) -> None:
    for workflow, kind, path in WRONG:
        fault = await refused(caller, action, workflow=workflow)
        assert (fault.kind, getattr(fault, "path", None)) == (kind, path)


async def test_one_source_is_needed_and_not_two(caller: Caller) -> None:
    assert (await refused(caller, "run")).kind == "invalid"
    assert (await refused(caller, "run", PING, workflowPath="a.json")).kind == "invalid"


async def test_each_call_is_under_the_policy_and_needs_its_approval(make_caller: MakeCaller, project: Path) -> None:
    caller = make_caller(policy_rules="careful")
    (project / "a.txt").write_text("one")
    delete = {"tool": "delete_file", "args": {"path": "a.txt"}}
    arguments = {"action": "run", "workflow": sequence(delete)}
    assert (await caller.run("workflow_manager", arguments, client=FakeClient(True))).ok
    assert not (project / "a.txt").exists()


@pytest.mark.timeout(60)
async def test_a_sequence_that_needs_a_person_whom_nobody_can_ask_says_so_at_once(
    make_caller: MakeCaller, project: Path
) -> None:
    caller = make_caller(policy_rules="careful")
    (project / "old.txt").write_text("precious")
    delete = {"tool": "delete_file", "args": {"path": "old.txt"}, "id": "clean"}
    outcome = await caller.run("workflow_manager", {"action": "run", "workflow": sequence(WRITE, delete)})
    assert outcome.ok, outcome.fault
    assert "waits for a person at 'clean'" in outcome.summary
    assert any("workflow.approve" in warning for warning in outcome.call.warnings)
    assert (project / "old.txt").exists()
