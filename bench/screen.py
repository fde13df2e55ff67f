"""A virtual screen on which another window has the focus, as while a person types elsewhere."""

from __future__ import annotations

import ctypes
import ctypes.util
import os
import shutil
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager

__all__ = ["Screen", "screen"]


class Screen:
    """A display of our own."""

    def __init__(self, name: str) -> None:
        self.name = name
        self._connection: ctypes.c_void_p | None = None

    def take_focus(self) -> bool:
        """Gives the focus to a window of ours and keeps it there; False where the X library is missing."""
        library = ctypes.util.find_library("X11")
        if library is None:
            return False
        x11 = ctypes.CDLL(library)
        x11.XOpenDisplay.restype = ctypes.c_void_p
        x11.XDefaultRootWindow.restype = x11.XCreateSimpleWindow.restype = ctypes.c_ulong
        x11.XDefaultRootWindow.argtypes = [ctypes.c_void_p]
        x11.XCreateSimpleWindow.argtypes = [
            ctypes.c_void_p,
            ctypes.c_ulong,
            *[ctypes.c_int] * 2,
            *[ctypes.c_uint] * 3,
            *[ctypes.c_ulong] * 2,
        ]
        x11.XMapRaised.argtypes = [ctypes.c_void_p, ctypes.c_ulong]
        x11.XSync.argtypes = [ctypes.c_void_p, ctypes.c_int]
        x11.XSetInputFocus.argtypes = [ctypes.c_void_p, ctypes.c_ulong, ctypes.c_int, ctypes.c_ulong]
        display = ctypes.c_void_p(x11.XOpenDisplay(self.name.encode()))
        if not display:
            return False
        window = x11.XCreateSimpleWindow(display, x11.XDefaultRootWindow(display), 0, 0, 40, 40, 0, 0, 0)
        x11.XMapRaised(display, window)
        x11.XSync(display, 0)
        x11.XSetInputFocus(display, window, 0, 0)
        x11.XSync(display, 0)
        self._connection = display  # the window lives as long as the connection
        return True


@contextmanager
def screen() -> Iterator[Screen]:
    """Starts Xvfb on a free display."""
    program = shutil.which("Xvfb")
    if program is None:
        raise FileNotFoundError("Xvfb is not there; `make tools` gets it")
    reading, writing = os.pipe()
    process = subprocess.Popen(
        [program, "-displayfd", str(writing), "-screen", "0", "1280x720x24", "-nolisten", "tcp"],
        pass_fds=[writing],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    os.close(writing)
    try:
        with os.fdopen(reading) as told:
            yield Screen(f":{told.readline().strip()}")
    finally:
        process.terminate()
        process.wait(timeout=10)
