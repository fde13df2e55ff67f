"""Ends what this process has started when it is gone, however it went.

A small process of its own waits at a pipe whose other end only we hold. When that closes, it ends the groups that it
was told of, each known by its number and the time it began, and removes the folders. Windows has no such groups.
"""

from __future__ import annotations

import logging
import os
import subprocess
import sys
from pathlib import Path
from threading import Lock
from typing import IO, TYPE_CHECKING, Final

if TYPE_CHECKING:
    from scenewright.godot.engine.user_folder import EngineFolders

__all__ = ["Watchdog", "watchdog"]

logger = logging.getLogger(__name__)

_PROGRAM: Final = """
import os, signal, subprocess, sys, time

def began(pid):
    try:
        with open(f"/proc/{pid}/stat", "rb") as stat:
            return stat.read().rpartition(b")")[2].split()[19]
    except OSError:
        if os.path.isdir("/proc/self"):
            return b""
    return subprocess.run(["ps", "-o", "lstart=", "-p", str(pid)], capture_output=True).stdout.strip()

def end(groups, number):
    for pid, start in groups.items():
        if start and began(pid) == start:
            try:
                os.killpg(pid, number)
            except OSError:
                pass

groups, folders = {}, set()
for line in sys.stdin:
    word, _, what = line.rstrip("\\n").partition(" ")
    if word == "watch":
        groups[int(what)] = began(int(what))
    elif word == "forget":
        groups.pop(int(what), None)
    elif word == "folder":
        folders.add(what)
    elif word == "removed":
        folders.discard(what)
end(groups, signal.SIGTERM)
until = time.monotonic() + 3
while time.monotonic() < until and any(start and began(pid) == start for pid, start in groups.items()):
    time.sleep(0.05)
end(groups, signal.SIGKILL)
if folders:
    import shutil
    for folder in folders:
        shutil.rmtree(folder, ignore_errors=True)
"""


class Watchdog:
    """The line to that process, which is started with the first that is to be watched."""

    def __init__(self) -> None:
        self._process: subprocess.Popen[str] | None = None
        self._lock = Lock()

    def watch(self, pid: int) -> None:
        """End this process, and its group, after us."""
        self._tell(f"watch {pid}")

    def forget(self, pid: int) -> None:
        """Stop watching a process that has ended; its number may soon be another's."""
        self._tell(f"forget {pid}")

    def hold(self, folders: EngineFolders) -> None:
        """Remove these folders after us, unless they are kept."""
        if not folders.kept:
            self.hold_folder(folders.folder)

    def release(self, folders: EngineFolders) -> None:
        """Stop watching folders that are removed."""
        if not folders.kept:
            self.release_folder(folders.folder)

    def hold_folder(self, folder: Path) -> None:
        """Remove a folder after us."""
        self._tell(f"folder {folder}")

    def release_folder(self, folder: Path) -> None:
        """Stop watching a folder that is removed."""
        self._tell(f"removed {folder}")

    def _tell(self, line: str) -> None:
        if os.name != "posix" or "\n" in line:
            return
        with self._lock:
            try:
                self._started().write(f"{line}\n")
            except OSError as problem:
                logger.warning("what was started may outlive this server: %s", problem.strerror)

    def _started(self) -> IO[str]:
        if self._process is None or self._process.poll() is not None:
            self._process = subprocess.Popen(
                [sys.executable, "-I", "-S", "-c", _PROGRAM],
                stdin=subprocess.PIPE,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
                start_new_session=True,
                text=True,
                bufsize=1,
                cwd="/",
            )
        assert self._process.stdin is not None
        return self._process.stdin


watchdog: Final = Watchdog()
