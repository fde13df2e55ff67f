"""Finds the user's Godot and says what it is."""

from __future__ import annotations

import os
import re
import shutil
import sys
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Final

from scenewright.core.faults import Unsupported

__all__ = ["LEAST", "Binary", "find_binary", "inspect_binary", "usual_places"]

LEAST: Final = (4, 3)
_NAMES = ("godot", "godot4", "godot-4", "Godot", "godot-mono", "godot4-mono")
_NUMBER = re.compile(r"^(\d+)\.(\d+)(?:\.(\d+))?")
_HINT = f"Install Godot {LEAST[0]}.{LEAST[1]} or newer and set GODOT_PATH to its editor binary, or put it on the PATH."


@dataclass(frozen=True, slots=True)
class Binary:
    """An editor binary and what it says to `--version`."""

    path: Path
    build: str  # 4.6.3.stable.official.7d41c59c4

    @property
    def version(self) -> tuple[int, int, int]:
        match = _NUMBER.match(self.build)
        assert match is not None  # `version_of` found it so
        return int(match[1]), int(match[2]), int(match[3] or 0)


def find_binary(env: Mapping[str, str] | None = None) -> Binary:
    """Return the Godot to use: GODOT_PATH, one on the path, one in the usual places of this system.

    Raises:
        Unsupported: there is none, it is too old, or it is no Godot.
        TimedOut: it does not say its version.
    """
    env = os.environ if env is None else env
    named = env.get("GODOT_PATH")
    if named is not None:
        if not named:
            raise Unsupported("This needs Godot, and GODOT_PATH is empty, which turns it off.", hint=_HINT)
        return inspect_binary(Path(named).expanduser())
    for place in _candidate_paths(env):
        if place.is_file() and os.access(place, os.X_OK):
            return inspect_binary(place)
    raise Unsupported("This needs a Godot editor, and none was found.", hint=_HINT)


def inspect_binary(path: Path) -> Binary:
    """Return what a binary is; asked once for each build.

    Raises:
        Unsupported: it does not exist, is no Godot, or is too old.
        TimedOut: it does not answer.
    """
    try:
        status = path.stat()
    except OSError:
        raise Unsupported(f"There is no Godot at '{path}', where GODOT_PATH points.", hint=_HINT) from None
    binary = _inspect_binary(path, status.st_mtime_ns, status.st_size)
    if binary.version[:2] < LEAST:
        raise Unsupported(f"'{path}' is Godot {binary.build}, which is too old.", hint=_HINT)
    return binary


@lru_cache(maxsize=8)
def _inspect_binary(path: Path, _changed: int, _size: int) -> Binary:
    from scenewright.godot.classes.engine import version_of

    return Binary(path, version_of(path))


def _candidate_paths(env: Mapping[str, str]) -> Iterator[Path]:
    search = env.get("PATH", os.defpath)
    for name in _NAMES:
        if executable := shutil.which(name, path=search):
            yield Path(executable)
    home = Path(env.get("HOME") or env.get("USERPROFILE") or Path.home())
    for pattern in usual_places(sys.platform, home, env):
        yield from sorted(Path(pattern.anchor).glob(str(pattern.relative_to(pattern.anchor))), reverse=True)


def usual_places(platform: str, home: Path, env: Mapping[str, str]) -> Iterator[Path]:
    """Yield patterns of where a Godot lies that is not on the path: package managers, Steam, then downloads."""
    if platform == "darwin":
        inside = Path("Contents/MacOS/Godot")
        yield from (folder / "Godot*.app" / inside for folder in (Path("/Applications"), home / "Applications"))
        yield home / "Library/Application Support/Steam/steamapps/common/Godot Engine/Godot*.app" / inside
        yield home / "Downloads/Godot*.app" / inside
    elif platform == "win32":
        yield from _windows_places(home, env)
    else:
        folders = (home / ".local/bin", home / "bin", Path("/opt/godot"), Path("/usr/games"), Path("/snap/bin"))
        yield from (folder / name for folder in folders for name in ("godot*", "Godot_v4*"))
        yield home / ".local/share/Steam/steamapps/common/Godot Engine/godot*x86_64"
        yield from (home / "Downloads" / name for name in ("Godot_v4*_linux.*", "Godot_v4*/Godot_v4*_linux.*"))


def _windows_places(home: Path, env: Mapping[str, str]) -> Iterator[Path]:
    for name in ("ProgramFiles", "ProgramFiles(x86)", "LOCALAPPDATA"):
        if base := env.get(name):
            yield Path(base, "Godot*", "Godot*.exe")
            yield Path(base, "Steam/steamapps/common/Godot Engine/godot*.exe")
    if base := env.get("LOCALAPPDATA"):
        yield Path(base, "Microsoft/WinGet/Packages/GodotEngine.GodotEngine*/Godot*.exe")
    yield home / "scoop/apps/godot*/current/godot*.exe"
    yield from (home / "Downloads" / name for name in ("Godot_v4*.exe", "Godot_v4*/Godot_v4*.exe"))
