"""A server's life, to be ended without warning: takes up the runs that are there, and starts new ones when told to.

Reads jobs as JSON lines on stdin and forks for each, so that a death costs no new interpreter. On stdout it says the
job's process id, that it is ready, each run that it submitted or that ended, and how the job ended.
"""

from __future__ import annotations

import json
import os
import signal
import sys
import threading
import time
from pathlib import Path
from typing import Annotated, Any

import anyio
import dbos  # noqa: F401  # loaded once, before the forks
import sqlalchemy

from scenewright import __version__
from scenewright.app import catalogues
from scenewright.core.calls.call import Call, Request
from scenewright.core.config import Config
from scenewright.core.operations.declaration import Safety, operation
from scenewright.core.operations.model import Inputs, Outputs, about
from scenewright.core.operations.registry import Catalogue, Registry, build_registry
from scenewright.core.runtime import Runtime
from scenewright.workflow import dbos_setup  # noqa: F401
from scenewright.workflow.engines import engine_of


class Target(Inputs, frozen=True, kw_only=True):
    path: Annotated[str, about("A file in the project.")]


class Done(Outputs, frozen=True, kw_only=True):
    done: Annotated[bool, about("Always true.")]


def append_and_die(call: Call, inputs: Target) -> Done:
    """Appends to a file past the journal, as if it were an editor, and dies of it the first time."""
    place = call.state.project.root / inputs.path
    first = not place.exists()
    with place.open("a") as file:
        file.write("x")
    if first:
        os.kill(os.getpid(), signal.SIGKILL)
    return Done(done=True)


async def wait(call: Call, inputs: Target) -> Done:
    """Waits for a file."""
    while not (call.state.project.root / inputs.path).exists():
        await anyio.sleep(0.05)
    return Done(done=True)


_WRITE: dict[str, Any] = {"category": "debug", "safety": Safety.SAFE_WRITE, "transactional": False}
OPERATIONS = (
    operation(id="chaos.append_and_die", name="Append", **_WRITE)(append_and_die),
    operation(id="chaos.set_and_die", name="Set", idempotent=True, **_WRITE)(append_and_die),
    operation(id="chaos.wait", name="Wait", category="debug", safety=Safety.READ_ONLY)(wait),
)


def main() -> None:
    registry = build_registry([*catalogues(), Catalogue(operations=OPERATIONS)], verified=True)
    say({"warm": True})
    for line in sys.stdin:
        job = json.loads(line)
        pid = os.fork()
        if pid == 0:
            live(job, registry)
        _, status = os.waitpid(pid, 0)
        say({"ended": os.waitstatus_to_exitcode(status)})


def live(job: dict[str, Any], registry: Registry) -> None:
    code = 1
    say({"pid": os.getpid()})
    try:
        os.environ.update(job.get("environment", {}))
        config = Config(
            project=Path(job["project"]),
            rate_limit=None,
            database=job.get("database"),
            journal_max_entries=100_000,
            bridge_enabled="GOX_BRIDGE_ENABLED" in job.get("environment", {}),
            policy_rules=job.get("policy"),
        )
        runtime = Runtime(config, registry, server_version=__version__)
        if "dies_at_row" in job:
            die_at_row(job["dies_at_row"])
        if "dies_at" in job:
            die_at(job["dies_at"])
        anyio.run(work, runtime, job)
        runtime.close()
        code = 0
    finally:
        os._exit(code)


def die_at(moment: str) -> None:
    """Ends this process right before a change is made, or once it is made and before anybody is told."""
    from scenewright.core.writes import commits
    from scenewright.core.writes.journal import Journal

    def die(*_: Any, **__: Any) -> Any:
        os.kill(os.getpid(), signal.SIGKILL)

    def die_after(*arguments: Any, **options: Any) -> Any:
        commit(*arguments, **options)
        die()

    commit = Journal.commit
    if moment == "before":
        vars(commits)["make_drafts"] = die
        Journal.commit = die  # type: ignore[method-assign]
    else:
        vars(commits)["_record_steps"] = die
        Journal.commit = die_after  # type: ignore[method-assign]


def die_at_row(number: int) -> None:
    """Ends this process when a transaction has recorded so many steps, before it is committed.

    The disk is slow meanwhile, so that there are so many to be recorded.
    """
    rows: dict[int, int] = {}

    @sqlalchemy.event.listens_for(sqlalchemy.Engine, "begin")
    def begun(connection: sqlalchemy.Connection) -> None:
        rows[id(connection.connection.dbapi_connection)] = 0
        if threading.current_thread().name.startswith("workflow-batches"):
            time.sleep(0.2)

    @sqlalchemy.event.listens_for(sqlalchemy.Engine, "after_cursor_execute")
    def executed(connection: sqlalchemy.Connection, _cursor: Any, statement: str, *_: Any) -> None:
        if statement.startswith("INSERT INTO") and "scenewright_steps" in statement.split("(")[0]:
            key = id(connection.connection.dbapi_connection)
            rows[key] += 1
            if rows[key] == number:
                os.kill(os.getpid(), signal.SIGKILL)


async def work(runtime: Runtime, job: dict[str, Any]) -> None:
    """Sees every run there is to its end, then starts the job's own, one after the other."""
    await engine_of(runtime).started()
    say({"ready": True})
    for definition in job.get("submit", []):
        await ask(runtime, "workflow.run", definition=definition)
    if "until" in job:
        while not Path(job["until"]).exists():
            await anyio.sleep(0.1)
        return
    for run_id in await all_runs(runtime):
        await see_through(runtime, run_id)
    for definition in job.get("definitions", []):
        run = await ask(runtime, "workflow.run", definition=definition)
        say({"submitted": run["runId"], "as": definition["id"]})
        await see_through(runtime, run["runId"])


async def all_runs(runtime: Runtime) -> list[str]:
    found: list[str] = []
    page: dict[str, Any] = {"nextCursor": "0"}
    while "nextCursor" in page:
        page = await ask(runtime, "workflow.list", limit=100, cursor=page["nextCursor"])
        found += [run["runId"] for run in page["runs"]]
    return found


async def see_through(runtime: Runtime, run_id: str) -> None:
    run = await ask(runtime, "workflow.status", runId=run_id, waitMs=120_000)
    say(
        {
            "over": run_id,
            "status": run["status"],
            "as": run["workflowId"],
            "error": run.get("lastError"),
            "rollback": run.get("rollback"),
        }
    )


async def ask(runtime: Runtime, tool: str, **arguments: Any) -> Any:
    from scenewright.contracts import render

    rendered = render(await runtime.run(Request(tool=tool, arguments=arguments)))
    assert rendered.structured is not None, rendered.text
    return rendered.structured


def say(message: dict[str, Any]) -> None:
    os.write(1, json.dumps(message).encode() + b"\n")


if __name__ == "__main__":
    main()
