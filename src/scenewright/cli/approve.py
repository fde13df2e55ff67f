"""`scenewright approve`: a person's answer to calls that wait for one, with all that they are about."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from time import time
from typing import TYPE_CHECKING, Any

from scenewright.cli.options import add_project
from scenewright.cli.output import say

if TYPE_CHECKING:
    from scenewright.core.policy.pending_approvals import Approval, Approvals, Verdict

__all__ = ["EXAMPLES", "add_arguments", "run"]

EXAMPLES = """\
examples:
  scenewright approve                     what waits for an answer, with every call and its arguments
  scenewright approve 3f2a                show it with the diff of a dry run, ask, and approve it
  scenewright approve --reject 3f2a       say no: the same call is refused from now on

An approval is for exactly that call, once, within an hour. Then the same call goes through.

exit codes: 0 done, 1 not approved, 2 wrong usage
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("id", metavar="ID", nargs="?", help="what to approve, as the refusal of the call named it")
    parser.add_argument("--list", action="store_true", help="show what waits (as without an ID)")
    parser.add_argument("--reject", metavar="ID", help="say no to this one")
    parser.add_argument("--yes", action="store_true", help="approve without asking again")
    add_project(parser)
    parser.add_argument("--json", action="store_true", help="print JSON")


def run(options: argparse.Namespace) -> int:
    from scenewright.core.config import ConfigError
    from scenewright.core.policy.pending_approvals import Approvals

    approvals = Approvals()
    if options.id and (options.list or options.reject):
        raise ConfigError("Give one of ID, --list and --reject.")
    try:
        if options.reject:
            return _answer(options, approvals, options.reject, "rejected")
        return _approve(options, approvals) if options.id else _list(options, approvals)
    except OSError as error:
        raise ConfigError(f"Your answer cannot be kept: {error.strerror or error}.") from None


def _list(options: argparse.Namespace, approvals: Approvals) -> int:
    from scenewright.cli.terminal import print_json

    roots = {str(Path(place).resolve()) for place in options.project or ()}
    waiting = [each for each in approvals.waiting() if not roots or each.project in roots]
    if options.json:
        print_json({"approvals": [_as_json(each) for each in waiting]})
        return 0
    for each in waiting:
        state = each.verdict or "waits"
        say(f"{each.id}  {state}, for {_duration(each.expires_at - time())} more")
        say(each.text, end="\n\n")
    say("Answer with: scenewright approve ID, or --reject ID" if waiting else "Nothing waits for approval.")
    return 0


def _approve(options: argparse.Namespace, approvals: Approvals) -> int:
    from scenewright.core.config import ConfigError

    approval = approvals.find(options.id)
    asks = not options.yes
    if asks and not (sys.stdin.isatty() and sys.stderr.isatty()):
        raise ConfigError("There is no terminal to ask on. Look at it with --list, then add --yes.")
    if not options.json:
        _show(approval)
    if asks and not _ask_confirmation():
        say("Not approved; it still waits. --reject says no.", to=sys.stderr)
        return 1
    return _answer(options, approvals, options.id, "approved")


def _answer(options: argparse.Namespace, approvals: Approvals, name: str, verdict: Verdict) -> int:
    from scenewright.cli.terminal import print_json

    answered = approvals.answer(name, verdict)
    if options.json:
        print_json(_as_json(answered))
    elif verdict == "approved":
        say(f"Approved: '{answered.tool}' goes through once within {_duration(answered.expires_at - time())}.")
    else:
        say(f"Rejected: '{answered.tool}' is refused.")
    return 0


def _ask_confirmation() -> bool:
    say("Approve it? [y/N] ", end="", to=sys.stderr)
    return sys.stdin.readline().strip().lower() in ("y", "yes")


def _show(approval: Approval) -> None:
    from scenewright.core.policy.approval_subject import escape_controls

    say(approval.text)
    for line in _changes(approval):
        say(f"    {escape_controls(line.expandtabs(4))}")


def _changes(approval: Approval) -> list[str]:
    """What a dry run says that it would change, line by line."""
    import anyio

    from scenewright.app import make_runtime
    from scenewright.core.config import Config
    from scenewright.core.faults import Fault
    from scenewright.core.policy.approval_preview import preview_lines

    try:
        runtime = make_runtime(Config.from_environment(project=Path(approval.project)))
    except Fault as fault:
        return [f"A dry run fails: {fault.message}"]
    try:
        return anyio.run(preview_lines, runtime, approval)
    finally:
        runtime.close()


def _as_json(approval: Approval) -> dict[str, Any]:
    import msgspec

    fields: dict[str, Any] = msgspec.to_builtins(approval)
    return {key: value for key, value in fields.items() if key != "digest"}


def _duration(seconds: float) -> str:
    minutes = max(1, round(seconds / 60))
    return f"{minutes} min" if minutes < 120 else f"{round(minutes / 60)} h"
