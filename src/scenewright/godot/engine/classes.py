"""The classes that a project is checked against: those of the engine it is for, where that one can be asked.

A project that names the version this package knows needs no engine. For another, the user's own Godot is asked, once
for each build; where there is none of that version, the shipped classes have to do.
"""

from __future__ import annotations

import asyncio
import logging
import re
from functools import lru_cache
from pathlib import Path
from threading import Lock, Thread

from scenewright.core.faults import Fault
from scenewright.core.writes.file_sizes import read_limited
from scenewright.godot.classes.index import ClassIndex
from scenewright.godot.classes.library import cached, for_binary, shipped
from scenewright.godot.documents.document import Document
from scenewright.godot.documents.errors import ParseError
from scenewright.godot.documents.versions import Version, made_with
from scenewright.godot.engine.binary import Binary, find_binary

__all__ = ["classes_for"]

logger = logging.getLogger(__name__)

_NUMBER = re.compile(r"\d+")

_known: dict[str, ClassIndex | None] = {}  # by build; None of one that does not say what it knows
_asking = Lock()


def classes_for(root: Path) -> ClassIndex:
    """Return the classes of the engine that the project in this folder is for."""
    version = _project_version(root / "project.godot")
    if version is None or version == _minor(shipped().version):
        return shipped()
    try:
        binary = find_binary()
    except Fault:
        return shipped()
    if binary.version[:2] != version:
        return shipped()
    return _index_of_binary(binary) or shipped()


def _index_of_binary(binary: Binary) -> ClassIndex | None:
    if binary.build not in _known:
        if _must_not_wait() and cached(binary.build) is None:
            Thread(target=_learn_classes, args=(binary,), daemon=True).start()
            return None
        _learn_classes(binary)
    return _known[binary.build]


def _learn_classes(binary: Binary) -> None:
    """Takes some seconds where this build was never asked before."""
    with _asking:
        if binary.build in _known:
            return
        try:
            _known[binary.build] = for_binary(binary.path)
        except Fault as problem:
            logger.warning("Godot %s does not tell its classes: %s", binary.build, problem.message)
            _known[binary.build] = None


def _must_not_wait() -> bool:
    """Whether others wait for this thread."""
    try:
        asyncio.get_running_loop()
    except RuntimeError:
        return False
    return True


def _project_version(settings: Path) -> Version | None:
    try:
        status = settings.stat()
    except OSError:
        return None
    return _read_version(settings, status.st_mtime_ns, status.st_size)


@lru_cache(maxsize=32)
def _read_version(settings: Path, _changed: int, _size: int) -> Version | None:
    try:
        return made_with(Document.parse(read_limited(settings), settings.name))
    except (OSError, ParseError):
        return None


def _minor(version: str) -> Version:
    major, minor, *_ = _NUMBER.findall(version)
    return int(major), int(minor)
