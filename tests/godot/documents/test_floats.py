"""Numbers as the engine prints them; the expected texts are what Godot 4.6 printed."""

from __future__ import annotations

import math

import pytest

from scenewright.godot.documents.floats import real, single


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (0.0, "0"),
        (-0.0, "0"),
        (1.0, "1"),
        (-2.5, "-2.5"),
        (0.1, "0.1"),
        (1e-4, "0.0001"),
        (1e-5, "1e-05"),
        (1.5e-7, "1.5e-07"),
        (123456789012345.0, "123456789012345"),
        (1e15, "1e+15"),
        (1.2e19, "1.2e+19"),
        (1e100, "1e+100"),
        (1.7976931348623157e308, "1.7976931348623157e+308"),
        (3.14159265358979, "3.14159265358979"),
        (1 / 3, "0.3333333333333333"),
        (0.1 + 0.2, "0.30000000000000004"),
        (16777217.0, "16777217"),
        (math.inf, "inf"),
        (-math.inf, "inf_neg"),
        (math.nan, "nan"),
        # not the shortest digits, or not the closest: Grisu2 is neither always
        (-841849811921717.8, "-841849811921717.7"),
        (-43432804.878047734, "-43432804.878047735"),
        (6.55950347809499e70, "6.559503478094991e+70"),
        (2.736930017660218e-164, "2.7369300176602178e-164"),
    ],
)
def test_a_double_is_printed_as_the_engine_does(value: float, text: str) -> None:
    assert real(value) == text


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (0.1, "0.1"),
        (3.14159265358979, "3.1415927"),
        (1234567890123.0, "1234568000000"),
        (123456789.0, "123456790"),
        (1e23, "1e+23"),
        (1.1754943508222875e-38, "1.1754944e-38"),
        (1e-45, "1e-45"),
        (3.4028234663852886e38, "3.4028235e+38"),
        (1e39, "inf"),
        (-1e39, "inf_neg"),
        (-809276032.0, "-809276030"),
        (90512496.0, "90512496"),
        (-4182588.75, "-4182588.7"),
        (-201218.125, "-201218.13"),
    ],
)
def test_a_component_is_printed_in_32_bits(value: float, text: str) -> None:
    assert real(single(value)) == text


def test_minus_infinity_has_its_own_word_in_the_newer_format() -> None:
    assert real(-math.inf, compat=False) == "-inf"
