"""What is behind the layers of an LDtk level: its colour, and its picture as LDtk places it."""

from __future__ import annotations

from typing import Any

from scenewright.core.faults import Denied
from scenewright.godot.scenes.scene_edit import Addition, SceneEdit
from scenewright.godot.tiles.ldtk import Level, Placed, beside

__all__ = ["add_backdrop"]

_REPEAT_ENABLED = 2
_IGNORE_MOUSE = 2


def add_backdrop(edit: SceneEdit, level: Level, folder: str) -> list[str]:
    """Add the background's nodes to a scene that has none yet; return warnings. `folder` is LDtk's own."""
    if level.color:
        edit.add(
            Addition(
                name="Background",
                kind="ColorRect",
                properties={
                    "offset_right": level.px_wid,
                    "offset_bottom": level.px_hei,
                    "color": level.color,
                    "mouse_filter": _IGNORE_MOUSE,
                },
            )
        )
    if level.bg_rel_path is None:
        return []
    texture = _texture(edit, folder, level.bg_rel_path)
    if texture is None or level.placed is None:
        why = "is not in the project" if texture is None else "has no place in LDtk"
        return [f"{level.identifier}: the background picture '{level.bg_rel_path}' {why}; it was left out."]
    shown = _placed_repeatedly(level, level.placed) if level.bg_pos == "Repeat" else _placed_once(level.placed)
    shown |= {"texture": texture, "centered": False, "region_enabled": True}
    edit.add(Addition(name=edit.free_name(".", "BackgroundPicture"), kind="Sprite2D", properties=shown))
    return []


def _texture(edit: SceneEdit, folder: str, path: str) -> str | None:
    try:
        place = beside(edit.workspace, folder, path)
    except Denied:
        return None
    return f"res://{place}" if edit.workspace.files.exists(place) else None


def _placed_once(placed: Placed) -> dict[str, Any]:
    region = {"$type": "Rect2", "position": placed.crop_rect[:2], "size": placed.crop_rect[2:]}
    return {"position": placed.top_left_px, "scale": placed.scale, "region_rect": region}


def _placed_repeatedly(level: Level, placed: Placed) -> dict[str, Any]:
    """The whole level; what is left of a repeated picture's corner is more of it."""
    corner = [crop - at for crop, at in zip(placed.crop_rect, placed.top_left_px, strict=False)]
    region = {"$type": "Rect2", "position": corner, "size": [level.px_wid, level.px_hei]}
    return {"texture_repeat": _REPEAT_ENABLED, "region_rect": region}
