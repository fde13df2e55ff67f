"""A diff that a person can read and trust."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scenewright.core.writes.changeset import Change
from scenewright.core.writes.diff import ENTRY_BYTES, LINE_CHARS, TOTAL_BYTES, Diff, diff_of


def shown(before: bytes | None, after: bytes | None) -> str:
    diff = diff_of([Change("a.txt", before, after)])
    assert diff is not None
    return diff.entries[0]


def test_nothing_changed_is_no_diff() -> None:
    assert diff_of([]) is None


def test_each_file_says_what_happened_to_it_and_the_lines_are_counted() -> None:
    diff = diff_of([Change("new", None, b"1\n2\n"), Change("mod", b"1\n", b"2\n"), Change("gone", b"1\n", None)])
    assert diff == Diff(
        "3 files changed, +3 −2 lines",
        [
            "created new\n@@ -0,0 +1,2 @@\n+1\n+2",
            "modified mod\n@@ -1 +1 @@\n-1\n+2",
            "deleted gone\n@@ -1 +0,0 @@\n-1",
        ],
    )


def test_lines_around_a_change_are_shown_with_their_numbers() -> None:
    before = b"".join(b"%d\n" % number for number in range(1, 101))
    assert shown(before, before.replace(b"\n50\n", b"\nfifty\n")) == (
        "modified a.txt\n@@ -48,5 +48,5 @@\n 48\n 49\n-50\n+fifty\n 51\n 52"
    )


@pytest.mark.parametrize(("line", "sign"), [(b"-- a comment in Lua", "-"), (b"++count;", "+"), (b"@@ hunk", "-")])
def test_a_line_that_looks_like_a_part_of_a_diff_is_shown(line: bytes, sign: str) -> None:
    texts = (b"x\n" + line + b"\n", b"x\n")
    before, after = texts if sign == "-" else reversed(texts)
    assert f"\n{sign}{line.decode()}" in shown(before, after)


def test_changed_line_ends_are_seen() -> None:
    assert shown(b"a\r\nb\r\n", b"a\nb\r\n") == "modified a.txt\n@@ -1,2 +1,2 @@\n-a\r\n+a\n b\r"


def test_a_missing_newline_at_the_end_is_seen() -> None:
    assert shown(b"a\nb", b"a\nb\n") == "modified a.txt\n@@ -1,2 +1,2 @@\n a\n-b\n\\ No newline at end of file\n+b"


@pytest.mark.parametrize(
    ("before", "after", "sizes"),
    [
        (b"\0", b"\0\1", "(1 bytes → 2 bytes)"),
        (b"\xff", None, "(1 bytes → nothing)"),
        (None, b"", "(nothing → 0 bytes)"),
    ],
)
def test_what_cannot_be_shown_by_line_is_shown_by_size(before: bytes | None, after: bytes | None, sizes: str) -> None:
    assert shown(before, after).endswith(sizes)


def test_lines_are_counted_and_shown_however_large_the_file_is() -> None:
    before = b"".join(b"line %d\n" % number for number in range(50_000))
    diff = diff_of([Change("a.txt", before, before.replace(b"line 70\n", b"seventy\n") + b"end\n")])
    assert len(before) > 400_000
    assert diff is not None
    assert diff.summary == "1 file changed, +2 −1 lines"
    assert "-line 70\n+seventy" in diff.entries[0]
    created = diff_of([Change("a.txt", None, before)])
    assert created is not None
    assert created.summary == "1 file changed, +50000 −0 lines"


def test_what_was_not_compared_is_not_called_unchanged(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("scenewright.core.writes.diff.COMPARABLE_BYTES", 10)
    large, binary = Change("large.txt", b"x\n" * 20, b"y\n" * 20), Change("a.png", b"\0", b"\0\1")
    diff = diff_of([large, binary])
    assert diff is not None
    assert diff.summary == "2 files changed, not comparable by line"
    assert diff.entries[0] == "modified large.txt (40 bytes → 40 bytes)"
    mixed = diff_of([Change("a.txt", b"1\n", b"2\n"), binary])
    assert mixed is not None
    assert mixed.summary == "2 files changed, +1 −1 lines, 1 not comparable by line"


def test_a_long_diff_is_cut_and_says_how_much_is_left() -> None:
    entry = shown(None, b"line\n" * 5000)
    assert len(entry) < ENTRY_BYTES + 100
    assert entry.endswith("more lines")
    assert "@@ -0,0 +1,5000 @@" in entry


def test_many_files_share_one_budget() -> None:
    diff = diff_of([Change(f"{number}.txt", None, b"line\n" * 1000) for number in range(100)])
    assert diff is not None
    assert sum(map(len, diff.entries)) < TOTAL_BYTES + 100 * 40
    assert diff.summary == "100 files changed, +100000 −0 lines"


TEXTS = st.lists(st.sampled_from(["a", "b", "", "-", "+x", "@@ -1 +1 @@", "\\ No"]), max_size=14).map("\n".join)
MISSING = "\\ No newline at end of file"


def apply(before: str, hunks: list[str]) -> str:
    """The text that a diff makes of another."""
    held = before.split("\n")
    made: list[str] = []
    at = 0
    for line in hunks:
        if line.startswith("@@"):
            start = int(line.split()[1][1:].split(",")[0])
            count = int((line.split()[1] + ",1").split(",")[1])
            made += held[at : start - 1 if count else start]
            at = start - 1 if count else start
        elif line != MISSING:
            at += line[0] != "+"
            made += [line[1:]] if line[0] != "-" else []
    return "\n".join(made + held[at:])


@settings(max_examples=300, deadline=None, derandomize=True, database=None)
@given(TEXTS, TEXTS)
def test_a_diff_says_exactly_how_one_text_becomes_the_other(before: str, after: str) -> None:
    before, after = f"{before}\n", f"{after}\n"
    hunks = shown(before.encode(), after.encode()).split("\n")[1:]
    assert apply(before, hunks) == after
    assert before == after or any(line[0] in "+-" for line in hunks)


def test_the_smallest_change_is_found_among_lines_that_repeat() -> None:
    assert shown(b"}\n" * 50, b"}\n" * 51) == "modified a.txt\n@@ -49,2 +49,3 @@\n }\n }\n+}"
    assert shown(b"b\na\nb\na\na\n", b"b\nb\na\na\n") == "modified a.txt\n@@ -1,4 +1,3 @@\n b\n-a\n b\n a"


def test_a_long_line_is_shown_around_where_it_changed() -> None:
    before = b"short\n" + b"a" * 5000 + b"[old]" + b"z" * 5000 + b"\n"
    lines = shown(before, before.replace(b"[old]", b"[new]")).split("\n")
    assert lines[2] == " short"
    for line, sign, value in ((lines[3], "-", "[old]"), (lines[4], "+", "[new]")):
        assert line.startswith(f"{sign}…a")
        assert value in line
        assert line.endswith("z… (10,005 characters)")
        assert len(line) < LINE_CHARS + 40


def test_a_long_line_beside_a_change_or_new_is_shown_from_its_start() -> None:
    long = b"b" * 900 + b"\n"
    assert f" {'b' * LINE_CHARS}… (900 characters)\n-1" in shown(long + b"1\n", long + b"2\n")
    assert shown(b"", long).endswith(f"+{'b' * LINE_CHARS}… (900 characters)")
