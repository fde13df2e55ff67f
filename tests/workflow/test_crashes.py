"""A server is killed at moments nobody chose, again and again; what it was asked for is done once, and all of it."""

from __future__ import annotations

import base64
import os
import pickle
import random
import sqlite3
import sys
import time
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import anyio
import pytest
from mcp.client import Client
from tests.conftest import MakeCaller
from tests.core.samples import FakeClient
from tests.workflow.conftest import ask
from tests.workflow.lives import OPERATIONS
from tests.workflow.server import Server, a_server

from scenewright.core.config import Config, WorkflowLimits
from scenewright.core.projects.ownership import state_folder
from scenewright.core.projects.project import Project
from scenewright.core.projects.state import ProjectState
from scenewright.server.protocol import McpServer
from scenewright.workflow.engines import engine_of

pytestmark = pytest.mark.xdist_group("workflow-crashes")

KILLS = 50
STEPS = 20


@pytest.fixture(scope="module")
def server() -> Iterator[Server]:
    if not hasattr(os, "fork"):
        pytest.skip("needs fork and SIGKILL")
    with a_server() as server:
        yield server


def counting(number: int) -> dict[str, Any]:
    """A workflow that writes the numbers from 1 to 20 into a file, each in a step of its own."""
    path = f"counted/{number}.txt"
    steps = [{"id": "1", "actionId": "write_file", "input": {"path": path, "content": "1 END"}}]
    steps += [
        {"id": str(count), "actionId": "edit_file", "input": {"path": path, "find": "END", "replace": f"{count} END"}}
        for count in range(2, STEPS + 1)
    ]
    return {"id": f"count-{number}", "steps": steps}


def test_every_run_ends_and_every_step_is_done_exactly_once(project: Path, server: Server) -> None:
    seed = int(os.environ.get("CHAOS_SEED") or time.time_ns() % 1_000_000)
    sys.stdout.write(f"CHAOS_SEED={seed}\n")
    chance = random.Random(seed)
    submitted: dict[str, str] = {}
    inside = 0
    for kill in range(KILLS):
        server.start(project, [counting(1000 * kill + number) for number in range(10)])
        server.until("ready")
        deadline = time.monotonic() + chance.uniform(0, 0.9)
        while (left := deadline - time.monotonic()) > 0 and (message := server.next(left)) is not None:
            submitted |= {message["submitted"]: message["as"]} if "submitted" in message else {}
        server.kill()
        for message in server.until("ended"):
            submitted |= {message["submitted"]: message["as"]} if "submitted" in message else {}
        inside += any(not path.read_text().endswith(f" {STEPS} END") for path in (project / "counted").glob("*.txt"))

    server.start(project, [])
    last = server.until("ended")
    over = {message["over"]: message["status"] for message in last if "over" in message}
    assert last[-1] == {"ended": 0}
    assert set(over.values()) == {"succeeded"}
    assert submitted.keys() <= over.keys()
    assert inside >= KILLS // 5  # so many kills at least came in the middle of a run

    written = {path.stem: path.read_text() for path in (project / "counted").glob("*.txt")}
    everything = " ".join(map(str, range(1, STEPS + 1))) + " END"
    assert set(written.values()) == {everything}
    assert len(written) == len(over)
    state = ProjectState(Project.at(project), Config(), [], kept=True)
    assert len(state.journal.entries(limit=100_000)) == len(over) * STEPS
    verdict = state.audit.verify()
    assert verdict.intact, verdict.problem
    state.close()


