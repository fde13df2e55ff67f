"""The tile sets that LDtk layers need: one file for each LDtk tileset and grid, made, or kept and completed."""

from __future__ import annotations

from typing import Any

from scenewright.core.faults import Fault
from scenewright.godot.classes.index import ClassIndex
from scenewright.godot.documents import variant as v
from scenewright.godot.documents.creation import new_resource
from scenewright.godot.documents.ids import new_uid
from scenewright.godot.project.workspace import Workspace
from scenewright.godot.tiles.coords import Pair
from scenewright.godot.tiles.ldtk import Layer, Project, Tileset, beside
from scenewright.godot.tiles.specs import CustomLayerSpec, LayerSpecs, SourceSpec, TileSpec
from scenewright.godot.tiles.tiledata import edit_tiles
from scenewright.godot.tiles.tileset import TileSetPlace, open_tileset
from scenewright.godot.tiles.tileset_edit import TileSetEdit

__all__ = ["LdtkTilesets"]

_DATA, _TAGS = "ldtk_data", "ldtk_tags"


class LdtkTilesets:
    """Makes each tile set when a layer first needs it."""

    def __init__(
        self, workspace: Workspace, index: ClassIndex, project: Project, ldtk_folder: str, folder: str
    ) -> None:
        self._workspace = workspace
        self._index = index
        self._project = project
        self.ldtk_folder = ldtk_folder
        self._folder = folder
        self._edits: dict[tuple[int, int], TileSetEdit] = {}
        self.warnings: list[str] = []

    @property
    def paths(self) -> list[str]:
        return [f"res://{edit.where.file}" for edit in self._edits.values()]

    def path(self, layer: Layer) -> str | None:
        """Return the path of a layer's complete tile set, or None where LDtk keeps the picture to itself."""
        tileset = None if layer.tileset is None else self._project.tileset(layer.tileset)
        if tileset is None or not layer.tiles:
            return None
        if tileset.rel_path is None:
            self.warnings.append(f"Layer '{layer.name}' uses LDtk's own icons, which are not a file: it was left out.")
            return None
        edit = self._edits.get((tileset.uid, layer.grid)) or self._open_tileset(tileset, layer.grid)
        self._add_missing_tiles(edit, tileset, {self.coords(layer, tile.src) for tile in layer.tiles})
        edit.save()
        return f"res://{edit.where.file}"

    def coords(self, layer: Layer, src: Pair) -> Pair:
        """Return the place in the atlas of what is at these pixels of the picture."""
        tileset = self._project.tileset(layer.tileset or 0)
        assert tileset is not None  # the layer has one, or it has no tiles
        step = tileset.tile_grid_size + tileset.spacing
        return (src[0] - tileset.padding) // step, (src[1] - tileset.padding) // step

    def _open_tileset(self, tileset: Tileset, grid: int) -> TileSetEdit:
        suffix = "" if grid == tileset.tile_grid_size else f"_{grid}"
        place = f"{self._folder}/{tileset.identifier}{suffix}.tres".lstrip("/")
        if self._workspace.files.exists(place):
            view, where = open_tileset(self._workspace, place)
            edit = TileSetEdit(self._workspace, self._index, view.document, where)
        else:
            document = new_resource("TileSet", {"tile_size": v.Vector2i(grid, grid)}, uid=new_uid())
            edit = TileSetEdit(self._workspace, self._index, document, TileSetPlace(place))
        if 0 not in edit.view.sources:
            self._add_source(edit, tileset)
        self._edits[tileset.uid, grid] = edit
        return edit

    def _add_source(self, edit: TileSetEdit, tileset: Tileset) -> None:
        size, spacing, padding = tileset.tile_grid_size, tileset.spacing, tileset.padding
        texture = beside(self._workspace, self.ldtk_folder, tileset.rel_path or "")
        spec: dict[str, Any] = {
            "id": 0,
            "texture_path": texture,
            "tile_size": [size, size],
            "margins": [padding, padding],
            "separation": [spacing, spacing],
        }
        before = edit.document
        try:
            edit.add_source(SourceSpec(**spec), "input.ldtkPath")
        except Fault:  # a picture that only the engine can read
            edit.document = before
            edit.add_source(SourceSpec(**spec, tiles="none"), "input.ldtkPath")
        self._add_data(edit, tileset)
        self.warnings += [warning for warning in edit.warnings if warning not in self.warnings]

    def _add_data(self, edit: TileSetEdit, tileset: Tileset) -> None:
        """LDtk's custom data and enum tags of tiles, as custom data layers."""
        tags: dict[int, list[str]] = {}
        for tag in tileset.enum_tags:
            for number in tag.tile_ids:
                tags.setdefault(number, []).append(tag.enum_value_id)
        custom: dict[int, dict[str, Any]] = {}
        for entry in tileset.custom_data:
            custom.setdefault(entry.tile_id, {})[_DATA] = entry.data
        for number, names in tags.items():
            custom.setdefault(number, {})[_TAGS] = names
        used = {name for data in custom.values() for name in data}
        layers = [
            CustomLayerSpec(name=name, type=kind)
            for name, kind in ((_DATA, "String"), (_TAGS, "PackedStringArray"))
            if name in used and name not in edit.view.custom_layers
        ]
        edit.add_layers(LayerSpecs(custom_data=layers))
        room = tileset.px_wid - 2 * tileset.padding + tileset.spacing
        across = max(room // (tileset.tile_grid_size + tileset.spacing), 1)
        specs = [
            TileSpec(atlas_coords=[number % across, number // across], source_id=0, custom_data=data)
            for number, data in sorted(custom.items())
        ]
        edit_tiles(edit, specs, "input.ldtkPath")

    def _add_missing_tiles(self, edit: TileSetEdit, tileset: Tileset, used: set[Pair]) -> None:
        """Every tile that is used; on a grid of another size the picture stays at the cell's corner, as in LDtk."""
        _, atlas = edit.view.atlas(0, "input.ldtkPath")
        changes: dict[str, v.Variant | None] = {f"{x}:{y}/0": 0 for x, y in sorted(used - atlas.taken().keys())}
        shift = (edit.view.tile_size[0] - tileset.tile_grid_size) // 2
        if shift:
            for x, y in {*atlas.tiles, *used}:
                changes[f"{x}:{y}/0/texture_origin"] = v.Vector2i(shift, shift)
        if changes:
            edit.change_atlas(0, changes)
