"""`scenewright tools`: what a client would be shown, and what it costs."""

from __future__ import annotations

import argparse
import json
import shutil
from typing import TYPE_CHECKING, Any

from scenewright.cli.options import add_project, add_view, config_of
from scenewright.cli.output import say

if TYPE_CHECKING:
    from scenewright.core.operations.registry import Registry

__all__ = ["EXAMPLES", "add_arguments", "run"]

EXAMPLES = """\
examples:
  scenewright tools                              the default listing with its size
  scenewright tools edit_node                    a tool on a page: parameters, notes, calls to copy
  scenewright tools history undo                 an action of a manager likewise
  scenewright tools --toolset full --json        the whole tools/list, as a client gets it
  scenewright tools --definitions                every operation as a tool definition
"""
WIDEST_PAGE = 100
BYTES_PER_TOKEN = 4  # a rule of thumb for JSON and English


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("name", metavar="NAME", nargs="?", help="show this tool on a page")
    parser.add_argument("action", metavar="ACTION", nargs="?", help="of a manager: this action")
    add_project(parser)
    add_view(parser)
    parser.add_argument("--json", action="store_true", help="print the listing itself")
    parser.add_argument("--definitions", action="store_true", help="print the operations as tool definitions")


def run(options: argparse.Namespace) -> int:
    from scenewright.app import make_runtime
    from scenewright.cli.terminal import print_json
    from scenewright.contracts.editormcp.definition import define
    from scenewright.server.surface import surface_of

    runtime = make_runtime(config_of(options, shell=False))
    try:
        if options.definitions:
            print(json.dumps([define(op) for op in runtime.registry.operations.values()], indent=2, ensure_ascii=False))
            return 0
        if options.name:
            _print_page(runtime.registry, options.name, options.action)
            return 0
        tools = [tool.wire() for tool in surface_of(runtime).tools()]
        if options.json:
            print_json({"tools": tools})
        else:
            _print_table(tools, options)
    finally:
        runtime.close()
    return 0


def _print_page(registry: Registry, name: str, action: str | None) -> None:
    from scenewright.cli.tool_page import manager_page, operation_page
    from scenewright.core.calls.arguments import chosen_action
    from scenewright.core.operations.declaration import Manager

    width = min(shutil.get_terminal_size().columns, WIDEST_PAGE)
    target = registry.find(name)
    if isinstance(target, Manager) and action is None:
        lines = manager_page(target, registry, width=width)
    else:
        operation = (
            chosen_action(registry, target.name, {"action": action})[1] if isinstance(target, Manager) else target
        )
        lines = operation_page(operation, registry, width=width)
    say("\n".join(lines))


def _print_table(tools: list[dict[str, Any]], options: argparse.Namespace) -> None:
    from rich.console import Console
    from rich.table import Table

    table = Table(box=None, pad_edge=False)
    table.add_column("tool", style="bold")
    table.add_column("does", overflow="fold")
    table.add_column("bytes", justify="right")
    for tool in tools:
        table.add_row(tool["name"], tool["description"].partition("\n")[0], f"{_size(tool):,}")
    console = Console()
    console.print(table)
    total = _size({"tools": tools})
    view = f"{options.toolset or 'compact'}, {options.dialect or 'portable'}"
    console.print(f"{len(tools)} tools, {total:,} bytes, about {total // BYTES_PER_TOKEN:,} tokens ({view})")


def _size(value: Any) -> int:
    return len(json.dumps(value, ensure_ascii=False, separators=(",", ":")).encode())
