"""Diffs in brief: repeated lines stand once with their number, distinct ones are all there."""

from __future__ import annotations

from scenewright.core.writes import folded_lines
from scenewright.core.writes.changeset import Change
from scenewright.core.writes.diff import diff_of

SHAPE = "PackedVector2Array(-8, -8, 8, -8, 8, 8)"


def fold(lines: list[str]) -> list[str]:
    return folded_lines.fold(lines, lines)


def brief(before: str, after: str | None) -> str:
    diff = diff_of([Change("a.tres", before.encode(), None if after is None else after.encode())])
    assert diff is not None
    return diff.brief[0]


def test_a_line_for_each_tile_is_said_once() -> None:
    tiles = "".join(f"{x}:2/0/physics_layer_0/polygon_0/points = {SHAPE}\n" for x in range(72))
    other = f"3:2/0/physics_layer_1/polygon_0/points = {SHAPE}\n3:2/0/custom_data_0 = 7\n"
    assert brief("[resource]\n", f"[resource]\n{tiles}{other}").split("\n") == [
        "modified a.tres",
        "@@ -1,0 +2,74 @@",
        f"+72 × #:#/#/physics_layer_0/polygon_0/points = {SHAPE}",
        f"+3:2/0/physics_layer_1/polygon_0/points = {SHAPE}",
        "+3:2/0/custom_data_0 = 7",
    ]


def test_a_line_that_stands_alone_keeps_its_place() -> None:
    assert fold(["@@ -0,0 +1 @@", "+tracks/0/type = 1"]) == ["@@ -0,0 +1 @@", "+tracks/0/type = 1"]


def test_lines_that_differ_in_their_value_are_all_shown() -> None:
    lines = [f"+tracks/{number}/path = {number}" for number in range(30)]
    assert fold(lines) == lines


def test_what_goes_is_not_counted_with_what_comes() -> None:
    assert fold(["-a", "+a", "+a", "-b"]) == ["-a", "+2 × a", "-b"]


def test_empty_lines_are_shown_only_where_nothing_else_changes() -> None:
    assert fold(["@@ -1 +1 @@", "+", "+a", "+"]) == ["@@ -1 +1 @@", "+a"]
    assert fold(["@@ -1 +1 @@", "+", "+"]) == ["@@ -1 +1 @@", "+2 × "]


def test_a_hunk_of_repetitions_only_goes_with_its_head() -> None:
    assert fold(["@@ -1 +1 @@", "+a", "@@ -9 +9 @@", "+a", "@@ -20 +20 @@", "+b"]) == [
        "@@ -1 +1 @@",
        "+2 × a",
        "@@ -20 +20 @@",
        "+b",
    ]


def test_a_file_that_goes_is_told_by_its_size() -> None:
    assert brief("one\ntwo\n", None) == "deleted a.tres (2 lines, 8 bytes)"


def test_bytes_that_nobody_can_read_are_told_by_their_length() -> None:
    cells = [f'tile_map_data = PackedByteArray("{"AQ" * count}=")\n' for count in (200, 210)]
    diff = diff_of([Change("a.tscn", cells[0].encode(), cells[1].encode())])
    assert diff is not None
    for entry in (diff.entries[0], diff.brief[0]):
        assert entry.split("\n")[2:] == [
            '-tile_map_data = PackedByteArray("…") (436 characters)',
            '+tile_map_data = PackedByteArray("…") (456 characters)',
        ]


def test_long_lines_that_differ_far_behind_are_not_taken_for_the_same() -> None:
    start = "Object(InputEventKey," + '"pressed":false,' * 20

    def key(code: int) -> str:
        return f'{start}"keycode":{code})'

    before = "[input]\n"
    entry = brief(before, before + "\n".join(key(code) for code in (65, 68, 32)) + "\n")
    assert "×" not in entry
    assert '"keycode":68)' in entry
    assert '"keycode":32)' in entry
