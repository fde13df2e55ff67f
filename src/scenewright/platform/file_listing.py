"""The files of a project as a reader wants them: by folder, with what an engine made beside them only counted.

Hidden folders are left out. Each file's size and date make the revision of the project, by which a later look knows
what has changed.
"""

from __future__ import annotations

import hashlib
import os
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from itertools import islice
from pathlib import PurePosixPath
from zlib import crc32

from scenewright.core.calls.deadline import check_deadline
from scenewright.core.projects.file_names import is_unicode
from scenewright.core.projects.overview import Item, Section
from scenewright.core.projects.project import Engine, Project
from scenewright.core.text.counts import count_noun
from scenewright.core.writes.changeset import Change

__all__ = ["MOST_FILES", "Dates", "changes_between", "dates_of", "file_section", "revision_of"]

Dates = Mapping[str, tuple[int, int]]  # by path: size, and time of the last write
MOST_FILES = 20_000
_MOST_FOLDERS = 25
_MOST_ENDINGS = 6
_CACHES = frozenset(("__pycache__", "node_modules", "Library", "Temp", "Logs", "obj", "UserSettings"))


def dates_of(project: Project, staged: Iterable[Change] = ()) -> dict[str, tuple[int, int]]:
    """Return size and date of every file that is not hidden, at most `MOST_FILES`, and of those a call has staged."""
    dates = dict(islice(_dates_on_disk(str(project.root)), MOST_FILES))
    for change in staged:
        if change.after is None:
            dates.pop(change.path, None)
        elif not any(part.startswith(".") or part in _CACHES for part in change.path.split("/")):
            dates[change.path] = len(change.after), crc32(change.after)
    return dates


def _dates_on_disk(root: str) -> Iterator[tuple[str, tuple[int, int]]]:
    waiting = [root]
    while waiting:
        check_deadline()
        try:
            with os.scandir(waiting.pop()) as entries:
                for entry in entries:
                    if entry.name.startswith(".") or entry.name in _CACHES or not is_unicode(entry.name):
                        continue
                    if entry.is_dir(follow_symlinks=False):
                        waiting.append(entry.path)
                    elif entry.is_file(follow_symlinks=False):
                        stat = entry.stat()
                        yield os.path.relpath(entry.path, root).replace(os.sep, "/"), (stat.st_size, stat.st_mtime_ns)
        except OSError:
            continue  # it went, or may not be read


def revision_of(dates: Dates) -> str:
    """Return a short name for exactly these files."""
    return hashlib.sha256(repr(sorted(dates.items())).encode("utf-8", "surrogatepass")).hexdigest()[:12]


def changes_between(before: Dates, now: Dates) -> dict[str, str]:
    """Return what became of each file that is not as it was: created, modified or deleted."""
    changes = dict.fromkeys(now.keys() - before.keys(), "created")
    changes |= dict.fromkeys(before.keys() - now.keys(), "deleted")
    changes |= {path: "modified" for path in before.keys() & now.keys() if before[path] != now[path]}
    return dict(sorted(changes.items()))


def file_section(paths: Iterable[str], engines: Iterable[Engine]) -> Section:
    """Return the files by folder; companions of files, and what others have made, as numbers."""
    engines = list(engines)
    companions = tuple(ending for engine in engines for ending in engine.companions)
    vendored = tuple(f"{folder}/" for engine in engines for folder in engine.vendored)
    own = [path for path in sorted(paths) if not (companions and path.endswith(companions))]
    folded = Counter(path[path.rindex(".") :] for path in paths if companions and path.endswith(companions))
    depth = _deepest_told(own)
    folders: dict[str, list[str]] = {}
    for path in own:
        folders.setdefault(_told_folder(path, depth, vendored), []).append(path)
    items = [_folder_item(folder, inside, vendored) for folder, inside in folders.items()]
    if folded:
        items.append(Item("made by the engine", (_counted(folded),)))
    return Section(name="files", items=items, more="overview {maxBytes}")


def _deepest_told(paths: list[str]) -> int:
    """Return how many levels of folders can be told apart without there being too many."""
    folders = {tuple(path.split("/")[:-1]) for path in paths}
    depth = max((len(parts) for parts in folders), default=0)
    while depth > 1 and len({parts[:depth] for parts in folders}) > _MOST_FOLDERS:
        depth -= 1
    return depth


def _told_folder(path: str, depth: int, vendored: tuple[str, ...]) -> str:
    mark = next((mark for mark in vendored if path.startswith(mark)), None)
    parts = path.split("/")[:-1]
    return "/".join(parts[: min(depth, mark.count("/") + 1) if mark else depth])


def _folder_item(folder: str, paths: list[str], vendored: tuple[str, ...]) -> Item:
    start = f"{folder}/" if folder else ""
    endings = Counter(PurePosixPath(path).suffix or PurePosixPath(path).name for path in paths)
    counted = f"{count_noun(len(paths), 'file')} ({_counted(endings)})"
    if vendored and start.startswith(vendored):
        return Item(start, (counted,))
    listed = ", ".join(path.removeprefix(start) for path in paths)
    return Item(start or "./", (listed,) if len(listed) <= len(counted) else (counted, listed))


def _counted(endings: Counter[str]) -> str:
    most = ", ".join(f"{number} {ending}" for ending, number in endings.most_common(_MOST_ENDINGS))
    return most + (", …" if len(endings) > _MOST_ENDINGS else "")
