"""The JSON files of a project as a call changes them: only what differs gets new text."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from scenewright.core.writes.changeset import Changeset
from scenewright.roblox.place.rojo.jsontext import dumped, rewritten
from scenewright.roblox.place.rojo.modules import json_without_comments
from scenewright.roblox.values import as_text

__all__ = ["JsonFiles", "dig", "drop"]


class JsonFiles:
    """Reads and stages JSON files."""

    def __init__(self, files: Changeset) -> None:
        self._files = files

    def load(self, path: str) -> dict[str, Any]:
        """Return the object in a file; an empty one where there is no file."""
        if not self._files.exists(path):
            return {}
        data = json_without_comments(self._text(path), path)
        return data if isinstance(data, dict) else {}

    def store(self, path: str, value: dict[str, Any]) -> None:
        """Stage the value of a file, which may be a new one."""
        if not self._files.exists(path):
            self._files.write(path, (dumped(value) + "\n").encode())
            return
        before = self._text(path)
        after = rewritten(before, value)
        if after != before:
            mark = b"\xef\xbb\xbf" if self._files.read(path).startswith(b"\xef\xbb\xbf") else b""
            self._files.write(path, mark + after.encode("utf-8", "surrogateescape"))

    def edit(self, path: str, change: Callable[[dict[str, Any]], None]) -> None:
        """Change a file, which may be a new one; one of metadata that says nothing any more goes."""
        data = self.load(path)
        change(data)
        adjacent = ".meta.json" in path and not path.rpartition("/")[2].startswith("init.")
        if data or not adjacent:
            if data or self._files.exists(path):
                self.store(path, data)
        elif self._files.exists(path):
            self._files.delete(path)

    def _text(self, path: str) -> str:
        return as_text(self._files.read(path)).removeprefix("\ufeff")


def dig(data: dict[str, Any], keys: tuple[str, ...]) -> dict[str, Any]:
    """Return a node of a project file."""
    node: dict[str, Any] = data.setdefault("tree", {})
    for key in keys:
        node = node.setdefault(key, {})
    return node


def drop(data: dict[str, Any], keys: tuple[str, ...]) -> None:
    """Take a node out of a project file."""
    dig(data, keys[:-1]).pop(keys[-1], None)
