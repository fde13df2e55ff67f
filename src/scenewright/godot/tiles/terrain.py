"""What the engine needs to paint terrain: a tile set as numbers, the cells so far, and the strokes."""

from __future__ import annotations

from base64 import b64decode, b64encode
from collections.abc import Mapping
from typing import Any

from scenewright.godot.documents import variant as v
from scenewright.godot.tiles.cell_painting import Terrain
from scenewright.godot.tiles.cells import Cells
from scenewright.godot.tiles.coords import Pair
from scenewright.godot.tiles.shapes import PEERING_BITS
from scenewright.godot.tiles.tileset import Atlas, TileSetView

__all__ = ["painted", "request"]


def request(view: TileSetView, cells: Cells, strokes: Mapping[Terrain, list[Pair]], **how: Any) -> dict[str, Any]:
    """Return the parameters of `tiles.terrain`; `path`, `ignore_empty` and `seed` say how to paint."""
    seed = how.pop("seed")
    return {
        "tile_set": _tile_set(view),
        "cells": b64encode(cells.to_bytes()).decode(),
        "strokes": [
            {"set": terrain.terrain_set, "terrain": terrain.terrain, "cells": list(dict.fromkeys(painted_cells)), **how}
            for terrain, painted_cells in strokes.items()
        ],
        "seed": seed,
    }


def painted(value: Mapping[str, Any]) -> Cells:
    """Return the cells of the engine's answer."""
    return Cells.from_bytes(b64decode(value["cells"]))


def _tile_set(view: TileSetView) -> dict[str, Any]:
    sets = range(view.count("terrain_set"))
    atlases = {number: source for number, source in view.sources.items() if isinstance(source, Atlas)}
    return {
        "shape": view.number("tile_shape"),
        "layout": view.number("tile_layout"),
        "axis": view.number("tile_offset_axis"),
        "terrain_sets": [
            {"mode": view.number(f"terrain_set_{terrain_set}/mode"), "terrains": len(view.terrains(terrain_set))}
            for terrain_set in sets
        ],
        "sources": {str(number): _tiles(atlas) for number, atlas in atlases.items()},
    }


def _tiles(atlas: Atlas) -> list[dict[str, Any]]:
    return [
        {
            "x": x,
            "y": y,
            "alternative": number,
            "set": _number(data, "terrain_set"),
            "terrain": _number(data, "terrain"),
            "probability": _probability(data),
            "bits": _bits(data),
        }
        for (x, y), alternatives in atlas.tiles.items()
        for number, data in alternatives.items()
    ]


def _bits(data: Mapping[str, v.Variant]) -> dict[str, int]:
    terrains = {bit: _number(data, f"terrains_peering_bit/{bit}") for bit in PEERING_BITS}
    return {str(PEERING_BITS.index(bit)): terrain for bit, terrain in terrains.items() if terrain >= 0}


def _number(data: Mapping[str, v.Variant], name: str) -> int:
    value = data.get(name)
    return value if isinstance(value, int) else -1


def _probability(data: Mapping[str, v.Variant]) -> float:
    value = data.get("probability")
    return float(value) if isinstance(value, int | float) else 1.0
