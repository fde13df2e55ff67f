"""What the opening answers depend on: versions, the code itself, settings, the project and its engines.

Light: this is worked out before a server loads anything.
"""

from __future__ import annotations

import hashlib
import os
import sys
from collections.abc import Iterator
from dataclasses import replace
from importlib.machinery import PathFinder
from pathlib import Path
from typing import NamedTuple

import scenewright
from scenewright.core.config import Config
from scenewright.core.projects.discovery import Discovery, discover
from scenewright.core.projects.project import NO_PROJECT, Engine, Project
from scenewright.godot.project.project_folder import ENGINE as GODOT
from scenewright.roblox.project_folder import ENGINE as ROBLOX
from scenewright.unity.project_folder import ENGINE as UNITY

__all__ = ["ENGINES", "Conditions", "conditions_of", "current_conditions"]

ENGINES = (GODOT, ROBLOX, UNITY)
_FORM = 2  # of the answers


class Conditions(NamedTuple):
    """Digests, since settings may hold what nobody should read in a file."""

    digest: str  # of everything
    kin: str = ""  # of everything but where the project lies; empty where more than one folder plays a part
    root: str = ""  # of the project


def current_conditions(config: Config) -> Conditions:
    """Return the conditions of a server that starts now.

    Raises:
        Fault: a named project is none, where this process does not wait for it.
    """
    discovery = discover(config, ENGINES)
    if discovery.project is not NO_PROJECT:
        engines = discovery.project.engines(ENGINES)
    else:
        engines = [engine for place in discovery.choices for engine in Project(place).engines(ENGINES)]
    return conditions_of(config, discovery, engines)


def conditions_of(config: Config, discovery: Discovery, engines: list[Engine]) -> Conditions:
    """Return what the answers depend on."""
    names = sorted({engine.name for engine in engines})
    common = [_FORM, scenewright.__version__, sys.version, *_code(), *_libraries(), names]
    digest = _digest([*common, config, discovery])
    alone = Discovery(project=discovery.project, kept=discovery.kept)
    if discovery.project is NO_PROJECT or discovery != alone:
        return Conditions(digest)
    named = None if config.project is None else Path()
    kin = _digest([*common, replace(config, project=named), replace(alone, project=NO_PROJECT)])
    return Conditions(digest, kin, str(discovery.project.root))


def _digest(parts: list[object]) -> str:
    return hashlib.sha256("\n".join(map(repr, parts)).encode(errors="surrogateescape")).hexdigest()


def _code() -> Iterator[object]:
    """Our own files: what the installer recorded of them, or each one's state in a checkout that somebody works on."""
    folder = os.path.dirname(scenewright.__file__)
    yield folder
    record = os.path.join(os.path.dirname(folder), f"scenewright-{scenewright.__version__}.dist-info", "RECORD")
    try:
        yield _state(os.stat(record))
    except OSError:
        yield from sorted(_files_below(folder))


def _files_below(folder: str) -> Iterator[tuple[str, int, int]]:
    with os.scandir(folder) as entries:
        for entry in entries:
            if entry.is_dir(follow_symlinks=False):
                if entry.name != "__pycache__":
                    yield from _files_below(entry.path)
            else:
                yield entry.path, *_state(entry.stat(follow_symlinks=False))


def _libraries() -> Iterator[object]:
    """The SDK's place and state, and which version of everything lies beside it."""
    spec = PathFinder.find_spec("mcp")
    if spec is None or spec.origin is None:
        return
    folder = os.path.dirname(os.path.dirname(spec.origin))
    yield spec.origin
    yield _state(os.stat(spec.origin))
    yield sorted(name for name in os.listdir(folder) if name.endswith(".dist-info"))


def _state(status: os.stat_result) -> tuple[int, int]:
    return status.st_mtime_ns, status.st_size
