"""How the objects of one file are declared: by the version of the editor that wrote it, scripts by their sources."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any

from scenewright.core.faults import Unsupported
from scenewright.unity.class_types.enums import ENUMS
from scenewright.unity.class_types.table import ClassType, Field, table
from scenewright.unity.class_types.versions import Version, read_version
from scenewright.unity.objects.facts import target_of
from scenewright.unity.project import ProjectSettings
from scenewright.unity.script_types import ScriptTypes
from scenewright.unity.yaml.property_spans import PathStep

if TYPE_CHECKING:
    from scenewright.unity.workspace import Workspace
    from scenewright.unity.yaml.source import UnityFile

__all__ = ["ObjectTypes"]

# What tells that an older editor wrote a file than the project says: the last version that writes such lines.
_EVIDENCE: tuple[tuple[re.Pattern[bytes], Version], ...] = (
    (re.compile(rb"\n  m_Component:\r?\n  - \d+: \{fileID"), (5, 4, 99, 3, 1)),
    (re.compile(rb"\n  m_PrefabInternal: "), (2018, 2, 99, 3, 1)),
)
_NEW_TRANSFORM = re.compile(rb"\n  serializedVersion: 2\r?\n  m_LocalRotation: ")
_ROOTS_LISTED: Version = (2022, 1, 99, 3, 1)
_SCRIPT = 114


class ObjectTypes:
    """Answers for one file; nothing is read before it is asked for."""

    def __init__(self, workspace: Workspace, file: UnityFile) -> None:
        self._workspace = workspace
        self._file = file

    @cached_property
    def scripts(self) -> ScriptTypes:
        return ScriptTypes(self._workspace, lambda: self.version)

    @cached_property
    def settings(self) -> ProjectSettings:
        return ProjectSettings(self._workspace)

    @cached_property
    def version(self) -> Version:
        """The version whose lines the file has.

        Raises:
            Unsupported: it is not known.
        """
        version = read_version(self.settings.unity_version)
        first = read_version(table().first)
        if version is None or first is None or version < first:
            raise Unsupported(
                f"How Unity {self.settings.unity_version} writes this is not known.",
                hint="ProjectSettings/ProjectVersion.txt must name a version of Unity, 5.0 or newer.",
            )
        for pattern, last in _EVIDENCE:
            if pattern.search(self._file.data):
                return min(version, last)
        return min(version, _ROOTS_LISTED) if self.has_root_order and self._is_old else version

    @cached_property
    def has_root_order(self) -> bool:
        """Whether roots are put in order by their transforms, not by a list."""
        return b"\n  m_RootOrder:" in self._file.data and b"\nSceneRoots:" not in self._file.data

    @property
    def _is_old(self) -> bool:
        return not _NEW_TRANSFORM.search(self._file.data)

    def class_type(self, class_id: int) -> ClassType:
        """Return a class as the file's version has it.

        Raises:
            Unsupported: it has no such class.
        """
        kind = table().class_type(class_id, self.version)
        if kind is None:
            raise Unsupported(f"Unity {self.settings.unity_version} has no class with the number {class_id}.")
        return kind

    def fields(self, class_id: int, data: Mapping[str, Any]) -> tuple[Field, ...] | None:
        """Return the fields of an object; None where its script's source is not here."""
        own = self.class_type(class_id).fields
        if class_id != _SCRIPT:
            return own
        declared = self.scripts.fields(target_of(data.get("m_Script"))[1])
        return None if declared is None else (*own, *declared)

    def field_at(self, fields: Sequence[Field], steps: Sequence[PathStep]) -> Field | None:
        """Return the declaration of what a path leads to."""
        field: Field | None = None
        rows = list(fields)
        for step in steps:
            if isinstance(step, int):
                field = field.children[0] if field is not None and field.kind == "vector" else None
            else:
                field = next((row for row in rows if row.name == step), None)
            if field is None:
                return None
            rows = list(field.children)
        return field

    def names(self, class_name: str, key: str) -> Mapping[str, int]:
        """Return the names of an enum's numbers: of a script's by its kind, of the engine's by the field's path."""
        if key.startswith("enum "):
            declared = self.scripts.declared(key.removeprefix("enum "))
            return declared.members if declared is not None else {}
        return ENUMS.get(class_name, {}).get(key, {})
