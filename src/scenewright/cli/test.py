"""`scenewright test`: a Godot project's own tests, for people and for CI."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from scenewright.cli.options import add_project, config_of, tell_project
from scenewright.cli.output import clear_line, say

if TYPE_CHECKING:
    from scenewright.core.runtime import Runtime

__all__ = ["EXAMPLES", "add_arguments", "run"]

EXAMPLES = """\
examples:
  scenewright test --project ~/games/maze
  scenewright test test/unit/test_player.gd --name jump
  scenewright test --junit tests.xml --json

Runs the tests that extend GUT's or GdUnit4's suites, scenes test_….tscn of plain asserts, and tapes.
exit codes: 0 all went well, 1 a test failed or a run did not come to its end, 2 wrong usage
"""
_MARKS: Final = {"passed": "✓", "failed": "✗", "skipped": "○"}


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("path", metavar="PATH", nargs="?", help="script, scene, tape or folder (default: all)")
    parser.add_argument("--name", metavar="TEXT", help="only tests whose name contains this")
    parser.add_argument("--timeout", metavar="SECONDS", type=float, help="how long each framework may take")
    parser.add_argument("--junit", metavar="FILE", type=Path, help="write a report that CI systems read")
    parser.add_argument("--json", action="store_true", help="print the results as JSON")
    add_project(parser)


def run(options: argparse.Namespace) -> int:
    import anyio

    from scenewright.app import make_runtime
    from scenewright.cli.terminal import print_json
    from scenewright.server.logs import log_to_stderr

    config = config_of(options)
    log_to_stderr(config.log_level)
    runtime = make_runtime(config)
    try:
        tell_project(runtime)
        body = anyio.run(_run_tests, runtime, options)
    finally:
        runtime.close()
    report = body.pop("junit", None)
    if options.junit is not None and report is not None:
        options.junit.parent.mkdir(parents=True, exist_ok=True)
        options.junit.write_text(report, encoding="utf-8")
    if options.json:
        print_json(body)
    elif "error" in body:
        _say_refusal(body["error"])
    else:
        _say_results(body)
    return 0 if body.get("passed") else 1


async def _run_tests(runtime: Runtime, options: argparse.Namespace) -> dict[str, Any]:
    from scenewright.cli.terminal import TerminalClient
    from scenewright.core.calls.call import Request
    from scenewright.core.operations.model import to_wire

    given = {"path": options.path, "name": options.name, "timeoutSeconds": options.timeout}
    arguments = {key: value for key, value in given.items() if value is not None} | {"junit": options.junit is not None}
    client = TerminalClient(quiet=options.json)
    request = Request(tool="run_tests", arguments=arguments, client=client, origin="cli", approved=False)
    outcome = await runtime.run(request)
    if not options.json and sys.stderr.isatty():
        clear_line()  # of progress
    if outcome.fault is not None:
        return {"error": {"message": outcome.fault.message, "hint": outcome.fault.hint}}
    for warning in outcome.call.warnings:
        say(f"warning: {warning}", to=sys.stderr)
    body: dict[str, Any] = to_wire(outcome.call.output)
    return body


def _say_refusal(error: dict[str, Any]) -> None:
    say(f"✗ {error['message']}", to=sys.stderr)
    if error["hint"]:
        say(f"  {error['hint']}", to=sys.stderr)


def _say_results(body: dict[str, Any]) -> None:
    """Print the tests by file, what failed last, where a person looks first."""
    files: dict[str, list[dict[str, Any]]] = {}
    for result in body["results"]:
        files.setdefault(result["file"], []).append(result)
    for file in sorted(files, key=lambda file: any(each["status"] == "failed" for each in files[file])):
        say(file)
        for result in sorted(files[file], key=lambda each: str(each["status"]) == "failed"):
            _say_result(result)
    for error in body.get("errors", ()):
        place = f" ({error['path']}:{error['line']})" if "path" in error and "line" in error else ""
        say(f"{error['severity']}: {error['message']}{place}")
    for problem in body.get("problems", ()):
        say(f"✗ {problem}")
    counts = f"{body['tests'] - body['failed'] - body['skipped']} passed, {body['failed']} failed"
    skipped = f", {body['skipped']} skipped" if body["skipped"] else ""
    say(f"{counts}{skipped} in {body['seconds']:.2f} s by {', '.join(body['ran'])}.")


def _say_result(result: dict[str, Any]) -> None:
    say(f"  {_MARKS[result['status']]} {result['name']}  {result['seconds']:.2f} s")
    if "message" in result:
        place = f"{result.get('path', result['file'])}:{result['line']}: " if "line" in result else ""
        for number, line in enumerate(f"{place}{result['message']}".split("\n")):
            say(f"      {line}" if number else f"    {line}")
