"""Records of steps: made in batches, while the run is this process's, and read again by whoever goes on."""

from __future__ import annotations

import sqlite3
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, closing, suppress
from pathlib import Path
from typing import Any

import anyio
import anyio.lowlevel
import anyio.to_thread
import pytest
from tests.conftest import Caller
from tests.workflow.conftest import PATIENCE_MS, Probe, Run, ask

from scenewright.core.projects.ownership import state_folder

pytestmark = pytest.mark.anyio


def say(step_id: str, text: Any) -> dict[str, Any]:
    return {"id": step_id, "actionId": "core.say", "input": {"text": text}}


def rows_of(folder: Path, run_id: str) -> list[dict[str, Any]]:
    with closing(sqlite3.connect(state_folder(folder) / "workflows.sqlite")) as database:
        database.row_factory = sqlite3.Row
        query = "SELECT * FROM scenewright_steps WHERE run_id = ? ORDER BY number"
        return [dict(row) for row in database.execute(query, (run_id,))]


async def look_for_nothing(batches: Any) -> None:
    from dbos import error

    with suppress(error.DBOSWorkflowConflictIDError):
        await batches.look_up("none")


@asynccontextmanager
async def jammed(count: int) -> AsyncIterator[None]:
    """Nothing is recorded before so many records wait for it; they are then made at once."""
    from scenewright.workflow import dbos_setup

    batches = dbos_setup.batches()
    assert dbos_setup._engine is not None
    async with anyio.create_task_group() as tasks:
        with dbos_setup._engine.connect():  # the only connection that there is to a SQLite file
            tasks.start_soon(look_for_nothing, batches)
            await anyio.lowlevel.checkpoint()  # it has asked
            with anyio.fail_after(PATIENCE_MS / 1000):
                while not batches._waiting.empty():
                    await anyio.sleep(0.01)
                yield
                while batches._waiting.qsize() < count:
                    await anyio.sleep(0.01)


async def held(probe: Probe, count: int) -> None:
    with anyio.fail_after(PATIENCE_MS / 1000):
        while probe.at_once < count:
            await anyio.sleep(0.01)


async def test_a_run_that_is_carried_out_again_does_nothing_that_is_on_record(
    run: Run, probed: Caller, probe: Probe, folder: Path
) -> None:
    from scenewright.workflow import dbos_setup

    ended = await run([say("one", {"a": [1, None, "é"]}), say("two", 2)])
    steps = rows_of(folder, ended["runId"])
    assert [(row["number"], row["name"]) for row in steps] == [(0, "one"), (1, "two")]
    assert all(row["began_ms"] <= row["ended_ms"] for row in steps)

    def as_if_it_had_died_after_the_first() -> None:
        with dbos_setup.database().begin() as connection:
            connection.exec_driver_sql("DELETE FROM scenewright_steps WHERE number = 1")
            connection.exec_driver_sql("UPDATE workflow_status SET status = 'PENDING', executor_id = 'dead'")
        dbos_setup.put_back_runs("dead")

    await anyio.to_thread.run_sync(as_if_it_had_died_after_the_first)
    again = await ask(probed, "workflow.status", runId=ended["runId"], waitMs=PATIENCE_MS)
    assert again["status"] == "succeeded"
    assert probe.said == [{"a": [1, None, "é"]}, 2, 2]
    assert [row["name"] for row in rows_of(folder, ended["runId"])] == ["one", "two"]


async def test_records_go_with_their_run(run: Run, folder: Path) -> None:
    from scenewright.workflow.dbos_setup import DBOS

    gone, kept = [(await run([say("one", 1)]))["runId"] for _ in range(2)]
    await anyio.to_thread.run_sync(DBOS.delete_workflows, [gone])
    assert [len(rows_of(folder, run_id)) for run_id in (gone, kept)] == [0, 1]


