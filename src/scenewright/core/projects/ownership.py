"""Which records in a project's folder are ours: those under a name that only this user's secret gives.

A project may bring any files in its `.scenewright`: by a clone, an archive, a pull over our own. The folder of our
records is named by a keyed hash of the project's place, so nothing that others made can lie in it, and whatever else
is there is never looked at. A file inside binds the folder itself, so that records follow a project that is moved.
"""

from __future__ import annotations

import hmac
import os
import re
import secrets
import stat
from contextlib import suppress
from pathlib import Path

from scenewright.core.faults import Denied
from scenewright.core.projects.project import STATE_FOLDER
from scenewright.core.projects.user_folder import user_secret
from scenewright.core.writes.disk import is_own, make_private_folder, write_private_file

__all__ = ["OWN_FILES", "adopt", "foreign_records", "make_state_folder", "state_folder", "state_name", "take_moved"]

OWN_FILES = ("policy.json", ".gitignore")  # what a project may bring, and we may read
BINDING = "binding"
ASIDE = "set-aside-"
_NAME = re.compile(r"[0-9a-f]{32}")
_unknown = secrets.token_bytes(32)  # stands in where the user's folder cannot be used: a name that nothing has


def state_name(root: Path) -> str:
    """Return the name under which this user's records of a project are kept."""
    return _keyed_hash("place", os.fsencode(os.path.normcase(root)))


def state_folder(root: Path) -> Path:
    """Return where this user's records of a project are, or will be."""
    return root / STATE_FOLDER / state_name(root)


def make_state_folder(folder: Path) -> None:
    """Make the folder of our records.

    Raises:
        OSError: it cannot be made, or a link or another user's folder is there.
        Denied: the user's own folder cannot be used, so that nothing could say later that the records are ours.
    """
    user_secret()
    above = folder.parent
    if above.name == STATE_FOLDER:
        with suppress(FileExistsError):
            above.mkdir(mode=0o700)
        if not stat.S_ISDIR(above.lstat().st_mode):
            raise NotADirectoryError(f"{STATE_FOLDER} is a link or a file")
    else:
        above.mkdir(mode=0o700, parents=True, exist_ok=True)
    make_private_folder(folder)
    write_private_file(folder / ".gitignore", "*\n")
    write_private_file(folder / BINDING, f"{_folder_binding(folder)}\n")


def take_moved(root: Path) -> bool:
    """Give the records of a project that was moved their new name; return True where there were some."""
    folder = state_folder(root)
    if os.path.lexists(folder):
        return False
    for other in _other_records(root):
        if _is_bound(other):
            with suppress(OSError):  # another process did it first
                other.rename(folder)
                return True
    return False


def adopt(root: Path, name: str | None = None) -> Path:
    """Take over the records that a project brought: what a person decides who knows where they come from.

    Our own, where there are any, are kept beside them under another name.

    Raises:
        Denied: there are none, or several and none was named.
    """
    folder = state_folder(root)
    others = [other for other in _other_records(root) if name in (None, other.name)]
    if len(others) != 1:
        raise Denied(
            f"There are {len(others)} sets of records to choose from in {root / STATE_FOLDER}.",
            hint="Name one of these folders: " + ", ".join(other.name for other in others) if others else None,
        )
    make_private_folder(others[0])
    if folder.exists():
        number = next(number for number in range(1, 10_000) if not (folder.parent / f"{ASIDE}{number}").exists())
        folder.rename(folder.parent / f"{ASIDE}{number}")
    others[0].rename(folder)
    (folder / BINDING).unlink(missing_ok=True)
    make_state_folder(folder)
    return folder


def foreign_records(root: Path) -> list[str]:
    """Return the names in a project's `.scenewright` that are neither ours nor what a project may bring."""
    own = state_name(root)
    try:
        names = os.listdir(root / STATE_FOLDER)
    except OSError:
        return []
    return sorted(name for name in names if name != own and name not in OWN_FILES and not name.startswith(ASIDE))


def _other_records(root: Path) -> list[Path]:
    """Return the folders that may be somebody's records, or ours of another place."""
    above = root / STATE_FOLDER
    if above.is_symlink():
        return []
    return [above / name for name in foreign_records(root) if _NAME.fullmatch(name) and _is_folder(above / name)]


def _is_folder(place: Path) -> bool:
    status = place.lstat()
    return stat.S_ISDIR(status.st_mode) and is_own(status)


def _is_bound(folder: Path) -> bool:
    """Return whether we made this very folder; a copy of it is another one."""
    try:
        written = (folder / BINDING).read_text(encoding="ascii").strip()
    except (OSError, ValueError):
        return False
    return hmac.compare_digest(written, _folder_binding(folder))


def _folder_binding(folder: Path) -> str:
    return _keyed_hash("folder", str(folder.lstat().st_ino).encode())


def _keyed_hash(purpose: str, value: bytes) -> str:
    try:
        secret = user_secret()
    except Denied:
        secret = _unknown
    return hmac.digest(secret, purpose.encode() + b"\0" + value, "sha256").hex()[:32]
