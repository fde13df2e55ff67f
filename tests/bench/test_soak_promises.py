"""What `make soak` checks must be able to fail."""

from __future__ import annotations

import pytest
from bench.soak.promises import Promises


def promises() -> Promises:
    made = Promises("A1")
    made.acknowledge("kept", "1")
    made.acknowledge("removed", "1")
    made.take_away("removed")
    made.acknowledge("moved", "1")
    made.doubt("moved", "2", may_be_absent=False)
    made.doubt("tried", "1")
    return made


def test_what_was_promised_may_be_there_in_each_way_it_can() -> None:
    assert promises().broken({"kept": ["1"], "moved": ["1"], "tried": ["1"]}) == []
    assert promises().broken({"kept": ["1"], "moved": ["2"]}) == []


@pytest.mark.parametrize(
    ("found", "problem"),
    [
        ({"moved": ["1"]}, "'kept' was acknowledged and is lost"),
        ({"kept": ["1", "1"], "moved": ["1"]}, "'kept' is there 2 times"),
        ({"kept": ["3"], "moved": ["1"]}, "'kept' is 3, acknowledged was 1"),
        ({"kept": ["1"], "moved": ["1"], "removed": ["1"]}, "'removed' was taken away and is back"),
        ({"kept": ["1"], "moved": ["3"]}, "'moved' is 3, which nobody asked for"),
        ({"kept": ["1"]}, "'moved' is None, which nobody asked for"),
        ({"kept": ["1"], "moved": ["1"], "tried": ["2"]}, "'tried' is 2, which nobody asked for"),
    ],
)
def test_what_is_lost_doubled_or_wrong_is_named(found: dict[str, list[str]], problem: str) -> None:
    assert promises().broken(found) == [f"A1: {problem}"]
