"""`scenewright demo`: a real MCP client and a real server, over stdio, build and check a small game."""

from __future__ import annotations

import argparse
import os
import shutil
import sys
import tempfile
from pathlib import Path

from scenewright.cli.output import say

__all__ = ["EXAMPLES", "add_arguments", "run"]

EXAMPLES = """\
examples:
  scenewright demo
  scenewright demo --keep coin-run       keeps the game, to be opened in Godot
"""
_START = 'config_version=5\n\n[application]\nconfig/name="Demo"\n'
_NO_GODOT = """
The second part builds a small game and needs Godot 4.3 or newer: put it on the PATH or set GODOT_PATH. `make demo` in a
checkout gets one."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--keep", metavar="DIR", help="folder for the game, which is kept; must not exist yet")


def run(options: argparse.Namespace) -> int:
    import anyio

    from scenewright.cli.demo.transcript import DemoFailed

    kept = Path(options.keep).absolute() if options.keep else None
    if kept is not None and kept.exists():
        say(f"'{options.keep}' exists already; name a folder that does not.", to=sys.stderr)
        return 2
    with tempfile.TemporaryDirectory(prefix="scenewright-demo-") as folder:
        project = Path(folder) / "game"
        project.mkdir()
        (project / "project.godot").write_text(_START)
        try:
            anyio.run(_demo, project)
        except BaseExceptionGroup as group:
            if (failed := group.subgroup(DemoFailed)) is None:
                raise
            say(f"The demo failed: {_first(failed)}", to=sys.stderr)
            return 1
        if kept is not None:
            shutil.copytree(project, kept)
            say(f"The game is in {kept}.")
    return 0


def _first(failed: BaseException) -> BaseException:
    """The failure itself, out of the groups that the client's tasks put it into."""
    return _first(failed.exceptions[0]) if isinstance(failed, BaseExceptionGroup) else failed


async def _demo(project: Path) -> None:
    from mcp import StdioServerParameters
    from mcp.client import Client

    from scenewright.cli.demo.game_build import build
    from scenewright.cli.demo.tour import tour
    from scenewright.cli.demo.transcript import Transcript

    server = StdioServerParameters(
        command=sys.executable, args=["-m", "scenewright", "serve", "--project", str(project)], env=dict(os.environ)
    )
    async with Client(server) as client:
        show = Transcript(client)
        await tour(show, project)
        if not _has_godot():
            say(_NO_GODOT)
            return
        await build(show, project)
    say("\nDone: every reply was what it should be.")


def _has_godot() -> bool:
    from scenewright.core.faults import Fault
    from scenewright.godot.engine.binary import find_binary

    try:
        find_binary()
    except Fault:
        return False
    return True
