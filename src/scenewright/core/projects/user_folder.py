"""The user's own folder, outside every project: what must not come with a project lies here.

It holds the secret that says which records are ours, the token that clients show, and the files by which editors are
found. Knows no project.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping
from functools import lru_cache
from pathlib import Path

from scenewright.core.faults import Denied

__all__ = ["is_users_own", "unusable_folder", "user_folder", "user_secret", "user_token", "user_token_file"]

SECRET = "secret"
TOKEN = "token"
_secrets: dict[Path, bytes] = {}


def user_folder(env: Mapping[str, str] | None = None) -> Path:
    """Return where this user's own files are: `SCENEWRIGHT_HOME`, or the platform's place for a program's state."""
    env = os.environ if env is None else env
    if named := env.get("SCENEWRIGHT_HOME", "").strip():
        return Path(named).expanduser().absolute()
    if sys.platform == "win32":
        return Path(env.get("LOCALAPPDATA") or Path.home() / "AppData" / "Local") / "scenewright"
    if sys.platform == "darwin":
        return Path.home() / "Library" / "Application Support" / "scenewright"
    named = env.get("XDG_STATE_HOME", "")
    return (Path(named) if os.path.isabs(named) else Path.home() / ".local" / "state") / "scenewright"


def is_users_own(place: Path) -> bool:
    """Return whether a real place is in the user's folder, which no tool reads or writes, whatever was opened to it."""
    return place.is_relative_to(_real_path(user_folder()))


@lru_cache(maxsize=8)
def _real_path(folder: Path) -> Path:
    return Path(os.path.realpath(folder))


def user_secret() -> bytes:
    """Return what nobody else knows and no project can bring; made on first use.

    Raises:
        Denied: the user's folder cannot be used.
    """
    folder = user_folder()
    if folder not in _secrets:
        _secrets[folder] = _read_own(folder / SECRET).encode()
    return _secrets[folder]


def user_token_file() -> Path:
    """Return the file of the token that clients of this user's servers and editors show."""
    return user_folder() / TOKEN


def user_token() -> str:
    """Return the token that clients show, made on first use.

    Raises:
        Denied: the user's folder cannot be used.
    """
    return _read_own(user_token_file())


def _read_own(file: Path) -> str:
    from scenewright.core.projects.token import read_or_make_token  # what a server needs to start does not

    try:
        file.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        return read_or_make_token(file)
    except OSError as error:
        raise unusable_folder(file.parent, error) from error


def unusable_folder(folder: Path, error: OSError) -> Denied:
    """Return the fault of what needs the user's folder where the system refuses it."""
    return Denied(
        f"scenewright's own folder, {folder}, cannot be used ({error.strerror or error}).",
        hint="Set SCENEWRIGHT_HOME to a folder that you can write and nobody else can.",
    )
