"""The same protocol over a WebSocket."""

from __future__ import annotations

import json
import threading
from contextlib import suppress

import pytest
from tests.roblox.relay.conftest import TOKEN
from websockets.exceptions import ConnectionClosed, InvalidStatus
from websockets.sync.client import ClientConnection, connect

from scenewright.core.faults import TimedOut
from scenewright.roblox.relay.hub import Ask
from scenewright.roblox.relay.server import Relay


def _open(relay: Relay, **headers: str) -> ClientConnection:
    given = {"X-Gox-Auth": TOKEN} | headers
    return connect(
        relay.url.replace("http", "ws", 1) + "/v1/bridge/socket",
        additional_headers=given,
        compression=None,
        max_size=None,
        open_timeout=20,
    )


def _answer(socket: ClientConnection, payload: object) -> dict[str, object]:
    request: dict[str, object] = json.loads(socket.recv(20))
    ids = {key: request[key] for key in ("requestId", "correlationId")}
    socket.send(json.dumps(ids | {"success": True, "timestamp": "now", "payload": payload}))
    return request


def _shake_hands(socket: ClientConnection) -> None:
    assert _answer(socket, {"authenticated": True})["operation"] == "bridge.auth"
    assert _answer(socket, {"protocolVersion": "1.1", "capabilities": []})["operation"] == "bridge.hello"


def test_a_call_goes_over_the_socket(relay: Relay):
    with _open(relay) as socket:
        _shake_hands(socket)
        answers: list[object] = []
        call = threading.Thread(target=lambda: answers.append(relay.call(Ask(operation="x", payload={"n": 1}))))
        call.start()
        request = _answer(socket, {"ok": 1})
        call.join(10)
        assert (request["operation"], request["payload"], answers) == ("x", {"n": 1}, [{"ok": 1}])


@pytest.mark.parametrize("headers", [{"X-Gox-Auth": "wrong"}, {"Origin": "https://example.com"}])
def test_a_stranger_is_not_let_in(relay: Relay, headers: dict[str, str]):
    with pytest.raises(InvalidStatus), _open(relay, **headers):
        pass
    assert relay.studios() == []


@pytest.mark.parametrize("message", ["nonsense", b"bytes", "x" * (33 << 20)])
def test_what_is_no_message_ends_the_connection_and_nothing_else(relay: Relay, message: str | bytes):
    with _open(relay) as socket:
        _shake_hands(socket)
        with suppress(ConnectionClosed):  # perhaps while still sending
            socket.send(message)
        with pytest.raises(ConnectionClosed):
            socket.recv(20)
    assert relay.studios() == []
    with _open(relay) as again:
        _shake_hands(again)
        assert relay.wait_for_studio(10)


def test_a_connection_lost_in_mid_call_leaves_the_outcome_unknown(relay: Relay):
    faults: list[TimedOut] = []

    def call() -> None:
        try:
            relay.call(Ask(operation="x", payload={}))
        except TimedOut as fault:
            faults.append(fault)

    with _open(relay) as socket:
        _shake_hands(socket)
        waiting = threading.Thread(target=call)
        waiting.start()
        socket.recv(20)
    waiting.join(10)
    assert [fault.details["outcome"] for fault in faults] == ["unknown"]
