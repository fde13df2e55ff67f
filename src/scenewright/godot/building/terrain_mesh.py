"""Hilly ground: heights from noise by a seed, and the mesh of them in the bytes that the engine stores."""

from __future__ import annotations

import struct
from collections.abc import Sequence
from math import cos, floor, pi, sin, sqrt
from random import Random

import msgspec

from scenewright.godot.documents import variant as v
from scenewright.godot.documents.document import Document

__all__ = ["Ground", "ground", "mesh_document"]

# Format of a surface: position, normal, tangent, UV and index, in the second version of their layout.
_FORMAT = (1 << 35) | 1 | 2 | 4 | 16 | 4096
_TRIANGLES = 3
_SMALL_INDEXES = 1 << 16
_TANGENT_BIAS = 1.0 / 32767.0


class Ground(msgspec.Struct, frozen=True):
    """A square of heights, row by row along x; the middle of the square is the origin."""

    side: int
    step: float
    heights: tuple[float, ...]

    def at(self, column: int, row: int) -> float:
        last = self.side - 1
        return self.heights[min(max(row, 0), last) * self.side + min(max(column, 0), last)]


def ground(size: float, cells: int, amplitude: float, *, seed: int, hills: float, octaves: int) -> Ground:
    """Return heights between -amplitude and amplitude; `hills` says about how many there are from edge to edge."""
    noise = _Noise(seed)
    side = cells + 1
    weights = [0.5**octave for octave in range(octaves)]
    whole = sum(weights)
    heights = [
        amplitude
        / whole
        * sum(
            weight * noise.at(column / cells * hills * 2**octave, row / cells * hills * 2**octave)
            for octave, weight in enumerate(weights)
        )
        for row in range(side)
        for column in range(side)
    ]
    return Ground(side, size / cells, tuple(single(height) for height in heights))


def single(number: float) -> float:
    """A number as the engine's 32 bits hold it."""
    return float(struct.unpack("<f", struct.pack("<f", number))[0])


class _Noise:
    """Gradient noise in two dimensions, between -1 and 1."""

    def __init__(self, seed: int) -> None:
        random = Random(seed)
        self._order = list(range(256))
        random.shuffle(self._order)
        turns = [random.uniform(0.0, 2 * pi) for _ in range(256)]
        self._slopes = [(cos(turn), sin(turn)) for turn in turns]

    def at(self, x: float, y: float) -> float:
        column, row = floor(x), floor(y)
        right, down = x - column, y - row
        across, along = _smootherstep(right), _smootherstep(down)
        upper = _interpolate(
            self._slope(column, row, right, down), self._slope(column + 1, row, right - 1, down), across
        )
        lower = _interpolate(
            self._slope(column, row + 1, right, down - 1), self._slope(column + 1, row + 1, right - 1, down - 1), across
        )
        return _interpolate(upper, lower, along) * sqrt(2.0)

    def _slope(self, column: int, row: int, right: float, down: float) -> float:
        x, y = self._slopes[self._order[(self._order[column & 255] + row) & 255]]
        return x * right + y * down


def _smootherstep(part: float) -> float:
    return part * part * part * (part * (part * 6 - 15) + 10)


def _interpolate(start: float, end: float, part: float) -> float:
    return start + (end - start) * part


def mesh_document(document: Document, land: Ground, *, uv_scale: float) -> Document:
    """Return the file of a mesh, filled with the ground's only surface."""
    section = document.find("resource")
    assert section is not None  # a new resource has one
    return document.set_property(section, "_surfaces", v.Array((_surface(land, uv_scale),)))


def _surface(land: Ground, uv_scale: float) -> v.Dictionary:
    half = (land.side - 1) * land.step / 2
    low, high = min(land.heights), max(land.heights)
    indexes = _indexes(land.side)
    wide = "<%dH" if land.side**2 <= _SMALL_INDEXES else "<%dI"
    return v.Dictionary(
        (
            ("aabb", v.AABB(-half, low, -half, 2 * half, high - low, 2 * half)),
            ("attribute_data", v.PackedByteArray(_uvs(land.side, uv_scale))),
            ("format", _FORMAT),
            ("index_count", len(indexes)),
            ("index_data", v.PackedByteArray(struct.pack(wide % len(indexes), *indexes))),
            ("primitive", _TRIANGLES),
            ("uv_scale", v.Vector4(0, 0, 0, 0)),
            ("vertex_count", land.side**2),
            ("vertex_data", v.PackedByteArray(_vertices(land) + _directions(land))),
        )
    )


def _vertices(land: Ground) -> bytes:
    half = (land.side - 1) * land.step / 2
    return b"".join(
        struct.pack("<3f", column * land.step - half, land.at(column, row), row * land.step - half)
        for row in range(land.side)
        for column in range(land.side)
    )


def _directions(land: Ground) -> bytes:
    """Normals and tangents, each in four bytes."""
    packed: list[int] = []
    for row in range(land.side):
        for column in range(land.side):
            slope_x = _slope(land.at(column - 1, row), land.at(column + 1, row), land, column)
            slope_z = _slope(land.at(column, row - 1), land.at(column, row + 1), land, row)
            packed += _pack_point(_fold_to_octahedron((-slope_x, 1.0, -slope_z)))
            x, y = _fold_to_octahedron((1.0, slope_x, 0.0))
            packed += _pack_point((x, max(y, _TANGENT_BIAS) * 0.5 + 0.5))
    return struct.pack(f"<{len(packed)}H", *packed)


def _slope(before: float, after: float, land: Ground, place: int) -> float:
    run = land.step * (1 if place in (0, land.side - 1) else 2)
    return (after - before) / run


def _fold_to_octahedron(direction: Sequence[float]) -> tuple[float, float]:
    """A direction as a point of an octahedron that is folded out, between 0 and 1."""
    length = sum(map(abs, direction))
    x, y, z = (part / length for part in direction)
    if z < 0:
        x, y = (1 - abs(y)) * (1 if x >= 0 else -1), (1 - abs(x)) * (1 if y >= 0 else -1)
    return x * 0.5 + 0.5, y * 0.5 + 0.5


def _pack_point(point: tuple[float, float]) -> tuple[int, int]:
    x, y = (min(max(int(part * 65535), 0), 65535) for part in point)
    return x, y


def _uvs(side: int, scale: float) -> bytes:
    parts = [place / (side - 1) * scale for place in range(side)]
    return b"".join(struct.pack("<2f", across, down) for down in parts for across in parts)


def _indexes(side: int) -> list[int]:
    """Two triangles a cell, clockwise as seen from above."""
    indexes: list[int] = []
    for row in range(side - 1):
        for column in range(side - 1):
            here = row * side + column
            below = here + side
            indexes += (here, here + 1, below, here + 1, below + 1, below)
    return indexes
