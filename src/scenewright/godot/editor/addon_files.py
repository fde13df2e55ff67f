"""The addon's place in a project, and the files of it that we ship."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache

__all__ = ["FOLDER", "PLUGIN", "shipped_files", "shipped_version"]

FOLDER = "addons/scenewright_bridge"
PLUGIN = f"res://{FOLDER}/plugin.cfg"


def shipped_files() -> Iterator[tuple[str, bytes]]:
    """Yield the addon's files, each by its path in a project."""
    from importlib.resources import as_file, files

    with as_file(files("scenewright.godot.editor") / "addon" / "scenewright_bridge") as source:
        for file in sorted(source.rglob("*")):
            if file.is_file() and "__pycache__" not in file.parts:
                yield f"{FOLDER}/{file.relative_to(source).as_posix()}", file.read_bytes()


@cache
def shipped_version() -> str:
    """Return the version of the addon that this package brings."""
    from importlib.resources import files

    plugin = files("scenewright.godot.editor") / "addon" / "scenewright_bridge" / "plugin.cfg"
    match = re.search(r'^version="(.+)"$', plugin.read_text(encoding="utf-8"), re.MULTILINE)
    assert match is not None
    return match[1]
