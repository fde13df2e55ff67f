"""One TileSet that a call changes: its layers, terrains and sources; nothing is staged before `save`."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from colorsys import hsv_to_rgb
from typing import Any

from scenewright.core.faults import Conflict, Invalid, NotFound, did_you_mean
from scenewright.core.text.counts import with_article
from scenewright.godot.classes.index import ClassIndex
from scenewright.godot.classes.records import Property
from scenewright.godot.classes.variant import VARIANT_TYPES
from scenewright.godot.documents import variant as v
from scenewright.godot.documents.document import Document
from scenewright.godot.documents.resources import add_external_file, add_inner_resource, remove_resource
from scenewright.godot.project.addresses import Addresses
from scenewright.godot.project.workspace import Workspace
from scenewright.godot.scenes.property_access import Properties
from scenewright.godot.tiles.coords import Pair, natural_pair, positive_pair
from scenewright.godot.tiles.section_rewrite import rewritten
from scenewright.godot.tiles.specs import LayerSpecs, SourceSpec, TerrainSpec
from scenewright.godot.tiles.tileset import (
    CUSTOM,
    NAVIGATION,
    OCCLUSION,
    PHYSICS,
    Atlas,
    TileSetPlace,
    TileSetView,
    view_of,
)
from scenewright.godot.values.coercion import coerce
from scenewright.godot.values.placement import place

__all__ = ["TileSetEdit", "atlas_rank"]

_GROUPS = (
    "tile_shape",
    "tile_layout",
    "tile_offset_axis",
    "tile_size",
    "uv_clipping",
    "occlusion_layer",
    "physics_layer",
    "terrain_set",
    "navigation_layer",
    "custom_data_layer",
    "sources",
    "tile_proxies",
    "pattern",
)
_LAYER = re.compile(r"([a-z_]+?)_(\d+)(?:/(?:terrain_(\d+)/)?(\w+))?")
_OF_LAYER = (
    "mode",
    "name",
    "color",
    "type",
    "layers",
    "light_mask",
    "sdf_collision",
    "collision_layer",
    "collision_mask",
    "collision_priority",
    "physics_material",
)
_MOST_TILES = 20_000


class TileSetEdit:
    """The TileSet so far."""

    def __init__(self, workspace: Workspace, index: ClassIndex, document: Document, where: TileSetPlace) -> None:
        self.workspace = workspace
        self.index = index
        self.document = document
        self.where = where
        self.warnings: list[str] = []
        self._addresses = Addresses(workspace)
        self._context = Properties(workspace, index, kind="TileSet", script=None)

    @property
    def view(self) -> TileSetView:
        return view_of(self.document, self.where)

    def save(self) -> None:
        """Stage the file, once every tile is known to fit its texture."""
        self.check_fit()
        self.workspace.save(self.where.file, self.document)

    def set(self, values: Mapping[str, v.Variant | None]) -> None:
        """Set values of the TileSet itself, as they are to be written; None removes one."""
        self.document = rewritten(self.document, self.view.section, values, _rank)

    def set_properties(self, values: Mapping[str, Any]) -> None:
        """Set properties of the TileSet by their declared types."""
        placed = self._context.place(self.document, values, keep_defaults=False)
        self.document = placed.document
        self.set({name: None if name in placed.defaults else value for name, value in placed.values.items()})

    def add_layers(self, specs: LayerSpecs) -> None:
        """Add layers and terrain sets after the existing ones."""
        self._add_physics(specs)
        first = self.view.count(OCCLUSION)
        for number, occlusion in enumerate(specs.occlusion, first):
            self.set({f"{OCCLUSION}_{number}/light_mask": occlusion.light_mask})
            if occlusion.sdf_collision:
                self.set({f"{OCCLUSION}_{number}/sdf_collision": True})
        first = self.view.count(NAVIGATION)
        self.set({f"{NAVIGATION}_{number}/layers": bits for number, bits in enumerate(specs.navigation, first)})
        self._add_terrains(specs)
        self._add_custom(specs)

    def _add_physics(self, specs: LayerSpecs) -> None:
        for number, spec in enumerate(specs.physics, self.view.count(PHYSICS)):
            values = {
                "collision_layer": spec.collision_layer,
                "collision_mask": spec.collision_mask,
                "collision_priority": spec.collision_priority,
                "physics_material": spec.physics_material,
            }
            self.set_properties(
                {f"{PHYSICS}_{number}/{name}": value for name, value in values.items() if value is not None}
            )

    def _add_terrains(self, specs: LayerSpecs) -> None:
        modes = ("match_corners_and_sides", "match_corners", "match_sides")
        for number, spec in enumerate(specs.terrain_sets, self.view.count("terrain_set")):
            values: dict[str, v.Variant] = {f"terrain_set_{number}/mode": modes.index(spec.mode)}
            for place_, entry in enumerate(spec.terrains):
                terrain = TerrainSpec(name=entry) if isinstance(entry, str) else entry
                base = f"terrain_set_{number}/terrain_{place_}"
                values[f"{base}/name"] = terrain.name
                values[f"{base}/color"] = self._color(terrain, place_)
            self.set(values)

    def _color(self, terrain: TerrainSpec, number: int) -> v.Variant:
        if terrain.color is None:
            return v.Color(*hsv_to_rgb(number * 0.618 % 1, 0.6, 0.8))
        return self.coerced(terrain.color, Property("terrain", "color", "Color", "Color"))

    def _add_custom(self, specs: LayerSpecs) -> None:
        types = {name.lower(): number for number, name in enumerate(VARIANT_TYPES) if name != "Object"}
        for number, spec in enumerate(specs.custom_data, self.view.count(CUSTOM)):
            if spec.name in self.view.custom_layers:
                raise Conflict(f"There is a custom data layer '{spec.name}' already.", retryable=False)
            if spec.type.lower() not in types:
                raise Invalid(
                    f"The engine has no type '{spec.type}'.",
                    path="input.layers.customData",
                    rule="type",
                    hint=did_you_mean(spec.type, VARIANT_TYPES),
                )
            self.set({f"{CUSTOM}_{number}/name": spec.name, f"{CUSTOM}_{number}/type": types[spec.type.lower()]})

    def coerced(self, raw: Any, wanted: Property, *, before: Atlas | None = None) -> v.Variant:
        """Return a value by its declared type; what it needs is added to the document."""
        coerced_value = coerce(raw, wanted, self._context)
        section = self.document.find("sub_resource", id=before.id) if before else None
        self.document, value = place(self.document, coerced_value, before=section)
        return value

    # Sources

    def add_source(self, spec: SourceSpec, where: str) -> int:
        """Add a source, or changes the one with that id."""
        known = self.view.sources
        number = spec.id if spec.id is not None else max(known, default=-1) + 1
        if (spec.texture_path is None) == (spec.scenes is None) and number not in known:
            raise Invalid("A source needs a texturePath or scenes.", path=where, rule="oneOf")
        if number not in known:
            self._new_source(number, "TileSetAtlasSource" if spec.scenes is None else "TileSetScenesCollectionSource")
        source = self.view.sources[number]
        if isinstance(source, Atlas):
            if spec.scenes is not None:
                raise Invalid(f"Source {number} has a texture, not scenes.", path=f"{where}.scenes", rule="source")
            self._set_atlas(number, spec, where)
        else:
            self._add_scenes(number, spec, where)
        return number

    def _new_source(self, number: int, kind: str) -> None:
        inner = None if self.where.inner is None else self.document.find("sub_resource", id=self.where.inner)
        self.document, name = add_inner_resource(self.document, kind, before=inner)
        self.set({f"sources/{number}": v.SubResource(name)})

    def _set_atlas(self, number: int, spec: SourceSpec, where: str) -> None:
        changes: dict[str, v.Variant | None] = {}
        if spec.texture_path is not None:
            changes["texture"] = self._texture(spec.texture_path)
        _, atlas = self.view.atlas(number, where)
        is_new = not atlas.values
        if spec.tile_size is not None or is_new:
            size = self.view.tile_size if spec.tile_size is None else spec.tile_size
            numbers = positive_pair(size, f"{where}.tileSize")
            changes["texture_region_size"] = None if numbers == (16, 16) else v.Vector2i(*numbers)
        for name, value in (("margins", spec.margins), ("separation", spec.separation)):
            if value is not None:
                numbers = natural_pair(value, f"{where}.{name}")
                changes[name] = None if numbers == (0, 0) else v.Vector2i(*numbers)
        for name, value in (spec.properties or {}).items():
            changes[name] = self.coerced(value, self.index.property("TileSetAtlasSource", name), before=atlas)
        self.change_atlas(number, changes)
        if spec.tiles is not None or is_new:
            self._make_tiles(number, spec, where)

    def change_atlas(self, number: int, changes: Mapping[str, v.Variant | None]) -> None:
        _, atlas = self.view.atlas(number, "input.sourceId")
        self.document = rewritten(self.document, atlas.section, changes, atlas_rank(atlas.values))

    def _texture(self, path: str) -> v.ExtResource:
        file = self._addresses.file(path)
        if file.class_name and not self.index.is_a(file.class_name, "Texture2D"):
            raise Invalid(
                f"'{file.path}' is {with_article(file.class_name)}, not a texture.",
                path="input.texturePath",
                rule="class",
            )
        if not file.class_name:
            self.warnings.append(
                f"{file.path} is not imported yet: the engine has no texture until import_assets imports it."
            )
        self.document, name = add_external_file(self.document, "Texture2D", file.path, file.uid)
        return v.ExtResource(name)

    def _make_tiles(self, number: int, spec: SourceSpec, where: str) -> None:
        wanted = "opaque" if spec.tiles is None else spec.tiles
        _, atlas = self.view.atlas(number, where)
        if isinstance(wanted, list):
            cells: Iterable[Pair] = [
                natural_pair(cell, f"{where}.tiles[{place_}]") for place_, cell in enumerate(wanted)
            ]
        else:
            cells = self._texture_cells(atlas, wanted, where)
        taken = atlas.taken()
        self.change_atlas(number, {f"{x}:{y}/0": 0 for x, y in cells if (x, y) not in taken})

    def _texture_cells(self, atlas: Atlas, wanted: Any, where: str) -> Iterable[Pair]:
        """The cells of the texture, all or those that have something in them."""
        from scenewright.godot.assets.images.pictures import opaque_bounds

        if wanted not in ("opaque", "all", "none"):
            raise Invalid(
                f"'{wanted}' names no tiles.",
                path=f"{where}.tiles",
                rule="enum",
                hint="Use opaque, all, none or a list of [x, y].",
            )
        if wanted == "none":
            return []
        picture = self.picture(atlas, where)
        (width, height), (left, top), (across, down) = atlas.region_size, atlas.margins, atlas.separation
        columns = max((picture.width - left + across) // (width + across), 0)
        rows = max((picture.height - top + down) // (height + down), 0)
        if columns * rows > _MOST_TILES:
            raise Invalid(f"{columns * rows} tiles are too many.", path=f"{where}.tileSize", rule="maximum")
        cells = [(x, y) for y in range(rows) for x in range(columns)]
        return [at for at in cells if wanted == "all" or opaque_bounds(picture, atlas.region(at)) is not None]

    def check_fit(self) -> None:
        """Check that every tile is inside its texture, since the engine drops those that are not.

        Raises:
            Invalid: one is not.
        """
        from scenewright.godot.assets.images.pictures import picture_size

        for number, atlas in self.view.sources.items():
            if not isinstance(atlas, Atlas) or atlas.texture is None or atlas.texture.endswith(".svg"):
                continue  # how large a drawing gets is up to its import
            place = self.workspace.place(atlas.texture)
            size = picture_size(self.workspace.files.read(place)) if self.workspace.files.exists(place) else None
            for cell, at in atlas.taken().items() if size else ():
                x, y, width, height = atlas.region(cell)
                if size and (x + width > size[0] or y + height > size[1]):
                    raise Invalid(
                        f"The tile {at[0]}, {at[1]} of source {number} is outside the texture.",
                        path="input.tiles",
                        rule="texture",
                        hint=f"The texture is {size[0]} x {size[1]} pixels; see inspect_image.",
                    )

    def picture(self, atlas: Atlas, where: str) -> Any:
        """Open the texture of an atlas.

        Raises:
            Invalid: it is none that can be looked at.
        """
        from scenewright.godot.assets.images.pictures import open_picture

        if atlas.texture is None:
            raise Invalid(
                "The texture of this source is not a file.",
                path=where,
                rule="texture",
                hint="List the tiles, or give polygons instead of 'alpha'.",
            )
        return open_picture(self.workspace.files, self.workspace.place(atlas.texture), where)

    def _add_scenes(self, number: int, spec: SourceSpec, where: str) -> None:
        if spec.texture_path is not None:
            raise Invalid(f"Source {number} has scenes, not a texture.", path=f"{where}.texturePath", rule="source")
        for path in spec.scenes or ():
            file = self._addresses.file(path)
            if file.class_name != "PackedScene":
                raise Invalid(f"'{file.path}' is not a scene.", path=f"{where}.scenes", rule="class")
            self.document, name = add_external_file(self.document, "PackedScene", file.path, file.uid)
            source = self.view.sources[number]
            free = max((getattr(source, "scenes", {})), default=0) + 1
            section = self.document.find("sub_resource", id=source.id)
            assert section is not None  # it was just found there
            self.document = self.document.set_property(section, f"scenes/{free}/scene", v.ExtResource(name))

    def remove_source(self, number: int) -> None:
        """Remove a source with its tiles.

        Raises:
            NotFound: there is none.
        """
        source = self.view.sources.get(number)
        if source is None:
            known = ", ".join(map(str, self.view.sources))
            raise NotFound(f"The tile set has no source {number}.", hint=f"It has: {known}." if known else None)
        self.set({f"sources/{number}": None})
        self.document = remove_resource(self.document, v.SubResource(source.id))


def _rank(name: str) -> tuple[Any, ...]:
    match = _LAYER.match(name)
    group = match[1] if match and match[1] in _GROUPS else name.partition("/")[0]
    first = _GROUPS.index(group) if group in _GROUPS else -1
    if not match or first < 0 or group == "sources":
        return (first,)
    part = match[4] or ""
    return first, int(match[2]), int(match[3] or -1), _OF_LAYER.index(part) if part in _OF_LAYER else len(_OF_LAYER)


_OF_TILE = (
    "size_in_atlas",
    "next_alternative_id",
    "animation_columns",
    "animation_separation",
    "animation_speed",
    "animation_mode",
    "animation_frame",
)
_OF_DATA = (
    "",
    "flip_h",
    "flip_v",
    "transpose",
    "texture_origin",
    "modulate",
    "material",
    "z_index",
    "y_sort_origin",
    "terrain_set",
    "terrain",
    "probability",
    "occlusion_layer",
    "physics_layer",
    "terrains_peering_bit",
    "navigation_layer",
    "custom_data",
)
_OF_SOURCE = ("resource_name", "texture", "margins", "separation", "texture_region_size", "use_texture_padding")
_IN_TILE = re.compile(r"(\d+:\d+)/(?:(\d+)(?:/(.*))?|(.+))")
_STEM = re.compile(r"[a-z_]+")


def atlas_rank(known: Iterable[str]) -> Any:
    """Return a sort key for a source's properties: its own, then tile by tile in their present order."""
    order: dict[str, int] = {}

    def rank(name: str) -> tuple[Any, ...]:
        matched = _IN_TILE.fullmatch(name)
        if matched is None:
            return (-1, _OF_SOURCE.index(name) if name in _OF_SOURCE else len(_OF_SOURCE))
        tile = order.setdefault(matched[1], len(order))
        if matched[4] is not None:
            return tile, -1, _stem(matched[4], _OF_TILE), _numbers(matched[4])
        data = matched[3] or ""
        return tile, int(matched[2]), _stem(data, _OF_DATA) if data else 0, _numbers(data)

    for name in known:
        rank(name)
    return rank


def _stem(name: str, order: tuple[str, ...]) -> int:
    match = _STEM.match(name)
    stem = match[0].rstrip("_") if match else name
    return order.index(stem) if stem in order else len(order)


def _numbers(name: str) -> tuple[int, ...]:
    return tuple(int(part) for part in re.findall(r"\d+", name))
