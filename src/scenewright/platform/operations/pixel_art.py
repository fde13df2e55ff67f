"""`pixel_manager` in any project: sprites drawn from rows of characters, read back as such, posed part by part."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any, Literal

import msgspec

from scenewright.core.calls.call import Call
from scenewright.core.faults import Invalid, did_you_mean
from scenewright.core.operations.declaration import Example, Safety, operation
from scenewright.core.operations.model import Inputs, Outputs, about
from scenewright.core.text.counts import count_noun
from scenewright.platform.pixel_files import (
    MANAGER,
    SPRITES,
    PicturePath,
    SpritePath,
    frames_of,
    is_sprite,
    open_sprite,
    place_of,
    show,
)

if TYPE_CHECKING:
    from scenewright.pixel.sprite import Sprite
    from scenewright.pixel.sprite_edits import SpriteEdit

__all__ = ["OPERATIONS"]

Pair = Annotated[list[int], about("Two whole numbers.", min_length=2, max_length=2)]
Direction = Annotated[
    Literal["forward", "reverse", "pingpong", "pingpong_reverse"], about("Order in which its frames are shown.")
]
PngPath = Annotated[str, about("Also write all frames side by side as this picture (.png).", min_length=1)]
Outline = Annotated[str, about("Colour to draw around each frame, on a layer 'Outline' below the others.")]
Milliseconds = Annotated[int, about("How long a frame stays.", ge=1, le=65535)]


class Drawing(Inputs, frozen=True, kw_only=True):
    """One picture: what a layer shows in a frame or several."""

    rows: Annotated[list[str], about("Rows of characters, one for each pixel.", min_length=1, max_length=512)]
    layer: Annotated[str, about("Layer; made if missing.", min_length=1, max_length=200)] = "Layer 1"
    frame: Annotated[int, about("Frame, from 0; made if missing.", ge=0, le=511)] = 0
    until: Annotated[int, about("Last frame that shows it too.", ge=0, le=511)] | None = None
    at: Annotated[list[int], about("Where its corner is, [x, y].", min_length=2, max_length=2)] | None = None
    mirror: (
        Annotated[
            Literal["x", "x_center", "y", "y_center"],
            about("The rows are the left (x) or upper (y) half; with center the last column or row is the middle."),
        ]
        | None
    ) = None
    shade: (
        Annotated[
            Literal["top", "top_left", "top_right", "left", "right", "bottom"],
            about("Brighter edges towards this light, darker ones away from it."),
        ]
        | None
    ) = None
    over: Annotated[bool, about("Draw over what is there, instead of in its place.")] = False


class TagSpec(Inputs, frozen=True, kw_only=True):
    name: Annotated[str, about("Name of the animation.", min_length=1, max_length=200)]
    first: Annotated[int, about("First frame.", ge=0)]
    last: Annotated[int, about("Last frame.", ge=0)]
    direction: Direction = "forward"
    repeat: Annotated[int, about("Times it is played; 0: for ever.", ge=0, le=65535)] = 0


class DrawInputs(Inputs, frozen=True, kw_only=True):
    path: SpritePath
    palette: Annotated[dict[str, Any], about("Colours by character: {'#': '#222034'}; '.' is transparent.")]
    cels: Annotated[list[Drawing], about("Pictures, drawn in this order.", min_length=1, max_length=512)]
    size: Annotated[list[int], about("Width and height of a new sprite.", min_length=2, max_length=2)] | None = None
    layers: Annotated[list[str], about("Layers of a new sprite, the lowest first.", max_length=64)] = msgspec.field(
        default_factory=list
    )
    milliseconds: Annotated[list[int], about("How long each frame stays, from the first on.", max_length=512)] = (
        msgspec.field(default_factory=list)
    )
    tags: Annotated[list[TagSpec], about("Animations; one of the same name is replaced.", max_length=64)] = (
        msgspec.field(default_factory=list)
    )
    outline: Outline | None = None
    png_path: PngPath | None = None
    overwrite: Annotated[bool, about("Begin anew where the sprite exists, instead of editing it.")] = False


class Drawn(Outputs, frozen=True, kw_only=True):
    path: Annotated[str, about("The sprite.")]
    size: Annotated[list[int], about("Width and height in pixels.")]
    frames: Annotated[int, about("How many frames it has.")]
    layers: Annotated[list[str], about("Its layers, the lowest first.")]
    tags: Annotated[list[str], about("Its animations: name first-last.")] = msgspec.field(default_factory=list)
    png_path: Annotated[str, about("Picture of all frames.")] | None = None


@operation(
    id="pixel.draw",
    name="Draw Sprite",
    category="asset",
    safety=Safety.SAFE_WRITE,
    needs_project=True,
    tool="pixel_draw",
    manager=MANAGER.name,
    action="draw",
    idempotent=True,
    notes="The reply shows all frames enlarged. Give each part that moves a layer of its own, to be posed.",
    asked_for="draw a sprite, pixel art character, icon, tile from text",
    examples=(
        Example(
            "A heart, of which the left half is given",
            {
                "path": "art/heart.aseprite",
                "palette": {"r": "#d95763", "#": "#ac3232"},
                "cels": [{"rows": [".##", "#rr", "#rr", ".#r", "..#"], "mirror": "x_center", "shade": "top_left"}],
                "pngPath": "art/heart.png",
            },
            {
                "path": "art/heart.aseprite",
                "size": [5, 5],
                "frames": 1,
                "layers": ["Layer 1"],
                "pngPath": "art/heart.png",
            },
        ),
    ),
)
def pixel_draw(call: Call, inputs: DrawInputs) -> Drawn:
    """Draws a sprite, or on one that exists, from rows of characters with a palette: per layer and frame."""
    from scenewright.pixel.colors import read_color
    from scenewright.pixel.drawing import drawn, read_palette, shaded
    from scenewright.pixel.sprite import Tag

    place = place_of(call, inputs.path, "path", SPRITES)
    palette = read_palette(inputs.palette, "input.palette")
    pictures = []
    for number, cel in enumerate(inputs.cels):
        picture = drawn(cel.rows, palette, f"input.cels[{number}].rows", cel.mirror)
        pictures.append(picture if cel.shade is None else shaded(picture, cel.shade))
    ends = [
        (at[0] + picture.width, at[1] + picture.height)
        for cel, picture in zip(inputs.cels, pictures, strict=True)
        for at in [cel.at or (0, 0)]
    ]
    edit = _open(call, place, inputs, (max(end[0] for end in ends), max(end[1] for end in ends)))
    for number, (cel, picture) in enumerate(zip(inputs.cels, pictures, strict=True)):
        last = cel.frame if cel.until is None else cel.until
        if last < cel.frame:
            raise Invalid("until comes before frame.", path=f"input.cels[{number}].until", rule="minimum")
        edit.frame_count(last + 1)
        layer = edit.layer(cel.layer, make=True)
        at = cel.at or [0, 0]
        if min(at) < 0 or at[0] + picture.width > edit.size[0] or at[1] + picture.height > edit.size[1]:
            call.warnings.append(f"cels[{number}] reaches beyond the sprite, where it is cut off.")
        for frame in range(cel.frame, last + 1):
            edit.draw(layer, frame, picture, (at[0], at[1]), over=cel.over)
    _set_times(edit, inputs.milliseconds)
    for number, tag in enumerate(inputs.tags):
        if not tag.first <= tag.last < len(edit.sprite.durations):
            raise Invalid(
                f"Tag '{tag.name}' is for frames {tag.first} to {tag.last}; there are 0 to"
                f" {len(edit.sprite.durations) - 1}.",
                path=f"input.tags[{number}].last",
                rule="maximum",
            )
        edit.tag(Tag(tag.name, tag.first, tag.last, tag.direction, tag.repeat))
    return _finish(call, edit, place, read_color(inputs.outline, "input.outline"), inputs.png_path)


class PoseSpec(Inputs, frozen=True, kw_only=True):
    """A frame, by how it differs from the base pose."""

    moves: Annotated[dict[str, Pair], about("Layers by how far they are moved: {'LeftLeg': [1, 0]}.")] = msgspec.field(
        default_factory=dict
    )
    hide: Annotated[list[str], about("Layers that are not shown.")] = msgspec.field(default_factory=list)
    flip: Annotated[dict[str, Literal["x", "y"]], about("Layers that are turned over in place.")] = msgspec.field(
        default_factory=dict
    )
    milliseconds: Milliseconds | None = None


class PoseInputs(Inputs, frozen=True, kw_only=True):
    path: SpritePath
    tag: Annotated[str, about("Name of the animation.", min_length=1, max_length=200)]
    poses: Annotated[list[PoseSpec], about("Its frames.", min_length=1, max_length=128)]
    base_frame: Annotated[int, about("Frame with the base pose.", ge=0)] = 0
    milliseconds: Milliseconds = 120
    direction: Direction = "forward"
    repeat: Annotated[int, about("Times it is played; 0: for ever.", ge=0, le=65535)] = 0
    outline: Outline | None = None
    png_path: PngPath | None = None


@operation(
    id="pixel.pose",
    name="Pose Sprite",
    category="asset",
    safety=Safety.SAFE_WRITE,
    needs_project=True,
    tool="pixel_pose",
    manager=MANAGER.name,
    action="pose",
    idempotent=True,
    asked_for="walk cycle, idle animation, animate a drawn character by moving its parts",
    examples=(
        Example(
            "A walk of two legs",
            {
                "path": "art/hero.aseprite",
                "tag": "walk",
                "poses": [
                    {"moves": {"LeftLeg": [0, -1], "Body": [0, -1]}},
                    {},
                    {"moves": {"RightLeg": [0, -1], "Body": [0, -1]}},
                    {},
                ],
            },
            {
                "path": "art/hero.aseprite",
                "size": [16, 16],
                "frames": 5,
                "layers": ["LeftLeg", "RightLeg", "Body"],
                "tags": ["walk 1-4"],
            },
        ),
    ),
)
def pixel_pose(call: Call, inputs: PoseInputs) -> Drawn:
    """Makes the frames of an animation from a base pose by moving, turning over and hiding its layers."""
    from scenewright.pixel.colors import read_color
    from scenewright.pixel.poses import Pose, add_poses
    from scenewright.pixel.sprite import Tag
    from scenewright.pixel.sprite_edits import SpriteEdit

    place = place_of(call, inputs.path, "path", SPRITES)
    edit = SpriteEdit(open_sprite(call, place))
    poses = [
        Pose({name: (move[0], move[1]) for name, move in pose.moves.items()}, pose.hide, pose.flip, pose.milliseconds)
        for pose in inputs.poses
    ]
    tag = Tag(inputs.tag, 0, 0, inputs.direction, inputs.repeat)
    add_poses(edit, tag, inputs.base_frame, poses, inputs.milliseconds)
    return _finish(call, edit, place, read_color(inputs.outline, "input.outline"), inputs.png_path)


class RowsInputs(Inputs, frozen=True, kw_only=True):
    path: PicturePath
    frame: Annotated[int, about("Frame, from 0.", ge=0)] = 0
    layer: Annotated[str, about("Only this layer.")] | None = None


class Rows(Outputs, frozen=True, kw_only=True):
    rows: Annotated[list[str], about("A character for each pixel, '.' where it is transparent.")]
    palette: Annotated[dict[str, str], about("Colours by character.")]
    details: Annotated[list[str], about("Frames, layers and animations of a sprite.")] | None = None


@operation(
    id="pixel.rows",
    name="Read Pixels",
    category="asset",
    safety=Safety.READ_ONLY,
    needs_project=True,
    tool="pixel_rows",
    manager=MANAGER.name,
    action="rows",
    examples=(
        Example(
            "A heart",
            {"path": "art/heart.png"},
            {"rows": [".#.#.", "#####", ".###.", "..#.."], "palette": {"#": "#d95763"}},
        ),
    ),
)
def pixel_rows(call: Call, inputs: RowsInputs) -> Rows:
    """Shows a picture or a sprite's frame as rows of characters, which can be drawn again; and enlarged."""
    from scenewright.pixel.drawing import MOST_SIDE, rows_of
    from scenewright.pixel.pictures import open_picture
    from scenewright.pixel.rendering import Renderer

    place = place_of(call, inputs.path, "path", (*SPRITES, ".png", ".gif", ".bmp", ".webp"))
    details = None
    if is_sprite(place):
        sprite = open_sprite(call, place)
        if inputs.frame >= len(sprite.durations):
            raise Invalid(
                f"The sprite has frames 0 to {len(sprite.durations) - 1}.", path="input.frame", rule="maximum"
            )
        names = [layer.name for layer in sprite.layers]
        if inputs.layer is not None and inputs.layer not in names:
            raise Invalid(
                f"The sprite has no layer '{inputs.layer}'.",
                path="input.layer",
                rule="enum",
                hint=did_you_mean(inputs.layer, names, f"It has {', '.join(names[:40])}."),
            )
        chosen = None if inputs.layer is None else [names.index(inputs.layer)]
        picture = Renderer(sprite, chosen).frame(inputs.frame)
        details = [count_noun(len(sprite.durations), "frame"), *_layer_names(sprite), *_tag_lines(sprite)]
    else:
        picture = open_picture(call.files.read(place), "input.path")
    if max(picture.size) > MOST_SIDE:
        raise Invalid(
            f"The picture has {picture.width} x {picture.height} pixels; up to {MOST_SIDE} a side are shown as rows.",
            path="input.path",
            rule="size",
        )
    rows, palette = rows_of(picture)
    show(call, [picture])
    call.summary = f"{picture.width} x {picture.height} pixels, {count_noun(len(palette), 'colour')}."
    return Rows(rows=rows, palette=palette, details=details)


