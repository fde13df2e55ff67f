"""A real server, started again and again: the same lines with the fast lane and without, and the truth in the end."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Any

import pytest

from scenewright.server.start import kept_answers
from scenewright.server.start.lane import LISTINGS

WAIT = 90.0
CLIENT = {"name": "test", "version": "1"}
OPENING = {"protocolVersion": "2025-06-18", "capabilities": {"roots": {"listChanged": True}}, "clientInfo": CLIENT}
NOTE = {"jsonrpc": "2.0", "method": "notifications/initialized"}


def request(number: int, method: str, params: dict[str, Any] | None = None) -> dict[str, Any]:
    return {"jsonrpc": "2.0", "id": number, "method": method, **({} if params is None else {"params": params})}


LISTS = [request(number, method) for number, method in enumerate(LISTINGS, 1)]
START = [request(0, "initialize", OPENING), NOTE, *LISTS, request(9, "ping")]
PING = request(20, "tools/call", {"name": "core_ping", "arguments": {}})


@pytest.fixture
def godot_project(project: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("SCENEWRIGHT_HOME", str(tmp_path / "home"))
    (project / "project.godot").write_text("config_version=5\n")
    return project


def kept_files(folder: Path) -> list[Path]:
    return list((Path(os.environ["SCENEWRIGHT_HOME"]) / "start").glob("*.json"))


@contextmanager
def server(folder: Path) -> Iterator[subprocess.Popen[bytes]]:
    """A server whose end is waited for."""
    command = [sys.executable, "-m", "scenewright", "serve"]
    process = subprocess.Popen(command, cwd=folder, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    try:
        yield process
    finally:
        for stream in (process.stdin, process.stdout):
            if stream is not None:
                stream.close()
        try:
            process.wait(WAIT)
        except subprocess.TimeoutExpired:
            process.kill()
            raise


def send(process: subprocess.Popen[bytes], *messages: dict[str, Any]) -> None:
    stdin = _open(process.stdin)
    stdin.write(b"".join(json.dumps(message).encode() + b"\n" for message in messages))
    stdin.flush()


def read(process: subprocess.Popen[bytes], count: int) -> list[bytes]:
    return [_open(process.stdout).readline() for _ in range(count)]


def _open(stream: IO[bytes] | None) -> IO[bytes]:
    assert stream is not None
    return stream


def wait_for_kept(folder: Path, process: subprocess.Popen[bytes]) -> Path:
    """Wait until the server has kept its answers; a call before it returns would only keep the machine busy."""
    ends = time.monotonic() + WAIT
    while not (files := kept_files(folder)):
        assert process.poll() is None
        assert time.monotonic() < ends
        time.sleep(0.05)
    return files[0]


def first_start(folder: Path) -> tuple[list[bytes], Path]:
    """What a client reads at the first start, and the file that is kept of it."""
    with server(folder) as process:
        send(process, *START)
        replies = read(process, 6)
        return sorted(replies), wait_for_kept(folder, process)


def test_the_second_start_says_the_same_without_loading_a_server(godot_project: Path) -> None:
    replies, file = first_start(godot_project)
    written = file.stat().st_mtime_ns
    with server(godot_project) as process:
        send(process, *START)
        assert sorted(read(process, 6)) == replies
        send(process, PING)
        (pong,) = read(process, 1)
        assert json.loads(pong)["result"]["isError"] is False
    with server(godot_project) as process:  # all at once, and gone
        send(process, *START)
        _open(process.stdin).close()
        assert sorted(read(process, 6)) == replies
        assert read(process, 1) == [b""]
    assert file.stat().st_mtime_ns == written


def test_a_client_that_was_told_what_is_no_longer_so_hears_of_it(godot_project: Path) -> None:
    replies, file = first_start(godot_project)
    body = file.read_bytes().partition(b"\n")[2]
    forged = body.replace(b"godot_scene_manager", b"godot_other_manager").replace(b"scenewright works on", b"We do")
    assert forged != body
    file.write_bytes(kept_answers._seal(forged) + b"\n" + forged)
    with server(godot_project) as process:
        send(process, *START)
        assert b"godot_other_manager" in b"".join(read(process, 6))
        send(process, PING)
        heard = [json.loads(line).get("method") for line in read(process, 4)]
        assert sorted(filter(None, heard)) == [
            f"notifications/{listing}/list_changed" for listing in ("prompts", "resources", "tools")
        ]
        send(process, LISTS[0])
        assert read(process, 1) == [line for line in replies if b'"id":1,' in line]
    assert b"godot_other_manager" not in file.read_bytes()


def test_a_project_that_has_another_engine_now_is_not_told_of_the_old(godot_project: Path) -> None:
    first_start(godot_project)
    (godot_project / "project.godot").unlink()
    (godot_project / "default.project.json").write_text("{}")
    with server(godot_project) as process:
        send(process, *START)
        listed = b"".join(read(process, 6))
    assert b"godot_scene_manager" not in listed
    assert b"roblox" in listed


def test_a_new_project_is_told_at_once_what_it_would_be_told_itself(godot_project: Path, tmp_path: Path) -> None:
    _, file = first_start(godot_project)
    new = tmp_path / "another game"
    new.mkdir()
    (new / "project.godot").write_text("config_version=5\n")
    with server(new) as process:  # gone before a server is loaded, which would not have kept these answers
        send(process, *START)
        _open(process.stdin).close()
        borrowed = sorted(read(process, 6))
    assert kept_files(new) == [file]
    file.unlink()
    replies, _ = first_start(new)
    assert replies == borrowed
    assert str(new).encode() in b"".join(replies)
