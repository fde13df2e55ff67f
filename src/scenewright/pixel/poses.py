"""Frames out of a base pose: its parts, each a layer, moved, turned over or hidden."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Literal

import msgspec

from scenewright.core.faults import Conflict, Invalid
from scenewright.pixel.sprite import Pair, Tag
from scenewright.pixel.sprite_edits import OUTLINE, SpriteEdit

__all__ = ["Flip", "Pose", "add_poses"]

Flip = Literal["x", "y"]


class Pose(msgspec.Struct, frozen=True):
    """How a frame differs from the base pose."""

    moves: Mapping[str, Pair] = {}
    hide: Sequence[str] = ()
    flip: Mapping[str, Flip] = {}
    milliseconds: int | None = None


def add_poses(edit: SpriteEdit, tag: Tag, base: int, poses: Sequence[Pose], milliseconds: int) -> Tag:
    """Make a tag's frames of a base pose; a tag that is there already keeps its place.

    Raises:
        Invalid: there is no such base frame.
        NotFound: a pose names a layer that is not there.
        Conflict: the tag has another number of frames.
    """
    if base >= len(edit.sprite.durations):
        raise Invalid(
            f"The sprite has frames 0 to {len(edit.sprite.durations) - 1}.", path="input.baseFrame", rule="maximum"
        )
    known = next((other for other in edit.sprite.tags if other.name == tag.name), None)
    count = len(poses)
    if known is not None and known.last - known.first + 1 != count:
        raise Conflict(
            f"Tag '{tag.name}' has {known.last - known.first + 1} frames, not {count}.",
            hint="Give as many poses, or another name.",
            retryable=False,
        )
    first = known.first if known is not None else len(edit.sprite.durations)
    if first <= base < first + count:
        raise Invalid("The base pose is one of the tag's own frames.", path="input.baseFrame", rule="range")
    edit.frame_count(first + count)
    for number, pose in enumerate(poses):
        _pose(edit, base, first + number, pose)
        edit.sprite.durations[first + number] = pose.milliseconds or milliseconds
    placed = msgspec.structs.replace(tag, first=first, last=first + count - 1)
    edit.tag(placed)
    return placed


def _pose(edit: SpriteEdit, base: int, frame: int, pose: Pose) -> None:
    from PIL.Image import Transpose

    turns = {"x": Transpose.FLIP_LEFT_RIGHT, "y": Transpose.FLIP_TOP_BOTTOM}
    moves = {edit.layer(name): move for name, move in pose.moves.items()}
    hidden = {edit.layer(name) for name in pose.hide}
    flips = {edit.layer(name): turns[flip] for name, flip in pose.flip.items()}
    edit.sprite.cels[frame].clear()
    for at, cel in edit.sprite.cels[base].items():
        if at in hidden or edit.sprite.layers[at].name == OUTLINE:
            continue
        dx, dy = moves.get(at, (0, 0))
        if at in flips:
            part = edit.canvas(at, base).crop((cel.x, cel.y, cel.x + cel.width, cel.y + cel.height))
            edit.draw(at, frame, part.transpose(flips[at]), (cel.x + dx, cel.y + dy))
        else:
            edit.sprite.cels[frame][at] = msgspec.structs.replace(cel, x=cel.x + dx, y=cel.y + dy, linked_to=None)
