"""Brings the files of one journal entry from their old content to their new one, or back; may be repeated safely.

A record is only a file: the paths in it go through the project's own check, as those of calls do.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from pathlib import Path

from scenewright.core.faults import Conflict, Denied, Fault
from scenewright.core.projects.project import Project
from scenewright.core.writes.disk import (
    clear_empty_folder,
    delete_file,
    is_itself,
    make_folder,
    read_if_there,
    replace_file,
    stage,
    sync_folders,
)
from scenewright.core.writes.ledger import FileRecord, digest_of

__all__ = ["Placement"]


class Placement:
    """The files of an entry on their way from `before` to `after`."""

    def __init__(
        self,
        project: Project,
        number: int,
        files: Sequence[FileRecord],
        *,
        content: Callable[[str | None], bytes | None],
        folders: Iterable[str],
    ) -> None:
        self._project = project
        self._number = number
        self._content = content
        self._folders = sorted(folders, key=len, reverse=True)  # made by an entry, so to be removed when empty
        # Innermost first, so that a file can take the place of a folder.
        self._deletions = [file for file in reversed(files) if file.after is None]
        self._writes = [file for file in files if file.after is not None]
        self._emptied = {folder for file in self._deletions for folder in self._path_named(file.path).parents}

    def carry_out(self) -> None:
        """Change all files; it is for the caller to sync the changed folders.

        Raises:
            Conflict: one is no longer as it was before.
            OSError: one cannot be written.
        """
        self._carry_out(self._insist_unchanged)

    def carry_out_what_can_be(self) -> list[OSError | Fault]:
        """Change the files that are still as they were before, and leave the others; return what went wrong."""
        errors: dict[str, OSError | Fault] = {}

        def attempt(step: Callable[[FileRecord], None], file: FileRecord) -> None:
            try:
                if file.path not in errors and self._is_unchanged(file):
                    step(file)
            except (OSError, Fault) as error:
                errors[file.path] = error

        self._carry_out(attempt)
        sync_folders(self.changed_folders)
        return list(errors.values())

    @property
    def changed_folders(self) -> set[Path]:
        """Folders that list other files now."""
        return {self._path_named(file.path).parent for file in (*self._writes, *self._deletions)}

    def _insist_unchanged(self, step: Callable[[FileRecord], None], file: FileRecord) -> None:
        if not self._is_unchanged(file):
            raise Conflict(
                f"'{file.path}' was changed by another program at the same moment. Nothing was written.",
                hint="Read the file again and repeat the change.",
                details={"paths": [file.path]},
            )
        try:
            step(file)
        except OSError as error:
            raise OSError(error.errno, error.strerror, file.path) from error

    def _carry_out(self, run: Callable[[Callable[[FileRecord], None], FileRecord], None]) -> None:
        # Everything is on the disk before anything changes, except what will lie in a folder that is still a file.
        deleted = {self._path_named(file.path) for file in self._deletions}
        waiting = [file for file in self._writes if not deleted.isdisjoint(self._path_named(file.path).parents)]
        try:
            for file in self._writes:
                if file not in waiting:
                    run(self._stage, file)
            for file in self._deletions:
                run(self._delete, file)
            self._clear_up(self._deletions)
            self._tidy_folders()
            for file in waiting:
                run(self._stage, file)
            for file in self._writes:
                run(self._replace, file)
        finally:
            self._clear_up(self._writes)

    def _is_unchanged(self, file: FileRecord) -> bool:
        try:
            place = self._place(file)
        except Fault:
            return False  # not a place of ours, whatever the record says
        try:
            return is_itself(place) and digest_of(read_if_there(place)) == file.before
        except Fault:
            # A folder that the deletions empty, or are about to, may give way to a file.
            return file.before is None and place in self._emptied and place.is_dir()

    def _stage(self, file: FileRecord) -> None:
        place = self._place(file)
        make_folder(place.parent)
        content = self._content(file.after)
        assert content is not None
        stage(self._temporary(file), content, mode=file.mode, like=place)

    def _replace(self, file: FileRecord) -> None:
        place = self._place(file)
        clear_empty_folder(place)
        replace_file(self._temporary(file), place)

    def _delete(self, file: FileRecord) -> None:
        delete_file(self._place(file))

    def _tidy_folders(self) -> None:
        """Remove folders that we once made and a deletion has now emptied."""
        for folder in self._folders:
            if any(file.path.startswith(f"{folder}/") for file in self._deletions):
                with suppress(OSError, Fault):
                    self._locate_recorded(folder).rmdir()

    def _clear_up(self, files: Sequence[FileRecord]) -> None:
        for file in files:
            with suppress(OSError, Fault):
                self._temporary(file).unlink()

    def _path_named(self, path: str) -> Path:
        return self._project.root / path

    def _place(self, file: FileRecord) -> Path:
        return self._locate_recorded(file.path)

    def _locate_recorded(self, path: str) -> Path:
        """Return the place of a recorded path; one that leads through a link is no longer the one that was written to.

        Raises:
            Fault: it leads out of the project, or to what operations do not touch.
        """
        named = self._path_named(path)
        if self._project.locate(path) != named:
            raise Denied(f"'{path[:200]}' leads through a link, or is not written as history writes paths.")
        return named

    def _temporary(self, file: FileRecord) -> Path:
        # The name says who made it and is the same after a crash, so that recovery finds it. It does not carry the
        # target's name, which may already be as long as the file system allows.
        name = hashlib.sha256(file.path.encode()).hexdigest()[:12]
        return self._place(file).parent / f".scenewright-{self._number}-{name}.tmp"
