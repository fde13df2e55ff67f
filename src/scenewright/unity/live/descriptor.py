"""The file by which a Unity editor with the Pipeline package tells where it listens, and whether to believe it.

It lies in the project, so a clone or an archive may bring one that names any port. It counts only where nobody but the
user can read it, and where the process that it names began before it, still runs and is the one that listens there.
"""

from __future__ import annotations

import json
import os
import stat
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal

from scenewright.bridge.processes import is_listening, is_running, started_at
from scenewright.core.writes.disk import is_itself, is_own

__all__ = ["FOLDER", "NAME", "Descriptor", "Finding", "find_descriptor"]

FOLDER, NAME = "Library/Pipeline", ".unity-pipeline-port"
PORTS = range(7800, 7850)
PINNED = "SCENEWRIGHT_UNITY_PORT"  # where the person gave the editor a port of its own
MAX_BYTES = 65_536
_CLOCK_SLACK = 5.0  # seconds: what the system says of a process is rounded
State = Literal["fresh", "silent", "stale", "missing", "unsafe"]


@dataclass(frozen=True, slots=True)
class Descriptor:
    """An editor that has a project open."""

    root: Path
    pid: int
    port: int
    token: str = field(repr=False)
    unity_version: str = ""
    batch: bool = False
    advice: str = ""  # what the editor wants every client to know

    @property
    def key(self) -> tuple[int, int]:
        """What stays the same while it is the same editor."""
        return self.pid, self.port


@dataclass(frozen=True, slots=True)
class Finding:
    """What there is to say of a project's editor.

    fresh: it listens. silent: it runs and does not listen, as while it loads scripts anew. stale: it has gone.
    missing: there is no file. unsafe: the file is not believed.
    """

    state: State
    descriptor: Descriptor | None = None
    reason: str = ""


def find_descriptor(root: Path) -> Finding:
    """Return what a project's descriptor says, and whether it counts. Costs one look at the disk where there is
    none.
    """
    file = root / FOLDER / NAME
    try:
        status = file.lstat()
    except OSError:
        return Finding("missing")
    if (reason := _distrust_of(file, status)) is not None:
        return Finding("unsafe", reason=reason)
    try:
        descriptor = _read(file, root)
    except (OSError, ValueError, KeyError, TypeError, RecursionError):
        return Finding("silent", reason="it cannot be read; the editor may be writing it")
    if descriptor is None:
        return Finding("unsafe", reason="it is about another project")
    return _judge(descriptor, status)


def _distrust_of(file: Path, status: os.stat_result) -> str | None:
    """Return why a file is not looked into."""
    if not stat.S_ISREG(status.st_mode) or not is_itself(file):
        return "it is a link, or no file"
    if not is_own(status):
        return "it belongs to another user"
    if os.name != "nt" and status.st_mode & 0o077:
        return "others may read it, which a file of the Pipeline package (0.3 or newer) forbids"
    return "it is too long" if status.st_size > MAX_BYTES else None


def _read(file: Path, root: Path) -> Descriptor | None:
    """Return what the file says; None where that is about another folder."""
    record: Any = json.loads(file.read_bytes())
    stated, token = str(record["projectPath"]), record["evalToken"]
    if not os.path.isabs(stated) or _depends_on_reader(stated) or not os.path.samefile(stated, root):
        return None
    if not isinstance(token, str) or not (token.isascii() and token.isprintable() and 16 <= len(token) <= 512):
        raise ValueError("no token")
    return Descriptor(
        root,
        int(record["pid"]),
        int(record["port"]),
        token,
        unity_version=str(record.get("unityVersion") or "")[:40],
        batch=record.get("mode") == "batchmode",
        advice=str(record.get("info") or "")[:500],
    )


def _depends_on_reader(stated: str) -> bool:
    """Return whether a path may lead each process elsewhere: by /proc/self/cwd a clone could name any folder."""
    return os.path.normpath(stated).lstrip("/").split("/")[0] in ("proc", "dev")


def _judge(descriptor: Descriptor, status: os.stat_result) -> Finding:
    """Return whether the editor that a file names is there, and is the one that wrote it."""
    if not _is_offered(descriptor.port):
        reason = f"port {descriptor.port} is none of Unity's ({PORTS[0]} to {PORTS[-1]}); {PINNED} allows another"
        return Finding("unsafe", reason=reason)
    if not is_running(descriptor.pid):
        return Finding("stale", descriptor, "the editor that wrote it has gone")
    began = started_at(descriptor.pid)
    if began is not None and began > status.st_mtime + _CLOCK_SLACK:
        return Finding("stale", descriptor, "the process that it names is younger than it")
    listens = is_listening(descriptor.pid, descriptor.port)
    if listens is False:
        return Finding("silent", descriptor, f"the editor does not listen at port {descriptor.port}")
    return Finding("fresh", descriptor)


def _is_offered(port: int) -> bool:
    return port in PORTS or str(port) == os.environ.get(PINNED, "").strip()
