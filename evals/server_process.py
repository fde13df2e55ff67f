"""The long-lived server of a trial over a shell: the program under test as an MCP server, behind a socket of the file
system, so that each command of the agent reaches the same one."""

from __future__ import annotations

import contextlib
import json
import os
import socket
import subprocess
import sys
from pathlib import Path
from time import monotonic, sleep
from typing import Any

import anyio
import anyio.abc

from evals.checks.godot import find_engine
from evals.record import Record
from evals.replies import listing_text, read_result

__all__ = ["environment", "run", "serve_command", "start", "stop"]

ROOT = Path(__file__).parents[1]
START_SECONDS = 60
IDLE_SECONDS = 4 * 3600
LONGEST_CALL = 600
_STARTED: dict[str, subprocess.Popen[bytes]] = {}


def serve_command(record: Record) -> list[str]:
    return [*record.program, "serve", "--project", str(Path(record.folder) / "project")]


def environment(record: Record) -> dict[str, str]:
    """The engine is found, and the program keeps its own records apart from the user's."""
    plain = {key: value for key, value in os.environ.items() if not key.startswith(("SCENEWRIGHT_", "GOX_"))}
    return {**plain, "GODOT_PATH": str(find_engine()), "SCENEWRIGHT_HOME": str(record.home / "home")}


def start(record: Record) -> str:
    """Start the process that owns the server and return the listing.

    Raises:
        SystemExit: it did not start.
    """
    command = [sys.executable, "-m", "evals", "_server", record.folder]
    with (record.home / "server.log").open("ab") as log:
        own = subprocess.Popen(
            command, cwd=ROOT, stdin=subprocess.DEVNULL, stdout=log, stderr=log, start_new_session=True
        )
    _STARTED[record.folder] = own
    listing = record.home / "listing.txt"
    latest = monotonic() + START_SECONDS
    while not listing.is_file():
        if own.poll() is not None or monotonic() > latest:
            raise SystemExit(f"The server did not start; {record.home / 'server.log'} says why.")
        sleep(0.1)
    return listing.read_text(encoding="utf-8")


def stop(record: Record) -> None:
    """Ask the server of a trial to end; it may have ended long ago."""
    place = record.home / "socket"
    if place.is_file():
        with contextlib.suppress(OSError), socket.socket(socket.AF_UNIX) as line:
            line.settimeout(30)
            line.connect(place.read_text())
            line.sendall(b'{"stop": true}\n')
            line.recv(100)
    if own := _STARTED.pop(record.folder, None):
        own.wait(30)


def run(record: Record) -> None:
    anyio.run(_serve, record)


async def _serve(record: Record) -> None:
    from mcp import StdioServerParameters
    from mcp.client import Client
    from mcp.client.stdio import stdio_client

    command = serve_command(record)
    server = StdioServerParameters(
        command=command[0], args=command[1:], env=environment(record), cwd=Path(record.folder) / "project"
    )
    async with Client(stdio_client(server), read_timeout_seconds=LONGEST_CALL) as client:
        door = _Door(client, record)
        listing = await door.listing()
        place = Path((record.home / "socket").read_text())
        async with await anyio.create_unix_listener(place, mode=0o600) as listener:
            # Written under another name first: whoever waits for it finds it whole.
            partial = record.home / "listing.part"
            partial.write_text(listing, encoding="utf-8")
            partial.rename(record.home / "listing.txt")
            with anyio.move_on_after(IDLE_SECONDS) as door.patience:
                await listener.serve(door.answer)


class _Door:
    """Takes a line of JSON from each who connects, and gives one back."""

    def __init__(self, client: Any, record: Record) -> None:
        self._client = client
        self._record = record
        self.patience: anyio.CancelScope | None = None

    async def answer(self, line: anyio.abc.SocketStream) -> None:
        async with line:
            asked = json.loads(await _read_line(line))
            reply = await self._reply(asked)
            await line.send(json.dumps(reply).encode() + b"\n")
        if self.patience is not None:
            self.patience.deadline = anyio.current_time() + IDLE_SECONDS
            if asked.get("stop"):
                self.patience.cancel()

    async def _reply(self, asked: dict[str, Any]) -> dict[str, Any]:
        if asked.get("listing"):
            return {"text": await self.listing()}
        if asked.get("unparsed"):
            self._record.unparsed += 1
            self._record.save()
        if "tool" not in asked:
            return {}
        text, failed = await self._call(asked["tool"], asked["arguments"])
        return {"text": text, "failed": failed}

    async def listing(self) -> str:
        """What hosts show of the server; a listing has no second page that a host would leave out."""
        tools: list[dict[str, Any]] = []
        cursor = None
        while True:
            page = await self._client.list_tools(cursor=cursor, cache_mode="refresh")
            tools += [tool.model_dump(by_alias=True, exclude_none=True) for tool in page.tools]
            if not (cursor := page.next_cursor):
                break
        text = listing_text(self._client.instructions or "", tools)
        self._record.listed(len(text.encode()), self._client.server_info.version)
        return text

    async def _call(self, tool: str, arguments: dict[str, Any]) -> tuple[str, bool]:
        from mcp import MCPError

        began = monotonic()
        pictures = 0
        try:
            told = await self._client.call_tool(tool, arguments)
            result = told.model_dump(by_alias=True, exclude_none=True, mode="json")
            folder = Path(self._record.folder) / "pictures"
            text, pictures = read_result(result, folder, self._record.calls + 1)
            failed = bool(result.get("isError"))
        except MCPError as error:
            text = json.dumps(error.error.model_dump(by_alias=True, exclude_none=True), ensure_ascii=False)
            failed = True
        self._record.called(tool, arguments, text, failed=failed, pictures=pictures, seconds=monotonic() - began)
        return text, failed


async def _read_line(line: anyio.abc.SocketStream) -> bytes:
    received = b""
    while not received.endswith(b"\n"):
        received += await line.receive()
    return received
