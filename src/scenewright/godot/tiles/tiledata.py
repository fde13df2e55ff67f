"""What is on tiles: collision, terrain, custom data, navigation, occlusion, animation and plain properties."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any, TypeAlias

from scenewright.core.faults import Conflict, Invalid, NotFound, did_you_mean
from scenewright.core.text.counts import count_noun
from scenewright.godot.assets.images.outlines import Polygon, crosses, outlines
from scenewright.godot.assets.images.pictures import coverage
from scenewright.godot.classes.records import Property
from scenewright.godot.classes.variant import VARIANT_TYPES
from scenewright.godot.documents import variant as v
from scenewright.godot.documents.resources import add_inner_resource
from scenewright.godot.documents.variant_writer import write_variant
from scenewright.godot.tiles.coords import Pair, natural_pair, pair, points, positive_pair
from scenewright.godot.tiles.shapes import full_polygon, peering_bits, read_peering
from scenewright.godot.tiles.specs import AnimationSpec, TileSpec
from scenewright.godot.tiles.tileset import CUSTOM, NAVIGATION, OCCLUSION, PHYSICS, TileSetView
from scenewright.godot.tiles.tileset_edit import TileSetEdit
from scenewright.godot.tiles.walkable import navigation

__all__ = ["edit_tiles", "terrain_number"]

_LARGEST = 1024  # cells of the atlas in a direction

if TYPE_CHECKING:
    from PIL.Image import Image

Changes: TypeAlias = "dict[str, v.Variant | None]"


def edit_tiles(edit: TileSetEdit, specs: Iterable[TileSpec], where: str) -> int:
    """Apply each entry, and return the number of tiles edited."""
    return sum(_Entry(edit, spec, f"{where}[{number}]").apply() for number, spec in enumerate(specs))


def terrain_number(view: TileSetView, terrain_set: int, value: Any, where: str) -> int:
    """Return the number of a terrain, given by name or number; -1 is none.

    Raises:
        NotFound: the set has no such terrain.
    """
    known = view.terrains(terrain_set)
    if isinstance(value, int) and not isinstance(value, bool) and (value == -1 or value in known.values()):
        return value
    if isinstance(value, str) and value in known:
        return known[value]
    hint = did_you_mean(str(value), list(known)) or f"It has: {', '.join(known) or 'none'}."
    raise NotFound(f"{where}: terrain set {terrain_set} has no terrain '{value}'.", hint=hint)


class _Entry:
    """One entry of `tiles`, carried out for every tile it names."""

    def __init__(self, edit: TileSetEdit, spec: TileSpec, where: str) -> None:
        self.edit = edit
        self.spec = spec
        self.where = where
        self.view = edit.view
        self.source, self.atlas = self.view.atlas(spec.source_id, f"{where}.sourceId")
        self._picture: Image | None = None
        self._taken = self.atlas.taken()
        self._outlined: dict[bytes, list[Polygon]] = {}

    def apply(self) -> int:
        cells = self._cells()
        changes: Changes = {}
        for at in cells:
            changes |= self._remove_tile(at) if self.spec.remove else self._collect_changes(at)
        self.edit.change_atlas(self.source, changes)
        return len(cells)

    def _cells(self) -> list[Pair]:
        cells = self._named_cells()
        least, most = self.spec.min_coverage, self.spec.max_coverage
        if least is None and most is None:
            return cells
        kept = [at for at in cells if _is_within(self._coverage(at), least, most)]
        if not kept:
            self.edit.warnings.append(
                f"{self.where}: none of {count_noun(len(cells), 'tile')} is as opaque as asked for; "
                "inspect_image shows the coverage of each."
            )
        return kept

    def _named_cells(self) -> list[Pair]:
        coords = self.spec.atlas_coords
        where = f"{self.where}.atlasCoords"
        if coords == "all":
            return list(self.atlas.tiles)
        many = isinstance(coords, list) and coords and not isinstance(coords[0], int | float)
        return [natural_pair(cell, where) for cell in (coords if many else [coords])]

    def _coverage(self, at: Pair) -> float:
        """The opaque share of a tile, rounded as inspect_image shows it."""
        region = self.atlas.region(at, self.atlas.size(at))
        return round(coverage(self._texture(f"{self.where}.minCoverage"), region), 4)

    def _remove_tile(self, at: Pair) -> Changes:
        if at not in self.atlas.tiles:
            raise NotFound(f"{self.where}: source {self.source} has no tile at {at[0]}, {at[1]}.")
        base = f"{at[0]}:{at[1]}/" + (f"{self.spec.alternative}" if self.spec.alternative else "")
        return {name: None for name in self.atlas.names[at] if name == base or name.startswith(f"{base.rstrip('/')}/")}

    def _collect_changes(self, at: Pair) -> Changes:
        changes = self._create_missing(at)
        for part in (
            self._collision,
            self._terrain,
            self._custom_data,
            self._navigation,
            self._occlusion,
            self._plain_properties,
        ):
            changes |= {f"{at[0]}:{at[1]}/{self.spec.alternative}/{name}": value for name, value in part(at).items()}
        if self.spec.animation is not None:
            changes |= {f"{at[0]}:{at[1]}/{name}": value for name, value in self._animation(at).items()}
        return changes

    def _create_missing(self, at: Pair) -> Changes:
        """The tile, its size and its alternative, where they are not there yet."""
        base, alternative = f"{at[0]}:{at[1]}", self.spec.alternative
        known = self.atlas.tiles.get(at, {})
        changes: Changes = {}
        if self.spec.size is not None:
            size = positive_pair(self.spec.size, f"{self.where}.size")
            if max(size) > _LARGEST:
                raise Invalid(
                    f"A tile takes at most {_LARGEST} cells of the atlas.",
                    path=f"{self.where}.size",
                    rule="maximum",
                    hint="Size counts columns and rows, not pixels.",
                )
            self._must_be_free(at, ((at[0] + x, at[1] + y) for x in range(size[0]) for y in range(size[1])))
            changes[f"{base}/size_in_atlas"] = None if size == (1, 1) else v.Vector2i(*size)
        if not known:
            self._must_be_free(at, [at])
            changes[f"{base}/0"] = 0
        if alternative and alternative not in known:
            changes[f"{base}/{alternative}"] = alternative
            free = self.atlas.values.get(f"{base}/next_alternative_id")
            changes[f"{base}/next_alternative_id"] = max(alternative + 1, free if isinstance(free, int) else 1)
        return changes

    def _must_be_free(self, at: Pair, cells: Iterable[Pair]) -> None:
        for cell in cells:
            owner = self._taken.setdefault(cell, at)
            if owner != at:
                raise Conflict(
                    f"{self.where}: {cell[0]}, {cell[1]} of the atlas belongs to the tile {owner[0]}, {owner[1]}.",
                    hint="Remove that tile first.",
                    retryable=False,
                )

    def _require_layer(self, kind: str, number: int, what: str) -> None:
        count = self.view.count(kind)
        if number >= count:
            raise NotFound(
                f"{self.where}: the tile set has no {what} {number}.",
                hint=f"It has {count}; add one with layers.{what.removesuffix(' layer')}.",
            )

    def _data(self, at: Pair) -> dict[str, v.Variant]:
        return self.atlas.tiles.get(at, {}).get(self.spec.alternative, {})

    def _collision(self, at: Pair) -> Changes:
        spec, base = self.spec, f"{PHYSICS}_{self.spec.physics_layer}/polygon_"
        if spec.collision is None and spec.one_way is None and spec.one_way_margin is None:
            return {}
        self._require_layer(PHYSICS, spec.physics_layer, "physics layer")
        known = [name for name in self._data(at) if name.startswith(base)]
        changes: Changes = {}
        count = sum(name.endswith("/points") for name in known)
        if spec.collision is not None:
            changes |= dict.fromkeys(known)
            polygons = self._polygons(at, spec.collision, f"{self.where}.collision")
            count = len(polygons)
            changes |= {f"{base}{number}/points": _pack_polygon(polygon) for number, polygon in enumerate(polygons)}
        for number in range(count):
            if spec.one_way is not None:
                changes[f"{base}{number}/one_way"] = spec.one_way or None
            if spec.one_way_margin is not None:
                changes[f"{base}{number}/one_way_margin"] = None if spec.one_way_margin == 1 else spec.one_way_margin
        return changes

    def _polygons(self, at: Pair, value: Any, where: str) -> list[Polygon]:
        """Polygons around the tile's middle."""
        polygons = self._read_polygons(at, value, where)
        if any(crosses(polygon) for polygon in polygons):
            raise Invalid(
                f"A polygon of '{where}' crosses itself.",
                path=where,
                rule="polygon",
                hint="Give its corners in order around the polygon.",
            )
        return polygons

    def _read_polygons(self, at: Pair, value: Any, where: str) -> list[Polygon]:
        if value == "none":
            return []
        if value in ("full", "alpha"):
            x, y = self._texture_origin(at)
            region = self.atlas.region(at, self.atlas.size(at))
            polygons = [full_polygon(self.view, region[2:])] if value == "full" else self._opaque_outlines(region)
            return [[(a - x, b - y) for a, b in polygon] for polygon in polygons]
        if isinstance(value, list) and value and isinstance(value[0], list) and value[0] and _is_points(value[0][0]):
            return [points(polygon, f"{where}[{number}]") for number, polygon in enumerate(value)]
        if isinstance(value, str):
            raise Invalid(
                f"'{value}' is not a polygon.",
                path=where,
                rule="enum",
                hint="Use 'full', 'alpha', 'none', a polygon or a list of polygons.",
            )
        return [points(value, where)]

    def _texture_origin(self, at: Pair) -> tuple[float, float]:
        """The texture's origin: how far left and up the picture is drawn."""
        origin = (self.spec.properties or {}).get("texture_origin")
        if origin is not None:
            return pair(origin, f"{self.where}.properties.texture_origin")
        current = self._data(at).get("texture_origin")
        return (current.x, current.y) if isinstance(current, v.Vector2i) else (0, 0)

    def _texture(self, where: str) -> Image:
        if self._picture is None:
            self._picture = self.edit.picture(self.atlas, where)
        return self._picture

    def _opaque_outlines(self, region: tuple[int, int, int, int]) -> list[Polygon]:
        x, y, width, height = region
        alpha = self._texture(f"{self.where}.collision").crop((x, y, x + width, y + height)).getchannel("A").tobytes()
        if alpha not in self._outlined:  # most tiles of a set have one of a few shapes
            mask = [[value >= 128 for value in alpha[row * width : (row + 1) * width]] for row in range(height)]
            self._outlined[alpha] = outlines(mask, self.spec.tolerance)
        return [[(a - width / 2, b - height / 2) for a, b in outline] for outline in self._outlined[alpha]]

    def _terrain(self, at: Pair) -> Changes:
        spec, known = self.spec, self._data(at)
        if spec.terrain_set is None and spec.terrain is None and spec.peering is None:
            return {}
        current = known.get("terrain_set")
        number = spec.terrain_set if spec.terrain_set is not None else current if isinstance(current, int) else 0
        bits = {name for name in known if name.startswith("terrains_peering_bit/")}
        if number == -1:
            return dict.fromkeys([*bits, "terrain", "terrain_set"])
        if number >= self.view.count("terrain_set"):
            raise NotFound(
                f"{self.where}: the tile set has no terrain set {number}.", hint="Add one with layers.terrainSets."
            )
        changes: Changes = {"terrain_set": number}
        if number != current:
            changes |= dict.fromkeys([*bits, "terrain"])
        own: Any = known.get("terrain", -1) if number == current else -1
        if spec.terrain is not None:
            own = terrain_number(self.view, number, spec.terrain, f"{self.where}.terrain")
            changes["terrain"] = None if own == -1 else own
        if spec.peering is not None:
            where = f"{self.where}.peering"
            wanted = read_peering(spec.peering, peering_bits(self.view, number), own, where)
            for bit, terrain in wanted.items():
                terrain_id = -1 if terrain is None else terrain_number(self.view, number, terrain, where)
                changes[f"terrains_peering_bit/{bit}"] = None if terrain_id == -1 else terrain_id
        return changes

    def _custom_data(self, at: Pair) -> Changes:
        del at
        changes: Changes = {}
        for name, value in (self.spec.custom_data or {}).items():
            number = self.view.custom_layers.get(name)
            if number is None:
                known = list(self.view.custom_layers)
                hint = did_you_mean(name, known) or "Add it with layers.customData."
                raise NotFound(f"{self.where}: there is no custom data layer '{name}'.", hint=hint)
            kind = VARIANT_TYPES[self.view.number(f"{CUSTOM}_{number}/type")]
            wanted = Property("customData", name, "Variant" if kind == "Nil" else kind, kind)
            changes[f"custom_data_{number}"] = None if value is None else self._coerce(value, wanted)
        return changes

    def _coerce(self, value: Any, wanted: Property) -> v.Variant:
        return self.edit.coerced(value, wanted, before=self.atlas)

    def _navigation(self, at: Pair) -> Changes:
        spec = self.spec
        if spec.navigation is None:
            return {}
        self._require_layer(NAVIGATION, spec.navigation_layer, "navigation layer")
        name = f"{NAVIGATION}_{spec.navigation_layer}/polygon"
        polygons = self._polygons(at, spec.navigation, f"{self.where}.navigation")
        if not polygons:
            return {name: None}
        return {name: self._made_inside("NavigationPolygon", navigation(polygons, f"{self.where}.navigation"))}

    def _occlusion(self, at: Pair) -> Changes:
        spec = self.spec
        if spec.occlusion is None:
            return {}
        self._require_layer(OCCLUSION, spec.occlusion_layer, "occlusion layer")
        base = f"{OCCLUSION}_{spec.occlusion_layer}/"
        changes: Changes = {name: None for name in self._data(at) if name.startswith(base)}
        for number, polygon in enumerate(self._polygons(at, spec.occlusion, f"{self.where}.occlusion")):
            occluder = self._made_inside("OccluderPolygon2D", {"polygon": _pack_polygon(polygon)})
            changes[f"{base}polygon_{number}/polygon"] = occluder
        return changes

    def _made_inside(self, kind: str, properties: dict[str, v.Variant]) -> v.SubResource:
        before = self.edit.document.find("sub_resource", id=self.atlas.id)
        self.edit.document, name = add_inner_resource(self.edit.document, kind, properties, before=before)
        return v.SubResource(name)

    def _plain_properties(self, at: Pair) -> Changes:
        del at
        values = dict(self.spec.properties or {})
        if self.spec.probability is not None:
            values["probability"] = self.spec.probability
        changes: Changes = {}
        for name, value in values.items():
            wanted = self.edit.index.property("TileData", name)
            coerced = self._coerce(value, wanted)
            changes[name] = None if write_variant(coerced) == wanted.default else coerced
        return changes

    def _animation(self, at: Pair) -> Changes:
        spec: AnimationSpec = self.spec.animation  # type: ignore[assignment]  # the caller has looked
        base = f"{at[0]}:{at[1]}/"
        apart = (0, 0) if spec.separation is None else pair(spec.separation, f"{self.where}.animation.separation")
        self._must_be_free(at, self._frames(at, spec, apart))
        seconds = spec.durations or [1.0]
        if len(seconds) not in (1, spec.frames):
            raise Invalid(
                f"{len(seconds)} durations for {spec.frames} frames.",
                path=f"{self.where}.animation.durations",
                rule="length",
                hint="Give one, or one for each frame.",
            )
        if min(seconds) <= 0:
            raise Invalid(
                "A frame's duration must be above 0.",
                path=f"{self.where}.animation.durations",
                rule="exclusiveMinimum",
            )
        seconds = seconds * spec.frames if len(seconds) == 1 else seconds
        known = [
            name.removeprefix(base) for name in self.atlas.names.get(at, ()) if name.startswith(f"{base}animation_")
        ]
        changes: Changes = dict.fromkeys(known)
        changes["animation_columns"] = spec.columns or None
        changes["animation_separation"] = None if apart == (0, 0) else v.Vector2i(*apart)
        changes["animation_speed"] = None if spec.speed == 1 else spec.speed
        changes["animation_mode"] = 1 if spec.mode == "random_start_times" else None
        if spec.frames > 1:
            changes |= {f"animation_frame_{number}/duration": duration for number, duration in enumerate(seconds)}
        return changes

    def _frames(self, at: Pair, spec: AnimationSpec, apart: Pair) -> Iterable[Pair]:
        width, height = self.atlas.size(at)
        columns = spec.columns or spec.frames
        for frame in range(spec.frames):
            left = at[0] + frame % columns * (width + apart[0])
            top = at[1] + frame // columns * (height + apart[1])
            yield from ((left + x, top + y) for x in range(width) for y in range(height))


def _pack_polygon(polygon: Polygon) -> v.PackedVector2Array:
    return v.PackedVector2Array(tuple(part for corner in polygon for part in corner))


def _is_within(share: float, least: float | None, most: float | None) -> bool:
    return (least is None or share >= least) and (most is None or share < most)


def _is_points(value: Any) -> bool:
    return isinstance(value, list | dict)
