"""Roblox's catalogue."""

from __future__ import annotations

from typing import TYPE_CHECKING

from scenewright.core.operations.registry import Catalogue
from scenewright.core.projects.project import Engine
from scenewright.roblox.operations import (
    classes,
    instance_changes,
    instances,
    plans,
    scenes,
    script_execution,
    scripts,
    studio,
)

if TYPE_CHECKING:
    from scenewright.core.projects.live import Live
    from scenewright.core.runtime import Runtime

__all__ = ["CATALOGUE", "ENGINE"]

ENGINE = Engine(
    "roblox", ("default.project.json", "default.project.jsonc"), loose=("*.rbxl", "*.rbxlx", "*.rbxm", "*.rbxmx")
)


def _live(runtime: Runtime) -> Live:
    from scenewright.roblox.live import RobloxLive

    return RobloxLive(runtime)


CATALOGUE = Catalogue(
    engine=ENGINE,
    live=_live,
    operations=(
        *studio.OPERATIONS,
        *scripts.OPERATIONS,
        *script_execution.OPERATIONS,
        *instances.OPERATIONS,
        *instance_changes.OPERATIONS,
        *scenes.OPERATIONS,
        *plans.OPERATIONS,
        *classes.OPERATIONS,
    ),
)
