"""Options that several commands share."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

from scenewright.core.config import Config

__all__ = ["add_project", "add_view", "config_of"]


def add_project(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--project", metavar="DIR", type=Path, help="the project's folder (default: this folder)")


def add_view(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--engine", choices=("auto", "godot", "roblox", "unity", "all"), help="which engines' tools are listed"
    )
    parser.add_argument("--toolset", choices=("compact", "full"), help="managers, or one tool per operation")
    parser.add_argument("--dialect", choices=("portable", "contract"), help="names every host takes, or the contracts'")
    parser.add_argument("--read-only", action="store_true", default=None, help="offer and run nothing that writes")


def config_of(options: argparse.Namespace) -> Config:
    """The settings, from the environment and these options."""
    flags: dict[str, Any] = {
        name: getattr(options, name, None)
        for name in ("project", "engine", "toolset", "dialect", "read_only", "database")
    }
    return Config.from_environment(**flags)
