"""Things put into a world: cells chosen by what the scene's own tiles say of them, then instances or tiles."""

from __future__ import annotations

from typing import TYPE_CHECKING

from scenewright.core.faults import Invalid, NotFound
from scenewright.godot.documents import variant as v
from scenewright.godot.documents.nodes import remove_node
from scenewright.godot.pixel_art.object_files import object_tile_kind
from scenewright.godot.pixel_art.places import PLACED
from scenewright.godot.pixel_art.terrain_tables import TerrainTable
from scenewright.godot.pixel_art.world_scenes import add_layer
from scenewright.godot.scenes.scene_edit import Addition, SceneEdit
from scenewright.godot.tiles.cells import Cells, Tile
from scenewright.godot.tiles.layer import open_layer, put_cells
from scenewright.godot.tiles.tileset import TileSetView
from scenewright.pixel.worlds.placement import Cell, chosen_cells
from scenewright.pixel.worlds.specs import ROLES, ObjectSpec, Placement
from scenewright.pixel.worlds.themes import role_of_terrain

if TYPE_CHECKING:
    from scenewright.godot.classes.index import ClassIndex

__all__ = ["WorldObjects"]

_THINGS, _OBJECTS = "Things", "Objects"
_WATER = ROLES.index("water")
_BRIDGE = ROLES.index("path")


