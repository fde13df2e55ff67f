"""Tags of a sprite as animations of an AnimationPlayer: a track that moves a Sprite2D through the frames of a sheet."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from scenewright.godot.animation.keyframe_animations import Builder
from scenewright.godot.animation.players import Player
from scenewright.godot.animation.requests import TrackTable
from scenewright.godot.pixel_art.import_records import RECORD, TagRecord, read_record
from scenewright.godot.pixel_art.tag_animations import ACROSS, Wanted

if TYPE_CHECKING:
    from scenewright.godot.animation.animations import Animation
    from scenewright.godot.scenes.scene_edit import SceneEdit
    from scenewright.pixel.sprite import Sprite

__all__ = ["put_animations"]


def put_animations(
    edit: SceneEdit, player_path: str, sprite_path: str, sprite: Sprite, sheet: str, wanted: Wanted
) -> tuple[list[str], list[str]]:
    """Give a player the wanted animations; return those that changed, and all there are.

    What did not change in the sprite since the last import stays as it is, with all other tracks there are.
    """
    rows = -(-len(sprite.durations) // ACROSS)
    across = ACROSS
    edit.set(sprite_path, {"texture": sheet, "hframes": across, "vframes": rows})
    player = Player(edit, player_path)
    builder = Builder(player)
    changed = []
    for animation, frames in wanted:
        keys, time = [], 0.0
        for frame in frames:
            keys.append([round(time, 6), frame])
            time += max(sprite.durations[frame], 1) / 1000
        row = TrackTable(node_path=sprite_path, property="frame", keys=keys, update="discrete")
        record = TagRecord.of(sprite, frames, sheet, loop=animation.loop)
        if _put(builder, animation.name, row, record):
            changed.append(animation.name)
    player.save()
    return changed, list(player.animations())


def _put(builder: Builder, name: str, row: TrackTable, now: TagRecord) -> bool:
    """Make an animation or bring it up to date; say whether anything changed."""
    length = round(sum(now.milliseconds) / 1000, 6)
    known = builder.player.animations().get(name)
    if known is None:
        made = {"length": length, "loop": "linear" if now.loop else "none"}
        known, _ = builder.animation(name, [row], made, overwrite=False, reset=False)
        known.part.set({RECORD: now.to_value()})
        return True
    last = read_record(known.part.value(RECORD))
    if last == now or (last is None and _is_same(builder, known, row, length, loop=now.loop)):
        return False
    values: dict[str, Any] = {RECORD: now.to_value()}
    if last is None or last.loop != now.loop:
        values["loop_mode"] = 1 if now.loop else 0
    if last is None or sum(last.milliseconds) != sum(now.milliseconds):
        values["length"] = length
    if last is None or not last.shows_the_same(now):
        at = builder.find(known.tracks, row.node_path, "frame")
        if at is not None:
            known.remove_track(at)
        builder.track(known, row, reset=False)
    known.part.set(values)
    return True


def _is_same(builder: Builder, known: Animation, row: TrackTable, length: float, *, loop: bool) -> bool:
    """Whether an animation that no import has left a record in shows what is wanted."""
    if abs(known.length - length) > 1e-4 or (known.loop != "none") != loop:
        return False
    at = builder.find(known.tracks, row.node_path, "frame")
    shown = [(round(key.time, 4), key.value) for key in known.tracks[at].keys] if at is not None else []
    return shown == [(round(time, 4), frame) for time, frame in row.keys]
