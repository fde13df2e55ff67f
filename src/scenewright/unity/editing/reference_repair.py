"""Mends what leads nowhere, file by file; each kind of mending is counted before anything is staged."""

from __future__ import annotations

import re
from collections import Counter

from scenewright.unity.editing.components import remove_component
from scenewright.unity.editing.objects import Hierarchy
from scenewright.unity.editing.session import EditSession
from scenewright.unity.missing_references import Findings
from scenewright.unity.workspace import Workspace
from scenewright.unity.yaml.property_spans import locate, property_path

__all__ = ["Mending"]

_ROW = re.compile(r"m_Modification\.m_Modifications\[(\d+)\]\.target")
# What holds a file together; emptied, the object would be lost and not just the reference.
_STRUCTURE = re.compile(
    r"m_(?:CorrespondingSourceObject|PrefabInstance|PrefabAsset|SourcePrefab|ParentPrefab|GameObject|Father|Script"
    r"|Children\[|Component\[|Roots\[|Modification\.(?!m_Modifications\[\d+\]\.objectReference)).*"
)
_SCOPES = {"scenes": (".unity",), "prefabs": (".prefab",)}


class Mending:
    """Changes to several files, of which `done` says how many there are of each kind."""

    def __init__(self, workspace: Workspace, replaced: dict[str, str], *, unresolved: bool) -> None:
        self._workspace = workspace
        self._replaced = replaced
        self._statuses = {"missing", "stale-override"} | ({"unresolved-package"} if unresolved else set())
        self._sessions: dict[str, Hierarchy] = {}
        self.done: Counter[tuple[str, str]] = Counter()

    def replace_guids(self, scope: str) -> None:
        """Put other guids in the place of those that are gone."""
        for asset in self._workspace.graph.files():
            gone = [guid for guid in asset.refs if guid in self._replaced]
            if not gone or asset.kind != "text" or not _is_in_scope(asset.path, scope):
                continue
            session = self._open(asset.path).session
            pattern = re.compile(b"guid: (" + "|".join(gone).encode() + b")")
            for match in pattern.finditer(session.file.data):
                session.edits.replace(match.start(1), match.end(1), self._replaced[match[1].decode()])
                self.done[asset.path, "replace-guid"] += 1

    def clear(self, findings: Findings) -> None:
        """Empty references that lead nowhere, and drop overrides of what a prefab lost."""
        for row in findings.references:
            broken = row.broken
            if broken.status not in self._statuses or broken.guid in self._replaced:
                continue
            session = self._open(row.path).session
            document = session.file.document(broken.document.file_id)
            stale = _ROW.fullmatch(broken.path)
            if stale is not None and broken.status == "stale-override":
                rows = session.items(document, "m_Modification", "m_Modifications")
                lost = document.data["m_Modification"]["m_Modifications"][int(stale[1])]
                if rows is not None and lost in rows:
                    rows.remove(lost)
                    self.done[row.path, "remove-override"] += 1
                continue
            if _STRUCTURE.fullmatch(broken.path):
                continue
            place = locate(document, property_path(broken.path))
            if place is not None and not session.edits.covers(place.start, place.end):
                session.edits.replace(place.start, place.end, "{fileID: 0}")
                self.done[row.path, "clear-reference"] += 1

    def remove_scripts(self, findings: Findings) -> None:
        """Remove components whose script is gone."""
        for row in findings.scripts:
            if row.status not in self._statuses or row.guid in self._replaced or row.game_object is None:
                continue
            hierarchy = self._open(row.path)
            node = hierarchy.session.tree.owners.get(row.file_id)
            part = hierarchy.session.tree.parts.get(row.file_id)
            if node is not None and part is not None:
                remove_component(hierarchy, node, part)
                self.done[row.path, "remove-component"] += 1

    def save(self) -> None:
        for hierarchy in self._sessions.values():
            hierarchy.session.save(added=hierarchy.added, removed=len(hierarchy.removed))

    def _open(self, path: str) -> Hierarchy:
        if path not in self._sessions:
            self._sessions[path] = Hierarchy(EditSession(self._workspace, path))
        return self._sessions[path]


def _is_in_scope(path: str, scope: str) -> bool:
    if scope == "all":
        return True
    return path.endswith(_SCOPES[scope]) if scope in _SCOPES else not path.endswith((".unity", ".prefab"))
