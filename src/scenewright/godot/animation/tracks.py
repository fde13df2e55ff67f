"""Tracks and their keys, and the properties that the engine stores them in."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any, Literal, get_args

import msgspec

from scenewright.core.faults import Unsupported
from scenewright.godot.documents import variant as v
from scenewright.godot.documents.section import Section
from scenewright.godot.values.tree import Coerced, array, dictionary

__all__ = ["CAPTURE", "INTERPOLATIONS", "KINDS", "UPDATES", "Key", "Kind", "Track", "read_tracks", "track_properties"]

Kind = Literal[
    "value", "position_3d", "rotation_3d", "scale_3d", "blend_shape", "method", "bezier", "audio", "animation"
]
KINDS: tuple[Kind, ...] = get_args(Kind)
INTERPOLATIONS = ("nearest", "linear", "cubic", "linear_angle", "cubic_angle")
UPDATES = ("continuous", "discrete", "capture")
CAPTURE = UPDATES.index("capture")
_SPACE: dict[str, type[Any]] = {"position_3d": v.Vector3, "rotation_3d": v.Quaternion, "scale_3d": v.Vector3}
_PROPERTY = re.compile(r"tracks/(\d+)/(\w+)")


class Key(msgspec.Struct, frozen=True):
    """What a track does at a time; the value is as its kind has it, a method call a dictionary."""

    time: float
    value: Coerced
    transition: float = 1.0
    handles: tuple[float, ...] = (-0.25, 0.0, 0.25, 0.0)  # of a curve: in and out, as the editor starts them
    handle_mode: int = 0
    offsets: tuple[float, ...] = (0.0, 0.0)  # of a sound: what is left out at its start and end


class Track(msgspec.Struct, frozen=True):
    kind: Kind
    path: str
    keys: tuple[Key, ...] = ()
    interpolation: int = 1
    update: int = 0
    loop_wrap: bool = True
    enabled: bool = True
    imported: bool = False
    use_blend: bool = True

    def sorted(self) -> Track:
        return msgspec.structs.replace(self, keys=tuple(sorted(self.keys, key=lambda key: key.time)))


def track_properties(index: int, track: Track) -> dict[str, Coerced]:
    """Return a track as the engine stores it."""
    values: dict[str, Coerced] = {
        "type": track.kind,
        "imported": track.imported,
        "enabled": track.enabled,
        "path": v.NodePath(track.path),
        "interp": track.interpolation,
        "loop_wrap": track.loop_wrap,
        "keys": _stored_keys(track),
    }
    if track.kind == "audio":
        values["use_blend"] = track.use_blend
    return {f"tracks/{index}/{name}": value for name, value in values.items()}


def read_tracks(section: Section) -> list[Track]:
    """Return the tracks of an animation, in order."""
    stored: dict[int, dict[str, v.Variant]] = {}
    for property_ in section.properties:
        match = _PROPERTY.fullmatch(property_.name)
        if match is not None:
            stored.setdefault(int(match[1]), {})[match[2]] = property_.value
    return [_track(stored[number]) for number in sorted(stored)]


def _track(stored: Mapping[str, v.Variant]) -> Track:
    kind: Any = stored.get("type", "value")
    if kind not in KINDS or "compressed_track" in stored:
        raise Unsupported(f"Only the engine can read a '{kind}' track in the form this animation has.")
    path = stored.get("path")
    keys = stored.get("keys")
    update = keys.get("update", 0) if isinstance(keys, v.Dictionary) else 0
    return Track(
        kind=kind,
        path=path.text if isinstance(path, v.NodePath) else "",
        keys=tuple(_read_keys(kind, keys)),
        interpolation=_whole_number(stored.get("interp"), 1),
        update=_whole_number(update, 0),
        loop_wrap=stored.get("loop_wrap", True) is not False,
        enabled=stored.get("enabled", True) is not False,
        imported=stored.get("imported") is True,
        use_blend=stored.get("use_blend", True) is not False,
    )


def _stored_keys(track: Track) -> Coerced:
    keys = track.keys
    times = v.PackedFloat32Array(tuple(key.time for key in keys))
    easings = v.PackedFloat32Array(tuple(key.transition for key in keys))
    values = array(tuple(key.value for key in keys))
    if track.kind == "value":
        return _dictionary(times=times, transitions=easings, update=track.update, values=values)
    if track.kind == "method":
        return _dictionary(times=times, transitions=easings, values=values)
    if track.kind == "bezier":
        points = (number for key in keys for number in (_float_number(key.value), *key.handles))
        modes = v.PackedInt32Array(tuple(key.handle_mode for key in keys))
        return _dictionary(handle_modes=modes, points=v.PackedFloat32Array(tuple(points)), times=times)
    if track.kind == "audio":
        clips = tuple(
            _dictionary(end_offset=key.offsets[1], start_offset=key.offsets[0], stream=key.value) for key in keys
        )
        return _dictionary(clips=array(clips), times=times)
    if track.kind == "animation":
        names = tuple(str(getattr(key.value, "text", key.value)) for key in keys)
        return _dictionary(clips=v.PackedStringArray(names), times=times)
    packed = (number for key in keys for number in (key.time, key.transition, *_numbers(key.value)))
    return v.PackedFloat32Array(tuple(packed))


def _read_keys(kind: Kind, stored: v.Variant) -> list[Key]:
    if isinstance(stored, v.PackedFloat32Array):
        return _packed_keys(kind, stored.items)
    if not isinstance(stored, v.Dictionary):
        return []
    times = _items(stored.get("times"))
    if kind == "bezier":
        points, modes = _items(stored.get("points")), _items(stored.get("handle_modes"))
        return [
            Key(
                time,
                points[5 * at],
                handles=tuple(points[5 * at + 1 : 5 * at + 5]),
                handle_mode=modes[at] if at < len(modes) else 0,
            )
            for at, time in enumerate(times)
        ]
    if kind == "audio":
        return [_audio_clip(time, clip) for time, clip in zip(times, _items(stored.get("clips")), strict=False)]
    values = _items(stored.get("clips" if kind == "animation" else "values"))
    easings = _items(stored.get("transitions"))
    return [
        Key(time, value, easings[at] if at < len(easings) else 1.0)
        for at, (time, value) in enumerate(zip(times, values, strict=False))
    ]


def _packed_keys(kind: Kind, numbers: Sequence[float]) -> list[Key]:
    value_type = _SPACE.get(kind)
    size = 2 + (len(value_type.__struct_fields__) if value_type else 1)
    rows = [numbers[at : at + size] for at in range(0, len(numbers) - size + 1, size)]
    return [Key(row[0], value_type(*row[2:]) if value_type else row[2], row[1]) for row in rows]


def _audio_clip(time: float, clip: Any) -> Key:
    start, end = (_float_number(clip.get(name, 0.0)) for name in ("start_offset", "end_offset"))
    return Key(time, clip.get("stream"), offsets=(start, end))


def _dictionary(**entries: Coerced) -> Coerced:
    return dictionary(tuple(entries.items()))


def _items(value: Any) -> tuple[Any, ...]:
    return tuple(getattr(value, "items", ()))


def _numbers(value: Any) -> tuple[float, ...]:
    return msgspec.structs.astuple(value) if isinstance(value, msgspec.Struct) else (_float_number(value),)


def _float_number(value: Any) -> float:
    return float(value) if isinstance(value, int | float) else 0.0


def _whole_number(value: v.Variant, default: int) -> int:
    return value if isinstance(value, int) else default
