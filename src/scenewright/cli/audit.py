"""`scenewright audit`: the project's audit log."""

from __future__ import annotations

import argparse
from dataclasses import asdict

from scenewright.cli.options import add_project, config_of
from scenewright.cli.output import say
from scenewright.core.text.counts import count_noun

__all__ = ["EXAMPLES", "add_arguments", "run"]

EXAMPLES = """\
examples:
  scenewright audit verify                 is every record there and unchanged? exit code 1 if not
  scenewright audit tail -n 5 --json       the last five records
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("what", choices=("verify", "tail"), help="check the chain, or show the last records")
    add_project(parser)
    parser.add_argument("-n", type=int, default=10, metavar="N", help="how many records to show (default: 10)")
    parser.add_argument("--json", action="store_true", help="print JSON")


def run(options: argparse.Namespace) -> int:
    from scenewright.app import make_runtime

    runtime = make_runtime(config_of(options))
    try:
        log = runtime.state.audit
        if not log.path.exists():
            return _report_no_log(str(log.path))
        return _verify(log, options) if options.what == "verify" else _tail(log, options)
    finally:
        runtime.close()


def _report_no_log(path: str) -> int:
    from scenewright.core.config import ConfigError

    raise ConfigError(f"There is no audit log at {path}. Choose the project with --project.")


def _verify(log: object, options: argparse.Namespace) -> int:
    from scenewright.cli.terminal import print_json
    from scenewright.core.records.audit import AuditLog

    assert isinstance(log, AuditLog)
    verdict = log.verify()
    if options.json:
        print_json({"intact": verdict.intact, **asdict(verdict)})
    else:
        say(
            f"{log.path}: {count_noun(verdict.records, 'record')}, "
            + ("intact" if verdict.intact else f"BROKEN: {verdict.problem}")
        )
        for note in verdict.notes:
            say(f"  {note}")
    return 0 if verdict.intact else 1


def _tail(log: object, options: argparse.Namespace) -> int:
    from scenewright.cli.terminal import print_json
    from scenewright.core.records.audit import AuditLog

    assert isinstance(log, AuditLog)
    for record in log.tail(max(0, options.n)):
        if options.json:
            print_json(record)
        else:
            mark = "ok " if record.get("ok") else "ERR"
            action = f".{record['action']}" if record.get("action") else ""
            say(f"{record['ts']}  {mark}  {record.get('tool')}{action}  {record.get('summary')}")
    return 0
