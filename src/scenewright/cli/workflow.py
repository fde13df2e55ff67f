"""`scenewright workflow`: runs a plan from a file, and looks after runs, without a server."""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

from scenewright.cli.options import add_project, config_of, tell_project

if TYPE_CHECKING:
    from scenewright.core.runtime import Runtime

__all__ = ["EXAMPLES", "add_arguments", "run"]

EXAMPLES = """\
examples:
  scenewright workflow run plan.yaml                 carry it out, and wait for its end
  scenewright workflow run plan.json --dry-run       one diff of all that it would change
  scenewright workflow list                          the runs there are
  scenewright workflow logs wf-19a8f7c3b21-0c5e1f9a3d --level error
  scenewright workflow schema > workflow.schema.json

exit codes: 0 it worked, 1 the run did not succeed, 2 wrong usage
"""
LOOK_MS = 250


def add_arguments(parser: argparse.ArgumentParser) -> None:
    commands = parser.add_subparsers(dest="what", metavar="WHAT", required=True)
    start = commands.add_parser("run", help="carry out a plan from a YAML or JSON file, - for stdin")
    start.add_argument("plan", metavar="FILE")
    start.add_argument("--dry-run", action="store_true", help="show the diff of all steps and write nothing")
    start.add_argument("--yes", action="store_true", help="approve what needs approval")
    start.add_argument("--actor", metavar="NAME", help="who is asking, for the records")
    start.add_argument("--correlation-id", metavar="ID", help="an id to trace all its calls by")
    start.add_argument("--detach", action="store_true", help="start it and leave it to the servers of the project")
    for name, text in (("status", "the state of a run"), ("cancel", "stop a run"), ("logs", "the log of a run")):
        about_run = commands.add_parser(name, help=text)
        about_run.add_argument("run_id", metavar="RUN")
        if name == "logs":
            about_run.add_argument("--level", choices=("info", "warn", "error"))
            about_run.add_argument("--step", metavar="ID")
            about_run.add_argument("--since", metavar="MOMENT")
            about_run.add_argument("-n", type=int, metavar="N", help="only the last N lines")
    listing = commands.add_parser("list", help="list the runs, newest first")
    listing.add_argument("-n", type=int, default=20, metavar="N", help="how many (default: 20)")
    listing.add_argument("--cursor", metavar="CURSOR", help="where the previous page ended")
    commands.add_parser("schema", help="print the JSON Schema of a plan")
    for command in commands.choices.values():
        add_project(command)
        command.add_argument("--database", metavar="URL", help="PostgreSQL that several servers share")
        command.add_argument("--json", action="store_true", help="print exactly what an MCP client would get")


def run(options: argparse.Namespace) -> int:
    import anyio

    from scenewright.app import make_runtime
    from scenewright.server.logs import log_to_stderr

    if options.what == "schema":
        return _schema()
    arguments = _arguments(options)
    config = config_of(options)
    log_to_stderr(config.log_level)
    runtime = make_runtime(config)
    if not options.json:
        tell_project(runtime)
    try:
        if options.what == "run" and not options.detach:
            return anyio.run(_run, runtime, options, arguments)
        return anyio.run(_ask, runtime, options, f"workflow.{options.what}", arguments)
    finally:
        runtime.close()


def _schema() -> int:
    from scenewright.workflow.model import published_schema

    print(json.dumps(published_schema(), indent=2, ensure_ascii=False))
    return 0


def _arguments(options: argparse.Namespace) -> dict[str, Any]:
    if options.what == "run":
        given = {"actor": options.actor, "correlationId": options.correlation_id}
        chosen = {"definition": _plan(options.plan), "dryRun": options.dry_run}
    elif options.what == "list":
        given, chosen = {"cursor": options.cursor}, {"limit": options.n}
    elif options.what == "logs":
        given = {"level": options.level, "stepId": options.step, "since": options.since, "limit": options.n}
        chosen = {"runId": options.run_id}
    else:
        given, chosen = {}, {"runId": options.run_id}
    return chosen | {key: value for key, value in given.items() if value is not None}


def _plan(name: str) -> Any:
    """A plan from a file; YAML, of which JSON is a part."""
    import yaml

    from scenewright.core.config import ConfigError

    try:
        text = sys.stdin.read() if name == "-" else Path(name).read_text(encoding="utf-8")
        return json.loads(text) if name.endswith(".json") else yaml.safe_load(text)
    except OSError as error:
        raise ConfigError(f"{name}: {error.strerror}.") from None
    except (ValueError, RecursionError, yaml.YAMLError) as error:
        raise ConfigError(f"{name} cannot be read as a plan: {error}.") from None


async def _ask(runtime: Runtime, options: argparse.Namespace, tool: str, arguments: dict[str, Any]) -> int:
    from scenewright.cli.terminal import TerminalClient, print_reply
    from scenewright.contracts import render
    from scenewright.core.calls.call import Request

    client = TerminalClient(quiet=options.json)
    approved = bool(getattr(options, "yes", False))
    request = Request(tool=tool, arguments=arguments, client=client, origin="cli", approved=approved)
    reply = render(await runtime.run(request))
    if options.json or reply.failed:
        print_reply(reply, as_json=options.json)
    else:
        from scenewright.cli.runs import show

        show(options.what, reply.structured or {})
    return 1 if reply.failed else 0


async def _run(runtime: Runtime, options: argparse.Namespace, arguments: dict[str, Any]) -> int:
    """Starts a run and sees it to its end, which another process may bring about."""
    from scenewright.cli.runs import Progress
    from scenewright.cli.terminal import TerminalClient, print_reply
    from scenewright.contracts import render
    from scenewright.core.calls.call import Request

    client = TerminalClient(quiet=options.json)
    request = Request(tool="workflow.run", arguments=arguments, client=client, origin="cli", approved=options.yes)
    reply = render(await runtime.run(request))
    with Progress(quiet=options.json) as progress:
        while not reply.failed and reply.structured is not None and reply.structured["endedAt"] is None:
            progress.show(reply.structured)
            asked = {"runId": reply.structured["runId"], "waitMs": LOOK_MS, "steps": True}
            reply = render(await runtime.run(Request(tool="workflow.status", arguments=asked, origin="cli")))
        if reply.structured is not None:
            progress.show(reply.structured)
    if options.json or reply.failed:
        print_reply(reply, as_json=options.json)
    else:
        progress.conclude(reply.structured or {})
    ended = reply.structured or {}
    return 0 if not reply.failed and ended.get("status") == "succeeded" else 1
