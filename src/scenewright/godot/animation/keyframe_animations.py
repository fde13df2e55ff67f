"""Whole animations: made of keyframe tables, with the RESET tracks that go with them, and read back as tables."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import msgspec

from scenewright.core.faults import Conflict, Invalid, NotFound
from scenewright.core.text.counts import with_article
from scenewright.godot.animation.animations import LOOPS, Animation
from scenewright.godot.animation.players import Player
from scenewright.godot.animation.requests import TrackTable
from scenewright.godot.animation.rows import HANDLE_MODES, located
from scenewright.godot.animation.tables import Aim, Tables
from scenewright.godot.animation.targets import Targets
from scenewright.godot.animation.tracks import INTERPOLATIONS, UPDATES, Key, Track
from scenewright.godot.documents import variant as v
from scenewright.godot.documents.document import Document
from scenewright.godot.documents.floats import real, single
from scenewright.godot.values.presentation import present

__all__ = ["Builder", "key_row", "track_row"]


class Builder:
    """Adds to one player of a scene."""

    def __init__(self, player: Player) -> None:
        self.player = player
        self.tables = Tables(Targets(player))
        self.without_reset: list[str] = []

    def animation(
        self, name: str, rows: Sequence[TrackTable], values: Mapping[str, Any], *, overwrite: bool, reset: bool
    ) -> tuple[Animation, list[str]]:
        """Add an animation; return it, and what was added to RESET.

        Raises:
            Conflict: there is one of that name and it is not to be replaced.
        """
        if name in self.player.animations() and not overwrite:
            raise Conflict(
                f"'{self.player.path}' has an animation '{name}' already.",
                retryable=False,
                hint="Pass overwrite: true to replace it, or change it with set_keyframe and add_animation_track.",
            )
        built = [self._build_row(at, row) for at, row in enumerate(rows)]
        self._must_differ([track for track, _ in built])
        length = values.get("length") or max((track.keys[-1].time for track, _ in built if track.keys), default=1.0)
        stored = {**values, "length": length or 1.0}
        animation = self.player.add(name, _without_defaults(stored), [track for track, _ in built])
        added = self.reset(built) if reset else []
        return self.player.find(animation.name), added

    def track(self, animation: Animation, row: TrackTable, *, reset: bool) -> tuple[int, Track, list[str]]:
        """Add a track to an animation; return its number, the track and what was added to RESET."""
        track, aim = self._build_track(row)
        tracks = animation.tracks
        self._must_differ([*tracks, track])
        animation.set_track(len(tracks), track)
        return len(tracks), track, self.reset([(track, aim)]) if reset else []

    def aim_of(self, track: Track) -> Aim:
        """Return what an existing track leads to.

        Raises:
            NotFound: its node is gone.
        """
        node, inside = self.tables.targets.from_track(track.path)
        if node is None:
            raise NotFound(
                f"The track leads to '{track.path}', which the scene does not have.",
                hint="Remove the track with remove_animation_track, and add one to an existing node.",
            )
        return self.tables.aim(node, inside or None, track.kind)

    def find(self, tracks: Sequence[Track], node: str, property_: str | None) -> int | None:
        """Return the number of the track that leads to a node and property.

        Raises:
            Invalid: several do.
        """
        target = self.tables.targets.node(node)
        path = self.tables.targets.path(target, property_ or "")
        numbers = [at for at, track in enumerate(tracks) if track.path == path]
        if len(numbers) > 1:
            kinds = ", ".join(f"{at}: {tracks[at].kind}" for at in numbers)
            raise Invalid(
                f"Several tracks lead to '{path}'.",
                path="input.nodePath",
                rule="ambiguous",
                hint=f"Give the trackIndex instead: {kinds}.",
            )
        return numbers[0] if numbers else None

    def _build_row(self, at: int, row: TrackTable) -> tuple[Track, Aim]:
        with located(f"track {at}", f"input.tracks[{at}]"):
            return self._build_track(row)

    def _build_track(self, row: TrackTable) -> tuple[Track, Aim]:
        aim = self.tables.aim(row.node_path, row.property, row.type)
        track = aim.track(interpolation=row.interpolation, update=row.update)
        return msgspec.structs.replace(
            track, keys=self.tables.keys(aim, row.keys), loop_wrap=row.loop_wrap, enabled=row.enabled
        ), aim

    def reset(self, built: Sequence[tuple[Track, Aim]]) -> list[str]:
        """Add tracks to RESET with the scene's initial values; return the paths of those added."""
        wanted = []
        for track, aim in built:
            try:
                start = self.tables.reset(track, aim)
            except Invalid as problem:  # the animation itself needs no such value
                self.without_reset.append(problem.message)
            else:
                wanted += [start] if start is not None else []
        return self.player.reset(wanted) if wanted else []

    @staticmethod
    def _must_differ(tracks: Sequence[Track]) -> None:
        for at, track in enumerate(tracks):
            same = [earlier for earlier in tracks[:at] if (earlier.path, earlier.kind) == (track.path, track.kind)]
            if same and track.kind in ("value", "bezier", "position_3d", "rotation_3d", "scale_3d", "blend_shape"):
                raise Invalid(
                    f"Track {at}: '{track.path}' has {with_article(track.kind)} track already.",
                    rule="unique",
                    path="input.nodePath",
                    hint="Put all keys into one track, or change it with set_keyframe.",
                )


