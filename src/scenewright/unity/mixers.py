"""Audio mixers: groups, effects, snapshots, and what the numbers of a snapshot belong to."""

from __future__ import annotations

from typing import Any, NamedTuple

from scenewright.unity.objects.facts import target_of
from scenewright.unity.yaml.source import UnityFile

__all__ = ["Mixer", "Parameter"]

CONTROLLER, GROUP, EFFECT, SNAPSHOT = 241, 243, 244, 245


class Parameter(NamedTuple):
    name: str
    group: str


class Mixer:
    """One `.mixer` file."""

    def __init__(self, file: UnityFile) -> None:
        self._file = file
        controller = next(file.of_class(CONTROLLER), None)
        self.data: dict[str, Any] = controller.data if controller is not None else {}

    @property
    def name(self) -> str:
        return str(self.data.get("m_Name", ""))

    def groups(self) -> list[tuple[str, int]]:
        """Return paths of the groups with their ids, the master first, each before those below it."""
        groups: list[tuple[str, int]] = []
        waiting = [("", target_of(self.data.get("m_MasterGroup"))[0])]
        seen: set[int] = set()
        while waiting:
            above, file_id = waiting.pop()
            document = self._file.by_id.get(file_id)
            if document is None or file_id in seen:
                continue
            seen.add(file_id)
            path = f"{above}/{document.data.get('m_Name', '')}".lstrip("/")
            groups.append((path, file_id))
            children = document.data.get("m_Children")
            rows = children if isinstance(children, list) else []
            waiting.extend((path, target_of(row)[0]) for row in reversed(rows))
        return groups

    def snapshots(self) -> dict[str, dict[str, Any]]:
        """Return the snapshots by name, in the mixer's order."""
        rows = self.data.get("m_Snapshots")
        ids = [target_of(row)[0] for row in rows] if isinstance(rows, list) else []
        documents = [self._file.by_id[file_id] for file_id in ids if file_id in self._file.by_id]
        return {str(document.data.get("m_Name", "")): document.data for document in documents}

    @property
    def start_snapshot(self) -> str | None:
        document = self._file.by_id.get(target_of(self.data.get("m_StartSnapshot"))[0])
        return None if document is None else str(document.data.get("m_Name", ""))

    def exposed(self) -> dict[str, str]:
        """Return exposed parameters: names by guid."""
        rows = self.data.get("m_ExposedParameters")
        parameters = rows if isinstance(rows, list) else []
        return {str(row.get("guid")): str(row.get("name")) for row in parameters if isinstance(row, dict)}

    def parameters(self) -> dict[str, Parameter]:
        """Return what each guid of a snapshot's values stands for."""
        parameters: dict[str, Parameter] = {}
        for path, file_id in self.groups():
            data = self._file.by_id[file_id].data
            for key in ("m_Volume", "m_Pitch", "m_Send"):
                if key in data:
                    parameters[str(data[key])] = Parameter(key.removeprefix("m_"), path)
            effects = data.get("m_Effects")
            for reference in effects if isinstance(effects, list) else []:
                self._effect(target_of(reference)[0], path, parameters)
        return parameters

    def _effect(self, file_id: int, group: str, parameters: dict[str, Parameter]) -> None:
        document = self._file.by_id.get(file_id)
        if document is None:
            return
        data = document.data
        name = str(data.get("m_EffectName", "Effect"))
        if "m_MixLevel" in data:
            parameters[str(data["m_MixLevel"])] = Parameter(f"{name}: Mix Level", group)
        rows = data.get("m_Parameters")
        for row in rows if isinstance(rows, list) else []:
            if isinstance(row, dict):
                parameters[str(row.get("m_GUID"))] = Parameter(f"{name}: {row.get('m_ParameterName', '')}", group)
