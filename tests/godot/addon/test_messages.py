"""JSON-RPC as the Godoty protocol has it, and what a client can do wrong on the wire."""

from __future__ import annotations

import json
import os
import socket
import struct
from contextlib import ExitStack
from typing import Any

import pytest
from tests.godot.addon.editor import Editor
from tests.godot.addon.plain import PlainClient, Refused

pytestmark = [pytest.mark.godot, pytest.mark.xdist_group("godot-editor")]


def answer_to(client: PlainClient, text: str) -> dict[str, Any]:
    client.socket.send(text)
    return client.receive()


@pytest.mark.parametrize("text", ["{", "nonsense", '{"jsonrpc": "2.0", "id": 1,', "\ud7ff{"])
def test_what_is_no_json_is_a_parse_error(client: PlainClient, text: str) -> None:
    answer = answer_to(client, text)
    assert answer["id"] is None
    assert answer["error"]["code"] == -32700


@pytest.mark.parametrize(
    "message",
    [
        [],
        [{"jsonrpc": "2.0", "id": 1, "method": "ping"}],
        "ping",
        3,
        {"id": 1, "method": "ping"},
        {"jsonrpc": "1.0", "id": 1, "method": "ping"},
        {"jsonrpc": "2.0", "id": 1},
        {"jsonrpc": "2.0", "id": 1, "method": 7},
        {"jsonrpc": "2.0", "id": {}, "method": "ping"},
        {"jsonrpc": "2.0", "id": 1, "method": "ping", "params": "x"},
    ],
)
def test_what_lacks_required_fields_is_an_invalid_request(client: PlainClient, message: Any) -> None:
    assert answer_to(client, json.dumps(message))["error"]["code"] == -32600


def test_an_unknown_method_is_not_found(client: PlainClient) -> None:
    with pytest.raises(Refused) as refused:
        client.call("get_scene_trees")
    assert refused.value.code == -32601
    assert "get_scene_tree" in refused.value.data["similar_methods"]


@pytest.mark.parametrize(
    ("method", "params", "parameter"),
    [
        ("get_node_properties", {}, "node_path"),
        ("get_node_properties", {"node_path": 3}, "node_path"),
        ("get_class_docs", {}, "class_name"),
        ("search_docs", {"query": "x", "search_in": ["everything"]}, "search_in"),
        ("capture_viewport", {"format": "gif"}, "format"),
        ("capture_viewport", {"viewport_type": "4d"}, "viewport_type"),
        ("get_errors", {"count": "many"}, "count"),
        ("get_errors", {"severity": "grave"}, "severity"),
        ("get_editor_log", {"filter": "("}, "filter"),
        ("get_scene_tree", {"max_depth": 0.5}, "max_depth"),
        ("execute_action", {"action": "explode"}, "action"),
        ("execute_action", {}, "action"),
    ],
)
def test_a_parameter_that_does_not_fit_is_named(
    client: PlainClient, method: str, params: dict[str, Any], parameter: str
) -> None:
    with pytest.raises(Refused) as refused:
        client.call(method, **params)
    assert refused.value.code == -32602
    assert refused.value.data["parameter"] == parameter
    assert parameter in refused.value.message


def test_a_notification_gets_no_answer(client: PlainClient) -> None:
    client.notify("get_editor_info")
    assert client.call("ping")["pong"] is True
    assert client.events == []


def test_a_repeat_with_the_same_key_does_nothing_and_gets_the_first_answer(client: PlainClient) -> None:
    wish = {"parent_path": "/root/Main", "type": "Node3D", "name": "Once", "idempotency_key": os.urandom(8).hex()}
    first = client.call("scenewright.add_node", **wish)
    assert client.call("scenewright.add_node", **wish) == first
    names = [child["name"] for child in client.call("get_scene_tree")["tree"]["children"]]
    assert [name for name in names if name.startswith("Once")] == ["Once"]
    with pytest.raises(Refused) as refused:
        client.call("scenewright.set_groups", node_path=".", idempotency_key=wish["idempotency_key"])
    assert refused.value.data["parameter"] == "idempotency_key"


def test_ten_clients_are_served_at_once(headless_editor: Editor) -> None:
    with ExitStack() as stack:
        clients = [stack.enter_context(headless_editor.client()) for _ in range(10)]
        numbers = [
            [client.ask("get_node_properties", {"node_path": "/root/Main"}) for _ in range(20)] for client in clients
        ]
        for client, asked in zip(clients, numbers, strict=True):
            assert {client.answer(number)["node_path"] for number in asked} == {"/root/Main"}


def test_ten_thousand_requests_in_a_burst_are_all_answered(client: PlainClient) -> None:
    numbers = [client.ask("get_editor_info", {}) for _ in range(10_000)]
    for number in numbers:
        assert client.answer(number)["success"] is True


