"""Puts the parts together: which catalogues there are, and a runtime over them."""

from __future__ import annotations

from scenewright import __version__
from scenewright.core.config import Config
from scenewright.core.project import Engine
from scenewright.core.registry import Catalogue, Registry, build_registry
from scenewright.core.runtime import Runtime
from scenewright.godot.catalogue import CATALOGUE as GODOT
from scenewright.godot.catalogue import ENGINE
from scenewright.platform.catalogue import CATALOGUE as PLATFORM
from scenewright.workflow.catalogue import CATALOGUE as WORKFLOW

__all__ = ["ENGINES", "PROFILES", "catalogues", "make_runtime"]

# Of those without a catalogue of their own, only the projects are known; their tools are still to come.
ENGINES = (
    ENGINE,
    Engine("roblox", ("default.project.json", "*.rbxl", "*.rbxlx")),
    Engine("unity", ("ProjectSettings/ProjectVersion.txt",)),
)
PROFILES = ("default", "conformance")


def catalogues(profile: str = "default") -> list[Catalogue]:
    """Everything on offer under a profile."""
    parts = [PLATFORM, WORKFLOW, GODOT, *(Catalogue(engine=engine) for engine in ENGINES if engine is not ENGINE)]
    if profile == "conformance":
        from scenewright.conformance.catalogue import CATALOGUE as FIXTURES

        parts.append(FIXTURES)
    return parts


def make_runtime(config: Config, *, profile: str = "default") -> Runtime:
    """A runtime over the shipped catalogues, which the tests have verified."""
    registry: Registry = build_registry(catalogues(profile), verified=True)
    return Runtime(config, registry, server_version=__version__)
