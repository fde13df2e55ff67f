from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from scenewright.godot.assets.images.convex import convex_pieces, overlap
from scenewright.godot.assets.images.outlines import Polygon, area, outlines

SQUARE: Polygon = [(0, 0), (4, 0), (4, 4), (0, 4)]
ELL: Polygon = [(0, 0), (8, 0), (8, 4), (4, 4), (4, 8), (0, 8)]


def turns(polygon: Polygon) -> list[float]:
    count = len(polygon)
    return [area([polygon[at - 1], polygon[at], polygon[(at + 1) % count]]) for at in range(count)]


def test_a_convex_polygon_stays_as_it_is_whichever_way_around() -> None:
    assert convex_pieces(SQUARE) == [SQUARE]
    assert convex_pieces(SQUARE[::-1]) == [SQUARE[::-1]]


def test_a_corner_inwards_makes_two_of_one_whichever_way_around() -> None:
    for given_one in (ELL, ELL[::-1]):
        pieces = convex_pieces(given_one)
        assert len(pieces) == 2
        assert sum(map(area, pieces)) == 48


@given(st.integers(0, 2**49 - 1), st.sampled_from([0.0, 1.0]))
def test_pieces_are_convex_do_not_overlap_and_make_up_the_whole(bits: int, tolerance: float) -> None:
    mask = [[bool(bits >> (row * 7 + column) & 1) for column in range(7)] for row in range(7)]
    for polygon in outlines(mask, tolerance):
        pieces = convex_pieces(polygon)
        assert all(turn >= 0 for piece in pieces for turn in turns(piece))
        assert abs(sum(map(area, pieces)) - area(polygon)) < 1e-9
        assert {corner for piece in pieces for corner in piece} <= set(polygon)
        assert not any(overlap(one, other) for one in pieces for other in pieces if one is not other)


def test_what_only_touches_does_not_overlap() -> None:
    beside: Polygon = [(4, 1), (8, 1), (8, 3), (4, 3)]
    assert not overlap(SQUARE, beside)
    assert overlap(SQUARE, [(x - 1, y) for x, y in beside])
    assert overlap(SQUARE, [(1, 1), (2, 1), (2, 2)])
    assert overlap([(1, 1), (2, 1), (2, 2)], SQUARE)
