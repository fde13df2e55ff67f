"""The frames of a sheet as engines name them: each with its rectangle, its time, its tag and the pivot of a slice.

`sheets` lays pictures out, `sheet_data` says it as Aseprite does; here a game's own table is made of it.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated, Any

import msgspec

from scenewright.core.faults import Invalid, NotFound, did_you_mean
from scenewright.core.operations.model import Inputs, about
from scenewright.pixel.sheets import Placed, SheetStyle, SheetType, make_sheet
from scenewright.pixel.sprite import Pair, Rect, Sprite

if TYPE_CHECKING:
    from PIL.Image import Image

__all__ = ["MOST_FRAMES", "FrameSheet", "SheetFrame", "SheetLayout", "frame_sheet", "frames_json", "frames_luau"]

MOST_FRAMES = 1000


class SheetLayout(Inputs, frozen=True, kw_only=True):
    """How a sheet is asked for."""

    tag: Annotated[str, about("Only the frames of this tag.")] | None = None
    sheet_type: Annotated[SheetType, about("How frames are laid out.")] = "rows"
    across: Annotated[int, about("Frames in a row, or with columns in a column.", ge=1)] | None = None
    padding: Annotated[int, about("Pixels between frames.", ge=0, le=256)] = 0
    extrude: Annotated[bool, about("Repeat the outermost pixels around each frame.")] = False
    trim: Annotated[bool, about("Cut off what is transparent around each frame.")] = False

    @property
    def style(self) -> SheetStyle:
        return SheetStyle(self.sheet_type, self.across, 0, self.padding, 0, self.extrude, self.trim)


class SheetFrame(msgspec.Struct, frozen=True):
    """A frame on a sheet; `pivot` and `center` are in pixels of the whole frame, from its upper left corner."""

    name: str
    duration: int
    placed: Placed
    tag: str | None = None
    pivot: Pair | None = None
    center: Rect | None = None

    @property
    def rect(self) -> Rect:
        return self.placed.on_sheet


class FrameSheet(msgspec.Struct, frozen=True):
    picture: Image
    frames: list[SheetFrame]
    tags: dict[str, tuple[list[int], int]]  # places on the sheet in the order they are shown, and how many rounds
    shown: list[Image]  # the first frames, to be looked at


def frame_sheet(sprite: Sprite, title: str, layout: SheetLayout) -> FrameSheet:
    """Draw a sheet of a sprite's frames, named `title_walk_0` after their tag or `title_0`.

    Raises:
        NotFound: it has no such tag.
        Invalid: there are too many frames, or the sheet would be too large.
    """
    from scenewright.pixel.rendering import Renderer

    numbers = _numbers(sprite, layout.tag)
    if len(numbers) > MOST_FRAMES:
        raise Invalid(
            f"The sprite has {len(numbers):,} frames; a sheet takes {MOST_FRAMES:,}.",
            path="input.tag",
            rule="maxItems",
            hint="Make a sheet for each tag.",
        )
    if len(sprite.tags) > MOST_FRAMES:
        raise Invalid(f"The sprite has {len(sprite.tags):,} tags; up to {MOST_FRAMES:,} are read.", rule="maxItems")
    renderer = Renderer(sprite)
    sheet = make_sheet((renderer.frame(number) for number in numbers), layout.style)
    frames, counts = [], Counter[str]()
    for number, placed in zip(numbers, sheet.frames, strict=True):
        tag = _tag_of(sprite, number, layout.tag)
        pivot, center = _marks(sprite, number)
        name = f"{title}_{number}"
        if tag is not None:
            part = _plain(tag)
            name = f"{title}_{part}_{counts[part]}"
            counts[part] += 1
        frames.append(SheetFrame(name, sprite.durations[number], placed, tag, pivot, center))
    return FrameSheet(
        sheet.picture, frames, _orders(sprite, numbers, layout.tag), [renderer.frame(number) for number in numbers[:24]]
    )


def frames_json(sheet: FrameSheet, image: str) -> bytes:
    """Return a sheet's frames and tags as JSON; times are milliseconds, frames of tags count from 0."""
    frames = []
    for frame in sheet.frames:
        row: dict[str, Any] = {"name": frame.name, "rect": list(frame.rect), "duration": frame.duration}
        row |= {"tag": frame.tag} if frame.tag is not None else {}
        row |= {"pivot": list(frame.pivot)} if frame.pivot is not None else {}
        if frame.placed.trimmed:
            row |= {"offset": list(frame.placed.of_frame[:2]), "size": list(frame.placed.frame_size)}
        frames.append(json.dumps(row, ensure_ascii=False))
    tags = {name: {"frames": order, "repeat": repeat} for name, (order, repeat) in sheet.tags.items()}
    listed = ",\n  ".join(frames)
    return (
        f'{{"image": {json.dumps(image, ensure_ascii=False)}, "size": {list(sheet.picture.size)},\n'
        f' "frames": [\n  {listed}],\n "tags": {json.dumps(tags, ensure_ascii=False)}}}\n'
    ).encode()


