"""What `make bench` says of a figure, and of one that got worse."""

from __future__ import annotations

from dataclasses import replace

import pytest
from bench.figures import Figure, plain
from bench.records import Record, worse


def record(*figures: Figure, yardstick_ms: float = 7.0) -> Record:
    return Record("start", "2026-01-01", "abc", "2 cores", yardstick_ms, list(figures))


@pytest.mark.parametrize(
    ("figure", "holds"),
    [
        (Figure("list", 130, "ms", 130), True),
        (Figure("list", 131, "ms", 130), False),
        (Figure("parsing", 100, "×", at_least=100), True),
        (Figure("parsing", 99, "×", at_least=100), False),
        (Figure("size", 1e9, "MB"), True),
    ],
)
def test_a_goal_is_held_on_its_own_side(figure: Figure, holds: bool) -> None:
    assert figure.holds is holds


@pytest.mark.parametrize(
    "figure",
    [Figure("list", 100, "ms"), Figure("calls", 100, "calls/s"), Figure("parsing", 100, "×", at_least=50)],
)
def test_what_got_a_tenth_worse_is_told(figure: Figure) -> None:
    bad, good = (120, 105) if figure.unit == "ms" else (80, 95)
    assert len(list(worse(record(figure), record(replace(figure, value=bad))))) == 1
    assert list(worse(record(figure), record(replace(figure, value=good)))) == []
    assert list(worse(record(replace(figure, value=bad)), record(figure))) == []


def test_a_slower_machine_is_no_excuse_for_sizes_and_one_for_times() -> None:
    before = record(Figure("list", 100, "ms"), Figure("memory", 100, "MB"), yardstick_ms=7.0)
    now = record(Figure("list", 200, "ms"), Figure("memory", 200, "MB"), yardstick_ms=14.0)
    assert [text.partition(",")[0] for text in worse(before, now)] == ["start: memory: 100 → 200 MB"]


def test_a_record_comes_back_as_it_was_stored() -> None:
    stored = record(Figure("list", 0.0, "ms", 130, clock="processor", note="of 9"), Figure("x", 3, "×", at_least=2))
    assert Record.from_json("start", stored.to_json()) == stored


@pytest.mark.parametrize(
    ("value", "text"), [(32072, "32,072"), (430.4, "430"), (14.04, "14.0"), (1.799, "1.80"), (0.0049, "0.005")]
)
def test_a_value_is_printed_with_three_digits(value: float, text: str) -> None:
    assert plain(value) == text
