"""`scenewright dashboard`: a page in the browser for the person who watches the agent."""

from __future__ import annotations

import argparse
import sys
import webbrowser
from functools import partial

from scenewright.cli.options import add_project, config_of
from scenewright.cli.output import say

__all__ = ["EXAMPLES", "add_arguments", "run"]

EXAMPLES = """\
examples:
  scenewright dashboard                        for the project in this folder; opens your browser
  scenewright dashboard --project ~/games/maze --no-open

Calls as they happen, each change with its diff and an undo button, and what waits for your approval. It listens on
this machine only. The link works once, for one browser; press Enter for another. Ctrl+C ends it.
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add_project(parser)
    parser.add_argument(
        "--port", type=int, default=0, metavar="N", help="which port to listen at (default: a free one)"
    )
    parser.add_argument("--no-open", action="store_true", help="only print the link, open no browser")


def run(options: argparse.Namespace) -> int:
    import anyio

    from scenewright.app import make_runtime
    from scenewright.core.config import ConfigError
    from scenewright.dashboard.serving import serve_dashboard

    if not 0 <= options.port < 65536:
        raise ConfigError("--port takes a number up to 65535.")
    runtime = make_runtime(config_of(options))
    try:
        if not runtime.has_project:
            raise ConfigError("There is no project here. Choose one with --project.")
        say(f"Dashboard of {runtime.project.root}; Ctrl+C ends it.", to=sys.stderr)
        anyio.run(serve_dashboard, runtime, options.port, partial(_show_link, opens=not options.no_open))
    finally:
        runtime.close()
    return 0


def _show_link(link: str, *, opens: bool) -> None:
    say(link)
    if opens:
        webbrowser.open(link)
