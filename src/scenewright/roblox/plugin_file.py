"""Builds the Studio plugin: all its modules in one model file, with the address and the token it needs."""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping
from pathlib import Path

from scenewright import __version__
from scenewright.core.faults import NotFound
from scenewright.roblox.attributes import pack_attributes
from scenewright.roblox.place.documents import write_tree
from scenewright.roblox.properties import write
from scenewright.roblox.relay.settings import BridgeSettings
from scenewright.roblox.tree import Instance, InstanceTree
from scenewright.roblox.values import Value, as_bytes

__all__ = ["FILE_NAME", "build", "modules", "plugins_folder"]

FILE_NAME = "scenewright.rbxmx"
_SOURCES = Path(__file__).with_name("plugin")
_MAIN = "Main.server"


def modules() -> dict[str, str]:
    """Return the plugin's sources by the name of the file, without its ending."""
    return {path.name.removesuffix(".luau"): path.read_text("utf-8") for path in sorted(_SOURCES.glob("*.luau"))}


def build(settings: BridgeSettings | None = None, *, transport: str | None = None) -> bytes:
    """Return the model file; without settings it holds no token and asks for one."""
    sources = modules()
    tree = InstanceTree()
    main = _script("Script", "scenewright", sources.pop(_MAIN))
    main.attach(tree.root)
    for name, source in sources.items():
        _script("ModuleScript", name, source).attach(main)
    settings_texts = {"Version": __version__, "Transport": transport}
    if settings is not None:
        settings_texts |= {"Url": settings.url, "Token": settings.token}
    attributes = {name: Value("String", as_bytes(text)) for name, text in sorted(settings_texts.items()) if text}
    write(main, "Attributes", Value("Attributes", pack_attributes(attributes)))
    return write_tree(FILE_NAME, tree)


def plugins_folder(env: Mapping[str, str] | None = None) -> Path:
    """Return where Studio looks for plugins of its user.

    Raises:
        NotFound: Studio does not run on this system.
    """
    env = os.environ if env is None else env
    if sys.platform == "win32":
        return Path(env.get("LOCALAPPDATA") or Path.home() / "AppData" / "Local") / "Roblox" / "Plugins"
    if sys.platform == "darwin":
        return Path.home() / "Documents" / "Roblox" / "Plugins"
    raise NotFound(
        "Roblox Studio runs on Windows and macOS only, so there is no folder for plugins here.",
        hint="Write the file with --out and copy it to the plugins folder of the machine that Studio runs on.",
    )


def _script(class_name: str, name: str, source: str) -> Instance:
    made = Instance(class_name, name)
    made.store("Source", Value("ProtectedString", as_bytes(source)))
    return made
