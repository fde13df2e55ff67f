"""Things of a world as files: their picture, a scene of each, or a tile of the world's tile set."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import msgspec

from scenewright.core.faults import NotFound
from scenewright.godot.documents.creation import new_scene
from scenewright.godot.documents.ids import new_uid
from scenewright.godot.pixel_art.generated_tilesets import KIND
from scenewright.godot.pixel_art.places import PLAYER_SPEED
from scenewright.godot.pixel_art.sprite_files import open_sprite, png
from scenewright.godot.scenes.scene_edit import Addition, SceneEdit
from scenewright.godot.tiles.specs import CustomLayerSpec, LayerSpecs, SourceSpec, TileSpec
from scenewright.godot.tiles.tiledata import edit_tiles
from scenewright.godot.tiles.tileset import Atlas, open_tileset
from scenewright.godot.tiles.tileset_edit import TileSetEdit
from scenewright.pixel.rendering import Renderer
from scenewright.pixel.worlds.object_art import KINDS, draw_object, kind_named
from scenewright.pixel.worlds.specs import ObjectSpec

if TYPE_CHECKING:
    from PIL.Image import Image

    from scenewright.godot.classes.index import ClassIndex
    from scenewright.godot.project.workspace import Workspace

__all__ = ["FOLDER", "ObjectFiles", "object_tile_kind", "stage_object", "stage_player"]

FOLDER = "objects"
_PLAYER_SCRIPT = """extends CharacterBody2D
## Walks in four directions with the arrow keys, or whatever ui_left, ui_right, ui_up and ui_down are set to.

@export var speed: float = SPEED

@onready var sprite: AnimatedSprite2D = $AnimatedSprite2D


