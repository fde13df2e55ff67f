"""The engine of a runtime, loaded when it is first asked for: most servers never run a workflow."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from scenewright.core.runtime import Runtime
    from scenewright.workflow.engine import Engine

__all__ = ["engine_of"]


def engine_of(runtime: Runtime) -> Engine:
    """The engine of a runtime; not started by this."""
    from scenewright.workflow.engine import Engine

    return runtime.services.get(Engine, lambda: Engine(runtime))
