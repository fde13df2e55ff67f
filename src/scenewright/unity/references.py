"""References between objects: who uses what, and which lead nowhere."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from functools import cached_property
from typing import Any, NamedTuple

from scenewright.core.faults import Fault
from scenewright.unity.assets.records import BUILT_IN
from scenewright.unity.classes import ENGINE_LIBRARIES, PACKAGE_SCRIPTS
from scenewright.unity.objects.facts import target_of
from scenewright.unity.objects.nodes import ObjectTree
from scenewright.unity.project import ProjectSettings
from scenewright.unity.workspace import Workspace
from scenewright.unity.yaml.source import ObjectDocument, UnityFile

__all__ = ["Broken", "References"]

_ANY = re.compile(rb"\{fileID: (-?\d+)(?:,\s+guid: ([0-9a-f]{32}),\s+type: \d+)?\}")
_PREFAB_ITSELF = 100100000
# Importers make the objects of these, so that a file id in them cannot be checked.
_CHECKED = frozenset((".prefab", ".asset", ".mat", ".mixer", ".controller", ".anim", ".playable"))


class Broken(NamedTuple):
    """A reference that leads nowhere."""

    document: ObjectDocument
    path: str
    file_id: int
    guid: str
    status: str


class References:
    """Judges the references of a project."""

    def __init__(self, workspace: Workspace) -> None:
        self._workspace = workspace
        self._ids: dict[str, set[int] | None] = {}

    @cached_property
    def _elsewhere(self) -> bool:
        return bool(ProjectSettings(self._workspace).packages_elsewhere)

    def status(self, guid: str) -> str:
        """ok; package, where it is a known script; unresolved-package, where a package may have it; missing."""
        asset = self._workspace.graph.by_guid.get(guid)
        if guid.startswith(BUILT_IN) or (asset is not None and asset.kind != "missing"):
            return "ok"
        if guid in PACKAGE_SCRIPTS or guid in ENGINE_LIBRARIES:
            return "package"
        return "unresolved-package" if asset is None and self._elsewhere else "missing"

    def users(self, tree: ObjectTree) -> dict[str, Counter[str]]:
        """Return the guids that a file refers to, each with the GameObjects that do; the engine's own left out."""
        users: dict[str, Counter[str]] = {}
        data = tree.file.data
        for document in tree.file.documents:
            owner = tree.nodes.get(document.file_id) or tree.owners.get(document.file_id)
            for match in _ANY.finditer(data, document.body, document.end):
                guid = match[2].decode() if match[2] else ""
                if guid and not guid.startswith(BUILT_IN):
                    users.setdefault(guid, Counter())[owner.path if owner else ""] += 1
        return users

    def broken(self, file: UnityFile) -> Iterator[Broken]:
        """References of a file that lead nowhere; scripts are another matter."""
        for document in file.documents:
            bad = {
                target: status
                for match in _ANY.finditer(file.data, document.body, document.end)
                if (status := self._verdict(file, target := (int(match[1]), match[2].decode() if match[2] else "")))
            }
            if bad:
                yield from self._places(document, bad)

    def _verdict(self, file: UnityFile, target: tuple[int, str]) -> str:
        """Empty where the target is there."""
        file_id, guid = target
        if file_id == 0:
            return ""
        if not guid:
            return "" if file_id in file.by_id else "missing"
        status = self.status(guid)
        if status != "ok":
            return "" if status == "package" else status
        ids = self._ids_of(guid)
        return "" if ids is None or file_id in ids else "missing"

    def _ids_of(self, guid: str) -> set[int] | None:
        """Return the ids that can be referred to in an asset, None where that cannot be told."""
        if guid not in self._ids:
            self._ids[guid] = self._read_ids(guid)
        return self._ids[guid]

    def _read_ids(self, guid: str) -> set[int] | None:
        asset = self._workspace.graph.by_guid.get(guid)
        if asset is None or asset.suffix not in _CHECKED or asset.kind != "text":
            return None
        try:
            if asset.suffix != ".prefab":
                return set(self._workspace.file(asset.path).by_id)
            tree = self._workspace.tree(asset.path)
        except Fault:
            return None
        if any(node.opaque for node in tree):
            return None  # what a model brings is not known
        return {*tree.file.by_id, *tree.nodes, *tree.parts, _PREFAB_ITSELF}

    def _places(self, document: ObjectDocument, bad: dict[tuple[int, str], str]) -> Iterator[Broken]:
        for path, target in _references(document.data, ""):
            if path != "m_Script" and target in bad:
                stale = path.startswith("m_Modification.m_Modifications[") and path.endswith(".target")
                # Where the whole prefab is gone, the overrides wait for it to come back.
                status = "stale-override" if stale and self.status(target[1]) == "ok" else bad[target]
                yield Broken(document, path, *target, status)


def _references(value: Any, path: str) -> Iterator[tuple[str, tuple[int, str]]]:
    """Yield every reference inside a value, with its property path."""
    if isinstance(value, dict):
        if "fileID" in value:
            yield path, target_of(value)
            return
        for key, item in value.items():
            yield from _references(item, f"{path}.{key}" if path else key)
    elif isinstance(value, list):
        for number, item in enumerate(value):
            yield from _references(item, f"{path}[{number}]")
