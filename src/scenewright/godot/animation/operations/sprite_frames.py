"""Animations from sprite sheets: SpriteFrames for animated sprites, or frame tracks for a Sprite2D and its player."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

from scenewright.core.calls.call import Call
from scenewright.core.faults import Invalid
from scenewright.core.operations.declaration import Example, Safety, operation
from scenewright.core.operations.model import Inputs, Outputs, about
from scenewright.core.text.counts import count_noun, with_article
from scenewright.godot.animation.operations.animations import MANAGER
from scenewright.godot.animation.requests import SheetAnimation, TrackTable
from scenewright.godot.project.openers import class_index, open_edit, open_workspace

if TYPE_CHECKING:
    from scenewright.godot.animation.inner_resources import HeldResource
    from scenewright.godot.animation.sheets import SheetGrid, Texture
    from scenewright.godot.scenes.scene_edit import SceneEdit

__all__ = ["OPERATIONS"]

Pixels = Annotated[list[int], about("[x, y] in pixels.", min_length=2, max_length=2)]


class Sheet(Inputs, frozen=True, kw_only=True):
    texture_path: Annotated[str, about("Sprite sheet, res:// or from the project's root.", min_length=1)]
    animations: Annotated[list[SheetAnimation], about("Rows or frame ranges of the sheet.", min_length=1)]
    hframes: Annotated[int, about("Frames across; or give frameWidth.", ge=1)] | None = None
    vframes: Annotated[int, about("Frames down; or give frameHeight. A strip has 1.", ge=1)] | None = None
    frame_width: Annotated[int, about("Width of a frame.", ge=1)] | None = None
    frame_height: Annotated[int, about("Height of a frame.", ge=1)] | None = None
    margin: Annotated[Pixels, about("Space before the first frame, [x, y].")] | None = None
    separation: Annotated[Pixels, about("Space between frames, [x, y].")] | None = None
    scene_path: Annotated[str, about("Scene of nodePath.")] | None = None
    node_path: Annotated[str, about("AnimatedSprite2D or 3D; with playerNodePath a Sprite2D or 3D.")] | None = None
    player_node_path: Annotated[str, about("AnimationPlayer that gets frame tracks.")] | None = None
    resource_path: Annotated[str, about("SpriteFrames file (.tres) to create or add to.")] | None = None
    autoplay: Annotated[str, about("Animation that plays at the start.")] | None = None
    overwrite: Annotated[bool, about("Replace animations of the same name.")] = False


class SheetWritten(Outputs, frozen=True, kw_only=True):
    frame_size: Annotated[list[int], about("Size of a frame.")]
    grid: Annotated[list[int], about("Frames across and down.")]
    animations: Annotated[list[str], about("All animations there are now.")]
    scene_path: Annotated[str, about("res:// path.")] | None = None
    node_path: Annotated[str, about("Path from the scene's root.")] | None = None
    resource_path: Annotated[str, about("res:// path.")] | None = None


@operation(
    id="godot.animation.sprite_frames",
    category="animation",
    safety=Safety.SAFE_WRITE,
    needs_project=True,
    tool="create_sprite_frames",
    manager=MANAGER,
    notes="Animations come from a sprite sheet: row (and count) or frames, counted row by row from 0. The target is an "
    "AnimatedSprite2D, a .tres, or a Sprite2D with an AnimationPlayer. Other animations stay.",
    examples=(
        Example(
            "Two rows of a sheet",
            {
                "texturePath": "hero.png",
                "hframes": 8,
                "vframes": 2,
                "scenePath": "hero.tscn",
                "nodePath": "Sprite",
                "animations": [
                    {"name": "idle", "row": 0, "count": 4, "fps": 6},
                    {"name": "jump", "frames": "8-12", "loop": False},
                ],
            },
            {
                "frameSize": [32, 32],
                "grid": [8, 2],
                "animations": ["idle", "jump"],
                "scenePath": "res://hero.tscn",
                "nodePath": "Sprite",
            },
        ),
    ),
)
def create_sprite_frames(call: Call, inputs: Sheet) -> SheetWritten:
    """Makes animations from a sprite sheet: SpriteFrames for an AnimatedSprite2D or file, or Sprite2D frame tracks."""
    from scenewright.godot.animation.rows import located
    from scenewright.godot.animation.sheets import Layout, frames_of, grid_of, open_texture

    _check_target(inputs)
    workspace = open_workspace(call)
    texture = open_texture(workspace, class_index(call), inputs.texture_path)
    margin, separation = inputs.margin or [0, 0], inputs.separation or [0, 0]
    layout = Layout(
        inputs.hframes,
        inputs.vframes,
        inputs.frame_width,
        inputs.frame_height,
        (margin[0], margin[1]),
        (separation[0], separation[1]),
    )
    grid = grid_of(texture, layout)
    wanted = []
    for at, animation in enumerate(inputs.animations):
        with located(f"animation {at}", f"input.animations[{at}]"):
            wanted.append((animation, frames_of(grid, animation)))
    names = [animation.name for animation, _ in wanted]
    if len(set(names)) < len(names):
        raise Invalid("Two animations have the same name.", path="input.animations", rule="unique")
    if inputs.autoplay is not None and inputs.autoplay not in names:
        raise Invalid(f"autoplay must be one of {', '.join(names)}.", path="input.autoplay", rule="enum")
    if not texture.imported:
        call.warnings.append(f"{texture.file.path} is not imported yet; import_assets does that.")
    write = _write_tracks if inputs.player_node_path is not None else _sprite_frames
    return write(call, inputs, texture, grid, wanted)


OPERATIONS = (create_sprite_frames,)

_Wanted = list[tuple[SheetAnimation, list[int]]]


def _check_target(inputs: Sheet) -> None:
    if (inputs.scene_path is None) != (inputs.node_path is None):
        raise Invalid("Give scenePath and nodePath together.", path="input.scenePath", rule="required")
    if inputs.scene_path is None and (inputs.resource_path is None or inputs.player_node_path is not None):
        raise Invalid(
            "Give scenePath and nodePath, or resourcePath.",
            path="input.nodePath",
            rule="required",
            hint="The node is an AnimatedSprite2D, or with playerNodePath a Sprite2D.",
        )
    for name, pixels in (("margin", inputs.margin), ("separation", inputs.separation)):
        if min(pixels or [0]) < 0:
            raise Invalid(
                f"{name} must not be below 0.", path=f"input.{name}", rule="minimum", hint="Give [x, y] in pixels."
            )
    if inputs.player_node_path is not None and (inputs.resource_path or inputs.margin or inputs.separation):
        raise Invalid(
            "resourcePath, margin and separation are for SpriteFrames.",
            path="input.playerNodePath",
            rule="oneOf",
            hint="A Sprite2D cuts its texture into equal frames.",
        )


def _sprite_frames(call: Call, inputs: Sheet, texture: Texture, grid: SheetGrid, wanted: _Wanted) -> SheetWritten:
    from scenewright.godot.animation.sheets import add_animations, open_sprite_frames

    edit = open_edit(call, inputs.scene_path) if inputs.scene_path is not None else None
    path = _animated_sprite(edit, inputs.node_path or "") if edit is not None else None
    if inputs.resource_path is not None:
        part = open_sprite_frames(edit.workspace if edit else open_workspace(call), inputs.resource_path)
    else:
        assert edit is not None  # one of the two is given
        part = _of_node(edit, path or "")
    names = add_animations(part, texture, grid, wanted, overwrite=inputs.overwrite)
    part.holder.save()
    if edit is not None and path is not None:
        _show(edit, path, part, names, wanted[0][0].name, inputs.autoplay)
        edit.save()
    call.summary = f"{count_noun(len(wanted), 'animation')} of {grid.width}x{grid.height} frames."
    return SheetWritten(
        frame_size=[grid.width, grid.height],
        grid=[grid.columns, grid.rows],
        animations=names,
        scene_path=edit.path if edit else None,
        node_path=path,
        resource_path=None if edit is not None and part.holder is edit else part.holder.path,
    )


def _write_tracks(call: Call, inputs: Sheet, texture: Texture, grid: SheetGrid, wanted: _Wanted) -> SheetWritten:
    """The frames as keys of a Sprite2D's frame property."""
    from scenewright.godot.animation.keyframe_animations import Builder
    from scenewright.godot.animation.players import Player

    edit = open_edit(call, inputs.scene_path or "")
    node = edit.node(inputs.node_path or "")
    if node.type not in ("Sprite2D", "Sprite3D"):
        raise Invalid(
            f"'{node.path}' is {with_article(node.type)}, not a Sprite2D or Sprite3D.",
            path="input.nodePath",
            rule="class",
        )
    edit.set(node.path, {"texture": {"$path": texture.file.path}, "hframes": grid.columns, "vframes": grid.rows})
    builder = Builder(Player(edit, inputs.player_node_path or ""))
    for animation, frames in wanted:
        stays = [duration / animation.fps for duration in animation.durations or [1.0] * len(frames)]
        starts = [sum(stays[:at]) for at in range(len(stays))]
        table = TrackTable(
            node_path=node.path, property="frame", keys=[list(key) for key in zip(starts, frames, strict=True)]
        )
        values = {"length": sum(stays), "loop": "linear" if animation.loop else "none"}
        builder.animation(animation.name, [table], values, overwrite=inputs.overwrite, reset=False)
    if inputs.autoplay is not None:
        edit.set(builder.player.path, {"autoplay": inputs.autoplay})
    builder.player.save()
    edit.save()  # the player's library may be a file of its own
    call.summary = f"{count_noun(len(wanted), 'animation')} of {grid.width}x{grid.height} frames."
    return SheetWritten(
        frame_size=[grid.width, grid.height],
        grid=[grid.columns, grid.rows],
        animations=list(builder.player.animations()),
        scene_path=edit.path,
        node_path=node.path,
    )


