"""What operations on a live editor start with: the connection of the call's project."""

from __future__ import annotations

from typing import TYPE_CHECKING

from scenewright.core.calls.call import Call

if TYPE_CHECKING:
    from scenewright.unity.live.pipeline import Pipeline

__all__ = ["pipeline_of"]


def pipeline_of(call: Call) -> Pipeline:
    """Return the connection to the editor that has the call's project open; asking it fails where there is none."""
    from scenewright.unity.live.backend import UnityLive

    live = call.runtime.live("unity")
    assert isinstance(live, UnityLive)
    return live.pipeline(call.state.project.root)
