"""The fast lane says byte for byte what the server says behind it, or leaves the answer to the server."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from typing import Any

import anyio
import pytest
from hypothesis import given
from hypothesis import strategies as st
from mcp.server.runner import serve_dual_era_loop
from mcp.shared.message import SessionMessage
from mcp_types import InitializeRequestParams
from mcp_types.version import HANDSHAKE_PROTOCOL_VERSIONS, KNOWN_PROTOCOL_VERSIONS, MODERN_PROTOCOL_VERSIONS
from pydantic import ValidationError

from scenewright.app import make_runtime
from scenewright.core.config import Config
from scenewright.core.runtime import Runtime
from scenewright.server.protocol import McpServer
from scenewright.server.start.lane import LISTINGS, MODERN_ENVELOPE, Answers, Lane
from scenewright.server.start.recording import record_answers
from scenewright.server.stdio import MessageParser, encode_message

WAIT = 60.0
CLIENT = {"name": "test", "title": "A test", "version": "1.0", "websiteUrl": "https://example.com"}
CAPABILITIES: dict[str, Any] = {"roots": {"listChanged": True}, "elicitation": {"form": {}}, "sampling": {}}
LEGACY, MODERN = HANDSHAKE_PROTOCOL_VERSIONS, MODERN_PROTOCOL_VERSIONS[-1]
INITIALIZED = {"jsonrpc": "2.0", "method": "notifications/initialized"}


class Replies:
    """Stands for the writer: keeps each reply as it would be written."""

    def __init__(self) -> None:
        self.lines: list[bytes] = []

    def put(self, line: bytes) -> None:
        self.lines.append(line)


@pytest.fixture(scope="module")
def module_runtime(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Runtime]:
    folder = tmp_path_factory.mktemp("lane")
    (folder / "project.godot").write_text("config_version=5\n")
    made = make_runtime(Config(project=folder))
    yield made
    made.close()


@pytest.fixture(scope="module")
def answers(module_runtime: Runtime) -> Answers:
    return anyio.run(record_answers, McpServer(module_runtime))


@asynccontextmanager
async def serving(mcp: McpServer, replies: Replies, lane: Lane | None = None) -> AsyncIterator[MessageParser]:
    """The server as it runs behind the wire."""
    to_server, from_client = anyio.create_memory_object_stream[SessionMessage | Exception](100)
    to_client, from_server = anyio.create_memory_object_stream[SessionMessage](0)

    async def serve() -> None:
        await serve_dual_era_loop(mcp.server, from_client, to_client, lifespan_state={}, init_options=mcp.options)

    async def write() -> None:
        async for message in from_server:
            line = encode_message(message.message)
            if line is not None and not (lane is not None and lane.settle(line)):
                replies.put(line)

    with anyio.fail_after(WAIT):
        async with anyio.create_task_group() as tasks, to_server, from_server:
            tasks.start_soon(serve)
            tasks.start_soon(write)
            yield MessageParser(to_server, replies)  # type: ignore[arg-type]
            tasks.cancel_scope.cancel()


async def converse(mcp: McpServer, lines: list[bytes], lane: Lane | None) -> list[bytes]:
    """Every reply to some lines, sent one after the other without waiting."""
    replies = Replies()
    expected = sum(b'"id"' in line for line in lines) + lines.count(b"bad")
    async with serving(mcp, replies, lane) as server:
        for line in lines:
            taken = lane.take(line) if lane else None
            if taken is None:
                server.take(line)
                continue
            if taken.reply is not None:
                replies.put(taken.reply)
            if taken.forward is not None:
                server.take(taken.forward)
        while len(replies.lines) < expected:
            await anyio.sleep(0)
        for _ in range(20):  # what else there may be, such as the answer to what was handed on
            await anyio.sleep(0)
    return sorted(replies.lines)


def line_of(method: str, params: Any = None, request_id: Any = 1, **further: Any) -> bytes:
    message = {"jsonrpc": "2.0", "id": request_id, "method": method, **further}
    return json.dumps(message if params is None else message | {"params": params}).encode()


def opening(version: str = "2025-11-25", request_id: Any = 0, **changed: Any) -> bytes:
    params = {"protocolVersion": version, "capabilities": CAPABILITIES, "clientInfo": CLIENT, **changed}
    return line_of("initialize", params, request_id)


def enveloped(method: str, request_id: Any = 1, **changed: Any) -> bytes:
    meta = dict(zip(MODERN_ENVELOPE, (MODERN, CAPABILITIES, CLIENT), strict=True)) | changed
    return line_of(method, {"_meta": meta}, request_id)


NOTE = json.dumps(INITIALIZED).encode()
PARAMS: tuple[dict[str, Any] | None, ...] = (None, {}, {}, None)
LISTS = [line_of(method, PARAMS[at], at + 10) for at, method in enumerate(LISTINGS)]
SESSIONS = {
    **{f"{version}": [opening(version), NOTE, line_of("ping", None, 1), *LISTS] for version in LEGACY},
    "2026": [enveloped("server/discover"), *(enveloped(method, at) for at, method in enumerate(LISTINGS, 2))],
    "2026 begins with a listing": [enveloped("tools/list", "a"), enveloped("server/discover", "b")],
    "ids of text": [opening(request_id="first"), line_of("tools/list", {}, "~ second {}"), line_of("ping", {}, "")],
    "odd ids": [opening(request_id='"'), line_of("ping", {}, "\\"), line_of("ping", {}, "ü"), line_of("ping", {}, -1)],
    "ids that are none": [opening(), line_of("ping", {}, 1.5), line_of("ping", {}, True), line_of("ping", {}, [1])],
    "a large id": [opening(request_id=2**53), line_of("ping", {}, 10**15), line_of("ping", {}, 2**63)],
    "unknown fields": [opening(), line_of("tools/list", {}, 1, extra=1), line_of("ping", {"extra": True}, 2)],
    "unknown fields of the opening": [opening(extra=1), line_of("tools/list", {}, 1)],
    "unknown capabilities": [opening(capabilities={"tools": True, "logging": None}), line_of("tools/list", {}, 1)],
    "a version to come": [opening("2027-01-01"), line_of("tools/list", {}, 1)],
    "2026 in a handshake": [opening(MODERN), line_of("tools/list", {}, 1)],
    "nothing of a client": [line_of("initialize", {}, 0), line_of("tools/list", {}, 1), opening(request_id=2)],
    "a listing first": [line_of("tools/list", {}, 0), opening(request_id=1), line_of("tools/list", {}, 2)],
    "a ping first": [line_of("ping", {}, 0), opening(request_id=1), line_of("tools/list", {}, 2)],
    "a cursor": [opening(), line_of("tools/list", {"cursor": "x"}, 1), line_of("tools/list", {"cursor": 1}, 2)],
    "a progress token": [opening(), line_of("tools/list", {"_meta": {"progressToken": 1}}, 1)],
    "null params": [opening(), b'{"jsonrpc":"2.0","id":1,"method":"tools/list","params":null}'],
    "a list of params": [opening(), line_of("tools/list", [], 1)],
    "opened twice": [opening(), opening("2024-11-05", 1), line_of("tools/list", {}, 2), line_of("prompts/list", {}, 3)],
    "opened twice, oddly": [opening(), opening("2024-11-05", 1, extra=1), line_of("tools/list", {}, 2)],
    "unknown methods": [opening(), line_of("tools/lists", {}, 1), line_of("server/discover", {}, 2)],
    "2026 on an old connection": [opening(), enveloped("tools/list"), line_of("tools/list", {}, 2)],
    "an old listing on 2026": [enveloped("tools/list"), line_of("tools/list", {}, 2), opening(request_id=3)],
    "2026 with a ping": [enveloped("tools/list"), enveloped("ping", 2)],
    "2026 of no client": [enveloped("tools/list", **{MODERN_ENVELOPE[2]: None})],
    "2026 of a version to come": [enveloped("tools/list", **{MODERN_ENVELOPE[0]: "2027-01-01"})],
    "2026 with a log level": [enveloped("tools/list", **{"io.modelcontextprotocol/logLevel": "debug"})],
    "bad lines": [b"bad", opening(), b"bad", line_of("tools/list", {}, 1), b'{"id":2}', b'{"id":3,"a":1}'],
    "a key twice": [opening(), b'{"jsonrpc":"2.0","id":1,"id":2,"method":"ping"}'],
    "halves of characters": [opening(clientInfo={"name": "\ud800", "version": "1"}), line_of("ping", {}, 1)],
    "spaces": [b"  " + opening() + b" \r\n", b"\t" + line_of("ping", {}, 1).replace(b",", b" , ")],
}


@pytest.mark.anyio
@pytest.mark.parametrize("lines", SESSIONS.values(), ids=SESSIONS)
async def test_a_client_reads_the_same_with_the_fast_lane_and_without(
    module_runtime: Runtime, answers: Answers, lines: list[bytes]
) -> None:
    mcp = McpServer(module_runtime)
    lane = Lane(answers)
    assert await converse(mcp, lines, lane) == await converse(mcp, lines, None)
    assert not lane.outdated


@pytest.mark.parametrize("version", LEGACY)
def test_the_usual_start_of_a_session_needs_no_server(answers: Answers, version: str) -> None:
    lane = Lane(answers)
    opened = lane.take(opening(version))
    assert opened is not None
    assert opened.reply is not None
    assert json.loads(opened.reply)["result"]["protocolVersion"] == version
    assert opened.forward is not None
    assert json.loads(opened.forward)["params"]["clientInfo"] == CLIENT
    assert not opened.needs_server
    for line in LISTS:
        taken = lane.take(line)
        assert taken is not None
        assert taken.reply is not None
        assert taken.forward is None
    assert lane.take(line_of("tools/call", {"name": "core_ping", "arguments": {}}, 5)) is None


def test_each_version_has_its_answers(answers: Answers) -> None:
    assert tuple(answers) == KNOWN_PROTOCOL_VERSIONS
    assert all(set(LISTINGS) < set(methods) for methods in answers.values())


def test_nothing_is_answered_once_the_offer_has_changed(answers: Answers) -> None:
    lane = Lane(answers)
    assert lane.take(opening()) is not None
    lane.close()
    assert lane.take(line_of("tools/list", {}, 1)) is None


def test_an_answer_of_the_server_that_differs_is_noticed(answers: Answers) -> None:
    lane = Lane(answers)
    opened = lane.take(opening())
    assert opened is not None
    assert opened.forward is not None
    handed_on = json.loads(opened.forward)["id"]
    assert not lane.settle(b'{"jsonrpc":"2.0","id":0,"result":{}}')
    assert lane.settle(json.dumps({"jsonrpc": "2.0", "id": handed_on, "result": {}}).encode())
    assert lane.outdated
    assert lane.take(line_of("tools/list", {}, 1)) is None


JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**65), 2**65) | st.floats() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=2) | st.dictionaries(st.text(max_size=3), inner, max_size=2),
    max_leaves=6,
)


def _mapping(*names: str, values: Any = JSON) -> Any:
    return st.dictionaries(st.sampled_from(names) | st.text(max_size=3), values | st.just({}), max_size=4)


INNER = _mapping("listChanged", "form", "url", "context", "tools")


@given(
    capabilities=_mapping(
        "roots", "sampling", "elicitation", "experimental", "extensions", "tasks", values=INNER | JSON
    ),
    client=_mapping("title", "websiteUrl", "icons", "description").map(lambda further: CLIENT | further),
)
def test_what_is_answered_at_once_is_what_the_server_takes(
    answers: Answers, capabilities: dict[str, Any], client: dict[str, Any]
) -> None:
    line = opening(capabilities=capabilities, clientInfo=client)
    if Lane(answers).take(line) is None:
        return
    try:
        InitializeRequestParams.model_validate(json.loads(line)["params"], by_name=False)
    except ValidationError as error:
        pytest.fail(f"the server refuses this: {error}")
