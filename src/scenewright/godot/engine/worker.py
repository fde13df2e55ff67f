"""One long-lived headless engine and the line to it.

The worker connects back to a loopback socket of ours and proves itself with a token; requests and replies are lines of
JSON-RPC. What the engine prints and complains of between two marks belongs to the request between them.
"""

from __future__ import annotations

import json
import logging
import os
import secrets
import socket
import sys
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from threading import Condition, Thread
from time import monotonic
from typing import TYPE_CHECKING, Any, Final

from scenewright.core.faults import NotConnected, TimedOut
from scenewright.godot.engine.binary import Binary
from scenewright.godot.engine.complaints import Complaint, printed, read_complaints
from scenewright.godot.engine.engine_line import accept_engine
from scenewright.godot.engine.process import EngineProcess, limited_growth, lines_of

if TYPE_CHECKING:
    from scenewright.core.policy.execution import Permit

__all__ = ["LOCK_STEP", "Progress", "Reply", "Worker", "let_others_go_first"]

logger = logging.getLogger(__name__)

SCRIPT: Final = Path(__file__).with_name("worker_scripts") / "worker.gd"
LOCK_STEP: Final = {"SCENEWRIGHT_LOCK_STEP": "1"}  # in its environment: no frame passes but those that are asked for
_MARK = "@scenewright "
_START_SECONDS = 30.0
_SETTLE_SECONDS = 5.0
_KEPT_LINES = 200
_MOST_LINES, _MOST_LETTERS = 100_000, 32_000_000
_MOST_ANSWER: Final = 256_000_000  # bytes
_NICER = 5

Progress = Callable[[int, int, str], None]


@dataclass(frozen=True, slots=True)
class Reply:
    """What the engine answered, and what it complained of; `about` has the complaints by file where it named one."""

    value: Any
    complaints: list[Complaint]
    about: Mapping[str, list[Complaint]]
    output: list[str]


class Worker:
    """A running engine; one request at a time."""

    def __init__(
        self,
        permit: Permit,
        binary: Binary,
        project: Path,
        *,
        arguments: tuple[str, ...] = ("--headless",),
        environment: Mapping[str, str] | None = None,
        game_arguments: tuple[str, ...] = (),
    ) -> None:
        self._said = _Said()
        self._next = 1
        self._line: socket.socket | None = None
        self.most_growth: int | None = None  # bytes that the next request may take
        token = secrets.token_urlsafe(24)
        with socket.create_server(("127.0.0.1", 0), backlog=64) as listener:
            port = listener.getsockname()[1]
            env = {"SCENEWRIGHT_WORKER_PORT": str(port), "SCENEWRIGHT_WORKER_TOKEN": token}
            command = [str(binary.path), *arguments, "--path", str(project), "--script", str(SCRIPT)]
            command += ["--", *game_arguments] if game_arguments else []
            environment = {**(environment or {}), **env}
            self._process = EngineProcess(permit, command, cwd=project, environment=environment)
            let_others_go_first(self._process.pid)
            Thread(target=self._listen, name="godot-worker-output", daemon=True).start()
            try:
                line = accept_engine(listener, token, self._process)
            except BaseException:
                self.kill()
                raise
        self._reader = line.makefile("rb")
        self._line = line

    @property
    def alive(self) -> bool:
        return self._process.poll() is None

    @property
    def pid(self) -> int:
        return self._process.pid

    def ask(
        self, method: str, params: Mapping[str, Any], *, timeout: float, on_progress: Progress | None = None
    ) -> Reply:
        """Send a request and wait for its answer; after a fault the worker is dead.

        Raises:
            TimedOut: no answer in time.
            NotConnected: the engine crashed or was ended.
        """
        number, self._next = self._next, self._next + 1
        message = {"jsonrpc": "2.0", "id": number, "method": method, "params": params}
        assert self._line is not None
        growth, self.most_growth = self.most_growth, None
        try:
            with limited_growth(self.pid, growth):
                self._line.settimeout(timeout)
                self._line.sendall(json.dumps(message).encode() + b"\n")
                value = self._answer(self._line, number, monotonic() + timeout, on_progress)
        except TimeoutError:
            self.kill()
            raise TimedOut(
                f"Godot did not finish '{method}' within {timeout:g} s and was ended; the project is unchanged.",
                hint="A script may be in an endless loop. Try again, or narrow the request.",
            ) from None
        except (OSError, EOFError, ValueError):  # a line that was closed from elsewhere is a ValueError
            self.kill()
            raise self._crashed(method) from None
        output = self._said.between(number)
        lines = [line for line in output if not line.startswith(_MARK)]
        return Reply(value, read_complaints(lines), _by_file(output), printed(lines))

    def kill(self) -> None:
        """End the process, whatever it is doing."""
        if self._process.poll() is None:
            self._process.kill()
        self._process.wait()
        if self._line is not None:
            self._reader.close()
            self._line.close()

    def _answer(self, line: socket.socket, number: int, deadline: float, on_progress: Progress | None) -> Any:
        while True:
            left = deadline - monotonic()
            if left <= 0:
                raise TimeoutError
            line.settimeout(left)
            received = self._reader.readline(_MOST_ANSWER)
            if not received or len(received) == _MOST_ANSWER:
                raise EOFError
            message = json.loads(received)
            if message.get("id") == number:
                return message["result"]
            if message.get("method") == "progress" and on_progress is not None:
                progress = message["params"]
                on_progress(int(progress["done"]), int(progress["total"]), progress["message"])

    def _listen(self) -> None:
        stream = self._process.stdout
        assert stream is not None
        with stream:
            for line in lines_of(stream):
                self._said.add(line)
        self._said.end()

    def _crashed(self, method: str) -> NotConnected:
        last = [complaint.message for complaint in read_complaints(self._said.last())][-3:]
        logger.warning("a Godot worker ended during '%s' with %s: %s", method, self._process.returncode, last)
        return NotConnected(
            f"Godot crashed during '{method}'; a new one is started for the next call.",
            hint="Try again. If it crashes each time, narrow the request to find the file that does it.",
            details={"lastErrors": last} if last else None,
        )


