"""What a call would change that waits for a person: the diff of a dry run of it, line by line."""

from __future__ import annotations

from typing import TYPE_CHECKING

from scenewright.core.calls.call import Request
from scenewright.core.policy.pending_approvals import Approval

if TYPE_CHECKING:
    from scenewright.core.runtime import Runtime

__all__ = ["preview_lines"]


async def preview_lines(runtime: Runtime, approval: Approval, caller: str | None = None) -> list[str]:
    """Return what a dry run of a waiting call says, as lines for a person; the runtime is one of its project."""
    if approval.preview is None:
        return ["There is no dry run of it."]
    outcome = await runtime.run(Request(**approval.preview, meta={"dryRun": True}, origin="cli", caller=caller))
    if outcome.fault is not None:
        return [f"A dry run fails: {outcome.fault.message}"]
    entries = outcome.diff.entries if outcome.diff else []
    return ["A dry run changes:", *(line for entry in entries for line in entry.split("\n"))] if entries else []
