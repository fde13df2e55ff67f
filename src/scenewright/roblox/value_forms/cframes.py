"""CFrames: a position, all components, or a position and an orientation."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from scenewright.roblox.value_forms.frames import oriented
from scenewright.roblox.value_forms.records import record_of, split_text
from scenewright.roblox.value_forms.refusal import Refused
from scenewright.roblox.value_forms.scalars import as_single
from scenewright.roblox.values import IDENTITY

__all__ = ["as_frame"]
_VECTOR = record_of("Vector3", ("x", "y", "z"))


def as_frame(given: Any) -> tuple[float, ...]:
    if isinstance(given, str):
        given = split_text(given, "CFrame")
    if isinstance(given, dict):
        return _frame_object(given)
    if isinstance(given, (list, tuple)) and len(given) in (3, 12):
        parts = tuple(as_single(part) for part in given)
        return parts if len(parts) == 12 else (*parts, *IDENTITY[3:])
    raise Refused(
        "a CFrame: x, y, z, or all 12 components",
        'For example [0, 5, 0], or {"position": [0, 5, 0], "orientation": [0, 90, 0]}.',
    )


def _frame_object(given: Mapping[str, Any]) -> tuple[float, ...]:
    keys = {str(key) for key in given} - {"_type"}
    if given.get("_type", "CFrame") != "CFrame" or not keys:
        raise Refused("a CFrame")
    if isinstance(given.get("components"), list) and keys <= {"components", "x", "y", "z"}:
        return as_frame(given["components"])
    if keys <= {"position", "orientation"}:
        frame = as_frame(given.get("position", [0, 0, 0]))
        turned = given.get("orientation")
        return frame if turned is None else oriented(frame, _VECTOR(turned))
    if keys <= {"x", "y", "z"}:
        return as_frame([given.get(key, 0) for key in ("x", "y", "z")])
    raise Refused("a CFrame with x, y and z, with components, or with position and orientation")
