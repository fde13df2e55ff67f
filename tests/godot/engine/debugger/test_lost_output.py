from __future__ import annotations

import pytest

from scenewright.godot.engine.complaints import Complaint
from scenewright.godot.engine.debugger.lost_output import unheard

ERROR = ["ERROR: late", "   at: push_error (core/variant/variant_utility.cpp:1098)"]


def told(*lines: str) -> list[tuple[int, str, object]]:
    return [(number, "output", line) for number, line in enumerate(lines, 1)]


@pytest.mark.parametrize(
    ("raw", "heard", "missing"),
    [
        (["a", "b"], ["a", "b"], []),
        (["a", "b", "c"], ["a"], ["b", "c"]),
        (["a", "b"], [], ["a", "b"]),
        (["tick", "tick", "tick"], ["tick", "tick"], ["tick"]),
        (["\x1b[1mbold\x1b[22m", "next"], ["bold"], ["next"]),
        (["bold", "next"], ["[b]bold[/b]"], []),
    ],
    ids=["all heard", "the end is missing", "nothing heard", "the same again", "in colours", "as rich text"],
)
def test_the_end_that_was_not_heard_is_found(raw: list[str], heard: list[str], missing: list[str]) -> None:
    assert unheard(raw, told(*heard), whole=True) == (missing, [])


def test_of_a_long_run_only_what_came_after_the_last_line_is_missing() -> None:
    assert unheard(["tick", "tick", "end"], told("tick"), whole=False) == (["end"], [])


def test_an_error_is_told_once() -> None:
    lines, complaints = unheard(["a", *ERROR, "b"], told("a"), whole=True)
    assert (lines, [found.message for found in complaints]) == (["b"], ["late"])
    known = [*told("a"), (2, "error", Complaint("error", "script", "late"))]
    assert unheard(["a", *ERROR], known, whole=True) == ([], [])
