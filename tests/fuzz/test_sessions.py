"""How a session may begin and end, and the protocol of 2026-07-28, over a real pipe."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from tests.fuzz.calls import found, unacceptable_calls
from tests.fuzz.effort import few
from tests.fuzz.shapes import INTERNALS, check
from tests.fuzz.trees import picture
from tests.fuzz.wire import HANDSHAKE, MODERN, Wire, serving

INVALID_PARAMS = -32602


def line(number: int, method: str, params: Any = None) -> bytes:
    return json.dumps({"jsonrpc": "2.0", "id": number, "method": method, "params": params or {}}).encode()


def test_a_client_may_begin_and_end_badly(project: Path) -> None:
    with serving(project) as wire:
        wire.send(b"not even JSON")
        assert wire.receive()["id"] is None
        for number, early in enumerate((line(0, "tools/list"), line(1, "initialize", {"protocolVersion": 5}))):
            wire.send(early)
            reply = wire.receive()
            assert (reply["id"], reply["error"]["code"]) == (number, INVALID_PARAMS)
        wire.initialize()
        wire.request("initialize", HANDSHAKE, request_id=3)
        assert wire.request("tools/list", request_id=4)["result"]["tools"]
        # The last line has no end; it is answered all the same.
        wire.send(b'{"jsonrpc":"2.0","id":5,"method":"tools/ca', end=b"")
        wire.hang_up()
        reply = wire.receive()
        assert (reply["id"], reply["error"]["code"]) == (5, -32700)
    assert wire.process.returncode == 0
    assert "Traceback" not in wire.log


@pytest.fixture(scope="module")
def modern(trapped: Path) -> Iterator[Wire]:
    before = picture(trapped.parent)
    with serving(trapped) as wire:
        wire.modern = True
        wire.request("server/discover", {"_meta": MODERN})
        yield wire
        log = wire.close()
    assert "Traceback" not in log, log
    assert picture(trapped.parent) == before


@few
@given(called=unacceptable_calls())
def test_refusals_keep_the_contract_in_the_new_era_too(modern: Wire, called: tuple[str, dict[str, Any]]) -> None:
    name, arguments = called
    reply = modern.call(name, arguments)
    if "error" in reply and "data" not in reply["error"]:
        assert reply["error"]["code"] == -32600
        return
    assert check(reply, found(name)) is False


@pytest.mark.parametrize(
    "meta",
    [
        None,
        5,
        {},
        {"io.modelcontextprotocol/protocolVersion": 5},
        {"io.modelcontextprotocol/protocolVersion": "1999-01-01"},
        MODERN | {"io.modelcontextprotocol/clientCapabilities": []},
        MODERN | {"io.modelcontextprotocol/clientInfo": "me"},
        MODERN | {"io.modelcontextprotocol/logLevel": {}},
    ],
)
def test_a_request_with_a_bad_envelope_is_refused(modern: Wire, meta: Any) -> None:
    reply = modern.request("tools/call", {"name": "core.ping", "arguments": {"x": 1}, "_meta": meta})
    assert reply["error"]["code"] in (INVALID_PARAMS, -32022)
    assert INTERNALS.search(json.dumps(reply)) is None


@pytest.mark.parametrize("state", ["", "x", "v1.", "v1." + "A" * 500, 5, {"approved": True}, "\u0000" * 50])
def test_a_made_up_state_is_refused(modern: Wire, state: Any) -> None:
    params = {"name": "delete_file", "arguments": {"path": "a.txt"}, "requestState": state, "_meta": MODERN}
    answers = {"approval": {"action": "accept", "content": {"approve": True}}}
    reply = modern.request("tools/call", params | {"inputResponses": answers})
    assert reply["error"]["code"] == INVALID_PARAMS
    assert INTERNALS.search(json.dumps(reply)) is None


def test_an_old_handshake_on_a_new_connection_is_refused(modern: Wire) -> None:
    assert modern.request("initialize", HANDSHAKE)["error"]["code"] == -32022
