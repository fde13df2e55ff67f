"""The files of a project with their uids, read from the first bytes of each."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import cached_property

from scenewright.core.faults import did_you_mean
from scenewright.godot.project.workspace import Workspace

__all__ = ["Inventory"]

_HEADER_UID = re.compile(rb'\A(?:\xef\xbb\xbf)?\s*\[gd_(?:scene|resource)\b[^\]\n]*?\suid="([^"]*)"')
_IMPORT_UID = re.compile(rb'^uid="([^"]*)"', re.MULTILINE)
_WITH_HEADER = (".tscn", ".tres")


class Inventory:
    """Every file, by path and by uid."""

    def __init__(self, workspace: Workspace, is_late: Callable[[], bool] = lambda: False) -> None:
        self._workspace = workspace
        self._is_late = is_late
        self.paths = [f"res://{path}" for path in workspace.listing("", is_late=is_late)]
        self._known = set(self.paths)
        self.is_partial = is_late()
        """Whether there was no time to look at all files and their uids."""

    def has(self, path: str) -> bool:
        return path.partition("::")[0] in self._known

    def ending(self, *suffixes: str) -> list[str]:
        return [path for path in self.paths if path.endswith(suffixes)]

    def resolved(self, address: str) -> str | None:
        """Return the file at a path or uid, None where there is none."""
        if address.startswith("uid://"):
            return next(iter(self.holders.get(address, ())), None)
        return address if self.has(address) else None

    def uid(self, path: str) -> str | None:
        return self._uids.get(path)

    def alike(self, path: str) -> str | None:
        """Return a hint at files with the same or a similar name."""
        name = path.rpartition("/")[2]
        moved = [known for known in self.paths if known.endswith(f"/{name}")]
        if moved:
            return f"Did you mean '{moved[0]}'?"
        suffix = f".{name.rpartition('.')[2]}"
        return did_you_mean(path, self.ending(suffix)[:2000])

    @cached_property
    def holders(self) -> dict[str, list[str]]:
        """The files that claim each uid."""
        paths: dict[str, list[str]] = {}
        for path, uid in self._uids.items():
            paths.setdefault(uid, []).append(path)
        return paths

    @cached_property
    def _uids(self) -> dict[str, str]:
        uids: dict[str, str] = {}
        for path in self.ending(".uid", ".import", *_WITH_HEADER):
            if self._is_late():
                self.is_partial = True
                break
            uid = self._uid_in(path)
            owner = path.removesuffix(".uid").removesuffix(".import")
            if uid and self.has(owner):
                uids[owner] = uid
        return uids

    def _uid_in(self, path: str) -> str | None:
        content = self._workspace.peek(path)
        if path.endswith(".uid"):
            text = content.decode("ascii", "replace").strip()
            return text if text.startswith("uid://") else None
        match = (_HEADER_UID.match if path.endswith(_WITH_HEADER) else _IMPORT_UID.search)(content)
        return match[1].decode("ascii", "replace") if match else None