def frames_luau(sheet: FrameSheet, image: str) -> bytes:
    """Return a ModuleScript with a sheet's frames and tags; times are seconds, frames of tags count from 1."""
    lines = ["--!strict", f"-- Frames of {_one_line(image)}: rectOffset and rectSize are those of an ImageLabel.", ""]
    lines += ["return {", f"\tsize = {_vector(sheet.picture.size)},", "\tframes = {"]
    for frame in sheet.frames:
        parts = [f"name = {_quoted(frame.name)}", f"rectOffset = {_vector(frame.rect[:2])}"]
        parts += [f"rectSize = {_vector(frame.rect[2:])}", f"duration = {frame.duration / 1000:g}"]
        parts += [f"tag = {_quoted(frame.tag)}"] if frame.tag is not None else []
        parts += [f"pivot = {_vector(frame.pivot)}"] if frame.pivot is not None else []
        if frame.placed.trimmed:
            parts += [f"offset = {_vector(frame.placed.of_frame[:2])}", f"size = {_vector(frame.placed.frame_size)}"]
        lines.append(f"\t\t{{ {', '.join(parts)} }},")
    lines += ["\t},", "\ttags = {"]
    for name, (order, repeat) in sheet.tags.items():
        places = ", ".join(str(at + 1) for at in order)
        lines.append(f"\t\t[{_quoted(name)}] = {{ frames = {{ {places} }}, times = {repeat} }},")
    return "\n".join([*lines, "\t},", "}", ""]).encode()


def _numbers(sprite: Sprite, wanted: str | None) -> list[int]:
    if wanted is None:
        return list(range(len(sprite.durations)))
    for tag in sprite.tags:
        if tag.name == wanted:
            return list(range(tag.first, min(tag.last, len(sprite.durations) - 1) + 1))
    names = [tag.name for tag in sprite.tags]
    listed = f"It has {', '.join(names[:20])}." if names else "It has none."
    raise NotFound(f"The sprite has no tag '{wanted}'.", hint=did_you_mean(wanted, names) or listed)


def _tag_of(sprite: Sprite, number: int, wanted: str | None) -> str | None:
    """The tag that names a frame: of several the shortest, and of those the first."""
    around = [tag for tag in sprite.tags if tag.first <= number <= tag.last and wanted in (None, tag.name)]
    return min(around, key=lambda tag: tag.last - tag.first).name if around else None


def _orders(sprite: Sprite, numbers: list[int], wanted: str | None) -> dict[str, tuple[list[int], int]]:
    places = {number: at for at, number in enumerate(numbers)}
    orders: dict[str, tuple[list[int], int]] = {}
    for tag in sprite.tags:
        if tag.name not in orders and wanted in (None, tag.name):
            order = [places[number] for number in tag.order() if number in places]
            orders |= {tag.name: (order, tag.repeat)} if order else {}
    return orders


def _marks(sprite: Sprite, number: int) -> tuple[Pair | None, Rect | None]:
    """The pivot that slices give a frame, one called pivot before others, and the middle of nine parts."""
    pivot, center = None, None
    for part in sorted(sprite.slices, key=lambda part: part.name.casefold() != "pivot"):
        key = part.at(number)
        if key is None:
            continue
        if pivot is None and key.pivot is not None:
            pivot = (key.bounds[0] + key.pivot[0], key.bounds[1] + key.pivot[1])
        if center is None and key.center is not None and key.bounds == (0, 0, sprite.width, sprite.height):
            center = key.center
    return pivot, center


def _plain(tag: str) -> str:
    """A tag as part of a name."""
    return "".join(letter if letter.isalnum() or letter in "-_" else "_" for letter in tag) or "tag"


def _one_line(text: str) -> str:
    return "".join(letter if letter.isprintable() else "?" for letter in text)


def _quoted(text: str) -> str:
    escaped = text.replace("\\", "\\\\").replace('"', '\\"')
    return '"' + "".join(letter if letter >= " " else f"\\{ord(letter):03d}" for letter in escaped) + '"'


def _vector(pair: Sequence[int]) -> str:
    return f"Vector2.new({pair[0]}, {pair[1]})"
