"""Which project a server or a shell is about: the named one, the one around the working folder, or the one below it.

What is found decides nothing beyond that: a project that is only below the working folder among others, or that a
call chose, is not one that a person named.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass
from fnmatch import fnmatch
from pathlib import Path

from scenewright.core.config import Config
from scenewright.core.faults import Fault
from scenewright.core.projects.project import NO_PROJECT, Engine, Project
from scenewright.core.projects.roots import find_project_above, is_too_wide, is_users_folder

__all__ = ["Discovery", "discover", "find_projects_below"]

DEEPEST = 3
MOST_FOLDERS = 400
MOST_PROJECTS = 20
_PASSED_OVER = frozenset(["node_modules", "addons", "vendor", "venv", "__pycache__"])


@dataclass(frozen=True, slots=True)
class Discovery:
    """The project of a process, or why there is none."""

    project: Project = NO_PROJECT
    kept: bool = False  # whether records are kept of it from the start
    further: tuple[Path, ...] = ()  # projects that a person named beside it
    folder: Path | None = None  # the working folder, open to calls that choose or make a project in it
    choices: tuple[Path, ...] = ()  # the projects below it
    problems: tuple[str, ...] = ()  # what is wrong with what a person named


def discover(config: Config, engines: Sequence[Engine]) -> Discovery:
    """Return which project the settings and the working folder mean.

    Raises:
        NotFound, Denied: a named folder is none, unless this process is to wait for it.
    """
    named = [folder for folder in (config.project, *config.further_projects) if folder is not None]
    if not named:
        return _discover_here(config, engines)
    places: list[Path] = []
    problems: list[str] = []
    for folder in named:
        try:
            places.append(Project.at(folder).root)
        except Fault as fault:
            if not config.waits_for_project:
                raise
            problems.append(_problem_with(folder, fault))
    if not places or places[0] != _real(named[0]):
        return Discovery(further=tuple(places), problems=tuple(problems))
    return Discovery(Project.at(places[0]), kept=True, further=tuple(places[1:]), problems=tuple(problems))


def find_projects_below(folder: Path, engines: Sequence[Engine]) -> list[Path]:
    """Return the projects in a folder, the nearest first, without those inside others.

    Links, hidden folders, and folders of another user or file system are not looked into.
    """
    projects: list[Path] = []
    level, looked_at = [folder], 0
    for _ in range(DEEPEST + 1):
        below: list[Path] = []
        for place in level:
            looked_at += 1
            if looked_at > MOST_FOLDERS or len(projects) >= MOST_PROJECTS:
                return projects
            names, inner = _look_into(place, folder)
            if place != folder and any(_has_marker(place, names, engine) for engine in engines):
                projects.append(place)
            else:
                below += inner
        level = below
    return projects


def _discover_here(config: Config, engines: Sequence[Engine]) -> Discovery:
    here = Path.cwd().resolve()
    if root := find_project_above(here, engines):
        return Discovery(Project.at(root), kept=True)
    if is_too_wide(here) or not is_users_folder(here):
        return Discovery()
    below = tuple(find_projects_below(here, engines))
    if len(below) == 1:
        return Discovery(Project.at(below[0]), kept=True)
    if config.shell:
        return Discovery(Project.at(here), choices=below)
    return Discovery(folder=here, choices=below)


def _problem_with(folder: Path, fault: Fault) -> str:
    given = str(folder)[:200]
    if folder.is_file():
        return f"--project {given!r} is a file: name the folder that it lies in."
    return (
        f"--project: {fault.message} Until there is one, only tools that need no project work; it is noticed by itself."
        f" Correct the path in the client's settings of this server if it is wrong."
    )


def _look_into(place: Path, start: Path) -> tuple[list[str], list[Path]]:
    """Return the names in a folder, and its subfolders that may be looked into."""
    try:
        entries = sorted(os.scandir(place), key=lambda entry: entry.name)
    except OSError:
        return [], []
    inner = [Path(entry.path) for entry in entries if _may_be_searched(entry)]
    device = start.stat().st_dev
    return [entry.name for entry in entries], [path for path in inner if is_users_folder(path, device=device)]


def _may_be_searched(entry: os.DirEntry[str]) -> bool:
    name = entry.name
    return name[0] != "." and name not in _PASSED_OVER and entry.is_dir(follow_symlinks=False)


def _has_marker(place: Path, names: Sequence[str], engine: Engine) -> bool:
    """Whether a folder is the root of an engine's project; a marker may lie in a subfolder."""
    for marker in engine.markers:
        first, _, rest = marker.partition("/")
        if any(fnmatch(name, first) for name in names) and (not rest or engine.rooted_in(place)):
            return True
    return False


def _real(folder: Path) -> Path | None:
    try:
        return folder.expanduser().resolve()
    except (OSError, RuntimeError, ValueError):
        return None
