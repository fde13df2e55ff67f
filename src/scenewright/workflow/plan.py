"""What a run is started with: all of it, since another process may have to carry it out."""

from __future__ import annotations

import msgspec

from scenewright.workflow.model import WorkflowDefinition

__all__ = ["RunPlan"]


class RunPlan(msgspec.Struct, frozen=True, kw_only=True, rename="camel"):
    """A definition and the circumstances under which it was accepted."""

    definition: WorkflowDefinition
    correlation_id: str
    actor: str | None = None
    project_path: str | None = None
    dry_run: bool = False
    approved: list[str] = []  # the steps that a person has approved
    claimed: bool = False  # the caller said `approved`, which each step's policy may count or not
    waits: list[str] = []  # those that must be approved before they begin
    resumes: str | None = None  # the run that this one takes up again
