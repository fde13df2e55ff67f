"""Where one can walk on a tile: a NavigationPolygon of convex polygons, made and counted."""

from __future__ import annotations

from itertools import combinations

from scenewright.core.faults import Invalid
from scenewright.godot.assets.images.convex import convex_pieces, overlap
from scenewright.godot.assets.images.outlines import Point, Polygon
from scenewright.godot.documents import variant as v
from scenewright.godot.documents.document import Document

__all__ = ["navigation", "walkable_count"]


def navigation(outlines: list[Polygon], where: str) -> dict[str, v.Variant]:
    """Return the properties of a NavigationPolygon inside some outlines, each of which is cut into convex polygons.

    Polygons that have two corners in common share an edge, over which an agent finds its way.

    Raises:
        Invalid: two outlines overlap.
    """
    parts = [convex_pieces(outline) for outline in outlines]
    for (one, first), (other, second) in combinations(enumerate(parts), 2):
        if any(overlap(here, there) for here in first for there in second):
            raise Invalid(
                f"Navigation polygons {one} and {other} overlap.",
                path=where,
                rule="overlap",
                hint="They may touch along an edge; give one polygon around both, or surround a hole with several.",
            )
    pieces = [piece for part in parts for piece in part]
    vertices: dict[Point, int] = {}
    for piece in pieces:
        for point in piece:
            vertices.setdefault(point, len(vertices))
    corners = [v.PackedInt32Array(tuple(vertices[point] for point in piece)) for piece in pieces]
    return {
        "vertices": _pack_polygon(list(vertices)),
        "polygons": v.Array(tuple(corners), "PackedInt32Array"),
        "outlines": v.Array(tuple(_pack_polygon(outline) for outline in outlines), "PackedVector2Array"),
    }


def walkable_count(document: Document, value: v.Variant) -> int | None:
    """Return how many polygons an inner NavigationPolygon has; None where it is something else."""
    section = document.find("sub_resource", id=value.id) if isinstance(value, v.SubResource) else None
    polygons = section.find("polygons") if section is not None else None
    return len(polygons.value.items) if polygons is not None and isinstance(polygons.value, v.Array) else None


def _pack_polygon(polygon: Polygon) -> v.PackedVector2Array:
    return v.PackedVector2Array(tuple(part for corner in polygon for part in corner))
