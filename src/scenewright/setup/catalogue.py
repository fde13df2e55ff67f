"""What setting up offers as operations."""

from __future__ import annotations

from scenewright.core.operations.registry import Catalogue
from scenewright.setup.operations import doctor

__all__ = ["CATALOGUE"]

CATALOGUE = Catalogue(operations=doctor.OPERATIONS)
