"""`scenewright`: picks the command and leaves the rest to its module."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Sequence
from importlib import import_module
from typing import Any

from scenewright import __version__
from scenewright.cli.output import take_any_text

__all__ = ["main", "make_parser"]

COMMANDS = {
    "init": "put scenewright into your MCP clients, and the addon into your project",
    "uninstall": "take back what init did, byte for byte",
    "doctor": "find out what is wrong with the installation, clients and project, and mend it",
    "serve": "start the MCP server",
    "call": "call one tool, without a server",
    "tools": "show what a client would see, and what it costs",
    "approve": "answer calls that wait for a person",
    "dashboard": "watch the agent in the browser: calls, changes to take back, what waits for you",
    "policy": "show which policy is in force and what it says of a call",
    "play": "play tapes of a Godot game again, as playtests",
    "test": "run a Godot project's own tests: GUT, GdUnit4, scenes of asserts, tapes",
    "workflow": "run a plan from a file, and look after runs",
    "audit": "check or show the audit log",
    "state": "show where your records of a project are, or take over those of a copy",
    "roblox": "the Roblox Studio plugin, and which Studios are connected",
    "unity": "the open Unity editor: its state, and a recording of what it answers",
    "skill": "print or install what tells an agent how to work with the server",
    "demo": "a short tour with a real client, on a throw-away project",
    "completion": "print the completion script of a shell",
}
USAGE_ERROR, TOOL_ERROR, INTERRUPTED = 2, 1, 130


def main(argv: Sequence[str] | None = None) -> int:
    """Run a command and return the process's exit code."""
    take_any_text()
    arguments = sys.argv[1:] if argv is None else list(argv)
    completing = "_ARGCOMPLETE" in os.environ
    command = next((word for word in arguments if word in COMMANDS), None)
    first = command if arguments[:1] == [command] and not completing else None
    parser = make_parser(COMMANDS if completing else [command] if command else (), first)
    if completing:
        import argcomplete

        argcomplete.autocomplete(parser)
    options, rest = parser.parse_known_args(arguments)
    _take_rest(parser, options, rest)
    if options.command is None:
        parser.print_help()
        return USAGE_ERROR
    return _run(options)


def make_parser(loaded: Any, shown: str | None = None) -> argparse.ArgumentParser:
    """Return the parser, with the options of the loaded commands filled in; of one command only, where it is given."""
    parser = argparse.ArgumentParser(
        prog="scenewright",
        description="One MCP server for game editors: Godot, Roblox and Unity.",
        epilog="scenewright COMMAND --help shows a command's options and examples.",
    )
    parser.add_argument("--version", action="version", version=f"scenewright {__version__}")
    commands = parser.add_subparsers(dest="command", metavar="COMMAND", prog="scenewright")  # saves working it out
    for name, summary in COMMANDS.items() if shown is None else [(shown, COMMANDS[shown])]:
        command = commands.add_parser(
            name, help=summary, description=summary, formatter_class=argparse.RawDescriptionHelpFormatter
        )
        if name in loaded:
            module = import_module(f"scenewright.cli.{name}")
            command.epilog = module.EXAMPLES
            module.add_arguments(command)
            command.set_defaults(run=module.run)
    return parser


def _take_rest(parser: argparse.ArgumentParser, options: argparse.Namespace, rest: list[str]) -> None:
    """Take the arguments of a call that stand behind an option, which argparse leaves over."""
    takes = getattr(options, "takes_rest", None)
    if rest and (takes is None or not all(takes(word) for word in rest)):
        parser.error(f"unrecognized arguments: {' '.join(rest)}")
    if rest:
        options.arguments += rest


def _run(options: argparse.Namespace) -> int:
    from scenewright.cli.output import say
    from scenewright.core.config import ConfigError
    from scenewright.core.faults import Fault
    from scenewright.core.settings import SettingsError, apply_settings

    try:
        apply_settings(os.environ)
        return int(options.run(options))
    except (ConfigError, SettingsError, Fault) as error:
        hint = getattr(error, "hint", None)
        say(f"scenewright: {error}" + (f" {hint}" if hint else ""), to=sys.stderr)
        return USAGE_ERROR
    except KeyboardInterrupt:
        return INTERRUPTED
    except BrokenPipeError:
        # The reader, such as `head`, has seen enough.
        sys.stderr.close()
        return 0