def track_row(index: int, track: Track, targets: Targets, keys: list[Any]) -> dict[str, Any]:
    """Return a track in the form of a table, so that it can be sent again."""
    node, inside = targets.from_track(track.path)
    row: dict[str, Any] = {"index": index, "type": track.kind}
    row |= {"nodePath": node} if node is not None else {"missing": track.path}
    if inside:
        row["property"] = inside
    if track.interpolation != 1:
        row["interpolation"] = _mode_name(INTERPOLATIONS, track.interpolation)
    if track.kind == "value":
        row["update"] = _mode_name(UPDATES, track.update)
    if not track.loop_wrap:
        row["loopWrap"] = False
    if not track.enabled:
        row["enabled"] = False
    return {**row, "keys": keys}


def key_row(track: Track, key: Key, document: Document) -> Any:
    """Return a key in the form of a table's row."""
    time, value = _rounded(key.time), _shown_value(track, key, document)
    if track.kind == "bezier":
        return {
            "time": time,
            "value": value,
            "inHandle": [_rounded(number) for number in key.handles[:2]],
            "outHandle": [_rounded(number) for number in key.handles[2:]],
            "handleMode": _mode_name(HANDLE_MODES, key.handle_mode),
        }
    if track.kind == "audio":
        return {"time": time, "value": value, "startOffset": key.offsets[0], "endOffset": key.offsets[1]}
    return [time, value] if key.transition == 1.0 else [time, value, _rounded(key.transition)]


def _shown_value(track: Track, key: Key, document: Document) -> Any:
    if track.kind == "method" and isinstance(key.value, v.Dictionary):
        name, args = key.value.get("method"), key.value.get("args")
        return {"method": getattr(name, "text", name), "args": present(args, document=document)}
    if isinstance(key.value, float):
        return _rounded(key.value)
    return present(key.value, document=document)


def _without_defaults(values: Mapping[str, Any]) -> dict[str, Any]:
    stored: dict[str, Any] = {}
    if float(values["length"]) != 1.0:
        stored["length"] = float(values["length"])
    if values.get("loop") and values["loop"] != "none":
        stored["loop_mode"] = LOOPS.index(values["loop"])
    if values.get("step") is not None:
        stored["step"] = float(values["step"])
    return stored


def _mode_name(names: Sequence[str], number: int) -> str:
    return names[number] if 0 <= number < len(names) else names[0]


def _rounded(number: float) -> float:
    """A number of 32 bits as it was most likely meant: 0.1 rather than 0.10000000149."""
    return float(real(single(number)))
