"""Addressables: groups, and the address and labels of each asset in them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from scenewright.core.faults import Invalid, NotFound, did_you_mean
from scenewright.unity.editing.session import EditSession
from scenewright.unity.objects.overrides import value_at
from scenewright.unity.workspace import Workspace

__all__ = ["Groups"]

_FOLDER = "AddressableAssetsData"
_ENTRIES = "m_SerializeEntries"
_LABELS = ["m_LabelTable", "m_LabelNames"]
_DEFAULT = "Default Local Group"


class Groups:
    """The groups of a project; changes are staged file by file."""

    def __init__(self, workspace: Workspace) -> None:
        self._workspace = workspace

    def listed(self) -> list[dict[str, Any]]:
        """Return the groups by name with their entries."""
        graph = self._workspace.graph
        groups = []
        for path, data in self._groups():
            entries = [
                {
                    "address": str(row.get("m_Address", "")),
                    "path": graph.path_of(str(row.get("m_GUID"))) or str(row.get("m_GUID")),
                    "labels": [str(label) for label in _rows(row.get("m_SerializedLabels"))],
                }
                for row in _rows(data.get(_ENTRIES))
                if isinstance(row, dict)
            ]
            groups.append({"name": str(data.get("m_GroupName", "")), "path": path, "entries": entries})
        return sorted(groups, key=lambda group: str(group["name"]))

    def labels(self) -> list[str]:
        path = self._settings()
        data = self._workspace.file(path).documents[0].data if path else {}
        return [str(label) for label in _rows(value_at(data, _LABELS))]

    def put(self, asset_path: str, group: str | None, address: str | None, labels: Sequence[str] | None) -> None:
        """Make an asset addressable, or give its entry another group, address or labels."""
        workspace = self._workspace
        asset = workspace.graph.asset(workspace.place(asset_path))
        if not asset.guid:
            raise Invalid(f"'{asset.path}' has no .meta file.", path="input.entries", rule="ref")
        now = self._place_of(asset.guid)
        wanted = self._named(group) if group else now[0] if now else self._named(_DEFAULT, or_first=True)
        entry: dict[str, Any] = dict(now[1]) if now else {}
        made = {
            "m_GUID": asset.guid,
            "m_Address": address or entry.get("m_Address") or asset.path,
            "m_ReadOnly": entry.get("m_ReadOnly", "0"),
            "m_SerializedLabels": list(labels) if labels is not None else _rows(entry.get("m_SerializedLabels")),
        }
        made |= {key: value for key, value in entry.items() if key not in made}
        made.setdefault("FlaggedDuringContentUpdateRestriction", "0")
        if now and now[0] != wanted:
            self._change(now[0], asset.guid, None)
        self._change(wanted, asset.guid, made)

    def remove(self, asset_path: str) -> None:
        asset = self._workspace.graph.asset(self._workspace.place(asset_path))
        now = self._place_of(asset.guid)
        if now is None:
            raise NotFound(f"'{asset.path}' is not addressable.")
        self._change(now[0], asset.guid, None)

    def add_labels(self, labels: Sequence[str]) -> None:
        """Let the settings know labels that they do not."""
        path = self._settings()
        missing = [label for label in dict.fromkeys(labels) if label not in self.labels()]
        if not missing or path is None:
            return
        session = EditSession(self._workspace, path)
        rows = session.items(session.file.documents[0], *_LABELS)
        if rows is not None:
            rows += missing
            session.save()

    def _change(self, path: str, guid: str, entry: dict[str, Any] | None) -> None:
        session = EditSession(Workspace(self._workspace.files), path)
        document = next(one for one in session.file.documents if _ENTRIES in one.data)
        rows = session.items(document, _ENTRIES)
        assert rows is not None
        at = next((at for at, row in enumerate(rows) if row.get("m_GUID") == guid), None)
        if entry is None:
            rows[:] = [row for row in rows if row.get("m_GUID") != guid]
        elif at is None:
            rows.append(entry)
            rows.sort(key=lambda row: str(row.get("m_GUID")))
        else:
            rows[at] = entry
        session.save()

    def _groups(self) -> Iterator[tuple[str, dict[str, Any]]]:
        for asset in self._workspace.graph.files():
            if asset.suffix == ".asset" and asset.kind == "text" and f"/{_FOLDER}/" in asset.path:
                # A file of the same call may have been staged since the last look.
                content = Workspace(self._workspace.files).file(asset.path)
                for document in content.documents:
                    if _ENTRIES in document.data and "m_GroupName" in document.data:
                        yield asset.path, document.data

    def _settings(self) -> str | None:
        for asset in self._workspace.graph.files():
            if asset.suffix == ".asset" and asset.kind == "text" and f"/{_FOLDER}/" in asset.path:
                documents = self._workspace.file(asset.path).documents
                if documents and "m_LabelTable" in documents[0].data:
                    return asset.path
        return None

    def _place_of(self, guid: str) -> tuple[str, dict[str, Any]] | None:
        for path, data in self._groups():
            for row in _rows(data.get(_ENTRIES)):
                if isinstance(row, dict) and row.get("m_GUID") == guid:
                    return path, row
        return None

    def _named(self, name: str, *, or_first: bool = False) -> str:
        groups = {str(data.get("m_GroupName", "")): path for path, data in self._groups()}
        if name in groups:
            return groups[name]
        if not groups:
            raise NotFound(
                "The project has no Addressables groups.",
                hint="Create the settings once in the editor: Window > Asset Management > Addressables > Groups.",
            )
        if or_first:
            return next(iter(groups.values()))
        raise NotFound(
            f"There is no group '{name}'.", hint=did_you_mean(name, list(groups)) or f"There are: {', '.join(groups)}."
        )


def _rows(value: Any) -> list[Any]:
    return value if isinstance(value, list) else []
