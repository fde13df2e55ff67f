"""The folders of a tree one after the other, however deep they lie in each other: the library's own walk gives up at a
thousand. Names that are no Unicode are left out, since no call can name them and no record hold them.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

from scenewright.core.projects.file_names import is_unicode

__all__ = ["walk_folders"]


def walk_folders(root: str | Path) -> Iterator[tuple[str, list[str], list[str]]]:
    """Yield each folder with the names of the folders and files in it, as `os.walk` does; links are not followed, and
    folders that are taken out of their list are not looked into.
    """
    waiting = [str(root)]
    while waiting:
        place = waiting.pop()
        folders: list[str] = []
        files: list[str] = []
        for entry in _entries(place):
            (folders if _is_folder(entry) else files).append(entry.name)
        yield place, folders, files
        inner = [os.path.join(place, name) for name in reversed(folders)]
        waiting += [folder for folder in inner if not os.path.islink(folder)]


def _entries(place: str) -> list[os.DirEntry[str]]:
    try:
        with os.scandir(place) as entries:
            return [entry for entry in entries if is_unicode(entry.name)]
    except OSError:
        return []  # it went, or may not be read


def _is_folder(entry: os.DirEntry[str]) -> bool:
    try:
        return entry.is_dir()
    except OSError:
        return False
