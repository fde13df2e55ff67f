"""The text files of a project, read without making the call depend on every one of them."""

from __future__ import annotations

import os
from collections.abc import Iterator
from functools import cached_property

from scenewright.core.faults import Denied, Invalid
from scenewright.core.writes.file_sizes import read_limited
from scenewright.godot.project.workspace import Workspace

__all__ = ["BINARY_RESOURCES", "TEXTS", "Sources", "decode", "encode", "kind_of"]

_KINDS = {
    ".tscn": "scene",
    ".escn": "scene",
    ".tres": "resource",
    ".gd": "script",
    ".cs": "script",
    ".gdshader": "shader",
    ".gdshaderinc": "shader",
    ".godot": "setting",
    ".cfg": "setting",
    ".import": "import",
    ".gdextension": "setting",
    ".json": "text",
    ".csv": "text",
    ".txt": "text",
    ".md": "text",
    ".ini": "text",
    ".toml": "text",
    ".yaml": "text",
    ".yml": "text",
    ".xml": "text",
    ".dialogue": "text",
    ".html": "text",
}
TEXTS = tuple(_KINDS)
BINARY_RESOURCES = (".scn", ".res")


class Sources:
    """Files as a call sees them; what it then changes it reads again through the changeset."""

    def __init__(self, workspace: Workspace) -> None:
        self._files = workspace.files
        self._workspace = workspace
        self._staged: dict[str, bytes | None] = dict(workspace.files.unsaved_texts())
        self._staged |= {change.path: change.after for change in workspace.files.changes()}

    @cached_property
    def texts(self) -> list[str]:
        return self._workspace.listing(*TEXTS)

    @cached_property
    def _all_paths(self) -> set[str]:
        return set(self._workspace.listing(""))

    def exists(self, path: str) -> bool:
        """Return whether the engine would see a file or folder there."""
        return path in self._all_paths or os.path.isdir(self._files.project.root / path.lstrip("/"))

    def peek(self, path: str) -> bytes:
        """Return the content, empty for what cannot be read, is too large for it, or leads out of the project."""
        if path in self._staged:
            return self._staged[path] or b""
        try:
            return read_limited(self._files.project.locate(path))
        except (OSError, Denied, Invalid):
            return b""

    def read(self) -> Iterator[tuple[str, str]]:
        for path in self.texts:
            yield path, decode(self.peek(path))


def kind_of(path: str) -> str:
    """Return the kind of a file: scene, resource, script, shader, setting, import or text."""
    return next((kind for suffix, kind in _KINDS.items() if path.endswith(suffix)), "text")


def decode(content: bytes) -> str:
    """Return a text that encodes to the same bytes again."""
    return content.decode("utf-8", "surrogateescape")


def encode(text: str) -> bytes:
    return text.encode("utf-8", "surrogateescape")
