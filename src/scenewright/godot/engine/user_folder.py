"""Folders in place of the person's own, for what an engine of ours keeps: user://, settings of the editor, caches.

Where Godot keeps them: below XDG_DATA_HOME, XDG_CONFIG_HOME and XDG_CACHE_HOME on Linux, APPDATA and LOCALAPPDATA on
Windows, and the Library of HOME on macOS.
"""

from __future__ import annotations

import hashlib
import os
import shutil
import sys
import tempfile
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import Final

from scenewright.core.projects.user_folder import user_folder

__all__ = ["EngineFolders"]

_LIBRARY: Final = {"DATA": "Library/Application Support", "CONFIG": "Library/Application Support"}
_XDG: Final = {"DATA": ".local/share", "CONFIG": ".config", "CACHE": ".cache"}
_SHARED_CACHES = ("fontconfig", "mesa_shader_cache", "mesa_shader_cache_db", "nvidia")  # of drivers, and costly to make
_NAME: Final = "Godot" if sys.platform in ("darwin", "win32") else "godot"


class EngineFolders:
    """The folders of one engine; thrown away with it, unless they are kept for a project."""

    def __init__(self, folder: Path, *, kept: bool) -> None:
        self.folder = folder
        self.kept = kept
        for kind in ("DATA", "CONFIG", "CACHE"):
            (_place(kind, self.environment) / _NAME).mkdir(parents=True, exist_ok=True)
        _link_caches(_place("CACHE", os.environ), _place("CACHE", self.environment))

    @classmethod
    def fresh(cls) -> EngineFolders:
        """Return empty folders, which `remove` throws away."""
        return cls(Path(tempfile.mkdtemp(prefix="scenewright-user-")), kept=False)

    @classmethod
    def of_project(cls, project: Path) -> EngineFolders:
        """Return the folders that our games of a project always get; they are kept, and never the person's own."""
        name = hashlib.sha256(str(project).encode("utf-8", "surrogateescape")).hexdigest()[:16]
        folder = user_folder() / "games" / name
        folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        return cls(folder, kept=True)

    @property
    def environment(self) -> dict[str, str]:
        """What a process needs in its environment to use them."""
        if sys.platform == "darwin":
            return {"HOME": str(self.folder)}
        if sys.platform == "win32":
            return {"APPDATA": str(self.folder / "data"), "LOCALAPPDATA": str(self.folder / "cache")}
        return {f"XDG_{kind}_HOME": str(self.folder / kind.lower()) for kind in _XDG}

    def lend_editor_settings(self) -> None:
        """Let an editor find the person's export templates, and a copy of their settings, such as paths of SDKs."""
        theirs, ours = (_place("DATA", env) / _NAME for env in (os.environ, self.environment))
        _link(theirs / "export_templates", ours / "export_templates")
        theirs, ours = (_place("CONFIG", env) / _NAME for env in (os.environ, self.environment))
        with suppress(OSError):
            for settings in theirs.glob("editor_settings-*.tres"):
                shutil.copyfile(settings, ours / settings.name)

    def as_theirs(self, line: str) -> str:
        """Name the person's folders in what an engine said where it named ours, which stand for them."""
        for kind in ("DATA", "CONFIG", "CACHE"):
            line = line.replace(str(_place(kind, self.environment)), str(_place(kind, os.environ)))
        return line

    def remove(self) -> None:
        if not self.kept:
            shutil.rmtree(self.folder, ignore_errors=True)


def _place(kind: str, env: Mapping[str, str]) -> Path:
    """Where files of a kind (DATA, CONFIG, CACHE) are with an environment."""
    home = Path(env.get("HOME") or env.get("USERPROFILE") or Path.home())
    if sys.platform == "darwin":
        return home / _LIBRARY.get(kind, "Library/Caches")
    if sys.platform == "win32":
        name, below = ("LOCALAPPDATA", "Local") if kind == "CACHE" else ("APPDATA", "Roaming")
        return Path(env.get(name) or home / "AppData" / below)
    return Path(env.get(f"XDG_{kind}_HOME") or home / _XDG[kind])


def _link_caches(theirs: Path, ours: Path) -> None:
    for name in _SHARED_CACHES:
        _link(theirs / name, ours / name)


def _link(target: Path, place: Path) -> None:
    """Lead one folder to another, where there is one and the system lets us."""
    if not target.is_dir() or place.exists() or place.is_symlink():
        return
    with suppress(OSError):
        if sys.platform == "win32":
            import _winapi

            _winapi.CreateJunction(str(target), str(place))
        else:
            place.symlink_to(target, target_is_directory=True)
