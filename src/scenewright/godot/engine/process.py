"""The one place where engines and screens are started: with leave to run, in folders of their own, ended after us."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from scenewright.godot.engine.memory import leave_half_of_memory
from scenewright.godot.engine.user_folder import EngineFolders
from scenewright.godot.engine.watchdog import watchdog

if TYPE_CHECKING:
    from scenewright.core.policy.execution import Permit

__all__ = ["EngineProcess", "WatchedProcess"]


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
        self._watched = False
        super().__init__(
            command,
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=subprocess.STDOUT if output == subprocess.PIPE else subprocess.DEVNULL,
            cwd=cwd,
            env={**os.environ, **(environment or {})},
            pass_fds=pass_fds,
            start_new_session=True,
        )
        self._watched = True
        watchdog.watch(self.pid)

    def poll(self) -> int | None:
        return self._note_exit(super().poll())

    def wait(self, timeout: float | None = None) -> int:
        code = super().wait(timeout)
        self._note_exit(code)
        return code

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
        try:
            everything = {**self._folders.environment, **(environment or {})}
            super().__init__(command, cwd=cwd, environment=everything, output=subprocess.PIPE)
            leave_half_of_memory(self.pid)
        except BaseException:
            self.ended()
            raise

    def ended(self) -> None:
        self._folders.remove()
        watchdog.release(self._folders)
