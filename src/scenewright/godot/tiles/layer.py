"""A TileMapLayer of a scene, or a layer of the older TileMap: its cells, and the tile set they come from."""

from __future__ import annotations

import msgspec

from scenewright.core.faults import Fault, Invalid
from scenewright.godot.documents import nodes
from scenewright.godot.documents import variant as v
from scenewright.godot.documents.document import Document
from scenewright.godot.documents.scene import Scene, external_files
from scenewright.godot.documents.tree import TreeNode
from scenewright.godot.project.workspace import Workspace
from scenewright.godot.scenes.scene_edit import SceneEdit
from scenewright.godot.tiles.cells import Cells
from scenewright.godot.tiles.tileset import TileSetPlace, TileSetView, open_tileset, view_of

__all__ = ["LayerView", "open_layer", "put_cells", "with_room_for_bytes"]

_OLD_FORMAT = 2
_NUMBERS, _BASE64 = 3, 4  # formats of scenes, by how they write bytes
_MANY_BYTES = 64


class LayerView(msgspec.Struct, frozen=True):
    """What a layer holds."""

    node: TreeNode
    property: str
    cells: Cells
    tileset: TileSetView | None
    problem: str | None
    """Why its tile set could not be read."""


def open_layer(edit: SceneEdit, path: str, layer: int) -> LayerView:
    """Open a layer of a scene; `layer` counts those of a TileMap, a TileMapLayer has only one.

    Raises:
        NotFound: there is no such node.
        Invalid: it is no tile map, or of a format that is not known.
    """
    node = edit.node(path, parameter="tilemapNodePath")
    if node.type == "TileMap":
        name = f"layer_{layer}/tile_data"
        return LayerView(node, name, _read_tile_data(node, name), *_open_layer_tileset(edit.workspace, node))
    edit.node(path, wanted="TileMapLayer", parameter="tilemapNodePath")
    if layer:
        raise Invalid(
            f"'{node.path}' is a TileMapLayer, which has only one layer.",
            path="input.layer",
            rule="layer",
            hint="Leave layer out; other layers are nodes of their own.",
        )
    property_ = node.find("tile_map_data")
    value = property_.value if property_ is not None else None
    data = value.data if isinstance(value, v.PackedByteArray) else b""
    return LayerView(node, "tile_map_data", Cells.from_bytes(data), *_open_layer_tileset(edit.workspace, node))


def put_cells(edit: SceneEdit, layer: LayerView, cells: Cells) -> None:
    """Write cells to a layer."""
    scene = nodes.override_node(edit.scene, layer.node.path, edit.tree)
    own = scene.node(layer.node.path)
    if not len(cells) and own.section.find(layer.property) is not None and not own.is_override:
        edit.scene = nodes.remove_properties(scene, layer.node.path, [layer.property])
        return
    if layer.node.type == "TileMap":
        values: dict[str, v.Variant] = {"format": _OLD_FORMAT, layer.property: cells.to_old()}
    else:
        values = {layer.property: cells.packed()}
        scene = Scene(with_room_for_bytes(scene.document, cells))
    edit.scene = nodes.set_properties(scene, layer.node.path, values)


def with_room_for_bytes(document: Document, cells: Cells) -> Document:
    """Return the scene in the format that the engine saves it in once it holds so many bytes."""
    if document.format == _NUMBERS and len(cells.to_bytes()) >= _MANY_BYTES:
        return document.set_attribute(document.sections[0], "format", _BASE64)
    return document


def _read_tile_data(node: TreeNode, name: str) -> Cells:
    property_, format_ = node.find(name), node.find("format")
    if property_ is None or not isinstance(property_.value, v.PackedInt32Array):
        return Cells()
    if format_ is None or format_.value != _OLD_FORMAT:
        raise Invalid(
            f"'{node.path}' is a TileMap in an older format.",
            path="input.tilemapNodePath",
            rule="format",
            hint="Open and save the scene in Godot 4 first.",
        )
    return Cells.from_old(property_.value)


def _open_layer_tileset(workspace: Workspace, node: TreeNode) -> tuple[TileSetView | None, str | None]:
    property_ = node.find("tile_set")
    if property_ is None:
        return None, "it has no tile set"
    document, value = property_.section.document, property_.value
    try:
        if isinstance(value, v.SubResource):
            return view_of(document, TileSetPlace((document.path or "").removeprefix("res://"), value.id)), None
        if isinstance(value, v.ExtResource):
            path = next((file.path for file in external_files(document) if file.id == value.id), None)
            return (open_tileset(workspace, path)[0], None) if path else (None, "its tile set is not declared")
    except Fault as problem:
        return None, problem.message
    return None, "it has no tile set"
