"""Positions and orientations inside a CFrame, which files hold as one."""

from __future__ import annotations

import math
from collections.abc import Sequence

from scenewright.roblox.values import f32

__all__ = ["orientation_of", "oriented", "positioned"]

Frame = tuple[float, ...]


def positioned(frame: Frame, position: Sequence[float]) -> Frame:
    return (*(f32(part) for part in position), *frame[3:])


def orientation_of(frame: Frame) -> tuple[float, float, float]:
    """Return degrees about X, Y and Z, turned in the order Y, X, Z, as the engine's Orientation."""
    sine = max(-1.0, min(1.0, -frame[8]))
    angles = (math.asin(sine), math.atan2(frame[5], frame[11]), math.atan2(frame[6], frame[7]))
    x, y, z = (f32(math.degrees(angle)) + 0.0 for angle in angles)
    return x, y, z


def oriented(frame: Frame, degrees: Sequence[float]) -> Frame:
    """Return the frame where it is, turned to an orientation."""
    (sx, cx), (sy, cy), (sz, cz) = (_sine_and_cosine(angle) for angle in degrees)
    matrix = (
        cy * cz + sy * sx * sz,
        -cy * sz + sy * sx * cz,
        sy * cx,
        cx * sz,
        cx * cz,
        -sx,
        -sy * cz + cy * sx * sz,
        sy * sz + cy * sx * cz,
        cy * cx,
    )
    return (*frame[:3], *(f32(part) + 0.0 for part in matrix))


def _sine_and_cosine(degrees: float) -> tuple[float, float]:
    """Return sine and cosine, exact for right angles, so that an upright part stays upright."""
    quarter, rest = divmod(degrees, 90.0)
    if rest == 0.0:
        return ((0.0, 1.0), (1.0, 0.0), (0.0, -1.0), (-1.0, 0.0))[int(quarter) % 4]
    return math.sin(math.radians(degrees)), math.cos(math.radians(degrees))
