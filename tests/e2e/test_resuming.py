"""A client of 2025-11-25 that lost its HTTP connection comes back for the rest, and for nothing else."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx2
import pytest
from tests.e2e.serving import FIXTURES, serving

VERSION, PATH = "2025-11-25", "/mcp"


@pytest.fixture
def http(tmp_path: Path) -> Iterator[httpx2.Client]:
    with (
        serving(program=FIXTURES, folder=tmp_path) as server,
        httpx2.Client(base_url=server.url.removesuffix(PATH), timeout=30) as client,
    ):
        client.headers |= {"Accept": "application/json, text/event-stream", "MCP-Protocol-Version": VERSION}
        yield client


class Session:
    """One MCP session, in plain HTTP."""

    def __init__(self, http: httpx2.Client) -> None:
        self._http = http
        hello = {"protocolVersion": VERSION, "capabilities": {}, "clientInfo": {"name": "test", "version": "1"}}
        opened = http.post(PATH, json={"jsonrpc": "2.0", "id": 0, "method": "initialize", "params": hello})
        self._headers = {"Mcp-Session-Id": opened.headers["mcp-session-id"]}
        self._http.post(PATH, json={"jsonrpc": "2.0", "method": "notifications/initialized"}, headers=self._headers)

    def call(self, tool: str, **arguments: Any) -> list[tuple[str, str]]:
        """Calls a tool; returns the events of the reply's stream, each with its id."""
        params = {"name": tool, "arguments": arguments}
        body = {"jsonrpc": "2.0", "id": 7, "method": "tools/call", "params": params}
        with self._http.stream("POST", PATH, json=body, headers=self._headers) as reply:
            return list(_events(reply))

    def resume(self, after: str) -> str:
        """The first message that came after an event."""
        with self._http.stream("GET", PATH, headers=self._headers | {"Last-Event-ID": after}) as reply:
            return next(data for _, data in _events(reply) if data)


def _events(reply: httpx2.Response) -> Iterator[tuple[str, str]]:
    event: dict[str, str] = {}
    for line in reply.iter_lines():
        key, _, value = line.partition(": ")
        if line:
            event[key.rstrip(":")] = value
        elif event:
            yield event.get("id", ""), event.get("data", "")
            event = {}


def test_the_reply_of_a_call_that_hung_up_can_be_fetched(http: httpx2.Client) -> None:
    session = Session(http)
    ((place, data),) = session.call("test_reconnection")
    assert data == ""
    reply = json.loads(session.resume(place))
    assert reply["id"] == 7
    assert reply["result"]["content"] == [{"type": "text", "text": "The client came back for this."}]


def test_nobody_gets_what_was_sent_to_another_session(http: httpx2.Client) -> None:
    one, other = Session(http), Session(http)
    (place, _), (_, told) = one.call("test_custom_header", region="only-for-one")
    assert "only-for-one" in told
    other.call("test_custom_header", region="only-for-the-other")
    assert "only-for-the-other" in other.resume(place)