class _Said:
    """What came over stderr, read by one thread and waited for by another."""

    def __init__(self) -> None:
        self._lines: list[str] = []
        self._letters = 0
        self._changed = Condition()
        self._ended = False

    def add(self, line: str) -> None:
        with self._changed:
            self._lines.append(line)
            self._letters += len(line)
            if line.startswith(_MARK):
                self._changed.notify_all()
            elif len(self._lines) > _MOST_LINES or self._letters > _MOST_LETTERS:
                del self._lines[:-_KEPT_LINES]
                self._letters = sum(map(len, self._lines))

    def end(self) -> None:
        with self._changed:
            self._ended = True
            self._changed.notify_all()

    def last(self) -> list[str]:
        with self._changed:
            self._changed.wait_for(lambda: self._ended, timeout=_SETTLE_SECONDS)
            return self._lines[-_KEPT_LINES:]

    def between(self, number: int) -> list[str]:
        """The lines between the marks of a request; forgets them and all before."""
        begin, end = f"{_MARK}begin {number}", f"{_MARK}end {number}"
        with self._changed:
            self._changed.wait_for(lambda: self._ended or end in self._lines, timeout=_SETTLE_SECONDS)
            start = self._lines.index(begin) + 1 if begin in self._lines else 0
            stop = self._lines.index(end) if end in self._lines else len(self._lines)
            lines = self._lines[start:stop]
            del self._lines[: stop + 1]
            self._letters = sum(map(len, self._lines))
        return lines


def let_others_go_first(pid: int) -> None:
    """Nobody looks at this engine: the person's editor and game come before it, and so does whoever asks it."""
    if sys.platform != "win32":
        with suppress(OSError):  # it has ended already, or may not be changed
            os.setpriority(os.PRIO_PROCESS, pid, os.getpriority(os.PRIO_PROCESS, 0) + _NICER)


def _by_file(output: list[str]) -> dict[str, list[Complaint]]:
    groups: dict[str, list[str]] = {}
    current: list[str] | None = None
    for line in output:
        if line.startswith(f"{_MARK}file "):
            current = groups.setdefault(line.removeprefix(f"{_MARK}file "), [])
        elif current is not None:
            current.append(line)
    return {path: read_complaints(lines) for path, lines in groups.items()}
