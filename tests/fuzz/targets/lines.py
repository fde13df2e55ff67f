"""What comes over lines: from clients, editors, Studio, games, their debuggers and language servers.

A line's other end is a real socket or process wherever one is used in earnest; only the clock of the editor's bridge
is the tests' own.
"""

from __future__ import annotations

import asyncio
import json
import socket
import struct
import tempfile
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import replace
from functools import cache
from pathlib import Path
from urllib.parse import urlsplit

import anyio
import mcp_types as types
from tests.bridge.wires import linked, settled
from tests.fuzz.shapes import INTERNALS
from tests.fuzz.target import Target, texts
from tests.fuzz.wire import MODERN, Wire

from scenewright.core.faults import Fault
from scenewright.godot.engine.debugger.codec import MalformedVariant, decode, encode
from scenewright.godot.engine.debugger.guest import Guest
from scenewright.godot.engine.debugger.session import DebuggerSession, Transcript
from scenewright.godot.engine.language_server.connection import MessageReader
from scenewright.godot.engine.streams import DebugStream, StreamPlan
from scenewright.roblox.relay.server import Relay
from scenewright.roblox.relay.settings import BridgeSettings
from scenewright.server.refusal import has_id, refusal
from scenewright.server.start.lane import Lane
from scenewright.unity.live.wire import ConnectionFailed, Question, exchange

_SECONDS = 20.0  # in which what must happen does
_PATIENCE = 0.05  # with a line that need not be answered
_MARK = b"\n--\n"  # between the messages of an input
_PING = b'{"jsonrpc":"2.0","id":"a","method":"tools/call","params":{"name":"core.ping","arguments":{}}}'
_OPENING = (
    b'{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},'
    b'"clientInfo":{"name":"a","version":"1"}}}'
)


@cache
def _folder() -> tempfile.TemporaryDirectory[str]:
    return tempfile.TemporaryDirectory(prefix="fuzz-lines-")


@contextmanager
def _no_thread_fails() -> Iterator[None]:
    """What a thread of ours raises is a find, too."""
    failed: list[BaseException] = []
    before = threading.excepthook
    threading.excepthook = lambda given: failed.append(given.exc_value or RuntimeError("a thread"))
    try:
        yield
    finally:
        threading.excepthook = before
    if failed:
        raise failed[0]


def _message(data: bytes) -> None:
    """A line is a message of the protocol, or gets one answer, which can be sent."""
    Lane({"2025-06-18": {"initialize": "{}", "ping": "{}"}}).take(data)
    try:
        message = types.jsonrpc_message_adapter.validate_json(data, by_name=False)
    except ValueError:
        _check_refusal(data)
        return
    if isinstance(message, types.JSONRPCNotification) and has_id(data):
        _check_refusal(data)


def _check_refusal(line: bytes) -> None:
    answer = json.loads(refusal(line).decode("utf-8"))
    assert answer["error"]["code"] in (-32700, -32600)
    assert INTERNALS.search(answer["error"]["message"]) is None


@cache
def _server() -> Wire:
    wire = Wire(Path(_folder().name))
    wire.initialize()
    return wire


def _stdio(data: bytes) -> None:
    """A real server answers the next call, whatever lines came before, and says nothing from inside."""
    wire, replies = _server(), list[dict[str, object]]()
    for line in data.split(b"\n")[:20]:
        wire.send(line)
    wire.ping(replies)
    said = INTERNALS.search(json.dumps(replies))
    assert said is None, said
    assert "Traceback" not in wire.log, wire.log


@cache
def _http_server() -> tuple[Wire, str, int]:
    wire = Wire(Path(_folder().name), "--http", "127.0.0.1:0", "--no-token")
    address = urlsplit(json.loads(wire.logged("listening on"))["message"].rpartition(" ")[2])
    assert address.hostname is not None
    assert address.port is not None
    return wire, address.hostname, address.port


def _http(data: bytes) -> None:
    """A real server answers any bytes with a refusal or by hanging up, and the next request as ever."""
    wire, host, port = _http_server()
    answer = _exchanged(host, port, data, seconds=_PATIENCE)
    assert INTERNALS.search(answer.decode("utf-8", "replace")) is None, answer
    assert not answer.startswith(b"HTTP/1.1 5"), answer
    assert b" 200 OK" in _exchanged(host, port, _post(json.dumps(_MODERN_PING).encode()))
    assert "Traceback" not in wire.log, wire.log


