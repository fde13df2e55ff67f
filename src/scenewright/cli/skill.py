"""`scenewright skill`: prints or installs what tells an agent how to work with the server."""

from __future__ import annotations

import argparse
from pathlib import Path

from scenewright.cli.output import say
from scenewright.core.faults import Invalid
from scenewright.server.skill import HOSTS, NAME, plugin_files, skill_file, skill_text

__all__ = ["EXAMPLES", "add_arguments", "run"]

EXAMPLES = """\
examples:
  scenewright skill                              prints it
  scenewright skill --install claude             for Claude Code, in this project (.claude/skills)
  scenewright skill --install codex --user       for Codex, in all of your projects (~/.agents/skills)
  scenewright skill --plugin scenewright-plugin  writes a plugin for both, with the server's configuration
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    to = parser.add_mutually_exclusive_group()
    to.add_argument("--install", choices=sorted(HOSTS), help="for which host to install it")
    to.add_argument("--plugin", metavar="DIR", type=Path, help="write a plugin for both into a folder")
    place = parser.add_mutually_exclusive_group()
    place.add_argument("--project", metavar="DIR", type=Path, default=Path(), help="the project (default: this folder)")
    place.add_argument("--user", action="store_true", help="for all projects of yours")


def run(options: argparse.Namespace) -> int:
    if options.install:
        folder = Path.home() if options.user else options.project.absolute()
        if not folder.is_dir():
            raise Invalid(f"There is no folder {folder}.", hint="Name one with --project.")
        _write(folder, {skill_file(options.install).as_posix(): skill_text()})
    elif options.plugin:
        _write(options.plugin.absolute(), plugin_files())
    else:
        say(skill_text(), end="")
    return 0


def _write(folder: Path, files: dict[str, str]) -> None:
    """Write all files, or none where one of another origin is in the way."""
    for name, text in files.items():
        if not (folder / name).resolve().is_relative_to(folder.resolve()):
            raise Invalid(f"{folder / name} leads out of {folder}.", hint="Nothing was written.")
        if (folder / name).exists() and not _is_ours(folder / name, text):
            raise Invalid(f"{folder / name} is not scenewright's.", hint="Move it away first; nothing was written.")
    for name, text in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text, encoding="utf-8", newline="\n")
        say(f"Wrote {folder / name}.")


def _is_ours(file: Path, text: str) -> bool:
    """Whether a file is this text, or what an earlier version wrote in its place."""
    if not file.is_file():
        return False
    there = file.read_text(encoding="utf-8", errors="replace")
    is_manifest = file.name == "plugin.json" and f'"name": "{NAME}"' in there
    return there == text or is_manifest or there.startswith(f"---\nname: {NAME}\n")
