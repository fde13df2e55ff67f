"""What workflows bring along."""

from __future__ import annotations

from scenewright.core.operations.declaration import Manager
from scenewright.core.operations.registry import Catalogue
from scenewright.workflow.operations import approval, logs, runs, schedules
from scenewright.workflow.recovery import take_up_runs
from scenewright.workflow.resources import RESOURCES

__all__ = ["CATALOGUE", "MANAGER"]

MANAGER = Manager(
    name="workflow_manager",
    title="Workflow Manager",
    description="Runs lists of calls, builds Godot game systems, answers and schedules workflows.",
)
CATALOGUE = Catalogue(
    operations=(*runs.OPERATIONS, *logs.OPERATIONS, *approval.OPERATIONS, *schedules.OPERATIONS),
    managers=(MANAGER,),
    resources=RESOURCES,
    background=(take_up_runs,),
)
