"""The resources of the Gox MCP contract: the server's status and its runs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime

import msgspec

from scenewright.core.faults import NotFound
from scenewright.core.operations.resources_and_prompts import Content, Resource
from scenewright.core.runtime import Runtime

__all__ = ["RESOURCES"]

SHOWN_RUNS = 100


def _status(runtime: Runtime, values: Mapping[str, str]) -> Content:
    del values
    now = datetime.now(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")
    return _json(
        {
            "version": runtime.server_version,
            "actionsCount": len(runtime.registry.operations),
            "serverTime": now,
            "project": runtime.project.address,
            "engines": [engine.name for engine in runtime.state.engines],
            "readOnly": runtime.config.read_only,
        }
    )


def _runs(runtime: Runtime, values: Mapping[str, str]) -> Content:
    del values
    return _json({"runs": runtime.runs.recent(SHOWN_RUNS)})


def _run(runtime: Runtime, values: Mapping[str, str]) -> Content:
    run = runtime.find_run(values["runId"])
    if run is None:
        raise NotFound(f"There is no run '{values['runId'][:100]}'.", hint="gox://runs lists the runs there are.")
    return _json(run)


def _run_ids(runtime: Runtime, prefix: str, context: Mapping[str, str]) -> Sequence[str]:
    del context
    return runtime.runs.ids_with_prefix(prefix)


def _json(value: object) -> Content:
    return Content(msgspec.json.encode(value).decode())


RESOURCES = (
    Resource(
        uri="gox://status",
        name="status",
        title="Server Status",
        read=_status,
        description="Version, number of operations, the server's clock and project.",
    ),
    Resource(
        uri="gox://runs",
        name="runs",
        title="Recent Runs",
        read=_runs,
        shows_runs=True,
        description=f"The last {SHOWN_RUNS} runs, newest first.",
    ),
    Resource(
        uri="gox://runs/{runId}",
        name="run",
        title="Run",
        read=_run,
        shows_runs=True,
        complete={"runId": _run_ids},
        description="One run: what ran, when, and how it ended.",
    ),
)
