"""What callers say of tracks, states, transitions, blend points and sheets: the records that operations take."""

from __future__ import annotations

from typing import Annotated, Any, Literal

import msgspec

from scenewright.core.operations.model import Inputs, about

__all__ = [
    "BlendNode",
    "BlendPoint",
    "Connection",
    "SheetAnimation",
    "State",
    "TargetPath",
    "TargetProperty",
    "TrackOptions",
    "TrackTable",
    "TrackType",
    "Transition",
]

TrackType = Literal[
    "value",
    "position_2d",
    "rotation_2d",
    "scale_2d",
    "position_3d",
    "rotation_3d",
    "scale_3d",
    "blend_shape",
    "method",
    "bezier",
    "audio",
    "animation",
]
Interpolation = Literal["nearest", "linear", "cubic", "linear_angle", "cubic_angle"]
Update = Literal["continuous", "discrete", "capture"]
TargetPath = Annotated[str, about("Node to animate, as a path from the scene's root, or '%Name'.", min_length=1)]
TargetProperty = Annotated[
    str, about("Property, such as 'position' or 'modulate:a'; for 3D tracks the bone, for blend_shape the shape.")
]
Place = Annotated[
    list[float], about("Position in the graph, [x, y]; automatic if left out.", min_length=2, max_length=2)
]


class TrackOptions(Inputs, frozen=True, kw_only=True):
    """How a track plays."""

    interpolation: Annotated[Interpolation, about("Interpolation; linear if left out.")] | None = None
    update: Annotated[Update, about("For value tracks; the editor's choice if left out.")] | None = None
    loop_wrap: Annotated[bool, about("Blend from the last key to the first.")] = True
    enabled: Annotated[bool, about("Whether it plays.")] = True


class TrackTable(TrackOptions, frozen=True, kw_only=True):
    """A track with its keys."""

    node_path: TargetPath
    property: TargetProperty | None = None
    type: Annotated[TrackType, about("Kind of track; value if left out.")] | None = None
    keys: Annotated[
        list[Any],
        about(
            "[time, value], [time, value, easing] or {time, value, easing, transition, inHandle, outHandle, "
            "handleMode, startOffset, endOffset}."
        ),
    ] = msgspec.field(default_factory=list)
    index: Annotated[int, about("Place among the tracks; as listed if left out.", ge=0)] | None = None


class State(Inputs, frozen=True, kw_only=True):
    """A state of a state machine."""

    name: Annotated[str, about("Name of the state.", min_length=1)]
    animation: Annotated[str, about("Animation to play; the one named like the state if left out.")] | None = None
    blend_position: Annotated[Any, about("Initial blend position if the state is a blend space: number or [x, y].")] = (
        None
    )
    position: Place | None = None


class Transition(Inputs, frozen=True, kw_only=True):
    """A way from a state to another; Start and End are states too."""

    source: Annotated[str, about("State to leave.", min_length=1)] = msgspec.field(name="from")
    to: Annotated[str, about("State to enter.", min_length=1)]
    auto_advance: Annotated[bool, about("Advance automatically; with switchMode at_end, at the end.")] | None = None
    advance_condition: Annotated[str, about("Advance once parameters/conditions/NAME is true.")] | None = None
    advance_expression: Annotated[str, about("Advance once this expression is true.")] | None = None
    advance_mode: (
        Annotated[
            Literal["disabled", "enabled", "auto"], about("enabled: only by travel; auto if a condition is given.")
        ]
        | None
    ) = None
    xfade_time: Annotated[float, about("Cross-fade in seconds.", ge=0)] | None = None
    switch_mode: Annotated[Literal["immediate", "sync", "at_end"], about("When the transition fires.")] | None = None
    properties: (
        Annotated[dict[str, Any], about("Other properties, such as priority, reset, break_loop_at_end.")] | None
    ) = None


class BlendPoint(Inputs, frozen=True, kw_only=True):
    """An animation at a place of a blend space."""

    animation: Annotated[str, about("Animation.", min_length=1)]
    position: Annotated[float | list[float], about("Number in 1d, [x, y] in 2d.")] | None = None
    position_x: Annotated[float, about("In 2d, instead of position.")] | None = None
    position_y: Annotated[float, about("In 2d.")] | None = None


class BlendNode(Inputs, frozen=True, kw_only=True):
    """A node of a blend tree."""

    name: Annotated[str, about("Name of the node.", min_length=1)]
    type: Annotated[str, about("Animation, Blend2, Add2, OneShot, TimeScale, Transition...", min_length=1)]
    animation: Annotated[str, about("Animation to play.")] | None = None
    inputs: Annotated[list[str] | None, about("Names of a Transition's inputs.")] = None
    properties: Annotated[dict[str, Any], about("Properties of the node, such as fadein_time.")] | None = None
    parameters: Annotated[dict[str, Any], about("Initial values of its parameters, such as blend_amount.")] | None = (
        None
    )
    position: Place | None = None


class Connection(Inputs, frozen=True, kw_only=True):
    """A wire of a blend tree."""

    source: Annotated[str, about("Node that sends its result.", min_length=1)] = msgspec.field(name="from")
    to: Annotated[str, about("Node that receives it; 'output' is the final result.", min_length=1)]
    input: Annotated[int, about("Which of its inputs, from 0.", ge=0)] = 0


class SheetAnimation(Inputs, frozen=True, kw_only=True):
    """Frames of a sprite sheet, counted row by row from 0."""

    name: Annotated[str, about("Name of the animation.", min_length=1)]
    row: Annotated[int, about("Row of the sheet, from 0.", ge=0)] | None = None
    count: Annotated[int, about("Number of frames in the row; all if left out.", ge=1)] | None = None
    frames: Annotated[list[int] | str, about("Instead of row: [0, 1, 2] or '0-5, 3'.")] | None = None
    fps: Annotated[float, about("Frames per second.", gt=0)] = 10.0
    loop: Annotated[bool, about("Loop the animation.")] = True
    durations: Annotated[list[float] | None, about("How long each frame is shown, in frames.")] = None
