"""SQLite files: several processes, and what goes wrong."""

from __future__ import annotations

import sqlite3
import subprocess
import sys
from pathlib import Path

import pytest

from scenewright.contracts.omni.codes import code_of
from scenewright.core.faults import Conflict, Denied, Fault
from scenewright.core.records.database import Damaged, connect, connect_read_only, explained, is_damage, is_refusal

TABLE = "CREATE TABLE IF NOT EXISTS t (x)"


def fault_for(path: Path, query: str, database: sqlite3.Connection) -> Fault:
    with pytest.raises(Fault) as caught, explained(path):
        database.execute(query)
    database.close()
    return caught.value


def test_processes_that_make_the_same_file_at_once_all_succeed(tmp_path: Path) -> None:
    script = (
        "import sys; from pathlib import Path; from scenewright.core.records.database import connect\n"
        "sys.stdin.read(1)\n"
        f"database = connect(Path(sys.argv[1]), {TABLE!r}, synchronous='NORMAL')\n"
        "database.execute('INSERT INTO t VALUES (1)'); database.close()"
    )
    command = [sys.executable, "-c", script, str(tmp_path / "t.sqlite")]
    running = [subprocess.Popen(command, stdin=subprocess.PIPE) for _ in range(6)]
    for process in running:
        process.communicate(b"x", timeout=60)
    assert [process.returncode for process in running] == [0] * 6
    database = connect(tmp_path / "t.sqlite", TABLE, synchronous="NORMAL")
    assert database.execute("SELECT count(*) FROM t").fetchone() == (6,)
    database.close()


def test_a_file_that_is_no_database_is_damaged(tmp_path: Path) -> None:
    (tmp_path / "t.sqlite").write_bytes(b"not a database, certainly" * 50)
    with pytest.raises(Damaged) as caught, explained(tmp_path / "t.sqlite"):
        connect(tmp_path / "t.sqlite", TABLE, synchronous="FULL")
    assert isinstance(caught.value.__cause__, sqlite3.Error)
    assert is_damage(caught.value.__cause__)
    assert code_of(caught.value) == "E_INTERNAL"


def test_a_folder_in_the_place_of_the_file_is_a_refusal(tmp_path: Path) -> None:
    (tmp_path / "t.sqlite").mkdir()
    with pytest.raises(Denied, match="cannot be written") as caught, explained(tmp_path / "t.sqlite"):
        connect(tmp_path / "t.sqlite", TABLE, synchronous="FULL")
    assert isinstance(caught.value.__cause__, sqlite3.Error)
    assert is_refusal(caught.value.__cause__)


def test_a_full_disk_is_told_as_such(tmp_path: Path) -> None:
    database = connect(tmp_path / "t.sqlite", TABLE, synchronous="FULL")
    database.execute("PRAGMA max_page_count = 4")
    assert (
        "disk is full" in fault_for(tmp_path / "t.sqlite", "INSERT INTO t VALUES (zeroblob(99999))", database).message
    )


def test_a_file_in_use_is_a_conflict_that_can_be_tried_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("scenewright.core.records.database.BUSY_SECONDS", 0.05)
    holder = connect(tmp_path / "t.sqlite", TABLE, synchronous="FULL")
    holder.execute("BEGIN IMMEDIATE")
    other = connect(tmp_path / "t.sqlite", TABLE, synchronous="FULL")
    fault = fault_for(tmp_path / "t.sqlite", "BEGIN IMMEDIATE", other)
    holder.close()
    assert isinstance(fault, Conflict)
    assert fault.retryable


@pytest.mark.parametrize("closed", [True, False])
def test_a_file_opened_for_reading_only_is_read_and_not_written(tmp_path: Path, closed: bool) -> None:
    writer = connect(tmp_path / "t.sqlite", TABLE, synchronous="FULL")
    writer.execute("INSERT INTO t VALUES (1)")
    if closed:
        writer.close()
    reader = connect_read_only(tmp_path / "t.sqlite")
    assert reader.execute("SELECT x FROM t").fetchall() == [(1,)]
    assert isinstance(fault_for(tmp_path / "t.sqlite", "INSERT INTO t VALUES (2)", reader), Denied)
    writer.close()
