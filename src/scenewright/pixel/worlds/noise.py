"""Smooth noise over a map: random numbers on lattices of several sizes, and what lies between them.

Whole rows are worked out at once, which is what makes a large map quick.
"""

from __future__ import annotations

import math
from random import Random

import msgspec

__all__ = ["Field", "NoiseRules", "field", "quantile"]

Field = list[list[float]]


class NoiseRules(msgspec.Struct, frozen=True):
    """How rough it is: waves of the first size per map cell, how many sizes, and how they follow each other."""

    frequency: float = 0.06
    octaves: int = 4
    lacunarity: float = 2.0
    gain: float = 0.5
    step: int = 1  # cells between samples; numbers between them are filled in


def field(width: int, height: int, rules: NoiseRules, seed: str) -> Field:
    """Return noise of about 0 to 1 for each cell, row by row."""
    step = max(rules.step, 1)
    across, down = -(-width // step) + 1, -(-height // step) + 1
    total: Field = [[0.0] * across for _ in range(down)]
    frequency, weight, weights = rules.frequency * step, 1.0, 0.0
    for octave in range(rules.octaves):
        layer = _octave(across, down, min(frequency, 1.0), Random(f"{seed}:{octave}"))
        total = [
            [have + weight * more for have, more in zip(row, other, strict=True)]
            for row, other in zip(total, layer, strict=True)
        ]
        weights += weight
        frequency, weight = frequency * rules.lacunarity, weight * rules.gain
    scaled = [[value / weights for value in row] for row in total]
    return _stretched(scaled, width, height, step) if step > 1 else [row[:width] for row in scaled[:height]]


def _octave(width: int, height: int, frequency: float, chance: Random) -> Field:
    """Noise of one size; a lattice row is stretched to the map's width once for all rows between it and the next."""
    columns, rows = int(width * frequency) + 2, int(height * frequency) + 2
    places = [math.modf(x * frequency) for x in range(width)]
    spread = [(int(whole), _eased(part)) for part, whole in places]
    lattice = [[chance.random() for _ in range(columns)] for _ in range(rows)]
    stretched = [[row[at] + (row[at + 1] - row[at]) * part for at, part in spread] for row in lattice]
    result = []
    for y in range(height):
        part, whole = math.modf(y * frequency)
        share = _eased(part)
        upper, lower = stretched[int(whole)], stretched[int(whole) + 1]
        result.append([one + (other - one) * share for one, other in zip(upper, lower, strict=True)])
    return result


def _eased(part: float) -> float:
    return part * part * (3 - 2 * part)


def _stretched(coarse: Field, width: int, height: int, step: int) -> Field:
    spread = [(x // step, x % step / step) for x in range(width)]
    wide = [[row[at] + (row[at + 1] - row[at]) * part for at, part in spread] for row in coarse]
    result = []
    for y in range(height):
        at, part = y // step, y % step / step
        result.append([one + (other - one) * part for one, other in zip(wide[at], wide[at + 1], strict=True)])
    return result[:height]


def quantile(values: list[float], share: float) -> float:
    """Return the value that so large a share of them lies below."""
    ordered = sorted(values)
    return ordered[min(int(share * len(ordered)), len(ordered) - 1)] if ordered else 0.0
