"""A project with traps in it, and a picture of it to compare."""

from __future__ import annotations

import os
import stat
from pathlib import Path

RECORDS = {".scenewright", ".godot_mcp"}
Picture = dict[str, tuple[str, bytes]]


def trapped_project(folder: Path) -> Path:
    """A project beside a secret, with links, a loop and a pipe that lead astray."""
    outside, project = folder / "outside", folder / "project"
    (project / "scenes").mkdir(parents=True)
    outside.mkdir()
    (outside / "secret.txt").write_text("the secret\n")
    (folder / "secret.txt").write_text("the secret\n")
    (project / "a.txt").write_bytes(b"one\r\ntwo\n")
    (project / "scenes" / "level.gd").write_text("extends Node\n")
    (project / "binary.dat").write_bytes(bytes(range(256)))
    (project / "out.txt").symlink_to(outside / "secret.txt")
    (project / "outside").symlink_to(outside)
    (project / "loop").symlink_to("loop")
    (project / "dangling").symlink_to("nowhere")
    os.mkfifo(project / "pipe")
    return project


def picture(folder: Path) -> Picture:
    """Every entry under a folder with its kind and content, scenewright's own records left out."""
    found: Picture = {}
    for root, folders, names in os.walk(folder):
        folders[:] = [name for name in folders if name not in RECORDS]
        for name in [*folders, *names]:
            place = Path(root, name)
            found[str(place.relative_to(folder))] = _entry(place)
    return found


def _entry(place: Path) -> tuple[str, bytes]:
    mode = place.lstat().st_mode
    if stat.S_ISLNK(mode):
        return "link", os.fsencode(os.readlink(place))
    return (stat.filemode(mode), place.read_bytes() if stat.S_ISREG(mode) else b"")
