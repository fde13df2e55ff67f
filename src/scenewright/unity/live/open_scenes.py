"""Which scenes an editor has open, out of its answer."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from scenewright.core.faults import Unsupported

__all__ = ["OpenScene", "read_open_scenes"]


@dataclass(frozen=True, slots=True)
class OpenScene:
    """A scene as the editor has it."""

    path: str
    unsaved: bool
    active: bool


def read_open_scenes(answer: Any) -> dict[str, OpenScene]:
    """Return the open scenes by path; one that was never saved has none and goes by the empty path.

    Raises:
        Unsupported: the answer tells of no scenes, or not whether they are saved.
    """
    rows = answer.get("scenes") if isinstance(answer, Mapping) else answer
    if not isinstance(rows, list):
        raise Unsupported("Unity did not say which scenes are open.")
    scenes = {}
    for row in rows:
        if not isinstance(row, Mapping) or not isinstance(row.get("isDirty"), bool):
            raise Unsupported("Unity did not say which open scenes are saved.")
        if row.get("isLoaded") is False:
            continue
        path = str(row.get("path") or "").replace("\\", "/")
        scenes[path] = OpenScene(path, row["isDirty"], row.get("isActive") is True)
    return scenes