class WorldObjects:
    """The cells of a world by role, and what stands on them."""

    def __init__(self, edit: SceneEdit, index: ClassIndex) -> None:
        self.edit = edit
        self.index = index
        self.roles: dict[Cell, int] = {}
        self.names: dict[Cell, str] = {}
        self.taken: set[Cell] = set()
        self.view: TileSetView | None = None
        for node in edit.tree.root.children:
            if node.type == "TileMapLayer":
                self._read(node.path)
        self._tile = self.view.tile_size if self.view is not None else (16, 16)
        for node in edit.tree.nodes.values():
            if any(group.startswith(PLACED) for group in node.groups):
                place = node.find("position")
                if place is not None and isinstance(place.value, v.Vector2):
                    self.taken.add(self._cell_of(place.value))

    def _read(self, path: str) -> None:
        """Learn what a layer shows; a layer above hides those below."""
        layer = open_layer(self.edit, path, 0)
        if layer.tileset is None:
            return
        self.view = self.view or layer.tileset
        table = TerrainTable(layer.tileset)
        special = {tile: kind for kind, tiles in table.kinds.items() for tile in tiles}
        roles: dict[Tile, int | None] = {}
        for cell, tile in layer.cells:
            if tile not in roles:
                roles[tile] = _role(table, special.get(tile), tile)
            role = roles[tile]
            if special.get(tile, "").startswith("object:"):
                self.taken.add(cell)
            elif role is not None:
                self.roles[cell] = role

    def _cell_of(self, place: v.Vector2) -> Cell:
        return int(place.x // self._tile[0]), int((place.y - 1) // self._tile[1])

    def _foot(self, cell: Cell) -> list[float]:
        """Where a thing stands that stands on a cell: in its middle, at its lower edge."""
        return [(cell[0] + 0.5) * self._tile[0], (cell[1] + 1.0) * self._tile[1] - 2]

    def _chosen(self, spec: ObjectSpec, seed: int) -> list[Cell]:
        placement = spec.placement
        if placement.count is None and placement.density is None:
            raise Invalid("Give density or count.", path="input.spec.placement.density", rule="required")
        if not self.roles:
            raise NotFound("The scene has no tiles with terrain.", hint="pixel_world_generate makes such a scene.")
        on, off, near = (
            _roles(names) for names in (placement.on_tiles, placement.avoid_tiles, placement.prefer_near_tiles)
        )
        cells = [
            cell
            for cell, role in self.roles.items()
            if (role in on if on else role != _WATER) and role not in off and cell not in self.taken
        ]

        def is_near(cell: Cell, distance: int) -> bool:
            reach = range(-distance, distance + 1)
            return any(self.roles.get((cell[0] + dx, cell[1] + dy)) in near for dx in reach for dy in reach)

        return chosen_cells(cells, placement, is_near, self.taken, f"{seed}:{spec.id}")

    def place_scenes(
        self,
        spec: ObjectSpec,
        scene: str,
        layer: str | None,
        seed: int,
        start: list[list[int]] | None,
        *,
        again: bool,
    ) -> tuple[str, list[Cell]]:
        """Instance a scene on the chosen cells, or at the start of the way; return the layer and the cells."""
        parent = layer or _OBJECTS
        if self.edit.tree.find(parent) is None:
            add_layer(self.edit, parent, tiles=False, tileset=None, z_index=0)
        mark = f"{PLACED}{spec.id}"
        if again:
            self._take_away(mark)
        cells = [(start[0][0], start[0][1])] if start else self._chosen(_counted(spec), seed)
        name = spec.id[:1].upper() + spec.id[1:]
        for cell in cells:
            self.edit.add(
                Addition(
                    name=self.edit.free_name(parent, name),
                    instance=f"res://{scene}",
                    parent=parent,
                    properties={"position": self._foot(cell)},
                    groups=(mark,),
                )
            )
        return parent, cells

    def _take_away(self, mark: str) -> None:
        marked = [node for node in self.edit.tree.nodes.values() if mark in node.groups]
        for node in marked:
            place = node.find("position")
            if place is not None and isinstance(place.value, v.Vector2):
                self.taken.discard(self._cell_of(place.value))
            self.edit.scene = remove_node(self.edit.scene, node.path)

    def place_tiles(self, spec: ObjectSpec, layer: str | None, seed: int, *, again: bool) -> tuple[str, list[Cell]]:
        """Paint a thing's tile on the chosen cells; return the layer and the cells."""
        name = layer or _THINGS
        if self.edit.tree.find(name) is None:
            tileset = self.view.path if self.view is not None else None
            name = add_layer(self.edit, name, tiles=True, tileset=tileset, z_index=0)
            self.edit.set(name, {"y_sort_enabled": True})
        view = open_layer(self.edit, name, 0)
        tiles = TerrainTable(view.tileset).kinds.get(object_tile_kind(spec.id), []) if view.tileset else []
        if not tiles:
            raise NotFound(
                f"The tile set has no tile of '{spec.id}'.",
                hint="pixel_object_generate adds it: pass representation 'tile' and tilesetPath.",
            )
        kept = [(cell, tile) for cell, tile in view.cells if not again or tile not in tiles]
        self.taken -= {cell for cell, _ in view.cells} - {cell for cell, _ in kept}
        cells = self._chosen(spec, seed)
        put_cells(self.edit, view, Cells([*kept, *((cell, tiles[0]) for cell in cells)]))
        return view.node.path, cells


def _counted(spec: ObjectSpec) -> ObjectSpec:
    """A thing with a number, where nothing says how many."""
    import msgspec

    if spec.placement.count is None and spec.placement.density is None:
        placement: Placement = msgspec.structs.replace(spec.placement, count=1)
        return msgspec.structs.replace(spec, placement=placement)
    return spec


def _role(table: TerrainTable, kind: str | None, tile: Tile) -> int | None:
    if kind in ("water", "shallow"):
        return _WATER
    if kind in ("bridge", "bridge_upright"):
        return _BRIDGE
    return table.role_of(tile)


def _roles(names: list[str]) -> set[int]:
    roles = set()
    for name in names:
        role = role_of_terrain(name)
        if role is None:
            raise Invalid(
                f"There is no kind of tile '{name}'.",
                path="input.spec.placement",
                rule="enum",
                hint=f"Give roles ({', '.join(ROLES)}) or names of terrains.",
            )
        roles.add(role)
    return roles
