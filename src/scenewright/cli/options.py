"""Options that several commands share."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

from scenewright.cli.output import say
from scenewright.core.config import Config

if TYPE_CHECKING:
    from scenewright.core.runtime import Runtime

__all__ = ["add_project", "add_view", "config_of", "tell_project"]


def add_project(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--project",
        metavar="DIR",
        type=Path,
        action="append",
        help="the project's folder (default: the project that this folder is in); further ones may be called for",
    )


def add_view(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--engine", choices=("auto", "godot", "roblox", "unity", "all"), help="which engines' tools are listed"
    )
    parser.add_argument("--toolset", choices=("compact", "full"), help="managers, or one tool per operation")
    parser.add_argument("--dialect", choices=("portable", "contract"), help="names every host takes, or the contracts'")
    parser.add_argument(
        "--read-only", action="store_true", default=None, help="offer and run nothing that writes or runs project code"
    )
    parser.add_argument(
        "--allow-run", action="store_true", default=None, help="with --read-only: run project code, still write nothing"
    )


def config_of(options: argparse.Namespace, *, shell: bool = True, waits_for_project: bool = False) -> Config:
    """Return the settings of the environment and these options; `shell` if a person is in the working folder."""
    flags: dict[str, Any] = {
        name: getattr(options, name, None)
        for name in ("engine", "toolset", "dialect", "read_only", "allow_run", "database")
    }
    first, *further = getattr(options, "project", None) or [None]
    flags |= {"shell": shell, "waits_for_project": waits_for_project}
    return Config.from_environment(project=first, further_projects=tuple(further), **flags)


def tell_project(runtime: Runtime) -> None:
    """Tell a person whose project was found above the working folder which one it is: paths are from its root."""
    if runtime.config.project is None and runtime.has_project and runtime.project.root != Path.cwd().resolve():
        say(f"Project: {runtime.project.root} (paths are from there)", to=sys.stderr)
