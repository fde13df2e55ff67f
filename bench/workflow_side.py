"""One side of the measurement of workflows: ours, or DBOS alone. Prints its figures as JSON."""

from __future__ import annotations

import asyncio
import json
import sys
from datetime import UTC, datetime
from pathlib import Path
from time import perf_counter, process_time, sleep
from typing import Any

STEPS = 5
AT_ONCE = 64
SUBMITTERS = 8
PLAN = {"id": "pings", "steps": [{"actionId": "core.ping"}] * STEPS}


async def ours(folder: Path, runs: int, database: str | None) -> dict[str, float]:
    import anyio
    import anyio.to_thread

    from scenewright.app import make_runtime
    from scenewright.core.calls.call import Request
    from scenewright.core.config import Config, WorkflowLimits
    from scenewright.workflow.engines import engine_of

    limits = WorkflowLimits(max_concurrent_runs=AT_ONCE, max_queued_runs=runs)
    runtime = make_runtime(Config(project=folder, rate_limit=None, database=database, workflow=limits))
    store = await engine_of(runtime).started()
    request = Request(tool="workflow.run", arguments={"definition": PLAN})
    began, spent = perf_counter(), process_time()

    async def submit(count: int) -> None:
        for _ in range(count):
            assert (await runtime.run(request)).ok

    async with anyio.create_task_group() as tasks:
        for number in range(SUBMITTERS):
            tasks.start_soon(submit, len(range(number, runs, SUBMITTERS)))
    while await anyio.to_thread.run_sync(store.count_open, 1):
        await anyio.sleep(0.05)
    seconds, spent = perf_counter() - began, process_time() - spent
    await anyio.to_thread.run_sync(runtime.close)
    return {"seconds": seconds, "cpu": spent}


async def first(folder: Path, runs: int, database: str | None) -> dict[str, float]:
    """A new project's first run, as a server has it: everything but the engine is loaded."""
    from scenewright.app import make_runtime
    from scenewright.core.calls.call import Request
    from scenewright.core.config import Config

    del runs
    runtime = make_runtime(Config(project=folder, database=database))
    await runtime.run(Request(tool="core.ping", arguments={}))
    began = perf_counter()
    started = await runtime.run(Request(tool="workflow.run", arguments={"definition": PLAN}))
    answered = perf_counter() - began
    asked = {"runId": started.call.output.run_id, "waitMs": 60_000}
    assert (await runtime.run(Request(tool="workflow.status", arguments=asked))).call.output.status == "succeeded"
    over = perf_counter() - began
    await asyncio.to_thread(runtime.close)
    return {"answered": answered, "over": over}


def dbos_alone(folder: Path, runs: int, database: str | None) -> dict[str, float]:
    from concurrent.futures import ThreadPoolExecutor

    import sqlalchemy.event
    from dbos import DBOS

    async def ping() -> dict[str, Any]:
        return {"ok": True, "serverTime": datetime.now(UTC).isoformat()}

    @DBOS.workflow(name="pings")
    async def pings(number: int) -> str:
        for step in range(STEPS):
            await DBOS.run_step_async({"name": f"step-{step}"}, ping)
        return "succeeded"

    url = database or f"sqlite:///{folder / 'alone.sqlite'}"
    config: Any = {"name": "alone", "system_database_url": url, "log_level": "ERROR", "executor_id": "one"}
    if database is None:
        config["system_database_engine"] = engine = sqlalchemy.create_engine(url)

        @sqlalchemy.event.listens_for(engine, "connect")
        def prepare(connection: Any, _: Any) -> None:
            connection.isolation_level = "IMMEDIATE"
            for setting in ("busy_timeout = 30000", "journal_mode = WAL", "synchronous = NORMAL", "foreign_keys = ON"):
                connection.execute(f"PRAGMA {setting}")

    DBOS(config=config)
    DBOS.launch()
    DBOS.register_queue("runs", global_concurrency=AT_ONCE, polling_interval_sec=0.1)
    sleep(1.5)  # until it listens to the new queue
    began, spent = perf_counter(), process_time()
    with ThreadPoolExecutor(SUBMITTERS) as pool:
        list(pool.map(lambda number: DBOS.enqueue_workflow("runs", pings, number), range(runs)))
    while DBOS.list_workflows(status=["ENQUEUED", "PENDING"], limit=1, load_input=False, load_output=False):
        sleep(0.05)
    seconds, spent = perf_counter() - began, process_time() - spent
    DBOS.destroy()
    return {"seconds": seconds, "cpu": spent}


def main() -> None:
    side, folder, runs, database = sys.argv[1:]
    place, count, url = Path(folder), int(runs), database or None
    if side == "dbos":
        figures = dbos_alone(place, count, url)
    else:
        figures = asyncio.run({"ours": ours, "first": first}[side](place, count, url))
    print(json.dumps(figures))


if __name__ == "__main__":
    main()
