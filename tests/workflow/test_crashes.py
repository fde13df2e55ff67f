"""A server is killed at moments nobody chose, again and again; what it was asked for is done once, and all of it."""

from __future__ import annotations

import json
import os
import random
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from select import select
from typing import Any

import pytest

from scenewright.core.config import Config
from scenewright.core.project import Project
from scenewright.core.state import ProjectState

pytestmark = pytest.mark.xdist_group("workflow-crashes")

ROOT = Path(__file__).parents[2]
PATIENCE = 90.0
KILLS = 50
STEPS = 20


@dataclass
class Server:
    """The process of `lives.py`; one life at a time."""

    process: subprocess.Popen[bytes]
    pid: int = 0

    def start(self, project: Path, definitions: list[dict[str, Any]], **job: Any) -> None:
        assert self.process.stdin is not None
        job |= {"project": str(project), "definitions": definitions}
        self.process.stdin.write(json.dumps(job).encode() + b"\n")
        self.process.stdin.flush()

    def next(self, timeout: float = PATIENCE) -> dict[str, Any] | None:
        """What it says next, or None where it says nothing for so long."""
        assert self.process.stdout is not None
        if not select([self.process.stdout], [], [], timeout)[0]:
            return None
        message: dict[str, Any] = json.loads(self.process.stdout.readline())
        self.pid = message.get("pid", self.pid)
        return message

    def until(self, key: str) -> list[dict[str, Any]]:
        """What it says up to a message with this key, which comes last."""
        heard: list[dict[str, Any]] = []
        while message := self.next():
            heard.append(message)
            if key in message:
                return heard
        raise TimeoutError(f"it does not say {key!r}: {heard}")

    def kill(self) -> None:
        assert self.pid > 0
        os.kill(self.pid, signal.SIGKILL)


@pytest.fixture(scope="module")
def server() -> Iterator[Server]:
    if not hasattr(os, "fork"):
        pytest.skip("needs fork and SIGKILL")
    process = subprocess.Popen(
        [sys.executable, "-m", "tests.workflow.lives"],
        cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, bufsize=0,
    )  # fmt: skip
    assert process.stdin is not None
    with process:
        server = Server(process)
        server.until("warm")
        yield server
        process.stdin.close()
        process.wait(PATIENCE)


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
        inside += any(
            not path.read_text().endswith(f" {STEPS} END") for path in (project / "counted").glob("*.txt")
        )  # fmt: skip

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
