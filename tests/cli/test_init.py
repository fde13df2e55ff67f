"""`scenewright init` and `uninstall` as a person runs them: a real server is started from what was written."""

from __future__ import annotations

import json
import os
import pty
import subprocess
import sys
from pathlib import Path

import anyio
import pytest
from mcp import StdioServerParameters
from mcp.client import Client

SETTINGS = '{\n  // mine\n  "mcpServers": {\n    "other": {"command": "npx"}\n  }\n}\n'


@pytest.fixture
def home(tmp_path: Path) -> Path:
    home = tmp_path / "home"
    (home / ".cursor").mkdir(parents=True)
    (home / ".cursor" / "mcp.json").write_text(SETTINGS)
    return home


@pytest.fixture
def game(tmp_path: Path) -> Path:
    game = tmp_path / "Spiel für zwei" / "game"
    game.mkdir(parents=True)
    (game / "project.godot").write_text('config_version=5\n\n[application]\n\nconfig/name="Spiel"\n')
    return game


def scenewright(*words: str, home: Path, folder: Path) -> subprocess.CompletedProcess[str]:
    names = ("XDG_CONFIG_HOME", "CODEX_HOME", "CLAUDE_CONFIG_DIR", "COPILOT_HOME", "CLINE_DIR")
    environment = {key: value for key, value in os.environ.items() if key not in names}
    environment |= {"HOME": str(home), "SCENEWRIGHT_HOME": str(home / "own"), "NO_COLOR": "1"}
    command = [sys.executable, "-m", "scenewright", *words]
    return subprocess.run(
        command, cwd=folder, env=environment, capture_output=True, text=True, timeout=120, check=False
    )


def contents(folder: Path) -> dict[str, bytes]:
    files = (path for path in folder.rglob("*") if path.is_file())
    kept = (
        path
        for path in files
        if not {".scenewright", ".godot_mcp", "own", ".local"} & set(path.relative_to(folder).parts)
    )
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in kept}


def test_a_client_starts_the_server_from_what_was_written_and_all_of_it_is_taken_back(home: Path, game: Path) -> None:
    before = contents(home), contents(game)
    done = scenewright("init", "--all", home=home, folder=game.parent)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "The server starts and answers" in done.stdout
    assert (game / "addons/scenewright_bridge/plugin.cfg").is_file()
    written = (home / ".cursor" / "mcp.json").read_text()
    assert "// mine" in written
    entry = json.loads(written.replace("// mine", ""))["mcpServers"]["scenewright"]

    async def ask() -> str:
        server = StdioServerParameters(command=entry["command"], args=entry["args"])
        async with Client(server) as client:
            info = await client.call_tool("get_project_info", {})
            return str(info.structured_content["result"]["name"])

    assert anyio.run(ask) == "Spiel"
    taken = scenewright("uninstall", "--yes", home=home, folder=home)
    assert taken.returncode == 0, taken.stdout + taken.stderr
    assert (contents(home), contents(game)) == before
    assert "Nothing was set up" in scenewright("uninstall", "--yes", home=home, folder=home).stdout


def test_a_dry_run_shows_the_change_and_makes_none(home: Path, game: Path) -> None:
    before = contents(home), contents(game)
    shown = scenewright("init", str(game.parent), "--dry-run", home=home, folder=home)
    assert shown.returncode == 0, shown.stderr
    assert '+    "scenewright": {' in shown.stdout
    assert (contents(home), contents(game)) == before


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("--client", "curser"), "Did you mean 'cursor'"),
        ((), "Pass --client NAME"),
        (("/no/such/folder", "--all"), "no folder"),
    ],
)
def test_what_cannot_be_done_is_said_and_nothing_is_written(
    home: Path, game: Path, words: tuple[str, ...], said: str
) -> None:
    before = contents(home)
    done = scenewright("init", *words, home=home, folder=game)
    assert done.returncode == 2
    assert said in done.stderr
    assert contents(home) == before


def test_of_several_projects_a_person_names_one(home: Path, game: Path) -> None:
    other = game.parent / "other"
    other.mkdir()
    (other / "project.godot").touch()
    done = scenewright("init", "--all", home=home, folder=game.parent)
    assert (done.returncode, str(other) in done.stderr) == (2, True)


def test_a_client_that_is_not_sure_gets_its_entry_shown(home: Path, game: Path) -> None:
    shown = scenewright("init", "--client", "goose", "--dry-run", home=home, folder=game)
    assert "cmd:" in shown.stdout
    assert contents(home) == {".cursor/mcp.json": SETTINGS.encode()}


def test_a_file_that_is_broken_or_read_only_is_left_alone_and_the_exit_code_tells(home: Path, game: Path) -> None:
    (home / ".gemini").mkdir()
    (home / ".gemini" / "settings.json").write_text("{")
    (home / ".cursor" / "mcp.json").chmod(0o444)
    before = contents(home)
    for words, code in ((("--dry-run",), 0), (("--all", "--no-addon"), 1)):
        done = scenewright("init", *words, home=home, folder=game)
        assert done.returncode == code, done.stderr
        assert "it is read-only" in done.stdout
        assert "not valid JSON" in done.stdout
        assert contents(home) == before


def test_nothing_is_set_up_that_could_not_be_taken_back(home: Path, game: Path) -> None:
    (home / "own").write_text("no folder")
    before = contents(home)
    done = scenewright("init", "--all", home=home, folder=game)
    assert done.returncode == 2
    assert "own folder" in done.stderr
    assert "Traceback" not in done.stderr
    assert contents(home) == before


def test_where_no_client_is_known_the_entry_of_most_is_shown(tmp_path: Path, game: Path) -> None:
    (tmp_path / "empty").mkdir()
    done = scenewright("init", "--all", "--no-addon", home=tmp_path / "empty", folder=game)
    assert done.returncode == 1
    _, _, entry = done.stdout.partition("another:")
    assert json.loads(entry)["mcpServers"]["scenewright"]["args"] == ["serve", "--project", str(game)]


def test_on_a_terminal_a_person_is_asked_about_each_client(home: Path, game: Path) -> None:
    (home / ".codex").mkdir()
    ours, theirs = pty.openpty()
    environment = {key: value for key, value in os.environ.items() if not key.startswith(("XDG_", "CODEX", "CLAUDE"))}
    environment |= {"HOME": str(home), "SCENEWRIGHT_HOME": str(home / "own")}
    command = [sys.executable, "-m", "scenewright", "init", "--no-addon"]
    with subprocess.Popen(command, stdin=theirs, stdout=theirs, stderr=theirs, cwd=game, env=environment) as process:
        os.close(theirs)
        seen = b""
        for answer in (b"n\n", b"y\n"):
            while not seen.endswith(b"[Y/n] "):
                seen += os.read(ours, 1)
            os.write(ours, answer)
            seen = b""
        rest = b""
        while chunk := _read(ours):
            rest += chunk
        assert process.wait(timeout=60) == 0, rest
    os.close(ours)
    assert (home / ".cursor" / "mcp.json").read_text() == SETTINGS
    assert "scenewright" in (home / ".codex" / "config.toml").read_text()


def _read(descriptor: int) -> bytes:
    try:
        return os.read(descriptor, 4096)
    except OSError:  # the other end is closed
        return b""