def _exchanged(host: str, port: int, data: bytes, *, seconds: float = _SECONDS) -> bytes:
    """What comes back until the other side hangs up, or nothing comes for a while."""
    received = b""
    with socket.create_connection((host, port), timeout=_SECONDS) as line, suppress(ConnectionError, TimeoutError):
        line.sendall(data)
        line.settimeout(seconds)
        while part := line.recv(65_536):
            received += part
    return received


_MODERN_PING = {
    "jsonrpc": "2.0",
    "id": 1,
    "method": "tools/call",
    "params": {"name": "core.ping", "arguments": {}, "_meta": MODERN},
}


def _post(body: bytes) -> bytes:
    head = (
        "POST /mcp HTTP/1.1\r\nHost: 127.0.0.1:1\r\nContent-Type: application/json\r\nConnection: close\r\n"
        "Accept: application/json, text/event-stream\r\nMCP-Protocol-Version: 2026-07-28\r\nMcp-Method: tools/call\r\n"
        f"Mcp-Name: core.ping\r\nContent-Length: {len(body)}\r\n\r\n"
    )
    return head.encode() + body


def _bridge(data: bytes) -> None:
    """What an editor says, frame by frame: the link lives or says why not, and a request that waits is told."""
    asyncio.run(_talk(data.split(_MARK)[:30]))


async def _talk(frames: list[bytes]) -> None:
    async with linked(Path(_folder().name)) as (link, harbour, clock):
        asked = asyncio.ensure_future(link.request("scene.tree", timeout=3))
        await settled()
        for frame in frames:
            harbour.peer.says(frame.decode("utf-8", "surrogateescape") if frame[:1] in b"{[" else frame)
            await settled()
        harbour.peer.hangs_up()
        harbour.is_open = False
        await clock.advance(5)
        assert link._task is None or not link._task.done() or link.state == "stopped", link._task.exception()
        asked.cancel()
        with suppress(Fault, asyncio.CancelledError):
            await asked


def _bridge_seeds() -> tuple[bytes, ...]:
    messages: list[dict[str, object]] = [
        {"jsonrpc": "2.0", "method": "godoty.connected", "params": {"protocol_version": "1", "godot_version": "4.6"}},
        {"jsonrpc": "2.0", "id": 1, "result": {"tree": []}},
        {"jsonrpc": "2.0", "id": 2, "error": {"code": -32001, "message": "no", "data": {"hint": "x"}}},
        {"jsonrpc": "2.0", "method": "scenewright.state_changed", "params": {"state": "importing"}},
        {"jsonrpc": "2.0", "id": None, "error": {"code": -32000, "message": "refused"}},
    ]
    return (_MARK.join(json.dumps(message).encode() for message in messages),)


@cache
def _relay() -> Relay:
    relay = Relay(BridgeSettings("127.0.0.1", 0, "token"))
    assert relay.start()
    return relay


def _studio(data: bytes) -> None:
    """The relay's port: any bytes are refused, and who asks properly is answered."""
    address = urlsplit(_relay().url)
    assert address.hostname is not None
    assert address.port is not None
    answer = _exchanged(address.hostname, address.port, data, seconds=_PATIENCE)
    assert not answer.startswith(b"HTTP/1.1 5"), answer
    asked = b"GET /v1/bridge/studios HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n"
    assert _exchanged(address.hostname, address.port, asked).startswith(b"HTTP/1.1 4")


def _studio_seeds() -> tuple[bytes, ...]:
    upgrade = (
        b"GET /v1/bridge/socket HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n"
        b"Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n"
        b"Authorization: Bearer token\r\n\r\n"
    )
    body = b'{"placeId": 1, "placeName": "a"}'
    head = (
        "POST /v1/bridge/session HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer token\r\n"
        f"Content-Length: {len(body)}\r\n\r\n"
    )
    return (upgrade + b"\x81\x85\0\0\0\0hello", head.encode() + body)


def _debugger(data: bytes) -> None:
    """A game says anything to the debugger; the line ends in order, and whoever waits is told."""
    ours, theirs = socket.socketpair()
    ended = threading.Event()
    with _no_thread_fails():
        session = DebuggerSession(ours, Transcript(), pauses_on_error=True, on_end=ended.set)
        Guest(session)
        with theirs, suppress(OSError):
            for message in data.split(_MARK)[:20]:
                theirs.sendall(struct.pack("<I", len(message)) + message)
        assert ended.wait(_SECONDS), "nobody was told that the line has ended"
        session.close()


