"""Looks through a project for components without their script and references to nothing."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import NamedTuple

from scenewright.core.faults import Fault
from scenewright.core.text.counts import count_noun
from scenewright.unity.assets.records import Asset
from scenewright.unity.objects.facts import target_of
from scenewright.unity.objects.nodes import ObjectTree
from scenewright.unity.references import Broken, References
from scenewright.unity.workspace import Workspace
from scenewright.unity.yaml.source import ObjectDocument, UnityFile

__all__ = ["Findings", "LostReference", "LostScript", "chosen_assets", "look_through"]

_SCOPES = {"scenes": {".unity"}, "prefabs": {".prefab"}}
SCRIPT = 114
_RANKS = {"missing": 0, "stale-override": 1, "unresolved-package": 2}


class LostScript(NamedTuple):
    path: str
    game_object: str | None
    place: int
    guid: str
    status: str
    file_id: int


class LostReference(NamedTuple):
    path: str
    game_object: str | None
    broken: Broken


@dataclass(slots=True)
class Group:
    """What leads to the same nothing."""

    guid: str
    status: str
    scripts: int = 0
    references: int = 0
    files: set[str] = field(default_factory=set)


@dataclass(slots=True)
class Findings:
    scripts: list[LostScript] = field(default_factory=list)
    references: list[LostReference] = field(default_factory=list)
    diagnostics: list[str] = field(default_factory=list)
    files: int = 0

    def narrowed(self, status: str | None, path: str | None, guid: str | None) -> Findings:
        """Return the findings that fit, what is surely missing before what a package may have."""

        def fits(row_path: str, row_status: str, row_guid: str) -> bool:
            return (
                status in (None, row_status)
                and (path is None or path.casefold() in row_path.casefold())
                and (guid is None or guid.strip().lower() == row_guid)
            )

        scripts = [row for row in self.scripts if fits(row.path, row.status, row.guid)]
        references = [row for row in self.references if fits(row.path, row.broken.status, row.broken.guid)]
        scripts.sort(key=lambda row: _RANKS.get(row.status, 0))
        references.sort(key=lambda row: _RANKS.get(row.broken.status, 0))
        return Findings(scripts, references, self.diagnostics, self.files)

    def groups(self) -> list[Group]:
        """Return the findings by what should be there, what is surely missing and used most first."""
        groups: dict[tuple[str, str], Group] = {}
        for row in self.scripts:
            group = groups.setdefault((row.guid, row.status), Group(row.guid, row.status))
            group.scripts += 1
            group.files.add(row.path)
        for lost in self.references:
            key = lost.broken.guid, lost.broken.status
            group = groups.setdefault(key, Group(*key))
            group.references += 1
            group.files.add(lost.path)
        return sorted(groups.values(), key=lambda one: (_RANKS.get(one.status, 0), -one.scripts - one.references))


def chosen_assets(workspace: Workspace, scope: str, kind: str | None = "text") -> list[Asset]:
    """Return the assets of a scope that are of a kind."""
    return [asset for asset in workspace.graph.files() if kind in (None, asset.kind) and _is_in_scope(asset, scope)]


def look_through(workspace: Workspace, scope: str) -> Findings:
    """Return what leads nowhere; stop when the workspace's time is over and say how many files are left."""
    findings, references = Findings(), References(workspace)
    chosen = chosen_assets(workspace, scope)
    for asset in chosen:
        if workspace.deadline.passed:
            findings.diagnostics += workspace.deadline.note(
                f"{count_noun(len(chosen) - findings.files, 'file')} not looked through"
            )
            break
        findings.files += 1
        try:
            _Look(workspace, references, workspace.file(asset.path), findings).run()
        except Fault as problem:
            findings.diagnostics.append(problem.message)
    if workspace.graph.unread:
        findings.diagnostics += workspace.deadline.note(f"{count_noun(workspace.graph.unread, 'asset')} not looked at")
    return findings


def _is_in_scope(asset: Asset, scope: str) -> bool:
    if scope == "all":
        return True
    return asset.suffix in _SCOPES[scope] if scope in _SCOPES else asset.suffix not in (".unity", ".prefab")


class _Look:
    """One file; its hierarchy is only built when there is something to tell."""

    def __init__(self, workspace: Workspace, references: References, file: UnityFile, findings: Findings) -> None:
        self._workspace = workspace
        self._references = references
        self._file = file
        self._found = findings
        self._tree: ObjectTree | None = None

    def run(self) -> None:
        for document in self._file.of_class(SCRIPT):
            if document.stripped:
                continue
            _, guid = target_of(_script(document))
            status = self._references.status(guid) if guid else "missing"
            if status not in ("ok", "package"):
                self._tell_script(document, guid, status)
        for broken in self._references.broken(self._file):
            owner = self._owner(broken.document.file_id)
            self._found.references.append(LostReference(self._file.path, owner, broken))

    def _tell_script(self, document: ObjectDocument, guid: str, status: str) -> None:
        index, path = -1, self._owner(document.file_id)
        node = self._hierarchy.owners.get(document.file_id) if self._hierarchy else None
        if node is not None:
            index = next((at for at, part in enumerate(node.parts) if part.file_id == document.file_id), -1)
        self._found.scripts.append(LostScript(self._file.path, path, index, guid, status, document.file_id))

    @property
    def _hierarchy(self) -> ObjectTree | None:
        if self._tree is None and self._file.path.endswith((".unity", ".prefab")):
            self._tree = self._workspace.tree(self._file.path)
        return self._tree

    def _owner(self, file_id: int) -> str | None:
        tree = self._hierarchy
        node = tree and (tree.nodes.get(file_id) or tree.owners.get(file_id))
        return node.path if node else None


def _script(document: ObjectDocument) -> object:
    return document.data.get("m_Script")
