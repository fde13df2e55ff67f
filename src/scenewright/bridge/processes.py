"""What the system tells of other processes: whether one is there, since when, and who listens at a port.

Only Linux is asked for more than whether a process is there; elsewhere the answer to the rest is None.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from functools import cache
from pathlib import Path

__all__ = ["is_listening", "is_running", "owner_of_connection", "started_at"]

_PROC = Path("/proc")
_LISTENING = "0A"
_QUERY_LIMITED_INFORMATION, _STILL_ACTIVE, _ACCESS_DENIED = 0x1000, 259, 5
_TABLES = ("net/tcp", "net/tcp6")


def is_running(pid: int) -> bool:
    """Return whether a process is there; one that was killed leaves its files behind."""
    if sys.platform == "win32":
        return _runs_on_windows(pid)  # where a signal of 0 is a Ctrl+C
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except (OSError, OverflowError):
        return pid > 0
    return _fields(pid)[:1] != ["Z"]  # a zombie


def started_at(pid: int) -> float | None:
    """Return when a process began, in seconds since 1970; None where nobody can tell."""
    if sys.platform == "win32":
        return None
    fields, booted = _fields(pid), _booted_at()
    if booted is None or len(fields) < 20:
        return None
    return booted + int(fields[19]) / os.sysconf("SC_CLK_TCK")


def is_listening(pid: int, port: int) -> bool | None:
    """Return whether it is this process that listens at a port of this machine; None where nobody can tell."""
    if not (_PROC / "net/tcp").exists():
        return None
    sockets = {f"socket:[{inode}]" for inode in _listeners(port)}
    try:
        return any(_target(link) in sockets for link in (_PROC / str(pid) / "fd").iterdir()) if sockets else False
    except OSError:
        return False  # the process of another user


def owner_of_connection(port: int, to: int) -> int | None:
    """Return which user's the connection from one port of this machine to another is; None where nobody can tell."""
    for table in _TABLES:
        try:
            lines = (_PROC / table).read_text().splitlines()[1:]
        except OSError:
            continue
        for fields in map(str.split, lines):
            if [int(end.rpartition(":")[2], 16) for end in fields[1:3]] == [port, to]:
                return int(fields[7])
    return None


def _listeners(port: int) -> Iterator[str]:
    """Yield the inodes of the sockets that listen at a port."""
    for table in _TABLES:
        try:
            lines = (_PROC / table).read_text().splitlines()[1:]
        except OSError:
            continue
        for fields in map(str.split, lines):
            if fields[3] == _LISTENING and int(fields[1].rpartition(":")[2], 16) == port:
                yield fields[9]


def _target(link: Path) -> str:
    try:
        return os.readlink(link)
    except OSError:
        return ""


if sys.platform == "win32":

    def _runs_on_windows(pid: int) -> bool:
        import ctypes

        system = ctypes.WinDLL("kernel32", use_last_error=True)
        handle = system.OpenProcess(_QUERY_LIMITED_INFORMATION, 0, pid)
        if not handle:
            return ctypes.get_last_error() == _ACCESS_DENIED  # somebody else's
        code = ctypes.c_ulong()
        try:
            return bool(system.GetExitCodeProcess(handle, ctypes.byref(code))) and code.value == _STILL_ACTIVE
        finally:
            system.CloseHandle(handle)


def _fields(pid: int) -> list[str]:
    """Return what the system says of a process, from its state on."""
    try:
        return (_PROC / str(pid) / "stat").read_text().rpartition(")")[2].split()
    except OSError:
        return []


@cache
def _booted_at() -> float | None:
    try:
        lines = (_PROC / "stat").read_text().splitlines()
    except OSError:
        return None
    return next((float(line.split()[1]) for line in lines if line.startswith("btime ")), None)
