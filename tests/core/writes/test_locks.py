"""A lock between processes and threads."""

from __future__ import annotations

import subprocess
import sys
import threading
from pathlib import Path

import pytest

from scenewright.core.faults import Conflict
from scenewright.core.writes.locks import locked

HOLD = """
import sys
from pathlib import Path
from scenewright.core.writes.locks import locked
with locked(Path(sys.argv[1])):
    print("held", flush=True)
    sys.stdin.read()
"""


def holder(path: Path) -> subprocess.Popen[bytes]:
    process = subprocess.Popen([sys.executable, "-c", HOLD, str(path)], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    assert process.stdout is not None
    assert process.stdout.readline() == b"held\n"
    return process


def test_what_another_process_holds_is_refused_after_the_wait(tmp_path: Path) -> None:
    with holder(tmp_path / "lock") as process:
        with pytest.raises(Conflict, match="busy") as caught, locked(tmp_path / "lock", wait=0):
            pass
        assert caught.value.retryable
        process.communicate(timeout=60)
    with locked(tmp_path / "lock", wait=0):
        pass


def test_a_lock_is_free_as_soon_as_its_holder_is_killed(tmp_path: Path) -> None:
    with holder(tmp_path / "lock") as process:
        process.kill()
        process.wait()
        with locked(tmp_path / "lock", wait=0):
            pass


def test_who_waits_gets_it_when_the_holder_lets_go(tmp_path: Path) -> None:
    with holder(tmp_path / "lock") as process:
        got = threading.Event()

        def wait() -> None:
            with locked(tmp_path / "lock"):
                got.set()

        thread = threading.Thread(target=wait)
        thread.start()
        process.communicate(timeout=60)
        assert got.wait(30)
        thread.join()


def test_two_threads_do_not_hold_it_at_once(tmp_path: Path) -> None:
    with locked(tmp_path / "lock"), pytest.raises(Conflict), locked(tmp_path / "lock", wait=0):
        pass


def test_it_is_let_go_when_the_work_fails(tmp_path: Path) -> None:
    with pytest.raises(ZeroDivisionError), locked(tmp_path / "lock"):
        raise ZeroDivisionError
    with locked(tmp_path / "lock", wait=0):
        pass


def test_where_there_can_be_no_lock_the_reason_is_told(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError), locked(tmp_path / "no folder/lock"):
        pass


def test_only_the_user_can_read_it_and_no_link_is_followed(tmp_path: Path) -> None:
    with locked(tmp_path / "lock"):
        assert (tmp_path / "lock").stat().st_mode & 0o777 == 0o600
    (tmp_path / "link").symlink_to("elsewhere")
    with pytest.raises(OSError, match="symbolic links"), locked(tmp_path / "link"):
        pass
    assert not (tmp_path / "elsewhere").exists()
