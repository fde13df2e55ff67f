"""LDtk projects as they are on disk: levels, layers, tiles, entities. Only what a scene is made of is read."""

from __future__ import annotations

from typing import Annotated, Any, TypeVar

import msgspec

from scenewright.core.faults import Invalid, NotFound, did_you_mean
from scenewright.godot.project.workspace import Workspace

__all__ = ["Entity", "Field", "Layer", "Level", "Placed", "Project", "TileAt", "Tileset", "beside", "open_project"]

_Read = TypeVar("_Read")
_Length = Annotated[int, msgspec.Meta(ge=1)]
_Count = Annotated[int, msgspec.Meta(ge=0)]


class TileData(msgspec.Struct, frozen=True, rename="camel"):
    """What a person wrote on a tile."""

    tile_id: _Count
    data: str


class TileTag(msgspec.Struct, frozen=True, rename="camel"):
    """A value of an enumeration, and the tiles that have it."""

    enum_value_id: str
    tile_ids: list[_Count]


class Tileset(msgspec.Struct, frozen=True, rename="camel"):
    """A picture cut into tiles."""

    uid: int
    identifier: str
    tile_grid_size: _Length
    px_wid: _Length
    px_hei: _Length
    rel_path: str | None = None
    spacing: _Count = 0
    padding: _Count = 0
    custom_data: list[TileData] = msgspec.field(default_factory=list)
    enum_tags: list[TileTag] = msgspec.field(default_factory=list)


class TileAt(msgspec.Struct, frozen=True):
    """A tile: where it is in the layer, where in the picture, and bits for mirrored (1) and upside down (2)."""

    px: tuple[int, int]
    src: tuple[_Count, _Count]
    f: int = 0
    a: float = 1.0


class Field(msgspec.Struct, frozen=True):
    name: str = msgspec.field(name="__identifier")
    value: Any = msgspec.field(name="__value", default=None)


class Entity(msgspec.Struct, frozen=True, rename="camel"):
    name: str = msgspec.field(name="__identifier")
    px: tuple[float, float]
    iid: str = ""
    width: float = 0
    height: float = 0
    pivot: tuple[float, float] = msgspec.field(name="__pivot", default=(0.0, 0.0))
    tags: list[str] = msgspec.field(name="__tags", default_factory=list)
    field_instances: list[Field] = msgspec.field(default_factory=list)


class Layer(msgspec.Struct, frozen=True, rename="camel"):
    """One layer of a level, whatever its kind; the first of a level is on top."""

    name: str = msgspec.field(name="__identifier")
    kind: str = msgspec.field(name="__type")
    columns: _Length = msgspec.field(name="__cWid")
    rows: _Length = msgspec.field(name="__cHei")
    grid: _Length = msgspec.field(name="__gridSize")
    opacity: float = msgspec.field(name="__opacity", default=1.0)
    left: int = msgspec.field(name="__pxTotalOffsetX", default=0)
    top: int = msgspec.field(name="__pxTotalOffsetY", default=0)
    tileset: int | None = msgspec.field(name="__tilesetDefUid", default=None)
    visible: bool = True
    layer_def_uid: int = 0
    int_grid_csv: list[int] = msgspec.field(default_factory=list)
    auto_layer_tiles: list[TileAt] = msgspec.field(default_factory=list)
    grid_tiles: list[TileAt] = msgspec.field(default_factory=list)
    entity_instances: list[Entity] = msgspec.field(default_factory=list)

    @property
    def tiles(self) -> list[TileAt]:
        return self.auto_layer_tiles + self.grid_tiles


class Placed(msgspec.Struct, frozen=True, rename="camel"):
    """Where LDtk shows a level's background picture, and which part of it."""

    crop_rect: tuple[float, float, float, float]
    scale: tuple[float, float]
    top_left_px: tuple[float, float]


