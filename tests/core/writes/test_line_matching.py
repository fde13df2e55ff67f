"""Which lines were replaced: right for any two texts, in bounded work."""

from __future__ import annotations

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scenewright.core.writes.line_matching import replaced_lines

LINES = st.lists(st.sampled_from("abcdefgh"), max_size=30)


def rebuilt(before: list[str], after: list[str], steps: int) -> list[str]:
    """The new text, made of the old one by what was found; what lies between must be the same in both."""
    made: list[str] = []
    at = 0
    for old, new in replaced_lines(before, after, steps=steps):
        assert before[at : old.start] == after[len(made) : new.start]
        made += [*before[at : old.start], *after[new]]
        at = old.stop
    return [*made, *before[at:]]


@pytest.mark.parametrize("steps", [0, 20, 400_000])
@given(before=LINES, after=LINES)
def test_the_new_text_comes_out_of_the_old_one_whatever_the_budget(
    before: list[str], after: list[str], steps: int
) -> None:
    assert rebuilt(before, after, steps) == after


def test_the_fewest_lines_are_found() -> None:
    assert replaced_lines(list("abcabba"), list("abcxabba")) == [(slice(3, 3), slice(3, 4))]
    found = replaced_lines(list("abcabba"), list("cbabac"))
    assert sum(old.stop - old.start + new.stop - new.start for old, new in found) == 5


def test_texts_made_to_be_hard_to_compare_are_given_up_in_parts_at_lines_that_occur_once() -> None:
    chance = random.Random(1)
    noise = [["a\n" if chance.random() < 0.5 else "b\n" for _ in range(20_000)] for _ in range(4)]
    before, after = [*noise[0], "once\n", *noise[1]], [*noise[2], "once\n", *noise[3]]
    found = replaced_lines(before, after)
    assert any(old.stop <= 20_000 for old, _ in found)
    assert all(20_000 not in range(old.start, old.stop) for old, _ in found)
    assert rebuilt(before, after, 400_000) == after
