"""A dry run of a whole run: every step sees what those before it would have written, and nothing is."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import anyio

from scenewright.core.calls.call import Outcome, Request
from scenewright.core.writes.changeset import Changeset
from scenewright.core.writes.diff import diff_of_all

if TYPE_CHECKING:
    from scenewright.core.runtime import Runtime

__all__ = ["Trial"]


class Trial:
    """The project's files as they would be after the steps so far."""

    def __init__(self, runtime: Runtime, project_path: str | None) -> None:
        self._runtime = runtime
        self._files = Changeset(runtime.state_for(project_path).project)
        self._turn = anyio.Lock()

    async def run(self, request: Request) -> Outcome:
        """Make a call on top of those before it; steps of a group take turns."""
        async with self._turn:
            outcome = await self._runtime.run(request, changes=self._files.fork())
            if outcome.ok:
                self._files.adopt(outcome.call.files)
            return outcome

    def diff(self) -> dict[str, Any] | None:
        """Return what all steps together would change."""
        diff = diff_of_all(self._files)
        return {"summary": diff.summary, "entries": diff.entries} if diff else None
