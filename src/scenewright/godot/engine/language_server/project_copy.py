"""A copy of a project that an editor of ours works on, so that none of the project's own files is touched by it.

It follows the files, and what a call has staged or an editor holds unsaved: `follow` brings it up to date and says
what that changed.
"""

from __future__ import annotations

import hashlib
import os
import re
import shutil
from collections.abc import Iterator, Mapping
from pathlib import Path
from tempfile import mkdtemp
from typing import Final

import msgspec

from scenewright.core.writes.file_sizes import read_limited
from scenewright.godot.engine.first_imports import assets_to_import, cached_imports
from scenewright.godot.engine.staged_copy import copy_project, link_file
from scenewright.godot.engine.watchdog import watchdog
from scenewright.godot.project.file_scan import is_seen, leads_out

__all__ = ["PLUGIN", "Followed", "ProjectCopy"]

PLUGIN: Final = "addons/scenewright_language"
_PLUGIN_FILES: Final = Path(__file__).with_name("plugin")
_SETTINGS: Final = ("project.godot", "override.cfg")
_PLUGINS: Final = re.compile(rb"^\[editor_plugins\][^\n]*\n(?:(?!\[)[^\n]*(?:\n|$))*", re.MULTILINE)
_ENABLED: Final = f'\n[editor_plugins]\n\nenabled=PackedStringArray("res://{PLUGIN}/plugin.cfg")\n'.encode()
_LEFT_OUT: Final = (".uid",)  # made by the engine as it goes; a change of one changes no answer

Mark = tuple[int, int] | bytes  # a file's time and size, or a digest of a text that is on no disk


class Followed(msgspec.Struct, frozen=True):
    """What became of the copy: paths from the root; `restart` where only a new editor would notice."""

    created: tuple[str, ...] = ()
    modified: tuple[str, ...] = ()
    deleted: tuple[str, ...] = ()
    restart: bool = False

    @property
    def changed(self) -> tuple[str, ...]:
        return (*self.created, *self.modified, *self.deleted)


class ProjectCopy:
    """The folder, and what is known of each file in it."""

    def __init__(self, project: Path) -> None:
        self.project = project
        self.folder = Path(mkdtemp(prefix="scenewright-language-")).resolve()  # as the server names it
        watchdog.hold_folder(self.folder)
        self._marks: dict[str, Mark] = dict(_files_of(project))
        self._has_plugin = False
        copy_project(project, self.folder)
        for path in assets_to_import(self.folder):
            for cached in cached_imports(self.folder, path):
                cached.unlink()
        self._enable_plugin()

    def remove(self) -> None:
        shutil.rmtree(self.folder, ignore_errors=True)
        watchdog.release_folder(self.folder)

    def text(self, path: str) -> bytes:
        """Return a file of the project as the copy has it; empty where it has none, or a link out of the project."""
        if path not in self._marks:
            return b""
        try:
            return read_limited(self.folder / path)
        except OSError:
            return b""

    def scripts(self) -> list[str]:
        """Return the scripts of the project, as the engine would find them."""
        return sorted(path for path in self._marks if path.endswith(".gd") and is_seen(self.folder, path))

    def follow(self, overlay: Mapping[str, bytes | None]) -> Followed:
        """Bring the copy up to date with the project and with what lies over it."""
        wanted: dict[str, Mark] = dict(_files_of(self.project))
        for path, content in overlay.items():
            if content is None:
                wanted.pop(path, None)
            elif not _is_hidden(path):
                wanted[path] = hashlib.sha256(content).digest()
        created = [path for path in wanted if path not in self._marks]
        deleted = [path for path in self._marks if path not in wanted]
        modified = [path for path, mark in wanted.items() if path in self._marks and self._marks[path] != mark]
        restart = any(path in _SETTINGS or path.endswith(".gdextension") for path in (*created, *deleted, *modified))
        for path in deleted:
            (self.folder / path).unlink(missing_ok=True)
        for path in (*created, *modified):
            self._take(path, overlay.get(path))
        self._marks = wanted
        if restart:
            self._enable_plugin()
        return Followed(tuple(sorted(created)), tuple(sorted(modified)), tuple(sorted(deleted)), restart)

    def _take(self, path: str, content: bytes | None) -> None:
        place = self.folder / path
        place.parent.mkdir(parents=True, exist_ok=True)
        place.unlink(missing_ok=True)  # it may be a link to the project's own file
        if content is not None:
            place.write_bytes(content)
        else:
            link_file(self.project / path, place)

    def _enable_plugin(self) -> None:
        """Only our plugin runs here; the project's own would do a second time what they do in the person's editor."""
        target = self.folder / PLUGIN
        if not self._has_plugin:
            shutil.rmtree(target, ignore_errors=True)  # a project may bring one of that name
            shutil.copytree(_PLUGIN_FILES, target)
            self._has_plugin = True
        settings = self.folder / "project.godot"
        text = read_limited(settings) if settings.is_file() else b""
        settings.unlink(missing_ok=True)
        settings.write_bytes(_PLUGINS.sub(b"", text).rstrip() + b"\n" + _ENABLED)


def _files_of(root: Path) -> Iterator[tuple[str, Mark]]:
    """Every file that counts, with its mark; looked at before every answer, so as little as possible is done here."""
    start = len(str(root)) + 1
    real = os.path.realpath(root)
    waiting = [str(root)]
    while waiting:
        try:
            entries = list(os.scandir(waiting.pop()))
        except OSError:
            continue  # it went, or may not be read
        for entry in entries:
            name = entry.name
            if name.startswith(".") and name != ".gdignore":
                continue
            try:
                if entry.is_dir(follow_symlinks=False):
                    waiting.append(entry.path)
                elif not name.endswith(_LEFT_OUT) and entry.is_file() and not leads_out(entry, real):
                    status = entry.stat()
                    yield entry.path[start:].replace(os.sep, "/"), (status.st_mtime_ns, status.st_size)
            except OSError:
                continue


def _is_hidden(path: str) -> bool:
    return any(part.startswith(".") for part in path.split("/"))
