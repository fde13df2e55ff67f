"""Tags of an Aseprite file as animations of a sheet that has all frames, in rows that never move."""

from __future__ import annotations

from typing import TYPE_CHECKING

from scenewright.core.faults import Invalid
from scenewright.godot.animation.requests import SheetAnimation
from scenewright.pixel.sprite import Sprite, Tag

if TYPE_CHECKING:
    from collections.abc import Sequence

__all__ = ["ACROSS", "Wanted", "animations_of"]

ACROSS = 16  # frames of a row, however many there are, so that a further frame moves no other
_MOST_SHOWN = 10_000
Wanted = list[tuple[SheetAnimation, list[int]]]


def animations_of(sprite: Sprite, tags: Sequence[Tag]) -> Wanted:
    """Return an animation for each tag; without tags one of all frames, named default.

    Raises:
        Invalid: two tags have the same name, or one is repeated too often.
    """
    last = len(sprite.durations) - 1
    named = list(tags) or [Tag("default", 0, last)]
    names = [tag.name for tag in named]
    twice = next((name for name in names if names.count(name) > 1), None)
    if twice is not None:
        raise Invalid(f"Two tags are named '{twice}'.", path="input.inputPath", rule="unique", hint="Rename one.")
    return [(_animation(sprite, tag), _shown(tag)) for tag in named]


def _animation(sprite: Sprite, tag: Tag) -> SheetAnimation:
    """Speed is that of the shortest frame, and each frame's duration a multiple of it."""
    times = [max(sprite.durations[frame], 1) for frame in _shown(tag)]
    shortest = min(times)
    return SheetAnimation(
        name=tag.name,
        fps=1000 / shortest,
        loop=tag.repeat == 0,
        durations=[time / shortest for time in times],
    )


def _shown(tag: Tag) -> list[int]:
    """The frames one after another; a tag that is repeated so many times has them so often.

    Ping-pong counts each way, there and back, as Aseprite does.
    """
    if tag.repeat == 0:
        return tag.order()
    if tag.repeat * (tag.last - tag.first + 1) > _MOST_SHOWN:
        raise Invalid(
            f"Tag '{tag.name}' is repeated {tag.repeat} times.",
            path="input.inputPath",
            rule="size",
            hint="Set its repeat to 0 in Aseprite to have it loop.",
        )
    if not tag.direction.startswith("pingpong"):
        return tag.order() * tag.repeat
    there = list(range(tag.first, tag.last + 1))
    if tag.direction == "pingpong_reverse":
        there.reverse()
    shown = list(there)
    for number in range(1, tag.repeat):
        shown += (there[::-1] if number % 2 else there)[1 if len(there) > 1 else 0 :]
    return shown
