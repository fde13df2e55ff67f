"""The last few pictures that calls have made, for the person who watches: kept in the user's own folder, and few."""

from __future__ import annotations

import json
import os
import secrets
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from time import time, time_ns
from typing import Any, Final

from scenewright.core.projects.ownership import state_name
from scenewright.core.projects.user_folder import user_folder

__all__ = ["KEPT_KINDS", "KeptPictures"]

KEPT_KINDS: Final = {"image/png": "png", "image/jpeg": "jpg", "image/webp": "webp"}
MOST = 6
MOST_BYTES = 2_000_000
MOST_SECONDS = 7 * 86_400.0
FOLDER = "pictures"


class KeptPictures:
    """The pictures of one project."""

    def __init__(self, root: Path) -> None:
        self.folder = user_folder() / FOLDER / state_name(root)

    def keep(self, pictures: Sequence[tuple[bytes, str]], about: Mapping[str, Any]) -> None:
        """Keep pictures with their kinds, and drop what is too old or too much.

        Raises:
            OSError: they cannot be written.
        """
        few = [each for each in pictures if each[1] in KEPT_KINDS and len(each[0]) <= MOST_BYTES][-MOST:]
        if not few:
            return
        self.folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        for data, kind in few:
            name = f"{time_ns():020d}-{secrets.token_hex(4)}"
            _write(self.folder / f"{name}.{KEPT_KINDS[kind]}", data)
            record = {**about, "kind": kind, "at": time()}
            _write(self.folder / f"{name}.json", json.dumps(record, default=str).encode())
        self._make_room()

    def newest(self) -> list[tuple[str, dict[str, Any]]]:
        """Return names and what is known of them, newest first."""
        return list(self._all())[:MOST]

    def find(self, name: str) -> tuple[bytes, str] | None:
        """Return a picture and its kind, or None where it is gone."""
        known = dict(self._all()).get(name)
        kind = known.get("kind") if known else None
        if kind not in KEPT_KINDS:
            return None
        try:
            return (self.folder / f"{name}.{KEPT_KINDS[kind]}").read_bytes(), kind
        except OSError:
            return None

    def _all(self) -> Iterator[tuple[str, dict[str, Any]]]:
        try:
            places = sorted(self.folder.glob("*.json"), reverse=True)
        except OSError:
            return
        for place in places:
            with suppress(OSError, ValueError):
                record = json.loads(place.read_bytes())
                if isinstance(record, dict):
                    yield place.stem, record

    def _make_room(self) -> None:
        oldest = time() - MOST_SECONDS
        kept = {name for name, record in self.newest() if float(record.get("at", 0)) > oldest}
        for place in self.folder.iterdir():
            if place.name.partition(".")[0] not in kept:
                place.unlink(missing_ok=True)


def _write(place: Path, data: bytes) -> None:
    handle = os.open(place, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    with os.fdopen(handle, "wb") as file:
        file.write(data)
