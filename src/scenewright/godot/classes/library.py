"""Where indexes are kept: the one that ships with the package, and one per engine build in the user's cache folder."""

from __future__ import annotations

import os
import re
import sqlite3
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Final

from scenewright.godot.classes.index import ClassIndex
from scenewright.godot.classes.store import Outdated

if TYPE_CHECKING:
    from scenewright.godot.classes.engine import Described

__all__ = ["SHIPPED", "cache_folder", "cached", "for_binary", "save", "shipped"]

SHIPPED: Final = Path(__file__).with_name("data") / "classes.sqlite"
_ODD = re.compile(r"[^\w.+-]")


@cache
def shipped() -> ClassIndex:
    """The index of the release this package was made with; opened by the first call, then kept."""
    return ClassIndex(SHIPPED)


def cache_folder() -> Path:
    """Return where indexes of the user's own engines are kept."""
    base = os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
    return Path(base) / "scenewright" / "classes"


def cached(build: str, folder: Path | None = None) -> ClassIndex | None:
    """Return the index of a build (see `version_of`), or None where there is none yet or it is unusable."""
    try:
        return ClassIndex(_path(build, folder))
    except (Outdated, sqlite3.Error):
        return None


def for_binary(binary: Path, folder: Path | None = None) -> ClassIndex:
    """Return the index of the user's own engine; the first call for a version builds it, in some seconds.

    Raises:
        Unsupported, TimedOut: the binary does not say what it knows.
    """
    from scenewright.godot.classes.engine import describe, version_of  # starts processes; most never need it

    index = cached(version_of(binary), folder)
    return index or ClassIndex(_save_somewhere(describe(binary), folder))


def save(described: Described, path: Path) -> None:
    """Write an index file, whole or not at all."""
    import tempfile

    from scenewright.godot.classes.writer import write

    path.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=path.parent) as name:
        draft = Path(name) / "classes.sqlite"
        write(draft, described.classes, version=described.version, build=described.build)
        draft.replace(path)


def _save_somewhere(described: Described, folder: Path | None) -> Path:
    """In the cache folder, or in a temporary one of this user where that cannot be written."""
    import tempfile

    path = _path(described.build, folder)
    try:
        save(described, path)
    except (OSError, sqlite3.OperationalError):
        path = _path(described.build, Path(tempfile.mkdtemp(prefix="scenewright-classes-")))
        save(described, path)
    return path


def _path(build: str, folder: Path | None) -> Path:
    return (folder or cache_folder()) / f"{_ODD.sub('_', build)}.sqlite"
