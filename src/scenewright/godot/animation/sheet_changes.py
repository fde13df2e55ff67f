"""Which animations of a SpriteFrames differ from those that a sheet gives it; the others are left as they are."""

from __future__ import annotations

from collections.abc import Sequence

from scenewright.godot.animation.inner_resources import HeldResource
from scenewright.godot.animation.requests import SheetAnimation
from scenewright.godot.animation.sheets import SheetGrid, Texture
from scenewright.godot.documents import variant as v
from scenewright.godot.documents.resources import resource_section

__all__ = ["changed_animations"]

_Shown = tuple[v.Variant, float, list[tuple[float, v.Variant]]]


def changed_animations(
    part: HeldResource, texture: Texture, grid: SheetGrid, wanted: Sequence[tuple[SheetAnimation, list[int]]]
) -> list[tuple[SheetAnimation, list[int]]]:
    """Return the wanted animations that a SpriteFrames lacks, or has with other frames, durations, speed or loop."""
    stored = part.value("animations")
    entries = stored.items if isinstance(stored, v.Array) else ()
    known = [_shown(part, texture, entry) for entry in entries if isinstance(entry, v.Dictionary)]
    return [(animation, frames) for animation, frames in wanted if _wanted(animation, grid, frames) not in known]


def _wanted(animation: SheetAnimation, grid: SheetGrid, frames: list[int]) -> tuple[str, _Shown]:
    durations = animation.durations or [1.0] * len(frames)
    regions = [(duration, grid.region(frame)) for duration, frame in zip(durations, frames, strict=True)]
    return animation.name, (animation.loop, animation.fps, list[tuple[float, v.Variant]](regions))


def _shown(part: HeldResource, texture: Texture, entry: v.Dictionary) -> tuple[str, _Shown] | None:
    """What an animation shows, and how long; None where a frame is no part of this sheet."""
    name, frames = entry.get("name"), entry.get("frames")
    if not isinstance(frames, v.Array) or not isinstance(name, v.StringName):
        return None
    regions: list[tuple[float, v.Variant]] = []
    for frame in frames.items:
        reference = frame.get("texture") if isinstance(frame, v.Dictionary) else None
        if not isinstance(frame, v.Dictionary) or not isinstance(reference, v.SubResource):
            return None
        picture = HeldResource(part.holder, reference.id)
        atlas = picture.value("atlas")
        if not isinstance(atlas, v.ExtResource) or _path(part, atlas) != texture.file.path:
            return None
        regions.append((_number(frame.get("duration")), picture.value("region")))
    return name.text, (entry.get("loop"), _number(entry.get("speed")), regions)


def _path(part: HeldResource, reference: v.ExtResource) -> str | None:
    return resource_section(part.holder.document, reference).string("path")


def _number(value: v.Variant) -> float:
    return float(value) if isinstance(value, (int, float)) else 0.0
