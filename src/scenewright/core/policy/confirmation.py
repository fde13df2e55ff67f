"""Asks a person before files are changed that other programs trust, whatever the policy and the caller say.

It looks at what a call has staged, so that no operation of any engine needs to know of it. The question shows the
files and all that changes in them.
"""

from __future__ import annotations

from typing import Any

from scenewright.core.calls.call import Call
from scenewright.core.faults import Denied
from scenewright.core.policy.approval import ask_person, way_to_approve
from scenewright.core.policy.approval_subject import MAX_QUESTION, ApprovalItem, Matter
from scenewright.core.policy.sensitive_files import is_sensitive
from scenewright.core.writes.changeset import Change
from scenewright.core.writes.line_matching import replaced_lines

__all__ = ["confirm_sensitive_changes", "refuse_sensitive_place"]

COMPARABLE = 200_000
PIECE = 100  # shorter than any text that a question would shorten
_WHAT = "files that other programs read by themselves"


async def confirm_sensitive_changes(call: Call) -> None:
    """Ask about the staged changes that need it; one question for all of them.

    Raises:
        Denied: the person said no, or nobody could be asked.
    """
    staged = call.changes.changes() if call.changes is not None else ()
    changes = [change for change in staged if _is_sensitive(call, change.path)]
    if not changes or _was_typed(call):
        return
    if call.request.parent is not None:
        # A client may have to make the whole call again with the answer, and other parts would be written twice.
        raise _refusal(call, changes, "Call it alone, or in a batch with atomic: true; then a person is asked.")
    matter = Matter(
        title=f"Allow '{call.operation.name}' ({call.name}) to change {_WHAT}",
        reason="clients, editors, shells, version control or agents act on them outside the project",
        parts=[ApprovalItem(f"{change.kind} {change.path}", _show_change(change)) for change in changes],
        project=str(call.state.project.root),
    )
    if not await ask_person(call, matter, anew=True):
        long = "It is too much to be shown in one question. " if matter.question() is None else ""
        raise _refusal(call, changes, f"{long}{way_to_approve(call, matter)}.")


def refuse_sensitive_place(call: Call, path: str) -> None:
    """Refuse to write below a folder of other programs where the writing cannot be staged and asked about."""
    if _is_sensitive(call, path):
        raise Denied(f"'{path}' is a place for {_WHAT}.", hint="Write to another folder of the project.")


def _was_typed(call: Call) -> bool:
    """Return whether this is, or is a part of, a call that a person made on a shell with --yes."""
    while call.request.parent is not None:
        call = call.request.parent
    return call.request.origin == "cli" and call.request.approved


def _is_sensitive(call: Call, path: str) -> bool:
    return is_sensitive(call.runtime.roots.parts_below_named(call.state.project.root / path))


def _refusal(call: Call, changes: list[Change], hint: str) -> Denied:
    files = ", ".join(f"{change.kind} {change.path}" for change in changes)
    return Denied(
        f"'{call.name}' was not approved: it would change {_WHAT} ({files}). Nothing was written.",
        hint=hint,
        details={"files": [change.path for change in changes]},
    )


def _show_change(change: Change) -> dict[str, Any]:
    """Return all that changes in a file, in pieces that are never shortened: rather nothing is asked than
    half of it.
    """
    if change.after is None:
        return {"bytes": len(change.before or b"")}
    before, after = _text(change.before or b""), _text(change.after)
    if before is None or after is None or len(before) + len(after) > COMPARABLE:
        return {"bytes": _pieces([change.after[:MAX_QUESTION].hex()])}  # of more than that nothing is asked
    if not before:
        return {"text": _pieces(after.split("\n"))}
    return {"diff": _pieces(_diff(before.split("\n"), after.split("\n")))}


def _diff(before: list[str], after: list[str]) -> list[str]:
    """Return every line that goes or comes, with one line before and after; in bounded time, as any text may be
    compared.
    """
    lines = []
    for old, new in replaced_lines(before, after):
        lines.append(f"@@ -{_range(old)} +{_range(new)} @@")
        lines += [f" {line}" for line in before[max(0, old.start - 1) : old.start]]
        lines += [f"-{line}" for line in before[old]] + [f"+{line}" for line in after[new]]
        lines += [f" {line}" for line in before[old.stop : old.stop + 1]]
    return lines


def _range(lines: slice) -> str:
    count = lines.stop - lines.start
    return f"{lines.start + 1 if count else lines.start},{count}"


def _pieces(lines: list[str]) -> list[str]:
    return [line[start : start + PIECE] for line in lines for start in range(0, max(1, len(line)), PIECE)]


def _text(content: bytes) -> str | None:
    try:
        return content.decode()
    except UnicodeDecodeError:
        return None
