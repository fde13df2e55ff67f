"""Real servers as processes, over pipes and over HTTP, that may die at any moment and are started again."""

from __future__ import annotations

import asyncio
import json
import os
import sys
from contextlib import suppress
from pathlib import Path
from typing import Any, Protocol

import httpx2

from scenewright.core.projects.user_folder import user_token

__all__ = ["Connection", "HttpServer", "PipeServer", "ServerDied", "Visitor"]

VERSION = "2025-11-25"
HELLO = {"protocolVersion": VERSION, "capabilities": {}, "clientInfo": {"name": "soak", "version": "1"}}
START_SECONDS = 120
ANSWER_SECONDS = 120
LINE_BYTES = 1 << 24


class ServerDied(Exception):
    """The server went away before it answered; what became of the call is unknown."""


class Connection(Protocol):
    """A client's way to its server."""

    async def call(self, tool: str, arguments: dict[str, Any]) -> dict[str, Any]:
        """Return the envelope of the reply.

        Raises:
            ServerDied: there was no answer.
        """


def _environment() -> dict[str, str]:
    return {**os.environ, "SCENEWRIGHT_RATE_LIMIT": "off"}


class _Server:
    """A process that is killed and started again; who needs it waits until it is up."""

    def __init__(self, project: Path) -> None:
        self._project = project
        self._process: asyncio.subprocess.Process | None = None
        self.is_up = asyncio.Event()

    @property
    def pid(self) -> int:
        assert self._process is not None
        return self._process.pid

    async def start(self) -> None:
        await self._start()
        self.is_up.set()

    async def kill(self) -> None:
        self.is_up.clear()
        if self._process is not None and self._process.returncode is None:
            self._process.kill()
            await self._process.wait()

    async def _start(self) -> None:
        raise NotImplementedError


class PipeServer(_Server):
    """A server of one client, over its standard input and output."""

    def __init__(self, project: Path) -> None:
        super().__init__(project)
        self._next = 0

    async def _start(self) -> None:
        self._process = await asyncio.create_subprocess_exec(
            *(sys.executable, "-m", "scenewright", "serve", "--project", str(self._project)),
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.DEVNULL,
            cwd=self._project,
            env=_environment(),
            limit=LINE_BYTES,
        )
        await self._request("initialize", HELLO)
        self._send({"jsonrpc": "2.0", "method": "notifications/initialized"})

    async def call(self, tool: str, arguments: dict[str, Any]) -> dict[str, Any]:
        await self.is_up.wait()
        reply = await self._request("tools/call", {"name": tool, "arguments": arguments})
        body: dict[str, Any] = reply["structuredContent"]
        return body

    async def stop(self) -> None:
        """End it as a client does: by closing its input."""
        if self._process is None or self._process.returncode is not None:
            return
        assert self._process.stdin is not None
        self._process.stdin.close()
        try:
            await asyncio.wait_for(self._process.wait(), 30)
        except TimeoutError:
            await self.kill()

    async def _request(self, method: str, params: dict[str, Any]) -> dict[str, Any]:
        self._next += 1
        number = self._next
        try:
            self._send({"jsonrpc": "2.0", "id": number, "method": method, "params": params})
            return await asyncio.wait_for(self._answer(number), ANSWER_SECONDS)
        except (ConnectionError, TimeoutError) as error:
            raise ServerDied from error

    async def _answer(self, number: int) -> dict[str, Any]:
        assert self._process is not None
        assert self._process.stdout is not None
        while line := await self._process.stdout.readline():
            with suppress(json.JSONDecodeError):
                message = json.loads(line)
                if message.get("id") == number:
                    assert "result" in message, message
                    result: dict[str, Any] = message["result"]
                    return result
        await self._process.wait()
        raise ConnectionError

    def _send(self, message: dict[str, Any]) -> None:
        assert self._process is not None
        assert self._process.stdin is not None
        self._process.stdin.write(json.dumps(message).encode() + b"\n")


class HttpServer(_Server):
    """A server of many clients."""

    def __init__(self, project: Path) -> None:
        super().__init__(project)
        self.url = ""
        self.token = ""
        self._reader: asyncio.Task[None] | None = None

    async def _start(self) -> None:
        self._process = await asyncio.create_subprocess_exec(
            *(sys.executable, "-m", "scenewright", "serve", "--http", "127.0.0.1:0", "--project", str(self._project)),
            stdin=asyncio.subprocess.DEVNULL,
            stdout=asyncio.subprocess.DEVNULL,
            stderr=asyncio.subprocess.PIPE,
            cwd=self._project,
            env=_environment(),
            limit=LINE_BYTES,
        )
        self.url = await asyncio.wait_for(self._listening(), START_SECONDS)
        self.token = user_token()
        self._reader = asyncio.create_task(self._read_on())

    async def kill(self) -> None:
        await super().kill()
        if self._reader is not None:
            await self._reader

    async def _listening(self) -> str:
        assert self._process is not None
        assert self._process.stderr is not None
        while line := await self._process.stderr.readline():
            text = json.loads(line)["message"] if line.startswith(b"{") else ""
            if text.startswith("listening on "):
                return str(text.removeprefix("listening on "))
        raise RuntimeError("the HTTP server ended at once")

    async def _read_on(self) -> None:
        """Take in what it says, so that it never waits for us."""
        assert self._process is not None
        assert self._process.stderr is not None
        while await self._process.stderr.read(1 << 16):
            pass


class Visitor:
    """One client of an HTTP server, with a session of its own that is begun again when the server is."""

    def __init__(self, server: HttpServer) -> None:
        self._server = server
        self._http = httpx2.AsyncClient(timeout=ANSWER_SECONDS)
        self._session: tuple[str, str] | None = None  # the server's address, and the session there
        self._next = 0

    async def call(self, tool: str, arguments: dict[str, Any]) -> dict[str, Any]:
        await self._server.is_up.wait()
        if self._session is None or self._session[0] != self._server.url:
            await self._begin()
        reply = await self._post("tools/call", {"name": tool, "arguments": arguments})
        body: dict[str, Any] = reply["structuredContent"]
        return body

    async def close(self) -> None:
        await self._http.aclose()

    async def _begin(self) -> None:
        self._session = (self._server.url, "")
        await self._post("initialize", HELLO)
        await self._post("notifications/initialized", None)

    async def _post(self, method: str, params: dict[str, Any] | None) -> dict[str, Any]:
        assert self._session is not None
        url, session = self._session
        headers = {"Accept": "application/json, text/event-stream", "Authorization": f"Bearer {self._server.token}"}
        headers["MCP-Protocol-Version"] = VERSION
        if session:
            headers["Mcp-Session-Id"] = session
        message: dict[str, Any] = {"jsonrpc": "2.0", "method": method}
        if params is not None:
            self._next += 1
            message |= {"id": self._next, "params": params}
        try:
            response = await self._http.post(url, json=message, headers=headers)
        except httpx2.TransportError as error:
            self._session = None
            raise ServerDied from error
        if response.status_code >= 400:
            self._session = None
            raise ServerDied(f"{response.status_code} {response.text[:200]}")
        self._session = (url, response.headers.get("mcp-session-id", session))
        return {} if params is None else self._read(response.text)

    def _read(self, text: str) -> dict[str, Any]:
        lines = [line.removeprefix("data:").strip() for line in text.splitlines() if line.startswith("data:")]
        for line in lines or [text]:
            if line and (message := json.loads(line)).get("id") == self._next:
                assert "result" in message, message
                result: dict[str, Any] = message["result"]
                return result
        self._session = None
        raise ServerDied("the answer's stream ended without it")
