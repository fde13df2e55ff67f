"""The real HTTP server, knocked at in every wrong way."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from http.client import HTTPConnection
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.fuzz.effort import few
from tests.fuzz.shapes import INTERNALS
from tests.fuzz.wire import HANDSHAKE, MODERN, serving

from scenewright.core.projects.user_folder import user_token

HEADERS = {"Content-Type": "application/json", "Accept": "application/json, text/event-stream"}
PING = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": "core.ping", "arguments": {}}}
MODERN_PING = PING | {"params": {"name": "core.ping", "arguments": {}, "_meta": MODERN}}
ODD_HANDSHAKE = HANDSHAKE | {"capabilities": 5}
ROUTING = {"MCP-Protocol-Version": "2026-07-28", "Mcp-Method": "tools/call", "Mcp-Name": "core.ping"}


@dataclass(frozen=True)
class Http:
    """A client of one address that keeps no connection."""

    host: str
    port: int

    def send(self, body: bytes, method: str = "POST", **headers: str) -> tuple[int, str]:
        named = HEADERS | {name.replace("_", "-"): value for name, value in headers.items()}
        connection = HTTPConnection(self.host, self.port, timeout=60)
        try:
            connection.request(method, "/mcp", body, named)
            answer = connection.getresponse()
            return answer.status, answer.read().decode("utf-8", "replace")
        finally:
            connection.close()

    def ping(self, **headers: str) -> None:
        status, text = self.send(json.dumps(MODERN_PING).encode(), **ROUTING, **headers)
        assert status == 200, text
        assert '"ok":true' in text.replace(" ", "")


@contextmanager
def listening(project: Path, *options: str) -> Iterator[Http]:
    with serving(project, "--http", "127.0.0.1:0", *options) as wire:
        address = urlsplit(json.loads(wire.logged("listening on"))["message"].rpartition(" ")[2])
        assert address.hostname
        assert address.port
        try:
            yield Http(address.hostname, address.port)
        finally:
            wire.process.terminate()
            log = wire.close()
    assert "Traceback" not in log, log


@pytest.fixture(scope="module")
def http(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Http]:
    with listening(tmp_path_factory.mktemp("open"), "--no-token") as http:
        yield http


BODIES = {
    "nothing": b"",
    "words": b"hello",
    "cut": b'{"jsonrpc":"2.0","id":1,"method":"tools/ca',
    "binary": b"\xff\xfe\0",
    "batch": b"[]",
    "number": b"5",
    "deep": b"[" * 100_000,
    "no version": b'{"id":1,"method":"ping"}',
    "no method": b'{"jsonrpc":"2.0","id":1}',
    "id of an odd kind": b'{"jsonrpc":"2.0","id":[],"method":"tools/list"}',
    "half a character": b'{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"x":"\\ud800"}}',
    "handshake of an odd kind": json.dumps(PING | {"method": "initialize", "params": ODD_HANDSHAKE}).encode(),
}


@pytest.mark.parametrize("name", BODIES)
def test_a_bad_body_is_refused(http: Http, name: str) -> None:
    status, text = http.send(BODIES[name])
    assert 200 <= status < 500
    assert '"result"' not in text
    assert INTERNALS.search(text) is None
    http.ping()


@few
@given(body=st.binary(max_size=60))
def test_any_bytes_are_refused(http: Http, body: bytes) -> None:
    status, text = http.send(body)
    assert 400 <= status < 500
    assert INTERNALS.search(text) is None


def test_a_body_of_5_mb_is_refused(http: Http) -> None:
    params = {"name": "core.ping", "arguments": {"x": "y" * 5_000_000}, "_meta": MODERN}
    status, text = http.send(json.dumps(PING | {"params": params}).encode(), **ROUTING)
    assert status < 500
    assert '"result"' not in text
    http.ping()


@pytest.mark.parametrize("method", ["GET", "PUT", "DELETE", "PATCH", "BREW"])
def test_another_method_is_refused(http: Http, method: str) -> None:
    status, text = http.send(b"", method, Accept="application/json")
    assert 400 <= status < 500
    assert INTERNALS.search(text) is None
    http.ping()


@pytest.mark.parametrize("host", ["evil.example", "evil.example:80", "127.0.0.1.evil.example", "localhost.evil:1", ""])
def test_another_host_is_refused(http: Http, host: str) -> None:
    status, _ = http.send(json.dumps(MODERN_PING).encode(), Host=host, **ROUTING)
    assert 400 <= status < 500


@pytest.mark.parametrize("origin", ["http://evil.example", "https://127.0.0.1.evil.example", "null", "file://"])
def test_another_origin_is_refused(http: Http, origin: str) -> None:
    status, _ = http.send(json.dumps(MODERN_PING).encode(), Origin=origin, **ROUTING)
    assert status == 403


def test_an_unknown_session_is_refused(http: Http) -> None:
    status, text = http.send(json.dumps(PING).encode(), Mcp_Session_Id="made-up")
    assert status == 404
    assert INTERNALS.search(text) is None


def test_only_who_knows_the_token_is_let_in(tmp_path: Path) -> None:
    with listening(tmp_path) as http:
        token = user_token()
        for given_ in (
            None,
            "",
            token,
            "Bearer",
            "Bearer ",
            "Bearer wrong",
            f"Bearer {token}x",
            f"Basic {token}",
            "Bearer é",
        ):
            headers = {} if given_ is None else {"Authorization": given_}
            assert http.send(json.dumps(MODERN_PING).encode(), **ROUTING, **headers)[0] == 401
            assert http.send(b"", "GET", **headers)[0] == 401
        http.ping(Authorization=f"Bearer {token}")
