"""One running game on the other end of the debugger's line.

A thread reads what the game says into a `Transcript`; requests are written from wherever they come. Where the game
stops, at a breakpoint or an error, its stack is asked for at once, so that it is there to be looked at.
"""

from __future__ import annotations

import logging
import socket
import struct
from collections.abc import Callable, Mapping
from contextlib import suppress
from threading import Condition, Lock, Thread
from typing import Any, Final

from scenewright.godot.engine.complaints import Complaint, Frame
from scenewright.godot.engine.debugger.codec import MalformedVariant, decode, encode
from scenewright.godot.engine.debugger.stops import BreakpointRule, JudgedStop, Stop, Variable, is_true

__all__ = ["DebuggerSession", "Transcript"]

logger = logging.getLogger(__name__)

_MAIN_THREAD = 1
_MOST_BYTES = 64 << 20
_KEPT: Final = 5000
_COMPLAINT_SECONDS = 0.5
_SCOPES = ("local", "member", "global")
_OF_PROJECT = ("res://", "user://")
_MEANT = ("Breakpoint", "Break", "")  # reasons to stand still that someone asked for


class Transcript:
    """What a game said, in order; each entry has a number, so that one can ask for those since."""

    def __init__(self) -> None:
        self._entries: list[tuple[int, str, Any]] = []
        self._next = 1
        self.changed = Condition()
        self.on_news: Callable[[], None] | None = None

    def add(self, kind: str, value: Any) -> None:
        with self.changed:
            self._entries.append((self._next, kind, value))
            self._next += 1
            del self._entries[:-_KEPT]
        self.notify()

    def notify(self) -> None:
        """Wake whoever waits for something to happen to the game."""
        with self.changed:
            self.changed.notify_all()
        if self.on_news is not None:
            self.on_news()

    def since(self, number: int = 0) -> list[tuple[int, str, Any]]:
        """Return the entries after a number: (number, `output` or `error`, line or complaint)."""
        with self.changed:
            return [entry for entry in self._entries if entry[0] > number]

    @property
    def last(self) -> int:
        return self._next - 1


