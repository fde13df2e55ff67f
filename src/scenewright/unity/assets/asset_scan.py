"""Finds the project's assets on disk and reads those that changed since the last time."""

from __future__ import annotations

import os
import time
from collections.abc import Iterable, Mapping
from pathlib import Path

from scenewright.core.calls.deadline import Deadline
from scenewright.core.projects.file_names import is_unicode
from scenewright.core.writes.file_sizes import most_bytes, read_limited
from scenewright.unity.assets.records import Asset, Stamp, guids_in, is_scanned, kind_in, main_object, own_guid

__all__ = ["FOLDERS", "scan"]

FOLDERS = ("Assets", "Packages", "ProjectSettings", "Library/PackageCache")
_MARGIN_NS = 50_000_000  # a change within the clock's coarseness of a read may have come after it
_NOWHERE: Stamp = (0, 0, 0)
_Seen = dict[str, Stamp]


def scan(root: Path, known: Mapping[str, Asset], deadline: Deadline) -> tuple[dict[str, Asset], int]:
    """Return the assets of a project, and how many there was no time to read; what has not changed is not
    read again.
    """
    files, folders = _walk(root)
    now = time.time_ns() - _MARGIN_NS
    assets: dict[str, Asset] = {}
    unread = 0
    for path in _names(files, folders):
        stamp = files.get(path, _NOWHERE)
        meta = files.get(f"{path}.meta", _NOWHERE)
        previous = known.get(path)
        if previous is not None and previous.settled and previous.stamp == stamp and previous.meta_stamp == meta:
            assets[path] = previous
        elif not deadline.passed:
            settled = stamp[0] < now and meta[0] < now
            assets[path] = _read_asset(root, path, stamp, meta, settled=settled, is_folder=path in folders)
        else:
            unread += 1
    return assets, unread


def _names(files: _Seen, folders: set[str]) -> Iterable[str]:
    """Return assets by path: files, folders, and what only a .meta is left of."""
    names = {path.removesuffix(".meta") for path in files}
    return sorted(name for name in names if f"{name}.meta" in files or name not in folders)


def _walk(root: Path) -> tuple[_Seen, set[str]]:
    files: _Seen = {}
    folders: set[str] = set()
    for top in FOLDERS:
        waiting = [(os.path.join(root, top), f"{top}/")]
        while waiting:
            place, prefix = waiting.pop()
            for entry in _entries(place):
                name = entry.name
                # The engine leaves out hidden files and those that end in a tilde.
                if name[0] == "." or name[-1] == "~" or name == "cvs" or not is_unicode(name):
                    continue
                if entry.is_file(follow_symlinks=False):
                    about = entry.stat(follow_symlinks=False)
                    files[prefix + name] = (about.st_mtime_ns, about.st_size, about.st_ino)
                elif entry.is_dir(follow_symlinks=False):
                    folders.add(prefix + name)
                    waiting.append((entry.path, f"{prefix}{name}/"))
    return files, folders


def _entries(place: str) -> list[os.DirEntry[str]]:
    try:
        with os.scandir(place) as entries:
            return list(entries)
    except OSError:
        return []


def _read_asset(root: Path, path: str, stamp: Stamp, meta: Stamp, *, settled: bool, is_folder: bool) -> Asset:
    guid, refs, main, described = "", set(), "", b""
    if meta != _NOWHERE:
        described = _content(root, f"{path}.meta")
        guid = own_guid(described)
        refs = guids_in(described) - {guid}
    kind = "folder" if is_folder else "missing" if stamp == _NOWHERE else "other"
    how = is_scanned(path)
    if how and kind == "other" and not path.startswith("Library/"):
        content = _content(root, path)
        kind = kind_in(content, how) if stamp[1] <= most_bytes(path) else _large_kind(root, path, how)
        refs |= guids_in(content, how)
        main = main_object(content, described) if kind == "text" and path.endswith(".asset") else ""
    return Asset(path, guid, kind, "".join(sorted(refs)), stamp, meta, main, settled)


def _large_kind(root: str | Path, path: str, how: str) -> str:
    """What is too large to be read is told from its first bytes."""
    try:
        with open(os.path.join(root, path), "rb") as file:
            kind = kind_in(file.read(64), how)
    except OSError:
        return "binary"
    return "large" if kind == "text" else kind


def _content(root: Path, path: str) -> bytes:
    try:
        return read_limited(os.path.join(root, path))
    except OSError:
        return b""
