"""Paths of nodes inside a scene: `.` is the root, `Body/Arm` a node below it, as in a scene file's `parent`."""

from __future__ import annotations

from collections.abc import Mapping

from scenewright.godot.documents.errors import EditError

__all__ = [
    "check_name",
    "is_within",
    "join",
    "name_of",
    "next_name",
    "normal",
    "parent_of",
    "rebased",
    "relative",
    "resolve",
]

_FORBIDDEN = '.:@/"%'


def check_name(name: str) -> str:
    """Return the name if a node can have it.

    Raises:
        EditError: the engine would change it.
    """
    if not name.strip() or name != name.strip() or any(letter in _FORBIDDEN or letter < " " for letter in name):
        raise EditError(
            f"'{name}' cannot be the name of a node.",
            hint='Use a name without any of . : @ / " % and without spaces around it.',
        )
    return name


def normal(path: str) -> str:
    """Return a path in the form used here: `./Body/` is `Body`, an empty one is the root."""
    parts = [part for part in path.split("/") if part not in ("", ".")]
    return "/".join(parts) or "."


def join(parent: str, name: str) -> str:
    return name if parent == "." else f"{parent}/{name}"


def parent_of(path: str) -> str:
    """Return the parent of a node that is not the root."""
    return path.rpartition("/")[0] or "."


def name_of(path: str) -> str:
    return path.rpartition("/")[2]


def is_within(path: str, ancestor: str) -> bool:
    """Return whether a node is another one or below it."""
    return ancestor == "." or path == ancestor or path.startswith(f"{ancestor}/")


def rebased(path: str, old: str, new: str) -> str:
    """Return the path of a node after the one at `old`, which it is or is below, has gone to `new`."""
    return path if not is_within(path, old) or old == "." else new + path[len(old) :]


def relative(start: str, target: str) -> str:
    """Return the way from one node to another, as the engine writes it."""
    here = [] if start == "." else start.split("/")
    there = [] if target == "." else target.split("/")
    shared = 0
    while shared < min(len(here), len(there)) and here[shared] == there[shared]:
        shared += 1
    return "/".join([".."] * (len(here) - shared) + there[shared:]) or "."


def resolve(start: str, path: str, unique: Mapping[str, str]) -> str | None:
    """Return the node that a path leads to from another, or None if it leads out of the scene.

    `path` is the part of a NodePath before any `:`; `unique` has the paths of nodes with a unique name.
    """
    if path.startswith("/"):
        return None
    parts = [] if start == "." else start.split("/")
    for index, part in enumerate(path.split("/")):
        if part in ("", "."):
            continue
        if part == "..":
            if not parts:
                return None
            parts.pop()
        elif part.startswith("%"):
            if index or part[1:] not in unique:
                return None
            unique_path = unique[part[1:]]
            parts = [] if unique_path == "." else unique_path.split("/")
        else:
            parts.append(part)
    return "/".join(parts) or "."


def free_name(name: str, taken: set[str]) -> str:
    """Return the name, with the next free number if it is taken."""
    return next_name(name, taken) if name in taken else name


def next_name(name: str, taken: set[str]) -> str:
    """Return the name with the next free number, as the engine counts."""
    stem = name.rstrip("0123456789")
    number = int(name[len(stem) :] or 1)
    while f"{stem}{number}" in taken or (number == 1 and name in taken):
        number += 1
    return f"{stem}{number}"
