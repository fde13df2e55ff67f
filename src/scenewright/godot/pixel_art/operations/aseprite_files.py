"""What is in an Aseprite file: its tags, layers and slices, read without Aseprite."""

from __future__ import annotations

from collections import Counter
from typing import Annotated

from scenewright.core.calls.call import Call
from scenewright.core.operations.declaration import Example, Safety, operation
from scenewright.core.operations.model import Inputs, Outputs, Record, about
from scenewright.core.text.counts import count_noun
from scenewright.godot.project.openers import open_workspace

__all__ = ["MANAGER", "OPERATIONS", "InputPath"]

MANAGER = "aseprite_manager"

InputPath = Annotated[str, about(".aseprite or .ase, res:// or from the project's root.", min_length=1)]


class SpriteInputs(Inputs, frozen=True, kw_only=True):
    input_path: InputPath


class TagRow(Record, frozen=True, kw_only=True):
    name: Annotated[str, about("Its name.")]
    first: Annotated[int, about("First frame, from 0.")]
    last: Annotated[int, about("Last frame.")]
    direction: Annotated[str, about("forward, reverse, pingpong or pingpong_reverse.")]
    milliseconds: Annotated[list[int], about("How long each frame stays, first to last.")]
    repeat: Annotated[int, about("Times it is played; absent: for ever.")] = 0
    data: Annotated[str, about("User data.")] = ""


class Tags(Outputs, frozen=True, kw_only=True):
    tags: Annotated[list[TagRow], about("Tags, in the file's order.")]
    frames: Annotated[int, about("Frames of the sprite.")]
    size: Annotated[list[int], about("Width and height in pixels.")]


_HERO = {"inputPath": "art/hero.aseprite"}


@operation(
    id="godot.aseprite.list_tags",
    category="asset",
    safety=Safety.READ_ONLY,
    needs_project=True,
    tool="list_aseprite_tags",
    manager=MANAGER,
    action="list_tags",
    asked_for="animations of an aseprite file, frame durations",
    examples=(
        Example(
            "A walk",
            _HERO,
            {
                "tags": [{"name": "walk", "first": 0, "last": 1, "direction": "forward", "milliseconds": [100, 150]}],
                "frames": 2,
                "size": [16, 16],
            },
        ),
    ),
)
def list_aseprite_tags(call: Call, inputs: SpriteInputs) -> Tags:
    """Lists the tags of an Aseprite file: frames, direction and durations of its animations."""
    from scenewright.godot.pixel_art.sprite_files import open_sprite

    sprite = open_sprite(open_workspace(call), inputs.input_path)
    call.summary = f"{count_noun(len(sprite.tags), 'tag')}, {count_noun(len(sprite.durations), 'frame')}."
    return Tags(
        tags=[
            TagRow(
                name=tag.name,
                first=tag.first,
                last=tag.last,
                direction=tag.direction,
                milliseconds=sprite.durations[tag.first : tag.last + 1],
                repeat=tag.repeat,
                data=tag.data.text,
            )
            for tag in sprite.tags
        ],
        frames=len(sprite.durations),
        size=[sprite.width, sprite.height],
    )


class LayerRow(Record, frozen=True, kw_only=True):
    path: Annotated[str, about("Its name, after those of its groups: body/arm.")]
    kind: Annotated[str, about("image, group or tilemap.")]
    visible: Annotated[bool, about("Whether it and its groups are shown.")]
    opacity: Annotated[int, about("0 to 255.")]
    blend: Annotated[str, about("Blend mode; absent: normal.")] = "normal"
    cels: Annotated[int, about("Frames in which it has a picture.")] = 0
    data: Annotated[str, about("User data.")] = ""


class Layers(Outputs, frozen=True, kw_only=True):
    layers: Annotated[list[LayerRow], about("Layers, the lowest first.")]
    color_mode: Annotated[str, about("rgba, grayscale or indexed.")]


@operation(
    id="godot.aseprite.list_layers",
    category="asset",
    safety=Safety.READ_ONLY,
    needs_project=True,
    tool="list_aseprite_layers",
    manager=MANAGER,
    action="list_layers",
    examples=(
        Example(
            "One layer",
            _HERO,
            {
                "layers": [{"path": "Body", "kind": "image", "visible": True, "opacity": 255, "cels": 2}],
                "colorMode": "rgba",
            },
        ),
    ),
)
def list_aseprite_layers(call: Call, inputs: SpriteInputs) -> Layers:
    """Lists the layers and groups of an Aseprite file."""
    from scenewright.godot.pixel_art.sprite_files import open_sprite

    sprite = open_sprite(open_workspace(call), inputs.input_path)
    cel_counts = Counter(at for cels in sprite.cels for at in cels)
    call.summary = f"{count_noun(len(sprite.layers), 'layer')}."
    return Layers(
        layers=[
            LayerRow(
                path=sprite.path(at),
                kind=layer.kind.value,
                visible=sprite.shown(at),
                opacity=layer.opacity,
                blend=layer.blend,
                cels=cel_counts[at],
                data=layer.data.text,
            )
            for at, layer in enumerate(sprite.layers)
        ],
        color_mode=sprite.mode.name.lower(),
    )


class SliceRow(Record, frozen=True, kw_only=True):
    name: Annotated[str, about("Its name.")]
    frame: Annotated[int, about("From this frame on.")]
    bounds: Annotated[list[int], about("[x, y, width, height] in the sprite.")]
    center: Annotated[list[int], about("Middle of its nine-patch, in the slice.")] | None = None
    pivot: Annotated[list[int], about("[x, y] in the slice.")] | None = None
    data: Annotated[str, about("User data.")] = ""


class Slices(Outputs, frozen=True, kw_only=True):
    slices: Annotated[list[SliceRow], about("Slices, a row for each place they have.")]


@operation(
    id="godot.aseprite.list_slices",
    category="asset",
    safety=Safety.READ_ONLY,
    needs_project=True,
    tool="list_aseprite_slices",
    manager=MANAGER,
    action="list_slices",
    examples=(
        Example(
            "A button", _HERO, {"slices": [{"name": "button", "frame": 0, "bounds": [0, 0, 16, 8], "pivot": [8, 4]}]}
        ),
    ),
)
def list_aseprite_slices(call: Call, inputs: SpriteInputs) -> Slices:
    """Lists the slices of an Aseprite file, with nine-patch middles and pivots."""
    from scenewright.godot.pixel_art.sprite_files import open_sprite

    sprite = open_sprite(open_workspace(call), inputs.input_path)
    call.summary = f"{count_noun(len(sprite.slices), 'slice')}."
    return Slices(
        slices=[
            SliceRow(
                name=part.name,
                frame=key.frame,
                bounds=list(key.bounds),
                center=list(key.center) if key.center is not None else None,
                pivot=list(key.pivot) if key.pivot is not None else None,
                data=part.data.text,
            )
            for part in sprite.slices
            for key in part.keys
        ]
    )


OPERATIONS = (list_aseprite_tags, list_aseprite_layers, list_aseprite_slices)
