"""A project folder: where its root is, which engines it belongs to, and which paths are inside."""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

from scenewright.core.faults import Denied, Invalid, NotFound
from scenewright.core.projects.file_names import is_editor_key, is_protected, is_unicode
from scenewright.core.projects.user_folder import is_users_own
from scenewright.core.writes.file_sizes import read_limited

__all__ = ["NO_PROJECT", "STATE_FOLDER", "Engine", "Project", "missing_project"]

STATE_FOLDER = ".scenewright"
MAX_PATH = 4096


@dataclass(frozen=True, slots=True)
class Engine:
    """A game engine, known by what its project folders hold."""

    name: str
    markers: tuple[str, ...]
    loose: tuple[str, ...] = ()  # files that may also lie in any folder of a project, as models do
    audit_log: str | None = None  # where the engine's contract wants it, else with our other records
    generated: tuple[str, ...] = ()  # folders that we write as a whole: what lies in them is counted, not shown
    companions: tuple[str, ...] = ()  # endings of files that the engine keeps beside others
    vendored: tuple[str, ...] = ()  # folders for what others have made
    version: tuple[str, str] | None = None  # a file, and the word before the engine's version in it

    def found_in(self, root: Path) -> bool:
        return self.rooted_in(root) or _holds_any(root, self.loose)

    def rooted_in(self, root: Path) -> bool:
        """Return whether the folder holds what only the root of a project does."""
        return _holds_any(root, self.markers)

    def version_of(self, root: Path) -> str | None:
        """Return the version of the engine that a project was last saved with, where it says so."""
        if self.version is None:
            return None
        file, key = self.version
        try:
            words = read_limited(root / file).decode("utf-8", "replace").split()
        except OSError:
            return None
        return next((after for before, after in pairwise(words) if before == key), None)


@dataclass(frozen=True, slots=True)
class Project:
    """A folder that operations may read and write, and nothing outside it."""

    root: Path

    @classmethod
    def at(cls, folder: str | Path) -> Project:
        """Return the project in a folder.

        Raises:
            NotFound: there is no such folder.
            Denied: it is a folder of git's or of ours.
        """
        try:
            root = Path(folder).expanduser().resolve(strict=True)
        except (OSError, RuntimeError, ValueError):
            root = None
        if root is None or not root.is_dir():
            raise NotFound(
                f"There is no folder at {str(folder)[:200]!r}.",
                hint="projectPath is the absolute path of the folder that holds the project.",
            )
        if is_protected(root.parts):
            raise Denied(
                f"{str(folder)[:200]!r} belongs to scenewright or git, and is not a project.",
                hint="Name the folder that holds the project file.",
            )
        return cls(root)

    def engines(self, known: Iterable[Engine]) -> list[Engine]:
        return [engine for engine in known if engine.found_in(self.root)]

    def locate(self, path: str) -> Path:
        """Return the real place of a path inside the project.

        Raises:
            Invalid: the path is empty or cannot be one.
            Denied: it leads out of the project, through `..`, an absolute path or a link; or to our own records.
        """
        if not path or "\0" in path or len(path) > MAX_PATH:
            raise Invalid(
                "The path is empty or cannot be a path.",
                path="input.path",
                rule="path",
                hint="Give a path from the project's root, such as 'scenes/main.tscn'.",
            )
        try:
            real = (self.root / path).resolve()
        except (OSError, RuntimeError, ValueError):
            raise Invalid(f"{path[:200]!r} cannot be a path.", path="input.path", rule="path") from None
        if not is_unicode(path) or not is_unicode(str(real)):
            raise Invalid("The path is not valid Unicode.", path="input.path", rule="path")
        if not real.is_relative_to(self.root):
            raise Denied(
                f"{path[:200]!r} is outside the project.",
                hint="Use a path relative to the project's root; links may not lead out of it.",
            )
        if is_editor_key(real.name):
            raise Denied(f"{path[:200]!r} is the key of an open editor.", hint="unity_editor_manager asks the editor.")
        if is_users_own(real) or is_protected(real.parts):
            raise Denied(
                f"{path[:200]!r} belongs to scenewright or git.", hint="Operations do not touch these folders."
            )
        return real

    @property
    def address(self) -> str:
        """The folder as replies name it; empty where there is no project."""
        return str(self.root)

    def relative(self, place: Path) -> str:
        """Return how a place inside the project is written in replies and records."""
        return place.relative_to(self.root).as_posix()


class _NoProject(Project):
    """What stands for the project where a server has none: a place that cannot be, with nothing in it."""

    @property
    def address(self) -> str:
        return ""

    def locate(self, path: str) -> Path:  # noqa: ARG002
        raise missing_project()


NO_PROJECT = _NoProject(Path(os.devnull, "no-project"))


def missing_project(
    choices: Sequence[Path] = (), problems: Sequence[str] = (), *, begun_by: str | None = None
) -> Invalid:
    """Return the fault of a call that needs a project and names none, with those that it could name; or else the tool
    that makes one.
    """
    hint = (
        "Pass the absolute path of a project inside the folders that are open to tools. A person opens them with "
        "--project DIR or SCENEWRIGHT_ROOTS when the server is started."
    )
    if begun_by:
        hint = f"There is no project yet: {begun_by} makes one here, also as the first call of a batch."
    if choices:
        hint = "Pass one of these: " + ", ".join(map(str, choices)) + "."
    return Invalid(
        " ".join(["'projectPath' is required.", *problems]), path="input.projectPath", rule="required", hint=hint
    )


def _holds_any(folder: Path, patterns: Iterable[str]) -> bool:
    return any(next(folder.glob(pattern), None) is not None for pattern in patterns)
