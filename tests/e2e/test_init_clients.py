"""The real clients, where they are installed: each starts the server from what `init` wrote, and gets its file back."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from tests.e2e.tools import client_program

FILES = {
    "claude-code": (".claude/settings.json", "{}\n"),
    "codex": (".codex/config.toml", "# mine\n[tui]\nnotifications = false # keep\n"),
    "gemini": (".gemini/settings.json", '{\n  // mine\n  "security": {"folderTrust": {"enabled": false}}\n}\n'),
    "opencode": (
        ".config/opencode/opencode.jsonc",
        '{\n  // mine\n  "$schema": "https://opencode.ai/config.json",\n  "autoupdate": false,\n}\n',
    ),
}
PROGRAMS = {"claude-code": "claude", "codex": "codex", "gemini": "gemini", "opencode": "opencode"}
TELLS = {"claude-code": "Connected", "codex": "enabled", "gemini": "Connected", "opencode": "connected"}


@pytest.mark.timeout(180)
@pytest.mark.parametrize("name", FILES)
def test_a_real_client_starts_the_server_and_gets_its_file_back(name: str, tmp_path: Path) -> None:
    program = client_program(PROGRAMS[name])
    home, game = tmp_path / "home", tmp_path / "Spiel für zwei"
    place, text = FILES[name]
    (home / place).parent.mkdir(parents=True)
    (home / place).write_text(text)
    game.mkdir()
    (game / "project.godot").write_text("config_version=5\n")
    environment = {
        key: value for key, value in os.environ.items() if not key.startswith(("XDG_", "CLAUDE", "CODEX", "GEMINI"))
    }
    environment |= {"HOME": str(home), "SCENEWRIGHT_HOME": str(home / "own"), "GODOT_PATH": ""}
    environment["PATH"] = os.pathsep.join([str(program.parent), environment["PATH"]])

    def run(*command: str) -> str:
        done = subprocess.run(
            command,
            cwd=game,
            env=environment,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=90,
            check=False,
        )
        return re.sub(r"\x1b\[[0-9;]*m", "", done.stdout + done.stderr)

    scenewright = (sys.executable, "-m", "scenewright")
    assert "The server starts and answers" in run(*scenewright, "init", "--client", name, "--yes", "--no-addon")
    listed = next((line for line in run(str(program), "mcp", "list").splitlines() if "scenewright" in line), "")
    assert TELLS[name] in listed
    run(*scenewright, "uninstall", "--yes")
    assert (home / place).read_text() == text
    assert "scenewright" not in run(str(program), "mcp", "list").replace(str(tmp_path), "")
