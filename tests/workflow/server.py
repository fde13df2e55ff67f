"""The process of `lives.py`, as tests see it."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from select import select
from typing import Any

__all__ = ["PATIENCE", "Server", "a_server"]

ROOT = Path(__file__).parents[2]
PATIENCE = 120.0


@dataclass
class Server:
    """One life at a time."""

    process: subprocess.Popen[bytes]
    pid: int = 0

    def start(self, project: Path, definitions: list[dict[str, Any]] | None = None, **job: Any) -> None:
        assert self.process.stdin is not None
        job |= {"project": str(project), "definitions": definitions or []}
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


@contextmanager
def a_server() -> Iterator[Server]:
    # Unbuffered, so that `select` sees all there is to read.
    process = subprocess.Popen(
        [sys.executable, "-m", "tests.workflow.lives"],
        cwd=ROOT,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        bufsize=0,
    )
    assert process.stdin is not None
    with process:
        server = Server(process)
        server.until("warm")
        yield server
        process.stdin.close()
        process.wait(PATIENCE)
