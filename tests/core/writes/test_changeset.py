"""What a call sees of the files: the disk, under its own changes."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from scenewright.core.faults import Denied, Invalid, NotFound
from scenewright.core.projects.project import Project
from scenewright.core.writes.changeset import Change, Changeset


@pytest.fixture
def files(project: Path) -> Changeset:
    return Changeset(Project.at(project))


def test_staged_content_is_seen_and_the_disk_is_not_touched(project: Path, files: Changeset) -> None:
    (project / "a.txt").write_bytes(b"disk")
    files.write("a.txt", b"staged")
    files.write("b.txt", b"new")
    assert files.read("a.txt") == b"staged"
    assert files.exists("b.txt")
    assert (project / "a.txt").read_bytes() == b"disk"
    assert not (project / "b.txt").exists()


def test_a_file_is_read_once_so_that_a_call_sees_one_version(project: Path, files: Changeset) -> None:
    (project / "a.txt").write_bytes(b"first")
    assert files.read("a.txt") == b"first"
    (project / "a.txt").write_bytes(b"second")
    assert files.read("a.txt") == b"first"
    assert files.read_versions() == {"a.txt": b"first"}


def test_a_file_looked_for_in_vain_counts_as_read(files: Changeset) -> None:
    assert not files.exists("a.txt")
    assert files.read_versions() == {"a.txt": None}


def test_changes_are_what_differs_from_the_disk(project: Path, files: Changeset) -> None:
    for name in ("same", "changed", "gone"):
        (project / name).write_bytes(b"disk")
    files.write("same", b"disk")
    files.write("changed", b"new")
    files.delete("gone")
    files.write("passing", b"new")
    files.delete("passing")
    files.write("new", b"")
    assert files.changes() == [
        Change("changed", b"disk", b"new"),
        Change("gone", b"disk", None),
        Change("new", None, b""),
    ]
    assert [change.kind for change in files.changes()] == ["modified", "deleted", "created"]


def test_what_is_staged_for_deletion_is_gone_and_can_be_written_again(project: Path, files: Changeset) -> None:
    (project / "a").write_bytes(b"disk")
    files.delete("a")
    with pytest.raises(NotFound):
        files.read("a")
    with pytest.raises(NotFound):
        files.delete("a")
    files.write("a", b"again")
    assert files.changes() == [Change("a", b"disk", b"again")]


def test_one_file_under_two_names_is_one_file(project: Path, files: Changeset) -> None:
    (project / "real.txt").write_bytes(b"disk")
    (project / "link.txt").symlink_to("real.txt")
    files.write("link.txt", b"new")
    files.write("./folder/../real.txt", b"newer")
    assert files.changes() == [Change("real.txt", b"disk", b"newer")]


def test_a_path_cannot_be_both_a_file_and_a_folder(project: Path, files: Changeset) -> None:
    (project / "disk.txt").write_bytes(b"")
    with pytest.raises(Invalid, match=r"'disk\.txt' cannot be both"):
        files.write("disk.txt/below", b"")
    files.write("staged", b"")
    with pytest.raises(Invalid, match="'staged' cannot be both"):
        files.write("staged/deep/below", b"")
    files.write("folder/file", b"")
    with pytest.raises(Invalid, match="'folder' cannot be both"):
        files.write("folder", b"")
    assert [change.path for change in files.changes()] == ["folder/file", "staged"]


def test_a_file_may_become_a_folder_once_it_is_deleted_and_the_other_way_round(project: Path, files: Changeset) -> None:
    (project / "file").write_bytes(b"")
    (project / "folder").mkdir()
    (project / "folder/only").write_bytes(b"")
    files.delete("file")
    files.write("file/below", b"")
    with pytest.raises(Invalid, match="folder, not a file"):
        files.write("folder", b"")
    files.delete("folder/only")
    files.write("folder", b"")
    assert [change.path for change in files.changes()] == ["file", "file/below", "folder", "folder/only"]


def test_a_folder_with_more_in_it_than_was_deleted_stays_a_folder(project: Path, files: Changeset) -> None:
    (project / "folder").mkdir()
    (project / "folder/one").write_bytes(b"")
    (project / "folder/two").write_bytes(b"")
    files.delete("folder/one")
    with pytest.raises(Invalid, match="folder, not a file"):
        files.write("folder", b"")


def test_only_files_can_be_read_written_and_deleted(project: Path, files: Changeset) -> None:
    (project / "folder").mkdir()
    for path in ("folder", ".", "folder/.."):
        with pytest.raises(Invalid):
            files.read(path)
        with pytest.raises(Invalid):
            files.write(path, b"")
        with pytest.raises(Invalid):
            files.delete(path)
    assert files.changes() == []


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="needs named pipes")
def test_a_named_pipe_is_refused_at_once(project: Path, files: Changeset) -> None:
    os.mkfifo(project / "pipe")
    with pytest.raises(Invalid, match="not a regular file"):
        files.read("pipe")


def test_a_fork_changes_nothing_until_it_is_adopted(project: Path, files: Changeset) -> None:
    (project / "a").write_bytes(b"disk")
    fork = files.fork()
    fork.write("a", b"new")
    assert files.changes() == []
    files.adopt(fork)
    assert files.changes() == [Change("a", b"disk", b"new")]


@pytest.mark.parametrize("path", ["../out.txt", "/etc/hostname", ".scenewright/token", ".git/config"])
def test_nothing_outside_the_project_or_of_ours_is_staged(files: Changeset, path: str) -> None:
    with pytest.raises(Denied):
        files.write(path, b"")
    with pytest.raises(Denied):
        files.read(path)
    assert files.changes() == []
