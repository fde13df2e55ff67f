"""Aseprite files brought into the game: their tags as animations of a SpriteFrames."""

from __future__ import annotations

import posixpath
from typing import TYPE_CHECKING, Annotated

from scenewright.core.calls.call import Call
from scenewright.core.operations.declaration import Example, Safety, operation
from scenewright.core.operations.model import Inputs, Outputs, about
from scenewright.core.text.counts import count_noun
from scenewright.godot.pixel_art.operations.aseprite_files import MANAGER, InputPath
from scenewright.godot.project.openers import class_index, open_edit, open_workspace

if TYPE_CHECKING:
    from scenewright.pixel.sprite import Sprite

__all__ = ["OPERATIONS"]


class ImportAnimations(Inputs, frozen=True, kw_only=True):
    input_path: InputPath
    resource_path: (
        Annotated[str, about("SpriteFrames (.tres) to make or bring up to date; beside the file if left out.")] | None
    ) = None
    output_png_path: Annotated[str, about("Picture to write (.png); beside the file if left out.")] | None = None
    layers: Annotated[list[str], about("Only these layers or groups, hidden ones too.")] | None = None
    tags: Annotated[list[str], about("Only these tags.")] | None = None
    scene_path: (
        Annotated[str, about("Scene whose AnimationPlayer gets the animations, in place of a SpriteFrames.")] | None
    ) = None
    player_node_path: Annotated[str, about("The AnimationPlayer.")] = "AnimationPlayer"
    sprite_node_path: Annotated[str, about("Sprite2D that it moves through the frames.")] = "Sprite2D"
    overwrite: Annotated[bool, about("Replace a picture that the SpriteFrames does not use yet.")] = False


class AnimationsImported(Outputs, frozen=True, kw_only=True):
    resource_path: Annotated[str, about("res:// path of the SpriteFrames, or of the scene.")]
    sheet_path: Annotated[str, about("res:// path of its sheet.")]
    frame_size: Annotated[list[int], about("Size of a frame.")]
    changed: Annotated[list[str], about("Animations that are new or other than before.")]
    animations: Annotated[list[str], about("All animations there are now.")]


@operation(
    id="godot.aseprite.import_animations",
    category="animation",
    safety=Safety.SAFE_WRITE,
    needs_project=True,
    tool="import_animations",
    manager=MANAGER,
    idempotent=True,
    timeout=120.0,
    notes="Durations, direction and repeat are the tags'. Called again, it changes only what changed in the file;"
    " what was added or set by hand stays.",
    asked_for="aseprite to SpriteFrames",
    examples=(
        Example(
            "A hero",
            {"inputPath": "art/hero.aseprite"},
            {
                "resourcePath": "res://art/hero.tres",
                "sheetPath": "res://art/hero.png",
                "frameSize": [16, 16],
                "changed": ["idle", "walk"],
                "animations": ["idle", "walk"],
            },
        ),
    ),
)
def import_animations(call: Call, inputs: ImportAnimations) -> AnimationsImported:
    """Makes a SpriteFrames of an Aseprite file, an animation for each tag, or brings it up to date."""
    from scenewright.godot.pixel_art.sprite_files import open_sprite
    from scenewright.godot.pixel_art.sprite_frames import FrameWish, stage_sprite_frames

    workspace = open_workspace(call)
    sprite = open_sprite(workspace, inputs.input_path)
    stem = posixpath.splitext(workspace.place(inputs.input_path))[0]
    if inputs.scene_path is not None:
        return _into_player(call, inputs, sprite, inputs.output_png_path or f"{stem}.png")
    wish = FrameWish(inputs.output_png_path or f"{stem}.png", inputs.layers, inputs.tags, inputs.overwrite)
    made = stage_sprite_frames(workspace, class_index(call), sprite, inputs.resource_path or f"{stem}.tres", wish)
    if not made.texture.imported:
        call.warnings.append(f"{made.texture.file.path} is not imported yet; import_assets does that.")
    if made.without_tag:
        call.warnings.append(f"The file has no tag any more for {', '.join(made.without_tag[:20])}; left as it was.")
    call.summary = f"{count_noun(len(made.changed), 'animation')} changed in {made.path}."
    return AnimationsImported(
        resource_path=made.path,
        sheet_path=made.texture.file.path,
        frame_size=[sprite.width, sprite.height],
        changed=made.changed,
        animations=made.animations,
    )


OPERATIONS = (import_animations,)


def _into_player(call: Call, inputs: ImportAnimations, sprite: Sprite, sheet: str) -> AnimationsImported:
    """The tags as animations of an AnimationPlayer, each a track over the frames of a Sprite2D."""
    from scenewright.godot.pixel_art.player_tracks import put_animations
    from scenewright.godot.pixel_art.sprite_files import find_tag
    from scenewright.godot.pixel_art.sprite_frames import stage_frame_sheet
    from scenewright.godot.pixel_art.tag_animations import animations_of

    edit = open_edit(call, inputs.scene_path or "")
    place = edit.workspace.resource_path(sheet)
    target = edit.node(inputs.sprite_node_path, wanted="Sprite2D", parameter="spriteNodePath")
    is_ours = place in edit.document.to_bytes().decode("utf-8", "replace")
    stage_frame_sheet(edit.workspace, sprite, inputs.layers, sheet, overwrite=inputs.overwrite or is_ours)
    tags = sprite.tags if inputs.tags is None else [find_tag(sprite, name) for name in inputs.tags]
    wanted = animations_of(sprite, tags)
    changed, names = put_animations(edit, inputs.player_node_path, target.path, sprite, place, wanted)
    edit.save()
    call.summary = f"{count_noun(len(changed), 'animation')} changed in {edit.path}."
    return AnimationsImported(
        resource_path=edit.path,
        sheet_path=place,
        frame_size=[sprite.width, sprite.height],
        changed=changed,
        animations=names,
    )
