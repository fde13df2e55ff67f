"""Slices of a sprite as resources of Godot: textures, boxes of nine parts, and hit boxes in a scene."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from scenewright.godot.animation.inner_resources import HeldResource, ResourceEdit
from scenewright.godot.animation.sheets import open_texture
from scenewright.godot.documents import variant as v
from scenewright.godot.documents.creation import new_resource
from scenewright.godot.documents.ids import new_uid
from scenewright.godot.documents.tree import TreeNode
from scenewright.godot.pixel_art.import_records import RECORD
from scenewright.godot.pixel_art.tag_animations import ACROSS
from scenewright.godot.scenes.scene_edit import Addition, SceneEdit

if TYPE_CHECKING:
    from scenewright.godot.classes.index import ClassIndex
    from scenewright.godot.project.workspace import Workspace
    from scenewright.pixel.sprite import Rect, SliceKey, Sprite

__all__ = ["SliceResources", "add_hit_box", "slice_file"]


def slice_file(name: str) -> str:
    """Return a slice's name as part of a file's."""
    return "".join(letter if letter.isalnum() or letter in "-_" else "_" for letter in name) or "slice"


class SliceResources:
    """Makes the resources of one sprite's slices, or brings them up to date."""

    def __init__(self, workspace: Workspace, index: ClassIndex, sprite: Sprite, sheet: str) -> None:
        self._workspace = workspace
        self._sprite = sprite
        self._texture = open_texture(workspace, index, sheet)

    def stage(self, stem: str, name: str, key: SliceKey, frame: int) -> tuple[str, str | None]:
        """Stage a slice's AtlasTexture and, where it has nine parts, its StyleBoxTexture; return their paths."""
        x, y, width, height = key.bounds
        column, row = frame % ACROSS, frame // ACROSS
        place = (column * self._sprite.width + x, row * self._sprite.height + y)
        region = v.Rect2(float(place[0]), float(place[1]), float(width), float(height))
        texture = self._put(
            f"{stem}_{slice_file(name)}.tres", "AtlasTexture", {"atlas": self._texture.file, "region": region}
        )
        if key.center is None:
            return texture, None
        margins = dict(zip(("left", "top", "right", "bottom"), _margins(key.center, width, height), strict=True))
        values: dict[str, Any] = {"texture": self._texture.file}
        values |= {f"texture_margin_{side}": float(margin) for side, margin in margins.items()}
        values["region_rect"] = region
        return texture, self._put(f"{stem}_{slice_file(name)}_box.tres", "StyleBoxTexture", values)

    def _put(self, place: str, kind: str, values: dict[str, Any]) -> str:
        """Make a resource, or set what has changed in the sprite since the last import; what a person set stays."""
        new = None if self._workspace.files.exists(place) else new_resource(kind, uid=new_uid())
        part = HeldResource(ResourceEdit(self._workspace, place, new), None)
        stored = part.value(RECORD)
        last = stored if isinstance(stored, v.Dictionary) else v.Dictionary()
        now = tuple((name, value) for name, value in values.items() if value != self._texture.file)
        part.set({name: value for name, value in values.items() if last.get(name) != value})
        if last.entries != now:
            part.set({RECORD: v.Dictionary(now)})
        part.holder.save()
        return f"res://{place}"


def _margins(center: Rect, width: int, height: int) -> tuple[int, int, int, int]:
    """How far the middle part is from each side."""
    x, y, inner_width, inner_height = center
    return x, y, max(width - x - inner_width, 0), max(height - y - inner_height, 0)


def add_hit_box(edit: SceneEdit, parent: str, name: str, key: SliceKey, sprite: Sprite, layer: Any) -> str:
    """Give a node an Area2D as large as a slice, where the slice is in a sprite whose middle is the node's origin."""
    x, y, width, height = key.bounds
    middle = [x + width / 2 - sprite.width / 2, y + height / 2 - sprite.height / 2]
    node = edit.node(parent).path
    path = name if node == "." else f"{node}/{name}"
    shape = {"$resource": "RectangleShape2D", "props": {"size": [width, height]}}
    if edit.tree.find(path) is None:
        values = {"collision_layer": layer}
        path = edit.add(Addition(name=name, kind="Area2D", parent=node, properties=values)).path
        placed = {"position": middle, "shape": shape}
        edit.add(Addition(name="CollisionShape2D", kind="CollisionShape2D", parent=path, properties=placed))
        return path
    edit.node(path, wanted="Area2D")
    inner = edit.node(f"{path}/CollisionShape2D", wanted="CollisionShape2D")
    if not _is_so(inner, middle, (width, height)):
        edit.set(inner.path, {"position": middle, "shape": shape})
    return path


def _is_so(inner: TreeNode, middle: list[float], size: tuple[int, int]) -> bool:
    """Whether a hit box has its place and size already; a place of nothing is left out of files."""
    place, shape = inner.find("position"), inner.find("shape")
    at = place.value if place is not None else v.Vector2(0.0, 0.0)
    if at != v.Vector2(float(middle[0]), float(middle[1])) or shape is None:
        return False
    reference = shape.value
    section = (
        shape.section.document.find("sub_resource", id=reference.id) if isinstance(reference, v.SubResource) else None
    )
    written_size = section.find("size") if section is not None else None
    return written_size is not None and written_size.value == v.Vector2(float(size[0]), float(size[1]))
