"""Random values survive being written and read."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st
from tests.godot.documents.strategies import values

from scenewright.godot.documents import variant as v
from scenewright.godot.documents.errors import ParseError
from scenewright.godot.documents.floats import real
from scenewright.godot.documents.variant_reader import parse_variant
from scenewright.godot.documents.variant_writer import write_variant


@given(values, st.booleans())
def test_a_written_value_reads_back_and_is_written_the_same(value: v.Variant, compat: bool) -> None:
    text = write_variant(value, compat=compat)
    assert write_variant(parse_variant(text), compat=compat) == text


@given(values, st.booleans())
def test_a_value_reads_back_as_it_was_but_for_rounding(value: v.Variant, compat: bool) -> None:
    once = parse_variant(write_variant(value, compat=compat))
    twice = parse_variant(write_variant(once, compat=compat))
    assert once == twice


@given(st.floats(allow_nan=False, allow_infinity=False))
def test_a_double_reads_back_exactly_unless_it_is_a_single(value: float) -> None:
    read = float(real(value))
    assert read == value or real(read) == real(value)


@given(st.text('[]{}()":,;&^#-.0123456789eEaN \n\\', max_size=30))
def test_no_text_does_worse_than_a_parse_error(text: str) -> None:
    problem: ParseError | None = None
    try:
        write_variant(parse_variant(text))
    except ParseError as raised:
        problem = raised
    if problem is not None:
        lines = text.split("\n")
        assert 1 <= problem.line <= len(lines)
        assert 1 <= problem.column <= len(lines[problem.line - 1]) + 1
