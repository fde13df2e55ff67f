"""The folders that a person opened to tools, and the projects that calls may choose inside them.

A call's `projectPath` selects; it never opens anything. Which folder a path belongs to is decided on its real place,
after links.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from scenewright.core.faults import Denied, Invalid, NotFound
from scenewright.core.projects.file_names import is_protected
from scenewright.core.projects.project import Engine, Project
from scenewright.core.projects.user_folder import is_users_own

__all__ = ["Roots", "find_project_above", "is_too_wide", "is_users_folder"]

OPEN_MORE = (
    "A person opens further folders: --project DIR (repeatable) or SCENEWRIGHT_ROOTS when the server is started."
)
# Where everybody's folders are, and where nobody's project is.
_SHARED = (
    "/Applications",
    "/Users",
    "/Volumes",
    "/home",
    "/media",
    "/mnt",
    "/opt",
    "/private",
    "/root",
    "/run",
    "/srv",
    "/tmp",
    "/usr",
    "/usr/local",
    "/usr/src",
    "/var",
    "/var/tmp",
)
_SYSTEM = (
    "/Library",
    "/System",
    "/bin",
    "/boot",
    "/dev",
    "/etc",
    "/lib",
    "/proc",
    "/sbin",
    "/sys",
    "/usr/bin",
    "/usr/lib",
    "/usr/sbin",
    "/usr/share",
)
# Where programs keep temporary files; asking `tempfile` loads a dozen modules and writes a file.
_TEMPORARY = ("TMPDIR", "TEMP", "TMP")
_SYSTEM_VARIABLES = ("%SystemRoot%", "%ProgramFiles%", "%ProgramFiles(x86)%", "%ProgramData%")


@dataclass(frozen=True, slots=True)
class Roots:
    """What a person named: projects, and folders in which projects may be chosen."""

    engines: tuple[Engine, ...]
    projects: tuple[Path, ...] = ()  # real places; each is a project, whatever it holds
    folders: tuple[Path, ...] = ()

    def select(self, given: str, *, begun: bool = False) -> Project:
        """Return the project in a folder that a call names; one that is to be begun there needs only the folder.

        Raises:
            Denied: it is outside the roots, whether it exists or not; or there is no project.
            NotFound: there is no such folder inside the roots.
            Invalid: it is a folder inside a project, not the project's own.
        """
        folder = self.locate(given, parameter="projectPath")
        if is_protected(folder.parts) or is_users_own(folder):
            raise _belongs_to_git(given)
        root = self._project_of(folder)
        if root is None and begun:
            return Project.at(folder)
        if root is None:
            raise Denied(
                f"{given[:200]!r} is not a project of a known engine.",
                hint="Pass the folder that holds the project file. A person makes any folder a project with "
                "--project DIR.",
            )
        if root != folder:
            raise Invalid(
                f"{given[:200]!r} is a folder of the project at {str(root)!r}, not a project of its own.",
                path="input.projectPath",
                rule="project",
                hint=f"Pass projectPath {str(root)!r}, and paths from there.",
            )
        return Project.at(root)

    def locate(self, given: str, *, parameter: str) -> Path:
        """Return the real place of a folder inside the roots.

        Raises:
            Denied: it is outside them, whether it exists or not.
            NotFound: there is no such folder.
        """
        place = self._path_inside(given, parameter)
        if not os.path.isdir(place):  # unlike Path.is_dir no error for a name that is too long
            raise NotFound(
                f"There is no folder at {given[:200]!r}.", hint=f"'{parameter}' is the absolute path of a folder."
            )
        return place

    def locate_file(self, given: str, *, parameter: str) -> Path:
        """Return the real place of a file inside the roots, to be read.

        Raises:
            Denied: it is outside them, whether it exists or not, or belongs to git or us.
            NotFound: there is no such file.
        """
        place = self._path_inside(given, parameter)
        if is_protected(place.parts) or is_users_own(place):
            raise _belongs_to_git(given)
        if not os.path.isfile(place):
            raise NotFound(f"There is no file at {given[:200]!r}.", hint=f"'{parameter}' is the path of a file.")
        return place

    def _path_inside(self, given: str, parameter: str) -> Path:
        place = _real_path(given, *self.projects[:1])
        if place is None or not self.covers(place):
            raise Denied(
                f"'{parameter}' {given[:200]!r} is outside the folders that are open to tools.", hint=OPEN_MORE
            )
        return place

    def covers(self, place: Path) -> bool:
        """Return whether a real place is inside what a person named."""
        return any(place.is_relative_to(root) for root in (*self.projects, *self.folders))

    def project_around(self, root: Path) -> Path | None:
        """Return the project inside the roots that another project lies in."""
        return self._project_of(root.parent)

    def parts_below_named(self, place: Path) -> tuple[str, ...]:
        """Return a real place as the parts of its path from the nearest folder that a person named."""
        named = [root for root in (*self.projects, *self.folders) if place.is_relative_to(root)]
        nearest = max(named, key=lambda root: len(root.parts), default=None)
        return place.relative_to(nearest).parts if nearest is not None else place.parts

    def names(self, root: Path) -> bool:
        """Return whether a person named this very folder."""
        return root in self.projects or root in self.folders

    def _project_of(self, folder: Path) -> Path | None:
        above = [place for place in (folder, *folder.parents) if self.covers(place)]
        nearest = next((place for place in above if place in self.projects or _is_root(place, self.engines)), None)
        if nearest is None and above and any(engine.found_in(folder) for engine in self.engines):
            return folder
        return nearest


def _belongs_to_git(given: str) -> Denied:
    return Denied(f"{given[:200]!r} belongs to scenewright or git.", hint="Operations do not touch these folders.")


def find_project_above(folder: Path, engines: Sequence[Engine]) -> Path | None:
    """Return the project that a real folder is or lies in, looking upward as git does.

    Like git this stops at the border of a file system and at folders of another user. It never goes as far as a
    folder that holds more than one project could mean, such as a home folder: a stray file there opens nothing.
    """
    for place in _folders_upward(folder):
        if _is_root(place, engines):
            return place
    loose = not is_too_wide(folder) and any(engine.found_in(folder) for engine in engines)
    return folder if loose else None


def is_too_wide(folder: Path) -> bool:
    """Return whether a real folder is never a project by chance: the root of a disk, the home folder, one of the
    system's.
    """
    if folder.parent == folder or folder in _real_folders((*_SHARED, "~", *_temporary_folders())):
        return True
    return any(
        folder.is_relative_to(place)
        for place in _real_folders(_SYSTEM_VARIABLES if sys.platform == "win32" else _SYSTEM)
    )


def is_users_folder(folder: Path, *, device: int | None = None) -> bool:
    """Return whether a folder is this user's, and on the given file system."""
    try:
        status = folder.stat()
    except OSError:
        return False
    return (sys.platform == "win32" or status.st_uid == os.getuid()) and device in (None, status.st_dev)


