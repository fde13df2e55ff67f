"""Throughput over HTTP: 1, 10 and 100 clients that read and write files of one project, each its own."""

from __future__ import annotations

import asyncio
import json
import os
import re
import subprocess
import sys
import tempfile
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path
from time import perf_counter
from typing import Any

import psutil

from bench.figures import Figure

__all__ = ["run"]

CLIENTS = (1, 10, 100)
SECONDS = float(os.environ.get("BENCH_HTTP_SECONDS", "5"))
_HELLO = {"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "bench", "version": "1"}}
Times = dict[str, list[float]]


def run() -> Iterator[Figure]:
    for clients in CLIENTS:
        with tempfile.TemporaryDirectory() as name:
            folder = Path(name)
            (folder / "project.godot").write_text("config_version=5\n")
            yield from _measure(folder, clients)


def _measure(folder: Path, clients: int) -> Iterator[Figure]:
    env = {**os.environ, "SCENEWRIGHT_RATE_LIMIT": "off"}
    command = [sys.executable, "-m", "scenewright", "serve", "--http", "127.0.0.1:0", "--no-token"]
    with subprocess.Popen(command, cwd=folder, env=env, stderr=subprocess.PIPE, text=True) as server:
        try:
            assert server.stderr is not None
            port = next(int(found[1]) for line in server.stderr if (found := re.search(r":(\d+)/mcp", line)))
            process = psutil.Process(server.pid)
            before = sum(process.cpu_times()[:2])
            times = asyncio.run(_visit(port, clients))
            count = sum(map(len, times.values()))
            busy = (sum(process.cpu_times()[:2]) - before) * 1000 / count
        finally:
            server.terminate()
    who = f"{clients} client{'' if clients == 1 else 's'}"
    yield Figure(f"{who}, calls", count / SECONDS, "calls/s")
    yield Figure(f"{who}, one call, server", busy, "ms", clock="processor")
    for kind in ("read", "write"):
        ordered = sorted(times[kind])
        for share in (50, 99):
            yield Figure(f"{who}, {kind} p{share}", ordered[len(ordered) * share // 100] * 1000, "ms")


async def _visit(port: int, clients: int) -> Times:
    times: Times = defaultdict(list)
    connections = [await _Connection.opened(port) for _ in range(clients)]
    ends = perf_counter() + SECONDS
    await asyncio.gather(*(_work(each, number, ends, times) for number, each in enumerate(connections)))
    return times


async def _work(connection: _Connection, number: int, ends: float, times: Times) -> None:
    count = 0
    while (began := perf_counter()) < ends:
        writes = count % 3 == 0
        arguments: dict[str, Any] = {"path": f"visitors/{number}.txt"}
        if writes:
            arguments |= {"content": f"{count}\n" * 20, "overwrite": True}
        await connection.call("write_file" if writes else "read_file", arguments)
        times["write" if writes else "read"].append(perf_counter() - began)
        count += 1


class _Connection:
    """One session on one connection that stays open."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._reader, self._writer = reader, writer
        self._session = ""
        self._count = 0

    @classmethod
    async def opened(cls, port: int) -> _Connection:
        connection = cls(*await asyncio.open_connection("127.0.0.1", port))
        await connection._request({"id": 0, "method": "initialize", "params": _HELLO})
        await connection._request({"method": "notifications/initialized"})
        return connection

    async def call(self, tool: str, arguments: dict[str, Any]) -> None:
        self._count += 1
        params = {"name": tool, "arguments": arguments}
        answer = await self._request({"id": self._count, "method": "tools/call", "params": params})
        assert b'"isError":true' not in answer, answer

    async def _request(self, message: dict[str, Any]) -> bytes:
        body = json.dumps({"jsonrpc": "2.0", **message}).encode()
        head = (
            "POST /mcp HTTP/1.1\r\nHost: 127.0.0.1:1\r\nContent-Type: application/json\r\n"
            "Accept: application/json, text/event-stream\r\nMCP-Protocol-Version: 2025-11-25\r\n"
            f"{self._session}Content-Length: {len(body)}\r\n\r\n"
        )
        self._writer.write(head.encode() + body)
        return await self._reply()

    async def _reply(self) -> bytes:
        head = (await self._reader.readuntil(b"\r\n\r\n")).decode().lower()
        if session := re.search(r"\r\nmcp-session-id: (\S+)", head):
            self._session = f"Mcp-Session-Id: {session[1]}\r\n"
        if length := re.search(r"content-length: (\d+)", head):
            return await self._reader.readexactly(int(length[1]))
        body = b""
        while size := int(await self._reader.readline(), 16):
            body += (await self._reader.readexactly(size + 2))[:-2]
        await self._reader.readline()
        return body
