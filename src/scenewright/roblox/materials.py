"""Terrain's colours by material, which files hold as one blob."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from scenewright.roblox.reflection.database import database

__all__ = ["pack_material_colors", "unpack_material_colors"]

_ORDER = (
    "Grass",
    "Slate",
    "Concrete",
    "Brick",
    "Sand",
    "WoodPlanks",
    "Rock",
    "Glacier",
    "Snow",
    "Sandstone",
    "Mud",
    "Basalt",
    "Ground",
    "CrackedLava",
    "Asphalt",
    "Cobblestone",
    "Ice",
    "LeafyGrass",
    "Salt",
    "Limestone",
    "Pavement",
)
_HEAD = bytes(6)  # of Air and Water, which have none


def pack_material_colors(colors: Mapping[str, Sequence[int]]) -> bytes:
    """Return the blob of some colours, the others as the engine has them."""
    usual: dict[str, Any] = (database().default("Terrain", "MaterialColors") or {}).get("MaterialColors", {})
    parts = [bytes(colors.get(name) or usual.get(name) or (0, 0, 0)) for name in _ORDER]
    return _HEAD + b"".join(parts)


def unpack_material_colors(blob: bytes) -> dict[str, list[int]]:
    if len(blob) != len(_HEAD) + 3 * len(_ORDER):
        return {}
    return {name: list(blob[6 + 3 * place : 9 + 3 * place]) for place, name in enumerate(_ORDER)}
