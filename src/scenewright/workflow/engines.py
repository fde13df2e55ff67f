"""The engine of a runtime, loaded when it is first asked for: most servers never run a workflow."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from scenewright.core.runtime import Runtime
    from scenewright.workflow.engine import WorkflowEngine

__all__ = ["engine_of"]


def engine_of(runtime: Runtime) -> WorkflowEngine:
    """Return the engine of a runtime; not started by this."""
    from scenewright.workflow.engine import WorkflowEngine

    return runtime.services.get(WorkflowEngine, lambda: WorkflowEngine(runtime))
