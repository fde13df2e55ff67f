"""Putting the files of an entry in place while others are at work on them too."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from scenewright.core.faults import Conflict
from scenewright.core.projects.project import Project
from scenewright.core.writes.ledger import FileRecord, digest_of
from scenewright.core.writes.placement import Placement

OLD, NEW = b"old", b"new"


def placement(root: Path, *names: str, meanwhile: Callable[[], None] = lambda: None) -> Placement:
    """Brings files from old to new; `meanwhile` happens after the first look and before any file is replaced."""

    def content(digest: str | None) -> bytes | None:
        meanwhile()
        return {digest_of(OLD): OLD, digest_of(NEW): NEW}.get(digest)

    files = [FileRecord(name, digest_of(OLD), digest_of(NEW), 0o644) for name in names]
    return Placement(Project(root.resolve()), 7, files, content=content, folders=[])


@pytest.fixture
def root(tmp_path: Path) -> Path:
    for name in ("a", "b", "c"):
        (tmp_path / name).write_bytes(OLD)
    return tmp_path


def held(root: Path) -> dict[str, bytes]:
    return {place.name: place.read_bytes() for place in root.iterdir()}


def test_all_files_are_replaced_and_nothing_else_is_left(root: Path) -> None:
    placement(root, "a", "b").carry_out()
    assert held(root) == {"a": NEW, "b": NEW, "c": OLD}


def test_a_save_in_the_last_moment_is_not_overwritten(root: Path) -> None:
    def save() -> None:
        (root / "b").write_bytes(b"saved in an editor")

    with pytest.raises(Conflict, match="'b' was changed by another program"):
        placement(root, "b", meanwhile=save).carry_out()
    assert held(root) == {"a": OLD, "b": b"saved in an editor", "c": OLD}


def test_what_another_program_changed_is_left_to_it_when_finishing(root: Path) -> None:
    (root / "b").write_bytes(b"theirs")
    assert placement(root, "a", "b", "c").carry_out_what_can_be() == []
    assert held(root) == {"a": NEW, "b": b"theirs", "c": NEW}


def test_finishing_goes_on_past_a_file_that_cannot_be_written(root: Path) -> None:
    (root / "b").unlink()
    files = [FileRecord("a", digest_of(OLD), digest_of(NEW), None), FileRecord("c/d", None, digest_of(NEW), None)]
    work = Placement(Project(root.resolve()), 7, files, content={digest_of(NEW): NEW}.get, folders=[])
    (error,) = work.carry_out_what_can_be()
    assert isinstance(error, OSError)
    assert held(root) == {"a": NEW, "c": OLD}


def test_doing_it_again_changes_nothing(root: Path) -> None:
    placement(root, "a").carry_out_what_can_be()
    assert placement(root, "a").carry_out_what_can_be() == []
    assert held(root) == {"a": NEW, "b": OLD, "c": OLD}
