"""Reads a TileSet: a file of its own, or a resource inside a scene (`res://main.tscn::TileSet_x1`)."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import cached_property

import msgspec

from scenewright.core.faults import Invalid, NotFound, did_you_mean
from scenewright.core.text.counts import count_noun, with_article
from scenewright.godot.documents import variant as v
from scenewright.godot.documents.document import Document
from scenewright.godot.documents.references import resource_sections
from scenewright.godot.documents.scene import external_files
from scenewright.godot.documents.section import Section
from scenewright.godot.project.workspace import Workspace
from scenewright.godot.tiles.cells import TRANSFORMS, Tile
from scenewright.godot.tiles.coords import Pair

__all__ = [
    "CUSTOM",
    "NAVIGATION",
    "OCCLUSION",
    "PHYSICS",
    "Atlas",
    "SceneTiles",
    "TileSetPlace",
    "TileSetView",
    "open_tileset",
    "view_of",
]

PHYSICS, NAVIGATION, OCCLUSION, CUSTOM = "physics_layer", "navigation_layer", "occlusion_layer", "custom_data_layer"
_SOURCE = re.compile(r"sources/(\d{1,9})")
_TILE = re.compile(r"(\d{1,9}):(\d{1,9})/(.+)")
_TERRAIN = re.compile(r"terrain_set_(\d{1,9})/terrain_(\d{1,9})/name")
_SCENE = re.compile(r"scenes/(\d{1,9})/scene")


class TileSetView:
    """A TileSet in a document; the document is never changed here."""

    def __init__(self, document: Document, section: Section, path: str) -> None:
        self.document = document
        self.section = section
        self.path = path
        self.values: Mapping[str, v.Variant] = section.values()

    @property
    def tile_size(self) -> Pair:
        size = self.values.get("tile_size")
        return (size.x, size.y) if isinstance(size, v.Vector2i) else (16, 16)

    def count(self, kind: str) -> int:
        """Return how many layers of a kind, or terrain sets, there are."""
        pattern = re.compile(rf"{kind}_(\d{{1,9}})/")
        return max((int(match[1]) + 1 for name in self.values if (match := pattern.match(name))), default=0)

    def number(self, name: str, default: int = 0) -> int:
        value = self.values.get(name)
        return value if isinstance(value, int) else default

    @cached_property
    def custom_layers(self) -> dict[str, int]:
        """Custom data layers by name."""
        names = (self.values.get(f"{CUSTOM}_{number}/name") for number in range(self.count(CUSTOM)))
        return {str(name): number for number, name in enumerate(names)}

    def terrains(self, terrain_set: int) -> dict[str, int]:
        """Return the terrains of a set by name."""
        numbers = {}
        for name, value in self.values.items():
            matched = _TERRAIN.fullmatch(name)
            if matched and int(matched[1]) == terrain_set:
                numbers[str(value)] = int(matched[2])
        return numbers

    @cached_property
    def sources(self) -> dict[int, Atlas | SceneTiles]:
        """What tiles come from, by source id."""
        declared = resource_sections(self.document)
        sources: dict[int, Atlas | SceneTiles] = {}
        for name, value in self.values.items():
            number = _SOURCE.fullmatch(name)
            if number is not None and isinstance(value, v.SubResource) and value in declared:
                section = declared[value]
                kind = Atlas if section.string("type") == "TileSetAtlasSource" else SceneTiles
                sources[int(number[1])] = kind(self.document, section, value.id)
        return sources

    def atlas(self, source: int | None, where: str) -> tuple[int, Atlas]:
        """Return an atlas by its source id, or the first one if none is given.

        Raises:
            NotFound: there is no such source.
            Invalid: it has scenes, not tiles of a texture.
        """
        atlases = {number: candidate for number, candidate in self.sources.items() if isinstance(candidate, Atlas)}
        if source is None and atlases:
            return next(iter(atlases.items()))
        if source is not None and source in atlases:
            return source, atlases[source]
        known = ", ".join(map(str, atlases)) or "none; add one with edit_tileset sources"
        if source in self.sources:
            raise Invalid(f"Source {source} has scenes, not a texture.", path=where, rule="source")
        raise NotFound(f"The tile set has no source {source or 0}.", hint=f"Its atlases: {known}.")

    def problem(self, tile: Tile) -> str | None:
        """Return why a cell cannot have a tile, or None if it can."""
        source = self.sources.get(tile.source)
        if source is None:
            return f"there is no source {tile.source}; the tile set has {', '.join(map(str, self.sources)) or 'none'}"
        if isinstance(source, SceneTiles):
            known = ", ".join(map(str, source.scenes))
            return None if tile.alternative in source.scenes else f"source {tile.source} has the scene tiles {known}"
        base = tile.alternative & ~TRANSFORMS
        alternatives = source.tiles.get((tile.column, tile.row))
        if alternatives is None:
            columns, rows = source.extent
            return (
                f"source {tile.source} has no tile at {tile.column}, {tile.row}; its tiles are"
                f" within {count_noun(columns, 'column')} and {count_noun(rows, 'row')}"
            )
        return None if base in alternatives else f"tile {tile.column}, {tile.row} has no alternative {base}"


class Atlas:
    """A source that cuts tiles out of a texture."""

    def __init__(self, document: Document, section: Section, name: str) -> None:
        self.document = document
        self.section = section
        self.id = name
        self.values: Mapping[str, v.Variant] = section.values()

    @property
    def texture(self) -> str | None:
        """The path of the texture, where it is a file."""
        value = self.values.get("texture")
        if not isinstance(value, v.ExtResource):
            return None
        return next((file.path for file in external_files(self.document) if file.id == value.id), None)

    @property
    def region_size(self) -> Pair:
        return self._pair("texture_region_size", (16, 16))

    @property
    def margins(self) -> Pair:
        return self._pair("margins", (0, 0))

    @property
    def separation(self) -> Pair:
        return self._pair("separation", (0, 0))

    @cached_property
    def tiles(self) -> dict[Pair, dict[int, dict[str, v.Variant]]]:
        """Tiles by their place in the atlas, then by alternative, each with what is set on it."""
        tiles: dict[Pair, dict[int, dict[str, v.Variant]]] = {}
        for name, value in self.values.items():
            if not (matched := _TILE.fullmatch(name)):
                continue
            at = int(matched[1]), int(matched[2])
            alternative, _, rest = matched[3].partition("/")
            if alternative.isdecimal() and len(alternative) < 10:
                data = tiles.setdefault(at, {}).setdefault(int(alternative), {})
                if rest:
                    data[rest] = value
        return tiles

    @cached_property
    def names(self) -> dict[Pair, list[str]]:
        """The properties that belong to each tile."""
        names: dict[Pair, list[str]] = {}
        for name in self.values:
            if matched := _TILE.fullmatch(name):
                names.setdefault((int(matched[1]), int(matched[2])), []).append(name)
        return names

    def frames(self, at: Pair) -> int:
        """Return how many frames a tile has; one if it is not animated."""
        start = f"{at[0]}:{at[1]}/animation_frame_"
        return sum(name.startswith(start) for name in self.names.get(at, ())) or 1

    def size(self, at: Pair) -> Pair:
        """Return how many columns and rows of the atlas a tile takes."""
        return self._pair(f"{at[0]}:{at[1]}/size_in_atlas", (1, 1))

    @property
    def extent(self) -> Pair:
        columns = max((column + 1 for column, _ in self.tiles), default=0)
        return columns, max((row + 1 for _, row in self.tiles), default=0)

    def taken(self) -> dict[Pair, Pair]:
        """Return every cell of the atlas that is in use, with the tile it belongs to; frames of animations included."""
        return {cell: at for at in self.tiles for cell in self.cells_of(at)}

    def cells_of(self, at: Pair) -> Iterator[Pair]:
        base = f"{at[0]}:{at[1]}/"
        width, height = self.size(at)
        frames = self.frames(at)
        columns = self.values.get(f"{base}animation_columns")
        columns = columns if isinstance(columns, int) and columns else frames
        apart = self._pair(f"{base}animation_separation", (0, 0))
        for frame in range(frames):
            left = at[0] + frame % columns * (width + apart[0])
            top = at[1] + frame // columns * (height + apart[1])
            yield from ((left + x, top + y) for x in range(width) for y in range(height))

    def region(self, at: Pair, size: Pair = (1, 1)) -> tuple[int, int, int, int]:
        """Return where a tile is in the texture: x, y, width, height in pixels."""
        (width, height), (left, top), (across, down) = self.region_size, self.margins, self.separation
        x, y = left + at[0] * (width + across), top + at[1] * (height + down)
        return x, y, size[0] * width + (size[0] - 1) * across, size[1] * height + (size[1] - 1) * down

    def _pair(self, name: str, default: Pair) -> Pair:
        value = self.values.get(name)
        return (value.x, value.y) if isinstance(value, v.Vector2i) else default


class SceneTiles:
    """A source whose tiles are scenes."""

    def __init__(self, document: Document, section: Section, name: str) -> None:
        files = {file.id: file.path for file in external_files(document)}
        self.section = section
        self.id = name
        self.scenes: dict[int, str] = {}
        for key, value in section.values().items():
            if (matched := _SCENE.fullmatch(key)) and isinstance(value, v.ExtResource):
                self.scenes[int(matched[1])] = files.get(value.id, "")


class TileSetPlace(msgspec.Struct, frozen=True):
    """The file that a TileSet is in, and its id there where it is not the file's own."""

    file: str
    inner: str | None = None


