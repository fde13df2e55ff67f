"""`init` from the wheel, for every client that it writes: the server starts from what was written, and files come back.

The clients that can be had are started themselves; the files of the others are read as strictly as they do.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import tomllib
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from typing import Any

import anyio
import pytest
from mcp import StdioServerParameters
from mcp.client import Client
from tests.e2e.tools import client_program, inspector
from tests.support.installed import build_wheel, install_wheel, plain_environment

from scenewright.setup.clients import CLIENTS

pytestmark = [pytest.mark.timeout(180), pytest.mark.xdist_group("init clients")]
CORPUS = Path(os.environ.get("SCENEWRIGHT_CORPUS") or Path(__file__).parents[3] / "shared" / "corpus") / "godot"
Launch = tuple[str, tuple[str, ...]]

OTHERS = '{\r\n\t"mcpServers": {"other": {"command": "npx", "args": ["-y", "it"]}},\r\n\t"Größe": 1.50\r\n}'
COMMENTED = '{\n  // mine\n  "theme": "dark", /* and\n  this */ "editor.tabs": [1, 2,],\n}\n'
TOML = "# mine\n[tui]\nnotifications = false # keep\n\n[mcp_servers.other]\ncommand = 'npx'\n"
OPENCODE = "https://opencode.ai/config.json"  # it writes this itself where it is not there
GEMINI = '{"folderTrust": {"enabled": false}, "auth": {"selectedType": "gemini-api-key"}}'
FILES = {
    "claude-desktop": (".config/Claude/claude_desktop_config.json", OTHERS),
    "cursor": (".cursor/mcp.json", OTHERS),
    "vscode": (".config/Code/User/mcp.json", COMMENTED.replace("theme", "inputs").replace('"dark"', "[]")),
    "copilot": (".copilot/mcp-config.json", OTHERS),
    "codex": (".codex/config.toml", TOML),
    "gemini": (".gemini/settings.json", f'{{\n  // mine\n  "security": {GEMINI}\n}}\n'),
    "zed": (".config/zed/settings.json", COMMENTED),
    "opencode": (
        ".config/opencode/opencode.jsonc",
        f'{{\n  // mine\n  "$schema": "{OPENCODE}",\n  "autoupdate": false,\n}}\n',
    ),
    "cline": (".cline/data/settings/cline_mcp_settings.json", '{"mcpServers":{}}'),
    "kiro": (".kiro/settings/mcp.json", "\ufeff" + OTHERS),
    "junie": (".junie/mcp/mcp.json", OTHERS),
    "lm-studio": (".lmstudio/mcp.json", OTHERS),
}


@pytest.fixture(scope="module")
def programs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where the wheel's program lies; it writes down what clients ask the server for."""
    folder = tmp_path_factory.mktemp("installed")
    programs = install_wheel(build_wheel(folder), folder / "env")
    program = programs / "scenewright"
    program.rename(programs / "scenewright-itself")
    program.write_text('#!/bin/sh\ntee -a "$HOME/asked" | "$(dirname "$0")/scenewright-itself" "$@"\n')
    program.chmod(0o755)
    return programs


@pytest.fixture
def home(tmp_path: Path) -> Path:
    home = tmp_path / "home"
    home.mkdir()
    return home


@pytest.fixture
def game(tmp_path: Path) -> Path:
    """A copy of a real game, where there is one."""
    game = tmp_path / "Spiel für zwei"
    real = min(CORPUS.rglob("project.godot"), default=None)
    if real is not None:
        shutil.copytree(real.parent, game)
        return game
    game.mkdir()
    (game / "project.godot").write_text("config_version=5\n")
    return game


def write_files(home: Path, *names: str) -> dict[str, bytes]:
    """The files of clients as they were before us."""
    for name in names:
        place, text = FILES[name]
        (home / place).parent.mkdir(parents=True, exist_ok=True)
        (home / place).write_bytes(text.encode())
    return {name: FILES[name][1].encode() for name in names}


def files_of(home: Path, *names: str) -> dict[str, bytes]:
    return {name: (home / FILES[name][0]).read_bytes() for name in names}


