"""Roblox's catalogue."""

from __future__ import annotations

from typing import TYPE_CHECKING

from scenewright.core.operations.declaration import Manager
from scenewright.core.operations.registry import Catalogue
from scenewright.roblox.operations import (
    classes,
    instance_changes,
    instances,
    plans,
    playtests,
    scenes,
    script_execution,
    scripts,
    studio,
)
from scenewright.roblox.project_folder import ENGINE

if TYPE_CHECKING:
    from collections.abc import Sequence

    from scenewright.core.calls.call import Call
    from scenewright.core.projects.live import Live
    from scenewright.core.projects.overview import Scope, Section
    from scenewright.core.runtime import Runtime

__all__ = ["CATALOGUE"]


def _live(runtime: Runtime) -> Live:
    from scenewright.roblox.live import RobloxLive

    return RobloxLive(runtime)


def _overview(call: Call, scope: Scope) -> Sequence[Section]:
    from scenewright.roblox.overview import sections_of

    return sections_of(call, scope)


CATALOGUE = Catalogue(
    engine=ENGINE,
    live=_live,
    overview=_overview,
    operations=(
        *studio.OPERATIONS,
        *playtests.OPERATIONS,
        *scripts.OPERATIONS,
        *script_execution.OPERATIONS,
        *instances.OPERATIONS,
        *instance_changes.OPERATIONS,
        *scenes.OPERATIONS,
        *plans.OPERATIONS,
        *classes.OPERATIONS,
    ),
    managers=(
        Manager(
            name=studio.MANAGER,
            title="Roblox Studio",
            description="Selection, console, undo and playtests of the Studio that is connected.",
        ),
    ),
)
