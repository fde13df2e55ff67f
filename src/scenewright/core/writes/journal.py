"""Commits staged changes so that all files of a call change or none does, and keeps what is needed to undo them.

How a commit survives a kill at any moment:

1. Under a lock between processes, the disk is compared with what the call read; a difference is a Conflict.
2. An entry with the old and the new content of every file is recorded as `pending`. This is the point of no return:
   before it nothing has changed, after it the entry will be carried through.
3. Each new content is written beside its target and synced; only then are the targets replaced, each right after a
   last look that it is still what the call read. If one cannot be, the entry becomes `reverting` and all go back.
4. The entry is marked `applied`, or is dropped after going back.

Whoever next uses the project finishes entries that are still `pending` or `reverting`. A file that is neither old
nor new by then was changed by someone else and is left as it is.

Commits of one process that wait at the same time take these steps together (`gathering`), and are recorded, synced and
marked at once; each still stands or falls by itself.
"""

from __future__ import annotations

import logging
import os
import sqlite3
import threading
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path, PurePosixPath

from scenewright.core.faults import Conflict, Denied, Fault, NotFound
from scenewright.core.projects.project import STATE_FOLDER, Project
from scenewright.core.records.database import explained
from scenewright.core.writes.changeset import Change
from scenewright.core.writes.disk import is_itself, missing_folders, mode_of, read_if_there, sync_folders
from scenewright.core.writes.gathering import Commitment, Gathering, compatible
from scenewright.core.writes.ledger import Author, Deed, Entry, FileRecord, Ledger, State
from scenewright.core.writes.locks import WAIT_SECONDS, locked
from scenewright.core.writes.placement import Placement

__all__ = ["Author", "Deed", "Entry", "FileRecord", "Journal"]

logger = logging.getLogger(__name__)
_Recorded = tuple[Commitment, Entry, Placement]


