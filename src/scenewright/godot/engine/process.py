"""The one place where engines and screens are started: with leave to run, in folders of their own, ended after us.

Their memory is limited on Linux, the only system that can limit a process which runs already.
"""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO, TYPE_CHECKING, Final

from scenewright.core.faults import Invalid
from scenewright.core.processes import NO_WINDOW
from scenewright.godot.engine.user_folder import EngineFolders
from scenewright.godot.engine.watchdog import watchdog

if TYPE_CHECKING:
    from scenewright.core.policy.execution import Permit

__all__ = ["EngineProcess", "WatchedProcess", "limited_growth", "lines_of"]

LEAST_LIMIT: Final = 2 << 30  # of memory
_LONGEST_LINE: Final = 100_000  # bytes: a game may print any
_SERVICES: Final = ("--lsp-port", "--dap-port")  # of an editor, which asks nobody who comes to them for a token


def lines_of(stream: IO[bytes]) -> Iterator[str]:
    """Yield what a process prints, line by line; of one that is too long only its beginning."""
    begins = True
    while part := stream.readline(_LONGEST_LINE):
        if begins:
            yield part.decode("utf-8", "replace").rstrip("\r\n")
        begins = part.endswith(b"\n")


class WatchedProcess(subprocess.Popen[bytes]):
    """A process in a group of its own, which is ended after us where it has not ended before."""

    def __init__(
        self,
        command: Sequence[str],
        *,
        cwd: Path | None = None,
        environment: Mapping[str, str] | None = None,
        output: int = subprocess.DEVNULL,
        pass_fds: Sequence[int] = (),
    ) -> None:
        """Start it.

        Raises:
            Invalid: an argument is none.
        """
        self._watched = False
        if any("\0" in part for part in command):
            raise Invalid(
                "An argument holds a NUL character, which no program takes.", path="input.arguments", rule="pattern"
            )
        super().__init__(
            command,
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=subprocess.STDOUT if output == subprocess.PIPE else subprocess.DEVNULL,
            cwd=cwd,
            env={**os.environ, **(environment or {})},
            pass_fds=pass_fds,
            start_new_session=True,
            creationflags=NO_WINDOW,
        )
        self._watched = True
        watchdog.watch(self.pid)

    def poll(self) -> int | None:
        return self._note_exit(super().poll())

    def wait(self, timeout: float | None = None) -> int:
        code = super().wait(timeout)
        self._note_exit(code)
        return code

    def kill(self) -> None:
        """End it with all that it has started, which would keep its output open and outlive us."""
        if sys.platform == "win32" or self.poll() is not None:
            super().kill()
            return
        with suppress(ProcessLookupError, PermissionError):
            os.killpg(self.pid, signal.SIGKILL)

    def ended(self) -> None:
        """React to the end of the process; called once, when it is known."""

    def _note_exit(self, code: int | None) -> int | None:
        if code is not None and self._watched:
            self._watched = False
            watchdog.forget(self.pid)
            self.ended()
        return code


class EngineProcess(WatchedProcess):
    """An engine that works on a project, with a user:// and settings of its own; `stdout` has what it says."""

    def __init__(
        self,
        permit: Permit,
        command: Sequence[str],
        *,
        cwd: Path | None = None,
        environment: Mapping[str, str] | None = None,
        folders: EngineFolders | None = None,
    ) -> None:
        """Start it, in folders that are thrown away with it unless others are given.

        The permit says that a call may run code of the project: nobody gets an engine without one.
        """
        self.permit = permit
        self._folders = folders or EngineFolders.fresh()
        watchdog.hold(self._folders)
        self._held_port = socket.create_server(("127.0.0.1", 0)) if "--editor" in command else None
        try:
            everything = {**self._folders.environment, **(environment or {})}
            super().__init__(self._without_services(command), cwd=cwd, environment=everything, output=subprocess.PIPE)
            _leave_half_of_memory(self.pid)
        except BaseException:
            self.ended()
            raise

    def ended(self) -> None:
        self._folders.remove()
        watchdog.release(self._folders)
        if self._held_port is not None:
            self._held_port.close()

    def _without_services(self, command: Sequence[str]) -> list[str]:
        """Keep an editor that nobody sees from serving anybody at the usual ports, which are the person's editor's.

        It cannot be told not to, so that it is told a port that is held.
        """
        if self._held_port is None:
            return [*command]
        held = str(self._held_port.getsockname()[1])
        options = [part for each in _SERVICES if each not in command for part in (each, held)]
        at = command.index("--editor") + 1
        return [*command[:at], *options, *command[at:]]


def _leave_half_of_memory(pid: int) -> None:
    """Let a process take no more than half of the machine's memory, so that a scene without end ends it alone."""
    if sys.platform != "linux":
        return
    import resource

    most = max(LEAST_LIMIT, os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") // 2)
    with suppress(OSError, ValueError):  # it has ended, or is limited to less
        _, hard = resource.prlimit(pid, resource.RLIMIT_DATA)
        resource.prlimit(pid, resource.RLIMIT_DATA, (most, hard))


@contextmanager
def limited_growth(pid: int, most: int | None) -> Iterator[None]:
    """Let a process take no more than this many bytes beyond what it has, until the block ends."""
    if most is None or sys.platform != "linux":
        yield
        return
    import resource

    before = resource.prlimit(pid, resource.RLIMIT_DATA)
    resource.prlimit(pid, resource.RLIMIT_DATA, (_data_bytes(pid) + most, before[1]))
    try:
        yield
    finally:
        with suppress(OSError):  # it has ended
            resource.prlimit(pid, resource.RLIMIT_DATA, before)


def _data_bytes(pid: int) -> int:
    """What it has of its own to write in; a limit counts just that."""
    for line in Path(f"/proc/{pid}/status").read_text().splitlines():
        if line.startswith("VmData:"):
            return int(line.split()[1]) * 1024
    return 0
