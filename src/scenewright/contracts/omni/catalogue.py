"""What godot-mcp-omni's contract adds to the registry: names of actions, and the translation of its words."""

from __future__ import annotations

from typing import TYPE_CHECKING

from scenewright.contracts.omni.action_names import ACTION_ALIASES
from scenewright.core.operations.registry import Catalogue

if TYPE_CHECKING:
    from scenewright.core.operations.registry import Words
    from scenewright.core.projects.project import Engine

__all__ = ["catalogue_for"]


def catalogue_for(engine: Engine) -> Catalogue:
    """Return the contract's part of the registry, for the engine whose tools it is about."""
    return Catalogue(engine=engine, action_aliases=ACTION_ALIASES, translate=_translate)


def _translate(words: Words) -> None:
    from scenewright.contracts.omni.translation import translate  # loaded by the first call

    translate(words)
