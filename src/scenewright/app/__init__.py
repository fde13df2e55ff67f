"""Puts the parts together: which catalogues there are, and a runtime over them."""

from __future__ import annotations

from functools import cache

from scenewright import __version__
from scenewright.contracts.omni.catalogue import catalogue_for
from scenewright.core.config import Config
from scenewright.core.operations.registry import Catalogue, Registry, build_registry
from scenewright.core.runtime import Runtime
from scenewright.godot.catalogue import CATALOGUE as GODOT
from scenewright.godot.project.project_folder import ENGINE as GODOT_ENGINE
from scenewright.platform.catalogue import CATALOGUE as PLATFORM
from scenewright.roblox.catalogue import CATALOGUE as ROBLOX
from scenewright.scaffolding.catalogue import CATALOGUES as SCAFFOLDING
from scenewright.setup.catalogue import CATALOGUE as SETUP
from scenewright.unity.catalogue import CATALOGUE as UNITY
from scenewright.workflow.catalogue import CATALOGUE as WORKFLOW

__all__ = ["ENGINES", "catalogues", "make_runtime"]

_ALL = (PLATFORM, SETUP, WORKFLOW, *SCAFFOLDING, GODOT, catalogue_for(GODOT_ENGINE), ROBLOX, UNITY)
ENGINES = tuple(dict.fromkeys(part.engine for part in _ALL if part.engine is not None))


def catalogues() -> list[Catalogue]:
    """Return everything on offer."""
    return list(_ALL)


def make_runtime(config: Config) -> Runtime:
    """Make a runtime over the shipped catalogues."""
    return Runtime(config, _shipped_registry(), server_version=__version__)


@cache
def _shipped_registry() -> Registry:
    return build_registry(catalogues(), verified=True)  # by the tests
