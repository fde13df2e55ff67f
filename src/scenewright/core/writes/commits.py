"""Carries out what a call has staged: in editors for what they have open, through the journal for the rest."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from typing import TypeVar

from scenewright.core.calls.call import Call
from scenewright.core.calls.effects import announce, explained_as_unknown, withdraw
from scenewright.core.faults import Fault
from scenewright.core.operations.model import to_wire
from scenewright.core.projects.live import Stage, Steps, chained, unchained
from scenewright.core.writes.changeset import Change, Changeset
from scenewright.core.writes.drafts import make_drafts, take_back_drafts
from scenewright.core.writes.journal import Author, Deed, Entry
from scenewright.core.writes.turns import in_turn

__all__ = ["author_of", "commit"]

Result = TypeVar("Result")


async def commit(call: Call, staged: Changeset) -> Entry | None:
    """Make the changes and record them as one entry of the history; None where there is no project to keep one.

    Raises:
        Conflict: a file is no longer as the call read it, on disk or in the editor.
        Denied: a file may not be written.
    """
    return await (_commit_with_drafts(call, staged) if staged.drafts else _commit_files(call, staged))


async def _commit_with_drafts(call: Call, staged: Changeset) -> Entry | None:
    """Files first, as they can be put back whatever happens; an editor is asked when all else is done."""
    await announce(call)
    entry: Entry | None = None
    try:
        if staged.changes():
            entry = await _commit_files(call, staged, is_all=False)
        steps = await make_drafts(call, staged.drafts)
    except Fault as fault:
        if entry is not None:
            await _in_turn(call, partial(call.state.journal.revoke, entry))
        await withdraw(call, fault)
        raise explained_as_unknown(call, fault) from fault
    if not call.state.kept:
        return None  # the editor's own undo is all there is
    try:
        return await _in_turn(call, partial(_record_steps, call, entry, steps))
    except Fault:
        await take_back_drafts(call, steps)
        await withdraw(call)
        raise


async def _in_turn(call: Call, work: Callable[[], Result]) -> Result:
    return await in_turn(call.state.folder, work)


def _record_steps(call: Call, entry: Entry | None, steps: Steps) -> Entry:
    journal, author = call.state.journal, author_of(call, steps)
    return journal.commit([], author) if entry is None else journal.amend(entry, [], author)


async def _commit_files(call: Call, staged: Changeset, *, is_all: bool = True) -> Entry:
    changes, stage = staged.changes(), staged.stage or call.stage
    live = [change for change in changes if staged.is_live(change.path)]
    if stage is not None and live and not call.takes_back:
        live = list(await stage.editable(live))
    disk = [change for change in changes if change not in live]
    if stage is not None and disk:
        await stage.guard(disk)
    if stage is not None and disk and live and not call.takes_back:
        return await _write_and_edit(call, staged, stage, disk, live)
    steps, live, left = await _edit(call, staged, stage, live)
    disk += left
    seen, vacated = staged.read_versions(), staged.vacated
    author = author_of(call, steps) if is_all else replace(author_of(call, steps), deed=None)
    record = partial(call.state.journal.commit, disk, author, seen, live=live, vacated=vacated)
    try:
        entry = await _in_turn(call, record)
    except Fault:
        if stage is not None and steps:
            await _take_back(stage, unchained(steps))
            await withdraw(call)
        raise
    if stage is not None and disk:
        call.warnings += await stage.written(disk)
    return entry


async def _write_and_edit(call: Call, staged: Changeset, stage: Stage, disk: list[Change], live: list[Change]) -> Entry:
    """Files first: what an editor is to do may need them, such as a scene the script that comes with it."""
    journal = call.state.journal
    begun = replace(author_of(call, {}), deed=None)
    write = partial(journal.commit, disk, begun, staged.read_versions(), vacated=staged.vacated)
    entry = await _in_turn(call, write)
    call.warnings += await stage.written(disk)
    try:
        steps, live, left = await _edit(call, staged, stage, live)
    except Fault:
        await _in_turn(call, partial(journal.revoke, entry))
        await stage.written([Change(change.path, change.after, change.before) for change in disk])
        raise
    if not left:
        return await _in_turn(call, partial(journal.amend, entry, live, author_of(call, steps)))
    # One entry has all that is written.
    await _in_turn(call, partial(journal.revoke, entry))
    seen = staged.read_versions()
    record = partial(journal.commit, [*disk, *left], author_of(call, steps), seen, live=live, vacated=staged.vacated)
    entry = await _in_turn(call, record)
    call.warnings += await stage.written(left)
    return entry


def author_of(call: Call, steps: Steps) -> Author:
    """Return who makes the change that a call has staged, by which steps in editors."""
    return Author(
        call.operation.id,
        call.meta.correlation_id,
        call.meta.actor,
        call.deed,
        call.undoes,
        deed=None if call.key is None else Deed(call.key, to_wire(call.output)),
        live=steps,
    )


async def _edit(
    call: Call, staged: Changeset, stage: Stage | None, live: list[Change]
) -> tuple[Steps, list[Change], list[Change]]:
    """Change open files in the editor; return its steps, what they have changed, and what is left to be written."""
    if stage is None or not live:
        return {}, live, []
    if _is_made_once(call):
        # The journal hears of an edit only after the editor has made it, and a process may die in between.
        await announce(call)
    try:
        if call.takes_back:
            return await _take_back(stage, call.takes_back), live, []
        steps = await stage.apply(live, call.deed)
    except Fault as fault:
        await withdraw(call, fault)
        raise explained_as_unknown(call, fault) from fault
    call.output = stage.renamed(call.output)
    settled = stage.settled(live)
    for change in settled:
        if change.after is not None and change not in live:
            staged.restore(change.path, change.after)  # as the reply shows it
    left = [change for change in settled if change.path not in steps]
    return steps, [change for change in settled if change.path in steps], left


async def _take_back(stage: Stage, rounds: Sequence[Steps]) -> Steps:
    """Take steps back round after round; where one cannot be, those before it are made again."""
    undone: list[Steps] = []
    try:
        for steps in rounds:
            undone += [await stage.take_back(steps)]
    except Fault:
        for steps in reversed(undone):
            await stage.take_back(steps)
        raise
    return chained(undone)


def _is_made_once(call: Call) -> bool:
    return call.key is not None and not call.operation.idempotent
