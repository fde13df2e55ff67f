"""Which of some changes are files that only went elsewhere."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from pathlib import PurePosixPath
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from scenewright.core.writes.changeset import Change

__all__ = ["moves"]


def moves(changes: Sequence[Change]) -> dict[str, str]:
    """Return old and new paths of files that are deleted in one place and created in another.

    They have the same content or, where it changed with the move, the same name or most of their lines; never one of
    several.
    """
    gone = [change for change in changes if change.before and change.after is None]
    made = [change for change in changes if change.before is None and change.after]
    paths: dict[str, str] = {}
    for pair in (_by_content, _by_name, _by_lines):
        paths |= pair(gone, made)
        gone = [change for change in gone if change.path not in paths]
        made = [change for change in made if change.path not in paths.values()]
    return paths


def _by_content(gone: list[Change], made: list[Change]) -> dict[str, str]:
    return _pair_by(gone, made, lambda change: change.before or change.after)


def _by_name(gone: list[Change], made: list[Change]) -> dict[str, str]:
    return _pair_by(gone, made, lambda change: PurePosixPath(change.path).name)


def _by_lines(gone: list[Change], made: list[Change]) -> dict[str, str]:
    """Pair the only two files with most lines in common: an editor writes a scene that it moves in its own way."""
    if len(gone) != 1 or len(made) != 1:
        return {}
    old, new = (set((change.before or change.after or b"").split(b"\n")) - {b""} for change in (gone[0], made[0]))
    return {gone[0].path: made[0].path} if len(old & new) > max(len(old), len(new)) / 2 else {}


def _pair_by(gone: Iterable[Change], made: Iterable[Change], mark: Callable[[Change], object]) -> dict[str, str]:
    old, new = _by_mark(gone, mark), _by_mark(made, mark)
    return {paths[0]: new[key][0] for key, paths in old.items() if len(paths) == 1 == len(new.get(key, ()))}


def _by_mark(changes: Iterable[Change], mark: Callable[[Change], object]) -> dict[object, list[str]]:
    paths: dict[object, list[str]] = {}
    for change in changes:
        paths.setdefault(mark(change), []).append(change.path)
    return paths
