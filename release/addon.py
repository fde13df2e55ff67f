"""The Godot addon in the layout of the Asset Library: everything below `addons/`, with licence and readme inside."""

from __future__ import annotations

from release.archive import Files
from release.project import ROOT, ProjectFacts
from scenewright.godot.editor.addon_files import FOLDER, shipped_files

__all__ = ["addon_files"]

_README = """\
# Scenewright Bridge

Serves this editor to AI agents through [{name}]({url}), an MCP server for game editors: what an agent
changes in an open scene is one undo step, and nothing is sent anywhere but to programs on this machine that know your
token.

Enable it in Project › Project Settings › Plugins, install the server ([how]({docs})), and run `{name} init`
in the folder of the project. The server brings its own copy of this addon and says so where the two do not fit.

MIT licence. Godot 4.3 or newer.
"""


def addon_files(project: ProjectFacts) -> Files:
    readme = _README.format(name=project.name, url=project.urls["Repository"], docs=project.urls["Documentation"])
    return {
        **dict(shipped_files()),
        f"{FOLDER}/README.md": readme.encode(),
        f"{FOLDER}/LICENSE": (ROOT / "LICENSE").read_bytes(),
        f"{FOLDER}/icon.png": (ROOT / "docs/icon.png").read_bytes(),
    }
