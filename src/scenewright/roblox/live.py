"""Roblox's way to its editor: what core asks about Studio that is not about one call."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import anyio.to_thread

from scenewright.core.faults import Fault, NotConnected
from scenewright.core.projects.live import Draft, Keepsake, Live, Stage, Steps, chained
from scenewright.core.projects.project import Project
from scenewright.core.runtime import Runtime

if TYPE_CHECKING:
    from scenewright.roblox.relay.server import Relay

__all__ = ["RobloxLive", "relay_for"]


class RobloxLive(Live):
    """The Studios that are connected. A place in Studio is no file, so there is never a stage for files."""

    def __init__(self, runtime: Runtime) -> None:
        self._runtime = runtime

    def stage(self, project: Project, *, writes: bool, plain: bool) -> tuple[Stage | None, str | None]:
        del project, writes, plain
        return None, None

    def is_open(self, project: Project) -> bool:
        del project  # Studio does not say whose place it has open
        return bool(self._studios())

    def undoing(self, place: str, step: Mapping[str, Any]) -> Draft:
        from scenewright.roblox.drafts import StudioTurn

        return StudioTurn(relay_for(self._runtime), place, step)

    async def recall(self, key: str) -> tuple[Keepsake, Steps] | None:
        return await anyio.to_thread.run_sync(self._recall, key)

    def watch(self, project: Project) -> None:
        del project  # the plugin connects to us

    def close(self) -> None:
        """Leave the bridge to the process, which has one for all runtimes."""

    def _studios(self) -> list[dict[str, Any]]:
        if not self._runtime.config.bridge_enabled:
            return []
        try:
            relay = relay_for(self._runtime)
            return [each for each in relay.studios() if each.get("role", "edit") == "edit"] if relay.settled() else []
        except Fault:
            return []

    def _recall(self, key: str) -> tuple[Keepsake, Steps] | None:
        for studio in self._studios():
            answer = self._recall_change(str(studio["studio"]), key)
            if answer is not None:
                return self._steps_told_by(key, answer)
        return None

    def _recall_change(self, studio: str, key: str) -> Mapping[str, Any] | None:
        from scenewright.roblox.relay.hub import OURS, Ask

        ask = Ask(operation="place.recall", payload={"key": key}, studio=studio, capability=OURS, timeout=10.0)
        try:
            reply = relay_for(self._runtime).call(ask)
        except Fault:
            return None  # another plugin, or a window that has just been closed
        return reply["answer"] | {"studio": studio} if reply.get("known") else None

    def _steps_told_by(self, key: str, answer: Mapping[str, Any]) -> tuple[Keepsake, Steps]:
        from scenewright.roblox.drafts import ENGINE, keepsake_of, place_name, step_of

        keepsake = keepsake_of(key, answer)
        return keepsake, chained([keepsake.steps, {place_name(None): {"engine": ENGINE} | step_of(answer)}])


def relay_for(runtime: Runtime) -> Relay:
    """Return the bridge to Studio.

    Raises:
        NotConnected: it is switched off.
    """
    if not runtime.config.bridge_enabled:
        raise NotConnected(
            "The bridge to Roblox Studio is switched off.",
            hint="Start the server with GOX_BRIDGE_ENABLED=true; docs/roblox-studio.md says how to get the plugin.",
            retryable=False,
        )
    from scenewright.roblox.relay.process import shared_relay

    return shared_relay()