def open_tileset(workspace: Workspace, path: str) -> tuple[TileSetView, TileSetPlace]:
    """Open a TileSet by path; in a scene, the path has `::` and the resource's id.

    Raises:
        NotFound: there is no such file or resource.
        Invalid: it is no TileSet.
    """
    file, _, inner = path.partition("::")
    document = workspace.document(file)
    place = TileSetPlace(workspace.place(file), inner or None)
    return view_of(document, place), place


def view_of(document: Document, place: TileSetPlace) -> TileSetView:
    """Return the TileSet at a place of a document."""
    path = f"res://{place.file}"
    if place.inner is not None:
        inner = [
            entry.string("id") or "" for entry in document.tagged("sub_resource") if entry.string("type") == "TileSet"
        ]
        section = document.find("sub_resource", id=place.inner, type="TileSet")
        if section is None:
            raise NotFound(f"'{path}' has no TileSet '{place.inner}'.", hint=did_you_mean(place.inner, inner))
        return TileSetView(document, section, f"{path}::{place.inner}")
    header, section = document.sections[:1], document.find("resource")
    if not header or header[0].string("type") != "TileSet" or section is None:
        kind = header[0].string("type") if header else None
        raise Invalid(
            f"'{path}' is {with_article(kind) if kind else 'not a resource'}, not a TileSet.",
            path="input.tilesetPath",
            rule="class",
            hint="Create one with create_tileset; one inside a scene is 'res://main.tscn::ID'.",
        )
    return TileSetView(document, section, path)
