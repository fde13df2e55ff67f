"""The journal's book."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from pathlib import Path

import pytest

from scenewright.core.records.database import Damaged
from scenewright.core.writes.changeset import Change
from scenewright.core.writes.ledger import Author, Entry, Ledger, digest_of


@pytest.fixture
def ledger(tmp_path: Path) -> Iterator[Ledger]:
    ledger = Ledger(tmp_path / "journal.sqlite")
    yield ledger
    ledger.close()


def record(ledger: Ledger, *changes: Change, mode: int | None = None, undoes: tuple[int, ...] = ()) -> Entry:
    author = Author("op", "id", "me", "Did it.", undoes)
    return ledger.record(changes, author, folders=[], modes=[mode] * len(changes))


def test_an_entry_is_read_back_as_it_was_recorded(ledger: Ledger) -> None:
    entry = record(ledger, Change("b", b"1", b"2"), Change("a", None, b"3"), mode=0o755, undoes=(3, 2))
    found = ledger.find(entry.id)
    assert found == entry
    assert (entry.operation, entry.correlation_id, entry.actor, entry.summary) == ("op", "id", "me", "Did it.")
    assert entry.undoes == (3, 2)
    assert [(file.path, file.kind, file.mode) for file in entry.files] == [
        ("a", "created", 0o755),
        ("b", "modified", 0o755),
    ]
    assert ledger.content(entry.files[1].before) == b"1"
    assert ledger.find(entry.id + 1) is None


def test_an_entry_is_unfinished_until_it_is_marked_or_discarded(ledger: Ledger) -> None:
    first, second, third = (record(ledger, Change("a", None, b"x")) for _ in range(3))
    ledger.mark(first.id, "applied")
    ledger.mark(second.id, "reverting")
    assert [(entry.id, state) for entry, state in ledger.unfinished()] == [
        (second.id, "reverting"),
        (third.id, "pending"),
    ]
    assert [entry.id for entry in ledger.newest(limit=9, before=None, path=None)] == [first.id]
    ledger.discard(second.id)
    ledger.mark(third.id, "applied")
    assert not ledger.has_unfinished()


def test_the_number_of_a_discarded_entry_is_not_given_again(ledger: Ledger) -> None:
    entry = record(ledger, Change("a", None, b"x"))
    ledger.discard(entry.id)
    assert record(ledger, Change("a", None, b"x")).id > entry.id


def test_the_same_content_is_stored_once(ledger: Ledger, tmp_path: Path) -> None:
    for name in ("a", "b", "c"):
        record(ledger, Change(name, None, b"same"))
    database = sqlite3.connect(tmp_path / "journal.sqlite")
    assert database.execute("SELECT count(*) FROM blob").fetchone() == (1,)
    database.close()


def test_forgetting_old_entries_keeps_what_the_others_need(ledger: Ledger) -> None:
    entries = [record(ledger, Change("a", b"%d" % n, b"%d" % (n + 1))) for n in range(6)]
    for entry in entries[:5]:
        ledger.mark(entry.id, "applied")
    ledger.prune(3)
    assert [entry.id for entry in ledger.newest(limit=9, before=None, path=None)] == [5, 4]
    assert ledger.has_unfinished()
    assert ledger.content(entries[3].files[0].before) == b"3"
    assert ledger.content(entries[5].files[0].after) == b"6"
    with pytest.raises(Damaged):
        ledger.content(entries[0].files[0].before)


def test_the_mode_before_is_that_of_the_oldest_entry_that_found_the_file(ledger: Ledger) -> None:
    record(ledger, Change("a", None, b"1"))
    record(ledger, Change("a", b"1", b"2"), mode=0o700)
    record(ledger, Change("a", b"2", None), mode=0o755)
    assert ledger.mode_before("a", [3, 2, 1]) == 0o700
    assert ledger.mode_before("a", [3]) == 0o755
    assert ledger.mode_before("a", [1]) is None
    assert ledger.mode_before("other", [1, 2, 3]) is None


def test_a_failed_record_leaves_no_trace_and_the_book_usable(ledger: Ledger) -> None:
    with pytest.raises(sqlite3.IntegrityError):
        record(ledger, Change("a", None, b"1"), Change("a", None, b"2"))
    assert not ledger.has_unfinished()
    assert record(ledger, Change("a", None, b"1")).files[0].after == digest_of(b"1")


def test_a_book_that_was_deleted_is_no_longer_current(ledger: Ledger, tmp_path: Path) -> None:
    assert ledger.is_current
    (tmp_path / "journal.sqlite").unlink()
    assert not ledger.is_current
