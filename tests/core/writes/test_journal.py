"""Writing to disk: all or nothing, never over what the call has not seen, and always with a way back."""

from __future__ import annotations

import errno
import os
import shutil
import sqlite3
import subprocess
import sys
import threading
from collections.abc import Iterator
from itertools import count
from pathlib import Path

import pytest
from tests.core.writes.books import commit, files_in, open_journal, undo

from scenewright.core.faults import Conflict, Denied, Invalid, NotFound
from scenewright.core.projects.ownership import state_folder
from scenewright.core.projects.project import Project
from scenewright.core.records.database import Damaged
from scenewright.core.writes.changeset import Change, Changeset
from scenewright.core.writes.journal import Author, Journal
from scenewright.core.writes.locks import locked

AUTHOR = Author("test", "id", None, "A change.")


@pytest.fixture
def journal(project: Path) -> Iterator[Journal]:
    journal = open_journal(project)
    yield journal
    journal.close()


def test_files_of_one_commit_change_together_and_go_back_together(project: Path, journal: Journal) -> None:
    (project / "gone.txt").write_bytes(b"old")
    (project / "kept.txt").write_bytes(b"old")
    entry = commit(journal, project, {"new.txt": b"new", "gone.txt": None, "kept.txt": b"new"})
    assert files_in(project) == {"new.txt": b"new", "kept.txt": b"new"}
    assert [(file.path, file.kind) for file in entry.files] == [
        ("gone.txt", "deleted"),
        ("kept.txt", "modified"),
        ("new.txt", "created"),
    ]

    undo(journal, project, entry)
    assert files_in(project) == {"gone.txt": b"old", "kept.txt": b"old"}


@pytest.mark.parametrize(
    "name",
    [
        "ünïcödé 名前 🎮.txt",
        "n" * 255,
        "  spaces  ",
        "line\nfeed",
        "-rf",
        "'quotes\"",
        "back\\slash",
        "ä" * 127,
        ".hidden",
        "tab\t",
    ],
)
def test_any_name_a_file_can_have_is_written_and_taken_back(project: Path, journal: Journal, name: str) -> None:
    entry = commit(journal, project, {f"folder/{name}": b"content"})
    assert (project / "folder" / name).read_bytes() == b"content"
    undo(journal, project, entry)
    assert not (project / "folder").exists()


@pytest.mark.parametrize(
    "content", [b"", b"\0\xff\xfe\x80", b"a\r\nb\nc\r", "\ufeffBOM".encode(), bytes(range(256)) * 4000]
)
def test_any_content_is_kept_byte_for_byte(project: Path, journal: Journal, content: bytes) -> None:
    (project / "a").write_bytes(content)
    entry = commit(journal, project, {"a": b"other", "b": content})
    assert (project / "b").read_bytes() == content
    undo(journal, project, entry)
    assert files_in(project) == {"a": content}


def test_a_file_that_changed_since_it_was_read_is_not_overwritten(project: Path, journal: Journal) -> None:
    (project / "a.txt").write_bytes(b"as read")
    (project / "b.txt").write_bytes(b"as read")
    files = Changeset(Project.at(project))
    files.write("a.txt", b"ours")
    files.write("b.txt", b"ours")
    (project / "b.txt").write_bytes(b"theirs!")
    with pytest.raises(Conflict, match=r"b\.txt") as caught:
        journal.commit(files.changes(), AUTHOR, files.read_versions())
    assert caught.value.details == {"paths": ["b.txt"]}
    assert files_in(project) == {"a.txt": b"as read", "b.txt": b"theirs!"}
    assert journal.entries(limit=10) == []


def test_a_file_that_was_only_read_must_not_have_changed_either(project: Path, journal: Journal) -> None:
    (project / "source.txt").write_bytes(b"1")
    files = Changeset(Project.at(project))
    files.write("derived.txt", files.read("source.txt") * 2)
    (project / "source.txt").write_bytes(b"2")
    with pytest.raises(Conflict, match=r"source\.txt"):
        journal.commit(files.changes(), AUTHOR, files.read_versions())
    assert not (project / "derived.txt").exists()