def test_a_kill_between_two_records_of_one_transaction_loses_and_doubles_nothing(project: Path, server: Server) -> None:
    def fan(name: str) -> dict[str, Any]:
        writes = [
            {"id": f"w{number}", "actionId": "write_file", "input": {"path": f"{name}/{number}.txt", "content": name}}
            for number in range(8)
        ]
        return {"id": name, "steps": [{"parallel": writes}, {"id": "last", "actionId": "core.ping"}]}

    names = [f"fan-{number}" for number in range(5)]
    server.start(project, submit=[fan(name) for name in names], dies_at_row=2)
    assert server.until("ended")[-1] == {"ended": -9}
    server.start(project, submit=[])
    heard = server.until("ended")
    over = {message["as"]: message["status"] for message in heard if "over" in message}
    assert over
    assert set(over.values()) == {"succeeded"}
    for name in over:
        assert [(project / name / f"{number}.txt").read_text() for number in range(8)] == [name] * 8
    state = ProjectState(Project.at(project), Config(), [], kept=True)
    assert len(state.journal.entries(limit=1000)) == len(over) * 8
    assert state.audit.verify().intact
    state.close()


def step(action: str, **more: Any) -> dict[str, Any]:
    return {"id": "t", "steps": [{"id": "s", "actionId": action, "input": {"path": "a.txt"}, **more}]}


def test_a_step_whose_outcome_is_unknown_is_not_repeated_and_ends_the_run_as_interrupted(
    project: Path, server: Server
) -> None:
    server.start(project, [step("chaos.append_and_die")])
    assert server.until("ended")[-1] == {"ended": -9}
    server.start(project)
    (over,) = [message for message in server.until("ended") if "over" in message]
    assert over["status"] == "interrupted"
    assert "cannot be told" in over["error"]["message"]
    assert over["error"]["stepId"] == "s"
    assert (project / "a.txt").read_text() == "x"


def test_an_idempotent_step_is_repeated(project: Path, server: Server) -> None:
    server.start(project, [step("chaos.set_and_die")])
    assert server.until("ended")[-1] == {"ended": -9}
    server.start(project)
    (over,) = [message for message in server.until("ended") if "over" in message]
    assert over["status"] == "succeeded"
    assert (project / "a.txt").read_text() == "xx"


def test_a_run_stays_with_its_living_owner_and_is_taken_over_when_that_one_is_killed(project: Path) -> None:
    wait = {"id": "w", "steps": [{"id": "s", "actionId": "chaos.wait", "input": {"path": "go"}, "timeoutMs": 60_000}]}
    with a_server() as first, a_server() as second:
        first.start(project, [wait])
        first.until("submitted")
        second.start(project, takes_over=True)
        second.until("ready")
        assert second.next(3.0) is None  # rounds enough to take the run over, if it would
        first.kill()
        first.until("ended")
        (project / "go").touch()
        heard = second.until("ended")
    assert [message["status"] for message in heard if "over" in message] == ["succeeded"]
    audited = [line for line in (state_folder(project) / "audit.log").read_text().splitlines() if "chaos.wait" in line]
    assert sum('"ok":true' in line for line in audited if '"origin":"workflow"' in line) == 1


@pytest.mark.anyio
async def test_a_server_takes_up_what_another_left_without_being_asked(
    project: Path, server: Server, make_caller: MakeCaller
) -> None:
    wait = {"id": "s", "actionId": "chaos.wait", "input": {"path": "go"}, "timeoutMs": 60_000}
    write = {"id": "w", "actionId": "write_file", "input": {"path": "done.txt", "content": "1"}}
    server.start(project, [{"id": "left", "steps": [wait, write]}])
    run_id = server.until("submitted")[-1]["submitted"]
    server.kill()
    server.until("ended")
    (project / "go").touch()
    runtime = make_caller(*OPERATIONS).runtime
    async with Client(McpServer(runtime).server, mode="legacy") as client:
        with anyio.fail_after(60):
            while runtime.find_run(run_id) is None or (runtime.find_run(run_id) or {})["status"] == "running":
                await anyio.sleep(0.1)
        status = await client.call_tool("workflow.status", {"runId": run_id})
    assert status.structured_content["status"] == "succeeded"
    assert (project / "done.txt").read_text() == "1"