def _debugger_seeds() -> tuple[bytes, ...]:
    messages = [
        ["set_pid", 1, [77]],
        ["output", 1, [["hello"], [0]]],
        ["error", 1, [0, 0, 0, 1, "res://a.gd", "f", 3, "bad", "worse", False, 3, "a.gd", "f", 3]],
        ["debug_enter", 1, [True, "Breakpoint", True, 1]],
        ["stack_dump", 1, [3, "res://a.gd", 3, "f"]],
        ["stack_frame_vars", 1, [1]],
        ["stack_frame_var", 1, ["x", 0, 2, 5]],
        ["scene:inspect_object", 1, [5, "Node", [["name", 4, 0, "", 6, "a"]]]],
        ["scene:scene_tree", 1, [0, "root", "Window", 1, "res://a.tscn", 0]],
        ["evaluation_return", 1, ["x", 0, 2, 5]],
        ["game_view:get_screenshot", 1, [1, 2, 3, "/tmp/a.png"]],
        ["scenewright:answer", 1, [1, "{}"]],
        ["debug_exit", 1, []],
    ]
    return (_MARK.join(encode(message) for message in messages), *(encode(message) for message in messages))


def _variant(data: bytes) -> None:
    decode(data)


def _stream(data: bytes) -> None:
    """A debugger's port takes games and listeners; a stranger is sent away."""
    answer = _exchanged("127.0.0.1", _stream_port().port, data, seconds=_PATIENCE)
    assert b"Traceback" not in answer
    assert _stream_port().is_open


@cache
def _stream_port() -> DebugStream:
    return DebugStream(StreamPlan(port=0, token="token", idle_seconds=1e9), lambda: None, lambda line: line.close())


def _language_server(data: bytes) -> None:
    reader = MessageReader()
    for part in (data[:50], data[50:]):
        reader.feed(part)
        while reader.next() is not None:
            pass


def _unity(data: bytes) -> None:
    """An editor answers with anything: an answer, or a failure in words."""
    asyncio.run(_ask_editor(data))


async def _ask_editor(data: bytes) -> None:
    async def answer(stream: anyio.abc.SocketStream) -> None:
        with suppress(anyio.BrokenResourceError, anyio.EndOfStream):
            await stream.receive()
            await stream.send(data)
        await stream.aclose()

    listener = await anyio.create_tcp_listener(local_host="127.0.0.1")
    async with listener, anyio.create_task_group() as tasks:
        tasks.start_soon(listener.serve, answer)
        port = listener.extra(anyio.abc.SocketAttribute.local_port)
        with suppress(ConnectionFailed):
            await exchange(port, "token", Question("GET", "/x", seconds=_SECONDS))
        tasks.cancel_scope.cancel()


_METHODS = (
    b'"method":"tools/list"',
    b'"id":',
    b'"params":{',
    b'"_meta":{',
    b'"jsonrpc":"2.0"',
    b"notifications/",
    b"resources/read",
)
_HEADS = (
    b"Transfer-Encoding: chunked\r\n",
    b"Content-Length: ",
    b"Expect: 100-continue\r\n",
    b"Upgrade: websocket\r\n",
    b"\r\n\r\n",
    b"HTTP/1.1",
    b"Mcp-Session-Id: x\r\n",
)
_ANSWER = b'HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 9\r\n\r\n{"a":[1]}'
_LANGUAGE = b'Content-Length: 19\r\n\r\n{"id":1,"result":1}'

_ALL = (
    Target("lines.message", _message, lambda: (_PING, _OPENING), words=_METHODS),
    Target("lines.stdio", _stdio, lambda: (_PING, _OPENING), words=_METHODS, starts_server=True),
    Target(
        "lines.http",
        _http,
        lambda: (_post(json.dumps(_MODERN_PING).encode()), _post(b"{}")),
        words=_HEADS,
        starts_server=True,
    ),
    Target("lines.bridge", _bridge, _bridge_seeds, words=(b'"error":', b'"result":', b'"params":', _MARK)),
    Target("lines.studio", _studio, _studio_seeds, words=_HEADS),
    Target("lines.debugger", _debugger, _debugger_seeds, words=(_MARK,)),
    Target("lines.variant", _variant, _debugger_seeds, refuses=(MalformedVariant,)),
    Target("lines.stream", _stream, texts('{"token": "token"}\n', '{"token": 5}\n'), words=(b'{"', b"\n")),
    Target(
        "lines.language_server",
        _language_server,
        lambda: (_LANGUAGE,),
        refuses=(ValueError,),
        words=(b"Content-Length: ", b"\r\n\r\n"),
    ),
    Target("lines.unity", _unity, lambda: (_ANSWER,), words=_HEADS),
)
TARGETS = tuple(replace(target, room=4 << 30) for target in _ALL)
