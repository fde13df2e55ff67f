"""Who only opens sockets: crowds that ask nothing, heads that never end, sessions that nobody uses any more."""

from __future__ import annotations

import http.client
import json
import socket
import struct
import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from threading import Event
from time import monotonic
from typing import Any
from urllib.parse import urlsplit

import pytest
from tests.e2e.serving import Serving, serving

from scenewright.core.projects.user_folder import user_token
from scenewright.godot.engine.debugger.codec import encode
from scenewright.godot.engine.streams import DebugStream, StreamPlan
from scenewright.roblox.relay.web import PROVE

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="there is no limit of open files to set")

HEADERS = {"Content-Type": "application/json", "Accept": "application/json, text/event-stream"}
MOST_FILES = 256


class Client:
    """A plain HTTP client of one MCP session, on a new connection for each request."""

    def __init__(self, server: Serving) -> None:
        self._place = urlsplit(server.url)
        self._headers = {**HEADERS, "Authorization": f"Bearer {user_token()}"}
        self.status = 0

    def post(self, method: str, params: dict[str, Any]) -> str:
        link = http.client.HTTPConnection(self._place.hostname or "", self._place.port, timeout=60)
        body = {"jsonrpc": "2.0", "id": 1, "method": method, "params": params}
        try:
            link.request("POST", self._place.path, json.dumps(body), self._headers)
            answer = link.getresponse()
            self.status = answer.status
            session = answer.getheader("mcp-session-id")
            self._headers |= {"mcp-session-id": session} if session else {}
            return answer.read().decode()
        finally:
            link.close()

    def initialize(self) -> str:
        about = {"name": "test", "version": "1"}
        return self.post("initialize", {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": about})

    def ping(self) -> str:
        return self.post("tools/call", {"name": "core_ping", "arguments": {}})


@contextmanager
def crowd(url: str, size: int, say: bytes = b"") -> Iterator[None]:
    """Sockets that stay, whether they are wanted or not."""
    place = urlsplit(url)
    with ExitStack() as stack:
        for _ in range(size):
            stranger = stack.enter_context(socket.create_connection((place.hostname or "", place.port or 0), 60))
            stranger.sendall(say)
        yield


CROWDS = pytest.mark.parametrize(
    "say", [b"", b"POST /mcp HTTP/1.1\r\nHost: 127.0.0.1\r\nX: "], ids=["silent", "endless-head"]
)


@CROWDS
def test_idle_connections_do_not_keep_a_client_out(project: Path, say: bytes) -> None:
    (project / "project.godot").write_text("config_version=5\n")
    with serving("--project", str(project), folder=project, most_files=MOST_FILES) as server:
        with crowd(server.url, 400, say):
            inside = Client(server)
            assert "serverInfo" in inside.initialize()
            inside.ping()
            assert inside.status == 200
        after = Client(server)
        assert "serverInfo" in after.initialize()
        after.ping()
        assert after.status == 200
        inside.ping()
        assert inside.status == 200, "the session was lost"
    assert not _ran_out_of_files(server)


@CROWDS
def test_idle_connections_do_not_keep_studio_out(project: Path, say: bytes) -> None:
    with socket.create_server(("127.0.0.1", 0)) as chosen:
        relay = f"127.0.0.1:{chosen.getsockname()[1]}"
    settings = {"GOX_BRIDGE_ENABLED": "true", "GOX_BRIDGE_RELAY_ADDRESS": relay}
    with serving("--project", str(project), folder=project, most_files=MOST_FILES, env=settings) as server:
        client = Client(server)
        client.initialize()
        _wait_for_relay(relay)
        with crowd(f"http://{relay}", 400, say):
            assert _relay_status(relay) == 200
            client.ping()
            assert client.status == 200
        assert _relay_status(relay) == 200
    assert not _ran_out_of_files(server)


def _relay_status(address: str) -> int:
    link = http.client.HTTPConnection(address, timeout=60)
    try:
        link.request("GET", f"{PROVE}?nonce={'0' * 32}")
        return link.getresponse().status
    finally:
        link.close()


def _wait_for_relay(address: str) -> None:
    until = monotonic() + 60
    while True:
        try:
            assert _relay_status(address) == 200
            return
        except ConnectionRefusedError:
            assert monotonic() < until, "the relay does not listen"
            Event().wait(0.05)


def _ran_out_of_files(server: Serving) -> bool:
    return any("out of system resource" in line for line in server.log)


def test_a_session_that_nobody_uses_ends(project: Path) -> None:
    settings = {"SCENEWRIGHT_SESSION_SECONDS": "1"}
    with serving("--project", str(project), folder=project, env=settings) as server:
        client = Client(server)
        client.initialize()
        assert client.status == 200
        for patience in (1.5, 3, 6, 12, 24):  # each look is a use, so the next one must come later
            Event().wait(patience)
            client.ping()
            if client.status != 200:
                break
        assert client.status == 404


# The debugger's port


@pytest.fixture
def taken() -> list[socket.socket]:
    return []


@pytest.fixture
def stream(taken: list[socket.socket]) -> Iterator[DebugStream]:
    made = DebugStream(StreamPlan(port=0, token="secret"), lambda: None, taken.append)
    yield made
    made.close()
    for line in taken:
        line.close()


def packet(*message: Any) -> bytes:
    raw = encode(list(message))
    return struct.pack("<I", len(raw)) + raw


@pytest.mark.parametrize(
    "said",
    [
        b"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n",
        struct.pack("<I", 1 << 30) + b"x" * 100,
        struct.pack("<I", 0),
        packet("set_pid", 1),
        packet(1, 2, 3),
        struct.pack("<I", 8) + struct.pack("<II", 28, 0xFFFFFFFF),
    ],
    ids=["http", "huge", "empty", "short", "no-name", "long-array"],
)
def test_what_is_no_debuggers_message_is_no_game(stream: DebugStream, taken: list[socket.socket], said: bytes) -> None:
    with socket.create_connection(("127.0.0.1", stream.port), 30) as visitor:
        visitor.sendall(said)
        assert _is_hung_up(visitor)
    assert not taken


def test_a_game_gets_in_through_a_crowd_of_the_silent(stream: DebugStream, taken: list[socket.socket]) -> None:
    with ExitStack() as stack:
        strangers = [stack.enter_context(socket.create_connection(("127.0.0.1", stream.port), 30)) for _ in range(60)]
        game = stack.enter_context(socket.create_connection(("127.0.0.1", stream.port), 30))
        game.sendall(packet("set_pid", 1, [4711]))
        until = monotonic() + 30
        while not taken:
            assert monotonic() < until, "the game was not taken"
            Event().wait(0.02)
        assert taken[0].recv(4096) == packet("set_pid", 1, [4711]), "what it said was lost"
        assert _is_hung_up(strangers[0])


def _is_hung_up(line: socket.socket) -> bool:
    try:
        return line.recv(1) == b""
    except ConnectionResetError:
        return True