LONG = {"node_path": "/root/Main/Player", "include_default": True}


def test_a_client_that_sends_far_too_much_is_told_to_wait_and_the_others_are_served(
    headless_editor: Editor, client: PlainClient
) -> None:
    with headless_editor.client() as glutton:
        numbers = [glutton.ask("get_node_properties", LONG) for _ in range(11_500)]
        while "error" not in (answer := glutton.receive()):
            continue
        assert answer["error"]["code"] == -32008
        assert answer["error"]["data"]["retry_after_ms"] > 0
        assert numbers.index(answer["id"]) >= 10_000
        assert client.call("get_editor_info")["success"] is True


def test_a_message_of_50_megabytes_is_refused_and_only_that_client_goes(
    headless_editor: Editor, client: PlainClient
) -> None:
    with headless_editor.client() as glutton:
        request = {"jsonrpc": "2.0", "id": 1, "method": "ping", "params": {"x": "y" * 50_000_000}}
        assert glutton.send_until_closed(json.dumps(request)) == 1009
    assert client.call("ping")["pong"] is True


def test_a_message_of_four_megabytes_is_taken(client: PlainClient) -> None:
    assert client.call("ping", padding="ä" * 2_000_000)["pong"] is True


def test_a_binary_message_closes_the_connection(headless_editor: Editor, client: PlainClient) -> None:
    with headless_editor.client() as other:
        assert other.send_until_closed(os.urandom(1000)) == 1003
    assert client.call("ping")["pong"] is True


def test_text_that_is_no_utf8_closes_the_connection_without_a_line_in_the_log(
    headless_editor: Editor, client: PlainClient
) -> None:
    before = headless_editor.said()
    with opened(headless_editor) as raw:
        raw.sendall(frame(b"\xff\xfe{"))
        assert close_code(raw) == 1007
    assert client.call("ping")["pong"] is True
    assert "Unicode" not in headless_editor.said().removeprefix(before)


def test_half_a_frame_holds_nobody_up(headless_editor: Editor, client: PlainClient) -> None:
    whole = frame(json.dumps({"jsonrpc": "2.0", "method": "godoty.ready", "params": {}}).encode())
    with opened(headless_editor) as raw:
        raw.sendall(whole[: len(whole) // 2])
        assert client.call("ping")["pong"] is True
        raw.sendall(whole[len(whole) // 2 :])
        assert b"-32007" in received(raw)


@pytest.mark.parametrize(
    "garbage",
    [bytes(range(256)) * 40, b"GET / HTTP/1.0\r\n\r\n", b"\x16\x03\x01" + bytes(500), b"\n" * 9000],
    ids=["bytes", "old", "tls", "lines"],
)
def test_garbage_instead_of_a_handshake_is_shown_out(
    headless_editor: Editor, client: PlainClient, garbage: bytes
) -> None:
    with socket.create_connection(("127.0.0.1", headless_editor.facts["port"]), timeout=30) as raw:
        raw.sendall(garbage)
        raw.shutdown(socket.SHUT_WR)
        while raw.recv(4096):
            continue
    assert client.call("ping")["pong"] is True


def test_garbage_after_the_handshake_closes_only_that_connection(headless_editor: Editor, client: PlainClient) -> None:
    with opened(headless_editor) as raw:
        raw.sendall(b"\xf3" + os.urandom(5000))
        assert close_code(raw) == 1002
    assert client.call("ping")["pong"] is True


def opened(editor: Editor) -> socket.socket:
    """A WebSocket made by hand, its greeting read."""
    raw = socket.create_connection(("127.0.0.1", editor.facts["port"]), timeout=30)
    lines = ["GET / HTTP/1.1", "Host: 127.0.0.1", "Upgrade: websocket", "Connection: Upgrade"]
    lines += ["Sec-WebSocket-Version: 13", "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==", "", ""]
    raw.sendall("\r\n".join(lines).encode())
    greeting = b""
    while b"godoty.connected" not in greeting:
        greeting += raw.recv(4096)
    assert b"s3pPLMBiTxaQ9kYGzzhZRbK+xOo=" in greeting
    return raw


def frame(payload: bytes) -> bytes:
    mask = b"\x01\x02\x03\x04"
    masked = bytes(byte ^ mask[index % 4] for index, byte in enumerate(payload))
    assert len(payload) < 126
    return bytes([0x81, 0x80 | len(payload)]) + mask + masked


def received(raw: socket.socket) -> bytes:
    return raw.recv(65536)


def close_code(raw: socket.socket) -> int:
    data = received(raw)
    assert data[0] == 0x88
    code: int = struct.unpack("!H", data[2:4])[0]
    return code
