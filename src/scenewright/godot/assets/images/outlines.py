"""Polygons around the opaque pixels of a mask: traced along the pixels' edges, then simplified.

Holes are filled, since a collision polygon has none. Every polygon is simple: it neither crosses nor touches itself,
which the engine needs to cut it into convex pieces.
"""

from __future__ import annotations

from collections.abc import Sequence

__all__ = ["Point", "Polygon", "area", "crosses", "outlines", "simplified"]

Point = tuple[float, float]
Polygon = list[Point]
_Corner = tuple[int, int]


def outlines(mask: Sequence[Sequence[bool]], tolerance: float = 1.0, smallest: float = 2.0) -> list[Polygon]:
    """Return a polygon for each group of connected pixels, in pixels from the mask's corner, largest first.

    `tolerance` is how far the polygon may be from the pixels' edges; groups of a smaller area are left out.
    """
    loops = [loop for loop in _loops(mask) if area(loop) >= smallest]
    loops.sort(key=area, reverse=True)
    outer = [loop for number, loop in enumerate(loops) if not any(_holds(other, loop) for other in loops[:number])]
    return [simplified(loop, tolerance) for loop in outer]


def area(polygon: Sequence[tuple[float, float]]) -> float:
    """Return the area of a polygon, positive if its inside is on the right of its path, as the y axis goes down."""
    following = [*polygon[1:], *polygon[:1]]
    return sum(x * b - a * y for (x, y), (a, b) in zip(polygon, following, strict=True)) / 2


def simplified(polygon: Polygon, tolerance: float) -> Polygon:
    """Return the polygon with fewer corners, nowhere farther than the tolerance from where it was."""
    polygon = _without_straight(polygon)
    while tolerance > 0.05 and len(polygon) > 4:
        simpler = _without_straight(_simplify_polygon(polygon, tolerance))
        if len(simpler) >= 3 and area(simpler) > 0 and not crosses(simpler):
            return simpler
        tolerance /= 2
    return polygon


def _loops(mask: Sequence[Sequence[bool]]) -> list[Polygon]:
    """The edges between opaque and other pixels as closed ways, cut where a way touches itself."""
    ways = _edges(mask)
    loops: list[Polygon] = []
    while ways:
        start = next(iter(ways))
        path: list[_Corner] = [start]
        at: dict[_Corner, int] = {start: 0}
        while path:
            here = path[-1]
            step = _next_corner(ways, here)
            if step not in at:
                at[step] = len(path)
                path.append(step)
                continue
            loop = path[at[step] :]
            loops.append([(float(x), float(y)) for x, y in loop])
            for corner in loop[1:]:
                del at[corner]
            path = path[: at[step] + 1]
            if step not in ways:
                break
    return loops


def _edges(mask: Sequence[Sequence[bool]]) -> dict[_Corner, list[_Corner]]:
    """From each corner where an edge starts to where it leads; the opaque side is on the right."""
    height, width = len(mask), len(mask[0]) if mask else 0
    ways: dict[_Corner, list[_Corner]] = {}

    def opaque(x: int, y: int) -> bool:
        return 0 <= x < width and 0 <= y < height and mask[y][x]

    for y in range(height):
        for x in range(width):
            if not mask[y][x]:
                continue
            sides = (
                ((x, y), (x + 1, y), opaque(x, y - 1)),
                ((x + 1, y), (x + 1, y + 1), opaque(x + 1, y)),
                ((x + 1, y + 1), (x, y + 1), opaque(x, y + 1)),
                ((x, y + 1), (x, y), opaque(x - 1, y)),
            )
            for start, end, inside in sides:
                if not inside:
                    ways.setdefault(start, []).append(end)
    return ways


def _next_corner(ways: dict[_Corner, list[_Corner]], here: _Corner) -> _Corner:
    leads = ways[here]
    step = leads.pop()
    if not leads:
        del ways[here]
    return step


def _holds(outer: Polygon, inner: Polygon) -> bool:
    """Whether a polygon lies inside another; loops of pixels never cross."""
    top, left = min((y, x) for x, y in inner)
    x, y = left + 0.5, top + 0.5  # the pixel at that corner is inside
    inside = False
    for (ax, ay), (bx, by) in zip(outer, [*outer[1:], outer[0]], strict=True):
        if (ay > y) != (by > y) and x < (bx - ax) * (y - ay) / (by - ay) + ax:
            inside = not inside
    return inside


def _without_straight(polygon: Polygon) -> Polygon:
    """Without corners that lie on the line between their neighbours."""
    count = len(polygon)
    return [
        here
        for number, here in enumerate(polygon)
        if abs(_cross(polygon[number - 1], here, polygon[(number + 1) % count])) > 1e-9
    ]


def _simplify_polygon(polygon: Polygon, tolerance: float) -> Polygon:
    """Ramer, Douglas and Peucker, from the two corners that are farthest apart."""
    first = min(range(len(polygon)), key=lambda number: polygon[number])
    turned = polygon[first:] + polygon[:first]
    far = max(range(len(turned)), key=lambda number: _distance(turned[0], turned[number]))
    return (
        _simplify_line(turned[: far + 1], tolerance)[:-1] + _simplify_line([*turned[far:], turned[0]], tolerance)[:-1]
    )


def _simplify_line(line: Polygon, tolerance: float) -> Polygon:
    if len(line) < 3:
        return line
    gaps = [_distance_to_line(point, line[0], line[-1]) for point in line[1:-1]]
    worst = max(gaps)
    if worst <= tolerance:
        return [line[0], line[-1]]
    middle = gaps.index(worst) + 1
    return _simplify_line(line[: middle + 1], tolerance)[:-1] + _simplify_line(line[middle:], tolerance)


def _distance_to_line(point: Point, start: Point, end: Point) -> float:
    length = _distance(start, end)
    return abs(_cross(start, point, end)) / length if length else _distance(point, start)


def _distance(one: Point, other: Point) -> float:
    return float(((one[0] - other[0]) ** 2 + (one[1] - other[1]) ** 2) ** 0.5)


def _cross(before: Point, here: Point, after: Point) -> float:
    return (here[0] - before[0]) * (after[1] - here[1]) - (here[1] - before[1]) * (after[0] - here[0])


def crosses(polygon: Polygon) -> bool:
    """Return whether two edges that are not neighbours meet."""
    edges = list(zip(polygon, [*polygon[1:], polygon[0]], strict=True))
    count = len(edges)
    return any(
        _segments_cross(*edges[one], *edges[other])
        for one in range(count)
        for other in range(one + 2, count)
        if (other + 1) % count != one
    )


def _segments_cross(a: Point, b: Point, c: Point, d: Point) -> bool:
    one, two, three, four = _cross(a, b, c), _cross(a, b, d), _cross(c, d, a), _cross(c, d, b)
    if one * two < 0 and three * four < 0:
        return True
    return any(
        value == 0 and min(p[0], q[0]) <= r[0] <= max(p[0], q[0]) and min(p[1], q[1]) <= r[1] <= max(p[1], q[1])
        for value, p, q, r in ((one, a, b, c), (two, a, b, d), (three, c, d, a), (four, c, d, b))
    )
