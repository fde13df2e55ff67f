"""What a call does that no commit could take back, or that the journal hears of too late: said before it is done.

A call under a key is announced to the journal before an editor, or anything else that is no file, is touched. A
process that comes after one that died then knows that the outcome is open.
"""

from __future__ import annotations

from functools import partial

from scenewright.core.calls.call import Call
from scenewright.core.faults import Fault, Interrupted, TimedOut, Unsupported
from scenewright.core.writes.turns import in_turn

__all__ = ["announce", "begin_lasting", "explained_as_unknown", "is_unknown", "no_part_of_a_batch", "withdraw"]


def no_part_of_a_batch(tool: str) -> Unsupported:
    """Return the fault of an operation in an all-or-nothing batch that could not hold it."""
    return Unsupported(
        f"'{tool}' cannot be part of an all-or-nothing batch: it changes more than files.",
        hint="Leave atomic out, or call it alone.",
    )


async def begin_lasting(call: Call, why: str, hint: str | None = None) -> bool:
    """To be called before a handler changes what cannot be staged; whether to do so, which a dry run does not.

    Raises:
        Unsupported: the call is a part of a larger commit, which could then not be made as a whole.
    """
    if call.shares_changes and not call.dry_run:
        raise Unsupported(
            f"'{call.name}' cannot be part of an all-or-nothing batch here: {why}",
            hint=" ".join(part for part in (hint, "Without atomic, the calls of a batch are made one by one.") if part),
        )
    call.lasting = True
    if call.dry_run:
        return False
    await announce(call)
    return True


async def announce(call: Call) -> None:
    """Note durably that the call is about to be made, where it has a key."""
    if call.key is None or call.announced:
        return
    if call.changes is not None and call.changes.changes():
        call.state.open_for_writing()
    if call.state.kept:
        await in_turn(call.state.folder, partial(call.state.journal.announce, call.key))
        call.announced = True


async def withdraw(call: Call, fault: Fault | None = None) -> None:
    """Take the announcement back, unless it is open whether the call was carried out."""
    if call.announced and not (fault is not None and is_unknown(fault)):
        await in_turn(call.state.folder, partial(call.state.journal.withdraw, call.key or ""))
        call.announced = call.lasting = False


def is_unknown(fault: Fault) -> bool:
    """Return whether something may have been done although it failed."""
    if (outcome := fault.details.get("outcome")) is not None:
        return bool(outcome == "unknown")
    return isinstance(fault, (TimedOut, Interrupted))


def explained_as_unknown(call: Call, fault: Fault) -> Fault:
    """Return the fault; of a call that is made once and may have been, one that keeps others from repeating it."""
    open_ended = call.announced and fault.details.get("outcome") == "unknown" and not isinstance(fault, Interrupted)
    return Interrupted(fault.message, hint=fault.hint, details=fault.details) if open_ended else fault
