"""Cuts simple polygons into convex ones, and tells whether convex ones overlap."""

from __future__ import annotations

from collections.abc import Iterator

from scenewright.godot.assets.images.outlines import Point, Polygon, area, simplified

__all__ = ["convex_pieces", "overlap"]

_SLACK = 1e-6  # what counts as touching


def convex_pieces(polygon: Polygon) -> list[Polygon]:
    """Return convex polygons that make up the given one, with its corners only; one if it is convex itself."""
    turned = polygon if area(polygon) > 0 else polygon[::-1]
    if _is_convex(turned):
        return [polygon]
    pieces = _triangles(simplified(turned, 0))
    while (joined := _join_two(pieces)) is not None:
        pieces = joined
    return pieces


def overlap(one: Polygon, other: Polygon) -> bool:
    """Return whether two convex polygons have more than an edge or a corner in common."""
    for (ax, ay), (bx, by) in [*_edges(one), *_edges(other)]:
        across = (ay - by, bx - ax)
        here, there = ([x * across[0] + y * across[1] for x, y in each] for each in (one, other))
        if max(here) <= min(there) + _SLACK or max(there) <= min(here) + _SLACK:
            return False
    return True


def _triangles(polygon: Polygon) -> list[Polygon]:
    """Ears cut off one by one; a simple polygon always has one."""
    left = list(polygon)
    triangles: list[Polygon] = []
    while len(left) > 3:
        at = next((number for number in range(len(left)) if _is_ear(left, number)), 0)
        triangles.append([left[at - 1], left[at], left[(at + 1) % len(left)]])
        del left[at]
    return [*triangles, left]


def _is_ear(polygon: Polygon, at: int) -> bool:
    corners = [polygon[at - 1], polygon[at], polygon[(at + 1) % len(polygon)]]
    others = (point for point in polygon if point not in corners)
    return area(corners) > 0 and not any(_is_inside(point, corners) for point in others)


def _is_inside(point: Point, triangle: Polygon) -> bool:
    return all(area([start, end, point]) >= 0 for start, end in _edges(triangle))


def _join_two(pieces: list[Polygon]) -> list[Polygon] | None:
    """The pieces with two of them made one along an edge of both, where that is convex too."""
    sides = {edge: number for number, piece in enumerate(pieces) for edge in _edges(piece)}
    for (start, end), one in sides.items():
        other = sides.get((end, start))
        if other is None:
            continue
        whole = _rotate_to_start(pieces[one], end) + _rotate_to_start(pieces[other], start)[1:-1]
        if _is_convex(whole):
            return [piece for number, piece in enumerate(pieces) if number not in (one, other)] + [whole]
    return None


def _rotate_to_start(piece: Polygon, start: Point) -> Polygon:
    at = piece.index(start)
    return piece[at:] + piece[:at]


def _is_convex(polygon: Polygon) -> bool:
    count = len(polygon)
    return all(area([polygon[at - 1], polygon[at], polygon[(at + 1) % count]]) >= 0 for at in range(count))


def _edges(polygon: Polygon) -> Iterator[tuple[Point, Point]]:
    return zip(polygon, [*polygon[1:], polygon[0]], strict=True)
