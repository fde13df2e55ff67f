"""The log of runs: survives, forgets what is old, and never stops a call."""

from __future__ import annotations

import logging
import os
import shutil
import subprocess
import sys
import threading
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from scenewright.core.records.run_log import Run, RunLog, new_run_id


def run(name: str = "core.ping", *, run_id: str | None = None, actor: str | None = None) -> Run:
    return Run(run_id=run_id or new_run_id(), correlation_id="c", name=name, actor=actor).started()


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "runs.sqlite"


def test_a_run_is_read_back_as_the_gox_contract_shows_it(path: Path) -> None:
    log = RunLog(path)
    mine = run(actor="me")
    log.put(mine)
    assert log.find(mine.run_id) == {
        "runId": mine.run_id,
        "correlationId": "c",
        "type": "action",
        "name": "core.ping",
        "status": "running",
        "startedAt": mine.started_at,
        "actor": "me",
    }
    log.put(mine.ended("failed", error_code="NOT_FOUND", error_message="No."))
    found = log.find(mine.run_id)
    assert found is not None
    assert (found["status"], found["errorCode"], found["errorMessage"]) == ("failed", "NOT_FOUND", "No.")
    assert found["endedAt"].endswith("Z")
    assert log.find("run-none") is None
    log.close()


@pytest.mark.parametrize("stored", [True, False])
def test_a_read_sees_every_write_before_it(path: Path, stored: bool) -> None:
    log = RunLog(path if stored else None)
    for number in range(200):
        log.put(run(run_id=f"run-{number:03}"))
        assert log.recent(1)[0]["runId"] == f"run-{number:03}"
    assert [found["runId"] for found in log.recent(2)] == ["run-199", "run-198"]
    assert log.ids_with_prefix("run-01", limit=100) == [f"run-{number:03}" for number in range(19, 9, -1)]
    assert log.ids_with_prefix("run_%") == []
    log.close()


HUNDRED = """
import sys
from pathlib import Path
from scenewright.core.records.run_log import Run, RunLog
log = RunLog(Path(sys.argv[1]))
for number in range(100):
    log.put(Run(run_id=sys.argv[2] + str(number), correlation_id="c", name="n").started())
log.close()
"""


def test_runs_survive_the_process(path: Path) -> None:
    running = [subprocess.Popen([sys.executable, "-c", HUNDRED, str(path), f"run-{name}-"]) for name in "abcd"]
    assert [process.wait(60) for process in running] == [0] * 4
    log = RunLog(path)
    assert len(log.recent(1000)) == 400
    log.close()


def test_old_runs_are_forgotten(path: Path) -> None:
    log = RunLog(path)
    long_ago = (datetime.now(UTC) - timedelta(days=2)).isoformat()
    log.put(Run(run_id="run-old", correlation_id="c", name="n", started_at=long_ago))
    log.put(run(run_id="run-new"))
    log.close()
    log = RunLog(path, max_age=86_400)
    assert [found["runId"] for found in log.recent()] == ["run-new"]
    log.close()


def test_a_server_that_runs_for_long_forgets_too(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("scenewright.core.records.run_store.PRUNE_EVERY", 10)
    log = RunLog(path, max_age=86_400)
    long_ago = (datetime.now(UTC) - timedelta(days=2)).isoformat()
    log.put(run())
    log.put(Run(run_id="run-old", correlation_id="c", name="n", started_at=long_ago))
    for _ in range(10):
        log.put(run())
    assert log.recent()  # what was put is written together, and the next use finds that it is time
    assert log.find("run-old") is None
    log.close()


@pytest.mark.parametrize("damage", [b"not a database, but long enough" * 200, b"SQLite format 3\0" + b"\xff" * 9000])
def test_a_damaged_file_is_set_aside_and_nothing_waits(
    path: Path, damage: bytes, caplog: pytest.LogCaptureFixture
) -> None:
    path.write_bytes(damage)
    log = RunLog(path)
    with caplog.at_level(logging.WARNING):
        assert log.recent() == []
    mine = run()
    log.put(mine)
    assert log.find(mine.run_id) is not None
    log.close()
    assert path.with_name("runs.sqlite.damaged").read_bytes() == damage
    assert "was renamed to runs.sqlite.damaged" in caplog.text
    log = RunLog(path)
    assert log.find(mine.run_id) is not None
    log.close()


def test_a_file_that_is_damaged_while_in_use_is_replaced(path: Path) -> None:
    log = RunLog(path)
    for _ in range(300):
        log.put(run())
    log.close()
    size = path.stat().st_size
    with path.open("r+b") as file:
        file.seek(4096)
        file.write(os.urandom(size - 4096))
    log = RunLog(path)
    log.recent()
    mine = run()
    log.put(mine)
    assert log.find(mine.run_id) is not None
    log.close()


def test_where_nothing_can_be_written_runs_are_kept_in_memory(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    (tmp_path / "file").write_bytes(b"")
    log = RunLog(tmp_path / "file/runs.sqlite")
    mine = run()
    with caplog.at_level(logging.WARNING):
        log.put(mine)
        assert log.find(mine.run_id) is not None
    assert "kept in memory" in caplog.text
    log.close()


def test_a_file_deleted_under_us_is_made_again(tmp_path: Path) -> None:
    folder = tmp_path / "state"
    folder.mkdir()
    log = RunLog(folder / "runs.sqlite")
    log.put(run())
    assert len(log.recent()) == 1
    shutil.rmtree(folder)
    mine = run()
    log.put(mine)
    assert [found["runId"] for found in log.recent()] == [mine.run_id]
    log.close()
    assert (folder / "runs.sqlite").exists()


def test_what_cannot_be_stored_is_reported_and_the_next_is_stored(path: Path, caplog: pytest.LogCaptureFixture) -> None:
    log = RunLog(path)
    log.put(run(name="half \ud800 character"))
    mine = run()
    log.put(mine)
    assert [found["runId"] for found in log.recent()] == [mine.run_id]
    assert "was not stored" in caplog.text
    log.close()


def test_a_closed_log_can_be_used_again_and_closed_twice(path: Path) -> None:
    log = RunLog(path)
    log.close()
    log.put(run())
    log.close()
    log.close()
    assert len(log.recent()) == 1
    log.close()


def test_reading_while_another_thread_closes_never_hangs(path: Path) -> None:
    log = RunLog(path)
    log.put(run())
    stop = threading.Event()

    def read() -> None:
        while not stop.is_set():
            assert len(log.recent()) == 1

    threads = [threading.Thread(target=read) for _ in range(3)]
    for thread in threads:
        thread.start()
    for _ in range(50):
        log.close()
    stop.set()
    for thread in threads:
        thread.join(30)
        assert not thread.is_alive()
    log.close()


def test_a_record_that_cannot_be_kept_takes_none_of_those_beside_it_along(path: Path) -> None:
    log = RunLog(path)
    log.put(run(run_id="run-1"))
    log.put(Run(run_id="run-2", correlation_id="c", name="half \ud800", started_at="2026-01-01"))
    log.put(run(run_id="run-3"))
    assert {found["runId"] for found in log.recent()} == {"run-1", "run-3"}
    log.close()
