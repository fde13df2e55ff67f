"""What processes of this user do just now, each in a file of the user's own folder: servers, games that are played.

`present/<kind>-<process id>-<name>.json`. A process that died leaves its file behind, which then says nothing.
"""

from __future__ import annotations

import json
import logging
import os
import stat
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from time import time
from typing import Any

from scenewright.bridge.processes import is_running, started_at
from scenewright.core.projects.user_folder import user_folder
from scenewright.core.writes.disk import is_own

__all__ = ["FOLDER", "Presence", "find_present"]

FOLDER = "present"
MAX_BYTES = 65_536
MOST_FILES = 200
_STARTED_SLACK = 5.0  # seconds by which the system's own word for when a process began may be off
logger = logging.getLogger(__name__)


class Presence:
    """One file of this process; nothing depends on it, so nothing fails where it cannot be written."""

    def __init__(self, kind: str, name: str = "main") -> None:
        self._name = f"{kind}-{os.getpid()}-{name}.json"

    def tell(self, about: Mapping[str, Any]) -> None:
        """Say what is so now."""
        place = user_folder() / FOLDER / self._name
        beside = place.with_suffix(".new")
        try:
            place.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            _make_room(place.parent)
            handle = os.open(beside, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
            with os.fdopen(handle, "wb") as file:
                file.write(json.dumps({**about, "pid": os.getpid(), "told": time()}, default=str).encode())
            os.replace(beside, place)
        except OSError as error:
            logger.debug("%s is not told of: %s", self._name, error)

    def close(self) -> None:
        """Say that it is over."""
        with suppress(OSError):
            (user_folder() / FOLDER / self._name).unlink(missing_ok=True)


def find_present(kind: str, root: Path) -> list[dict[str, Any]]:
    """Return what running processes say of a project, by process."""
    places = sorted((user_folder() / FOLDER).glob(f"{kind}-*.json"))
    records = (_read(place) for place in places)
    return [record for record in records if record is not None and record.get("project") == str(root)]


def _read(place: Path) -> dict[str, Any] | None:
    try:
        status = place.lstat()
        if not stat.S_ISREG(status.st_mode) or not is_own(status) or status.st_size > MAX_BYTES:
            return None
        record = json.loads(place.read_bytes())
        pid, told = int(record["pid"]), float(record["told"])
    except (OSError, ValueError, KeyError, TypeError):
        return None
    began = started_at(pid) if is_running(pid) else None
    is_another = (
        began is not None and began > told + _STARTED_SLACK
    )  # the number was given to a process that came later
    return record if is_running(pid) and not is_another else None


def _make_room(folder: Path) -> None:
    places = list(folder.glob("*.json"))
    if len(places) >= MOST_FILES:
        for place in places:
            if _read(place) is None:
                place.unlink(missing_ok=True)
