"""What the tiles of a TileSet are for: which of a terrain fits where, and which are water or bridges.

Read from the tiles' own peering bits and custom data, so that a tile set which a person has changed counts as it is.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import msgspec

from scenewright.godot.documents import variant as v
from scenewright.godot.pixel_art.generated_tilesets import KIND
from scenewright.godot.tiles.cells import Tile
from scenewright.godot.tiles.tileset import Atlas, TileSetView
from scenewright.pixel.worlds.autotiling import FULL, MASKS, PEERING
from scenewright.pixel.worlds.themes import role_of_terrain

__all__ = ["TerrainTable", "TerrainTiles"]


class TerrainTiles(msgspec.Struct):
    """The tiles of one terrain by the mask of their neighbours, each with its probability."""

    terrain_set: int
    number: int
    by_mask: dict[int, list[tuple[Tile, float]]] = msgspec.field(default_factory=dict)

    @property
    def is_complete(self) -> bool:
        """Whether there is a tile for every place, so that it follows from the neighbours alone."""
        return all(mask in self.by_mask for mask in MASKS)

    def numbered(self) -> list[Tile]:
        """Return the likeliest tile of each of the 47."""
        return [max(self.by_mask[mask], key=lambda pair: pair[1])[0] for mask in MASKS]

    def others(self) -> tuple[list[Tile], float]:
        """Return the full tiles beside the likeliest, and how often one of them is chosen."""
        known = sorted(self.by_mask.get(FULL, ()), key=lambda pair: -pair[1])
        rest = sum(share for _, share in known[1:])
        return [tile for tile, _ in known[1:]], rest / (rest + known[0][1]) if known else 0.0


class TerrainTable:
    """A tile set, looked at by what its tiles are for."""

    def __init__(self, view: TileSetView) -> None:
        self.view = view
        self.terrains: dict[str, TerrainTiles] = {}
        self.kinds: dict[str, list[Tile]] = {}
        self._role_of_tile: dict[tuple[int, int, int], int] = {}
        names = {
            (terrain_set, number): name
            for terrain_set in range(view.count("terrain_set"))
            for name, number in view.terrains(terrain_set).items()
        }
        for (terrain_set, number), name in names.items():
            self.terrains.setdefault(name, TerrainTiles(terrain_set, number))
        custom = view.custom_layers.get(KIND)
        for source, atlas in view.sources.items():
            if isinstance(atlas, Atlas):
                for at, alternatives in atlas.tiles.items():
                    for alternative, data in alternatives.items():
                        self._learn(Tile(source, *at, alternative), data, names, custom)

    def _learn(
        self,
        tile: Tile,
        data: Mapping[str, v.Variant],
        names: Mapping[tuple[int, int], str],
        custom: int | None,
    ) -> None:
        kind = data.get(f"custom_data_{custom}") if custom is not None else None
        if isinstance(kind, str) and kind:
            self.kinds.setdefault(kind, []).append(tile)
        terrain_set, terrain = data.get("terrain_set"), data.get("terrain")
        name = names.get((terrain_set, terrain)) if isinstance(terrain_set, int) and isinstance(terrain, int) else None
        if name is None:
            return
        mask = sum(1 << bit for bit, side in enumerate(PEERING) if data.get(f"terrains_peering_bit/{side}") == terrain)
        share = data.get("probability", 1.0)
        entry = (tile, float(share) if isinstance(share, int | float) else 1.0)
        self.terrains[name].by_mask.setdefault(mask, []).append(entry)
        role = role_of_terrain(name)
        if role is not None:
            self._role_of_tile[tile.source, tile.column, tile.row] = role

    def terrain_of_role(self, role: int) -> str | None:
        """Return the terrain that plays a role, by its name."""
        return next((name for name in self.terrains if role_of_terrain(name) == role), None)

    def role_of(self, tile: Tile) -> int | None:
        """Return the role of the terrain that a tile shows."""
        return self._role_of_tile.get((tile.source, tile.column, tile.row))

    def tiles_of(self, kinds: Sequence[str]) -> list[Tile]:
        """Return the tiles of the first of these kinds that there are."""
        return next((self.kinds[kind] for kind in kinds if kind in self.kinds), [])