OPERATIONS = (pixel_draw, pixel_pose, pixel_rows)


def _open(call: Call, place: str, inputs: DrawInputs, size: tuple[int, int]) -> SpriteEdit:
    """The sprite as it is, or a new one as large as asked for or as what is drawn."""
    from scenewright.pixel.drawing import MOST_SIDE
    from scenewright.pixel.sprite_edits import SpriteEdit

    if call.files.exists(place) and not inputs.overwrite:
        known = SpriteEdit(open_sprite(call, place))
        if inputs.size is not None and tuple(inputs.size) != known.size:
            call.warnings.append(f"It stays {known.size[0]} x {known.size[1]} pixels; overwrite: true begins anew.")
        return known
    width, height = inputs.size or size
    if not (0 < width <= MOST_SIDE and 0 < height <= MOST_SIDE):
        raise Invalid(f"A sprite drawn here has 1 to {MOST_SIDE} pixels a side.", path="input.size", rule="size")
    edit = SpriteEdit.begin((width, height))
    for name in inputs.layers:
        edit.layer(name, make=True)
    return edit


def _set_times(edit: SpriteEdit, milliseconds: list[int]) -> None:
    for number, time in enumerate(milliseconds[: len(edit.sprite.durations)]):
        if not 1 <= time <= 65535:
            raise Invalid("A frame stays 1 to 65535 ms.", path=f"input.milliseconds[{number}]", rule="range")
        edit.sprite.durations[number] = time


