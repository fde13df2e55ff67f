"""What workflows bring along."""

from __future__ import annotations

from scenewright.core.registry import Catalogue
from scenewright.workflow.operations import runs

__all__ = ["CATALOGUE"]

CATALOGUE = Catalogue(operations=runs.OPERATIONS)