def test_a_file_that_appeared_where_none_was_seen_is_not_overwritten(project: Path, journal: Journal) -> None:
    files = Changeset(Project.at(project))
    files.write("new.txt", b"ours")
    (project / "new.txt").write_bytes(b"theirs")
    with pytest.raises(Conflict):
        journal.commit(files.changes(), AUTHOR)
    assert (project / "new.txt").read_bytes() == b"theirs"


def test_a_folder_where_no_file_was_seen_is_no_change(project: Path, journal: Journal) -> None:
    (project / "folder").mkdir()
    files = Changeset(Project.at(project))
    files.write("a.txt", b"ours")
    journal.commit(files.changes(), AUTHOR, {**files.read_versions(), "folder": None})
    assert (project / "a.txt").read_bytes() == b"ours"


def test_a_file_written_again_with_the_same_content_has_not_changed(project: Path, journal: Journal) -> None:
    (project / "a.txt").write_bytes(b"same")
    files = Changeset(Project.at(project))
    files.write("a.txt", b"ours")
    (project / "a.txt").write_bytes(b"same")
    os.utime(project / "a.txt", (1, 1))
    journal.commit(files.changes(), AUTHOR, files.read_versions())
    assert (project / "a.txt").read_bytes() == b"ours"


def test_a_write_that_fails_half_way_puts_everything_back(project: Path, journal: Journal) -> None:
    (project / "a.txt").write_bytes(b"old")
    (project / "file").write_bytes(b"no folder")
    changes = [
        Change("a.txt", b"old", b"new"),
        Change("file/below.txt", None, b"new"),
        Change("made/b.txt", None, b"new"),
    ]
    with pytest.raises(Denied, match=r"Could not write 'file/below\.txt'.*Nothing was changed"):
        journal.commit(changes, AUTHOR)
    assert files_in(project) == {"a.txt": b"old", "file": b"no folder"}
    assert not (project / "made").exists()
    assert journal.entries(limit=10) == []
    assert commit(journal, project, {"a.txt": b"newer"}).files


