"""What the doctor finds, what it says to do, and what it mends."""

from __future__ import annotations

import json
import os
import socket
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from scenewright.setup.client_checks import check_clients
from scenewright.setup.clients import Machine
from scenewright.setup.findings import Finding
from scenewright.setup.machine_checks import check_database, check_own_folder, check_port
from scenewright.setup.port_holders import holder_of


@pytest.fixture
def home(tmp_path: Path) -> Path:
    home = tmp_path / "home"
    (home / ".cursor").mkdir(parents=True)
    return home


@pytest.fixture
def game(tmp_path: Path) -> Path:
    game = tmp_path / "game"
    game.mkdir()
    (game / "project.godot").write_text('config_version=5\n\n[application]\n\nconfig/name="Maze"\n')
    return game


def scenewright(*words: str, home: Path, folder: Path) -> subprocess.CompletedProcess[str]:
    environment = {key: value for key, value in os.environ.items() if not key.startswith(("XDG_", "CLAUDE", "CODEX"))}
    environment |= {"HOME": str(home), "SCENEWRIGHT_HOME": str(home / "own"), "GODOT_PATH": ""}
    command = [sys.executable, "-m", "scenewright", *words]
    return subprocess.run(
        command, cwd=folder, env=environment, capture_output=True, text=True, timeout=120, check=False
    )


def diagnosed(home: Path, folder: Path, *words: str) -> dict[str, Any]:
    done = scenewright("doctor", "--json", *words, home=home, folder=folder)
    found: dict[str, Any] = json.loads(done.stdout)
    assert done.returncode == (0 if found["healthy"] else 1)
    return {"fixed": found.get("fixed")} | {row["subject"]: row for row in found["findings"]}


def test_what_is_wrong_is_said_with_its_fix_and_mended(home: Path, game: Path) -> None:
    assert scenewright("init", "--all", home=home, folder=game).returncode == 0
    sound = diagnosed(home, game)
    levels = {subject: sound[subject]["level"] for subject in ("Cursor", "addon version", "own folder", "server")}
    assert set(levels.values()) == {"ok"}, sound
    assert sound["godot"]["level"] == "error"  # which the tests leave out of this process
    assert "GODOT_PATH" in sound["godot"]["fix"] + sound["godot"]["message"]

    settings = home / ".cursor" / "mcp.json"
    written = settings.read_text()
    command = json.loads(written)["mcpServers"]["scenewright"]["command"]
    settings.write_text(written.replace(command, sys.executable))  # of another environment
    (game / "addons/scenewright_bridge/plugin.gd").write_text("extends Node\n")
    (home / "own").chmod(0o755)
    wrong = diagnosed(home, game)
    assert [wrong[subject]["level"] for subject in ("Cursor", "addon version", "own folder")] == ["warning"] * 3
    assert all(wrong[subject]["fix"] for subject in ("Cursor", "addon version", "own folder"))

    mended = diagnosed(home, game, "--fix")
    assert len(mended["fixed"]) == 3
    assert {mended[subject]["level"] for subject in ("Cursor", "addon version", "own folder")} == {"ok"}
    assert settings.read_text() == written
    said = scenewright("doctor", home=home, folder=game).stdout
    assert "✗ godot: " in said
    assert "✓ Cursor: " in said


def cursor_finding(home: Path, game: Path | None, entry: object) -> Finding:
    (home / ".cursor" / "mcp.json").write_text(json.dumps({"mcpServers": {"scenewright": entry} if entry else {}}))
    (found,) = check_clients(Machine(home=home, environment={}, platform="linux"), game)
    return found


def test_an_entry_is_compared_with_what_would_be_written(home: Path, game: Path) -> None:
    args = ["serve", "--project", str(game)]
    assert cursor_finding(home, game, None).level == "note"
    gone = cursor_finding(home, game, {"command": "/no/such/scenewright", "args": args})
    assert (gone.level, "is not there" in gone.message, gone.remedy) == ("error", True, "client:cursor")
    moved = cursor_finding(home, game, {"command": sys.executable, "args": ["serve", "--project", "/no/such/game"]})
    assert (moved.level, "/no/such/game" in moved.message) == ("warning", True)
    (home / ".cursor" / "mcp.json").write_text("{")
    (broken,) = check_clients(Machine(home=home, environment={}, platform="linux"), game)
    assert (broken.level, "not valid JSON" in broken.message) == ("error", True)


def test_a_start_that_needs_the_network_is_told(home: Path, game: Path) -> None:
    (uvx := home / "uvx").touch()
    command = (str(uvx), "scenewright@0.1.0")
    entry = {"command": command[0], "args": [*command[1:], "serve", "--project", str(game)]}
    (home / ".cursor" / "mcp.json").write_text(json.dumps({"mcpServers": {"scenewright": entry}}))
    (found,) = check_clients(Machine(home=home, environment={}, platform="linux"), game, command)
    assert (found.level, "uv tool install" in found.fix) == ("note", True)


def test_a_port_that_is_held_is_named_with_its_holder() -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        port = server.getsockname()[1]
        found = check_port(port, "for a test")
        assert found.level == "note"
        if sys.platform == "linux":
            assert f"process {os.getpid()}" in found.message
    assert check_port(port, "for a test").level == "ok"
    assert holder_of(port) is None


def test_a_database_that_does_not_answer_is_named_without_its_password() -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        url = f"postgresql://me:secret@127.0.0.1:{server.getsockname()[1]}/runs"
        assert check_database(url).level == "ok"
    found = check_database(url)
    assert (found.level, "secret" in found.message) == ("error", False)
    assert check_database("postgresql://h:x/").level == "error"


def test_a_folder_of_ours_that_others_can_look_into_is_told(user_home: Path) -> None:
    user_home.chmod(0o755)
    assert check_own_folder(user_home).remedy == "private-folder"
    user_home.chmod(0o700)
    assert check_own_folder(user_home).level == "ok"


def test_an_agent_gets_the_same_findings(home: Path, game: Path) -> None:
    done = scenewright("call", "check_setup", "--json", home=home, folder=game)
    body = json.loads(done.stdout)
    subjects = {row["subject"] for row in body["result"]["findings"]}
    assert {"python", "disk", "project", "Cursor", "imports", "editor"} <= subjects
