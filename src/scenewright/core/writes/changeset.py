"""The files of a project as one call sees them: its own staged changes over what is on disk.

Nothing here writes. What a call stages is committed by the journal after the handler has returned, all of it or
nothing; a dry run stops before that and shows the same diff.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from scenewright.core.calls.deadline import check_deadline
from scenewright.core.faults import Invalid, NotFound, TooLarge
from scenewright.core.projects.file_names import check_new_path
from scenewright.core.projects.project import Project
from scenewright.core.writes.disk import read_if_there
from scenewright.core.writes.file_sizes import MOST_OF_CALL

if TYPE_CHECKING:
    from scenewright.core.projects.live import Draft, Stage

__all__ = ["Change", "Changeset", "Kind"]

Kind = str  # "created" | "modified" | "deleted"


@dataclass(frozen=True, slots=True)
class Change:
    """One file, before and after; None where it does not exist."""

    path: str
    before: bytes | None
    after: bytes | None

    @property
    def kind(self) -> Kind:
        if self.before is None:
            return "created"
        return "deleted" if self.after is None else "modified"


class Changeset:
    """An overlay over the project's files that remembers what it saw.

    A commit is refused when any file that the call looked at has another content by then, whether the call changed
    that file or only read it: what it wrote may follow from what it read, so two calls at once have the effect of
    one after the other. A file looked for and not found counts as read. What a folder holds is not watched; an
    operation that must know of new files looks for each by name.
    """

    def __init__(self, project: Project) -> None:
        self.project = project
        self._places: dict[str, Path] = {}
        self._seen: dict[Path, bytes | None] = {}
        self._staged: dict[Path, bytes | None] = {}
        self._live: set[Path] = set()  # read from an editor that has them open
        self.stage: Stage | None = None
        self.drafts: list[Draft] = []  # edits of what is no file, in the order in which they are to be made
        self._vacated: set[str] = set()
        self._bytes_read = 0

    @property
    def vacated(self) -> frozenset[str]:
        """Folders that go with their last file."""
        return frozenset(self._vacated)

    def vacate(self, folder: str) -> None:
        """Let a folder go once this call has deleted the last file in it; otherwise empty folders stay."""
        self._vacated.add(self.project.relative(self.project.locate(folder)))

    def read(self, path: str) -> bytes:
        """Return the content of a file.

        Raises:
            NotFound: there is none.
            TooLarge: it is larger than what is read, or all that this call has read is.
        """
        content = self._current(self._locate(path))
        if content is None:
            raise NotFound(
                f"There is no file at '{path}'.", hint="Check the path; it is relative to the project's root."
            )
        return content

    def exists(self, path: str) -> bool:
        try:
            return self._current(self._locate(path)) is not None
        except TooLarge:
            return True

    def _locate(self, path: str) -> Path:
        """Return the place of what is read, found once: a call that goes through a project asks for the same ones
        again.
        """
        if (place := self._places.get(path)) is None:
            place = self._places[path] = self.project.locate(path)
        return place

    def unsaved_texts(self) -> dict[str, bytes]:
        """Return what was typed into scripts and other texts in an editor and is not saved; nothing in a call that
        writes.
        """
        paths = self.stage.unsaved_texts() if self.stage is not None else ()
        return {path: self.read(path) for path in paths if self.exists(path)}

    def write(self, path: str, content: bytes) -> None:
        """Stage the content of a file, new or existing.

        Raises:
            Invalid: a new file's path means something else, or has a name that some system does not take.
        """
        check_new_path(path, self.project.root, self.project.locate(path))
        self.restore(path, content)

    def restore(self, path: str, content: bytes) -> None:
        """Stage the content of a file that was there before, whatever its name."""
        place = self.project.locate(path)
        if place == self.project.root:
            raise Invalid("The path names the project itself, not a file.", path="input.path", rule="path")
        self._current(place)
        self._refuse_below_a_file(place)
        self._staged[place] = content

    def delete(self, path: str) -> None:
        """Stage the removal of a file.

        Raises:
            NotFound: there is none.
        """
        self.read(path)
        place = self.project.locate(path)
        if place in self._live:
            # No editor can take back a deletion, so it is one on disk; what is unsaved is guarded at the commit.
            self._live.discard(place)
            self._seen[place] = read_if_there(place)
        self._staged[place] = None

    @contextmanager
    def as_saved(self) -> Iterator[None]:
        """Meanwhile files are as on the disk, whatever an editor has open; the commit refuses what is unsaved there."""
        stage, self.stage = self.stage, None
        try:
            yield
        finally:
            self.stage = stage

    def fork(self) -> Changeset:
        """Return a copy to try something on, which changes nothing here until it is adopted."""
        other = Changeset(self.project)
        other._seen, other._staged, other._live = dict(self._seen), dict(self._staged), set(self._live)
        other._vacated, other.stage, other._bytes_read = set(self._vacated), self.stage, self._bytes_read
        other.drafts = [draft.fork() for draft in self.drafts]
        return other

    def adopt(self, fork: Changeset) -> None:
        """Take over what a fork has read and staged."""
        self._seen, self._staged, self._live = dict(fork._seen), dict(fork._staged), set(fork._live)
        self._vacated, self.stage, self.drafts = set(fork._vacated), fork.stage, fork.drafts
        self._bytes_read = fork._bytes_read

    def is_live(self, path: str) -> bool:
        """Return whether a file was read from an editor, so that its change belongs there."""
        return self.project.root / path in self._live

    def is_staged(self, path: str) -> bool:
        """Return whether this call has given a file another content already."""
        return self.project.root / path in self._staged

    def changes(self) -> list[Change]:
        """Return what differs from the disk, or from what an editor has, by path."""
        return sorted(self._differences(), key=lambda change: change.path)

    def written(self) -> list[str]:
        """Return the files that this call gives a content, be it the one they have, by path."""
        return sorted(self.project.relative(place) for place, after in self._staged.items() if after is not None)

    def read_versions(self) -> dict[str, bytes | None]:
        """Return every file this call looked at on the disk, as it was then."""
        return {self.project.relative(place): seen for place, seen in self._seen.items() if place not in self._live}

    def _differences(self) -> Iterator[Change]:
        for place, after in self._staged.items():
            if (before := self._seen[place]) != after:
                yield Change(self.project.relative(place), before, after)

    def _current(self, place: Path) -> bytes | None:
        check_deadline()
        if place in self._staged:
            return self._staged[place]
        if place not in self._seen:
            held = self._open_content(place)
            self._seen[place] = self._on_disk(place) if held is None else held
        return self._seen[place]

    def _on_disk(self, place: Path) -> bytes | None:
        content = None if self._is_emptied_folder(place) else read_if_there(place)
        self._bytes_read += len(content or b"")
        if self._bytes_read > MOST_OF_CALL:
            raise TooLarge(
                f"The files that this call reads have more than {MOST_OF_CALL >> 20:,} MB together.",
                path="input.path",
                rule="maximum",
                hint="Ask for a part of them.",
            )
        return content

    def _open_content(self, place: Path) -> bytes | None:
        """Return the file as an editor has it, where one has it open."""
        file = self.stage.find(self.project.relative(place)) if self.stage is not None else None
        if file is None:
            return None
        self._live.add(place)
        return file.content

    def _refuse_below_a_file(self, place: Path) -> None:
        above = place.relative_to(self.project.root).parents
        files = [folder for part in above if self._is_file(folder := self.project.root / part)]
        files += [place for file, content in self._staged.items() if content is not None and place in file.parents]
        if files:
            name = self.project.relative(files[0])
            raise Invalid(f"'{name}' cannot be both a file and a folder.", path="input.path", rule="path")

    def _is_file(self, place: Path) -> bool:
        return self._staged[place] is not None if place in self._staged else place.is_file()

    def _is_emptied_folder(self, place: Path) -> bool:
        """Return whether this call deletes all that is in a folder, so that a file may take its place."""
        if not any(content is None and place in file.parents for file, content in self._staged.items()):
            return False
        held = (Path(folder, name) for folder, _, names in os.walk(place) for name in names)
        return place.is_dir() and all(self._staged.get(file, b"") is None for file in held)
