"""Sprite sheets: the grid of a texture, the frames of animations in it, and the SpriteFrames made of them."""

from __future__ import annotations

import re
from collections.abc import Sequence

import msgspec

from scenewright.core.faults import Conflict, Invalid
from scenewright.core.text.counts import count_noun, with_article
from scenewright.godot.animation.inner_resources import HeldResource, ResourceEdit
from scenewright.godot.animation.requests import SheetAnimation
from scenewright.godot.assets.images.pictures import picture_size
from scenewright.godot.classes.index import ClassIndex
from scenewright.godot.documents import creation, ids
from scenewright.godot.documents import variant as v
from scenewright.godot.project.addresses import Addresses
from scenewright.godot.project.workspace import Workspace
from scenewright.godot.values.tree import File

__all__ = [
    "Layout",
    "SheetGrid",
    "Texture",
    "add_animations",
    "frames_of",
    "grid_of",
    "open_sprite_frames",
    "open_texture",
]

_RANGE = re.compile(r"\s*(\d+)\s*(?:-\s*(\d+)\s*)?")
Pair = tuple[int, int]


class Texture(msgspec.Struct, frozen=True):
    """A picture of the project; the size is None where it cannot be read."""

    file: File
    size: Pair | None
    imported: bool


class Layout(msgspec.Struct, frozen=True):
    """What a caller says of a sheet: frames across and down, or the size of one, and the space around them."""

    across: int | None = None
    down: int | None = None
    width: int | None = None
    height: int | None = None
    margin: Pair = (0, 0)
    separation: Pair = (0, 0)


class SheetGrid(msgspec.Struct, frozen=True):
    columns: int
    rows: int
    width: int
    height: int
    margin: Pair = (0, 0)
    separation: Pair = (0, 0)

    def region(self, frame: int) -> v.Rect2:
        """Return the part of the picture that a frame shows."""
        row, column = divmod(frame, self.columns)
        return v.Rect2(
            float(self.margin[0] + column * (self.width + self.separation[0])),
            float(self.margin[1] + row * (self.height + self.separation[1])),
            float(self.width),
            float(self.height),
        )


def open_texture(workspace: Workspace, index: ClassIndex, path: str) -> Texture:
    """Open a texture of the project.

    Raises:
        NotFound: there is no such file.
        Invalid: it is no texture.
    """
    file = Addresses(workspace).file(path)
    if file.class_name in index and not index.is_a(file.class_name, "Texture2D"):
        raise Invalid(
            f"'{file.path}' is {with_article(file.class_name)}, not a texture.", path="input.texturePath", rule="class"
        )
    place = workspace.place(file.path)
    size = None if place.endswith(".tres") else picture_size(workspace.files.read(place))
    imported = place.endswith(".tres") or workspace.files.exists(f"{place}.import")
    return Texture(msgspec.structs.replace(file, declared_as="Texture2D"), size, imported)


def open_sprite_frames(workspace: Workspace, path: str) -> HeldResource:
    """Return the SpriteFrames of a file, a new one where there is none.

    Raises:
        Invalid: the file is none for it, or holds something else.
    """
    place = workspace.place(path)
    if not place.endswith(".tres"):
        raise Invalid("A resource's file name ends in .tres.", path="input.resourcePath", rule="suffix")
    new = None if workspace.files.exists(place) else creation.new_resource("SpriteFrames", uid=ids.new_uid())
    part = HeldResource(ResourceEdit(workspace, place, new), None)
    if part.type != "SpriteFrames":
        raise Invalid(f"'res://{place}' is {with_article(part.type)}.", path="input.resourcePath", rule="class")
    return part


def grid_of(texture: Texture, layout: Layout) -> SheetGrid:
    """Return the grid of a sheet.

    Raises:
        Invalid: it cannot be told, or does not fit the picture.
    """
    columns, width = _measure_axis(texture, layout, 0)
    if layout.down is None and layout.height is None and texture.size is not None and texture.size[1] < 2 * width:
        layout = msgspec.structs.replace(
            layout, down=1
        )  # a strip: a second row would be of frames that are wider than high
    rows, height = _measure_axis(texture, layout, 1)
    return SheetGrid(columns, rows, width, height, layout.margin, layout.separation)


def frames_of(grid: SheetGrid, animation: SheetAnimation) -> list[int]:
    """Return the frames of an animation, counted row by row.

    Raises:
        Invalid: the sheet has not so many.
    """
    if (animation.row is None) == (animation.frames is None):
        raise Invalid("give either row or frames.", path="input.row", rule="oneOf")
    if animation.row is not None:
        count = animation.count or grid.columns
        if animation.row >= grid.rows or count > grid.columns:
            raise Invalid(
                f"the sheet has {count_noun(grid.rows, 'row')} of {count_noun(grid.columns, 'frame')}, from row 0.",
                path="input.row",
                rule="range",
            )
        frames = [animation.row * grid.columns + at for at in range(count)]
    else:
        frames = _expand_ranges(animation.frames or [], grid.columns * grid.rows)
    outside = [frame for frame in frames if not 0 <= frame < grid.columns * grid.rows]
    if outside or not frames:
        what = f"there is no frame {outside[0]}" if outside else "there are no frames"
        raise Invalid(
            f"{what}: the sheet has frames 0 to {grid.columns * grid.rows - 1}.", path="input.frames", rule="range"
        )
    if animation.durations is not None and len(animation.durations) != len(frames):
        raise Invalid(
            f"durations must have {count_noun(len(frames), 'number')}.", path="input.durations", rule="length"
        )
    if min(animation.durations or [1.0]) <= 0:
        raise Invalid("A frame's duration must be above 0.", path="input.durations", rule="exclusiveMinimum")
    return frames


