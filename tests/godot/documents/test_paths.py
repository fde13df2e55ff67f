"""Paths of nodes."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scenewright.godot.documents import paths

nodes = st.lists(st.sampled_from("abc"), max_size=4).map(lambda parts: "/".join(parts) or ".")


@pytest.mark.parametrize(
    ("start", "target", "way"),
    [
        (".", ".", "."),
        (".", "A/B", "A/B"),
        ("A", ".", ".."),
        ("A/B", "A/C/D", "../C/D"),
        ("A/B", "A/B/C", "C"),
        ("A/B", "C", "../../C"),
    ],
)
def test_the_way_between_nodes_is_the_engines(start: str, target: str, way: str) -> None:
    assert paths.relative(start, target) == way


@given(nodes, nodes)
def test_the_way_between_nodes_leads_there(start: str, target: str) -> None:
    assert paths.resolve(start, paths.relative(start, target), {}) == target


@pytest.mark.parametrize(
    ("start", "path", "target"),
    [
        ("A", "./B//C", "A/B/C"),
        ("A", "../..", None),
        ("A", "/root/Main", None),
        ("A", "%Door/Shape", "World/Door/Shape"),
        ("A", "%Root/B", "B"),
        ("A", "%Nobody", None),
        ("A", "B/%Door", None),
    ],
)
def test_a_path_leads_to_a_node_or_out_of_the_scene(start: str, path: str, target: str | None) -> None:
    assert paths.resolve(start, path, {"Door": "World/Door", "Root": "."}) == target


def test_parts_of_a_path_are_put_together_and_taken_apart() -> None:
    assert [paths.join(".", "A"), paths.join("A", "B")] == ["A", "A/B"]
    assert [paths.parent_of("A"), paths.parent_of("A/B"), paths.name_of("A/B")] == [".", "A", "B"]
    assert [paths.normal(""), paths.normal("./A/"), paths.normal(".")] == [".", "A", "."]
    assert [paths.is_within("A/B", "A"), paths.is_within("AB", "A"), paths.is_within("A", ".")] == [True, False, True]
    assert [paths.rebased("A/B/C", "A/B", "X"), paths.rebased("AB", "A", "X"), paths.rebased("A", ".", "X")] == [
        "X/C",
        "AB",
        "A",
    ]
