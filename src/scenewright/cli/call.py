"""`scenewright call`: one tool through the same pipeline as an MCP call, without a server."""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path
from typing import Any

from scenewright.cli.options import add_project, config_of, tell_project

__all__ = ["EXAMPLES", "add_arguments", "read_arguments", "run"]

EXAMPLES = """\
examples:
  scenewright call core.ping
  scenewright call history '{"action": "list"}' --project ~/games/maze
  scenewright call write_file @arguments.json --dry-run
  echo '{"path": "a.txt"}' | scenewright call delete_file - --yes --json

exit codes: 0 it worked, 1 the tool refused or failed, 2 wrong usage
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    tool = parser.add_argument("tool", metavar="TOOL", help="tool name or id")
    tool.completer = _tool_names  # type: ignore[attr-defined]
    parser.add_argument("arguments", metavar="JSON", nargs="?", default="{}", help="arguments, @FILE, or - for stdin")
    add_project(parser)
    parser.add_argument("--json", action="store_true", help="print exactly what an MCP client would get")
    parser.add_argument("--dry-run", action="store_true", help="show the diff and write nothing")
    parser.add_argument("--yes", action="store_true", help="approve what needs approval, as the person you are")
    parser.add_argument("--actor", metavar="NAME", help="who is asking, for the records")


def run(options: argparse.Namespace) -> int:
    import anyio

    from scenewright.app import make_runtime
    from scenewright.cli.terminal import TerminalClient, print_reply
    from scenewright.contracts import render
    from scenewright.core.calls.call import Request
    from scenewright.server.logs import log_to_stderr

    arguments = read_arguments(options.arguments)
    config = config_of(options)
    log_to_stderr(config.log_level)
    runtime = make_runtime(config)
    if not options.json:
        tell_project(runtime)
    meta = {"dryRun": options.dry_run, "actor": options.actor}
    client = TerminalClient(quiet=options.json)
    request = Request(
        tool=options.tool, arguments=arguments, meta=meta, client=client, origin="cli", approved=options.yes
    )
    try:
        rendered = render(anyio.run(runtime.run, request))
    finally:
        runtime.close()
    print_reply(rendered, as_json=options.json)
    return 1 if rendered.failed else 0


def read_arguments(text: str) -> dict[str, Any]:
    """Return a call's arguments from the command line: JSON, `@FILE`, or `-` for standard input."""
    from scenewright.core.config import ConfigError

    try:
        if text == "-":
            text = sys.stdin.read()
        elif text.startswith("@"):
            text = Path(text[1:]).read_text(encoding="utf-8")
        value = json.loads(text)
    except OSError as error:
        raise ConfigError(f"{text[1:]}: {error.strerror}.") from None
    except RecursionError:
        raise ConfigError("The arguments are nested too deeply.") from None
    except ValueError as error:
        raise ConfigError(f"The arguments are not valid JSON: {error}.") from None
    if not isinstance(value, dict):
        raise ConfigError('The arguments must be a JSON object, such as \'{"path": "a.txt"}\'.')
    return value


def _tool_names(prefix: str, **_: Any) -> list[str]:
    from scenewright.app import catalogues

    parts = catalogues()
    names = [op.flat_name for part in parts for op in part.operations]
    names += [manager.name for part in parts for manager in part.managers]
    return [name for name in names if name.startswith(prefix)]
