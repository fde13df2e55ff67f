"""Single tracks and keys of an animation: added, set and removed."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import msgspec

from scenewright.core.calls.call import Call
from scenewright.core.faults import Invalid, NotFound
from scenewright.core.operations.declaration import Example, Safety, operation
from scenewright.core.operations.model import Inputs, Outputs, about
from scenewright.core.text.counts import count_noun
from scenewright.godot.animation.operations.animations import MANAGER, AnimationName, PlayerPath
from scenewright.godot.animation.requests import (
    TargetPath,
    TargetProperty,
    TrackOptions,
    TrackTable,
    TrackType,
)
from scenewright.godot.project.openers import ScenePath, open_edit

if TYPE_CHECKING:
    from scenewright.godot.animation.animations import Animation
    from scenewright.godot.animation.keyframe_animations import Builder
    from scenewright.godot.animation.tracks import Key, Track

__all__ = ["OPERATIONS"]

_CLOSE = 1e-5  # what the engine takes for the same time
TrackIndex = Annotated[int, about("Number of the track, from 0; or give nodePath.", ge=0)]
Time = Annotated[float, about("Seconds.", ge=0)]


class NewTrack(Inputs, frozen=True, kw_only=True):
    scene_path: ScenePath
    player_node_path: PlayerPath
    animation_name: AnimationName
    track_type: Annotated[TrackType, about("Kind of track.")]
    node_path: TargetPath
    property: TargetProperty | None = None
    keys: Annotated[list[Any], about("[time, value] or [time, value, easing].")] = msgspec.field(default_factory=list)
    options: Annotated[TrackOptions, about("interpolation, update, loopWrap, enabled.")] | None = None
    reset: Annotated[bool, about("Add the scene's initial value to RESET.")] = False


class TrackWritten(Outputs, frozen=True, kw_only=True):
    scene_path: Annotated[str, about("res:// path.")]
    animation_name: Annotated[str, about("Name it is played by.")]
    track_index: Annotated[int, about("Number of the track.")]
    path: Annotated[str, about("Where it leads, from the player's root_node.")]
    keys: Annotated[int, about("Number of keys it has.")]
    time: Annotated[float, about("Time of the key.")] | None = None
    value: Annotated[Any, about("The key's value as stored.")] = None
    reset: Annotated[list[str], about("What was added to RESET.")] | None = None


@operation(
    id="godot.animation.track.add",
    category="animation",
    safety=Safety.SAFE_WRITE,
    needs_project=True,
    tool="add_animation_track",
    manager=MANAGER,
    action="add_track",
    notes="position_2d, rotation_2d and scale_2d are value tracks, as the editor makes them for 2D nodes.",
    examples=(
        Example(
            "Fade",
            {
                "scenePath": "hero.tscn",
                "playerNodePath": "AnimationPlayer",
                "animationName": "die",
                "trackType": "value",
                "nodePath": "Body",
                "property": "modulate:a",
                "keys": [[0, 1], [0.5, 0]],
            },
            {
                "scenePath": "res://hero.tscn",
                "animationName": "die",
                "trackIndex": 0,
                "path": "Body:modulate:a",
                "keys": 2,
            },
        ),
    ),
)
def add_animation_track(call: Call, inputs: NewTrack) -> TrackWritten:
    """Adds a track to an animation, with or without keys; node and property are checked."""
    builder, animation = _open_animation(call, inputs)
    table = TrackTable(
        node_path=inputs.node_path,
        property=inputs.property,
        type=inputs.track_type,
        keys=inputs.keys,
        **(msgspec.structs.asdict(inputs.options) if inputs.options is not None else {}),
    )
    index, _, reset = builder.track(animation, table, reset=inputs.reset)
    return _save_track(call, builder, animation, index, reset=reset or None)


class SetKeyframe(Inputs, frozen=True, kw_only=True):
    scene_path: ScenePath
    player_node_path: PlayerPath
    animation_name: AnimationName
    time: Time
    value: Annotated[Any, about("By the property's declared type; a method key is 'name' or {method, args}.")]
    track_index: TrackIndex | None = None
    node_path: TargetPath | None = None
    property: TargetProperty | None = None
    transition: Annotated[float | str, about("The engine's number: 1 linear, 2 eases in, 0.5 out.")] | None = None
    easing: (
        Annotated[
            float | str, about("linear, in, out, in_out, out_in, constant, with transition as strength; or a number.")
        ]
        | None
    ) = None
    reset: Annotated[bool, about("Add the scene's initial value to RESET.")] = False


@operation(
    id="godot.animation.key.set",
    category="animation",
    safety=Safety.SAFE_WRITE,
    needs_project=True,
    tool="set_keyframe",
    manager=MANAGER,
    idempotent=True,
    notes="With nodePath and property, a missing value track is created, as by the editor's key button.",
    examples=(
        Example(
            "Jump",
            {
                "scenePath": "hero.tscn",
                "playerNodePath": "AnimationPlayer",
                "animationName": "jump",
                "nodePath": "Body",
                "property": "position",
                "time": 0.3,
                "value": [0, -40],
                "easing": "out",
            },
            {
                "scenePath": "res://hero.tscn",
                "animationName": "jump",
                "trackIndex": 0,
                "path": "Body:position",
                "keys": 1,
                "time": 0.3,
                "value": "Vector2(0, -40)",
            },
        ),
    ),
)
def set_keyframe(call: Call, inputs: SetKeyframe) -> TrackWritten:
    """Sets a key of a track at a time, replacing one that is there; the value is read back."""
    builder, animation = _open_animation(call, inputs)
    index = _find_track(builder, animation, inputs)
    reset: list[str] = []
    if index is None:
        table = TrackTable(node_path=inputs.node_path or "", property=inputs.property)
        index, _, reset = builder.track(animation, table, reset=inputs.reset)
    track = animation.tracks[index]
    aim = builder.aim_of(track)
    key = builder.tables.key(
        aim, time=inputs.time, value=inputs.value, transition=inputs.transition, easing=inputs.easing
    )
    previous = _key_at(track, inputs.time)
    if previous is not None:
        key = msgspec.structs.replace(
            key,
            time=previous.time,
            handles=previous.handles,
            handle_mode=previous.handle_mode,
            offsets=previous.offsets,
        )
    keys = (*(other_key for other_key in track.keys if other_key is not previous), key)
    animation.set_track(index, msgspec.structs.replace(track, keys=keys).sorted())
    if inputs.reset and not reset:
        reset = builder.reset([(track, aim)])
    return _save_track(call, builder, animation, index, time=inputs.time, reset=reset or None)


class RemoveTrack(Inputs, frozen=True, kw_only=True):
    scene_path: ScenePath
    player_node_path: PlayerPath
    animation_name: AnimationName
    track_index: TrackIndex | None = None
    node_path: TargetPath | None = None
    property: TargetProperty | None = None


class TrackRemoved(Outputs, frozen=True, kw_only=True):
    scene_path: Annotated[str, about("res:// path.")]
    animation_name: Annotated[str, about("Name it is played by.")]
    removed: Annotated[str, about("Where the track led.")]
    tracks: Annotated[list[str], about("Where the remaining tracks lead, by number.")]


@operation(
    id="godot.animation.track.remove",
    category="animation",
    safety=Safety.SAFE_WRITE,
    needs_project=True,
    tool="remove_animation_track",
    manager=MANAGER,
    action="remove_track",
    examples=(
        Example(
            "By number",
            {"scenePath": "hero.tscn", "playerNodePath": "AnimationPlayer", "animationName": "die", "trackIndex": 0},
            {"scenePath": "res://hero.tscn", "animationName": "die", "removed": "Body:modulate:a", "tracks": []},
        ),
    ),
)
def remove_animation_track(call: Call, inputs: RemoveTrack) -> TrackRemoved:
    """Removes a track from an animation; later tracks move up."""
    builder, animation = _open_animation(call, inputs)
    index = _require_track(builder, animation, inputs)
    gone = animation.tracks[index]
    animation.remove_track(index)
    builder.player.save()
    call.summary = f"Removed track {index} ('{gone.path}') of '{animation.name}'."
    return TrackRemoved(
        scene_path=builder.player.edit.path,
        animation_name=animation.name,
        removed=gone.path,
        tracks=[track.path for track in animation.tracks],
    )


class RemoveKeyframe(Inputs, frozen=True, kw_only=True):
    scene_path: ScenePath
    player_node_path: PlayerPath
    animation_name: AnimationName
    time: Time
    track_index: TrackIndex | None = None
    node_path: TargetPath | None = None
    property: TargetProperty | None = None


@operation(
    id="godot.animation.key.remove",
    category="animation",
    safety=Safety.SAFE_WRITE,
    needs_project=True,
    tool="remove_keyframe",
    manager=MANAGER,
    examples=(
        Example(
            "The key at 0.5 s",
            {
                "scenePath": "hero.tscn",
                "playerNodePath": "AnimationPlayer",
                "animationName": "die",
                "trackIndex": 0,
                "time": 0.5,
            },
            {
                "scenePath": "res://hero.tscn",
                "animationName": "die",
                "trackIndex": 0,
                "path": "Body:modulate:a",
                "keys": 1,
            },
        ),
    ),
)
def remove_keyframe(call: Call, inputs: RemoveKeyframe) -> TrackWritten:
    """Removes the key of a track at a time."""
    builder, animation = _open_animation(call, inputs)
    index = _require_track(builder, animation, inputs)
    track = animation.tracks[index]
    removed = _key_at(track, inputs.time)
    if removed is None:
        times = ", ".join(f"{key.time:g}" for key in track.keys[:12])
        raise NotFound(
            f"Track {index} has no key at {inputs.time:g} s.", hint=f"It has keys at {times}." if times else None
        )
    remaining = tuple(key for key in track.keys if key is not removed)
    animation.set_track(index, msgspec.structs.replace(track, keys=remaining))
    return _save_track(call, builder, animation, index)


OPERATIONS = (add_animation_track, set_keyframe, remove_animation_track, remove_keyframe)

_Change = NewTrack | SetKeyframe | RemoveTrack | RemoveKeyframe


def _open_animation(call: Call, inputs: _Change) -> tuple[Builder, Animation]:
    from scenewright.godot.animation.keyframe_animations import Builder
    from scenewright.godot.animation.players import Player

    player = Player(open_edit(call, inputs.scene_path), inputs.player_node_path)
    return Builder(player), player.find(inputs.animation_name, to_change=True)


def _find_track(
    builder: Builder, animation: Animation, inputs: SetKeyframe | RemoveTrack | RemoveKeyframe
) -> int | None:
    """The track that is meant; None if there is none to the given node yet."""
    if (inputs.track_index is None) == (inputs.node_path is None):
        raise Invalid(
            "Give either trackIndex or nodePath.",
            path="input.trackIndex",
            rule="oneOf",
            hint="get_animation lists the tracks with their numbers.",
        )
    tracks = animation.tracks
    if inputs.node_path is not None:
        return builder.find(tracks, inputs.node_path, inputs.property)
    if inputs.track_index is not None and inputs.track_index >= len(tracks):
        known = ", ".join(f"{at}: {track.path}" for at, track in enumerate(tracks[:12]))
        raise NotFound(f"'{animation.name}' has no track {inputs.track_index}.", hint=f"It has {known or 'no tracks'}.")
    return inputs.track_index


def _require_track(builder: Builder, animation: Animation, inputs: RemoveTrack | RemoveKeyframe) -> int:
    index = _find_track(builder, animation, inputs)
    if index is None:
        known = ", ".join(track.path for track in animation.tracks[:12])
        raise NotFound(
            f"'{animation.name}' has no track to '{inputs.node_path}' {inputs.property or ''}".rstrip() + ".",
            hint=f"Its tracks lead to {known}." if known else None,
        )
    return index


def _key_at(track: Track, time: float) -> Key | None:
    return next((key for key in track.keys if abs(key.time - time) < _CLOSE), None)


def _save_track(
    call: Call,
    builder: Builder,
    animation: Animation,
    index: int,
    *,
    time: float | None = None,
    reset: list[str] | None = None,
) -> TrackWritten:
    from scenewright.godot.animation.keyframe_animations import key_row

    builder.player.save()
    call.warnings += builder.without_reset
    track = animation.tracks[index]
    key = _key_at(track, time) if time is not None else None
    row = key_row(track, key, animation.part.holder.document) if key is not None else None
    call.summary = f"Track {index} ('{track.path}') of '{animation.name}' has {count_noun(len(track.keys), 'key')}."
    return TrackWritten(
        scene_path=builder.player.edit.path,
        animation_name=animation.name,
        track_index=index,
        path=track.path,
        keys=len(track.keys),
        time=time,
        value=row["value"] if isinstance(row, dict) else row[1] if row else None,
        reset=reset,
    )
