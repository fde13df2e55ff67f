"""Roblox's catalogue."""

from __future__ import annotations

from scenewright.core.project import Engine
from scenewright.core.registry import Catalogue
from scenewright.roblox.operations import arranging, classes, instances, plans, running, scenes, scripts, studios

__all__ = ["CATALOGUE", "ENGINE"]

ENGINE = Engine(
    "roblox", ("default.project.json", "default.project.jsonc"), loose=("*.rbxl", "*.rbxlx", "*.rbxm", "*.rbxmx")
)

CATALOGUE = Catalogue(
    engine=ENGINE,
    operations=(
        *studios.OPERATIONS,
        *scripts.OPERATIONS,
        *running.OPERATIONS,
        *instances.OPERATIONS,
        *arranging.OPERATIONS,
        *scenes.OPERATIONS,
        *plans.OPERATIONS,
        *classes.OPERATIONS,
    ),
)
