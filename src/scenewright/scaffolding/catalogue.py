"""What `workflow_manager` can do beside workflows themselves: in any project, and in one of Godot."""

from __future__ import annotations

from scenewright.core.operations.registry import Catalogue
from scenewright.godot.project.project_folder import ENGINE
from scenewright.scaffolding.operations import macros, manifest, sequences

__all__ = ["CATALOGUES"]

CATALOGUES = (
    Catalogue(operations=sequences.OPERATIONS),
    Catalogue(engine=ENGINE, operations=(*macros.OPERATIONS, *manifest.OPERATIONS)),
)
