"""What a person sees of a reply's data."""

from __future__ import annotations

from typing import Any

import pytest

from scenewright.cli.outline import outline

NODES: list[dict[str, Any]] = [
    {"path": ".", "name": "Main", "type": "Node2D"},
    {"path": "Player", "name": "Player", "type": "Sprite2D", "groups": ["hero"]},
    {"path": "Player/Cam", "name": "Cam", "type": "Camera2D"},
    {"path": "Lamp", "name": "Lamp", "type": "Node2D"},
]
TREE = ["Main (Node2D)", "├─ Player (Sprite2D)  groups: hero", "│  └─ Cam (Camera2D)", "└─ Lamp (Node2D)"]


def test_nodes_with_paths_are_a_tree() -> None:
    assert outline({"scenePath": "a.tscn", "nodes": NODES}) == [
        "scenePath: a.tscn",
        "nodes:",
        *("  " + t for t in TREE),
    ]


def test_nodes_inside_each_other_are_the_same_tree() -> None:
    main, player, cam, lamp = ({k: v for k, v in node.items() if k != "path"} for node in NODES)
    nested: dict[str, Any] = main | {"children": [player | {"children": [cam]}, lamp]}
    assert outline(nested) == TREE


def test_a_script_is_text_and_comes_last() -> None:
    assert outline({"text": "extends Node\n\nvar a\n", "path": "a.gd"}) == [
        "path: a.gd",
        "text:",
        "extends Node",
        "",
        "var a",
    ]


def test_lines_of_files_are_written_as_compilers_do() -> None:
    row = {"path": "res://a.gd", "line": 3, "column": 5, "text": "\tfoo()"}
    issue = {"severity": "error", "path": "res://b.gd", "message": "No such node."}
    assert outline([row, issue]) == ["res://a.gd:3:5: foo()", "res://b.gd: No such node. (severity: error)"]


def test_small_rows_are_a_table_and_no_line_is_too_long_for_a_narrow_terminal() -> None:
    rows = [{"name": "jump", "deadzone": 0.5, "on": True}, {"name": "go", "deadzone": 0.25}]
    assert outline({"actions": rows}) == [
        "actions:",
        "  name  deadzone  on",
        "  jump  0.5       yes",
        "  go    0.25",
    ]
    wide = outline([{f"column{at}": "x" * 20 for at in range(6)}] * 2)
    assert max(map(len, wide)) < 80


def test_a_long_list_inside_a_row_says_how_much_is_left_out() -> None:
    shown = outline({"entries": [{"entry": 1, "files": [f"created file {at}" for at in range(50)]}]})
    assert "31 more, which --json shows" in shown[-1]
    assert len(shown) == 23


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        ({}, []),
        ({"a": None, "b": [], "c": ""}, []),
        ({"a": 0, "b": False}, ["a: 0", "b: no"]),
        ({"at": [8, 4.5], "names": ["a", "b"]}, ["at: [8, 4.5]", "names: a, b"]),
        ({"inner": {"a": 1}}, ["inner: a: 1"]),
        ({"scenes": {"a.tscn": "Main\n  Lamp"}}, ["scenes:", "  a.tscn:", "    Main", "      Lamp"]),
        ([1, {"a": 2, "b": 3}], ["- 1", "- a: 2", "  b: 3"]),
        ("plain", ["plain"]),
    ],
)
def test_values_are_told_in_words(value: Any, expected: list[str]) -> None:
    assert outline(value) == expected
