"""`scenewright call`: one tool through the same pipeline as an MCP call, without a server."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING, Any

from scenewright.cli.arguments import is_argument, read_arguments
from scenewright.cli.options import add_project, config_of, tell_project

if TYPE_CHECKING:
    from scenewright.core.operations.model import JsonSchema
    from scenewright.core.operations.registry import Registry

__all__ = ["EXAMPLES", "add_arguments", "add_call", "arguments_for", "run"]

EXAMPLES = """\
examples:
  scenewright call core.ping
  scenewright call history list --project ~/games/maze
  scenewright call edit_node scenePath=level.tscn nodePath=Lamp "properties.position=[8,4]"
  scenewright call write_script path=lamp.gd content=@lamp.gd
  scenewright call write_file @arguments.json --dry-run
  echo '{"path": "a.txt"}' | scenewright call delete_file - --yes --json

arguments: key=value words, or one JSON object. Double quotes around a word work in every shell. A value is JSON where
it reads as such and its parameter takes more than text; key:=value is always JSON, key=@FILE and key=- are the text of
a file and of standard input. properties.visible=false and nodes.0.name=Lamp lead into objects and lists. A first word
without = is the action of a manager.
exit codes: 0 it worked, 1 the tool refused or failed, 2 wrong usage
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add_call(parser)
    add_project(parser)
    parser.add_argument("--json", action="store_true", help="print exactly what an MCP client would get")
    parser.add_argument("--dry-run", action="store_true", help="show the diff and write nothing")
    parser.add_argument("--yes", action="store_true", help="approve what needs approval, as the person you are")
    parser.add_argument("--actor", metavar="NAME", help="who is asking, for the records")


def add_call(parser: argparse.ArgumentParser) -> None:
    """Add the tool and its arguments; those that stand behind further options are taken, too."""
    tool = parser.add_argument("tool", metavar="TOOL", help="tool name or id")
    tool.completer = _tool_names  # type: ignore[attr-defined]
    parser.add_argument(
        "arguments", metavar="ARGUMENT", nargs="*", default=[], help="KEY=VALUE, or all as JSON, @FILE, or - for stdin"
    )
    parser.set_defaults(takes_rest=is_argument)


def run(options: argparse.Namespace) -> int:
    import anyio

    from scenewright.app import make_runtime
    from scenewright.cli.terminal import TerminalClient, print_reply
    from scenewright.contracts import render
    from scenewright.core.calls.call import Request
    from scenewright.server.logs import log_to_stderr

    config = config_of(options)
    log_to_stderr(config.log_level)
    runtime = make_runtime(config)
    try:
        arguments = arguments_for(options, runtime.registry)
        if not options.json:
            tell_project(runtime)
        meta = {"dryRun": options.dry_run, "actor": options.actor}
        client = TerminalClient(quiet=options.json)
        request = Request(
            tool=options.tool, arguments=arguments, meta=meta, client=client, origin="cli", approved=options.yes
        )
        brief = options.json and config.dialect != "contract"
        rendered = render(anyio.run(runtime.run, request), brief=brief)
    finally:
        runtime.close()
    print_reply(rendered, as_json=options.json)
    return 1 if rendered.failed else 0


def arguments_for(options: argparse.Namespace, registry: Registry) -> dict[str, Any]:
    """Return the arguments of the call that was typed, read by the schema of its tool."""
    from scenewright.core.operations.declaration import Manager

    target, words = registry.named(options.tool), list(options.arguments)
    if isinstance(target, Manager) and words and words[0].replace(".", "_").isidentifier():
        words[0] = f"action={words[0]}"
    return read_arguments(words, _schema_of(target, words, registry))


def _schema_of(target: Any, words: list[str], registry: Registry) -> JsonSchema | None:
    from scenewright.core.operations.declaration import Manager

    if not isinstance(target, Manager):
        return target.input_schema if target is not None else None
    action = next((word.partition("=")[2] for word in words if word.startswith("action=")), None)
    operation = registry.action(target.name, action)
    return operation.input_schema if operation is not None else None


def _tool_names(prefix: str, **_: Any) -> list[str]:
    from scenewright.app import catalogues

    parts = catalogues()
    names = [op.flat_name for part in parts for op in part.operations]
    names += [manager.name for part in parts for manager in part.managers]
    return [name for name in names if name.startswith(prefix)]
