"""Files that a set of changes only puts elsewhere."""

from __future__ import annotations

import pytest

from scenewright.core.writes.changeset import Change
from scenewright.core.writes.diff import diff_of
from scenewright.core.writes.moves import moves


def gone(path: str, content: bytes) -> Change:
    return Change(path, content, None)


def made(path: str, content: bytes) -> Change:
    return Change(path, None, content)


TEXT = b"one\ntwo\nthree\nfour\n"


@pytest.mark.parametrize(
    ("changes", "expected"),
    [
        ([gone("a.gd", TEXT), made("b.gd", TEXT)], {"a.gd": "b.gd"}),
        ([gone("x/a.gd", TEXT), made("y/a.gd", b"other")], {"x/a.gd": "y/a.gd"}),
        ([gone("a.gd", TEXT), made("b.gd", TEXT.replace(b"two", b"2"))], {"a.gd": "b.gd"}),
        ([gone("a.gd", TEXT), made("b.gd", b"other\n")], {}),
        ([gone("a.gd", TEXT), made("b.gd", TEXT), made("c.gd", TEXT)], {}),
        ([gone("a.gd", b""), made("b.gd", b"")], {}),
        ([Change("a.gd", TEXT, b"new"), made("b.gd", TEXT)], {}),
    ],
    ids=["same content", "same name", "most lines", "another file", "two copies", "empty files", "still there"],
)
def test_a_file_has_moved_only_where_there_is_one_that_it_can_be(
    changes: list[Change], expected: dict[str, str]
) -> None:
    assert moves(changes) == expected


def test_a_moved_file_is_shown_as_one_with_what_changed_in_it() -> None:
    text = [gone("a.gd", TEXT), made("b.gd", TEXT.replace(b"two", b"2"))]
    diff = diff_of([*text, gone("c.bin", b"\0"), made("d.bin", b"\0")])
    assert diff is not None
    assert diff.summary == "2 files changed, +1 −1 lines"
    moved = "moved a.gd to b.gd\n@@ -1,4 +1,4 @@\n one\n-two\n+2\n three\n four"
    assert diff.entries == [moved, "moved c.bin to d.bin"]
