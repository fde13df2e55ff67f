"""A value that a reply tells is news, unless it is without doubt the one that was sent."""

from __future__ import annotations

from typing import Any

import pytest

from scenewright.core.operations.sent_values import says_the_same

SAME: list[tuple[Any, Any]] = [
    (1, 1.0),
    (0.33333334, 0.33333333),
    (True, True),
    ("res://a.gd", "a.gd"),
    ("Vector2(8, 4)", [8, 4]),
    ("Vector2(8, 4)", "Vector2(8,4)"),
    ("Vector3(0, 1, 0)", {"x": 0, "y": 1, "z": 0}),
    ("Color(1, 0.53333336, 0, 1)", "#ff8800"),
    ("Color(1, 0.53333336, 0, 0.5019608)", "#ff880080"),
    ("Color(1, 0.5, 0, 1)", [1, 0.5, 0]),
    ({"$path": "res://a.png"}, "a.png"),
    ('NodePath("../Effects")', "../Effects"),
    ('&"Title"', "Title"),
    ({"$type": "PackedInt32Array", "value": [1, 2]}, [1, 2]),
    ({"$resource": "BoxMesh", "id": "BoxMesh_1"}, {"$resource": "BoxMesh", "props": {"size": [1, 1, 1]}}),
    ([{"path": "a", "singleton": True}], [{"path": "a", "singleton": True}]),
]
NEWS: list[tuple[Any, Any]] = [
    (1, True),
    (2, "Color"),
    (0, None),
    (0.4, 0.5),
    ("Vector2(8, 4)", [8, 5]),
    ("Vector2(8, 4)", [8, 4, 0]),
    ("Vector2(8, 4)", "Vector2(8, y)"),
    ("Color(1, 0.5, 0, 1)", "#ff8800"),
    ("Color(1, 0, 0, 1)", "red"),
    ("b", "a"),
    ('&"Title"', "title"),
    ({"$resource": "BoxMesh"}, "mesh.tres"),
    ({"a": 1, "b": 2}, {"a": 1}),
    ([1, 2], [1, 2, 3]),
    ([1], 1),
]


@pytest.mark.parametrize(("told", "sent"), SAME)
def test_it_is_what_was_sent(told: Any, sent: Any) -> None:
    assert says_the_same(told, sent)


@pytest.mark.parametrize(("told", "sent"), NEWS)
def test_it_is_news(told: Any, sent: Any) -> None:
    assert not says_the_same(told, sent)
