"""A journal over a real folder, and short ways to change files through it."""

from __future__ import annotations

from pathlib import Path

from scenewright.core.projects.ownership import state_folder
from scenewright.core.projects.project import Project
from scenewright.core.writes.changeset import Changeset
from scenewright.core.writes.journal import Author, Entry, Journal

__all__ = ["commit", "files_in", "open_journal", "undo"]


def open_journal(root: Path, **options: int) -> Journal:
    folder = state_folder(root)
    folder.mkdir(parents=True, exist_ok=True)
    return Journal(Project.at(root), folder, **options)


def commit(journal: Journal, root: Path, contents: dict[str, bytes | None], *, undoes: tuple[int, ...] = ()) -> Entry:
    """Writes, and for None deletes, in one go."""
    files = Changeset(Project.at(root))
    for path in (path for path, content in contents.items() if content is None):
        files.delete(path)
    for path, content in contents.items():
        if content is not None:
            files.restore(path, content)  # whatever its name
    return journal.commit(files.changes(), Author("test", "id", None, "A change.", undoes), files.read_versions())


def undo(journal: Journal, root: Path, entry: Entry) -> Entry:
    contents = {file.path: journal.content(file.before) for file in entry.files}
    return commit(journal, root, contents, undoes=(entry.id,))


def files_in(root: Path) -> dict[str, bytes]:
    """Every file that is not scenewright's own."""
    names = (place.relative_to(root) for place in root.rglob("*"))
    theirs = [name for name in names if name.parts[0] not in (".scenewright", ".godot_mcp")]
    return {str(name): (root / name).read_bytes() for name in theirs if (root / name).is_file()}