def _folders_upward(folder: Path) -> Iterator[Path]:
    try:
        start = folder.stat()
    except OSError:
        return
    for place in (folder, *folder.parents):
        try:
            here = place.stat()
        except OSError:
            return
        foreign = sys.platform != "win32" and here.st_uid not in (start.st_uid, os.getuid())
        if is_too_wide(place) or here.st_dev != start.st_dev or foreign:
            return
        yield place


def _is_root(folder: Path, engines: Iterable[Engine]) -> bool:
    return any(engine.rooted_in(folder) for engine in engines)


def _temporary_folders() -> list[str]:
    return [*(os.environ.get(name, "") for name in _TEMPORARY), "~/AppData/Local/Temp"]


def _real_folders(named: Iterable[str]) -> set[Path]:
    given = [os.path.expanduser(os.path.expandvars(each)) for each in named]
    return {real for each in given if os.path.isabs(each) and (real := _known_folder(each)) is not None}


@lru_cache(maxsize=128)
def _known_folder(given: str) -> Path | None:
    """The real place of a folder of the system's or the user's; these stay where they are."""
    return _real_path(given)


def _real_path(given: str, *base: Path) -> Path | None:
    try:
        return Path(*base, Path(given).expanduser()).resolve()
    except (OSError, RuntimeError, ValueError):
        return None
