"""`scenewright roblox`: the Studio plugin, and which Studios are connected."""

from __future__ import annotations

import argparse
import os
from pathlib import Path

from scenewright.cli.output import say

__all__ = ["EXAMPLES", "add_arguments", "run"]

EXAMPLES = """\
examples:
  scenewright roblox plugin --install          puts the plugin, with this user's token, where Studio looks for plugins
  scenewright roblox plugin --out plugin.rbxmx writes it to a file
  scenewright roblox studios                   which Studios are connected
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parts = parser.add_subparsers(dest="part", required=True, metavar="PART")
    plugin = parts.add_parser("plugin", help="build or install the Studio plugin")
    place = plugin.add_mutually_exclusive_group(required=True)
    place.add_argument("--install", action="store_true", help="into Studio's own plugins folder")
    place.add_argument("--out", metavar="FILE", type=Path, help="into a file")
    plugin.add_argument("--no-token", action="store_true", help="leave the token out, for a file that others will see")
    parts.add_parser("studios", help="list the Studios that are connected")


def run(options: argparse.Namespace) -> int:
    return _studios() if options.part == "studios" else _plugin(options)


def _plugin(options: argparse.Namespace) -> int:
    from scenewright.roblox.plugin_file import FILE_NAME, build, plugins_folder
    from scenewright.roblox.relay.settings import BridgeSettings

    settings = BridgeSettings.from_environment()
    path = options.out or plugins_folder() / FILE_NAME
    content = build(None if options.no_token else settings)
    path.parent.mkdir(parents=True, exist_ok=True)
    # It holds the token.
    descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
    with os.fdopen(descriptor, "wb") as file:
        file.write(content)
    say(f"Wrote {path}. It connects to {settings.url} once a server runs with GOX_BRIDGE_ENABLED=true.")
    return 0


def _studios() -> int:
    from scenewright.roblox.relay.server import Relay
    from scenewright.roblox.relay.settings import BridgeSettings

    relay = Relay(BridgeSettings.from_environment())
    try:
        if relay.start():
            relay.wait_for_studio(5.0)
        studios = relay.studios()
    finally:
        relay.close()
    for studio in studios:
        say("  ".join(f"{key}={value}" for key, value in studio.items()))
    if not studios:
        say("No Studio is connected.")
    return 0 if studios else 1