def run(*command: str, home: Path, folder: Path, **more: str) -> str:
    done = subprocess.run(
        command,
        cwd=folder,
        env=plain_environment(home) | more,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=90,
        check=False,
    )
    return re.sub(r"\x1b\[[0-9;]*m", "", done.stdout + done.stderr)


def asked_of_server(home: Path) -> set[str]:
    """What was asked since we last looked."""
    asked = home / "asked"
    lines = asked.read_text().splitlines() if asked.exists() else []
    asked.unlink(missing_ok=True)
    return {json.loads(line)["method"] for line in lines if line.startswith("{")}


def test_the_server_starts_from_each_file_and_each_comes_back_byte_for_byte(
    programs: Path, home: Path, game: Path
) -> None:
    before = write_files(home, *FILES)
    program = str(programs / "scenewright")
    told = run(program, "init", "--all", "--yes", "--no-addon", "--no-skill", home=home, folder=game)
    assert "The server starts and answers" in told, told
    launches = {READERS[name](home / FILES[name][0]) for name in FILES}
    assert launches == {(program, ("serve", "--project", str(game)))}
    assert anyio.run(listed_tools, *launches.pop()) > 30
    told = run(program, "uninstall", "--yes", home=home, folder=home)
    assert files_of(home, *FILES) == before, told


def test_every_client_that_is_written_is_tried_here() -> None:
    assert {client.name for client in CLIENTS if client.sure} - {"claude-code"} == set(FILES) == set(READERS)


async def listed_tools(command: str, words: tuple[str, ...]) -> int:
    with anyio.fail_after(60):
        async with Client(StdioServerParameters(command=command, args=list(words))) as client:
            return len((await client.list_tools()).tools)


# What each client takes in its file; anything else it would refuse, or leave out in silence.


def _entry(entries: Any, *, needed: dict[str, Any] | None = None, others: tuple[str, ...] = ()) -> Launch:
    entry = dict(entries["scenewright"])
    for key, value in (needed or {}).items():
        assert entry.pop(key) == value
    command, words = entry.pop("command"), entry.pop("args")
    assert isinstance(command, str)
    assert all(isinstance(word, str) for word in words)
    assert set(entry) <= {"env", *others}
    return command, tuple(words)


def _strict_json(file: Path) -> Launch:
    return _entry(json.loads(file.read_text("utf-8-sig"))["mcpServers"])


def _copilot(file: Path) -> Launch:
    return _entry(json.loads(file.read_text())["mcpServers"], needed={"type": "local", "tools": ["*"]})


def _vscode(file: Path) -> Launch:
    settings = _commented(file)
    assert set(settings) <= {"servers", "inputs", "editor.tabs"}
    return _entry(settings["servers"], needed={"type": "stdio"})


def _codex(file: Path) -> Launch:
    servers = tomllib.loads(file.read_text())["mcp_servers"]
    assert servers["scenewright"]["startup_timeout_sec"] > 10
    return _entry(servers, others=("startup_timeout_sec", "tool_timeout_sec"))


def _opencode(file: Path) -> Launch:
    entry = _commented(file)["mcp"]["scenewright"]
    assert (entry["type"], entry["enabled"], set(entry)) == ("local", True, {"type", "enabled", "command"})
    command, *words = entry["command"]
    return command, tuple(words)


def _commented(file: Path) -> Any:
    """JSON whose comments and last commas do not count, as editors read it."""
    text = re.sub(r'("(?:[^"\\]|\\.)*")|//[^\n]*|/\*.*?\*/', r"\1", file.read_text(), flags=re.DOTALL)
    return json.loads(re.sub(r'("(?:[^"\\]|\\.)*")|,(?=\s*[}\]])', r"\1", text))


READERS: dict[str, Callable[[Path], Launch]] = dict.fromkeys(
    ("claude-desktop", "cursor", "cline", "kiro", "junie", "lm-studio"), _strict_json
) | {
    "copilot": _copilot,
    "vscode": _vscode,
    "codex": _codex,
    "opencode": _opencode,
    "gemini": lambda file: _entry(_commented(file)["mcpServers"]),
    "zed": lambda file: _entry(_commented(file)["context_servers"]),
}


# The clients themselves.


