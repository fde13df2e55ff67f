"""A raw client of `scenewright serve`: it sends any bytes, and trusts nothing that comes back."""

from __future__ import annotations

import json
import os
import queue
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Any

Reply = dict[str, Any]
WAIT_SECONDS = 60.0
HANDSHAKE = {"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "raw", "version": "0"}}
MODERN = {
    "io.modelcontextprotocol/protocolVersion": "2026-07-28",
    "io.modelcontextprotocol/clientCapabilities": {},
}


class Wire:
    """One server process, spoken to in lines."""

    def __init__(self, project: Path, *options: str, **environment: str) -> None:
        self.process = subprocess.Popen(
            [sys.executable, "-m", "scenewright", "serve", "--project", str(project), *options],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            env=_plain_environment() | {"SCENEWRIGHT_RATE_LIMIT": "off"} | environment,
        )
        assert self.process.stdin
        assert self.process.stdout
        assert self.process.stderr
        self._input = self.process.stdin
        self._arrived: queue.SimpleQueue[bytes | None] = queue.SimpleQueue()
        self._log: list[str] = []
        self._grown = threading.Condition()
        self._threads = [
            threading.Thread(target=self._pump, args=(self.process.stdout,), daemon=True),
            threading.Thread(target=self._keep, args=(self.process.stderr,), daemon=True),
        ]
        for thread in self._threads:
            thread.start()
        self._pings = 0
        self.modern = False

    def send(self, line: bytes, *, end: bytes = b"\n") -> None:
        self._input.write(line + end)
        self._input.flush()

    def receive(self) -> Reply:
        """The next message, which must be JSON-RPC whatever was sent."""
        line = self._arrived.get(timeout=WAIT_SECONDS)
        assert line is not None, "the server ended: " + "".join(self._log)
        message = json.loads(line.decode("utf-8"))
        assert isinstance(message, dict)
        assert message["jsonrpc"] == "2.0"
        # What this client reads must be text that can be written again.
        json.dumps(message, ensure_ascii=False).encode("utf-8")
        return message

    def answers(self, line: bytes, *, count: int = 1) -> list[Reply]:
        """The answers to a line, after which a ping is answered; a further one would be noticed at the next call."""
        self.send(line)
        found: list[Reply] = []
        while len(found) < count:
            self._take(found)
        self.ping(found)
        assert len(found) == count, found
        return found

    def answer(self, line: bytes) -> Reply:
        return self.answers(line)[0]

    def call(self, tool: str, arguments: Any, meta: Reply | None = None) -> Reply:
        """The answer to `tools/call`, and nothing but one answer."""
        both = (MODERN if self.modern else {}) | (meta or {})
        params = {"name": tool, "arguments": arguments} | ({"_meta": both} if both else {})
        return self.request("tools/call", params)

    def request(self, method: str, params: Any = None, *, request_id: Any = 1) -> Reply:
        """The answer to a well-formed request."""
        message = {"jsonrpc": "2.0", "id": request_id, "method": method}
        if params is not None:
            message["params"] = params
        reply = self.answer(json.dumps(message).encode())
        assert reply["id"] == request_id
        return reply

    def ping(self, others: list[Reply] | None = None) -> None:
        """Calls `core.ping` and waits for its answer; what else arrives is kept in `others`, or is too much."""
        self._pings += 1
        name = f"ping-{self._pings}"
        params: Reply = {"name": "core.ping", "arguments": {}} | ({"_meta": MODERN} if self.modern else {})
        self.send(json.dumps({"jsonrpc": "2.0", "id": name, "method": "tools/call", "params": params}).encode())
        found: list[Reply] = []
        while not (found and found[-1].get("id") == name):
            self._take(found)
        assert found[-1]["result"]["structuredContent"]["output"]["ok"] is True
        if others is None:
            assert len(found) == 1, found
        else:
            others += found[:-1]

    def initialize(self) -> Reply:
        reply = self.request("initialize", HANDSHAKE)
        self.send(b'{"jsonrpc":"2.0","method":"notifications/initialized"}')
        return reply

    def hang_up(self) -> None:
        self._input.close()

    def close(self) -> str:
        """Ends the session as a client does, and returns what the server logged."""
        self.hang_up()
        self.process.wait(timeout=WAIT_SECONDS)
        for thread in self._threads:
            thread.join(timeout=WAIT_SECONDS)
        for stream in (self.process.stdout, self.process.stderr):
            assert stream
            stream.close()
        return "".join(self._log)

    def logged(self, words: str) -> str:
        """The first line of the log with these words, waited for."""
        with self._grown:
            assert self._grown.wait_for(lambda: words in self.log, WAIT_SECONDS), self.log
            return next(line for line in self._log if words in line)

    @property
    def log(self) -> str:
        return "".join(self._log)

    def _take(self, found: list[Reply]) -> None:
        message = self.receive()
        if "method" not in message:  # a notification of the server is no answer
            found.append(message)

    def _pump(self, stream: IO[bytes]) -> None:
        for line in stream:
            self._arrived.put(line)
        self._arrived.put(None)

    def _keep(self, stream: IO[bytes]) -> None:
        for line in stream:
            with self._grown:
                self._log.append(line.decode("utf-8", "replace"))
                self._grown.notify_all()


HOME = "SCENEWRIGHT_HOME"


def _plain_environment() -> dict[str, str]:
    ours = ("SCENEWRIGHT_", "GOX_", "GODOT_MCP_", "ALLOW_", "READ_ONLY")
    return {name: value for name, value in os.environ.items() if not name.startswith(ours) or name == HOME}


@contextmanager
def serving(project: Path, *options: str, **environment: str) -> Iterator[Wire]:
    """A server for as long as the block lasts; it must end by itself when the client leaves."""
    wire = Wire(project, *options, **environment)
    try:
        yield wire
        wire.close()
    finally:
        wire.process.kill()
        wire.process.wait()
