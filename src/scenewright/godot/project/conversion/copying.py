"""A copy of a project's text files for the engine to convert, and what became of them."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

from scenewright.core.projects.file_walk import walk_folders
from scenewright.core.writes.disk import read_if_there

__all__ = ["CONVERTED", "copy_texts", "differences", "files_of"]

CONVERTED = (
    ".gd",
    ".cs",
    ".csproj",
    ".tscn",
    ".escn",
    ".tres",
    ".shader",
    ".gdshader",
    ".gdshaderinc",
    ".godot",
    ".import",
)


def files_of(folder: Path) -> Iterator[str]:
    """Return the files of a project by their path, without hidden folders and links."""
    for place, folders, names in walk_folders(folder):
        folders[:] = [name for name in folders if not name.startswith(".")]
        for name in names:
            path = Path(place, name)
            if not path.is_symlink():
                yield path.relative_to(folder).as_posix()


def copy_texts(source: Path, target: Path) -> list[str]:
    """Copy what the engine would convert and return the paths."""
    copied = sorted(path for path in files_of(source) if path.endswith(CONVERTED))
    for path in copied:
        (target / path).parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(source / path, target / path)
    return copied


def differences(source: Path, target: Path, copied: list[str]) -> dict[str, bytes | None]:
    """Return what differs in the copy, by path; None for a file that is no longer there."""
    contents: dict[str, bytes | None] = {}
    now = {path for path in files_of(target) if path.endswith(CONVERTED)}
    for path in sorted(now.union(copied)):
        after = read_if_there(target / path) if path in now else None
        if path not in copied or after != read_if_there(source / path):
            contents[path] = after
    return contents