class DebuggerSession:
    """The debugger's end of one line."""

    def __init__(
        self,
        line: socket.socket,
        transcript: Transcript,
        *,
        rules: Mapping[tuple[str, int], BreakpointRule] | None = None,
        pauses_on_error: bool = False,
        on_end: Callable[[], None] | None = None,
    ) -> None:
        self.transcript = transcript
        self.pauses_on_error = pauses_on_error
        self.stopped: Stop | None = None
        self.rules = rules or {}  # of breakpoints that do not always stop
        self._untold: Stop | None = None
        self._judged: JudgedStop | None = None
        self._stepping = False
        self._asking = Lock()
        self._answer: Variable | None = None
        self._complaints: list[str] | None = None  # of an expression that is being evaluated
        self._objects: dict[int, tuple[str, list[Any]]] = {}
        self.pid: int | None = None
        self._line = line
        self._on_end = on_end
        self._frame_asked = 0
        self._pictures_asked = 0
        self._pictures: dict[int, str] = {}
        self._handlers: dict[str, Callable[[int, list[Any]], None]] = {
            "set_pid": self._set_pid,
            "output": self._output,
            "error": self._error,
            "debug_enter": self._enter,
            "debug_exit": self._exit,
            "stack_dump": self._stack,
            "stack_frame_vars": self._variables_begin,
            "stack_frame_var": self._variable,
            "evaluation_return": self._evaluated,
            "scene:inspect_object": self._inspected,
            "game_view:get_screenshot": self._pictured,
        }
        self._reader = Thread(target=self._read, name="godot-debugger", daemon=True)
        self._reader.start()

    def hear(self, message: str, handler: Callable[[list[Any]], None]) -> None:
        """Hand messages of a name to a handler, in the thread that reads."""
        self._handlers[message] = lambda _thread, data: handler(data)

    @property
    def is_over(self) -> bool:
        """Whether everything is read that the game will ever say."""
        return not self._reader.is_alive()

    def send(self, message: str, *data: Any, thread: int | None = None) -> None:
        """Send a message to the game; do nothing if it is gone."""
        raw = encode([message, thread or (self.stopped.thread if self.stopped else _MAIN_THREAD), list(data)])
        try:
            self._line.sendall(struct.pack("<I", len(raw)) + raw)
        except OSError:
            logger.debug("the game is gone, '%s' was not sent", message)

    def set_breakpoint(self, path: str, line: int, *, enabled: bool = True) -> None:
        self.send("breakpoint", path, line, enabled, thread=_MAIN_THREAD)

    def resume(self, how: str = "continue") -> None:
        """Resume the game: `continue`, `step` into a call, go to the `next` line, or `out` of the function."""
        self._stepping = how != "continue"
        self.send(how)

    def pause(self) -> None:
        self.send("break", thread=_MAIN_THREAD)

    def wait(self, until: Callable[[], bool], timeout: float) -> bool:
        """Wait until a condition holds, checked whenever the game has said something."""
        with self.transcript.changed:
            return self.transcript.changed.wait_for(until, timeout)

    def variables(self, frame: int, *, timeout: float = 5.0) -> list[Variable] | None:
        """Return the variables of a stack frame while the game is paused, or None if it does not tell them."""
        stop = self.stopped
        if stop is None:
            return None
        if frame not in stop.variables:
            self._frame_asked = frame
            self.send("get_stack_frame_vars", frame)
        self.wait(lambda: self._is_complete(stop, frame) or self.stopped is not stop, timeout)
        return stop.variables.get(frame) if self._is_complete(stop, frame) else None

    def evaluate(self, expression: str, frame: int, *, timeout: float = 5.0) -> tuple[Any, list[str]] | None:
        """Return what an expression is worth in a frame of the paused game, and what it complains of; None for none."""
        with self._asking:
            self._answer, self._complaints = None, []
            self.send("evaluate", expression, frame)
            try:
                if not self.wait(lambda: self._answer is not None or self.stopped is None, timeout):
                    return None
                if self._answer is None:
                    return None
                if self._answer.value is None:  # what is wrong is told after the answer
                    self.wait(lambda: bool(self._complaints), _COMPLAINT_SECONDS)
                return self._answer.value, list(self._complaints)
            finally:
                self._complaints = None

    def inspect(self, number: int, *, timeout: float = 5.0) -> tuple[str, list[Any]] | None:
        """Return the class of an object and its properties as the engine lists them, or None if it is gone."""
        self._objects.pop(number, None)
        self.send("scene:inspect_object", number)
        self.wait(lambda: number in self._objects or self.stopped is None, timeout)
        return self._objects.pop(number, None)

    def picture(self, *, timeout: float = 10.0) -> str | None:
        """Return a file with a picture of the game now, for the caller to delete, or None if it gives none."""
        self._pictures_asked += 1
        number = self._pictures_asked
        self.send("scene:rq_screenshot", number, thread=_MAIN_THREAD)
        self.wait(lambda: number in self._pictures, timeout)
        return self._pictures.pop(number, None)

    def hear_out(self, seconds: float) -> None:
        """Wait until everything is read that a game which has ended sent."""
        self._reader.join(timeout=seconds)

    def close(self) -> None:
        with suppress(OSError):
            self._line.shutdown(socket.SHUT_RDWR)
        self._reader.join(timeout=5)
        self._line.close()

    @staticmethod
    def _is_complete(stop: Stop, frame: int) -> bool:
        return frame in stop.variables and len(stop.variables[frame]) >= stop._awaited[frame]

    # What the game says

    def _read(self) -> None:
        try:
            while True:
                (size,) = struct.unpack("<I", self._receive_exactly(4))
                if size > _MOST_BYTES:
                    raise MalformedVariant(f"a message of {size} bytes")
                self._take(decode(self._receive_exactly(size)))
        except (OSError, EOFError):
            pass
        except (MalformedVariant, TypeError, ValueError, IndexError, RecursionError):
            logger.exception("the game said what is no debugger's message")
        self.stopped = None
        if self._on_end is not None:
            self._on_end()
        self.transcript.notify()

    def _receive_exactly(self, size: int) -> bytes:
        received = bytearray()
        while len(received) < size:
            part = self._line.recv(size - len(received))
            if not part:
                raise EOFError
            received += part
        return bytes(received)

    def _take(self, message: Any) -> None:
        name, thread, data = message
        handler = self._handlers.get(str(name))
        if handler is not None:
            handler(int(thread), data)
            self.transcript.notify()

    def _set_pid(self, _thread: int, data: list[Any]) -> None:
        self.pid = data[0]

    def _output(self, _thread: int, data: list[Any]) -> None:
        texts = getattr(data[0], "items", data[0])
        for text in texts:
            for line in str(text).rstrip("\n").split("\n"):
                self.transcript.add("output", line)

    def _error(self, _thread: int, data: list[Any]) -> None:
        if self._complaints is not None:
            self._complaints.append(str(data[8] or data[7]))
            return
        frames = tuple(
            Frame(str(function), str(file), int(line))
            for file, function, line in zip(data[11::3], data[12::3], data[13::3], strict=False)
            if str(file).startswith(_OF_PROJECT)  # and not what of ours called it
        )
        path, line = str(data[4]), int(data[6])
        in_project = path.startswith(_OF_PROJECT)
        if not in_project and frames:
            path, line, in_project = frames[0].path, frames[0].line, True
        complaint = Complaint(
            "warning" if data[9] else "error",
            "script",
            str(data[8] or data[7]),
            path if in_project else None,
            line if in_project else None,
            frames,
        )
        self.transcript.add("error", complaint)

    def _enter(self, thread: int, data: list[Any]) -> None:
        stop = Stop(reason=str(data[1]), can_continue=bool(data[0]), thread=thread)
        is_error = stop.reason not in _MEANT
        if not is_error and self.rules and not self._stepping:
            self._judged = JudgedStop(stop)
            self.send("get_stack_dump", thread=stop.thread)
            return
        self._stepping = False
        # Before 4.5, where the thread goes by a name here, an error that halts the game is told in no other way.
        self._untold = stop if is_error and isinstance(data[-1], str) else None
        if not is_error or self.pauses_on_error:
            self.stopped = stop
        if self.stopped is stop or self._untold is stop:
            self.send("get_stack_dump", thread=stop.thread)
        else:
            self.send("continue", thread=stop.thread)

    def _exit(self, _thread: int, _data: list[Any]) -> None:
        self.stopped = None

    def _stack(self, _thread: int, data: list[Any]) -> None:
        rows = zip(data[1::3], data[2::3], data[3::3], strict=False)
        frames = [Frame(str(function), str(file), int(line)) for file, line, function in rows]
        if self._judged is not None:
            self._judged.stop.stack = frames
            self._ask_rule(self._judged)
            return
        if self.stopped is not None:
            self.stopped.stack = frames
        if self._untold is not None:
            self._add_error(self._untold, frames)

    def _ask_rule(self, judged: JudgedStop) -> None:
        """Ask what the breakpoint's rule is about; without one the game stays where it is."""
        frames = judged.stop.stack
        judged.rule = self.rules.get((frames[0].path, frames[0].line)) if frames else None
        rule = judged.rule
        if rule is None or not (rule.condition or rule.log):
            self._judged, self.stopped = None, judged.stop
            return
        judged.logs = rule.condition is None
        self.send("evaluate", rule.condition or rule.log, 0, thread=judged.stop.thread)

    def _evaluated(self, _thread: int, data: list[Any]) -> None:
        judged = self._judged
        if judged is None:
            self._answer = Variable(str(data[0]), "expression", data[-1])
            return
        rule, value = judged.rule, data[-1]
        assert rule is not None
        if judged.logs:
            self.transcript.add("output", f"{judged.place}: {value if isinstance(value, str) else _show(value)}")
        elif value is None:
            judged.stop.reason = f"The condition '{rule.condition}' has no value here."
            self._judged, self.stopped = None, judged.stop
            return
        elif is_true(value) and rule.log is None:
            self._judged, self.stopped = None, judged.stop
            return
        elif is_true(value) and rule.log is not None:
            judged.logs = True
            self.send("evaluate", rule.log, 0, thread=judged.stop.thread)
            return
        self._judged = None
        self.send("continue", thread=judged.stop.thread)

    def _inspected(self, _thread: int, data: list[Any]) -> None:
        if len(data) >= 3:
            self._objects[int(data[0]) % (1 << 64)] = str(data[1]), getattr(data[2], "items", data[2])

    def _add_error(self, stop: Stop, frames: list[Frame]) -> None:
        """Takes what halted the game for the error that it is."""
        self._untold = None
        path, line = (frames[0].path, frames[0].line) if frames else (None, None)
        self.transcript.add("error", Complaint("error", "script", stop.reason, path, line, tuple(frames)))
        if self.stopped is not stop:
            self.send("continue", thread=stop.thread)

    def _pictured(self, _thread: int, data: list[Any]) -> None:
        self._pictures[int(data[0])] = str(data[3])

    def _variables_begin(self, _thread: int, data: list[Any]) -> None:
        if self.stopped is not None:
            self.stopped._awaited[self._frame_asked] = int(data[0])
            self.stopped.variables[self._frame_asked] = []

    def _variable(self, _thread: int, data: list[Any]) -> None:
        if self.stopped is not None and self._frame_asked in self.stopped.variables:
            scope = _SCOPES[data[1]] if 0 <= int(data[1]) < len(_SCOPES) else "other"
            self.stopped.variables[self._frame_asked].append(Variable(str(data[0]), scope, data[-1]))


def _show(value: Any) -> str:
    from scenewright.godot.engine.debugger.shown_values import show_value

    return show_value(value)
