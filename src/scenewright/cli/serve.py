"""`scenewright serve`: the MCP server."""

from __future__ import annotations

import argparse
import gc
import os
import sys
import threading
from collections.abc import Callable
from typing import TYPE_CHECKING

from scenewright.cli.options import add_project, add_view, config_of
from scenewright.cli.output import say
from scenewright.core.config import Config
from scenewright.server.lines import Wire

if TYPE_CHECKING:
    from scenewright.core.runtime import Runtime
    from scenewright.server.start.lane import Lane

__all__ = ["EXAMPLES", "add_arguments", "run"]

IDLE_SECONDS = 0.03  # so long nothing comes from a client that has all it asked for at first

EXAMPLES = """\
examples:
  scenewright serve                            over stdio, for the project in this folder
  scenewright serve --project ~/games/maze     for another one
  scenewright serve --read-only                look, do not touch
  scenewright serve --read-only --allow-run    look, run and picture the game, write nothing
  scenewright serve --http 127.0.0.1:8765      over HTTP; clients send the token that `scenewright state` shows
"""
_FOR_A_PERSON = """\
This is the MCP server, and it waits for a client on standard input; there is nothing to type here.
Project: {root}
To set up Claude Code, Cursor, VS Code and others: scenewright init. To call a tool yourself: scenewright call TOOL.
Over HTTP: scenewright serve --http. Ctrl+C ends this one."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add_project(parser)
    add_view(parser)
    parser.add_argument(
        "--http", metavar="HOST:PORT", nargs="?", const="127.0.0.1:8765", help="serve over HTTP, on loopback only"
    )
    parser.add_argument("--database", metavar="URL", help="PostgreSQL for workflows that several servers share")
    parser.add_argument("--no-token", action="store_true", help="with --http: let any local program in")


def run(options: argparse.Namespace) -> int:
    # Nothing that is made while importing becomes garbage; looking for it is a tenth of the start.
    gc.disable()
    config = config_of(options, shell=False, waits_for_project=True)
    if options.http is not None:
        from scenewright.server.address import parse_address

        address = parse_address(options.http)
        return _serve(config, lambda runtime: _run_http(runtime, address, with_token=not options.no_token), http=True)
    for_a_person = sys.stdin.isatty()
    with Wire(_lane(config)) as wire:
        if not wire.wait_until_needed(IDLE_SECONDS):
            return 0
        return _serve(config, lambda runtime: _run_stdio(runtime, wire, for_a_person=for_a_person))


def _lane(config: Config) -> Lane | None:
    """What the client is answered with while the server is being loaded, where it is known from an earlier start."""
    from scenewright.core.faults import Fault
    from scenewright.server.start.conditions import current_conditions
    from scenewright.server.start.kept_answers import kept_answers
    from scenewright.server.start.lane import Lane

    try:
        answers = kept_answers(current_conditions(config))
    except (Fault, OSError, ValueError):
        return None  # the server says what is wrong
    return None if answers is None else Lane(answers)


def _serve(config: Config, serve: Callable[[Runtime], None], *, http: bool = False) -> int:
    from scenewright.server.start.lean_loading import load_leanly

    load_leanly(http=http)
    from scenewright.app import make_runtime
    from scenewright.server import run as loaded
    from scenewright.server.logs import log_to_stderr

    del loaded  # what it loads is kept out of the garbage collector's sight, too
    log_to_stderr(config.log_level)
    runtime = make_runtime(config)
    gc.freeze()
    gc.enable()
    if config.bridge_enabled:
        threading.Thread(target=_listen_for_studio, name="roblox-bridge", daemon=True).start()
    try:
        serve(runtime)
    finally:
        runtime.close()
    _leave_stuck_threads()
    return 0


def _run_stdio(runtime: Runtime, wire: Wire, *, for_a_person: bool) -> None:
    from scenewright.server.run import run_stdio

    if for_a_person:
        say(_FOR_A_PERSON.format(root=runtime.project.address or "none yet"), to=sys.stderr)
    run_stdio(runtime, wire)


def _run_http(runtime: Runtime, address: tuple[str, int], *, with_token: bool) -> None:
    from scenewright.server.run import run_http

    run_http(runtime, address, with_token=with_token)


def _listen_for_studio() -> None:
    """Studio's plugin may be waiting; on a thread of its own, since the client's first message is answered first."""
    import logging

    from scenewright.core.config import ConfigError
    from scenewright.core.faults import Fault
    from scenewright.roblox.relay.process import shared_relay

    try:
        shared_relay()
    except (ConfigError, Fault, OSError) as error:
        logging.getLogger(__name__).warning("the bridge to Roblox Studio is not there: %s", error)


def _leave_stuck_threads() -> None:
    """Ends the process although a handler that was given up never returned; the client is gone, so nobody waits."""
    if any(not thread.daemon and thread is not threading.main_thread() for thread in threading.enumerate()):
        import logging

        logging.shutdown()
        os._exit(0)
