"""Several servers share the runs of one PostgreSQL database; one of them dies in the middle."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import anyio
import psycopg
import pytest
from tests.conftest import MakeCaller
from tests.core.samples import FakeClient
from tests.support.postgres import postgres_server
from tests.workflow.conftest import Probe, ask
from tests.workflow.server import PATIENCE, a_server
from tests.workflow.test_limits import phase_of

from scenewright.core.config import Config, WorkflowLimits
from scenewright.core.projects.project import Project
from scenewright.core.projects.state import ProjectState

pytestmark = pytest.mark.xdist_group("workflow-crashes")

RUNS = 500
SERVERS = 3


@pytest.fixture(scope="module")
def database() -> Iterator[str]:
    with postgres_server() as url:
        yield url


def writing(number: int) -> dict[str, Any]:
    """A workflow that writes a file which must not be there yet, and then adds to it."""
    path = f"written/{number}.txt"
    return {
        "id": f"write-{number}",
        "steps": [
            {"id": "a", "actionId": "write_file", "input": {"path": path, "content": "END"}},
            {"id": "b", "actionId": "edit_file", "input": {"path": path, "find": "END", "replace": f"{number} END"}},
        ],
    }


def counts(connection: psycopg.Connection) -> dict[str, int]:
    rows = connection.execute("SELECT status, count(*) FROM dbos.workflow_status GROUP BY status").fetchall()
    return {str(status): int(count) for status, count in rows}


def test_three_servers_work_off_every_run_once_although_one_is_killed(
    project: Path, tmp_path: Path, database: str
) -> None:
    over = tmp_path / "over"
    most = 0
    with ExitStack() as stack:
        servers = [stack.enter_context(a_server()) for _ in range(SERVERS)]
        for number, server in enumerate(servers):
            submit = [writing(each) for each in range(number, RUNS, SERVERS)]
            server.start(project, database=database, submit=submit, until=str(over))
            server.until("ready")
        connection = stack.enter_context(psycopg.connect(database, autocommit=True))
        killed = False
        deadline = time.monotonic() + 3 * PATIENCE
        while (now := counts(connection)).get("SUCCESS", 0) < RUNS and time.monotonic() < deadline:
            most = max(most, now.get("PENDING", 0))
            if not killed and now.get("SUCCESS", 0) >= RUNS // 2 and sum(now.values()) >= RUNS:
                servers[1].kill()
                killed = True
            time.sleep(0.02)  # what is waited for is in a database
        over.touch()
        for server in servers:
            server.until("ended")
        owners = connection.execute("SELECT count(DISTINCT executor_id) FROM dbos.workflow_status").fetchone()
        outputs = connection.execute("SELECT output FROM dbos.workflow_output").fetchall()

    assert killed
    assert now == {"SUCCESS": RUNS}
    assert owners == (SERVERS,)
    assert 1 < most <= WorkflowLimits().max_concurrent_runs
    assert sum('"status":"succeeded"' in output for (output,) in outputs) == RUNS
    written = {path.stem: path.read_text() for path in (project / "written").glob("*.txt")}
    assert written == {str(number): f"{number} END" for number in range(RUNS)}
    state = ProjectState(Project.at(project), Config(), [], kept=True)
    assert len(state.journal.entries(limit=100_000)) == 2 * RUNS
    verdict = state.audit.verify()
    assert verdict.intact, verdict.problem
    state.close()


@pytest.mark.anyio
async def test_a_run_that_waits_for_a_person_lets_another_through(
    project: Path, database: str, make_caller: MakeCaller
) -> None:
    own = Probe()
    limits = WorkflowLimits(max_concurrent_runs=1)
    caller = make_caller(*own.operations(), database=database, workflow=limits, policy_rules="careful")
    (project / "old.txt").touch()
    delete = {"id": "d", "steps": [{"actionId": "delete_file", "input": {"path": "old.txt"}}]}
    asking = (await ask(caller, "workflow.run", definition=delete))["runId"]
    await phase_of(caller, asking, "waiting")
    hold = {"id": "h", "steps": [{"actionId": "core.hold"}]}
    holding = (await ask(caller, "workflow.run", definition=hold))["runId"]
    with anyio.fail_after(PATIENCE):
        await own.begun.wait()
    assert (await caller.run("workflow.approve", {"runId": asking}, client=FakeClient(True))).ok
    await phase_of(caller, asking, "queued")
    assert (project / "old.txt").exists()
    own.released.set()
    ended = [await ask(caller, "workflow.status", runId=each, waitMs=20_000) for each in (holding, asking)]
    assert [each["status"] for each in ended] == ["succeeded", "succeeded"]
    assert not (project / "old.txt").exists()
