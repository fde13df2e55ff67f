"""The language servers of all projects in use: started when first asked, ended when nobody asks for long."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from threading import Event, Lock, Thread
from time import monotonic
from typing import TYPE_CHECKING, Any, Final, TypeVar

import anyio
import anyio.from_thread
import anyio.to_thread

from scenewright.core.calls.call import SilentClient
from scenewright.core.faults import Denied, Fault, Unsupported
from scenewright.core.policy.execution import permit_execution
from scenewright.godot.engine.binary import find_binary
from scenewright.godot.engine.language_server.analysis import Analysis, View

if TYPE_CHECKING:
    from collections.abc import Callable

    from scenewright.core.calls.call import Call
    from scenewright.core.policy.execution import Permit
    from scenewright.godot.engine.language_server.server import LanguageServer

__all__ = ["IDLE_SECONDS", "LanguageServers", "ask_language", "language_view", "overlay_of"]

logger = logging.getLogger(__name__)

IDLE_SECONDS: Final = 240.0
_LOOK_SECONDS: Final = 15.0
_FIRST_SECONDS: Final = 6.0  # that a write waits for a server to start
_T = TypeVar("_T")


class LanguageServers:
    """One for each project that this process works on."""

    def __init__(self, idle_seconds: float = IDLE_SECONDS, look_seconds: float = _LOOK_SECONDS) -> None:
        self._idle, self._look = idle_seconds, look_seconds
        self._analyses: dict[tuple[Path, Any], Analysis] = {}
        self._lock = Lock()
        self._closed = Event()
        self._watching = False
        self._starting: dict[Path, Event] = {}  # set once the server is there, or will not be
        self._failed: set[Path] = set()

    def of(self, project: Path, permit: Permit) -> Analysis:
        """Return the analysis of a project.

        Raises:
            Unsupported: there is no Godot to be had.
        """
        binary = find_binary()
        with self._lock:
            analysis = self._analyses.get((project, binary))
            if analysis is None:
                analysis = self._analyses[project, binary] = Analysis(permit, binary, project)
            if not self._watching:
                self._watching = True
                Thread(target=self._end_idle, name="godot-language-servers", daemon=True).start()
            return analysis

    def runs(self, project: Path) -> bool:
        """Return whether the server of a project is there to be asked."""
        with self._lock:
            return any(root == project and each.pid is not None for (root, _), each in self._analyses.items())

    async def is_ready(self, call: Call) -> bool:
        """Return whether the server of a project answers; a client that writes code has it started, and waits a little.

        One that takes longer, such as that of a project to be imported, goes on starting while nobody waits for it.
        """
        root = call.state.project.root
        starting = self._starting.get(root)
        if starting is None:
            if self.runs(root):
                return True
            starting = await self._begin(call)
            if starting is None:
                return False
        is_over = await anyio.to_thread.run_sync(starting.wait, _FIRST_SECONDS, abandon_on_cancel=True)
        if is_over:
            self._starting.pop(root, None)
        return is_over and self.runs(root)

    async def _begin(self, call: Call) -> Event | None:
        """Start a server in the background; None where nobody would hear of it, or where it did not start before."""
        root = call.state.project.root
        if isinstance(call.client, SilentClient) or root in self._failed:
            return None
        try:
            analysis = self.of(root, await permit_execution(call))
        except (Denied, Unsupported):
            return None
        over = self._starting.setdefault(root, Event())

        def start() -> None:
            try:
                with analysis.view({}, lambda _: None):
                    pass
            except Fault:
                self._failed.add(root)
            finally:
                over.set()

        Thread(target=start, name="godot-language-start", daemon=True).start()
        return over

    def pids(self) -> list[int]:
        """Return the processes that run."""
        with self._lock:
            return [pid for analysis in self._analyses.values() if (pid := analysis.pid) is not None]

    def close(self) -> None:
        self._closed.set()
        with self._lock:
            analyses, self._analyses = list(self._analyses.values()), {}
        for analysis in analyses:
            analysis.end()

    def _end_idle(self) -> None:
        while not self._closed.wait(self._look):
            with self._lock:
                analyses = list(self._analyses.values())
            for analysis in analyses:
                if not analysis.is_busy and monotonic() - analysis.used > self._idle and analysis.is_there:
                    logger.info("ended a language server that nobody asked for %g s", self._idle)
                    analysis.end()


def overlay_of(call: Call) -> dict[str, bytes | None]:
    """Return what a call sees otherwise than the disk has it: what an editor holds unsaved, and what is staged."""
    overlay: dict[str, bytes | None] = dict(call.files.unsaved_texts())
    overlay.update((change.path, change.after) for change in call.files.changes())
    return overlay


@contextmanager
def language_view(call: Call) -> Iterator[View]:
    """Ask the language server, from a handler in a thread, about the files as the call sees them.

    Raises:
        Denied: code of this project may not be run.
        Unsupported: there is no Godot to be had.
        NotConnected: the server crashed, or does not start.
        TimedOut: it hangs.
    """
    permit = anyio.from_thread.run(permit_execution, call)
    servers = call.runtime.services.get(LanguageServers, LanguageServers)
    with servers.of(call.state.project.root, permit).view(overlay_of(call), lambda _: None) as view:
        yield view


async def ask_language(call: Call, work: Callable[[View], _T], overlay: dict[str, bytes | None]) -> _T:
    """Likewise on the event loop: do some work with the language server, which is ended where the call is."""
    permit = await permit_execution(call)
    servers = call.runtime.services.get(LanguageServers, LanguageServers)
    root = call.state.project.root
    held: list[LanguageServer] = []

    def run() -> _T:
        with servers.of(root, permit).view(overlay, held.append) as view:
            return work(view)

    try:
        return await anyio.to_thread.run_sync(run, abandon_on_cancel=True)
    except anyio.get_cancelled_exc_class():
        for server in held:
            server.kill()
        raise
