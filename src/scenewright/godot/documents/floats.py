"""Floats as the engine prints them: Grisu2 digits, at most 15 places before the point, else an exponent.

Grisu2 (Loitsch, 2010) is not always the shortest nor the closest decimal, so `repr` alone would differ from the engine
in one number of a thousand. Short decimals, which is nearly all of them, take the fast way.
"""

from __future__ import annotations

import struct
from functools import cache
from math import inf

__all__ = ["real", "single"]

_SHORTEST_FROM = 2.0**-126  # below it a single has fewer digits than the fast way counts on
_pack, _unpack = struct.Struct("<f").pack, struct.Struct("<f").unpack


def single(value: float) -> float:
    """Return the nearest 32 bit float: what the engine keeps of a vector's component."""
    try:
        rounded: float = _unpack(_pack(value))[0]
    except OverflowError:
        return inf if value > 0 else -inf
    return rounded


def real(value: float, *, compat: bool = True) -> str:
    """Return a number as written inside a constructor: `1`, `0.25`, `1e-05`, `inf_neg` (`-inf` when newer)."""
    if value != value:
        return "nan"
    if value in (inf, -inf):
        return "inf" if value > 0 else "inf_neg" if compat else "-inf"
    if value == 0:
        return "0"
    narrow = single(value) == value
    if _SHORTEST_FROM <= abs(value) < (1e7 if narrow else 1e15):
        short = float(f"{value:.6g}" if narrow else f"{value:.15g}")
        if (single(short) if narrow else short) == value:
            return repr(short).removesuffix(".0")
    digits, exponent = _grisu2(abs(value), narrow=narrow)
    return ("-" if value < 0 else "") + _format_digits(digits, exponent)


def _format_digits(digits: str, exponent: int) -> str:
    """`digits` × 10^`exponent` in the engine's notation."""
    count = len(digits)
    point = count + exponent
    if count <= point <= 15:
        return digits + "0" * (point - count)
    if 0 < point <= 15:
        return f"{digits[:point]}.{digits[point:]}"
    if -4 < point <= 0:
        return "0." + "0" * -point + digits
    mantissa = digits if count == 1 else f"{digits[0]}.{digits[1:]}"
    return f"{mantissa}e{point - 1:+03d}"


def _grisu2(value: float, *, narrow: bool) -> tuple[str, int]:
    """The digits and the decimal exponent of a positive number, taken as 32 or as 64 bits wide."""
    width, packing, bits = (23, "<f", "<I") if narrow else (52, "<d", "<Q")
    (pattern,) = struct.unpack(bits, struct.pack(packing, value))
    biased, fraction = pattern >> width, pattern & (1 << width) - 1
    mantissa = fraction | (1 << width if biased else 0)
    exponent = max(biased, 1) - (150 if narrow else 1075)
    lower_is_closer = fraction == 0 and biased > 1
    upper = 2 * mantissa + 1
    base = exponent - 1 - (64 - upper.bit_length())
    upper <<= exponent - 1 - base
    lower = (4 * mantissa - 1) << exponent - 2 - base if lower_is_closer else (2 * mantissa - 1) << exponent - 1 - base
    return _shortest_digits(lower, mantissa << exponent - base, upper, base)


def _shortest_digits(lower: int, middle: int, upper: int, base: int) -> tuple[str, int]:
    factor, factor_exponent, decimal = _cached_power(base)
    one_exponent = -(base + factor_exponent + 64)
    high = _multiply_high(upper, factor) - 1
    spread, distance = high - (_multiply_high(lower, factor) + 1), high - _multiply_high(middle, factor)
    one = 1 << one_exponent
    whole, rest = high >> one_exponent, high & one - 1
    digits, unit = bytearray(), 10 ** (len(str(whole)) - 1)
    exponent = -decimal
    while unit:
        digit, whole = divmod(whole, unit)
        digits.append(48 + digit)
        remaining = (whole << one_exponent) + rest
        if remaining <= spread:
            _round_last_digit(digits, distance, spread, remaining, unit << one_exponent)
            return digits.decode(), exponent + len(str(unit)) - 1
        unit //= 10
    while True:
        rest *= 10
        digits.append(48 + (rest >> one_exponent))
        rest &= one - 1
        exponent -= 1
        spread *= 10
        distance *= 10
        if rest <= spread:
            _round_last_digit(digits, distance, spread, rest, one)
            return digits.decode(), exponent


def _round_last_digit(digits: bytearray, distance: int, spread: int, rest: int, unit: int) -> None:
    while (
        rest < distance
        and spread - rest >= unit
        and (rest + unit < distance or distance - rest > rest + unit - distance)
    ):
        digits[-1] -= 1
        rest += unit


def _multiply_high(left: int, right: int) -> int:
    return left * right + (1 << 63) >> 64


def _cached_power(base: int) -> tuple[int, int, int]:
    """A power of ten, every eighth from 10^-300, that brings a binary exponent into Grisu's range."""
    wanted = -60 - base - 1
    step = -(-wanted * 78913 >> 18) if wanted < 0 else (wanted * 78913 >> 18)
    decimal = -300 + 8 * ((300 + step + (wanted > 0) + 7) // 8)
    return (*_power_of_ten(decimal), decimal)


@cache
def _power_of_ten(decimal: int) -> tuple[int, int]:
    """10^`decimal` as a rounded 64 bit mantissa and a binary exponent."""
    if decimal >= 0:
        whole = 10**decimal
        shift = whole.bit_length() - 64
        mantissa = whole << -shift if shift <= 0 else (whole + (1 << shift - 1)) >> shift
        return mantissa, shift
    divisor = 10**-decimal
    shift = 64 + divisor.bit_length()
    mantissa = ((1 << shift + 1) // divisor + 1) >> 1
    extra = mantissa.bit_length() - 64
    if extra > 0:
        shift -= extra
        mantissa = ((1 << shift + 1) // divisor + 1) >> 1
    return mantissa, -shift
