"""Lines in, lines out, and nothing between them."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from typing import Any, BinaryIO

import anyio
import mcp_types as types
import pytest
from mcp.shared.message import SessionMessage

from scenewright.server import lines, stdio

Message = SessionMessage | Exception
REQUEST = b'{"jsonrpc":"2.0","id":1,"method":"ping"}\n'


@pytest.fixture
def pipe() -> Iterator[tuple[BinaryIO, BinaryIO]]:
    reading, writing = os.pipe()
    with open(reading, "rb") as source, open(writing, "wb", buffering=0) as sink:
        yield source, sink


class Kept:
    """Stands for the writer, and keeps what it is given."""

    def __init__(self) -> None:
        self.lines: list[dict[str, Any]] = []

    def put(self, line: bytes) -> None:
        self.lines.append(json.loads(line))


async def read(pipe: tuple[BinaryIO, BinaryIO], *sent: bytes) -> tuple[list[Any], list[dict[str, Any]]]:
    """What becomes of some bytes: messages for the server, and answers at once."""
    source, sink = pipe
    send, receive = anyio.create_memory_object_stream[Message](100)
    kept = Kept()
    messages_of = stdio.MessageParser(send, kept)  # type: ignore[arg-type]
    reader = lines.LineReader(source, messages_of.take, messages_of.end, kept)  # type: ignore[arg-type]
    reader.start()
    for part in sent:
        sink.write(part)
    sink.close()
    with anyio.fail_after(30):
        async with receive:
            messages = [item.message async for item in receive if isinstance(item, SessionMessage)]
        await anyio.to_thread.run_sync(reader.join)
    return messages, kept.lines


@pytest.mark.anyio
async def test_messages_go_to_the_server_and_bad_lines_are_answered(pipe: tuple[BinaryIO, BinaryIO]) -> None:
    note = b'{"jsonrpc":"2.0","method":"notifications/initialized"}\r\n'
    messages, answers = await read(pipe, b"\n  \n", REQUEST, b"bad\n", note, b'{"jsonrpc":"2.0","id":2,"meth')
    assert [type(message) for message in messages] == [types.JSONRPCRequest, types.JSONRPCNotification]
    assert [(answer["id"], answer["error"]["code"]) for answer in answers] == [(None, -32700), (2, -32700)]


@pytest.mark.anyio
async def test_a_message_may_come_in_pieces(pipe: tuple[BinaryIO, BinaryIO]) -> None:
    messages, answers = await read(pipe, REQUEST[:10], REQUEST[10:20], REQUEST[20:] + REQUEST)
    assert len(messages) == 2
    assert answers == []


@pytest.mark.anyio
async def test_a_request_with_an_id_of_an_odd_kind_is_answered(pipe: tuple[BinaryIO, BinaryIO]) -> None:
    odd = b'{"jsonrpc":"2.0","id":null,"method":"ping"}\n'
    messages, answers = await read(pipe, odd, odd.replace(b"null", b"1.5"), odd.replace(b"null", b"true"))
    assert messages == []
    assert [answer["error"]["code"] for answer in answers] == [-32600] * 3


@pytest.mark.anyio
async def test_a_line_without_end_is_refused_and_skipped(
    pipe: tuple[BinaryIO, BinaryIO], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(lines, "MAX_LINE_BYTES", 100)
    endless = b'{"jsonrpc":"2.0","id":5,"method":"x","params":{"a":"' + b"x" * 1000 + b'"}}\n'
    messages, answers = await read(pipe, endless, REQUEST, b"y" * 99 + b"\n", b"z" * 100 + b"\n", REQUEST)
    assert len(messages) == 2
    assert [answer["id"] for answer in answers] == [5, None, None]
    assert ["longer" in answer["error"]["message"] for answer in answers] == [True, False, True]


def test_lines_are_written_whole_and_in_order(pipe: tuple[BinaryIO, BinaryIO]) -> None:
    source, sink = pipe
    writer = lines.LineWriter(sink)
    written = [b"%d" % number * 100 for number in range(50)]
    for line in written:
        writer.put(line)
    writer.close()
    sink.close()
    assert source.read().split(b"\n") == [*written, b""]


def test_a_client_that_is_gone_stops_only_the_writing(pipe: tuple[BinaryIO, BinaryIO]) -> None:
    source, sink = pipe
    source.close()
    writer = lines.LineWriter(sink)
    writer.put(b"hello")
    writer.put(b"hello?")
    writer.close()
    assert not writer._thread.is_alive()


def test_a_message_that_cannot_be_written_does_not_end_the_connection(caplog: pytest.LogCaptureFixture) -> None:
    reply = types.JSONRPCResponse(jsonrpc="2.0", id=3, result={"text": "\ud800"})
    answer = json.loads(stdio.encode_message(reply) or b"")
    assert (answer["id"], answer["error"]["code"]) == (3, -32603)
    note = types.JSONRPCNotification(jsonrpc="2.0", method="x", params={"text": "\ud800"})
    assert stdio.encode_message(note) is None
    assert caplog.text.count("could not be written") == 2


SCRIPT = """
import os, sys, anyio
from mcp.shared.message import SessionMessage
from scenewright.server.lines import Wire
from scenewright.server.stdio import stdio_streams

async def main(wire):
    async with stdio_streams(wire) as (incoming, outgoing):
        print("stray", flush=True)
        os.write(1, b"stray\\n")
        assert os.read(0, 10) == b""
        async for item in incoming:
            await outgoing.send(SessionMessage(item.message))

with Wire() as wire:
    anyio.run(main, wire)
print("after")
"""


def test_a_stray_print_does_not_come_between_the_messages() -> None:
    done = subprocess.run([sys.executable, "-c", SCRIPT], input=REQUEST + b"bad\n", capture_output=True, timeout=60)
    assert done.returncode == 0, done.stderr
    first, second, last = done.stdout.splitlines()
    replies = {json.loads(line).get("id"): json.loads(line) for line in (first, second)}
    assert replies[1]["method"] == "ping"
    assert replies[None]["error"]["code"] == -32700
    assert last == b"after"
    assert done.stderr.count(b"stray") == 2
