"""What Aseprite writes beside a sheet: frames as an object or a list, and tags, layers and slices."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from scenewright.core.calls.deadline import check_deadline
from scenewright.pixel.sheets import Sheet
from scenewright.pixel.sprite import Color, LayerKind, Rect, Sprite, Tag

__all__ = ["color_text", "sheet_json"]


def sheet_json(
    sprite: Sprite, sheet: Sheet, numbers: Sequence[int], title: str, image: str, *, as_list: bool = False
) -> bytes:
    """Return the JSON of a sheet with these frames of a sprite; tags count frames as they are on the sheet."""
    frames = []
    for at, (number, placed) in enumerate(zip(numbers, sheet.frames, strict=True)):
        width, height = placed.frame_size
        entry: dict[str, Any] = {
            "frame": _box(placed.on_sheet),
            "rotated": False,
            "trimmed": placed.trimmed,
            "spriteSourceSize": _box(placed.of_frame),
            "sourceSize": {"w": width, "h": height},
            "duration": sprite.durations[number],
        }
        frames.append((f"{title} {at}.aseprite" if len(numbers) > 1 else f"{title}.aseprite", entry))
    document = {
        "frames": [{"filename": name, **entry} for name, entry in frames] if as_list else dict(frames),
        "meta": {
            "app": "https://www.aseprite.org/",
            "version": "1.3",
            "image": image,
            "format": "RGBA8888",
            "size": {"w": sheet.picture.width, "h": sheet.picture.height},
            "scale": "1",
            "frameTags": [row for tag in sprite.tags if (row := _tag(tag, numbers)) is not None],
            "layers": _layers(sprite),
            "slices": _slices(sprite, numbers),
        },
    }
    return (json.dumps(document, indent=1, ensure_ascii=False) + "\n").encode()


def color_text(color: Color) -> str:
    """Return a colour as `#rrggbbaa`."""
    return "#" + "".join(f"{value:02x}" for value in color)


def _box(rect: Rect) -> dict[str, int]:
    return dict(zip("xywh", rect, strict=True))


def _tag(tag: Tag, numbers: Sequence[int]) -> dict[str, Any] | None:
    """A tag of the frames on the sheet; None where none of its frames is."""
    at = [place for place, number in enumerate(numbers) if tag.first <= number <= tag.last]
    if not at:
        return None
    row: dict[str, Any] = {"name": tag.name, "from": at[0], "to": at[-1], "direction": tag.direction}
    if tag.repeat:
        row["repeat"] = str(tag.repeat)
    row["color"] = color_text(tag.data.color or tag.color)
    return row | ({"data": tag.data.text} if tag.data.text else {})


def _layers(sprite: Sprite) -> list[dict[str, Any]]:
    rows = []
    for layer in sprite.layers:
        row: dict[str, Any] = {"name": layer.name}
        if layer.parent is not None:
            row["group"] = sprite.layers[layer.parent].name
        if layer.kind is not LayerKind.GROUP:
            row |= {"opacity": layer.opacity, "blendMode": layer.blend}
        rows.append(row | ({"data": layer.data.text} if layer.data.text else {}))
    return rows


def _slices(sprite: Sprite, numbers: Sequence[int]) -> list[dict[str, Any]]:
    rows = []
    for part in sprite.slices:
        keys = []
        for at, number in enumerate(numbers):
            check_deadline()
            key = part.at(number)
            if key is None or (at and part.at(numbers[at - 1]) == key):
                continue
            row: dict[str, Any] = {"frame": at, "bounds": _box(key.bounds)}
            row |= {"center": _box(key.center)} if key.center else {}
            keys.append(row | ({"pivot": dict(zip("xy", key.pivot, strict=True))} if key.pivot else {}))
        row = {"name": part.name, "color": color_text(part.data.color or (0, 0, 255, 255)), "keys": keys}
        rows.append(row | ({"data": part.data.text} if part.data.text else {}))
    return rows
