"""Which files are part of a project, as the engine looks through its folders.

It leaves out hidden folders, those with a .gdignore, and those with a project.godot, which are projects of their own.
Links that lead out of the project are left out too: no call may read what is there, and one of them must not keep calls
from all the rest.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from pathlib import Path, PurePosixPath

from scenewright.core.projects.file_names import is_protected, is_unicode

__all__ = ["is_seen", "leads_out", "project_files"]

_OUTSIDE = ("project.godot", ".gdignore")


def project_files(root: Path, suffixes: tuple[str, ...], is_late: Callable[[], bool] = lambda: False) -> Iterator[Path]:
    """Yield the files with one of these endings; once it is late, no further folder is looked into."""
    real = os.path.realpath(root)
    waiting = [str(root)]
    while waiting and not is_late():
        folder = waiting.pop()
        try:
            with os.scandir(folder) as scan:
                entries = sorted((entry for entry in scan if is_unicode(entry.name)), key=lambda entry: entry.name)
        except OSError:
            continue  # it went, or may not be read
        if folder != str(root) and any(entry.name in _OUTSIDE for entry in entries):
            continue
        for entry in entries:
            if entry.is_dir(follow_symlinks=False):
                waiting += [] if entry.name.startswith(".") else [entry.path]
            elif entry.name.endswith(suffixes) and _is_file(entry) and not leads_out(entry, real):
                yield Path(entry.path)


def _is_file(entry: os.DirEntry[str]) -> bool:
    if entry.name.startswith(".") and is_protected((entry.name,)):
        return False
    try:
        return entry.is_file()
    except OSError:
        return False  # a link that leads to itself


def leads_out(entry: os.DirEntry[str], real_root: str) -> bool:
    """Return whether a file is a link to a place outside a folder, which is given without links."""
    return entry.is_symlink() and not os.path.realpath(entry.path).startswith(real_root.rstrip(os.sep) + os.sep)


def is_seen(root: Path, path: str) -> bool:
    """Return whether a file, there or to be written, is part of the project; the path is from its root."""
    folders = [folder for folder in PurePosixPath(path).parents if folder.name]
    hidden = any(folder.name.startswith(".") for folder in folders)
    return not hidden and not any((root / folder / mark).exists() for folder in folders for mark in _OUTSIDE)
