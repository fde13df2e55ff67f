"""A real server over HTTP, as a process of its own."""

from __future__ import annotations

import json
import os
import queue
import subprocess
import sys
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

__all__ = ["FIXTURES", "Serving", "serving"]

PRODUCT = ("scenewright", "serve")
FIXTURES = ("tests.conformance.server",)
"""The product with what the MCP conformance suite calls beside it; it asks for no token."""

ROOT = Path(__file__).parents[2]
START_SECONDS = 60
STOP_SECONDS = 20


@dataclass(frozen=True)
class Serving:
    """A running server: where it listens, and what it has logged so far."""

    url: str
    log: list[str] = field(default_factory=list)


@contextmanager
def serving(
    *options: str,
    folder: Path,
    program: tuple[str, ...] = PRODUCT,
    most_files: int | None = None,
    env: Mapping[str, str] | None = None,
) -> Iterator[Serving]:
    """Starts a server in a folder on a free port, and stops it again; `most_files` is what it may have open."""
    command = [sys.executable, "-m", *program, "--http", "127.0.0.1:0", *options]
    if most_files is not None:
        command = ["sh", "-c", f'ulimit -n {most_files} && exec "$@"', "sh", *command]
    process = subprocess.Popen(
        command,
        cwd=folder,
        env={**os.environ, "PYTHONPATH": str(ROOT), **(env or {})},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
    )
    log: list[str] = []
    urls: queue.Queue[str | None] = queue.Queue()
    reader = threading.Thread(target=_read, args=(process, log, urls), daemon=True)
    reader.start()
    try:
        url = urls.get(timeout=START_SECONDS)
        assert url is not None, "the server ended at once:\n" + "".join(log)
        yield Serving(url, log)
    finally:
        process.terminate()
        process.wait(timeout=STOP_SECONDS)
        reader.join(timeout=STOP_SECONDS)
        assert process.stderr is not None
        process.stderr.close()


def _read(process: subprocess.Popen[str], log: list[str], urls: queue.Queue[str | None]) -> None:
    """Takes in what the server says for as long as it runs, so that it never has to wait for us."""
    assert process.stderr is not None
    for line in process.stderr:
        log.append(line)
        text = json.loads(line)["message"] if line.startswith("{") else ""
        if text.startswith("listening on "):
            urls.put(text.removeprefix("listening on "))
    urls.put(None)
