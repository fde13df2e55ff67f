"""Commits that wait at the same time go together, and each still stands or falls by itself."""

from __future__ import annotations

import errno
import os
import time
from collections.abc import Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path

import pytest
from tests.core.writes.books import files_in, open_journal

from scenewright.core.faults import Conflict, Denied
from scenewright.core.writes import journal as journals
from scenewright.core.writes import placement
from scenewright.core.writes.changeset import Change
from scenewright.core.writes.disk import stage, sync_folders
from scenewright.core.writes.gathering import Commitment, Gathering, compatible
from scenewright.core.writes.journal import Author, Entry, Journal

AUTHOR = Author("test", "id", None, "A change.")
WAIT = 60


@pytest.fixture
def journal(project: Path) -> Iterator[Journal]:
    journal = open_journal(project)
    yield journal
    journal.close()


def write(path: str, before: bytes | None = None) -> Commitment:
    return Commitment([Change(path, before, b"new")], AUTHOR)


def committed_at_once(journal: Journal, *commitments: Commitment) -> list[Future[Entry]]:
    """Commit from a thread each, in this order; none gets its turn before all of them wait."""
    results: list[Future[Entry]] = []
    with ThreadPoolExecutor(len(commitments)) as threads, journal._gathering.turn(WAIT):
        for each in commitments:
            results.append(threads.submit(journal.commit, each.changes, each.author, each.seen))
            ends = time.monotonic() + WAIT
            while len(journal._gathering._waiting) < len(results):
                assert time.monotonic() < ends
                time.sleep(0.001)
    return results


@pytest.fixture
def synced(monkeypatch: pytest.MonkeyPatch) -> list[set[Path]]:
    """The folders that commits have made durable, by commit or group."""
    synced: list[set[Path]] = []

    def note(folders: Iterable[Path]) -> None:
        synced.append(set(folders))
        sync_folders(synced[-1])

    monkeypatch.setattr(journals, "sync_folders", note)
    return synced


def test_commits_that_wait_are_made_durable_together(project: Path, journal: Journal, synced: list[set[Path]]) -> None:
    results = committed_at_once(journal, *(write(f"{name}.txt") for name in "abcde"))
    entries = [result.result(WAIT) for result in results]
    assert [[file.path for file in entry.files] for entry in entries] == [[f"{name}.txt"] for name in "abcde"]
    assert sorted(entry.id for entry in entries) == [entry.id for entry in reversed(journal.entries(limit=9))]
    assert files_in(project) == {f"{name}.txt": b"new" for name in "abcde"}
    assert synced == [{project}]


def test_one_that_fails_takes_none_of_the_others_along(
    project: Path, journal: Journal, monkeypatch: pytest.MonkeyPatch
) -> None:
    def stage_unless_full(temporary: Path, content: bytes, *, mode: int | None, like: Path) -> None:
        if content == b"too much":
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC), str(temporary))
        stage(temporary, content, mode=mode, like=like)

    monkeypatch.setattr(placement, "stage", stage_unless_full)
    (project / "known.txt").write_bytes(b"other")
    large = Commitment([Change("new/large.txt", None, b"too much")], AUTHOR)
    waiting = (write("a.txt"), write("known.txt", b"old"), large, write("z.txt"))
    first, stale, full, last = committed_at_once(journal, *waiting)
    kept = [entry.id for entry in reversed(journal.entries(limit=9))]
    assert [first.result(WAIT).id, last.result(WAIT).id] == kept
    with pytest.raises(Conflict, match=r"known\.txt"):
        stale.result(WAIT)
    with pytest.raises(Denied, match=r"large\.txt"):
        full.result(WAIT)
    assert files_in(project) == {"a.txt": b"new", "known.txt": b"other", "z.txt": b"new"}


def test_the_second_of_two_that_write_one_file_sees_the_first(project: Path, journal: Journal) -> None:
    first, second, third = committed_at_once(journal, write("a.txt"), write("a.txt"), write("b.txt"))
    assert first.result(WAIT).id < third.result(WAIT).id
    with pytest.raises(Conflict, match=r"a\.txt"):
        second.result(WAIT)
    assert files_in(project) == {"a.txt": b"new", "b.txt": b"new"}


@pytest.mark.parametrize(
    ("waiting", "sizes"),
    [
        ([write("a"), write("b"), write("c")], [3]),
        ([write("a"), write("b"), write("a"), write("c")], [2, 2]),
        ([write("a"), write("a/b")], [1, 1]),  # a file where the other needs a folder
        ([write("a/b"), write("a")], [1, 1]),
        ([write("level/A.txt"), write("Level/a.txt")], [1, 1]),  # one file, where case does not count
        ([write("a"), Commitment([Change("b", None, b"")], AUTHOR, {"a": None})], [1, 1]),  # has read the other's file
        ([write("a"), Commitment([Change("b", b"", None)], AUTHOR), write("c")], [1, 1, 1]),  # deletes
    ],
)
def test_only_those_that_do_not_meet_are_made_together(waiting: list[Commitment], sizes: list[int]) -> None:
    groups = list(compatible(waiting))
    assert [len(group) for group in groups] == sizes
    assert [each for group in groups for each in group] == waiting


def test_who_waits_in_vain_leaves_nothing_behind() -> None:
    gathering, commitment = Gathering(), write("a.txt")
    with gathering.turn(0), pytest.raises(Conflict, match="busy"), gathering.joined(commitment, 0):
        pass
    assert gathering.take() == []
    with gathering.joined(commitment, 0) as leads:
        assert leads
