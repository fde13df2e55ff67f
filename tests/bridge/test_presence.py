"""What processes of this user do just now, as others of the user's processes see it."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from time import monotonic, sleep

import pytest

from scenewright.bridge.presence import FOLDER, Presence, find_present


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("SCENEWRIGHT_HOME", str(tmp_path / "mine"))
    return tmp_path / "mine"


def test_it_is_there_until_it_is_closed(home: Path, project: Path) -> None:
    presence = Presence("server")
    presence.tell({"project": str(project), "clients": {"one": "now"}})
    presence.tell({"project": str(project), "clients": {"two": "now"}})
    ((record),) = find_present("server", project)
    assert record["clients"] == {"two": "now"}
    assert find_present("play", project) == []
    assert find_present("server", project.parent) == []
    presence.close()
    assert find_present("server", project) == []
    presence.close()


def test_a_process_that_died_is_not_there(home: Path, project: Path) -> None:
    ended = subprocess.run([sys.executable, "-c", "import os; print(os.getpid())"], capture_output=True, check=True)
    (home / FOLDER).mkdir(parents=True)
    pid = int(ended.stdout)
    file = home / FOLDER / f"server-{pid}-main.json"
    file.write_text(json.dumps({"project": str(project), "pid": pid, "told": 1.0}))
    assert find_present("server", project) == []


@pytest.mark.parametrize("text", ["", "[]", "{}", '{"pid": "x", "told": 1}', '{"pid": 1}', "\xff"])
def test_what_is_no_record_is_passed_over(home: Path, project: Path, text: str) -> None:
    (home / FOLDER).mkdir(parents=True)
    (home / FOLDER / "server-1-main.json").write_text(text)
    assert find_present("server", project) == []


def test_a_server_is_there_for_as_long_as_it_runs(home: Path, project: Path) -> None:
    (project / "project.godot").write_text("config_version=5\n")
    command = [sys.executable, "-m", "scenewright", "serve", "--project", str(project)]
    server = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    until = monotonic() + 60
    while not (records := find_present("server", project)) and monotonic() < until:
        sleep(0.05)
    assert (records[0]["pid"], records[0]["transport"]) == (server.pid, "stdio")
    server.communicate(timeout=60)
    assert find_present("server", project) == []
