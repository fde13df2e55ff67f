"""Secrets in files."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from scenewright.core.projects.token import read_or_make_token

SHOW = """
import sys
from pathlib import Path
from scenewright.core.projects.token import read_or_make_token
sys.stdin.read(1)
print(read_or_make_token(Path(sys.argv[1]) / "token"))
"""


def test_a_token_is_made_once_and_only_its_user_can_read_it(tmp_path: Path) -> None:
    token = read_or_make_token(tmp_path / "token")
    assert len(token) >= 32
    assert read_or_make_token(tmp_path / "token") == token
    assert (tmp_path / "token").stat().st_mode & 0o777 == 0o600
    assert (tmp_path / "token").read_text() == f"{token}\n"


def test_each_folder_has_its_own(tmp_path: Path) -> None:
    (tmp_path / "other").mkdir()
    assert read_or_make_token(tmp_path / "token") != read_or_make_token(tmp_path / "other" / "token")


def test_processes_that_ask_at_once_get_the_same(tmp_path: Path) -> None:
    command = [sys.executable, "-c", SHOW, str(tmp_path)]
    running = [subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) for _ in range(6)]
    said = [process.communicate(b"x", timeout=60)[0] for process in running]
    assert set(said) == {f"{read_or_make_token(tmp_path / 'token')}\n".encode()}


@pytest.mark.parametrize("left", [b"", b"\n", b"\xff\xfe"])
def test_what_a_killed_process_left_is_replaced(tmp_path: Path, left: bytes) -> None:
    (tmp_path / "token").write_bytes(left)
    token = read_or_make_token(tmp_path / "token")
    assert len(token) >= 32
    assert read_or_make_token(tmp_path / "token") == token


def test_a_token_that_others_could_read_is_closed_to_them(tmp_path: Path) -> None:
    (tmp_path / "token").write_text("chosen-by-hand\n")
    (tmp_path / "token").chmod(0o644)
    assert read_or_make_token(tmp_path / "token") == "chosen-by-hand"
    assert (tmp_path / "token").stat().st_mode & 0o777 == 0o600
