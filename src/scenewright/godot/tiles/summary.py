"""A tile set in few words: its layers and terrains, its sources, and each tile on a line."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from scenewright.core.faults import NotFound
from scenewright.godot.classes.variant import VARIANT_TYPES
from scenewright.godot.documents import variant as v
from scenewright.godot.tiles.coords import Pair
from scenewright.godot.tiles.tileset import CUSTOM, NAVIGATION, OCCLUSION, PHYSICS, Atlas, SceneTiles, TileSetView
from scenewright.godot.tiles.walkable import walkable_count
from scenewright.godot.values.presentation import present

__all__ = ["layers", "lines", "shape", "source_info", "terrain_sets"]

_CUSTOM_DATA = re.compile(r"custom_data_(\d{1,9})")
_SHAPES = ("square", "isometric", "half_offset_square", "hexagon")
_MODES = ("match_corners_and_sides", "match_corners", "match_sides")
_ASIDE = ("terrain_set", "terrain", "terrains_peering_bit", "physics_layer", "navigation_layer", "occlusion_layer")


def shape(view: TileSetView) -> str:
    """Return the name of the tile set's cell shape."""
    return _named(_SHAPES, view.number("tile_shape"))


def _named(names: tuple[str, ...], number: int) -> str:
    return names[number] if 0 <= number < len(names) else str(number)


def layers(view: TileSetView) -> dict[str, Any]:
    """Return the layers by kind, each with what is set."""
    kinds = {"physics": PHYSICS, "navigation": NAVIGATION, "occlusion": OCCLUSION}
    by_kind: dict[str, Any] = {
        name: [_layer_properties(view, kind, n) for n in range(view.count(kind))] for name, kind in kinds.items()
    }
    by_kind["customData"] = {
        name: VARIANT_TYPES[view.number(f"{CUSTOM}_{number}/type")] for name, number in view.custom_layers.items()
    }
    return {name: value for name, value in by_kind.items() if value}


def _layer_properties(view: TileSetView, kind: str, number: int) -> dict[str, Any]:
    start = f"{kind}_{number}/"
    return {
        name.removeprefix(start): present(value, document=view.document)
        for name, value in view.values.items()
        if name.startswith(start)
    }


def terrain_sets(view: TileSetView) -> list[dict[str, Any]]:
    """Return the terrain sets with their mode and terrains."""
    return [
        {"mode": _named(_MODES, view.number(f"terrain_set_{number}/mode")), "terrains": list(view.terrains(number))}
        for number in range(view.count("terrain_set"))
    ]


def source_info(number: int, source: Atlas | SceneTiles) -> dict[str, Any]:
    """Describe a source: its texture, grid and number of tiles, or its scenes."""
    if isinstance(source, SceneTiles):
        scenes = {str(scene): path for scene, path in source.scenes.items()}
        return {"id": number, "scenes": scenes, "total": len(scenes)}
    columns, rows = source.extent
    return {
        "id": number,
        "texture": source.texture,
        "tile_size": list(source.region_size),
        "margins": _unless_none(source.margins),
        "separation": _unless_none(source.separation),
        "columns": columns,
        "rows": rows,
        "total": len(source.tiles),
    }


def _unless_none(numbers: Pair) -> list[int] | None:
    return None if numbers == (0, 0) else list(numbers)


def lines(view: TileSetView, source: int | None) -> list[str]:
    """Describe every tile with what is on it, one per line.

    Raises:
        NotFound: there is no such source.
    """
    if source is not None and source not in view.sources:
        raise NotFound(f"The tile set has no source {source}.", hint=f"It has: {', '.join(map(str, view.sources))}.")
    texts: list[str] = []
    for number, tiles in view.sources.items():
        if source is not None and number != source:
            continue
        if isinstance(tiles, SceneTiles):
            texts += [f"{number}:0,0/{scene} {path}" for scene, path in tiles.scenes.items()]
            continue
        for at, alternatives in tiles.tiles.items():
            for alternative, data in alternatives.items():
                texts.append(" ".join(_describe_tile(view, tiles, number, at, alternative, data)))
    return texts


def _describe_tile(
    view: TileSetView, atlas: Atlas, source: int, at: Pair, alternative: int, data: Mapping[str, v.Variant]
) -> list[str]:
    parts = [f"{source}:{at[0]},{at[1]}" + (f"/{alternative}" if alternative else "")]
    size = atlas.size(at)
    if size != (1, 1) and not alternative:
        parts.append(f"size:{size[0]}x{size[1]}")
    frames = atlas.frames(at)
    if frames > 1 and not alternative:
        parts.append(f"frames:{frames}")
    parts += _describe_polygons(view, data)
    parts += _describe_terrain(view, data)
    names = {number: name for name, number in view.custom_layers.items()}
    for name, value in data.items():
        if (layer := _CUSTOM_DATA.fullmatch(name)) is not None:
            number = int(layer[1])
            parts.append(f"{names.get(number, number)}={present(value)}")
        elif not name.startswith(_ASIDE):
            parts.append(f"{name}={present(value, document=view.document)}")
    return parts


def _describe_polygons(view: TileSetView, data: Mapping[str, v.Variant]) -> list[str]:
    counts: dict[str, int] = {}
    one_way = set()
    for name, value in data.items():
        matched = re.fullmatch(r"(physics|occlusion|navigation)_layer_(\d+)/(?:polygon_\d+/)?(\w+)", name)
        if matched and matched[3] in ("points", "polygon"):
            what = {"physics": "collision"}.get(matched[1], matched[1]) + (
                f"[{matched[2]}]" if matched[2] != "0" else ""
            )
            counts[what] = counts.get(what, 0) + (walkable_count(view.document, value) or 1)
        elif matched and matched[3] == "one_way":
            one_way.add("one_way")
    return [*(f"{what}:{count}" for what, count in counts.items()), *one_way]


def _describe_terrain(view: TileSetView, data: Mapping[str, v.Variant]) -> list[str]:
    number = data.get("terrain_set")
    if not isinstance(number, int):
        return []
    names = {value: name for name, value in view.terrains(number).items()}
    own, bits = data.get("terrain"), sum(name.startswith("terrains_peering_bit/") for name in data)
    parts = [f"terrain:{names.get(own, own)}"] if isinstance(own, int) else [f"terrain_set:{number}"]
    return parts + ([f"peering:{bits}"] if bits else [])
