"""Drafts of editors, carried out at a commit and taken back; and what editors remember of them after a crash."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from scenewright.core.calls.call import Call
from scenewright.core.faults import Conflict, Fault
from scenewright.core.operations.model import to_wire
from scenewright.core.projects.live import Draft, Keepsake, Steps, chained, unchained

__all__ = ["draft_back", "make_drafts", "recall_from_editors", "take_back_drafts"]


async def make_drafts(call: Call, drafts: Sequence[Draft]) -> Steps:
    """Have each draft carried out, all or none; return what takes them back.

    The last one takes along what the call returns, by which an editor can tell that all of it was done.
    """
    made: list[Steps] = []
    for draft in drafts:
        keepsake = None
        if call.key is not None and draft is drafts[-1]:
            keepsake = Keepsake(call.key, to_wire(call.output), chained(made))
        try:
            done = await draft.commit(call.deed, keepsake)
        except Fault:
            await take_back_drafts(call, chained(made))
            raise
        made.append({draft.place: {"engine": draft.engine} | done.step})
        call.warnings += done.warnings
    return chained(made)


async def take_back_drafts(call: Call, steps: Steps) -> None:
    """Take back what drafts did, newest first; go on where one cannot be, and then say so."""
    left: list[str] = []
    for round_ in unchained(steps):
        for place, step in round_.items():
            try:
                await draft_back(call, place, step).commit(call.deed, None)
            except Fault as fault:
                left.append(f"{place}: {fault.message}")
    if left:
        raise Conflict(
            f"The call failed, and what it had changed in an editor stands: {'; '.join(left)}",
            hint="Look at it in the editor, and undo it there.",
            details={"outcome": "partial"},
            retryable=False,
        )


def draft_back(call: Call, place: str, step: Mapping[str, Any]) -> Draft:
    """Return what takes a step of a draft back.

    Raises:
        Conflict: its engine is not there.
    """
    live = call.runtime.live(str(step.get("engine")))
    if live is None:
        raise Conflict(f"{place} was changed in an editor that this server does not know.", retryable=False)
    return live.undoing(place, step)


async def recall_from_editors(call: Call) -> tuple[Keepsake, Steps] | None:
    """Return what an editor remembers of a call that a process which died has made."""
    own = call.runtime.registry.engine_of[call.operation.id]
    for name in [own.name] if own else call.runtime.registry.live:
        live = call.runtime.live(name)
        known = await live.recall(call.key or "") if live is not None else None
        if known is not None:
            return known
    return None
