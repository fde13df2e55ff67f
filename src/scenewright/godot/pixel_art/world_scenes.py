"""Worlds as scenes: a TileMapLayer for each role of the land; a scene that exists keeps all else that is in it."""

from __future__ import annotations

import struct
from typing import TYPE_CHECKING, Any

import msgspec

from scenewright.core.faults import Invalid
from scenewright.godot.documents import nodes
from scenewright.godot.documents import variant as v
from scenewright.godot.documents.creation import new_scene
from scenewright.godot.documents.ids import new_uid
from scenewright.godot.documents.node_moves import move_node
from scenewright.godot.documents.scene import Scene, external_files
from scenewright.godot.documents.tree import TreeNode
from scenewright.godot.pixel_art.terrain_tables import TerrainTable
from scenewright.godot.pixel_art.world_layers import (
    LayerCells,
    layer_rows,
    packed_cells,
    terrain_layer,
    water_layer,
    with_bridges,
)
from scenewright.godot.scenes.scene_edit import Addition, SceneEdit
from scenewright.godot.tiles.cells import Cells
from scenewright.godot.tiles.layer import with_room_for_bytes
from scenewright.pixel.worlds.land import PATH, WATER, Land
from scenewright.pixel.worlds.specs import ROLES, LayerSpec, WorldSpec

if TYPE_CHECKING:
    from scenewright.godot.classes.index import ClassIndex
    from scenewright.godot.project.workspace import Workspace

__all__ = ["OBJECTS", "Stroke", "WorldScene", "add_layer", "default_layers", "open_world"]

OBJECTS = "objects"
_NAMES: dict[str, str] = {
    "water": "Water",
    "shore": "Shore",
    "ground": "Ground",
    "growth": "Growth",
    "rock": "Rock",
    "path": "Path",
    OBJECTS: "Objects",
}


class Stroke(msgspec.Struct, frozen=True):
    """A layer whose tiles the engine has to choose, since the terrain lacks some."""

    layer: str
    terrain: str
    cells: list[tuple[int, int]]


def default_layers() -> list[LayerSpec]:
    """Return the layers of a world, the lowest first; things stand above the land."""
    return [LayerSpec(name=_NAMES[role], type=role) for role in (*ROLES, OBJECTS)]


def open_world(workspace: Workspace, index: ClassIndex, path: str) -> SceneEdit:
    """Return a scene that exists, or a new one.

    Raises:
        Invalid: the path is no scene's.
    """
    place = workspace.place(path)
    if not place.endswith(".tscn"):
        raise Invalid("A scene's file name ends in .tscn.", path="input.spec.scenePath", rule="suffix")
    if not workspace.files.exists(place):
        stem = place.rpartition("/")[2].removesuffix(".tscn")
        name = "".join(part[:1].upper() + part[1:] for part in stem.replace("-", "_").split("_")) or "World"
        workspace.save(place, new_scene(name, "Node2D", uid=new_uid()).document)
    return SceneEdit(workspace, index, place)


