"""`scenewright uninstall`: takes back what `scenewright init` did, byte for byte."""

from __future__ import annotations

import argparse
import sys
from typing import TYPE_CHECKING

from scenewright.cli.output import say

if TYPE_CHECKING:
    from scenewright.setup.records import Addon, FileRecord, Records

__all__ = ["EXAMPLES", "add_arguments", "run"]

EXAMPLES = """\
examples:
  scenewright uninstall                         show what was set up, ask, and take it back
  scenewright uninstall --yes                   without asking
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--yes", action="store_true", help="do not ask")


def run(options: argparse.Namespace) -> int:
    from scenewright.core.config import ConfigError
    from scenewright.setup.records import open_records

    with open_records() as records:
        if not records.files and not records.addons:
            say("Nothing was set up.")
            return 0
        for file in records.files:
            say(f"- {file.path} ({file.client})")
        for addon in records.addons:
            say(f"- the addon in {addon.project}")
        if not options.yes:
            if not sys.stdin.isatty():
                raise ConfigError("Nobody can be asked here. Pass --yes to take this back.")
            say("Take it back? [y/N] ", to=sys.stderr, end="")
            if sys.stdin.readline().strip().lower() not in ("y", "yes"):
                return 1
        return _take_all_back(records)


def _take_all_back(records: Records) -> int:
    records.files = [file for file in records.files if not _restore(file)]
    records.addons = [addon for addon in reversed(records.addons) if not _remove_addon(addon)][::-1]
    return 1 if records.files or records.addons else 0


def _restore(record: FileRecord) -> bool:
    from scenewright.setup.json_text import TextProblem
    from scenewright.setup.steps import take_back

    try:
        say(f"✓ {take_back(record)}")
    except (TextProblem, OSError) as problem:
        say(f"✗ {record.path}: {problem}", to=sys.stderr)
        return False
    return True


def _remove_addon(addon: Addon) -> bool:
    """Take the addon's entry of the project's history back; what was changed since stays, and is said."""
    from pathlib import Path

    import anyio

    from scenewright.app import make_runtime
    from scenewright.core.calls.call import Request
    from scenewright.core.config import Config
    from scenewright.core.faults import Fault

    try:
        runtime = make_runtime(Config.from_environment(project=Path(addon.project)))
    except Fault as gone:
        say(f"= The addon: {gone.message}")
        return True
    try:
        request = Request(tool="history_undo", arguments={"entry": addon.entry}, origin="cli", approved=True)
        outcome = anyio.run(runtime.run, request)
    finally:
        runtime.close()
    hint = f" {outcome.fault.hint}" if outcome.fault is not None and outcome.fault.hint else ""
    say(f"{'✓' if outcome.ok else '✗'} The addon in {addon.project}: {outcome.summary}{hint}")
    return outcome.ok
