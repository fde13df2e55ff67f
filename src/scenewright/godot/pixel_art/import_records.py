"""What the last import made of a tag, kept in the resource itself.

By it the next import tells what has changed in the Aseprite file, which it takes over, from what a person has changed
in the game, which stays.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import msgspec

from scenewright.godot.documents import variant as v

if TYPE_CHECKING:
    from scenewright.godot.animation.inner_resources import HeldResource
    from scenewright.pixel.sprite import Sprite

__all__ = ["RECORD", "TagRecord", "read_record", "read_records", "records_value"]

RECORD = "metadata/_aseprite"  # the editor shows no metadata whose name begins so


class TagRecord(msgspec.Struct, frozen=True):
    """An animation as a tag made it: the frames of a sheet one after another, and how long each stays."""

    frames: tuple[int, ...]
    milliseconds: tuple[int, ...]
    loop: bool
    sheet: str
    size: tuple[int, int]

    @classmethod
    def of(cls, sprite: Sprite, frames: Sequence[int], sheet: str, *, loop: bool) -> TagRecord:
        times = tuple(max(sprite.durations[frame], 1) for frame in frames)
        return cls(tuple(frames), times, loop, sheet, (sprite.width, sprite.height))

    def shows_the_same(self, other: TagRecord) -> bool:
        """Whether only the loop differs, if anything does."""
        return msgspec.structs.replace(self, loop=other.loop) == other

    def to_value(self) -> v.Dictionary:
        return v.Dictionary(
            (
                ("frames", v.PackedInt32Array(self.frames)),
                ("loop", self.loop),
                ("milliseconds", v.PackedInt32Array(self.milliseconds)),
                ("sheet", self.sheet),
                ("size", v.Vector2i(*self.size)),
            )
        )


def read_record(value: v.Variant) -> TagRecord | None:
    """Return the record that a value is; None where it is none, or one that a person has changed."""
    if not isinstance(value, v.Dictionary):
        return None
    frames, times, size = value.get("frames"), value.get("milliseconds"), value.get("size")
    loop, sheet = value.get("loop"), value.get("sheet")
    if not (isinstance(frames, v.PackedInt32Array) and isinstance(times, v.PackedInt32Array) and times.items):
        return None
    if not (isinstance(size, v.Vector2i) and isinstance(loop, bool) and isinstance(sheet, str)):
        return None
    return TagRecord(frames.items, times.items, loop, sheet, (size.x, size.y))


def read_records(part: HeldResource) -> dict[str, TagRecord]:
    """Return the records of a resource with several animations, by name."""
    stored = part.value(RECORD)
    records: dict[str, TagRecord] = {}
    for name, value in stored.entries if isinstance(stored, v.Dictionary) else ():
        record = read_record(value)
        if isinstance(name, str) and record is not None:
            records[name] = record
    return records


def records_value(records: dict[str, TagRecord]) -> v.Dictionary:
    return v.Dictionary(tuple((name, record.to_value()) for name, record in records.items()))
