"""Steps of an open scene's undo history that were ours: taking one back, and whether somebody else did."""

from __future__ import annotations

import uuid
from collections.abc import Sequence
from typing import Any

from scenewright.bridge.link import Link
from scenewright.core.faults import Conflict, Fault
from scenewright.core.projects.live import Steps, unchained

__all__ = ["is_reverted", "take_step"]


async def take_step(link: Link, step: dict[str, Any]) -> dict[str, Any]:
    """Undo exactly this step, or redo it if it was undone.

    Raises:
        Conflict: it is not the editor's next one.
    """
    params = {key: step[key] for key in ("scene", "revision", "version", "name")}
    params |= {"redo": step["undone"], "idempotency_key": uuid.uuid4().hex}
    try:
        answer: dict[str, Any] = await link.request("scenewright.step", params)
    except Conflict as fault:
        raise Conflict(
            fault.message,
            hint="Take back in the editor what came after it (editor_undo, or its Undo), or make the change by hand.",
            details=fault.details,
            retryable=False,
        ) from None
    return answer


async def is_reverted(links: Sequence[Link], steps: Steps) -> bool:
    """Return whether the editor's own undo or redo has reverted all of these."""
    known: dict[str, list[dict[str, Any]]] = {}
    parts = [part for steps_of_round in unchained(steps) for part in steps_of_round.values() if part]
    for part in parts:
        if part["scene"] not in known:
            known[part["scene"]] = await _history(links, part)
        # The version a step is known by is the one after it was made; an undo leaves the one before.
        version = part["version"] + 1 if part["undone"] else part["version"]
        now = [step for step in known[part["scene"]] if (step["version"], step["name"]) == (version, part["name"])]
        if not now or bool(now[0]["done"]) is not bool(part["undone"]):
            return False
    return bool(parts)


async def _history(links: Sequence[Link], part: dict[str, Any]) -> list[dict[str, Any]]:
    """The steps that the editor of this one has of its scene; none where it is closed."""
    link = next((link for link in links if link.editor.pid == part["pid"]), None)
    if link is None:
        return []
    try:
        answer: dict[str, Any] = await link.request("scenewright.get_history", {"scene": part["scene"]})
    except Fault:
        return []
    return list(answer.get("steps", ()))
