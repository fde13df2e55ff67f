"""A raw MCP client over pipes: as little as possible between the clock and the server."""

from __future__ import annotations

import json
import os
import subprocess
from collections.abc import Sequence
from pathlib import Path
from time import perf_counter
from types import TracebackType
from typing import Any, Self

import psutil

__all__ = ["Server"]

_HELLO = {
    "protocolVersion": "2025-11-25",
    "capabilities": {},
    "clientInfo": {"name": "bench", "version": "1"},
}


class Server:
    """A server process, started and initialized."""

    def __init__(self, command: Sequence[str], folder: Path, **settings: str) -> None:
        # Byte code is written on the first start, as on a user's machine.
        env = {key: value for key, value in os.environ.items() if key != "PYTHONDONTWRITEBYTECODE"}
        env |= {"SCENEWRIGHT_RATE_LIMIT": "off", **settings}
        began = perf_counter()
        self._process = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, cwd=folder, env=env
        )
        self._next = 0
        self.request("initialize", _HELLO)
        self.start_seconds = perf_counter() - began
        self._send({"jsonrpc": "2.0", "method": "notifications/initialized"})

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.close()
        self._process.wait(timeout=10)
        self._process.stdout.close()

    @property
    def resident_bytes(self) -> int:
        return int(psutil.Process(self._process.pid).memory_info().rss)

    @property
    def busy_seconds(self) -> float:
        """How long the process has had a processor."""
        times = psutil.Process(self._process.pid).cpu_times()
        return float(times.user + times.system)

    def request(self, method: str, params: dict[str, Any]) -> dict[str, Any]:
        """Return the message that answers a request, which must succeed."""
        message = self.ask(method, params)
        assert "result" in message, message
        return message

    def ask(self, method: str, params: dict[str, Any]) -> dict[str, Any]:
        """Return the message that answers a request, be it a result or an error."""
        self._next += 1
        self._send({"jsonrpc": "2.0", "id": self._next, "method": method, "params": params})
        assert self._process.stdout is not None
        while True:
            message: dict[str, Any] = json.loads(self._process.stdout.readline())
            if message.get("id") == self._next:
                return message

    def call(self, tool: str) -> float:
        """Seconds for one call."""
        began = perf_counter()
        self.request("tools/call", {"name": tool, "arguments": {}})
        return perf_counter() - began

    def _send(self, message: dict[str, Any]) -> None:
        assert self._process.stdin is not None
        self._process.stdin.write(json.dumps(message).encode() + b"\n")
        self._process.stdin.flush()
