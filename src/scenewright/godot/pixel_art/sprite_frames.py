"""SpriteFrames of a sprite's tags with their sheet, made or brought up to date."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from scenewright.godot.animation.sheet_changes import changed_animations
from scenewright.godot.animation.sheets import SheetGrid, Texture, add_animations, open_sprite_frames, open_texture
from scenewright.godot.documents import variant as v
from scenewright.godot.pixel_art.import_records import RECORD, TagRecord, read_records, records_value
from scenewright.godot.pixel_art.sprite_files import find_layers, find_tag, new_place, png
from scenewright.godot.pixel_art.tag_animations import ACROSS, animations_of
from scenewright.pixel.rendering import Renderer
from scenewright.pixel.sheets import SheetStyle, make_sheet

if TYPE_CHECKING:
    from scenewright.godot.animation.inner_resources import HeldResource
    from scenewright.godot.animation.requests import SheetAnimation
    from scenewright.godot.classes.index import ClassIndex
    from scenewright.godot.pixel_art.tag_animations import Wanted
    from scenewright.godot.project.workspace import Workspace
    from scenewright.pixel.sprite import Sprite

__all__ = ["FrameWish", "FramesMade", "stage_frame_sheet", "stage_sprite_frames"]


class FrameWish(msgspec.Struct, frozen=True):
    """Where the sheet goes, and what of the sprite is wanted."""

    sheet: str
    layers: list[str] | None = None
    tags: list[str] | None = None
    overwrite: bool = False


class FramesMade(msgspec.Struct, frozen=True):
    """A SpriteFrames: its path, its sheet, the animations that changed, all there are, and those whose tag is gone."""

    path: str
    texture: Texture
    changed: list[str]
    animations: list[str]
    without_tag: list[str]


def stage_sprite_frames(
    workspace: Workspace,
    index: ClassIndex,
    sprite: Sprite,
    path: str,
    wish: FrameWish,
) -> FramesMade:
    """Stage the SpriteFrames of a sprite's tags; what did not change in the sprite stays as it is.

    Raises:
        NotFound: there is no such layer or tag.
        Conflict: there is a picture that the SpriteFrames does not use.
    """
    part = open_sprite_frames(workspace, path)
    uses = [section.string("path") for section in part.holder.document.tagged("ext_resource")]
    is_ours = f"res://{workspace.place(wish.sheet)}" in uses
    chosen = sprite.tags if wish.tags is None else [find_tag(sprite, name) for name in wish.tags]
    wanted = animations_of(sprite, chosen)
    stage_frame_sheet(workspace, sprite, wish.layers, wish.sheet, overwrite=wish.overwrite or is_ours)
    texture = open_texture(workspace, index, wish.sheet)
    grid = SheetGrid(ACROSS, -(-len(sprite.durations) // ACROSS), sprite.width, sprite.height)
    records = {
        animation.name: TagRecord.of(sprite, frames, texture.file.path, loop=animation.loop)
        for animation, frames in wanted
    }
    known = read_records(part)
    entries = _entries(part)
    loops = {
        name: record.loop
        for name, record in records.items()
        if name in entries and name in known and known[name] != record and known[name].shows_the_same(record)
    }
    if loops:
        part.set({"animations": v.Array(tuple(_with_loop(entry, loops) for entry in entries.values()))})
    others = [row for row in wanted if row[0].name not in loops]
    changed = changed_animations(part, texture, grid, _since(entries, others, records, known))
    names = add_animations(part, texture, grid, changed, overwrite=True)
    if known | records != known:
        part.set({RECORD: records_value(known | records)})
    part.holder.save()
    gone = [name for name in known if name in names and name not in {tag.name for tag in sprite.tags}]
    return FramesMade(
        part.holder.path,
        texture,
        [animation.name for animation, _ in wanted if animation.name in {*loops, *(row.name for row, _ in changed)}],
        names,
        gone if sprite.tags else [],
    )


def _entries(part: HeldResource) -> dict[str, v.Dictionary]:
    """The animations that are there, by name."""
    stored = part.value("animations")
    return {
        name.text: entry
        for entry in (stored.items if isinstance(stored, v.Array) else ())
        if isinstance(entry, v.Dictionary) and isinstance(name := entry.get("name"), v.StringName)
    }


def _with_loop(entry: v.Dictionary, loops: dict[str, bool]) -> v.Dictionary:
    name = entry.get("name")
    loop = loops.get(name.text) if isinstance(name, v.StringName) else None
    if loop is None:
        return entry
    return msgspec.structs.replace(
        entry, entries=tuple((key, loop if key == "loop" else value) for key, value in entry.entries)
    )


def _since(
    entries: dict[str, v.Dictionary], wanted: Wanted, records: dict[str, TagRecord], known: dict[str, TagRecord]
) -> Wanted:
    """The animations that are new or have changed in the sprite, with speeds and loops that a person has set."""
    result = []
    for animation, frames in wanted:
        last, now, entry = known.get(animation.name), records[animation.name], entries.get(animation.name)
        if last is None or entry is None:
            result.append((animation, frames))
        elif last != now:
            result.append((_merged(animation, last, now, entry), frames))
    return result


def _merged(animation: SheetAnimation, last: TagRecord, now: TagRecord, entry: v.Dictionary) -> SheetAnimation:
    """An animation with the loop and speed that it has, where the sprite's are as they were."""
    loop, speed = entry.get("loop"), entry.get("speed")
    if last.loop == now.loop and isinstance(loop, bool):
        animation = msgspec.structs.replace(animation, loop=loop)
    if min(last.milliseconds) == min(now.milliseconds) and isinstance(speed, int | float):
        animation = msgspec.structs.replace(animation, fps=float(speed))
    return animation


def stage_frame_sheet(
    workspace: Workspace, sprite: Sprite, layers: list[str] | None, path: str, *, overwrite: bool
) -> None:
    """Stage all frames as one picture, so that a tag keeps its place whatever others are imported.

    Raises:
        Conflict: another picture is there, and nobody asked to replace it.
    """
    renderer = Renderer(sprite, None if layers is None else find_layers(sprite, layers))
    frames = (renderer.frame(frame) for frame in range(len(sprite.durations)))
    content = png(make_sheet(frames, SheetStyle("rows", ACROSS)).picture)
    is_so = workspace.files.exists(workspace.place(path)) and workspace.files.read(workspace.place(path)) == content
    place = new_place(workspace, path, ".png", "outputPngPath", overwrite=overwrite or is_so)
    workspace.files.write(place, content)
