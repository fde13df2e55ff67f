"""The project as a call of a batch sees it, for the real engine, which reads nothing but files.

In an all-or-nothing batch, or its dry run, what the calls before have staged is not on the disk. The engine then gets a
copy of the project that has it: files are linked, so that it is made in no time, and it is thrown away with the engine.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator, Sequence, Set
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

from scenewright.core.calls.call import Call
from scenewright.core.faults import Unsupported
from scenewright.core.text.counts import count_noun
from scenewright.core.writes.changeset import Change
from scenewright.godot.engine.watchdog import watchdog

__all__ = ["CACHE", "copy_project", "link_file", "project_with", "refuse_staged", "staged_changes"]

CACHE = ".godot"
_CACHED = ("imported", "mono")  # what an engine reads of its cache; the rest is the editor's
_TEXTS = (
    ".gd",
    ".cs",
    ".godot",
    ".cfg",
    ".tscn",
    ".tres",
    ".uid",
    ".import",
    ".gdshader",
    ".gdshaderinc",
    ".gdextension",
    ".json",
    ".csv",
    ".txt",
)


def staged_changes(call: Call) -> list[Change]:
    """Return what the batch that a call is a part of has staged, and not written yet."""
    return call.files.changes() if call.shares_changes else []


def refuse_staged(call: Call) -> None:
    """Refuse a call that reads saved files only, in a batch that has staged others.

    Raises:
        Unsupported: the batch that the call is a part of has changes that are not saved yet.
    """
    if changes := staged_changes(call):
        count = count_noun(len(changes), "change")
        raise Unsupported(
            f"'{call.name}' looks at the files as saved; {count} of this batch would not be in what it sees.",
            hint="Call it after the batch, or leave atomic and dryRun out.",
        )


@contextmanager
def project_with(root: Path, changes: Sequence[Change]) -> Iterator[Path]:
    """Make a copy of a project with changes in it, for as long as it is used."""
    with _held_folder() as folder:
        copy_project(root, folder, {root / change.path for change in changes})
        for change in changes:
            if change.after is not None:
                place = folder / change.path
                place.parent.mkdir(parents=True, exist_ok=True)
                place.write_bytes(change.after)
        yield folder


@contextmanager
def _held_folder() -> Iterator[Path]:
    """Make a folder that is gone afterwards, also where this process is killed."""
    with TemporaryDirectory(prefix="scenewright-staged-", ignore_cleanup_errors=True) as name:
        folder = Path(name)
        watchdog.hold_folder(folder)
        try:
            yield folder
        finally:
            watchdog.release_folder(folder)


def copy_project(root: Path, folder: Path, without: Set[Path] = frozenset()) -> None:
    """Make a folder look like a project to an engine, without some of its files."""
    _link_folder(root, folder, without)
    _link_cache(root / CACHE, folder / CACHE)


def _link_folder(source: Path, target: Path, without: Set[Path]) -> None:
    """Hidden files and folders are left out, as the engine does."""
    target.mkdir(parents=True, exist_ok=True)
    with os.scandir(source) as entries:
        for entry in entries:
            place = Path(entry.path)
            if entry.name.startswith(".") and entry.name != ".gdignore":
                continue
            if entry.is_dir(follow_symlinks=False):
                _link_folder(place, target / entry.name, without)
            elif place not in without:
                link_file(place, target / entry.name)


def _link_cache(source: Path, target: Path) -> None:
    """Files of the cache are copied, since engines write some of them; what was imported is linked."""
    target.mkdir(exist_ok=True)
    if not source.is_dir():
        return
    with os.scandir(source) as entries:
        for entry in entries:
            if entry.is_file(follow_symlinks=False):
                shutil.copyfile(entry.path, target / entry.name)
            elif entry.name in _CACHED and entry.is_dir(follow_symlinks=False):
                _link_folder(Path(entry.path), target / entry.name, set())


def link_file(source: Path, target: Path) -> None:
    """Texts become files of the copy, which we read too; others may be anything that leads to the same bytes."""
    if source.is_symlink() or not source.name.endswith(_TEXTS):
        for link in (os.link, os.symlink):
            try:
                link(source.resolve(), target)
            except OSError:
                continue  # another disk, or a system that does not let everybody make links
            return
    if source.is_file():
        shutil.copyfile(source, target)
