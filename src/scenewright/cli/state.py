"""`scenewright state`: where the records of a project are, and taking over those that came with it."""

from __future__ import annotations

import argparse
from pathlib import Path

from scenewright.cli.options import add_project, config_of
from scenewright.cli.output import say

__all__ = ["EXAMPLES", "add_arguments", "run"]

EXAMPLES = """\
examples:
  scenewright state                        where your records of this project and your token are
  scenewright state adopt                  use the records in a project that was copied here from another place
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("what", nargs="?", choices=("show", "adopt"), default="show", help="default: show")
    parser.add_argument("name", nargs="?", metavar="NAME", help="with adopt: which, where there are several")
    add_project(parser)
    parser.add_argument("--json", action="store_true", help="print JSON")


def run(options: argparse.Namespace) -> int:
    from scenewright.app import make_runtime

    runtime = make_runtime(config_of(options))
    root, has_project = runtime.project.root, runtime.has_project
    runtime.close()
    if not has_project:
        from scenewright.core.config import ConfigError

        raise ConfigError("There is no project here. Choose one with --project.")
    return _adopt(root, options.name) if options.what == "adopt" else _show(root, as_json=options.json)


def _show(root: Path, *, as_json: bool) -> int:
    from scenewright.cli.terminal import print_json
    from scenewright.core.projects.ownership import foreign_records, state_folder
    from scenewright.core.projects.user_folder import user_token, user_token_file

    user_token()
    folder, foreign, token = state_folder(root), foreign_records(root), user_token_file()
    if as_json:
        print_json({"records": str(folder), "kept": folder.is_dir(), "foreign": foreign, "token": str(token)})
        return 0
    say(f"records: {folder}" + ("" if folder.is_dir() else " (none yet)"))
    say(f"token:   {token}")
    if foreign:
        say(f"not yours, and not used: {', '.join(foreign)}")
    return 0


def _adopt(root: Path, name: str | None) -> int:
    from scenewright.core.projects.ownership import adopt

    say(f"In use from now on: {adopt(root, name)}")
    return 0
