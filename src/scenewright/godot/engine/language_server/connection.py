"""One line to a language server: requests in a row or many at once, each matched with its answer by number."""

from __future__ import annotations

import json
import socket
from collections.abc import Callable, Iterable, Sequence
from time import monotonic
from typing import Any, Final

__all__ = ["LanguageConnection", "Message", "MessageReader"]

Message = dict[str, Any]
_MOST_BYTES: Final = 64 << 20
_MOST_HEADER: Final = 4096
_PART: Final = 1 << 16
_AT_ONCE: Final = 100  # requests under way: the server's buffers take no more than some hundred kilobytes


class MessageReader:
    """Makes messages of what comes over the line."""

    def __init__(self) -> None:
        self._buffer = bytearray()

    def feed(self, part: bytes) -> None:
        self._buffer += part

    def next(self) -> Message | None:
        """Return the next whole message, None where it has not all come.

        Raises:
            ValueError: this is not the protocol.
        """
        head, mark, _ = bytes(self._buffer[:_MOST_HEADER]).partition(b"\r\n\r\n")
        if not mark:
            if len(self._buffer) >= _MOST_HEADER:
                raise ValueError("a header without end")
            return None
        start = len(head) + len(mark)
        size = _content_length(head)
        if len(self._buffer) < start + size:
            return None
        body = bytes(self._buffer[start : start + size])
        del self._buffer[: start + size]
        message = json.loads(body)
        if not isinstance(message, dict):
            raise ValueError("not an object")
        return message


def _content_length(head: bytes) -> int:
    for line in head.split(b"\r\n"):
        name, _, value = line.partition(b":")
        if name.strip().lower() == b"content-length":
            size = int(value)
            if 0 <= size <= _MOST_BYTES:
                return size
    raise ValueError("a message without a length that can be")


class LanguageConnection:
    """Speaks the protocol over a socket; used by one thread at a time."""

    def __init__(self, line: socket.socket, on_news: Callable[[Message], None]) -> None:
        self._line = line
        self._reader = MessageReader()
        self._number = 0
        self._on_news = on_news  # told of what the server says by itself

    def close(self) -> None:
        self._line.close()

    def check(self, deadline: float) -> None:
        """Wait for an answer to a question that means nothing.

        Raises:
            TimeoutError, EOFError, OSError, ValueError: none comes.
        """
        self.ask("scenewright/check", {}, deadline=deadline)

    def tell(self, method: str, params: Message, *, deadline: float) -> None:
        self._send({"method": method, "params": params}, deadline)

    def ask(self, method: str, params: Message, *, deadline: float) -> Any:
        return self.ask_all([(method, params)], deadline=deadline)[0]

    def ask_all(self, requests: Sequence[tuple[str, Message]], *, deadline: float) -> list[Any]:
        """Return the results of many requests, in their order; None where the server answered with an error.

        Raises:
            TimeoutError: they did not all come before the deadline.
            EOFError, OSError, ValueError: the line is broken.
        """
        results: list[Any] = []
        for start in range(0, len(requests), _AT_ONCE):
            results += self._ask_part(requests[start : start + _AT_ONCE], deadline)
        return results

    def wait_for(self, is_there: Callable[[], bool], *, deadline: float) -> None:
        """Read what comes until something that `on_news` hears of is there."""
        while not is_there():
            self._hear(self._receive(deadline), {})

    def _ask_part(self, requests: Iterable[tuple[str, Message]], deadline: float) -> list[Any]:
        numbers: list[int] = []
        answers: dict[int, Any] = {}
        for method, params in requests:
            self._number += 1
            numbers.append(self._number)
            self._send({"id": self._number, "method": method, "params": params}, deadline)
        while len(answers) < len(numbers):
            self._hear(self._receive(deadline), answers)
        return [answers[number] for number in numbers]

    def _hear(self, message: Message, answers: dict[int, Any]) -> None:
        number = message.get("id")
        if "method" in message:
            self._on_news(message)
        elif isinstance(number, int | float):
            answers[int(number)] = message.get("result")

    def _send(self, message: Message, deadline: float) -> None:
        body = json.dumps({"jsonrpc": "2.0", **message}).encode()
        self._line.settimeout(_left(deadline))
        self._line.sendall(b"Content-Length: %d\r\n\r\n%b" % (len(body), body))

    def _receive(self, deadline: float) -> Message:
        while (message := self._reader.next()) is None:
            self._line.settimeout(_left(deadline))
            part = self._line.recv(_PART)
            if not part:
                raise EOFError
            self._reader.feed(part)
        return message


def _left(deadline: float) -> float:
    left = deadline - monotonic()
    if left <= 0:
        raise TimeoutError
    return left
