"""Tile sets, tile map layers and their cells."""

from __future__ import annotations

from typing import Any

from tests.godot.catalogue.writes.model import MAIN, TREE, Case, names_in

__all__ = ["CASES"]

Calls = tuple[tuple[str, dict[str, Any]], ...]

_TEXTURE = (
    "create_resource",
    {"resourcePath": "~/tex.tres", "resourceType": "GradientTexture2D", "properties": {"width": 64, "height": 32}},
)
_TILESET: Calls = (
    _TEXTURE,
    (
        "create_tileset",
        {
            "tilesetPath": "~/set.tres",
            "layers": {"physics": [{"collisionLayer": 4}]},
            "sources": [{"texturePath": "~/tex.tres", "tiles": [[0, 0], [1, 0], [3, 1]]}],
            "tiles": [{"atlasCoords": [0, 0], "collision": "full"}],
        },
    ),
)
_LAYER: Calls = (*_TILESET, ("create_tilemap_layer", {**MAIN, "nodeName": "Ground", "tilesetPath": "~/set.tres"}))
_GROUND = {**MAIN, "tilemapNodePath": "Ground"}
_AT = "value('~/main.tscn', 'Ground', 'tile_map_data')"
CASES: dict[str, Case] = {
    "create_tileset": Case(
        _TILESET,
        {
            "res('~/set.tres').get_source(0).get_tiles_count()": 3,
            "res('~/set.tres').get_physics_layer_collision_layer(0)": 4,
            "polygons('~/set.tres', 0, 0)": 1,
        },
    ),
    "edit_tileset": Case(
        (
            *_TILESET,
            (
                "edit_tileset",
                {
                    "tilesetPath": "~/set.tres",
                    "tiles": [{"atlasCoords": [3, 1], "probability": 0.5}, {"atlasCoords": [1, 0], "remove": True}],
                },
            ),
        ),
        {
            "res('~/set.tres').get_source(0).get_tiles_count()": 2,
            "res('~/set.tres').get_source(0).get('3:1/0/probability')": 0.5,
        },
    ),
    "create_tilemap_layer": Case(
        _LAYER, {**names_in(f"{TREE}, Ground"), "kind('~/main.tscn', 'Ground')": "TileMapLayer"}
    ),
    "create_tilemap": Case(
        (
            *_TILESET,
            (
                "create_tilemap",
                {
                    **MAIN,
                    "nodeName": "Ground",
                    "tileSetPath": "~/set.tres",
                    "cells": [{"x": 1, "y": 2, "atlasX": 3, "atlasY": 1}],
                },
            ),
        ),
        {_AT: "PackedByteArray(0, 0, 1, 0, 2, 0, 0, 0, 3, 0, 1, 0, 0, 0)"},
    ),
    "set_tile": Case(
        (*_LAYER, ("set_tile", {**_GROUND, "position": [-1, 2], "sourceId": 0, "atlasCoords": [1, 0]})),
        {_AT: "PackedByteArray(0, 0, 255, 255, 2, 0, 0, 0, 1, 0, 0, 0, 0, 0)"},
    ),
    "paint_tiles": Case(
        (*_LAYER, ("paint_tiles", {**_GROUND, "rows": ["a"], "legend": {"a": {"atlasCoords": [1, 0], "flipH": True}}})),
        {_AT: "PackedByteArray(0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 16)"},
    ),
}
