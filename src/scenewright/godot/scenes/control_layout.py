"""The layout mode of controls, which the editor keeps beside the anchors and without which it shows no preset."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from scenewright.godot.classes.index import ClassIndex

__all__ = ["UNCONTROLLED", "implied_layout", "layout_mode", "placed_in_vain"]

_POSITION, _ANCHORS, _IN_CONTAINER, UNCONTROLLED = range(4)
_CUSTOM = -1  # the preset of anchors that are given one by one
_PLACING = ("anchor", "offset_")
_PLACED = ("position", "size")


def layout_mode(index: ClassIndex, parent: str, properties: Mapping[str, Any]) -> int:
    """Return the mode that the editor gives a control below a node of a class; the engine only uses the anchors."""
    if parent in index and index.is_a(parent, "Container"):
        return _IN_CONTAINER
    if parent not in index or not index.is_a(parent, "Control"):
        return UNCONTROLLED
    return _ANCHORS if any(name.startswith("anchor") for name in properties) else _POSITION


def implied_layout(
    index: ClassIndex, parent: str | None, properties: Mapping[str, Any], *, is_new: bool
) -> dict[str, Any]:
    """Return what the editor writes of a control's layout beside these properties; without a parent of a root."""
    is_anchored = any(name.startswith("anchor") for name in properties)
    if "layout_mode" in properties or not (is_new or is_anchored):
        return {}
    mode = UNCONTROLLED if parent is None else layout_mode(index, parent, properties)
    if not is_new or "anchors_preset" in properties or (parent is not None and not is_anchored):
        return {"layout_mode": mode}
    return {"layout_mode": mode, "anchors_preset": _CUSTOM if is_anchored else 0}


def placed_in_vain(index: ClassIndex, parent: str, properties: Mapping[str, Any]) -> str | None:
    """Return a property that has no effect, as the container that a control is in places it."""
    if parent not in index or not index.is_a(parent, "Container"):
        return None
    return next((name for name in properties if name.startswith(_PLACING) or name in _PLACED), None)