class Journal:
    """The history of a project's changes."""

    def __init__(self, project: Project, folder: Path, *, max_entries: int = 1000) -> None:
        self._project = project
        self._folder = folder
        self._file = folder / "journal.sqlite"
        self._max_entries = max_entries
        self._lock = threading.Lock()  # held only while the ledger is in use, never while waiting for a process
        self._gathering = Gathering()  # of those in this process who want to write; between processes there is a file
        self._ledger: Ledger | None = None

    @property
    def exists(self) -> bool:
        return os.path.exists(self._file)  # False where we may not even look

    def commit(
        self,
        changes: Sequence[Change],
        author: Author,
        seen: Mapping[str, bytes | None] | None = None,
        *,
        live: Sequence[Change] = (),
        vacated: Iterable[str] = (),
    ) -> Entry:
        """Write the changes to disk, all or none; `seen` is what else the call read.

        `live` are changes that an editor has made already, which are only recorded. `vacated` folders go with their
        last file, as those do that an entry has made.

        Raises:
            Conflict: a file is no longer as the call read it.
            Denied: a file may not be written; what was already written has been put back.
        """
        commitment = Commitment(changes, author, seen or {}, live, vacated)
        with self._gathering.joined(commitment, WAIT_SECONDS) as leads:
            if leads:
                self._commit_waiting()
        with explained(self._file):
            return commitment.result()

    def _commit_waiting(self) -> None:
        """Commit for all who wait, those together that do not meet."""
        with self._locked() as ledger:
            self._finish(ledger)
            taken = self._gathering.take()
            try:
                for group in compatible(taken):
                    self._commit_group(ledger, group)
            except BaseException as error:
                for commitment in taken:
                    if not commitment.settled:
                        commitment.fail(error)
                raise

    def _commit_group(self, ledger: Ledger, group: Sequence[Commitment]) -> None:
        ready = [commitment for commitment in group if self._is_possible(ledger, commitment)]
        if not ready:
            return
        try:
            with ledger.transaction():
                entries = [self._record(ledger, [*c.changes, *c.live], c.author, c.vacated) for c in ready]
        except Exception as error:  # noqa: BLE001 raised in the thread of the call that it is about
            if len(ready) == 1:
                ready[0].fail(error)
                return
            for commitment in ready:  # one of them cannot be recorded, which is no reason for the others to fail
                self._commit_group(ledger, [commitment])
            return
        placements = [self._placement(ledger, entry) for entry in entries]
        self._carry_out(ledger, list(zip(ready, entries, placements, strict=True)))

    def _is_possible(self, ledger: Ledger, commitment: Commitment) -> bool:
        """Whether everything is still as the call read it; it has failed otherwise."""
        deed = commitment.author.deed
        try:
            if deed is not None and (known := ledger.deed(deed.key)) is not None and known.done:
                raise Conflict("The same call has been carried out already. Nothing was written.", retryable=False)
            self._refuse_stale(commitment.changes, commitment.seen)
            self._refuse_protected(commitment.changes)
        except Exception as error:  # noqa: BLE001 raised in the thread of the call that it is about
            commitment.fail(error)
        return not commitment.settled

    def amend(self, entry: Entry, live: Sequence[Change], author: Author) -> Entry:
        """Add to an entry what an editor did once its files were written; the author says by which steps."""
        with self._exclusive() as ledger:
            return ledger.amend(entry.id, live, author)

    def revoke(self, entry: Entry) -> None:
        """Put back what the last entry has written, and forget it.

        Raises:
            Denied: a file cannot be put back now.
        """
        with self._exclusive() as ledger:
            self._take_back(ledger, entry)

    def recover(self) -> list[int]:
        """Finish what a killed process left half done; return the entries concerned.

        Cheap where there is nothing to do, and does not wait: who is busy writing does the same first.
        """
        if not self.exists or not self._lock.acquire(blocking=False):
            return []
        try:
            with explained(self._file):
                unfinished = self._open().has_unfinished()
        finally:
            self._lock.release()
        if not unfinished:
            return []
        try:
            with self._exclusive(wait=0) as ledger:
                return self._finish(ledger)
        except Conflict:
            return []

    def entries(self, *, limit: int, before: int | None = None, path: str | None = None) -> list[Entry]:
        """Return entries, newest first."""
        if not self.exists:
            return []
        with self._reading() as ledger:
            return ledger.newest(limit=limit, before=before, path=path)

    def entry(self, number: int) -> Entry:
        """Return one entry.

        Raises:
            NotFound: there is none with this number.
        """
        if self.exists:
            with self._reading() as ledger:
                if entry := ledger.find(number):
                    return entry
        raise NotFound(f"There is no history entry {number}.", hint="history_list shows all entries.")

    def content(self, digest: str | None) -> bytes | None:
        """Return the content behind a hash of an entry."""
        with self._reading() as ledger:
            return ledger.content(digest)

    def recall(self, key: str) -> Deed | None:
        """Return what is known of a call that is made once: nothing, that it was begun, or what it returned.

        Raises:
            Conflict: another process is still busy with what would tell.
        """
        if not self.exists:
            return None
        with self._reading() as ledger:
            if ledger.deed(key) is None:
                return None
        # A commit that is half done decides first whether it is carried through.
        with self._exclusive() as ledger:
            self._finish(ledger)
            return ledger.deed(key)

    def announce(self, key: str) -> None:
        """Note durably that a call is about to be made whose effects the journal does not see."""
        with self._exclusive() as ledger:
            ledger.announce(key)

    def conclude(self, key: str, output: object) -> None:
        """Note what an announced call returned."""
        with self._exclusive() as ledger:
            ledger.conclude(key, output)

    def withdraw(self, key: str) -> None:
        """Forget an announced call that was refused."""
        with self._exclusive() as ledger:
            ledger.withdraw(key)

    def close(self) -> None:
        with self._lock:
            if self._ledger is not None:
                self._ledger.close()
                self._ledger = None

    @contextmanager
    def _exclusive(self, wait: float = WAIT_SECONDS) -> Iterator[Ledger]:
        until = time.monotonic() + wait
        with self._gathering.turn(wait), self._locked(max(0.0, until - time.monotonic())) as ledger:
            yield ledger

    @contextmanager
    def _locked(self, wait: float = WAIT_SECONDS) -> Iterator[Ledger]:
        """Keep other processes out; for who has the turn in this one."""
        with ExitStack() as held:
            try:
                held.enter_context(locked(self._folder / "journal.lock", wait))
            except OSError as error:
                raise Denied(
                    f"The project's history cannot be written ({error.strerror}), so the change could not be undone."
                    " Nothing was written.",
                    hint=f"Make {STATE_FOLDER}/ in the project's root writable.",
                ) from error
            with self._reading(for_writing=True) as ledger:
                yield ledger

    @contextmanager
    def _reading(self, *, for_writing: bool = False) -> Iterator[Ledger]:
        with self._lock, explained(self._file):
            yield self._open(for_writing=for_writing)

    def _open(self, *, for_writing: bool = False) -> Ledger:
        known = self._ledger
        if known is not None and (not known.is_current or (for_writing and not known.writable)):
            known.close()
            self._ledger = None
        if self._ledger is None:
            self._ledger = Ledger(self._file)
        return self._ledger

    def _place(self, path: str) -> Path:
        return self._project.root / path

    def _refuse_stale(self, changes: Sequence[Change], seen: Mapping[str, bytes | None]) -> None:
        before = {change.path: change.before for change in changes}
        # No file is to be where a folder is, unless this call empties it; a file not found may as well be a folder.
        emptied = {
            str(above) for change in changes if change.after is None for above in PurePosixPath(change.path).parents
        }
        stale = sorted(
            path
            for path, content in {**seen, **before}.items()
            if not self._file_holds(path, content, may_be_folder=path in emptied or path not in before)
        )
        if stale:
            raise Conflict(
                f"Changed on disk since it was read: {', '.join(stale)}. Nothing was written.",
                hint="Read the file again and repeat the change.",
                details={"paths": stale},
            )

    def _file_holds(self, path: str, content: bytes | None, *, may_be_folder: bool) -> bool:
        place = self._place(path)
        try:
            return is_itself(place) and read_if_there(place) == content
        except Fault:
            return content is None and may_be_folder and place.is_dir()

    def _refuse_protected(self, changes: Sequence[Change]) -> None:
        for change in changes:
            place = self._place(change.path)
            # A rename does not ask the file it replaces; who made it read-only means it.
            if place.is_file() and not os.access(place, os.W_OK):
                raise Denied(
                    f"'{change.path}' is write-protected. Nothing was written.",
                    hint="Make the file writable, or check it out where a version control system keeps it locked.",
                )

    def _record(self, ledger: Ledger, changes: Sequence[Change], author: Author, vacated: Iterable[str] = ()) -> Entry:
        places = [self._place(change.path) for change in changes]
        written = (place for place, change in zip(places, changes, strict=True) if change.after is not None)
        folders = [self._project.relative(folder) for folder in sorted(missing_folders(written))]
        # A file that comes back has the permissions it had before it was deleted.
        modes = [
            ledger.mode_before(change.path, author.undoes) if (mode := mode_of(place)) is None else mode
            for place, change in zip(places, changes, strict=True)
        ]
        return ledger.record(changes, author, folders=[*folders, *sorted(vacated)], modes=modes)

    def _placement(self, ledger: Ledger, entry: Entry, *, back: bool = False) -> Placement:
        kept = [file for file in entry.files if file.path not in entry.live]
        files = [file.reversed() for file in kept] if back else kept
        folders = ledger.folders_made() if any(file.after is None for file in files) else ()
        return Placement(self._project, entry.id, files, content=ledger.content, folders=folders)

    def _carry_out(self, ledger: Ledger, group: Sequence[_Recorded]) -> None:
        """Write the files of recorded commitments, and make all of it durable before any is settled."""
        placed = [each for each in group if self._is_placed(ledger, *each)]
        try:
            sync_folders(folder for _, _, placement in placed for folder in placement.changed_folders)
        except OSError as error:
            for commitment, entry, _ in placed:
                self._give_up(ledger, commitment, entry, error)
            return
        self._mark_applied(ledger, [entry.id for _, entry, _ in placed])
        for commitment, entry, _ in placed:
            commitment.succeed(entry)

    def _is_placed(self, ledger: Ledger, commitment: Commitment, entry: Entry, placement: Placement) -> bool:
        try:
            placement.carry_out()
        except BaseException as error:
            self._give_up(ledger, commitment, entry, error)
            if not isinstance(error, Exception):
                raise
            return False
        return True

    def _give_up(self, ledger: Ledger, commitment: Commitment, entry: Entry, error: BaseException) -> None:
        try:
            self._take_back(ledger, entry)
        except Exception as worse:  # noqa: BLE001 raised in the thread of the call that it is about
            commitment.fail(worse)
        else:
            commitment.fail(_write_refused(error) if isinstance(error, OSError) else error)

    def _mark_applied(self, ledger: Ledger, entries: Sequence[int]) -> None:
        try:
            with ledger.transaction():
                for number in entries:
                    ledger.mark(number, "applied")
            ledger.prune(self._max_entries)
        except sqlite3.Error:
            # The files are as they should be and the entries are safe; the next commit finds and ends them.
            logger.exception("journal: %d entries were written and could not be closed", len(entries))

    def _take_back(self, ledger: Ledger, entry: Entry) -> None:
        """Put back what a commit had already written.

        Raises:
            Denied: a file cannot be put back now; the entry keeps its content, and the next commit tries again.
        """
        try:
            ledger.mark(entry.id, "reverting")
        except sqlite3.Error as error:
            raise Denied(
                f"The change could not be finished ({error}); the next call completes it or takes it back.",
                hint="Check the free space and the permissions of the project's folder.",
            ) from error
        errors = self._placement(ledger, entry, back=True).carry_out_what_can_be()
        if errors:
            reason = errors[0].strerror if isinstance(errors[0], OSError) else errors[0].message
            raise Denied(
                f"A change could not be written, nor all of it put back: {reason}. What is missing is in the history.",
                hint="Check permissions and free space; the next change first puts back what is left.",
            ) from errors[0]
        ledger.discard(entry.id)

    def _finish(self, ledger: Ledger) -> list[int]:
        unfinished = ledger.unfinished()
        for entry, state in unfinished:
            if self._can_carry_through(ledger, entry, state):
                ledger.mark(entry.id, "applied")
            else:
                self._take_back(ledger, entry)
        return [entry.id for entry, _ in unfinished]

    def _can_carry_through(self, ledger: Ledger, entry: Entry, state: State) -> bool:
        return state == "pending" and not self._placement(ledger, entry).carry_out_what_can_be()


def _write_refused(error: OSError) -> Denied:
    return Denied(
        f"Could not write '{error.filename or 'a file'}': {error.strerror}. Nothing was changed.",
        hint="Check permissions and free space, then call again.",
    )