def _animated_sprite(edit: SceneEdit, node_path: str) -> str:
    node = edit.node(node_path)
    if node.type not in ("AnimatedSprite2D", "AnimatedSprite3D"):
        raise Invalid(
            f"'{node.path}' is {with_article(node.type)}, not an AnimatedSprite2D or AnimatedSprite3D.",
            path="input.nodePath",
            rule="class",
            hint="Add one with add_node, or give playerNodePath for a Sprite2D.",
        )
    return node.path


def _of_node(edit: SceneEdit, path: str) -> HeldResource:
    """The SpriteFrames that a node of this scene has, a new one where it has none."""
    from scenewright.godot.animation.inner_resources import HeldResource, ReachedResources
    from scenewright.godot.documents.resources import add_inner_resource

    own = edit.scene.by_path.get(path)
    stored = own.section.find("sprite_frames") if own is not None else None
    part = ReachedResources(edit).follow(edit, stored.value) if stored is not None else None
    if part is not None:
        return part
    edit.document, resource_id = add_inner_resource(edit.document, "SpriteFrames")
    return HeldResource(edit, resource_id)


def _show(edit: SceneEdit, path: str, part: HeldResource, names: list[str], first: str, autoplay: str | None) -> None:
    """Gives the frames to the node, with an animation that is there."""
    from scenewright.godot.documents.variant import SubResource

    node = edit.tree.nodes[path]
    now, frames = node.find("animation"), node.find("sprite_frames")
    shown = getattr(now.value, "text", "") if now is not None else "default"
    values: dict[str, object] = {}
    if part.holder is not edit:
        values["sprite_frames"] = {"$path": part.holder.path}
    elif frames is None or frames.value != SubResource(part.id or ""):
        values["sprite_frames"] = {"$resource": "SpriteFrames", "id": part.id}
    if shown not in names:
        values["animation"] = first
    if autoplay is not None:
        values["autoplay"] = autoplay
    edit.set(path, values)
