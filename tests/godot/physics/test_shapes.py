"""Shapes that are made of corners are a box of the size where none are given, so that the engine has something."""

from __future__ import annotations

from typing import Any

import pytest

from scenewright.godot.physics.shapes import shape_of


@pytest.mark.parametrize(
    ("name", "three", "params", "wanted"),
    [
        ("polygon", False, {}, [[-10, -10], [10, -10], [10, 10], [-10, 10]]),
        ("polygon", True, {"sizeX": 2, "sizeY": 4}, [[-1, -2], [1, -2], [1, 2], [-1, 2]]),
        ("convex", False, {"sizeX": 4, "sizeY": 2}, [[-2, -1], [2, -1], [2, 1], [-2, 1]]),
    ],
)
def test_corners_that_are_not_given_are_those_of_a_box(
    name: str, three: bool, params: dict[str, Any], wanted: list[list[float]]
) -> None:
    made = shape_of(name, params, three=three)
    assert made.props == {"polygon" if made.is_node else "points": wanted}


def test_a_convex_shape_in_space_has_the_corners_of_a_box() -> None:
    points = shape_of("convex", {}, three=True).props["points"]
    assert len(points) == 8
    assert {abs(side) for point in points for side in point} == {0.5}


def test_corners_that_are_given_stay() -> None:
    corners = [[0, 0], [5, 0], [0, 5]]
    assert shape_of("polygon", {"points": corners}, three=False).props == {"polygon": corners}
    assert shape_of("polygon", {"polygon": corners}, three=False).props == {"polygon": corners}
