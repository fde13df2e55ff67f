"""Calls that change a Unity project, and what came of them: files, trees, and the documents that differ."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from tests.conftest import Caller

from scenewright.core.projects.project import Project
from scenewright.core.writes.changeset import Changeset
from scenewright.unity.objects.nodes import ObjectTree
from scenewright.unity.workspace import Workspace
from scenewright.unity.yaml.source import UnityFile

__all__ = ["BOSS", "ENEMY", "MAIN", "MENU", "changed", "done", "files_of", "paths", "refused", "tree_of"]

MAIN, MENU = "Assets/Scenes/Main.unity", "Assets/Scenes/Menu.unity"
ENEMY, BOSS = "Assets/Prefabs/Enemy.prefab", "Assets/Prefabs/Boss.prefab"


async def done(caller: Caller, tool: str, **arguments: Any) -> dict[str, Any]:
    reply = await caller.reply(tool, arguments)
    assert not reply.failed, reply.text
    assert reply.structured is not None
    result: dict[str, Any] = reply.structured.get("result", reply.structured)
    return result


async def refused(caller: Caller, tool: str, **arguments: Any) -> str:
    reply = await caller.reply(tool, arguments)
    assert reply.is_error, reply.text
    return reply.text or ""


def files_of(project: Path) -> dict[str, bytes]:
    return {
        path.relative_to(project).as_posix(): path.read_bytes()
        for path in project.rglob("*")
        if path.is_file() and ".scenewright" not in path.parts
    }


def tree_of(project: Path, path: str) -> ObjectTree:
    return Workspace(Changeset(Project.at(project))).tree(path)


def paths(project: Path, path: str) -> list[str]:
    return [node.path for node in tree_of(project, path)]


def changed(before: bytes, after: bytes) -> tuple[list[int], list[int], list[int]]:
    """The ids of documents that are added, removed and changed; all others have the same bytes."""
    old, new = UnityFile(before), UnityFile(after)
    both = old.by_id.keys() & new.by_id.keys()
    return (
        sorted(new.by_id.keys() - old.by_id.keys()),
        sorted(old.by_id.keys() - new.by_id.keys()),
        sorted(number for number in both if _bytes(old, number) != _bytes(new, number)),
    )


def _bytes(file: UnityFile, number: int) -> bytes:
    document = file.by_id[number]
    return file.data[document.start : document.end]
