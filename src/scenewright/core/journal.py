"""Commits staged changes so that all files of a call change or none does, and keeps what is needed to undo them.

How a commit survives a kill at any moment:

1. Under a lock between processes, the disk is compared with what the call read; a difference is a Conflict.
2. An entry with the old and the new content of every file is recorded as `pending`. This is the point of no return:
   before it nothing has changed, after it the entry will be carried through.
3. Each file is written beside its target, synced and renamed over it; folders are synced.
4. The entry is marked `applied`.

Whoever next opens the journal finishes entries that are still `pending`. A file that is neither old nor new by then
was changed by someone else and is left as it is.
"""

from __future__ import annotations

import hashlib
import os
import threading
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path

from scenewright.core.changes import Change, read_if_there
from scenewright.core.faults import Conflict, Denied, NotFound
from scenewright.core.ledger import Author, Entry, FileRecord, Ledger, digest_of
from scenewright.core.locks import locked
from scenewright.core.project import Project

__all__ = ["Author", "Entry", "Journal"]


class Journal:
    """The history of a project's changes."""

    def __init__(self, project: Project, folder: Path, *, max_entries: int = 1000) -> None:
        self._project = project
        self._folder = folder
        self._max_entries = max_entries
        self._lock = threading.Lock()
        self._ledger: Ledger | None = None

    @property
    def exists(self) -> bool:
        return (self._folder / "journal.sqlite").exists()

    def commit(self, changes: Sequence[Change], author: Author) -> Entry:
        """Writes the changes to disk, all or none.

        Raises:
            Conflict: a file is no longer as the call read it.
            Denied: a file may not be written; what was already written has been put back.
        """
        with self._exclusive() as ledger:
            self._finish_pending(ledger)
            self._refuse_stale(changes)
            entry = self._record(ledger, changes, author)
            try:
                for file in entry.files:
                    self._put(entry, file, ledger.content(file.after))
            except OSError as error:
                self._put_back(ledger, entry)
                raise _refused(error) from error
            ledger.mark_applied(entry.id)
            self._tidy_folders(ledger, entry)
            ledger.prune(self._max_entries)
            return entry

    def recover(self) -> list[int]:
        """Finishes what a killed process left half done; returns the entries concerned."""
        if not self.exists:
            return []
        with self._exclusive() as ledger:
            return self._finish_pending(ledger)

    def entries(self, *, limit: int, before: int | None = None, path: str | None = None) -> list[Entry]:
        """Entries, newest first."""
        if not self.exists:
            return []
        with self._lock:
            return self._open().newest(limit=limit, before=before, path=path)

    def entry(self, number: int) -> Entry:
        """One entry.

        Raises:
            NotFound: there is none with this number.
        """
        with self._lock:
            if self.exists and (entry := self._open().find(number)):
                return entry
        raise NotFound(f"There is no history entry {number}.", hint="history list shows the entries there are.")

    def content(self, digest: str | None) -> bytes | None:
        """The content behind a hash of an entry."""
        with self._lock:
            return self._open().content(digest)

    def close(self) -> None:
        with self._lock:
            if self._ledger is not None:
                self._ledger.close()
                self._ledger = None

    @contextmanager
    def _exclusive(self) -> Iterator[Ledger]:
        with self._lock, locked(self._folder / "journal.lock"):
            yield self._open()

    def _open(self) -> Ledger:
        if self._ledger is None:
            self._ledger = Ledger(self._folder / "journal.sqlite")
        return self._ledger

    def _place(self, path: str) -> Path:
        return self._project.root / path

    def _refuse_stale(self, changes: Sequence[Change]) -> None:
        stale = [change.path for change in changes if read_if_there(self._place(change.path)) != change.before]
        if stale:
            raise Conflict(
                f"Changed on disk since it was read: {', '.join(stale)}. Nothing was written.",
                hint="Read the file again and repeat the change.",
                details={"paths": stale},
            )

    def _record(self, ledger: Ledger, changes: Sequence[Change], author: Author) -> Entry:
        places = [self._place(change.path) for change in changes]
        written = (place for place, change in zip(places, changes, strict=True) if change.after is not None)
        folders = [self._project.relative(folder) for folder in sorted(_missing_folders(written))]
        return ledger.record(changes, author, folders=folders, modes=[_mode(place) for place in places])

    def _put(self, entry: Entry, file: FileRecord, content: bytes | None) -> None:
        place = self._place(file.path)
        if content is None:
            place.unlink(missing_ok=True)
        else:
            place.parent.mkdir(parents=True, exist_ok=True)
            temporary = _temporary(place, entry.id)
            with open(temporary, "wb") as stream:
                stream.write(content)
                stream.flush()
                os.fsync(stream.fileno())
            if file.mode is not None:
                temporary.chmod(file.mode)
            temporary.replace(place)
        _sync_folder(place.parent)

    def _put_back(self, ledger: Ledger, entry: Entry) -> None:
        for file in entry.files:
            place, before = self._place(file.path), ledger.content(file.before)
            with suppress(OSError):
                _temporary(place, entry.id).unlink(missing_ok=True)
            with suppress(OSError):
                if read_if_there(place) != before:
                    self._put(entry, file, before)
        for folder in reversed(entry.folders):
            with suppress(OSError):
                self._place(folder).rmdir()
        ledger.discard(entry.id)

    def _finish_pending(self, ledger: Ledger) -> list[int]:
        pending = ledger.pending()
        for entry in pending:
            for file in entry.files:
                place = self._place(file.path)
                _temporary(place, entry.id).unlink(missing_ok=True)
                if digest_of(read_if_there(place)) == file.before:
                    self._put(entry, file, ledger.content(file.after))
            ledger.mark_applied(entry.id)
        return [entry.id for entry in pending]

    def _tidy_folders(self, ledger: Ledger, entry: Entry) -> None:
        """Removes folders that we once made and a deletion has now emptied."""
        deleted = [file.path for file in entry.files if file.after is None]
        if not deleted:
            return
        for folder in sorted(ledger.folders_made(), key=len, reverse=True):
            if any(path.startswith(f"{folder}/") for path in deleted):
                with suppress(OSError):
                    self._place(folder).rmdir()


def _refused(error: OSError) -> Denied:
    name = Path(error.filename).name if isinstance(error.filename, str) else "a file"
    return Denied(
        f"Could not write '{name}': {error.strerror}. Nothing was changed.",
        hint="Check permissions and free space, then call again.",
    )


def _mode(place: Path) -> int | None:
    try:
        return place.stat().st_mode & 0o7777
    except OSError:
        return None


def _temporary(place: Path, number: int) -> Path:
    # The name says who made it and is the same after a crash, so that recovery finds it. It does not carry the
    # target's name, which may already be as long as the file system allows.
    return place.parent / f".scenewright-{number}-{hashlib.sha256(place.name.encode()).hexdigest()[:12]}.tmp"


def _missing_folders(places: Iterable[Path]) -> set[Path]:
    missing: set[Path] = set()
    for place in places:
        folder = place.parent
        while folder not in missing and not folder.exists():
            missing.add(folder)
            folder = folder.parent
    return missing


def _sync_folder(folder: Path) -> None:
    if os.name == "nt":
        return
    with suppress(FileNotFoundError):
        descriptor = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)
