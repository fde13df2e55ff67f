"""The real server process on the other end of a pipe, sent everything but what it expects."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.fuzz.calls import found, unacceptable_calls
from tests.fuzz.effort import few
from tests.fuzz.hostile import hostile
from tests.fuzz.shapes import INTERNALS, check
from tests.fuzz.trees import picture
from tests.fuzz.wire import Wire, serving

GOOD = b'{"jsonrpc":"2.0","id":"good","method":"tools/call","params":{"name":"core.ping","arguments":{}}}'
PARSE_ERROR, INVALID_REQUEST, NO_METHOD, INVALID_PARAMS = -32700, -32600, -32601, -32602


def request(**parts: Any) -> bytes:
    return json.dumps({"jsonrpc": "2.0", "id": 1, "method": "tools/call"} | parts).encode()


def deep(depth: int) -> bytes:
    return b'{"a":' * depth + b"1" + b"}" * depth


LONG = "y" * 5_000_000
CALL = b'"method":"tools/call","params":{"name":"core.ping","arguments":%s}'
LINES: dict[str, tuple[bytes, Any, int]] = {
    "words": (b"hello", None, PARSE_ERROR),
    "binary": (bytes(range(1, 10)) + b"\xff\xfe\x80", None, PARSE_ERROR),
    "zeros": (b"\0" * 100, None, PARSE_ERROR),
    "utf-16": ('{"jsonrpc":"2.0","id":1}'.encode("utf-16"), None, PARSE_ERROR),
    "cut": (GOOD[:60], "good", PARSE_ERROR),
    "cut in the id": (GOOD[:22], None, PARSE_ERROR),
    "cut, with another id among its arguments": (b'{"jsonrpc":"2.0",' + CALL % b'{"id":5', None, PARSE_ERROR),
    "two messages": (GOOD + GOOD, "good", PARSE_ERROR),
    "comma": (GOOD[:-1] + b",}", "good", PARSE_ERROR),
    "single quotes": (GOOD.replace(b'"', b"'"), None, PARSE_ERROR),
    "empty batch": (b"[]", None, INVALID_REQUEST),
    "batch": (b"[" + GOOD + b"," + GOOD + b"]", None, INVALID_REQUEST),
    "number": (b"5", None, INVALID_REQUEST),
    "text": (b'"ping"', None, INVALID_REQUEST),
    "null": (b"null", None, INVALID_REQUEST),
    "NaN": (b"NaN", None, INVALID_REQUEST),
    "empty object": (b"{}", None, INVALID_REQUEST),
    "100,000 brackets": (b"[" * 100_000, None, PARSE_ERROR),
    "100,000 levels": (b'{"jsonrpc":"2.0","id":7,' + CALL % deep(100_000) + b"}", 7, PARSE_ERROR),
    "100,000 levels, id last": (b"{" + CALL % deep(100_000) + b',"jsonrpc":"2.0","id":8}', 8, PARSE_ERROR),
    "300 levels": (b'{"jsonrpc":"2.0","id":"x",' + CALL % deep(300) + b"}", "x", INVALID_REQUEST),
    "5 MB of garbage": (b"x" * 5_000_000, None, PARSE_ERROR),
    "version 1": (request(jsonrpc="1.0"), 1, INVALID_REQUEST),
    "version 2, as a number": (request(jsonrpc=2.0), 1, INVALID_REQUEST),
    "no version": (b'{"id":1,"method":"ping"}', 1, INVALID_REQUEST),
    "no method": (b'{"jsonrpc":"2.0","id":1}', 1, INVALID_REQUEST),
    "method null": (request(method=None), 1, INVALID_REQUEST),
    "method 5": (request(method=5), 1, INVALID_REQUEST),
    "unknown method": (request(method="tools/destroy"), 1, NO_METHOD),
    "empty method": (request(method=""), 1, NO_METHOD),
    "id null": (request(id=None), None, INVALID_REQUEST),
    "id true": (request(id=True), None, INVALID_REQUEST),
    "id 1.5": (request(id=1.5), None, INVALID_REQUEST),
    "id list": (request(id=[1]), None, INVALID_REQUEST),
    "id object": (request(id={}), None, INVALID_REQUEST),
    "id of 5,000 digits": (b'{"jsonrpc":"2.0","id":%s,"method":"ping"}' % (b"9" * 5000), None, PARSE_ERROR),
    "id of 5,000 digits, last": (b'{"method":"ping","params":{},"id":%s}' % (b"9" * 5000), None, PARSE_ERROR),
    "half a character in the id": (b'{"jsonrpc":"2.0","id":"\\ud800","method":"ping"}', None, INVALID_REQUEST),
    "half a character": (b'{"jsonrpc":"2.0","id":1,' + CALL % b'{"x":"\\udc00"}' + b"}", 1, INVALID_REQUEST),
    "params text": (request(params="x"), 1, INVALID_REQUEST),
    "params list": (request(params=[]), 1, INVALID_REQUEST),
    "params missing": (request(), 1, INVALID_PARAMS),
    "name missing": (request(params={}), 1, INVALID_PARAMS),
    "name 5": (request(params={"name": 5}), 1, INVALID_PARAMS),
    "arguments text": (request(params={"name": "read_file", "arguments": "x"}), 1, INVALID_PARAMS),
    "arguments list": (request(params={"name": "read_file", "arguments": [1]}), 1, INVALID_PARAMS),
    "arguments true": (request(params={"name": "read_file", "arguments": True}), 1, INVALID_PARAMS),
    "metadata text": (request(params={"name": "read_file", "_meta": "x"}), 1, INVALID_PARAMS),
    "progress token list": (request(params={"name": "core.ping", "_meta": {"progressToken": []}}), 1, INVALID_PARAMS),
    "unknown tool": (request(params={"name": "delete_everything"}), 1, INVALID_PARAMS),
    "level": (request(method="logging/setLevel", params={"level": "loud"}), 1, INVALID_PARAMS),
    "resource 5": (request(method="resources/read", params={"uri": 5}), 1, INVALID_PARAMS),
    "unknown resource": (request(method="resources/read", params={"uri": "gox://runs/\0"}), 1, -32002),
    "unknown prompt": (request(method="prompts/get", params={"name": "x"}), 1, INVALID_PARAMS),
    "completion of nothing": (request(method="completion/complete", params={"ref": 5}), 1, INVALID_PARAMS),
    "the other era": (
        request(params={"name": "core.ping", "_meta": {"io.modelcontextprotocol/protocolVersion": "2026-07-28"}}),
        1,
        INVALID_REQUEST,
    ),
}
SILENT = {
    "empty": b"",
    "spaces": b"  \t ",
    "carriage return": b"\r",
    "notification": b'{"jsonrpc":"2.0","method":"notifications/made-up"}',
    "notification with odd params": b'{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":[]}}',
    "cancel of nothing": b'{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":12345}}',
    "answer to nothing": b'{"jsonrpc":"2.0","id":99,"result":{}}',
    "error to nothing": b'{"jsonrpc":"2.0","id":99,"error":{"code":1,"message":"x"}}',
}


@pytest.fixture(scope="module")
def wire(trapped: Path) -> Iterator[Wire]:
    with serving(trapped) as wire:
        wire.initialize()
        wire.call("write_file", {"path": "noted.txt", "content": "so that there is a history\n"})
        before = picture(trapped.parent)
        yield wire
        log = wire.close()
    assert "Traceback" not in log, log
    assert picture(trapped.parent) == before  # all that came this way was refused


@pytest.mark.parametrize("name", LINES)
def test_a_line_that_cannot_be_served_gets_one_answer(wire: Wire, name: str) -> None:
    line, sender, code = LINES[name]
    reply = wire.answer(line)
    assert reply["id"] == sender
    assert type(reply["id"]) is type(sender)
    assert reply["error"]["code"] == code, reply
    assert reply["error"]["message"]
    assert INTERNALS.search(json.dumps(reply)) is None


@pytest.mark.parametrize(
    "line",
    [
        b'{"jsonrpc":"2.0","id":9,' + CALL % deep(100) + b"}",
        request(id=9, params={"name": "core.ping", "arguments": {"x": LONG}}),
    ],
    ids=["100 levels", "5 MB of arguments"],
)
def test_arguments_that_a_tool_refuses_are_its_result(wire: Wire, line: bytes) -> None:
    reply = wire.answer(line)
    assert reply["id"] == 9
    assert reply["result"]["isError"] is True
    assert INTERNALS.search(json.dumps(reply)) is None


@pytest.mark.parametrize("name", SILENT)
def test_a_line_that_wants_no_answer_gets_none(wire: Wire, name: str) -> None:
    assert wire.answers(SILENT[name], count=0) == []


def test_two_requests_with_one_id_get_two_answers(wire: Wire) -> None:
    wire.send(GOOD)
    replies = wire.answers(GOOD, count=2)
    assert [reply["id"] for reply in replies] == ["good", "good"]
    assert all(reply["result"]["isError"] is False for reply in replies)


@few
@given(line=st.binary(max_size=80).filter(lambda line: b"\n" not in line and line.strip()))
def test_bytes_that_are_no_message_get_one_answer(wire: Wire, line: bytes) -> None:
    reply = wire.answer(line)
    assert reply["error"]["code"] in (PARSE_ERROR, INVALID_REQUEST)
    assert reply["id"] is None


@few
@given(start=st.integers(0, len(GOOD) - 1), length=st.integers(1, 30), put=st.binary(max_size=4))
def test_a_spoilt_message_gets_one_answer(wire: Wire, start: int, length: int, put: bytes) -> None:
    spoilt = GOOD[:start] + put.replace(b"\n", b" ") + GOOD[start + length :]
    if not spoilt.strip() or _is_notification(spoilt):
        assert wire.answers(spoilt, count=0) == []
        return
    reply = wire.answer(spoilt)
    assert INTERNALS.search(json.dumps(reply)) is None
    if start >= GOOD.index(b',"method"'):
        assert reply["id"] == "good"


def _is_notification(line: bytes) -> bool:
    try:
        message = json.loads(line)
    except ValueError:
        return False
    return isinstance(message, dict) and "id" not in message and message.get("jsonrpc") == "2.0" and "method" in message


METHODS = {
    "tools/list": ("cursor",),
    "resources/list": ("cursor",),
    "resources/templates/list": ("cursor",),
    "prompts/list": ("cursor",),
    "resources/read": ("uri",),
    "resources/subscribe": ("uri",),
    "resources/unsubscribe": ("uri",),
    "prompts/get": ("name", "arguments"),
    "completion/complete": ("ref", "argument", "context"),
    "logging/setLevel": ("level",),
    "ping": ("x",),
}
PLAUSIBLE: dict[str, tuple[Any, ...]] = {
    "uri": (
        "gox://status",
        "gox://runs",
        "gox://runs/x",
        "gox://runs/../..",
        "file:///etc/passwd",
        "gox://runs/%2e%2e",
    ),
    "name": ("start_work", "review_changes"),
    "arguments": ({}, {"since": "²"}, {"since": "9" * 5000}, {"since": "-1"}, {"goal": "{0.__class__}"}, {"goal": 5}),
    "ref": (
        {"type": "ref/prompt", "name": "review_changes"},
        {"type": "ref/resource", "uri": "gox://runs/{runId}"},
        {"type": "ref/tool"},
    ),
    "argument": ({"name": "since", "value": "'"}, {"name": "runId", "value": "%"}, {"name": 5, "value": []}),
    "context": ({"arguments": {"x": "y"}}, {"arguments": 5}),
    "level": ("debug", "info"),
}


@st.composite
def requests(draw: st.DrawFn) -> tuple[str, dict[str, Any]]:
    method = draw(st.sampled_from(sorted(METHODS)))
    values = {key: st.sampled_from(PLAUSIBLE.get(key, ("",))) | hostile(deep=False) for key in METHODS[method]}
    return method, draw(st.fixed_dictionaries({}, optional=values))


@pytest.mark.parametrize("since", ["²", "٣", "9" * 5000, "-1", "", "x"])
def test_a_prompt_takes_any_text_for_a_number(wire: Wire, since: str) -> None:
    reply = wire.request("prompts/get", {"name": "review_changes", "arguments": {"since": since}})
    assert reply["result"]["messages"]


@settings(max_examples=80)
@given(asked=requests())
def test_every_other_method_survives_any_params(wire: Wire, asked: tuple[str, dict[str, Any]]) -> None:
    reply = wire.request(*asked)
    assert INTERNALS.search(json.dumps(reply)) is None
    if "error" in reply:
        assert reply["error"]["code"] in (INVALID_PARAMS, INVALID_REQUEST, -32002), reply


@settings(max_examples=80)
@given(called=unacceptable_calls())
def test_every_refusal_has_the_shape_of_the_tools_contract(wire: Wire, called: tuple[str, dict[str, Any]]) -> None:
    name, given = called
    reply = wire.call(name, given)
    if "error" in reply and "data" not in reply["error"]:
        assert reply["error"]["code"] == INVALID_REQUEST  # refused before any tool was looked at
        return
    assert check(reply, found(name)) is False