def add_animations(
    part: HeldResource,
    texture: Texture,
    grid: SheetGrid,
    wanted: Sequence[tuple[SheetAnimation, list[int]]],
    *,
    overwrite: bool,
) -> list[str]:
    """Add animations to a SpriteFrames; return the names of all it has.

    Raises:
        Conflict: it has one of that name.
    """
    stored = part.value("animations")
    known = {_name(animation): animation for animation in stored.items} if isinstance(stored, v.Array) else {}
    existing = [
        animation.name for animation, _ in wanted if animation.name in known and _has_frames(known[animation.name])
    ]
    if existing and not overwrite:
        raise Conflict(
            f"There is an animation '{existing[0]}' already.",
            retryable=False,
            hint="Pass overwrite: true to replace it.",
        )
    pictures: dict[int, v.SubResource] = {}
    for frame in sorted({frame for _, frames in wanted for frame in frames}):
        pictures[frame] = part.make("AtlasTexture", {"atlas": texture.file, "region": grid.region(frame)})
    made = {
        animation.name: _animation_entry(animation, [pictures[frame] for frame in frames])
        for animation, frames in wanted
    }
    # The empty animation that the editor starts with makes way.
    kept = {name: animation for name, animation in known.items() if name != "default" or _has_frames(animation)}
    together: dict[str, v.Variant] = {**kept, **made}
    part.set({"animations": v.Array(tuple(together.values()))})
    return list(together)


def _measure_axis(texture: Texture, layout: Layout, axis: int) -> Pair:
    """How many frames there are along an axis, and how long one is."""
    count = (layout.across, layout.down)[axis]
    length = (layout.width, layout.height)[axis]
    margin, space = layout.margin[axis], layout.separation[axis]
    names = (("hframes", "frameWidth"), ("vframes", "frameHeight"))[axis]
    if count is not None and length is not None and texture.size is None:
        return count, length
    if texture.size is None or (count is None and length is None):
        why = "" if texture.size is not None else "The size of the picture cannot be read. "
        raise Invalid(
            f"{why}Give {names[0]} {'and' if why else 'or'} {names[1]}.", path=f"input.{names[0]}", rule="required"
        )
    room = texture.size[axis] - margin + space
    if count is None:
        count = room // ((length or 0) + space) if length else 0
    if length is None:
        length = room // count - space
        if (length + space) * count != room:
            raise Invalid(
                f"{texture.size[axis]} pixels cannot be cut into {count} whole frames.",
                path=f"input.{names[0]}",
                rule="divides",
                hint="Check the sheet with inspect_image, or give margin and separation.",
            )
    if count < 1 or length < 1 or (length + space) * count > room:
        raise Invalid(
            f"{count} frames of {length} pixels do not fit into {texture.size[axis]}.",
            path=f"input.{names[1]}",
            rule="range",
        )
    return count, length


def _expand_ranges(frames: list[int] | str, count: int) -> list[int]:
    """Frames one by one; a range that reaches beyond the sheet is not counted to its end."""
    if not isinstance(frames, str):
        return frames
    numbers: list[int] = []
    for part in frames.split(","):
        match = _RANGE.fullmatch(part)
        if match is None:
            raise Invalid(
                f"'{part.strip()}' is not a frame or a range such as '0-5'.", path="input.frames", rule="type"
            )
        first, last = (min(int(number), count) for number in (match[1], match[2] or match[1]))
        numbers += range(first, last + 1) if first <= last else range(first, last - 1, -1)
    return numbers


def _animation_entry(spec: SheetAnimation, pictures: Sequence[v.SubResource]) -> v.Variant:
    durations = spec.durations or [1.0] * len(pictures)
    frames = tuple(
        v.Dictionary((("duration", float(duration)), ("texture", picture)))
        for duration, picture in zip(durations, pictures, strict=True)
    )
    return v.Dictionary(
        (("frames", v.Array(frames)), ("loop", spec.loop), ("name", v.StringName(spec.name)), ("speed", spec.fps))
    )


def _name(animation: v.Variant) -> str:
    name = animation.get("name") if isinstance(animation, v.Dictionary) else None
    return name.text if isinstance(name, v.StringName) else str(name or "")


def _has_frames(animation: v.Variant) -> bool:
    frames = animation.get("frames") if isinstance(animation, v.Dictionary) else None
    return isinstance(frames, v.Array) and bool(frames.items)
