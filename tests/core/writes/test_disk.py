"""Single files: read whole, replaced in one step."""

from __future__ import annotations

import os
import socket
from pathlib import Path

import pytest

from scenewright.core.faults import Invalid
from scenewright.core.writes.disk import (
    clear_empty_folder,
    is_itself,
    make_folder,
    missing_folders,
    read_if_there,
    stage,
)


def test_where_there_is_no_file_there_is_no_content(tmp_path: Path) -> None:
    (tmp_path / "file").write_bytes(b"")
    assert read_if_there(tmp_path / "none") is None
    assert read_if_there(tmp_path / "no/folder") is None
    assert read_if_there(tmp_path / "file/below") is None
    assert read_if_there(tmp_path / "file") == b""


def test_what_is_not_a_file_cannot_be_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "folder").mkdir()
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "loop").symlink_to("loop")
    monkeypatch.chdir(tmp_path)  # a socket's path must be short
    with socket.socket(socket.AF_UNIX) as listening:
        listening.bind("socket")
        for name in ("folder", "pipe", "loop", "socket", "n" * 300):
            with pytest.raises(Invalid):
                read_if_there(tmp_path / name)


def test_a_staged_file_has_its_permissions_whatever_the_umask(tmp_path: Path) -> None:
    umask = os.umask(0o077)
    try:
        stage(tmp_path / "t", b"x", mode=0o755, like=tmp_path / "target")
        assert (tmp_path / "t").stat().st_mode & 0o7777 == 0o755
        stage(tmp_path / "t", b"y", mode=None, like=tmp_path / "target")
    finally:
        os.umask(umask)
    assert (tmp_path / "t").read_bytes() == b"y"
    assert (tmp_path / "t").stat().st_mode & 0o7777 == 0o600


def test_staging_replaces_what_a_dead_process_left_and_follows_no_link(tmp_path: Path) -> None:
    (tmp_path / "elsewhere").write_bytes(b"safe")
    (tmp_path / "t").symlink_to("elsewhere")
    stage(tmp_path / "t", b"x", mode=None, like=tmp_path / "target")
    assert (tmp_path / "elsewhere").read_bytes() == b"safe"
    assert not (tmp_path / "t").is_symlink()


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() != 0, reason="only root can give files away")
def test_a_file_keeps_its_owner_when_root_changes_it(tmp_path: Path) -> None:
    target = tmp_path / "target"
    target.write_bytes(b"")
    os.chown(target, 1234, 2345)
    stage(tmp_path / "t", b"x", mode=0o640, like=target)
    status = (tmp_path / "t").stat()
    assert (status.st_uid, status.st_gid, status.st_mode & 0o7777) == (1234, 2345, 0o640)


def test_missing_folders_are_all_that_must_be_made(tmp_path: Path) -> None:
    (tmp_path / "file").write_bytes(b"")
    places = [tmp_path / "a/b/c.txt", tmp_path / "a/d.txt", tmp_path / "e.txt", tmp_path / "file/f.txt"]
    assert missing_folders(places) == {tmp_path / "a/b", tmp_path / "a", tmp_path / "file"}
    make_folder(tmp_path / "a/b")
    assert missing_folders(places[:3]) == set()


def test_only_a_folder_of_nothing_but_folders_is_cleared(tmp_path: Path) -> None:
    (tmp_path / "a/b/c").mkdir(parents=True)
    (tmp_path / "a/d").mkdir()
    (tmp_path / "a/d/file").write_bytes(b"")
    with pytest.raises(OSError, match="not empty"):
        clear_empty_folder(tmp_path / "a")
    assert (tmp_path / "a/b/c").is_dir()
    (tmp_path / "a/d/file").unlink()
    clear_empty_folder(tmp_path / "a")
    assert not (tmp_path / "a").exists()
    clear_empty_folder(tmp_path / "a")


def test_a_path_with_a_link_in_it_is_not_itself(tmp_path: Path) -> None:
    tmp_path = tmp_path.resolve()
    (tmp_path / "real").mkdir()
    (tmp_path / "link").symlink_to("real")
    assert is_itself(tmp_path / "real/new.txt")
    assert not is_itself(tmp_path / "link/new.txt")
