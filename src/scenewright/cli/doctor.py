"""`scenewright doctor`: what is wrong, and what mends it."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING, Any

from scenewright.cli.options import add_project, config_of
from scenewright.cli.output import say

if TYPE_CHECKING:
    from scenewright.core.runtime import Runtime

__all__ = ["EXAMPLES", "add_arguments", "run"]

EXAMPLES = """\
examples:
  scenewright doctor                            this machine, its clients, and the project here
  scenewright doctor --fix                      mend what can be mended safely
  scenewright doctor --json                     for a program, or for a report of a bug

exit codes: 0 no errors, 1 errors
"""
_MARKS = {"ok": "✓", "note": "·", "warning": "!", "error": "✗"}


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add_project(parser)
    parser.add_argument("--fix", action="store_true", help="mend what can be mended safely, then look again")
    parser.add_argument("--json", action="store_true", help="print JSON")


def run(options: argparse.Namespace) -> int:
    from scenewright.app import make_runtime
    from scenewright.cli.terminal import print_json

    runtime = make_runtime(config_of(options, shell=False, waits_for_project=True))
    try:
        diagnosis = _diagnosis(runtime)
        fixed = _fix(runtime, diagnosis) if options.fix else []
        diagnosis = _diagnosis(runtime) if fixed else diagnosis
    finally:
        runtime.close()
    if options.json:
        print_json(diagnosis | ({"fixed": fixed} if options.fix else {}))
    else:
        _print(diagnosis, fixed)
    return 0 if diagnosis["healthy"] else 1


def _diagnosis(runtime: Runtime) -> dict[str, Any]:
    import anyio

    from scenewright.core.calls.call import Request
    from scenewright.core.operations.model import to_wire
    from scenewright.setup.trial import check_start

    outcome = anyio.run(runtime.run, Request(tool="check_setup", arguments={}, origin="cli"))
    if outcome.fault is not None:
        raise outcome.fault
    diagnosis: dict[str, Any] = to_wire(outcome.call.output)
    started = to_wire(check_start([runtime.project.root] if runtime.has_project else []))
    diagnosis["findings"].append({key: value for key, value in started.items() if value})
    diagnosis["healthy"] = diagnosis["healthy"] and started["level"] != "error"
    return diagnosis


def _fix(runtime: Runtime, diagnosis: dict[str, Any]) -> list[str]:
    from scenewright.setup.remedies import apply_remedy

    names = dict.fromkeys(row["remedy"] for row in diagnosis["findings"] if row.get("remedy"))
    return [apply_remedy(name, runtime) for name in names]


def _print(diagnosis: dict[str, Any], fixed: list[str]) -> None:
    from scenewright.core.text.counts import count_noun

    for done in fixed:
        say(f"fixed: {done}")
    for row in diagnosis["findings"]:
        say(f"{_MARKS[row['level']]} {row['subject']}: {row['message']}")
        if row.get("fix") and row["level"] != "ok":
            say(f"    {row['fix']}")
    levels = [row["level"] for row in diagnosis["findings"]]
    told = [count_noun(levels.count(level), level) for level in ("error", "warning")]
    mendable = sum(bool(row.get("remedy")) for row in diagnosis["findings"])
    hint = f" scenewright doctor --fix mends {mendable} of them." if mendable else ""
    say(f"{', '.join(told)}.{hint}")
