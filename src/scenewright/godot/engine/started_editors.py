"""Editors that we started for a person or an agent: they live on without us, and only they are ours to close."""

from __future__ import annotations

import os
import subprocess
from dataclasses import dataclass
from pathlib import Path
from threading import Lock
from typing import TYPE_CHECKING

from scenewright.core.faults import NotConnected
from scenewright.core.processes import NO_WINDOW
from scenewright.godot.engine.binary import Binary

if TYPE_CHECKING:
    from scenewright.core.policy.execution import Permit

__all__ = ["Launched", "LaunchedEditors"]

_FIRST_SECONDS = 1.0
_CLOSE_SECONDS = 10.0
_left_open: list[subprocess.Popen[bytes]] = []  # held, so that none is taken for forgotten while it runs


@dataclass(frozen=True, slots=True)
class Launched:
    """An editor's process."""

    process: subprocess.Popen[bytes]
    headless: bool
    permit: Permit

    @property
    def pid(self) -> int:
        return self.process.pid

    @property
    def runs(self) -> bool:
        return self.process.poll() is None


class LaunchedEditors:
    """The editor of each project that this process has started."""

    def __init__(self) -> None:
        self._editors: dict[Path, Launched] = {}
        self._lock = Lock()

    def find(self, project: Path) -> Launched | None:
        editor = self._editors.get(project)
        return editor if editor is not None and editor.runs else None

    def launch(
        self,
        permit: Permit,
        binary: Binary,
        project: Path,
        *,
        headless: bool,
        scene: str | None = None,
        port: int | None = None,
    ) -> Launched:
        """Start an editor, or return the one that runs already; wait to see that it does not end at once.

        It is the person's: it has their settings and their user://, and goes on after us.

        Raises:
            NotConnected: it ended at once.
        """
        with self._lock:
            if (known := self.find(project)) is not None:
                return known
            command = [str(binary.path), *(["--headless"] if headless else []), "--editor", "--path", str(project)]
            command += [scene] if scene else []
            process = subprocess.Popen(
                command,
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
                cwd=project,
                env={**os.environ, **({"SCENEWRIGHT_BRIDGE_PORT": str(port)} if port else {})},
                start_new_session=True,
                creationflags=NO_WINDOW,
            )
            try:
                process.wait(_FIRST_SECONDS)
            except subprocess.TimeoutExpired:
                self._editors[project] = editor = Launched(process, headless, permit)
                return editor
            raise NotConnected(
                f"The editor ended at once with {process.returncode}.",
                hint="Check that the project opens in Godot; godot_preflight says what it lacks.",
            )

    def end(self, project: Path) -> Launched | None:
        """Close the editor that was started here; what was not saved in it is lost."""
        with self._lock:
            editor = self.find(project)
            self._editors.pop(project, None)
        if editor is not None:
            editor.process.terminate()
            try:
                editor.process.wait(_CLOSE_SECONDS)
            except subprocess.TimeoutExpired:
                editor.process.kill()
                editor.process.wait()
        return editor

    def close(self) -> None:
        """Let the editors live on."""
        _left_open.extend(each.process for each in self._editors.values() if each.runs)
        self._editors.clear()
