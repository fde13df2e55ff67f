"""Where pictures are drawn: on a virtual screen where there is one to be had, else on the person's own."""

from __future__ import annotations

import os
import shutil
import sys
from pathlib import Path
from threading import Lock

from scenewright.core.faults import Unsupported
from scenewright.godot.engine.binary import find_binary
from scenewright.godot.engine.games import can_show_windows
from scenewright.godot.engine.process import WatchedProcess

__all__ = ["Screen", "find_virtual_screen", "own_drivers"]

_SIZE = "3840x2160x24"


def own_drivers() -> dict[str, str]:
    """Return Vulkan drivers beside the Godot in use, for a process to find where the system has none."""
    beside = sorted((find_binary().path.resolve().parent / "usr/share/vulkan/icd.d").glob("*.json"))
    known = any(name in os.environ for name in ("VK_DRIVER_FILES", "VK_ICD_FILENAMES"))
    system = [Path(folder) for folder in ("/usr/share/vulkan/icd.d", "/etc/vulkan/icd.d")]
    if known or not beside or any(next(folder.glob("*.json"), None) for folder in system):
        return {}
    return {"VK_DRIVER_FILES": os.pathsep.join(map(str, beside))}


def find_virtual_screen() -> str | None:
    """Return the program for a screen that nobody sees, None where windows open on the person's own."""
    return shutil.which("Xvfb") if sys.platform.startswith("linux") else None


class Screen:
    """A screen for windows that nobody is to see; started when first needed."""

    def __init__(self) -> None:
        self._server: WatchedProcess | None = None
        self._name: str | None = None
        self._lock = Lock()

    def environment(self) -> dict[str, str]:
        """Return what a process needs in its environment to draw.

        Raises:
            Unsupported: nothing can be drawn here.
        """
        if program := find_virtual_screen():
            with self._lock:
                if self._server is None or self._server.poll() is not None:
                    self._start(program)
            return {
                "DISPLAY": f":{self._name}",
                "WAYLAND_DISPLAY": "",
                "LIBGL_ALWAYS_SOFTWARE": "1",
                "SCENEWRIGHT_OWN_SCREEN": "1",  # whose pointer is nobody's, and may be moved
            }
        if can_show_windows():
            return {}
        raise Unsupported(
            "Pictures need a screen, and there is none here.",
            hint="Install Xvfb (the package xvfb), or set DISPLAY to a screen.",
        )

    def close(self) -> None:
        with self._lock:
            if self._server is not None and self._server.poll() is None:
                self._server.terminate()
                self._server.wait()
            self._server = None

    def _start(self, program: str) -> None:
        reader, writer = os.pipe()
        try:
            command = [program, "-displayfd", str(writer), "-screen", "0", _SIZE, "-nolisten", "tcp"]
            self._server = WatchedProcess(command, pass_fds=[writer])
        finally:
            os.close(writer)
        with os.fdopen(reader, "rb") as answer:
            self._name = answer.readline().decode().strip()  # ends early where the server does
        if not self._name:
            raise Unsupported("The virtual screen did not start.", hint="Try Xvfb by hand to see why.")
