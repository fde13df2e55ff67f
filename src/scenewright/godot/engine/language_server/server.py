"""The process: an editor without a window on a copy of a project, the lines to its language server and our plugin.

The language server asks nobody for a token. So whoever answers at its port has to know what lies in the copy, before it
is told anything, and all the lines that the server takes are ours, so that it takes no stranger's.
"""

from __future__ import annotations

import json
import secrets
import socket
from collections import deque
from collections.abc import Callable, Sequence
from threading import Thread
from time import monotonic, sleep
from typing import TYPE_CHECKING, Any, Final, Protocol

from scenewright.core.faults import NotConnected, TimedOut
from scenewright.godot.engine.engine_line import accept_engine
from scenewright.godot.engine.language_server.connection import LanguageConnection, Message
from scenewright.godot.engine.language_server.project_copy import PLUGIN
from scenewright.godot.engine.process import EngineProcess, lines_of
from scenewright.godot.engine.worker import let_others_go_first

if TYPE_CHECKING:
    from pathlib import Path

    from scenewright.core.policy.execution import Permit
    from scenewright.godot.engine.binary import Binary

__all__ = ["START_SECONDS", "LanguageServer"]


class SupportsClose(Protocol):
    def close(self) -> None: ...


START_SECONDS: Final = 60.0
_LOOK_SECONDS: Final = 0.02
_KEPT_LINES: Final = 60
_SHORTEST: Final = 0.01
_LINES: Final = 8  # as many as the server takes
_PROOF: Final = f"{PLUGIN}/proof.gd"


class LanguageServer:
    """One server; used by one thread at a time. After a fault it is dead."""

    def __init__(
        self,
        permit: Permit,
        binary: Binary,
        folder: Path,
        *,
        on_news: Callable[[Message], None],
        holding: Callable[[LanguageServer], None],
    ) -> None:
        """Start it and wait until it answers.

        Raises:
            NotConnected: it ended at once.
            TimedOut: it did not answer in time.
        """
        self.crashed = False  # it ended, and we did not end it
        self._ended = False
        self.last_lines: deque[str] = deque(maxlen=_KEPT_LINES)
        self._open: list[SupportsClose] = []
        token, port = secrets.token_urlsafe(24), _free_port()
        proof = f"PROOF_{secrets.token_hex(16)}"
        (folder / _PROOF).write_text(f"extends RefCounted\n\nconst {proof}: int = 1\n")
        with socket.create_server(("127.0.0.1", 0), backlog=64) as listener:
            plugin_port = listener.getsockname()[1]
            command = [str(binary.path), "--headless", "--editor", "--path", str(folder), "--lsp-port", str(port)]
            environment = {"SCENEWRIGHT_WORKER_PORT": str(plugin_port), "SCENEWRIGHT_WORKER_TOKEN": token}
            self._process = EngineProcess(permit, command, cwd=folder, environment=environment)
            holding(self)
            let_others_go_first(self._process.pid)
            Thread(target=self._listen, name="godot-language-output", daemon=True).start()
            try:
                plugin = accept_engine(listener, token, self._process, seconds=START_SECONDS)
                self._plugin, self._answers = plugin, plugin.makefile("rb")
                self._open += [self._answers, plugin]
                for _ in range(_LINES - 1):
                    self._hold_line(port)
                line = self._connect(port)
                self._open.append(line)
                self._connection = LanguageConnection(line, on_news)
                self._greet(folder, proof)
            except BaseException:
                self.kill()
                raise

    @property
    def alive(self) -> bool:
        return self._process.poll() is None

    @property
    def pid(self) -> int:
        return self._process.pid

    def kill(self) -> None:
        """End the process, whatever it is doing; called from any thread."""
        self._ended = True
        if self._process.poll() is None:
            self._process.kill()
        self._process.wait()
        for each in self._open:
            each.close()

    def ask_all(self, requests: Sequence[tuple[str, Message]], *, seconds: float) -> list[Any]:
        """Return the results of requests, in their order.

        Raises:
            TimedOut: it did not answer in time, and was ended.
            NotConnected: it crashed.
        """

        def work(deadline: float) -> list[Any]:
            self._plugin.sendall(b"{}\n")  # so that it looks for requests more often for a while
            return self._connection.ask_all(requests, deadline=deadline)

        results: list[Any] = self._guarded(seconds, work)
        return results

    def tell_all(self, notes: Sequence[tuple[str, Message]], until: Callable[[], bool], *, seconds: float) -> None:
        """Tell it of things, and wait until what it says of them has come."""

        def work(deadline: float) -> None:
            for method, params in notes:
                self._connection.tell(method, params, deadline=deadline)
            self._connection.wait_for(until, deadline=deadline)

        self._guarded(seconds, work)

    def note_files(self, changed: Sequence[str], scripts: Sequence[str], *, seconds: float) -> None:
        """Tell our plugin which files changed, and which scripts to read again; wait until that is done."""
        message = {"id": 1, "changed": [f"res://{path}" for path in changed]}
        message["scripts"] = [f"res://{path}" for path in scripts]

        def work(deadline: float) -> None:
            self._plugin.settimeout(max(deadline - monotonic(), _SHORTEST))
            self._plugin.sendall(json.dumps(message).encode() + b"\n")
            if not self._answers.readline():
                raise EOFError

        self._guarded(seconds, work)

    def _guarded(self, seconds: float, work: Callable[[float], Any]) -> Any:
        try:
            return work(monotonic() + seconds)
        except TimeoutError:
            self.kill()
            raise TimedOut(
                f"Godot's language server did not answer within {seconds:g} s and was ended.",
                hint="Try again with a new one. If it hangs each time, look for an endless loop in a @tool script.",
            ) from None
        except (OSError, EOFError, ValueError):
            self.crashed = not self._ended
            self.kill()
            raise NotConnected(
                "Godot's language server ended while it was asked.",
                hint="Try again: a new one is started.",
                details={"lastLines": list(self.last_lines)[-5:]},
            ) from None

    def _connect(self, port: int) -> socket.socket:
        deadline = monotonic() + START_SECONDS
        while True:
            try:
                line = socket.create_connection(("127.0.0.1", port), timeout=5.0)
            except OSError:
                if monotonic() > deadline or not self.alive:
                    raise NotConnected(
                        "Godot started, but its language server did not answer.", hint="Try again."
                    ) from None
                sleep(_LOOK_SECONDS)
                continue
            line.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            return line

    def _hold_line(self, port: int) -> None:
        """Take a line that nobody else gets then; the answer to a question that means nothing says that it is ours."""
        line = self._connect(port)
        self._open.append(line)
        self._guarded(START_SECONDS, LanguageConnection(line, lambda _: None).check)

    def _greet(self, folder: Path, proof: str) -> None:
        root = folder.as_uri()
        params: Message = {"processId": None, "rootUri": root, "rootPath": str(folder), "capabilities": {}}
        self.ask_all([("initialize", params)], seconds=START_SECONDS)
        about = {"textDocument": {"uri": f"{root}/{_PROOF}"}}
        symbols = self.ask_all([("textDocument/documentSymbol", about)], seconds=START_SECONDS)
        if proof not in json.dumps(symbols):
            raise NotConnected("Another program answers in the place of Godot's language server.", hint="Try again.")
        self.tell_all([("initialized", {})], lambda: True, seconds=START_SECONDS)

    def _listen(self) -> None:
        stream = self._process.stdout
        assert stream is not None
        with stream:
            self.last_lines.extend(lines_of(stream))


def _free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as probe:
        port: int = probe.getsockname()[1]
        return port