def test_what_cannot_be_put_back_now_is_put_back_by_the_next_commit(
    project: Path, journal: Journal, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("a.txt", "b.txt"):
        (project / name).write_bytes(b"old")
    replace, calls = os.replace, count(1)

    def broken_after_one(source: str, target: str) -> None:
        if next(calls) > 1:
            raise OSError(errno.EIO, os.strerror(errno.EIO), str(target))
        replace(source, target)

    with monkeypatch.context() as broken:
        broken.setattr(os, "replace", broken_after_one)
        with pytest.raises(Denied, match="nor all of it put back: Input/output error") as caught:
            commit(journal, project, {"a.txt": b"new", "b.txt": b"new"})
        assert str(project) not in caught.value.message
        with pytest.raises(Denied, match="nor all of it put back"):
            commit(journal, project, {"c.txt": b"new"})
    assert files_in(project) == {"a.txt": b"new", "b.txt": b"old"}
    assert journal.entries(limit=9) == []

    commit(journal, project, {"c.txt": b"new"})
    assert files_in(project) == {"a.txt": b"old", "b.txt": b"old", "c.txt": b"new"}


LIMITED = """
import resource, sys
from pathlib import Path
from tests.core.writes.books import commit, files_in, open_journal
from scenewright.core.faults import Denied
import os
root, content = Path(sys.argv[1]), bytes(1_000_000) if sys.argv[2] == "file" else os.urandom(1_000_000)
journal = open_journal(root)
commit(journal, root, {"a.txt": b"old"})
resource.setrlimit(resource.RLIMIT_FSIZE, (300_000, 300_000))
try:
    commit(journal, root, {"a.txt": b"new", "b/large.bin": content})
except Denied as fault:
    print(fault.message)
assert files_in(root) == {"a.txt": b"old"} and not (root / "b").exists(), files_in(root)
assert [entry.id for entry in journal.entries(limit=9)] == [1]
commit(journal, root, {"a.txt": b"newer"})
assert files_in(root) == {"a.txt": b"newer"}
"""


@pytest.mark.skipif(sys.platform == "win32", reason="needs a limit on the size of files")
@pytest.mark.parametrize("full", ["file", "journal"])
def test_without_room_for_a_file_or_its_record_nothing_changes(project: Path, full: str) -> None:
    done = subprocess.run(
        [sys.executable, "-c", LIMITED, str(project), full],
        cwd=Path(__file__).parents[3],
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert "Nothing was" in done.stdout


def test_permissions_survive_a_change_a_deletion_and_the_way_back(project: Path, journal: Journal) -> None:
    script = project / "run.sh"
    script.write_bytes(b"1")
    script.chmod(0o751)
    commit(journal, project, {"run.sh": b"2"})
    assert script.stat().st_mode & 0o7777 == 0o751
    entry = commit(journal, project, {"run.sh": None})
    undo(journal, project, entry)
    assert (script.read_bytes(), script.stat().st_mode & 0o7777) == (b"2", 0o751)


def test_a_link_inside_the_project_stays_a_link_and_its_target_changes(project: Path, journal: Journal) -> None:
    (project / "real").mkdir()
    (project / "real/a.txt").write_bytes(b"old")
    (project / "link.txt").symlink_to("real/a.txt")
    (project / "folder").symlink_to("real")
    entry = commit(journal, project, {"link.txt": b"new", "folder/b.txt": b"new"})
    assert (project / "link.txt").is_symlink()
    assert (project / "folder").is_symlink()
    assert [file.path for file in entry.files] == ["real/a.txt", "real/b.txt"]
    assert (project / "real/a.txt").read_bytes() == b"new"
    undo(journal, project, entry)
    assert (project / "link.txt").read_bytes() == b"old"
    assert not (project / "real/b.txt").exists()


@pytest.mark.parametrize("which", ["file", "folder"])
def test_a_link_put_in_place_of_what_was_read_is_not_followed(
    project: Path, journal: Journal, tmp_path: Path, which: str
) -> None:
    outside = tmp_path / "outside"
    outside.mkdir()
    (outside / "a.txt").write_bytes(b"old")
    (project / "folder").mkdir()
    (project / "folder/a.txt").write_bytes(b"old")
    files = Changeset(Project.at(project))
    files.write("folder/a.txt", b"new")
    if which == "file":
        (project / "folder/a.txt").unlink()
        (project / "folder/a.txt").symlink_to(outside / "a.txt")
    else:
        shutil.rmtree(project / "folder")
        (project / "folder").symlink_to(outside)
    with pytest.raises(Conflict):
        journal.commit(files.changes(), AUTHOR)
    assert (outside / "a.txt").read_bytes() == b"old"


def test_folders_made_for_a_change_go_when_it_is_taken_back(project: Path, journal: Journal) -> None:
    entry = commit(journal, project, {"a/b/c.txt": b"1", "a/d.txt": b"2"})
    undo(journal, project, entry)
    assert not (project / "a").exists()


def test_folders_in_which_someone_else_put_something_stay(project: Path, journal: Journal) -> None:
    entry = commit(journal, project, {"a/b/c.txt": b"1"})
    (project / "a/theirs.txt").write_bytes(b"theirs")
    undo(journal, project, entry)
    assert files_in(project) == {"a/theirs.txt": b"theirs"}
    assert not (project / "a/b").exists()


def test_folders_that_were_there_before_stay_even_when_empty(project: Path, journal: Journal) -> None:
    (project / "theirs").mkdir()
    entry = commit(journal, project, {"theirs/a.txt": b"1"})
    undo(journal, project, entry)
    assert (project / "theirs").is_dir()


def test_a_file_becomes_a_folder_and_a_file_again(project: Path, journal: Journal) -> None:
    (project / "a").write_bytes(b"file")
    (project / "a").chmod(0o640)
    entry = commit(journal, project, {"a": None, "a/b/c": b"inside"})
    assert files_in(project) == {"a/b/c": b"inside"}
    undo(journal, project, entry)
    assert files_in(project) == {"a": b"file"}
    assert (project / "a").stat().st_mode & 0o7777 == 0o640


def test_a_folder_with_something_unknown_in_it_is_not_replaced_by_a_file(project: Path, journal: Journal) -> None:
    (project / "a").mkdir()
    (project / "a/b").write_bytes(b"known")
    changes = [Change("a/b", b"known", None), Change("a", None, b"file")]
    (project / "a/c").write_bytes(b"unknown")
    with pytest.raises(Denied, match="Nothing was changed"):
        journal.commit(changes, AUTHOR)
    assert files_in(project) == {"a/b": b"known", "a/c": b"unknown"}


def test_old_entries_are_forgotten_and_the_kept_ones_can_be_taken_back(project: Path) -> None:
    journal = open_journal(project, max_entries=10)
    entries = [commit(journal, project, {"a.txt": b"%d" % number, f"{number}.txt": b""}) for number in range(40)]
    kept = journal.entries(limit=100)
    assert 10 <= len(kept) <= 11
    assert kept[0].id == entries[-1].id
    with pytest.raises(NotFound):
        journal.entry(entries[0].id)
    journal.close()
    journal = open_journal(project)
    for entry in kept:
        undo(journal, project, entry)
    assert (project / "a.txt").read_bytes() == b"%d" % (39 - len(kept))
    journal.close()


def test_a_history_that_was_deleted_under_us_starts_anew(project: Path, journal: Journal) -> None:
    commit(journal, project, {"a.txt": b"1"})
    shutil.rmtree(state_folder(project))
    state_folder(project).mkdir(parents=True)
    entry = commit(journal, project, {"a.txt": b"2"})
    assert [found.id for found in journal.entries(limit=10)] == [entry.id]
    undo(journal, project, entry)
    assert (project / "a.txt").read_bytes() == b"1"


def test_without_its_folder_the_history_refuses_and_nothing_changes(project: Path) -> None:
    journal = Journal(Project.at(project), state_folder(project))
    with pytest.raises(Denied, match="could not be undone"):
        commit(journal, project, {"a.txt": b"1"})
    assert files_in(project) == {}
    assert journal.entries(limit=10) == []
    assert journal.recover() == []


@pytest.mark.parametrize(
    "damage", [b"no database at all, but long enough to be one" * 100, b"SQLite format 3\0" + b"\xff" * 5000]
)
def test_a_damaged_history_says_so_and_nothing_changes(project: Path, damage: bytes) -> None:
    state_folder(project).mkdir(parents=True)
    (state_folder(project) / "journal.sqlite").write_bytes(damage)
    journal = open_journal(project)
    with pytest.raises(Damaged, match=r"journal\.sqlite is damaged") as caught:
        commit(journal, project, {"a.txt": b"1"})
    assert "Move journal.sqlite" in str(caught.value.hint)
    with pytest.raises(Damaged):
        journal.entries(limit=10)
    with pytest.raises(Damaged):
        journal.recover()
    assert files_in(project) == {}
    assert (state_folder(project) / "journal.sqlite").read_bytes() == damage


def test_content_that_rotted_in_the_history_is_not_given_out(project: Path, journal: Journal) -> None:
    entry = commit(journal, project, {"a.txt": b"1"})
    journal.close()
    with sqlite3.connect(state_folder(project) / "journal.sqlite") as database:
        database.execute("UPDATE blob SET data = x'00'")
    database.close()
    with pytest.raises(Damaged):
        journal.content(entry.files[0].after)


def test_a_history_that_another_program_holds_is_a_conflict_that_passes(
    project: Path, journal: Journal, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("scenewright.core.records.database.BUSY_SECONDS", 0.05)
    commit(journal, project, {"a.txt": b"1"})
    journal.close()
    database = sqlite3.connect(state_folder(project) / "journal.sqlite", isolation_level=None)
    database.execute("BEGIN IMMEDIATE")
    with pytest.raises(Conflict, match="in use by another program"):
        commit(journal, project, {"a.txt": b"2"})
    assert files_in(project) == {"a.txt": b"1"}
    database.close()
    commit(journal, project, {"a.txt": b"2"})
    assert files_in(project) == {"a.txt": b"2"}


def leave_pending(project: Path, changes: list[Change]) -> Journal:
    """A journal as a process leaves it that dies right after its point of no return."""
    journal = open_journal(project)
    with journal._exclusive() as ledger:
        journal._record(ledger, changes, AUTHOR)
    journal.close()
    return journal


def test_what_a_dead_process_left_is_finished_by_the_next(project: Path) -> None:
    (project / "a.txt").write_bytes(b"old")
    journal = leave_pending(project, [Change("a.txt", b"old", b"new"), Change("b/c.txt", None, b"new")])
    assert journal.recover() == [1]
    assert files_in(project) == {"a.txt": b"new", "b/c.txt": b"new"}
    assert [entry.id for entry in journal.entries(limit=9)] == [1]
    assert journal.recover() == []
    journal.close()


def test_what_a_dead_process_left_is_finished_before_anything_new(project: Path) -> None:
    (project / "a.txt").write_bytes(b"old")
    journal = leave_pending(project, [Change("a.txt", b"old", b"new")])
    with pytest.raises(Conflict):
        commit(journal, project, {"a.txt": b"from what was there before"})
    assert files_in(project) == {"a.txt": b"new"}
    journal.close()


def test_a_file_that_someone_changed_after_the_death_is_left_to_them(project: Path) -> None:
    (project / "a.txt").write_bytes(b"old")
    journal = leave_pending(project, [Change("a.txt", b"old", b"new"), Change("b.txt", None, b"new")])
    (project / "a.txt").write_bytes(b"theirs")
    assert journal.recover() == [1]
    assert files_in(project) == {"a.txt": b"theirs", "b.txt": b"new"}
    journal.close()


def test_what_can_no_longer_be_finished_is_taken_back(project: Path) -> None:
    (project / "a.txt").write_bytes(b"old")
    journal = leave_pending(project, [Change("a.txt", b"old", b"new"), Change("b/c.txt", None, b"new")])
    (project / "b").write_bytes(b"now a file")
    assert journal.recover() == [1]
    assert files_in(project) == {"a.txt": b"old", "b": b"now a file"}
    assert journal.entries(limit=9) == []
    commit(journal, project, {"a.txt": b"newer"})
    journal.close()


def test_recovery_does_not_wait_for_a_process_that_is_writing(project: Path) -> None:
    (project / "a.txt").write_bytes(b"old")
    journal = leave_pending(project, [Change("a.txt", b"old", b"new")])
    with locked(state_folder(project) / "journal.lock"):
        assert journal.recover() == []
    assert journal.recover() == [1]
    journal.close()


def test_a_change_that_is_still_being_made_is_not_listed(project: Path) -> None:
    journal = leave_pending(project, [Change("a.txt", None, b"new")])
    assert journal.entries(limit=9) == []
    journal.close()


def test_threads_commit_one_after_the_other(project: Path, journal: Journal) -> None:
    other = open_journal(project)
    faults: list[BaseException] = []

    def work(mine: Journal, name: str) -> None:
        try:
            for number in range(5):
                commit(mine, project, {f"{name}.txt": b"%d" % number})
        except BaseException as error:
            faults.append(error)
            raise

    threads = [threading.Thread(target=work, args=((journal, other)[n % 2], f"t{n}")) for n in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert faults == []
    assert files_in(project) == {f"t{n}.txt": b"4" for n in range(6)}
    assert len(journal.entries(limit=100)) == 30
    other.close()


def test_a_folder_cannot_be_written_as_a_file(project: Path, journal: Journal) -> None:
    (project / "folder").mkdir()
    with pytest.raises(Invalid, match="folder, not a file"):
        commit(journal, project, {"folder": b"x"})


def test_entries_can_be_paged_and_narrowed_to_a_file(project: Path, journal: Journal) -> None:
    for number in range(4):
        commit(journal, project, {f"{number % 2}.txt": b"%d" % number})
    assert [entry.id for entry in journal.entries(limit=2)] == [4, 3]
    assert [entry.id for entry in journal.entries(limit=2, before=3)] == [2, 1]
    assert [entry.id for entry in journal.entries(limit=9, path="0.txt")] == [3, 1]