class Level(msgspec.Struct, frozen=True, rename="camel"):
    identifier: str
    px_wid: int
    px_hei: int
    iid: str = ""
    world_x: int = 0
    world_y: int = 0
    color: str | None = msgspec.field(name="__bgColor", default=None)
    bg_rel_path: str | None = None
    bg_pos: str | None = None  # Unscaled, Contain, Cover, CoverDirty, Repeat
    placed: Placed | None = msgspec.field(name="__bgPos", default=None)
    external_rel_path: str | None = None
    layer_instances: list[Layer] | None = None
    field_instances: list[Field] = msgspec.field(default_factory=list)


class _World(msgspec.Struct, frozen=True):
    levels: list[Level] = msgspec.field(default_factory=list)


class IntGridValue(msgspec.Struct, frozen=True):
    value: int
    identifier: str | None = None


class LayerDef(msgspec.Struct, frozen=True, rename="camel"):
    uid: int
    int_grid_values: list[IntGridValue] = msgspec.field(default_factory=list)

    @property
    def values(self) -> dict[str, int]:
        """The values that have names."""
        return {each.identifier: each.value for each in self.int_grid_values if each.identifier}


class Defs(msgspec.Struct, frozen=True):
    tilesets: list[Tileset] = msgspec.field(default_factory=list)
    layers: list[LayerDef] = msgspec.field(default_factory=list)


class Project(msgspec.Struct, frozen=True):
    defs: Defs
    levels: list[Level] = msgspec.field(default_factory=list)
    worlds: list[_World] = msgspec.field(default_factory=list)

    def all_levels(self) -> list[Level]:
        return self.levels + [level for world in self.worlds for level in world.levels]

    def tileset(self, uid: int) -> Tileset | None:
        return next((tileset for tileset in self.defs.tilesets if tileset.uid == uid), None)

    def values(self, layer: Layer) -> dict[str, int]:
        """Return the values of an IntGrid layer that have names."""
        definition = next((candidate for candidate in self.defs.layers if candidate.uid == layer.layer_def_uid), None)
        return definition.values if definition else {}

    def named(self, identifier: str | None) -> list[Level]:
        """Return one level, or all of them.

        Raises:
            NotFound: there is none of that name.
        """
        known = self.all_levels()
        levels = [level for level in known if identifier in (None, level.identifier)]
        if not levels:
            names = [level.identifier for level in known]
            hint = did_you_mean(identifier or "", names) or f"It has: {', '.join(names[:20]) or 'none'}."
            raise NotFound(f"The LDtk project has no level '{identifier}'.", hint=hint)
        return levels


def open_project(workspace: Workspace, path: str, identifier: str | None) -> tuple[Project, list[Level]]:
    """Open a project, and the levels that were asked for, with their layers.

    Raises:
        NotFound: there is no such file or level.
        Invalid: it is no LDtk project.
    """
    place = workspace.place(path)
    project = _decode_json(workspace, place, Project)
    folder = place.rpartition("/")[0]
    return project, [_with_layers(workspace, folder, level) for level in project.named(identifier)]


def _with_layers(workspace: Workspace, folder: str, level: Level) -> Level:
    """The level with its layers, which may be in a file of their own."""
    if level.layer_instances is not None or level.external_rel_path is None:
        return level
    return _decode_json(workspace, beside(workspace, folder, level.external_rel_path), Level)


def beside(workspace: Workspace, folder: str, path: str) -> str:
    """Turn a path that LDtk writes relative to its project into one from the root of ours."""
    parts: list[str] = []
    for part in f"{folder}/{path}".split("/"):
        if part == ".." and parts:
            parts.pop()
        elif part not in ("", "."):
            parts.append(part)
    return workspace.place("/".join(parts))


def _decode_json(workspace: Workspace, place: str, kind: type[_Read]) -> _Read:
    try:
        return msgspec.json.decode(workspace.files.read(place), type=kind)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as problem:
        raise Invalid(
            f"'res://{place}' is not an LDtk file: {problem}.",
            path="input.ldtkPath",
            rule="ldtk",
            hint="Save it with LDtk 1.0 or newer.",
        ) from None
