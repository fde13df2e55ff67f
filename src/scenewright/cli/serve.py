"""`scenewright serve`: the MCP server."""

from __future__ import annotations

import argparse
import gc
import logging
import os
import threading

from scenewright.cli.options import add_project, add_view, config_of

__all__ = ["EXAMPLES", "add_arguments", "run"]

EXAMPLES = """\
examples:
  scenewright serve                            over stdio, for the project in this folder
  scenewright serve --project ~/games/maze     for another one
  scenewright serve --read-only                look, do not touch
  scenewright serve --read-only --allow-run    look, run and picture the game, write nothing
  scenewright serve --http 127.0.0.1:8765      over HTTP; clients send the token that `scenewright state` shows
"""


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
    from scenewright.app import make_runtime
    from scenewright.server.logs import log_to_stderr
    from scenewright.server.run import run_http, run_stdio

    config = config_of(options, shell=False)
    log_to_stderr(config.log_level)
    runtime = make_runtime(config)
    gc.freeze()
    gc.enable()
    if config.bridge_enabled:
        threading.Thread(target=_listen_for_studio, name="roblox-bridge", daemon=True).start()
    try:
        if options.http is None:
            run_stdio(runtime)
        else:
            from scenewright.server.http import parse_address

            run_http(runtime, parse_address(options.http), with_token=not options.no_token)
    finally:
        runtime.close()
    _leave_stuck_threads()
    return 0


def _listen_for_studio() -> None:
    """Studio's plugin may be waiting; on a thread of its own, since the client's first message is answered first."""
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
        logging.shutdown()
        os._exit(0)