func _physics_process(_delta: float) -> void:
\tvelocity = Input.get_vector(&"ui_left", &"ui_right", &"ui_up", &"ui_down") * speed
\tmove_and_slide()
\tif not is_zero_approx(velocity.x):
\t\tsprite.flip_h = velocity.x < 0.0
\tsprite.play(&"walk" if velocity.length() > 1.0 else &"idle")
"""


class ObjectFiles(msgspec.Struct, frozen=True):
    """What was staged for a thing: its picture, and its scene or tile set."""

    picture: str
    size: tuple[int, int]
    scene: str | None = None
    tileset: str | None = None


def object_tile_kind(name: str) -> str:
    """Return what the custom data `kind` says of the tile of a thing."""
    return f"object:{name}"


def stage_object(
    workspace: Workspace, index: ClassIndex, spec: ObjectSpec, tileset: str | None, *, redraw: bool
) -> ObjectFiles:
    """Stage a thing's picture, and its scene or its tile; what is there stays unless it is to be made again.

    Raises:
        NotFound: nothing of its kind can be drawn.
        Invalid: its sprite cannot be read.
    """
    place = f"{FOLDER}/{spec.id}.png"
    picture = _picture(workspace, spec)
    if redraw or not workspace.files.exists(place):
        workspace.files.write(place, png(picture))
    solid = spec.solid if spec.solid is not None else _is_solid(spec)
    if spec.representation == "tile":
        if tileset is None:
            raise NotFound("A thing that is a tile needs a tile set.", hint="Pass tilesetPath, or make it a scene.")
        _stage_tile(workspace, index, spec, place, tileset, solid=solid)
        return ObjectFiles(place, picture.size, tileset=tileset)
    scene = f"{FOLDER}/{spec.id}.tscn"
    if redraw or not workspace.files.exists(scene):
        _stage_scene(workspace, index, spec, scene, picture.size, solid=solid)
    return ObjectFiles(place, picture.size, scene=scene)


def _picture(workspace: Workspace, spec: ObjectSpec) -> Image:
    if spec.aseprite_path is not None:
        return Renderer(open_sprite(workspace, spec.aseprite_path)).frame(0)
    size = (spec.size_px[0], spec.size_px[1]) if spec.size_px is not None else None
    return draw_object(spec.kind or spec.id, size)


def _is_solid(spec: ObjectSpec) -> bool:
    name = kind_named(spec.kind or spec.id)
    return KINDS[name].solid if name is not None else True


def _stage_scene(
    workspace: Workspace, index: ClassIndex, spec: ObjectSpec, place: str, size: tuple[int, int], *, solid: bool
) -> None:
    """A thing whose origin is where it stands, so that it is sorted by that."""
    width, height = size
    name = _node_name(spec)
    uid = workspace.scene_uid(place) if workspace.files.exists(place) else None
    kind = "StaticBody2D" if solid else "Node2D"
    workspace.save(place, new_scene(name, kind, uid=uid or new_uid()).document)
    edit = SceneEdit(workspace, index, place)
    texture = f"res://{FOLDER}/{spec.id}.png"
    edit.add(Addition(name="Sprite2D", kind="Sprite2D", properties={"texture": texture, "position": [0, -height / 2]}))
    if solid:
        foot = (max(round(width * 0.7), 2), max(round(height * 0.3), 2))
        shape = {"$resource": "RectangleShape2D", "props": {"size": list(foot)}}
        properties = {"position": [0, -foot[1] / 2], "shape": shape}
        edit.add(Addition(name="CollisionShape2D", kind="CollisionShape2D", properties=properties))
    edit.save()


def _node_name(spec: ObjectSpec) -> str:
    words = (spec.name or spec.id).replace("-", "_").replace(" ", "_").split("_")
    letters = "".join(letter for word in words for letter in word[:1].upper() + word[1:] if letter.isalnum())
    return letters or "Thing"


def _stage_tile(
    workspace: Workspace, index: ClassIndex, spec: ObjectSpec, picture: str, tileset: str, *, solid: bool
) -> None:
    """A thing as the only tile of a source, drawn so that its foot is at the bottom of its cell."""
    view, where = open_tileset(workspace, tileset)
    if any(isinstance(atlas, Atlas) and atlas.texture == f"res://{picture}" for atlas in view.sources.values()):
        return
    edit = TileSetEdit(workspace, index, view.document, where)
    if KIND not in view.custom_layers:
        edit.add_layers(LayerSpecs(custom_data=[CustomLayerSpec(name=KIND, type="String")]))
    width, height = _size_of(workspace, picture)
    source = edit.add_source(
        SourceSpec(texture_path=f"res://{picture}", tile_size=[width, height], tiles="all"), "input.spec"
    )
    lifted = (height - view.tile_size[1]) // 2
    half, foot = width * 0.3, max(round(height * 0.25), 2)
    low = height / 2 - lifted
    body = [[-half, low - foot], [half, low - foot], [half, low - 1], [-half, low - 1]]
    values: dict[str, Any] = {"y_sort_origin": view.tile_size[1] // 2}
    if lifted:
        values["texture_origin"] = [0, lifted]
    tile = TileSpec(
        atlas_coords=[0, 0],
        source_id=source,
        custom_data={KIND: object_tile_kind(spec.id)},
        collision=body if solid and view.count("physics_layer") else None,
        properties=values,
    )
    edit_tiles(edit, [tile], "input.spec")
    edit.save()


def _size_of(workspace: Workspace, picture: str) -> tuple[int, int]:
    from scenewright.godot.assets.images.pictures import picture_size

    return picture_size(workspace.files.read(picture)) or (16, 16)


def stage_player(workspace: Workspace, index: ClassIndex, *, redraw: bool) -> ObjectFiles:
    """Stage a hero who walks: sprite, sheet, animations, script and scene; what is there stays."""
    from scenewright.godot.pixel_art.sprite_frames import FrameWish, stage_sprite_frames
    from scenewright.pixel.aseprite_writer import write_sprite
    from scenewright.pixel.worlds.hero_art import draw_hero

    stem = f"{FOLDER}/player"
    if redraw or not workspace.files.exists(f"{stem}.aseprite"):
        workspace.files.write(f"{stem}.aseprite", write_sprite(draw_hero()))
    sprite = open_sprite(workspace, f"{stem}.aseprite")
    wish = FrameWish(f"{stem}.png", overwrite=True)
    stage_sprite_frames(workspace, index, sprite, f"{stem}.tres", wish)
    if not workspace.files.exists(f"{stem}.gd"):
        workspace.files.write(f"{stem}.gd", _PLAYER_SCRIPT.replace("SPEED", f"{PLAYER_SPEED}.0").encode())
    if redraw or not workspace.files.exists(f"{stem}.tscn"):
        _stage_player_scene(workspace, index, stem)
    return ObjectFiles(f"{stem}.png", (sprite.width, sprite.height), scene=f"{stem}.tscn")


def _stage_player_scene(workspace: Workspace, index: ClassIndex, stem: str) -> None:
    place = f"{stem}.tscn"
    uid = workspace.scene_uid(place) if workspace.files.exists(place) else None
    values = {"motion_mode": 1}  # without a floor
    scene = new_scene("Player", "CharacterBody2D", values, uid=uid or new_uid())
    workspace.save(place, scene.document)
    edit = SceneEdit(workspace, index, place)
    edit.set(".", {"script": f"res://{stem}.gd"})
    sprite = {"sprite_frames": f"res://{stem}.tres", "animation": "idle", "position": [0, -8]}
    edit.add(Addition(name="AnimatedSprite2D", kind="AnimatedSprite2D", properties=sprite))
    shape = {"$resource": "RectangleShape2D", "props": {"size": [8, 5]}}
    edit.add(
        Addition(name="CollisionShape2D", kind="CollisionShape2D", properties={"position": [0, -3], "shape": shape})
    )
    camera = {"zoom": [3, 3], "position_smoothing_enabled": True}
    edit.add(Addition(name="Camera2D", kind="Camera2D", properties=camera))
    edit.save()