async def test_a_run_that_was_taken_away_is_not_recorded_and_keeps_no_other_from_it(
    probed: Caller, probe: Probe, folder: Path
) -> None:
    from scenewright.workflow.dbos_setup import DBOS

    definition = {"id": "t", "steps": [{"id": "h", "actionId": "core.hold"}]}
    runs = [(await ask(probed, "workflow.run", definition=definition))["runId"] for _ in range(4)]
    await held(probe, len(runs))
    await anyio.to_thread.run_sync(DBOS.cancel_workflow, runs[2])
    async with jammed(len(runs)):
        probe.released.set()
    ended = [await ask(probed, "workflow.status", runId=run_id, waitMs=PATIENCE_MS) for run_id in runs]
    assert [each["status"] for each in ended] == ["succeeded", "succeeded", "canceled", "succeeded"]
    assert [len(rows_of(folder, run_id)) for run_id in runs] == [1, 1, 0, 1]


async def test_what_waits_is_recorded_in_one_transaction(probed: Caller, probe: Probe) -> None:
    import sqlalchemy

    from scenewright.workflow import dbos_setup

    steps = [{"id": f"h{number}", "actionId": "core.hold"} for number in range(5)]
    definition = {"id": "t", "steps": [{"parallel": steps}]}
    run_id = (await ask(probed, "workflow.run", definition=definition))["runId"]
    await held(probe, len(steps))
    made: list[str] = []

    def note(connection: Any, cursor: Any, statement: str, *_: Any) -> None:
        made.append("row" if "INSERT INTO" in statement and "scenewright_steps" in statement else "other")

    def committed(connection: Any) -> None:
        made.append("commit")

    assert dbos_setup._engine is not None
    sqlalchemy.event.listen(dbos_setup._engine, "before_cursor_execute", note)
    sqlalchemy.event.listen(dbos_setup._engine, "commit", committed)
    try:
        async with jammed(len(steps)):
            probe.released.set()
        assert (await ask(probed, "workflow.status", runId=run_id, waitMs=PATIENCE_MS))["status"] == "succeeded"
    finally:
        sqlalchemy.event.remove(dbos_setup._engine, "before_cursor_execute", note)
        sqlalchemy.event.remove(dbos_setup._engine, "commit", committed)
    parts = " ".join(each for each in made if each != "other").split("commit")
    assert max(part.split().count("row") for part in parts) == len(steps)


async def test_loops_of_a_group_are_recorded_in_the_same_order_however_long_they_take(
    probed: Caller, probe: Probe, folder: Path
) -> None:
    def loop(step_id: str, action: str) -> dict[str, Any]:
        return {"id": step_id, "actionId": action, "forEach": {"items": [1, 2, 3], "limit": 1}}

    definition = {"id": "t", "steps": [{"parallel": [loop("slow", "core.hold"), loop("fast", "core.say")]}]}
    first = (await ask(probed, "workflow.run", definition=definition))["runId"]
    await held(probe, 1)
    found = await ask(probed, "workflow.status", runId=first, waitMs=1000)  # time enough for the fast one
    assert found["status"] == "running"
    probe.released.set()
    assert (await ask(probed, "workflow.status", runId=first, waitMs=PATIENCE_MS))["status"] == "succeeded"
    second = (await ask(probed, "workflow.run", definition=definition, waitMs=PATIENCE_MS))["runId"]
    orders = [[row["name"] for row in rows_of(folder, run_id)] for run_id in (first, second)]
    assert orders[0] == orders[1]
    assert sorted(orders[0]) == [f"{name}[{index}]" for name in ("fast", "slow") for index in range(3)]


async def test_a_run_that_is_cancelled_as_it_begins_to_wait_for_a_person_ends(probed: Caller, folder: Path) -> None:
    from scenewright.workflow.dbos_setup import DBOS

    (folder / "old.txt").touch()
    definition = {"id": "t", "steps": [{"id": "d", "actionId": "delete_file", "input": {"path": "old.txt"}}]}
    run_id = (await ask(probed, "workflow.run", definition=definition))["runId"]
    with anyio.fail_after(PATIENCE_MS / 1000):
        while (await ask(probed, "workflow.status", runId=run_id)).get("phase") != "waiting":
            await anyio.sleep(0.05)
    # As it is left by a cancel that came before the run said that it waits.
    await anyio.to_thread.run_sync(lambda: DBOS.update_workflow_attributes(run_id, {"cancel": True}, merge=True))
    ended = await ask(probed, "workflow.status", runId=run_id, waitMs=PATIENCE_MS)
    assert ended["status"] == "canceled"
    assert (folder / "old.txt").exists()
