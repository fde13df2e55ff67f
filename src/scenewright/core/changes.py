"""The files of a project as one call sees them: its own staged changes over what is on disk.

Nothing here writes. What a call stages is committed by the journal after the handler has returned, all of it or
nothing; a dry run stops before that and shows the same diff.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from scenewright.core.faults import Denied, Invalid, NotFound
from scenewright.core.project import Project

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
    """An overlay over the project's files; remembers what it read, so that a commit can tell whether it is stale."""

    def __init__(self, project: Project) -> None:
        self.project = project
        self._seen: dict[Path, bytes | None] = {}
        self._staged: dict[Path, bytes | None] = {}

    def read(self, path: str) -> bytes:
        """The content of a file.

        Raises:
            NotFound: there is none.
        """
        content = self._current(self.project.locate(path))
        if content is None:
            raise NotFound(
                f"There is no file at '{path}'.", hint="Check the path; it is relative to the project's root."
            )
        return content

    def exists(self, path: str) -> bool:
        return self._current(self.project.locate(path)) is not None

    def write(self, path: str, content: bytes) -> None:
        """Stages the content of a file, new or existing."""
        place = self.project.locate(path)
        if place == self.project.root:
            raise Invalid("The path names the project itself, not a file.", path="input.path", rule="path")
        self._current(place)
        self._staged[place] = content

    def delete(self, path: str) -> None:
        """Stages the removal of a file.

        Raises:
            NotFound: there is none.
        """
        self.read(path)
        self._staged[self.project.locate(path)] = None

    def changes(self) -> list[Change]:
        """What differs from the disk, by path."""
        return sorted(self._differences(), key=lambda change: change.path)

    def read_versions(self) -> dict[str, bytes | None]:
        """Every file this call looked at, as it was then."""
        return {self.project.relative(place): content for place, content in self._seen.items()}

    def _differences(self) -> Iterator[Change]:
        for place, after in self._staged.items():
            if (before := self._seen[place]) != after:
                yield Change(self.project.relative(place), before, after)

    def _current(self, place: Path) -> bytes | None:
        if place in self._staged:
            return self._staged[place]
        if place not in self._seen:
            self._seen[place] = read_if_there(place)
        return self._seen[place]


def read_if_there(place: Path) -> bytes | None:
    """A file's content, or None where there is no file.

    Raises:
        Invalid: there is something else than a file.
        Denied: it may not be read.
    """
    try:
        return place.read_bytes()
    except (FileNotFoundError, NotADirectoryError):
        return None
    except IsADirectoryError:
        raise Invalid(f"'{place.name}' is a folder, not a file.", path="input.path", rule="path") from None
    except PermissionError:
        raise Denied(f"'{place.name}' may not be read.", hint="Check the file's permissions.") from None
    except OSError as error:
        if error.errno == 36:  # ENAMETOOLONG
            raise Invalid("A part of the path is too long.", path="input.path", rule="path") from None
        raise
