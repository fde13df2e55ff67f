"""One question to the editor's server and its answer: HTTP on loopback, in bounded time and size.

No proxy is asked, no redirect followed, no answer taken that is not JSON.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import anyio
import h11
import msgspec

__all__ = ["HOST", "MOST_READ", "MOST_SENT", "Answer", "ConnectionFailed", "Question", "exchange"]

HOST = "127.0.0.1"  # never a name: Unity's listener answers IPv4 alone
MOST_SENT = 1_048_576  # what the server takes
MOST_READ = 8_388_608
_CHUNK = 65_536


class ConnectionFailed(Exception):
    """No answer came; `sent` says whether the question may have arrived."""

    def __init__(self, reason: str, *, sent: bool) -> None:
        super().__init__(reason)
        self.reason = reason
        self.sent = sent


@dataclass(frozen=True, slots=True)
class Question:
    """What is asked, and how long and how much the answer may be."""

    method: str
    target: str
    body: bytes | None = None
    seconds: float = 20.0
    most: int = MOST_READ


@dataclass(frozen=True, slots=True)
class Answer:
    """What came back; `data` is None where it was no JSON."""

    status: int
    data: Any


async def exchange(port: int, token: str, question: Question) -> Answer:
    """Ask once.

    Raises:
        ConnectionFailed: nobody is there, or no whole answer came in time and within the limit.
    """
    sent = False
    try:
        with anyio.fail_after(question.seconds):
            async with await anyio.connect_tcp(HOST, port) as stream:
                connection = h11.Connection(our_role=h11.CLIENT, max_incomplete_event_size=_CHUNK)
                content = _encode(connection, question, f"{HOST}:{port}", token)
                sent = True
                await stream.send(content)
                status, received = await _receive(connection, stream, question.most)
    except TimeoutError:
        raise ConnectionFailed(f"no answer in {math.ceil(question.seconds)} seconds", sent=sent) from None
    except h11.RemoteProtocolError:
        raise ConnectionFailed("what answered does not speak HTTP, or broke off", sent=sent) from None
    except (OSError, anyio.BrokenResourceError):
        raise ConnectionFailed("the connection was refused or broke", sent=sent) from None
    return Answer(status, _decode(received))


def _encode(connection: h11.Connection, question: Question, host: str, token: str) -> bytes:
    headers = [
        ("Host", host),
        ("Authorization", f"Bearer {token}"),
        ("Accept", "application/json"),
        ("Connection", "close"),
    ]
    body = question.body
    if body is not None:
        headers += [("Content-Type", "application/json"), ("Content-Length", str(len(body)))]
    parts = [connection.send(h11.Request(method=question.method, target=question.target, headers=headers))]
    parts += [connection.send(h11.Data(data=body))] if body else []
    parts += [connection.send(h11.EndOfMessage())]
    return b"".join(part for part in parts if part)


async def _receive(connection: h11.Connection, stream: anyio.abc.SocketStream, most: int) -> tuple[int, bytes]:
    status, content = 0, bytearray()
    while True:
        event = connection.next_event()
        if event is h11.NEED_DATA:
            connection.receive_data(await _more(stream))
        elif isinstance(event, h11.Response):
            status = event.status_code
        elif isinstance(event, h11.Data):
            content += event.data
            if len(content) > most:
                raise ConnectionFailed(f"the answer is longer than {most} bytes", sent=True)
        elif isinstance(event, (h11.EndOfMessage, h11.ConnectionClosed)):
            return status, bytes(content)


async def _more(stream: anyio.abc.SocketStream) -> bytes:
    try:
        return await stream.receive(_CHUNK)
    except anyio.EndOfStream:
        return b""


def _decode(content: bytes) -> Any:
    try:
        return msgspec.json.decode(content.removeprefix(b"\xef\xbb\xbf"))
    except (ValueError, RecursionError):  # what msgspec raises is a ValueError
        return None
