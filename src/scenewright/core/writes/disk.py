"""Single files on disk: read whole, replaced in one step, made durable. Knows neither projects nor journals."""

from __future__ import annotations

import errno
import os
import stat
import sys
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from pathlib import Path
from time import sleep

from scenewright.core.faults import Denied, Invalid
from scenewright.core.writes.file_sizes import read_limited, refuse_too_large

__all__ = [
    "BINARY",
    "clear_empty_folder",
    "delete_file",
    "is_itself",
    "is_own",
    "make_folder",
    "make_private_file",
    "make_private_folder",
    "missing_folders",
    "mode_of",
    "read_if_there",
    "replace_file",
    "stage",
    "sync_folders",
    "write_private_file",
]

BINARY = getattr(os, "O_BINARY", 0) | getattr(os, "O_NOFOLLOW", 0)
# How long to wait for a file that another program has open, and how Windows says that one has: access denied, sharing
# violation, lock violation.
PAUSES = (0.01, 0.02, 0.05, 0.1, 0.2, 0.4, 0.8)
_HELD = (5, 32, 33)
_NOT_A_PATH = {errno.ENAMETOOLONG: "A part of the path is too long.", errno.ELOOP: "The path is a loop of links."}


def read_if_there(place: Path) -> bytes | None:
    """Return a file's content, or None where there is no file.

    Raises:
        Invalid: there is something else than a file.
        TooLarge: it is larger than a file of its name may be.
        Denied: it may not be read.
    """
    try:
        return read_limited(place)
    except (FileNotFoundError, NotADirectoryError):
        return None
    except IsADirectoryError:
        raise _not_a_file(place) from None
    except PermissionError:
        if place.is_dir():  # how Windows says it
            raise _not_a_file(place) from None
        raise Denied(f"'{place.name}' may not be read.", hint="Check the file's permissions.") from None
    except OSError as error:
        if error.errno in _NOT_A_PATH:
            raise Invalid(_NOT_A_PATH[error.errno], path="input.path", rule="path") from None
        if sys.platform == "win32" and error.errno == errno.EINVAL:  # a name that no file has there, such as '*.gd'
            return None
        if error.errno in (errno.ENXIO, errno.EINVAL):  # a socket; a pipe or a device
            raise _not_a_file(place) from None
        if error.errno == errno.EFBIG:
            raise refuse_too_large(place.name, place.stat().st_size) from None
        raise


def mode_of(place: Path) -> int | None:
    """Return a file's permissions, or None where there is no file."""
    try:
        mode = place.stat().st_mode
    except OSError:
        return None
    return mode & 0o7777 if stat.S_ISREG(mode) else None


def is_itself(place: Path) -> bool:
    """Return whether no part of the path is a link, so that it means the place it names."""
    return os.path.realpath(place) == str(place)


def is_own(status: os.stat_result) -> bool:
    """Return whether what it describes belongs to this user; Windows leaves that to the folder's permissions."""
    return sys.platform == "win32" or status.st_uid == os.geteuid()


def make_private_folder(folder: Path) -> None:
    """Make a folder for this user only, where it is not there.

    Raises:
        OSError: it cannot be made, or something else is there: a link, a file, another user's folder.
    """
    with suppress(FileExistsError):
        folder.mkdir(mode=0o700)
    status = folder.lstat()
    if not stat.S_ISDIR(status.st_mode) or not is_own(status):
        raise OSError(errno.ENOTDIR, "it is a link, or not a folder of yours", str(folder))
    if sys.platform != "win32" and status.st_mode & 0o077:
        folder.chmod(0o700)


def make_private_file(file: Path) -> None:
    """Make an empty file for this user only, where it is not there, whatever the umask.

    Raises:
        OSError: it cannot be made, or a link or another user's file is there.
    """
    descriptor = os.open(file, os.O_RDWR | os.O_CREAT | BINARY | getattr(os, "O_NONBLOCK", 0), 0o600)
    try:
        status = os.fstat(descriptor)
        if not stat.S_ISREG(status.st_mode) or not is_own(status) or file.is_symlink():
            raise OSError(errno.ELOOP, "it is a link, or not a file of yours", str(file))
        if sys.platform != "win32" and status.st_mode & 0o177:
            os.fchmod(descriptor, 0o600)
    finally:
        os.close(descriptor)


