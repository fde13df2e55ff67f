"""What workflows bring along."""

from __future__ import annotations

from scenewright.core.registry import Catalogue
from scenewright.workflow.operations import runs
from scenewright.workflow.resuming import take_up_runs

__all__ = ["CATALOGUE"]

CATALOGUE = Catalogue(operations=runs.OPERATIONS, background=(take_up_runs,))