def set_up(name: str, programs: Path, home: Path, game: Path, *more: str) -> None:
    words = ("init", "--client", name, "--yes", "--no-addon", "--no-skill")
    path = os.pathsep.join([*more, os.environ["PATH"]])
    told = run(str(programs / "scenewright"), *words, home=home, folder=game, PATH=path)
    assert "The server starts and answers" in told, told
    assert "tools/list" in asked_of_server(home)  # what was tried


def take_back(programs: Path, home: Path, *more: str) -> None:
    path = os.pathsep.join([*more, os.environ["PATH"]])
    assert "✗" not in run(str(programs / "scenewright"), "uninstall", "--yes", home=home, folder=home, PATH=path)


def test_the_inspector_lists_tools_of_cursors_file(programs: Path, home: Path, game: Path) -> None:
    before = write_files(home, "cursor")
    set_up("cursor", programs, home, game)
    words = ("--config", str(home / FILES["cursor"][0]), "--server", "scenewright", "--method", "tools/list")
    assert '"core_ping"' in run(*inspector(), *words, home=home, folder=game)
    take_back(programs, home)
    assert files_of(home, "cursor") == before


def test_claude_code_lists_tools(programs: Path, home: Path, game: Path) -> None:
    program = client_program("claude")
    folder = str(program.parent)
    (home / ".claude").mkdir()
    set_up("claude-code", programs, home, game, folder)
    listed = run(str(program), "mcp", "list", home=home, folder=game)
    assert re.search(r"scenewright.*Connected", listed), listed
    assert "tools/list" in asked_of_server(home)
    take_back(programs, home, folder)
    assert "scenewright:" not in run(str(program), "mcp", "list", home=home, folder=game)


def test_opencode_lists_tools(programs: Path, home: Path, game: Path) -> None:
    program, before = client_program("opencode"), write_files(home, "opencode")
    set_up("opencode", programs, home, game)
    listed = run(str(program), "mcp", "list", home=home, folder=game)
    assert re.search(r"scenewright.*connected", listed), listed
    assert "tools/list" in asked_of_server(home)
    take_back(programs, home)
    assert files_of(home, "opencode") == before


def test_codex_lists_tools(programs: Path, home: Path, game: Path) -> None:
    program = client_program("codex")
    write_files(home, "codex")
    (home / FILES["codex"][0]).write_bytes(b"# mine\n")  # the other server of that file cannot be started here
    before = files_of(home, "codex")
    set_up("codex", programs, home, game)
    pipe = subprocess.PIPE
    command = [str(program), "app-server"]
    with subprocess.Popen(command, cwd=game, env=plain_environment(home), stdin=pipe, stdout=pipe, text=True) as server:
        assert server.stdin is not None
        assert server.stdout is not None
        hello = {"clientInfo": {"name": "test", "version": "1"}}
        for message in (
            {"id": 1, "method": "initialize", "params": hello},
            {"method": "initialized"},
            {"id": 2, "method": "mcpServerStatus/list", "params": {}},
        ):
            server.stdin.write(json.dumps(message) + "\n")
        server.stdin.flush()
        answer = next(found for line in server.stdout if (found := json.loads(line)).get("id") == 2)
        server.kill()
    assert "core_ping" in answer["result"]["data"][0]["tools"]
    take_back(programs, home)
    assert files_of(home, "codex") == before


def test_gemini_lists_tools(programs: Path, home: Path, game: Path, no_model: str) -> None:
    program, before = client_program("gemini"), write_files(home, "gemini")
    set_up("gemini", programs, home, game)
    assert re.search(r"scenewright.*Connected", run(str(program), "mcp", "list", home=home, folder=game))
    login = {"GEMINI_API_KEY": "none", "GOOGLE_GEMINI_BASE_URL": no_model}
    asked_of_server(home)
    run(str(program), "--prompt", "hello", home=home, folder=game, **login)
    assert "tools/list" in asked_of_server(home)
    take_back(programs, home)
    assert files_of(home, "gemini") == before


@pytest.fixture
def no_model() -> Iterator[str]:
    """A place that refuses whatever a client asks a model."""

    class Refuse(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            self.rfile.read(int(self.headers.get("Content-Length") or 0))
            self.send_error(400)

        def log_message(self, *args: object) -> None:
            pass

    with ThreadingHTTPServer(("127.0.0.1", 0), Refuse) as server:
        Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()