def write_private_file(file: Path, text: str) -> None:
    """Write a file for this user only, where it is not there.

    Raises:
        OSError: it cannot be written, or a link or another user's file is there.
    """
    if not file.exists():
        make_private_file(file)
        file.write_text(text, encoding="utf-8")


def stage(temporary: Path, content: bytes, *, mode: int | None, like: Path) -> None:
    """Write a file durably beside the one it will replace, with that one's owner and the given permissions."""
    temporary.unlink(missing_ok=True)
    # Nobody may read in the meantime what they may not read in the end.
    rights = 0o666 if mode is None else 0o600
    descriptor = os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL | BINARY, rights)
    with open(descriptor, "wb") as file:
        file.write(content)
        _keep_owner(temporary, like)
        if mode is not None:
            temporary.chmod(mode)
        file.flush()
        os.fsync(file.fileno())


def make_folder(folder: Path) -> None:
    """Make a folder and those above it, durably."""
    missing = missing_folders([folder / "file"])
    folder.mkdir(parents=True, exist_ok=True)
    sync_folders(made.parent for made in missing)


def missing_folders(places: Iterable[Path]) -> set[Path]:
    """Return the folders that must be made before there can be files at these places."""
    missing: set[Path] = set()
    for place in places:
        folder = place.parent
        while folder not in missing and not folder.is_dir():
            missing.add(folder)
            folder = folder.parent
    return missing


def clear_empty_folder(place: Path) -> None:
    """Remove a folder that holds nothing but empty folders.

    Raises:
        OSError: there is a file in it.
    """
    if not place.is_dir():
        return
    folders = list(os.walk(place, topdown=False))
    if any(names for _, _, names in folders):
        raise OSError(errno.ENOTEMPTY, os.strerror(errno.ENOTEMPTY), str(place))
    for folder, _, _ in folders:
        os.rmdir(folder)


def replace_file(temporary: Path, place: Path) -> None:
    """Put a file in another's place. Windows lets nobody do that while a virus scanner or an editor reads it, so that
    it is tried again for a short while.

    Raises:
        OSError: it cannot be done.
    """
    _try_patiently(lambda: temporary.replace(place))


def delete_file(place: Path) -> None:
    """Delete a file where it is there, with the same patience.

    Raises:
        OSError: it cannot be done.
    """
    _try_patiently(lambda: place.unlink(missing_ok=True))


def _try_patiently(do: Callable[[], object], pauses: Sequence[float] = PAUSES) -> None:
    for pause in pauses:
        try:
            do()
            return
        except PermissionError as problem:
            if getattr(problem, "winerror", None) not in _HELD:
                raise
            sleep(pause)
    do()


def sync_folders(folders: Iterable[Path]) -> None:
    """Make durable which files are in these folders; those that are gone are left out."""
    if sys.platform == "win32":
        return
    for folder in set(folders):
        with suppress(FileNotFoundError, NotADirectoryError):
            descriptor = os.open(folder, os.O_RDONLY)
            try:
                os.fsync(descriptor)
            finally:
                os.close(descriptor)


def _keep_owner(temporary: Path, like: Path) -> None:
    if sys.platform == "win32":
        return
    with suppress(OSError):
        owner, ours = like.stat(), temporary.stat()
        if (owner.st_uid, owner.st_gid) != (ours.st_uid, ours.st_gid):
            os.chown(temporary, owner.st_uid, owner.st_gid)


def _not_a_file(place: Path) -> Invalid:
    kind = "a folder, not a file" if place.is_dir() else "not a regular file"
    return Invalid(f"'{place.name}' is {kind}.", path="input.path", rule="path")
