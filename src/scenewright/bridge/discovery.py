"""Which editors have a project open: each tells so in a file of the user's own folder.

`bridge/<process id>.json` names the project and the port. Nothing that a project brings is asked: a file in a clone
could name any port, and have us show our token there.
"""

from __future__ import annotations

import json
import os
import stat
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from scenewright.bridge.processes import is_running
from scenewright.core.projects.user_folder import user_folder, user_token_file
from scenewright.core.writes.disk import is_own

__all__ = ["EDITORS", "Editor", "find_editors"]

EDITORS = "bridge"
MAX_BYTES = 65_536


@dataclass(frozen=True, slots=True)
class Editor:
    """An editor that has a project open."""

    root: Path  # of the project
    pid: int
    port: int
    started: float = 0.0
    version: str = ""

    @property
    def url(self) -> str:
        return f"ws://127.0.0.1:{self.port}/"

    @property
    def runs(self) -> bool:
        """Whether its process is there."""
        return is_running(self.pid)

    def token(self) -> str | None:
        """Return the token that lets a client in, read anew for every connection, or None."""
        if given := os.environ.get("SCENEWRIGHT_BRIDGE_TOKEN", "").strip():
            return None if given == "off" else given
        try:
            return user_token_file().read_text(encoding="ascii").strip() or None
        except (OSError, ValueError):
            return None

    def __str__(self) -> str:
        return f"the editor at port {self.port} (process {self.pid})"


def find_editors(root: Path) -> list[Editor]:
    """Return the editors of a project that are running, by port."""
    folder = user_folder() / EDITORS
    try:
        names = os.listdir(folder)
    except OSError:
        return []
    editors = [editor for name in names if name.endswith(".json") and (editor := _read(root, folder / name))]
    return sorted(editors, key=lambda editor: editor.port)


def _read(root: Path, file: Path) -> Editor | None:
    try:
        status = file.lstat()
        if not stat.S_ISREG(status.st_mode) or not is_own(status) or status.st_size > MAX_BYTES:
            return None
        record: Any = json.loads(file.read_bytes())
        if not _is_same_folder(str(record["project"]), root):
            return None
        editor = Editor(
            root,
            int(record["pid"]),
            int(record["port"]),
            float(record.get("started") or 0),
            str(record.get("godot_version") or ""),
        )
    except (OSError, ValueError, KeyError, TypeError, AttributeError):
        return None  # half written, or not ours
    return editor if 0 < editor.port < 65536 and editor.runs else None


def _is_same_folder(stated: str, root: Path) -> bool:
    # The file system knows best which spellings of a path are one, on Windows and macOS above all.
    return stated == str(root) or (os.path.isabs(stated) and os.path.samefile(stated, root))
