"""A pipe of Windows takes but the letters of its code page: nothing may crash after a file was written."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from tests.support.gdscript_runner import make_project

SCENE = '[gd_scene format=3]\n\n[node name="Main" type="Node2D"]\n'


@pytest.fixture
def game(project: Path) -> Path:
    make_project(project, {"main.tscn": SCENE})
    return project


def call(game: Path, *words: str, encoding: str) -> subprocess.CompletedProcess[bytes]:
    environment = {**os.environ, "PYTHONIOENCODING": encoding, "PYTHONUTF8": "0"}
    command = [sys.executable, "-m", "scenewright", "call", *words, "--project", str(game)]
    return subprocess.run(command, capture_output=True, env=environment, timeout=120, check=False)


@pytest.mark.parametrize("encoding", ["cp1252", "cp437", "ascii"])
def test_a_reply_reaches_a_pipe_of_any_encoding(game: Path, encoding: str) -> None:
    words = ("add_node", "scenePath=main.tscn", "nodeType=Label", "nodeName=Größe→✓", 'properties={"text": "中"}')
    done = call(game, *words, encoding=encoding)
    assert (done.returncode, done.stderr) == (0, b"")
    assert done.stdout.decode(encoding).startswith("ok Added")
    assert 'name="Größe→✓"' in (game / "main.tscn").read_text(encoding="utf-8")


def test_json_loses_no_letter(game: Path) -> None:
    (game / "notes.txt").write_text("Größe → ✓ 中", encoding="utf-8")
    done = call(game, "read_file", "path=notes.txt", "--json", encoding="cp1252")
    assert (done.returncode, done.stderr) == (0, b"")
    assert "Größe → ✓ 中" in str(json.loads(done.stdout.decode("cp1252")))


def test_an_error_is_told_all_the_same(game: Path) -> None:
    done = call(game, "add_node", "scenePath=✓.tscn", "nodeType=Node", "nodeName=A", encoding="cp1252")
    assert done.returncode == 1
    assert b"Traceback" not in done.stderr
    assert b"ok.tscn" in done.stderr
