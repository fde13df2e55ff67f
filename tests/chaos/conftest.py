"""What the chaos tests share: a process to kill, and a way to say what is in a project."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from select import select
from typing import Any

import pytest

from scenewright import __version__
from scenewright.app import catalogues
from scenewright.core.calls.call import Outcome, Request
from scenewright.core.config import Config
from scenewright.core.operations.registry import Registry, build_registry
from scenewright.core.runtime import Runtime

ROOT = Path(__file__).parents[2]
PATIENCE = 60.0
OWN = {".scenewright", ".godot_mcp"}

Snapshot = dict[str, tuple[bytes, int] | None]


def snapshot(project: Path) -> Snapshot:
    """Every folder, and every file with its content and permissions, that is not scenewright's own."""
    found: Snapshot = {}
    for place in sorted(project.rglob("*")):
        name = place.relative_to(project)
        if name.parts[0] in OWN:
            continue
        found[str(name)] = None if place.is_dir() else (place.read_bytes(), place.stat().st_mode & 0o7777)
    return found


@dataclass
class Victim:
    """The process of `victim.py`; one job at a time."""

    process: subprocess.Popen[bytes]
    pid: int = 0

    def start(self, project: Path, operations: list[dict[str, Any]], **job: Any) -> None:
        assert self.process.stdin is not None
        job |= {"project": str(project), "operations": operations}
        self.process.stdin.write(json.dumps({"start": 1} | job).encode() + b"\n")
        self.process.stdin.flush()
        self.pid = 0

    def kill(self) -> None:
        assert self.pid > 0  # 0 would mean all of us
        os.kill(self.pid, signal.SIGKILL)

    def next(self, timeout: float = PATIENCE) -> dict[str, Any] | None:
        """What it says next, or None where it says nothing for so long."""
        assert self.process.stdout is not None
        if not select([self.process.stdout], [], [], timeout)[0]:
            return None
        message: dict[str, Any] = json.loads(self.process.stdout.readline())
        self.pid = message.get("pid", self.pid)
        return message

    def wait(self) -> int:
        """How the job ended; 0 or minus the signal."""
        while message := self.next():
            if "ended" in message:
                return int(message["ended"])
        raise TimeoutError("the job does not end")


@pytest.fixture(scope="module")
def victim() -> Iterator[Victim]:
    if not hasattr(os, "fork"):
        pytest.skip("needs fork and SIGKILL")
    # Unbuffered, so that `select` sees all there is to read.
    process = subprocess.Popen(
        [sys.executable, "-m", "tests.chaos.victim"],
        cwd=ROOT,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        bufsize=0,
    )
    assert process.stdin is not None
    assert process.stdout is not None
    with process:
        victim = Victim(process)
        assert victim.next() == {"committed": 0}  # warmed up
        yield victim
        process.stdin.close()
        process.wait(PATIENCE)


@pytest.fixture(scope="module")
def registry() -> Registry:
    return build_registry(catalogues(), verified=True)


@dataclass(frozen=True)
class Survivor:
    """A process that comes after: a new runtime over the same project."""

    runtime: Runtime

    async def call(self, tool: str, arguments: dict[str, Any]) -> Outcome:
        return await self.runtime.run(Request(tool=tool, arguments=arguments, meta={"approved": True}))


def survivor(project: Path, registry: Registry, **settings: Any) -> Survivor:
    config = Config(project=project, rate_limit=None, **settings)
    return Survivor(Runtime(config, registry, server_version=__version__))
