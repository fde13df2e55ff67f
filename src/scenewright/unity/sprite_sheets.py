"""Sheets of Aseprite files as Unity has them: rectangles from below, pivots from 0 to 1, ids that stay."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from scenewright.core.faults import Invalid
from scenewright.pixel.sheet_frames import SheetFrame
from scenewright.unity.import_settings import ImportSettings
from scenewright.unity.objects.overrides import value_at

__all__ = ["is_sheet", "other_sprites", "prepare_settings", "sprite_rows"]

_OF_PIXEL_ART = {
    "textureType": "Sprite",
    "filterMode": "Point",
    "wrapMode": "Clamp",
    "compression": "None",
    "mipmaps": "false",
    "alphaIsTransparency": "true",
    "npotScale": "None",
}
_LARGEST = 16384


def sprite_rows(
    frames: Sequence[SheetFrame], height: int, pivot: tuple[float, float] | None = None
) -> list[dict[str, Any]]:
    """Return the sprites of a sheet so high; `pivot` is for frames to which no slice gives one."""
    rows = []
    for frame in frames:
        x, y, wide, high = frame.rect
        row: dict[str, Any] = {"name": frame.name, "rect": [x, height - y - high, wide, high]}
        at = _pivot(frame, pivot)
        row |= {"pivot": at} if at is not None else {}
        if frame.center is not None and not frame.placed.trimmed:
            left, top, inner_wide, inner_high = frame.center
            row["border"] = [left, max(high - top - inner_high, 0), max(wide - left - inner_wide, 0), top]
        rows.append(row)
    return rows


def prepare_settings(settings: ImportSettings, size: tuple[int, int], pixels_per_unit: float | None) -> None:
    """Have a picture that was no sheet yet imported as pixel art, and none made smaller than it is.

    Raises:
        Invalid: it is larger than Unity takes.
    """
    if max(size) > _LARGEST:
        raise Invalid(
            f"The sheet would have {size[0]} x {size[1]} pixels; Unity takes {_LARGEST:,} a side.",
            path="input.sheetType",
            rule="size",
            hint="Lay it out in rows, trim it, or make a sheet for each tag.",
        )
    if not is_sheet(settings):
        for name, value in _OF_PIXEL_ART.items():
            settings.set(name, value)
    most = value_at(settings.data, ["maxTextureSize"])
    if isinstance(most, str) and most.isdigit() and int(most) < max(size):
        settings.set("maxTextureSize", 1 << (max(size) - 1).bit_length())
    if pixels_per_unit is not None:
        settings.set("pixelsPerUnit", pixels_per_unit)


def is_sheet(settings: ImportSettings) -> bool:
    return bool(value_at(settings.data, ["spriteMode"]) == "2")


def other_sprites(settings: ImportSettings, title: str, rows: Sequence[dict[str, Any]]) -> tuple[list[str], list[str]]:
    """Return the names of sprites that a person made, and those of frames that are no more."""
    made = {row["name"] for row in rows}
    names = [name for row in settings.sprites if (name := str(row.get("name"))) not in made]
    gone = [name for name in names if name.startswith(f"{title}_") and name.rpartition("_")[2].isdigit()]
    return [name for name in names if name not in gone], gone


def _pivot(frame: SheetFrame, wanted: tuple[float, float] | None) -> list[float] | None:
    """The pivot in the part of the frame that is on the sheet; None where its middle or a person's own will do."""
    left, top, wide, high = frame.placed.of_frame
    whole_wide, whole_high = frame.placed.frame_size
    if frame.pivot is not None:
        x, y = float(frame.pivot[0]), float(frame.pivot[1])
    elif wanted is not None or frame.placed.trimmed:
        across, up = wanted or (0.5, 0.5)
        x, y = across * whole_wide, (1 - up) * whole_high
    else:
        return None
    return [round((x - left) / wide, 6), round(1 - (y - top) / high, 6)]
