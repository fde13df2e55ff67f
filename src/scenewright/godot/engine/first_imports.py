"""Imports what a scene may want before it runs: an engine that only runs a game imports nothing by itself.

The import is made in a copy, so that no file of the project is touched; what the engine keeps in its cache is then
taken over for assets whose settings the project has. For others the scene runs in the copy.
"""

from __future__ import annotations

import os
import re
import shutil
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING, Final

from scenewright.core.faults import TimedOut
from scenewright.core.text.counts import count_noun
from scenewright.core.writes.file_sizes import read_limited
from scenewright.godot.assets.import_states import IMPORTED, either_case, import_mark, md5_of
from scenewright.godot.engine.staged_copy import CACHE, project_with
from scenewright.godot.project.file_scan import project_files

if TYPE_CHECKING:
    from scenewright.core.writes.changeset import Change

__all__ = ["FailedImports", "FirstImport", "assets_to_import", "cached_imports", "with_imports"]

_NOT_HERE: Final = (".glsl", ".blend")  # these need a screen, or another program
_SETTLED: Final = re.compile(rb'^importer="(?:keep|skip)"|^valid=false', re.MULTILINE)
_TARGET: Final = re.compile(rb'^path(?:\.\w+)?="res://([^"\n]+)"', re.MULTILINE)
_MOST_NAMED: Final = 3
_HOW: Final = "godot_asset_manager with action scan imports for good"
RunImport = Callable[[Path], None]


class FailedImports:
    """Assets whose import came to nothing, which is not tried again before they change."""

    def __init__(self) -> None:
        self._stamps: dict[Path, tuple[int, int]] = {}

    def add(self, place: Path) -> None:
        self._stamps[place] = _stamp(place)

    def __contains__(self, place: Path) -> bool:
        return place in self._stamps and self._stamps[place] == _stamp(place)

    def close(self) -> None:
        self._stamps.clear()


class FirstImport:
    """The folder that a scene is to run in, and what is to be said of it."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.remarks: list[str] = []


@contextmanager
def with_imports(
    root: Path, changes: Sequence[Change], run_import: RunImport, failed: FailedImports
) -> Iterator[FirstImport]:
    """Yield the project, or a copy of it with `changes` and all imports that it lacks, for as long as it is used."""
    wanting = _not_tried(root, assets_to_import(root), failed)
    if not (wanting or changes):
        yield FirstImport(root)
        return
    with project_with(root, changes) as folder:
        first_import = FirstImport(folder)
        wanting = _not_tried(root, assets_to_import(folder), failed) if changes else wanting
        if wanting:
            try:
                _import_in(folder, wanting, run_import)
            except TimedOut:
                first_import.remarks = [f"The import of {_named(wanting)} took too long and was given up; {_HOW}."]
            done = [path for path in wanting if _is_imported(folder, path)]
            for place in [root / path for path in wanting if path not in done and (root / path).exists()]:
                failed.add(place)
            kept = [path for path in done if _take_over(folder, root, path)]
            first_import.remarks += _remarks(done, kept)
            if not changes and len(kept) == len(done):
                first_import.folder = root
        yield first_import


def assets_to_import(root: Path) -> list[str]:
    """Return the assets that the engine has not imported as they are, and could."""
    endings = either_case(tuple(end for end in IMPORTED if end not in _NOT_HERE))
    return [
        path
        for place in project_files(root, endings)
        if _wants_import(root, path := place.relative_to(root).as_posix(), place)
    ]


def _wants_import(root: Path, path: str, place: Path) -> bool:
    """An asset that is older than the engine's mark is not read, as there may be very many."""
    try:
        settings = read_limited(root / f"{path}.import")
        if _SETTLED.search(settings):
            return False
        if not all((root / os.fsdecode(target)).exists() for target in _TARGET.findall(settings)):
            return True
        mark = import_mark(root, path)
        if mark.stat().st_mtime_ns >= place.stat().st_mtime_ns:
            return False
        return f'source_md5="{md5_of(place)}"' not in read_limited(mark).decode("utf-8", "replace")
    except OSError:
        return True


def _is_imported(folder: Path, path: str) -> bool:
    try:
        settings = read_limited(folder / f"{path}.import")
    except OSError:
        return False
    return b"\nvalid=false" not in settings and import_mark(folder, path).exists()


def _not_tried(root: Path, paths: Sequence[str], failed: FailedImports) -> list[str]:
    return [path for path in paths if not (root / path).exists() or root / path not in failed]


def _stamp(place: Path) -> tuple[int, int]:
    status = place.stat()
    return status.st_mtime_ns, status.st_size


def _import_in(folder: Path, wanting: Sequence[str], run_import: RunImport) -> None:
    """The engine writes into files that are there, which in a copy may be the project's own: these go first."""
    for path in wanting:
        for cached in cached_imports(folder, path):
            cached.unlink()
    run_import(folder)


def cached_imports(folder: Path, path: str) -> list[Path]:
    """Both what was imported and the mark, whose names begin alike."""
    mark = import_mark(folder, path)
    return [mark.parent / name for name in _names_in(mark.parent) if name.startswith(f"{mark.stem}.")]


def _names_in(folder: Path) -> list[str]:
    try:
        return os.listdir(folder)
    except OSError:
        return []


def _take_over(folder: Path, root: Path, path: str) -> bool:
    """Copy what was imported into the project's cache, where its own settings lead to that; return whether they do."""
    ours, theirs = folder / f"{path}.import", root / f"{path}.import"
    if not theirs.is_file() or _TARGET.findall(read_limited(ours)) != _TARGET.findall(read_limited(theirs)):
        return False
    target = root / CACHE / "imported"
    target.mkdir(parents=True, exist_ok=True)
    for cached in cached_imports(folder, path):
        beside = target / f"{cached.name}.{os.getpid()}.tmp"
        shutil.copyfile(cached, beside)
        beside.replace(target / cached.name)
    return True


def _remarks(done: Sequence[str], kept: Sequence[str]) -> list[str]:
    copied = [path for path in done if path not in kept]
    remarks = [f"Imported first, as the engine had not yet: {_named(kept)}."] if kept else []
    if copied:
        what = "is" if len(copied) == 1 else "are"
        remarks.append(
            f"{_named(copied)} {what} not imported yet, so this ran in a copy of the project where they are; {_HOW}."
        )
    return remarks


def _named(paths: Sequence[str]) -> str:
    names = ", ".join(f"res://{PurePosixPath(path)}" for path in paths[:_MOST_NAMED])
    more = len(paths) - _MOST_NAMED
    return f"{names} and {count_noun(more, 'more asset')}" if more > 0 else names