@pytest.mark.anyio
async def test_a_server_that_may_not_write_leaves_the_runs_of_one_that_may_alone(
    project: Path, server: Server, make_caller: MakeCaller
) -> None:
    write = {"id": "w", "actionId": "write_file", "input": {"path": "done.txt", "content": "1"}}
    wait = {"id": "s", "actionId": "chaos.wait", "input": {"path": "go"}, "timeoutMs": 60_000}
    server.start(project, [{"id": "left", "steps": [wait, write]}])
    run_id = server.until("submitted")[-1]["submitted"]
    server.kill()
    server.until("ended")
    (project / "go").touch()
    caller = make_caller(*OPERATIONS, read_only=True)
    reply = await caller.reply("workflow.status", {"runId": run_id, "waitMs": 3000})
    assert reply.structured is not None
    assert reply.structured["status"] == "running"  # and not failed for want of permission
    caller.runtime.close()
    server.start(project)
    assert [each["status"] for each in server.until("ended") if "over" in each] == ["succeeded"]


def test_a_record_that_claims_to_be_a_pickle_is_not_read(project: Path, server: Server) -> None:
    wait = {"id": "s", "actionId": "chaos.wait", "input": {"path": "go"}, "timeoutMs": 60_000}
    server.start(project, [{"id": "left", "steps": [wait]}])
    server.until("submitted")
    server.kill()
    server.until("ended")
    trap = project / "trap"
    payload = base64.b64encode(pickle.dumps(_Trap(str(trap)))).decode()
    with closing(sqlite3.connect(state_folder(project) / "workflows.sqlite")) as database:
        database.execute("UPDATE workflow_status SET serialization = 'py_pickle'")
        database.execute("UPDATE workflow_input SET inputs = ?", (payload,))
        database.commit()
    server.start(project)
    (over,) = [message for message in server.until("ended") if "over" in message]
    assert over["status"] == "interrupted"
    assert not trap.exists()


class _Trap:
    """Makes a file when it is unpickled."""

    def __init__(self, path: str) -> None:
        self.path = path

    def __reduce__(self) -> Any:
        return open, (self.path, "w")


@pytest.mark.anyio
async def test_a_run_that_waits_for_a_person_still_waits_after_a_kill_and_is_then_done_once(
    project: Path, server: Server, make_caller: MakeCaller
) -> None:
    (project / "old.txt").touch()
    write = {"id": "w", "actionId": "write_file", "input": {"path": "new.txt", "content": "1"}}
    delete = {"id": "d", "actionId": "delete_file", "input": {"path": "old.txt"}}
    more = {"id": "m", "actionId": "edit_file", "input": {"path": "new.txt", "find": "1", "replace": "11"}}
    server.start(project, [{"id": "asks", "steps": [write, delete, more]}], policy="careful")
    run_id = server.until("submitted")[-1]["submitted"]
    with anyio.fail_after(60), closing(sqlite3.connect(state_folder(project) / "workflows.sqlite")) as records:
        query = "SELECT queue_name FROM workflow_status WHERE workflow_uuid = ?"
        while not records.execute(query, (run_id,)).fetchone()[0].endswith("-waiting"):
            await anyio.sleep(0.05)
    server.kill()
    server.until("ended")
    caller = make_caller(*OPERATIONS, workflow=WorkflowLimits(max_concurrent_runs=1), policy_rules="careful")
    with anyio.fail_after(60):
        while run_id not in engine_of(caller.runtime).active:
            await ask(caller, "workflow.status", runId=run_id, waitMs=100)
    assert (await ask(caller, "workflow.status", runId=run_id))["phase"] == "waiting"
    ping = {"id": "p", "steps": [{"actionId": "core.ping"}]}
    assert (await ask(caller, "workflow.run", definition=ping, waitMs=20_000))["status"] == "succeeded"
    assert (await caller.run("workflow.approve", {"runId": run_id}, client=FakeClient(True))).ok
    ended = await ask(caller, "workflow.status", runId=run_id, waitMs=20_000)
    assert (ended["status"], ended["completedSteps"]) == ("succeeded", 3)
    assert ((project / "old.txt").exists(), (project / "new.txt").read_text()) == (False, "11")
