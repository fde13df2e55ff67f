"""Which files others mention, by path or uid, in scenes, resources, scripts and settings."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterator

from scenewright.godot.project.checks.inventory import Inventory
from scenewright.godot.project.checks.issues import Issue

__all__ = ["FileMentions"]

_MENTION = re.compile(r'(?:res|uid)://[^"\'\n\r\\]*')
_RELATIVE = re.compile(r'"([^"\n\r\\:]+\.\w+)"')
_NAMED = re.compile(r"^[^#\n\"']*\bclass_name\s+\w", re.MULTILINE)
_OPEN_ENDED = re.compile(r"[%{*]|$")
_JUDGED = (".tscn", ".tres", ".gd", ".gdshader", ".gdshaderinc")


class FileMentions:
    """Collects mentions; a path that is put together at run time counts for all that starts like it."""

    def __init__(self, inventory: Inventory) -> None:
        self._inventory = inventory
        self._used = {"res://default_bus_layout.tres"}  # what the engine takes unless a setting names another
        self._starts: set[str] = set()

    def read(self, path: str, text: str) -> None:
        """Record which other files a file mentions; a script with a class_name needs no mention."""
        if path.endswith(".gd") and _NAMED.search(text):
            self._used.add(path)
        for match in _MENTION.finditer(text):
            self._record_mention(path, match[0].split("::")[0])
        if path.endswith((".gd", ".gdshader", ".gdshaderinc", ".cfg")):
            folder = path[6:].rpartition("/")[0]
            for match in _RELATIVE.finditer(text):
                self._record_mention(path, "res://" + posixpath.normpath(posixpath.join(folder, match[1])))

    def unused(self) -> Iterator[Issue]:
        imported = {path.removesuffix(".import") for path in self._inventory.ending(".import")}
        for path in self._inventory.paths:
            judged = path.endswith(_JUDGED) or path in imported
            if judged and path not in self._used and not path.startswith("res://addons/") and not self._may_be(path):
                message = "Nothing in the project mentions this file."
                yield Issue("info", "unused_file", path, message, fix="Delete it if nothing loads it by other means.")

    def _may_be(self, path: str) -> bool:
        return any(path.startswith(start) for start in self._starts)

    def _record_mention(self, source: str, mention: str) -> None:
        path = self._inventory.resolved(mention)
        if path is not None and path not in (source, source.removesuffix(".import")):
            self._used.add(path)
        elif path is None and mention.startswith("res://"):
            start = mention[: _OPEN_ENDED.search(mention).start()]  # type: ignore[union-attr]  # the end always matches
            if len(start) > len("res://") and (start != mention or start.endswith("/")):
                self._starts.add(start)
