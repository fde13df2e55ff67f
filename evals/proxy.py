"""A trial over MCP: the program's own server on stdio, its lines passed on as they are, calls and replies counted."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from threading import Lock, Thread
from time import monotonic
from typing import IO, Any

from evals.record import Record
from evals.replies import listing_text, read_result
from evals.server_process import environment, serve_command

__all__ = ["Counter", "run"]


class Counter:
    """Watches the messages of both sides; knows no pipes."""

    def __init__(self, record: Record) -> None:
        self._record = record
        self._asked: dict[Any, tuple[dict[str, Any], float]] = {}
        self._instructions = ""
        self._version = ""
        self._lock = Lock()

    def sent(self, line: bytes) -> None:
        """A line of the client."""
        message = _parsed(line)
        if "method" in message and "id" in message:
            with self._lock:
                self._asked[message["id"]] = (message, monotonic())

    def received(self, line: bytes) -> None:
        """A line of the server."""
        message = _parsed(line)
        with self._lock:
            request, began = self._asked.pop(message.get("id"), ({}, 0.0)) if "method" not in message else ({}, 0.0)
        result = message.get("result") or {}
        method = request.get("method")
        if method in ("initialize", "server/discover"):
            self._instructions = result.get("instructions", "")
            told = result.get("serverInfo") or (result.get("_meta") or {}).get("io.modelcontextprotocol/serverInfo", {})
            self._version = told.get("version", "")
        elif method == "tools/list" and result:
            text = listing_text(self._instructions, result["tools"])
            self._record.listed(len(text.encode()), self._version)
        elif method == "tools/call":
            self._count(request["params"], message, monotonic() - began)

    def _count(self, params: dict[str, Any], message: dict[str, Any], seconds: float) -> None:
        result = message.get("result")
        pictures = self._record.home / "pictures"
        if result is None:
            text, count, failed = json.dumps(message.get("error"), ensure_ascii=False), 0, True
        else:
            text, count = read_result(result, pictures, self._record.calls + 1)
            failed = bool(result.get("isError"))
        self._record.called(
            params["name"], params.get("arguments", {}), text, failed=failed, pictures=count, seconds=seconds
        )


def run(record: Record) -> int:
    """Serve until the client closes its side."""
    counter = Counter(record)
    with (record.home / "server.log").open("ab") as log:
        server = subprocess.Popen(
            serve_command(record),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=log,
            env=environment(record),
            cwd=Path(record.folder) / "project",
        )
    assert server.stdin is not None
    assert server.stdout is not None
    back = Thread(target=_pass_on, args=(server.stdout, sys.stdout.buffer, counter.received), daemon=True)
    back.start()
    _pass_on(sys.stdin.buffer, server.stdin, counter.sent)
    server.stdin.close()
    back.join()
    return server.wait()


def _pass_on(source: IO[bytes], target: IO[bytes], watch: Any) -> None:
    for line in source:
        watch(line)
        target.write(line)
        target.flush()


def _parsed(line: bytes) -> dict[str, Any]:
    try:
        message = json.loads(line)
    except ValueError:
        return {}
    return message if isinstance(message, dict) else {}
