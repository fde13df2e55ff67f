"""What names mean: the first answer of a project, answers when warm, a rename over 500 scripts, memory when idle."""

from __future__ import annotations

import asyncio
import os
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from statistics import median
from typing import Any

from bench.engines import godot
from bench.figures import Figure
from scenewright.app import make_runtime
from scenewright.core.calls.call import Request
from scenewright.core.config import Config
from scenewright.core.operations.model import to_wire
from scenewright.core.runtime import Runtime
from scenewright.godot.engine.language_server.servers import IDLE_SECONDS, LanguageServers

__all__ = ["run"]

CALLS = 60
SCRIPTS = 500
GOALS = {"cold": 3000.0, "warm": 15.0, "rename": 2000.0}
BASE = """class_name Base
extends Node

var health: int = 3


func hit(by: int) -> int:
	health -= by
	return health
"""
USER = "extends Node\n\nvar base: Base = Base.new()\n\n\nfunc strike() -> int:\n\treturn base.hit({at})\n"


def run() -> Iterator[Figure]:
    godot()
    with tempfile.TemporaryDirectory() as folder:
        yield from asyncio.run(_measured(_generated(Path(folder))))


def _generated(project: Path) -> Path:
    (project / "project.godot").write_text('config_version=5\n\n[application]\n\nconfig/name="Bench"\n')
    (project / "base.gd").write_text(BASE)
    for at in range(SCRIPTS - 1):
        (project / f"user{at}.gd").write_text(USER.format(at=at))
    return project


async def _measured(project: Path) -> list[Figure]:
    runtime = make_runtime(Config(project=project, rate_limit=None))
    asked: dict[str, Any] = {"scriptPath": "user7.gd", "symbol": "hit"}
    try:
        cold = await _timed(runtime, "find_definition", **asked)
        warm = median([await _timed(runtime, "find_definition", **asked) for _ in range(CALLS)])
        references = await _timed(runtime, "find_references", scriptPath="base.gd", symbol="hit")
        renamed = await _timed(
            runtime, "rename_symbol", scriptPath="base.gd", symbol="hit", newName="strike_at", dryRun=True
        )
        memory = _memory(runtime)
    finally:
        runtime.close()
    return [
        Figure("first answer", cold, "ms", GOALS["cold"], note=f"{SCRIPTS} scripts"),
        Figure("definition, warm", warm, "ms", GOALS["warm"], note=f"median of {CALLS}"),
        Figure("references", references, "ms", note=f"in {SCRIPTS} scripts"),
        Figure("rename, dry run", renamed, "ms", GOALS["rename"], note=f"over {SCRIPTS} scripts"),
        Figure("memory of the language server", memory, "MB", note=f"given back after {IDLE_SECONDS:g} s"),
    ]


def _memory(runtime: Runtime) -> float:
    """Megabytes of the language server."""
    (pid,) = runtime.services.get(LanguageServers, LanguageServers).pids()
    pages = int(Path(f"/proc/{pid}/statm").read_text().split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE") / 1e6


async def _timed(runtime: Runtime, tool: str, **arguments: Any) -> float:
    begun = time.perf_counter()
    outcome = await runtime.run(Request(tool=tool, arguments=arguments))
    assert outcome.ok, outcome.fault or to_wire(outcome)
    return (time.perf_counter() - begun) * 1000