def _finish(call: Call, edit: SpriteEdit, place: str, outline: tuple[int, ...], png_path: str | None) -> Drawn:
    """Stage the sprite and its picture, and show it."""
    from scenewright.pixel.aseprite_writer import write_sprite
    from scenewright.pixel.previews import png
    from scenewright.pixel.sheets import SheetStyle, make_sheet

    if outline[3]:
        edit.outline((outline[0], outline[1], outline[2], outline[3]))
    edit.colors()
    sprite = edit.sprite
    call.files.write(place, write_sprite(sprite))
    picture = None
    if png_path is not None:
        picture = place_of(call, png_path, "pngPath", (".png",))
        call.files.write(picture, png(make_sheet(frames_of(sprite), SheetStyle()).picture))
    show(call, frames_of(sprite))
    call.summary = f"{place}: {count_noun(len(sprite.durations), 'frame')} of {sprite.width} x {sprite.height} pixels."
    return Drawn(
        path=place,
        size=[sprite.width, sprite.height],
        frames=len(sprite.durations),
        layers=_layer_names(sprite),
        tags=_tag_lines(sprite),
        png_path=picture,
    )


def _layer_names(sprite: Sprite) -> list[str]:
    return [sprite.path(at) for at in range(len(sprite.layers))]


def _tag_lines(sprite: Sprite) -> list[str]:
    return [f"{tag.name} {tag.first}-{tag.last}" for tag in sprite.tags]
