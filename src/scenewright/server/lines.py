"""Standard input and output, taken over for MCP: lines in, lines out, on two threads that stay for good.

While they are taken over, file descriptor 1 is stderr: a stray print cannot end up between two messages. What comes
before the server is loaded is answered from memory where that is possible (`start.lane`), or waits. Light, and knows
nothing of the SDK.
"""

from __future__ import annotations

import os
import queue
import threading
from collections.abc import Callable
from types import TracebackType
from typing import TYPE_CHECKING, BinaryIO, Self

if TYPE_CHECKING:
    from scenewright.server.start.lane import Lane

__all__ = ["LineReader", "LineWriter", "Wire"]

MAX_LINE_BYTES = 64 << 20


class Wire:
    """The client's end of the line. Lines wait until a server is connected, except those that the lane answers."""

    def __init__(self, lane: Lane | None = None) -> None:
        self.lane = lane
        self._lock = threading.Lock()
        self._waiting: list[bytes] = []
        self._take: Callable[[bytes], None] | None = None
        self._end: Callable[[], None] | None = None
        self._ended = False
        self._heard = threading.Event()  # a line came, or the end
        self._needed = threading.Event()  # somebody waits for what only a server can do

    def __enter__(self) -> Self:
        self._input = _Claimed(0, os.open(os.devnull, os.O_RDONLY), "rb")
        self._output = _Claimed(1, os.dup(2), "wb")
        self.writer = LineWriter(self._output.stream)
        LineReader(self._input.stream, self._receive, self.finish, self.writer).start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.writer.close()
        self._output.give_back()
        self._input.give_back()

    def wait_until_needed(self, idle_seconds: float) -> bool:
        """Wait while the lane answers everything, and until nothing comes for a while; loading a server meanwhile would
        only slow its answers down. Return False where the client has left, and nothing was left to do.
        """
        while self.lane is not None and not self._needed.is_set() and not self._ended:
            self._heard.clear()
            if not self._needed.is_set() and not self._ended and not self._heard.wait(idle_seconds):
                break
        with self._lock:
            return self.lane is None or self._needed.is_set() or not self._ended

    def connect(self, take: Callable[[bytes], None], end: Callable[[], None]) -> None:
        """Hand over what has waited and everything that comes from now on."""
        with self._lock:
            for line in self._waiting:
                take(line)
            self._waiting.clear()
            self._take, self._end = take, end
            if self._ended:
                end()

    def finish(self) -> None:
        """Note that nothing comes any more."""
        with self._lock:
            self._ended = True
            if self._end is not None:
                self._end()
        self._heard.set()

    def _receive(self, line: bytes) -> None:
        taken = self.lane.take(line) if self.lane is not None else None
        if taken is None:
            if self._forward(line) and self.lane is not None:
                self.lane.close()  # the server is there, and has all further lines to itself
            self._needed.set()
        else:
            if taken.reply is not None:
                self.writer.put(taken.reply)
            if taken.forward is not None:
                self._forward(taken.forward)
            if taken.needs_server:
                self._needed.set()
        self._heard.set()

    def _forward(self, line: bytes) -> bool:
        """Give the server a line; return whether it is there already."""
        with self._lock:
            if self._take is None:
                self._waiting.append(line)
                return False
            self._take(line)
            return True


class _Claimed:
    """A standard stream taken over for the wire; its number leads elsewhere until it is given back."""

    def __init__(self, number: int, diversion: int, mode: str) -> None:
        self._number = number
        self._wire = os.dup(number)
        os.dup2(diversion, number)
        os.close(diversion)
        # Never closed: a thread may still wait on it after the server has ended.
        buffering = -1 if mode == "rb" else 0
        self.stream: BinaryIO = os.fdopen(self._wire, mode, buffering, closefd=False)  # type: ignore[assignment]

    def give_back(self) -> None:
        os.dup2(self._wire, self._number)


class LineWriter:
    """Writes lines in order on a thread of its own, so that a client that does not read blocks nobody."""

    def __init__(self, sink: BinaryIO) -> None:
        self._sink = sink
        self._queue: queue.SimpleQueue[bytes | None] = queue.SimpleQueue()
        self._thread = threading.Thread(target=self._run, name="stdout", daemon=True)
        self._thread.start()

    def put(self, line: bytes) -> None:
        self._queue.put(line + b"\n")

    def close(self) -> None:
        """Waits until everything is written, or the reader is gone."""
        self._queue.put(None)
        self._thread.join(timeout=5)

    def _run(self) -> None:
        try:
            while (line := self._queue.get()) is not None:
                view = memoryview(line)
                while view:
                    view = view[self._sink.write(view) :]
        except OSError:
            return  # the client closed its end


class LineReader(threading.Thread):
    """Reads lines, and says when there are no more."""

    def __init__(
        self, source: BinaryIO, take: Callable[[bytes], None], end: Callable[[], None], writer: LineWriter
    ) -> None:
        super().__init__(name="stdin", daemon=True)
        self._source, self._take, self._end, self._writer = source, take, end, writer

    def run(self) -> None:
        try:
            while line := self._source.readline(MAX_LINE_BYTES):
                if line.strip():
                    self._pass_on(line)
            self._end()
        except RuntimeError:
            return  # the server's loop has ended before the input

    def _pass_on(self, line: bytes) -> None:
        if len(line) == MAX_LINE_BYTES and not line.endswith(b"\n"):
            self._skip_rest()
            from scenewright.server.refusal import refusal

            self._writer.put(refusal(line, too_long=True))
        else:
            self._take(line)

    def _skip_rest(self) -> None:
        while (part := self._source.readline(MAX_LINE_BYTES)) and not part.endswith(b"\n"):
            continue
