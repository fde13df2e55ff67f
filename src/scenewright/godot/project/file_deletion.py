"""Deletes a file of a project with what belongs to it, unless something still uses it."""

from __future__ import annotations

from dataclasses import dataclass

from scenewright.core.faults import Conflict
from scenewright.godot.project.usages import Usages
from scenewright.godot.project.workspace import ROOT, Workspace

__all__ = ["Deletion", "delete_file"]

COMPANIONS = ("", ".uid", ".import")
MOST = 200


@dataclass(frozen=True, slots=True)
class Deletion:
    """What is gone, and what referred to it."""

    gone: list[str]
    broken: list[str]


def delete_file(workspace: Workspace, path: str, *, force: bool) -> Deletion:
    """Stage the deletion of a file that exists.

    Raises:
        Conflict: something uses it, and it is not forced.
    """
    used = [f"{usage.path}:{usage.line}" for usage in Usages(workspace).of_file(path)]
    if used and not force:
        raise Conflict(
            f"'{ROOT}{path}' is in use: {', '.join(used[:5])}{' …' if len(used) > 5 else ''}.",
            hint="find_usages lists all of them; force: true deletes it anyway.",
            details={"usages": used[:50]},
            retryable=False,
        )
    gone = [path + ending for ending in COMPANIONS if workspace.files.exists(path + ending)]
    for name in gone:
        workspace.files.delete(name)
    return Deletion([ROOT + name for name in gone], used[:MOST])
