"""Carries out what a call has staged: in the editor for the files it has open, through the journal for the rest."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import partial

import anyio.to_thread

from scenewright.core.call import Call
from scenewright.core.changes import Change, Changeset
from scenewright.core.faults import Fault, Interrupted
from scenewright.core.journal import Author, Deed, Entry
from scenewright.core.live import Stage, Steps, chained, unchained
from scenewright.core.model import to_wire

__all__ = ["commit"]


async def commit(call: Call, staged: Changeset) -> Entry:
    """Makes the changes and records them as one entry of the history.

    Raises:
        Conflict: a file is no longer as the call read it, on disk or in the editor.
        Denied: a file may not be written.
    """
    changes = staged.changes()
    live = [change for change in changes if staged.is_live(change.path)]
    disk = [change for change in changes if change not in live]
    stage = staged.stage or call.stage
    if stage is not None and disk:
        await stage.guard(disk)
    if stage is not None and disk and live and not call.takes_back:
        return await _write_and_edit(call, staged, stage, disk, live)
    steps = await _edit(call, stage, live)
    seen, vacated = staged.read_versions(), staged.vacated
    record = partial(call.state.journal.commit, disk, _author(call, steps), seen, live=live, vacated=vacated)
    try:
        entry = await anyio.to_thread.run_sync(record)
    except Fault:
        if stage is not None and steps:
            await _take_back(stage, unchained(steps))
            await _withdraw(call)
        raise
    if stage is not None and disk:
        call.warnings += await stage.written(disk)
    return entry


async def _write_and_edit(call: Call, staged: Changeset, stage: Stage, disk: list[Change], live: list[Change]) -> Entry:
    """Files first: what an editor is to do may need them, such as a scene the script that comes with it."""
    journal = call.state.journal
    begun = replace(_author(call, {}), deed=None)
    write = partial(journal.commit, disk, begun, staged.read_versions(), vacated=staged.vacated)
    entry = await anyio.to_thread.run_sync(write)
    call.warnings += await stage.written(disk)
    try:
        steps = await _edit(call, stage, live)
    except Fault:
        await anyio.to_thread.run_sync(journal.revoke, entry)
        await stage.written([Change(change.path, change.after, change.before) for change in disk])
        raise
    return await anyio.to_thread.run_sync(journal.amend, entry, live, _author(call, steps))


def _author(call: Call, steps: Steps) -> Author:
    return Author(
        call.operation.id,
        call.meta.correlation_id,
        call.meta.actor,
        call.deed,
        call.undoes,
        deed=None if call.request.key is None else Deed(call.request.key, to_wire(call.output)),
        live=steps,
    )


async def _edit(call: Call, stage: Stage | None, live: list[Change]) -> Steps:
    if stage is None or not live:
        return {}
    if _is_made_once(call):
        # The journal hears of an edit only after the editor has made it, and a process may die in between.
        await anyio.to_thread.run_sync(call.state.journal.announce, call.request.key or "")
    try:
        if call.takes_back:
            return await _take_back(stage, call.takes_back)
        return await stage.apply(live, call.deed)
    except Fault as fault:
        if _is_made_once(call) and fault.details.get("outcome") == "unknown":
            raise Interrupted(fault.message, hint=fault.hint, details=fault.details) from fault
        await _withdraw(call)
        raise


async def _take_back(stage: Stage, rounds: Sequence[Steps]) -> Steps:
    """Takes steps back round after round; where one cannot be, those before it are made again."""
    taken: list[Steps] = []
    try:
        for steps in rounds:
            taken += [await stage.take_back(steps)]
    except Fault:
        for steps in reversed(taken):
            await stage.take_back(steps)
        raise
    return chained(taken)


def _is_made_once(call: Call) -> bool:
    return call.request.key is not None and not call.operation.idempotent


async def _withdraw(call: Call) -> None:
    if _is_made_once(call):
        await anyio.to_thread.run_sync(call.state.journal.withdraw, call.request.key or "")