class WorldScene:
    """The layers of one world; `strokes` are left to the engine."""

    def __init__(self, edit: SceneEdit, spec: WorldSpec, table: TerrainTable, seed: int) -> None:
        self.edit = edit
        self.table = table
        self.strokes: list[Stroke] = []
        self.counts: dict[str, int] = {}
        self.warnings: list[str] = []
        self.kept: dict[str, Cells] = {}  # cells of a layer that the engine leaves alone, such as bridges
        self._seed = seed
        self._layers = self._wanted(spec)

    def _wanted(self, spec: WorldSpec) -> list[LayerSpec]:
        known = (*ROLES, OBJECTS)
        for number, layer in enumerate(spec.layers):
            if layer.type.lower() not in known:
                raise Invalid(
                    f"There is no layer of the type '{layer.type}'.",
                    path=f"input.spec.layers[{number}].type",
                    rule="enum",
                    hint=f"Types are: {', '.join(known)}.",
                )
        named = {layer.type.lower() for layer in spec.layers}
        return [*(layer for layer in default_layers() if layer.type not in named), *spec.layers]

    def name_of(self, type_: str) -> str:
        return next(layer.name for layer in self._layers if layer.type.lower() == type_)

    def paint(self, land: Land, tileset: str) -> None:
        """Give each role that occurs its layer, and make a place for things."""
        for layer in sorted(self._layers, key=lambda layer: [*ROLES, OBJECTS].index(layer.type.lower())):
            role = layer.type.lower()
            if role == OBJECTS:
                self.ensure(layer.name, "Node2D", {"y_sort_enabled": True, "z_index": layer.z_index})
                continue
            cells = self._cells(land, ROLES.index(role), layer)
            path = self._tile_layer(layer, tileset) if cells is not None or self._has(layer.name) else None
            if path is not None:
                self.put(path, cells)

    def _cells(self, land: Land, role: int, layer: LayerSpec) -> LayerCells | None:
        """What a layer shows; None where it has nothing."""
        if role == WATER:
            solid = self.table.tiles_of(("water",))
            if WATER not in land.cells and not any(land.is_bridge(at) for at in land.under):
                return None
            if not solid:
                self.warnings.append("The tile set has no tile whose custom data 'kind' is 'water'; water is empty.")
                return None
            return water_layer(land, solid, self.table.tiles_of(("shallow", "water")))
        rows = layer_rows(land, role)
        if not any(map(any, rows)):
            return None
        name = self.table.terrain_of_role(role)
        if name is None:
            self.warnings.append(f"The tile set has no terrain for {ROLES[role]}; its cells are empty.")
            return None
        tiles = self.table.terrains[name]
        if tiles.is_complete:
            cells = terrain_layer(rows, tiles, self._seed)
        else:
            marked = [(x, y) for y, row in enumerate(rows) for x, here in enumerate(row) if here]
            self.strokes.append(Stroke(layer.name, name, marked))
            cells = LayerCells([[None] * land.width for _ in rows])
        if role == PATH and (across := self.table.tiles_of(("bridge",))):
            with_bridges(cells, land, across, self.table.tiles_of(("bridge_upright", "bridge")))
        return cells

    def leave_to_engine(self, land: Land) -> None:
        """Have all terrains painted by the engine."""
        self.strokes.clear()
        for layer in self._layers:
            role = layer.type.lower()
            name = self.table.terrain_of_role(ROLES.index(role)) if role in ROLES and role != "water" else None
            if name is not None and self._has(layer.name):
                rows = layer_rows(land, ROLES.index(role))
                marked = [(x, y) for y, row in enumerate(rows) for x, here in enumerate(row) if here]
                self.strokes.append(Stroke(layer.name, name, marked))

    def organize(self) -> None:
        """Put the layers of the scene in their order, the lowest first."""
        order = {layer.name: number for number, layer in enumerate(self._layers)}
        known = [node.name for node in self.edit.tree.root.children if node.name in order]
        for name in sorted(known, key=lambda name: -order[name]):
            first = self.edit.tree.root.children[0].name
            if name != first:
                self.edit.scene = move_node(self.edit.scene, name, ".", before=first, tree=self.edit.tree)

    def _tile_layer(self, layer: LayerSpec, tileset: str) -> str:
        values: dict[str, Any] = {"tile_set": tileset, "z_index": layer.z_index}
        return self.ensure(layer.name, "TileMapLayer", values)

    def ensure(self, name: str, kind: str, values: dict[str, Any]) -> str:
        """Return the path of a node below the root, made where there is none."""
        if self._has(name):
            return self.edit.node(name, wanted=kind).path
        above = next((node.name for node in self.edit.tree.root.children if node.name == self.name_of(OBJECTS)), None)
        before = above if kind == "TileMapLayer" else None
        return self.edit.add(Addition(name=name, kind=kind, properties=values, before=before)).path

    def _has(self, name: str) -> bool:
        return self.edit.tree.find(name) is not None

    def put(self, path: str, cells: LayerCells | None) -> None:
        """Write a layer's cells."""
        data = packed_cells(cells) if cells is not None else b""
        self.counts[path] = cells.count if cells is not None else 0
        self.put_bytes(path, data)

    def put_bytes(self, path: str, data: bytes) -> None:
        scene = nodes.override_node(self.edit.scene, path, self.edit.tree)
        if not data:
            own = scene.node(path).section.find("tile_map_data")
            self.edit.scene = nodes.remove_properties(scene, path, ["tile_map_data"]) if own is not None else scene
            return
        if len(data) >= 64:
            scene = Scene(with_room_for_bytes(scene.document, _few_cells()))
        self.edit.scene = nodes.set_properties(scene, path, {"tile_map_data": v.PackedByteArray(data)})


def add_layer(edit: SceneEdit, name: str, *, tiles: bool, tileset: str | None, z_index: int) -> str:
    """Add a layer to a scene, of tiles or for things; return its path."""
    if not tiles:
        values: dict[str, Any] = {"y_sort_enabled": True, "z_index": z_index}
        return edit.add(Addition(name=name, kind="Node2D", properties=values)).path
    if tileset is None:
        tileset = next((path for node in edit.tree.root.children if (path := _tileset_path(node)) is not None), None)
    values = {"z_index": z_index} | ({} if tileset is None else {"tile_set": tileset})
    return edit.add(Addition(name=name, kind="TileMapLayer", properties=values)).path


def _tileset_path(node: TreeNode) -> str | None:
    """The file of a layer's tile set."""
    property_ = node.find("tile_set")
    if property_ is None or not isinstance(property_.value, v.ExtResource):
        return None
    files = external_files(property_.section.document)
    return next((file.path for file in files if file.id == property_.value.id), None)


def _few_cells() -> Cells:
    """Cells whose bytes are as many as make a scene's format the newer one."""
    head = b"\0\0"
    return Cells.from_bytes(head + b"".join(struct.pack("<hhHHHH", x, 0, 0, 0, 0, 0) for x in range(6)))
