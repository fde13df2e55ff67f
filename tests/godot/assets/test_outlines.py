from __future__ import annotations

from pathlib import Path
from random import Random

import pytest
from tests.support.gdscript_runner import make_project, run_jobs

from scenewright.godot.assets.images.outlines import Polygon, area, crosses, outlines


def mask(*rows: str) -> list[list[bool]]:
    return [[sign == "#" for sign in row] for row in rows]


def test_a_full_cell_is_a_box() -> None:
    assert outlines(mask("####", "####", "####")) == [[(0, 0), (4, 0), (4, 3), (0, 3)]]


def test_nothing_has_no_outline() -> None:
    assert outlines(mask("....", "....")) == []


def test_groups_have_polygons_of_their_own_and_specks_have_none() -> None:
    found = outlines(mask("##...##", "##...##", "##.....", "....#.."))
    assert [area(each) for each in found] == [6, 4]


def test_holes_and_what_is_in_them_are_filled() -> None:
    found = outlines(mask("#######", "#.....#", "#.###.#", "#.###.#", "#.....#", "#######"), tolerance=0)
    assert found == [[(0, 0), (7, 0), (7, 6), (0, 6)]]


def test_a_staircase_becomes_a_slope() -> None:
    (found,) = outlines([[column <= row for column in range(16)] for row in range(16)], tolerance=1)
    assert len(found) <= 4
    assert area(found) == pytest.approx(136, abs=17)


def test_no_tolerance_keeps_every_corner() -> None:
    (found,) = outlines(mask("#...", "##..", "###."), tolerance=0)
    assert len(found) == 8
    assert area(found) == 6


def test_pixels_that_touch_at_a_corner_make_no_polygon_that_touches_itself() -> None:
    for found in (outlines(mask("##..", "##..", "..##", "..##"), 0), outlines(mask("###", "#.#", "##.", "###"), 0)):
        assert found
        assert not any(len(set(each)) < len(each) or crosses(each) for each in found)


def random_masks(count: int) -> list[list[list[bool]]]:
    """Blobs and noise of all kinds."""
    random = Random(5)
    found = []
    for number in range(count):
        size = random.choice([6, 8, 16])
        share = random.choice([0.3, 0.5, 0.7, 0.9])
        rows = [[random.random() < share for _ in range(size)] for _ in range(size)]
        if number % 2:  # smoothed, so that there are shapes as in pictures
            rows = [
                [
                    sum(rows[(y + b) % size][(x + a) % size] for a in (-1, 0, 1) for b in (-1, 0, 1)) > 4
                    for x in range(size)
                ]
                for y in range(size)
            ]
        found.append(rows)
    return found


def polygons(count: int) -> list[Polygon]:
    masks = random_masks(count)
    return [each for number, rows in enumerate(masks) for each in outlines(rows, (0.0, 0.5, 1.0, 2.0)[number % 4])]


def test_every_outline_is_simple_and_turns_the_same_way() -> None:
    found = polygons(200)
    assert len(found) > 200
    for each in found:
        assert area(each) > 0
        assert len(set(each)) == len(each)
        assert not crosses(each)


def test_an_outline_is_never_farther_off_than_the_tolerance_allows() -> None:
    for rows in random_masks(60):
        exact = sum(area(each) for each in outlines(rows, 0.0, smallest=0))
        rim = sum(_length(each) for each in outlines(rows, 0.0, smallest=0))
        assert sum(area(each) for each in outlines(rows, 0.5, smallest=0)) == pytest.approx(exact, abs=0.5 * rim + 0.01)


def _length(polygon: Polygon) -> float:
    around = zip(polygon, [*polygon[1:], polygon[0]], strict=True)
    return sum(abs(a - x) + abs(b - y) for (x, y), (a, b) in around)


CUTTING = """
func run(job: Variant) -> Variant:
	var corners: PackedVector2Array = PackedVector2Array()
	for at: Array in job:
		corners.append(Vector2(at[0] as float, at[1] as float))
	return Geometry2D.decompose_polygon_in_convex(corners).size()
"""


@pytest.mark.godot
@pytest.mark.xdist_group("godot-text")
def test_the_engine_cuts_every_outline_into_convex_pieces(tmp_path: Path) -> None:
    replies = run_jobs(make_project(tmp_path), CUTTING, polygons(200))
    assert all(reply.value > 0 for reply in replies)
    assert [reply.complaints for reply in replies if reply.complaints] == []
