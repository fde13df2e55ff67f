"""What was set up on this machine, kept in the user's own folder, so that all of it can be taken back byte for byte.

A file that nobody touched since is put back as it was; from one that changed, only our entry is taken out.
"""

from __future__ import annotations

import base64
import hashlib
import json
import os
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from scenewright.core.projects.user_folder import unusable_folder, user_folder
from scenewright.core.writes.disk import read_if_there, stage
from scenewright.core.writes.locks import locked
from scenewright.setup.changes import FileChange

__all__ = ["Addon", "FileRecord", "Records", "open_records"]

FILE = "setup.json"


@dataclass(frozen=True, slots=True)
class FileRecord:
    """A client's file as it was before us, and what we made of it."""

    client: str
    path: str
    before: str | None  # base64; None where there was no file
    after: str  # hash
    projects: tuple[str, ...] = ()  # for which it was set up
    folders: tuple[str, ...] = ()  # that were made for it, the innermost first

    @property
    def content_before(self) -> bytes | None:
        return None if self.before is None else base64.b64decode(self.before)

    def is_as_left(self) -> bool:
        """Return whether the file is still what we made of it."""
        content = read_if_there(Path(self.path))
        return content is not None and _hash(content) == self.after


@dataclass(frozen=True, slots=True)
class Addon:
    """An addon that was put into a project, by the entry of the project's history."""

    project: str
    entry: int


@dataclass(slots=True)
class Records:
    """Everything that `init` did and `uninstall` has not taken back."""

    place: Path
    files: list[FileRecord] = field(default_factory=list)
    addons: list[Addon] = field(default_factory=list)

    def keep(self) -> None:
        """Write them down.

        Raises:
            OSError: they cannot be written; what was kept before still is.
        """
        value = {"files": [asdict(file) for file in self.files], "addons": [asdict(addon) for addon in self.addons]}
        temporary = self.place.with_name(f"{FILE}.tmp")
        stage(temporary, json.dumps(value, indent=1).encode(), mode=0o600, like=self.place)
        temporary.replace(self.place)

    @contextmanager
    def noting(self) -> Iterator[None]:
        """Forget what was noted in here where it fails: a change is noted and kept before it is made."""
        before = list(self.files)
        try:
            yield
        except BaseException:
            self.files = before
            raise

    def note_new(self, file: Path, content: bytes, folders: Sequence[Path]) -> None:
        """Note a file of our own, and the folders that were made for it."""
        places = tuple(str(folder) for folder in sorted(folders, reverse=True))
        self.files.append(FileRecord("", os.path.realpath(file), None, _hash(content), (), places))

    def note_file(self, client: str, project: Path, change: FileChange) -> None:
        """Note a change; of several to one file that nobody else touched, the first content is kept."""
        place, before = os.path.realpath(change.file), change.before
        known = next((record for record in self.files if record.path == place), None)
        folders = known.folders if known is not None else ()
        projects = dict.fromkeys([*(known.projects if known is not None else ()), str(project)])
        if known is not None and before is not None and _hash(before) == known.after:
            before = known.content_before
        self.files = [record for record in self.files if record.path != place]
        encoded = None if before is None else base64.b64encode(before).decode()
        self.files.append(FileRecord(client, place, encoded, _hash(change.after), tuple(projects), folders))


@contextmanager
def open_records() -> Iterator[Records]:
    """Give the records and keep what is changed in them, while no other process does.

    Raises:
        Denied: the user's own folder cannot be used.
    """
    folder = user_folder()
    with ExitStack() as stack:
        try:
            folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            stack.enter_context(locked(folder / f"{FILE}.lock"))
            records = _read(folder / FILE)
            records.keep()  # where that cannot be, nothing is set up either
        except OSError as error:
            raise unusable_folder(folder, error) from error
        try:
            yield records
        finally:
            _keep_in(folder, records)


def _keep_in(folder: Path, records: Records) -> None:
    try:
        records.keep()
    except OSError as error:
        raise unusable_folder(folder, error) from error


def _read(file: Path) -> Records:
    try:
        value: dict[str, Any] = json.loads(read_if_there(file) or b"{}")
        files = [
            FileRecord(**each | {name: tuple(each[name]) for name in ("projects", "folders")})
            for each in value.get("files", [])
        ]
        return Records(file, files, [Addon(**each) for each in value.get("addons", [])])
    except (ValueError, TypeError, KeyError, AttributeError):
        aside = file.with_suffix(".unreadable")
        os.replace(file, aside)
        return Records(file)


def _hash(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()
