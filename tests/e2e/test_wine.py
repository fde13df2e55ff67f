"""The wheel on a Python for Windows, under Wine: the server, edits, undo, workflows, the shell, and how they end."""

from __future__ import annotations

import getpass
import json
import os
import subprocess
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import IO, Any

import pytest
from tests.e2e.tools import TOOLS, windows_python
from tests.support.installed import build_wheel

pytestmark = pytest.mark.timeout(180)
SCENE = '[gd_scene format=3]\r\n\r\n[node name="Main" type="Node2D"]\r\n'
SECONDS = 90


@dataclass(frozen=True)
class Windows:
    """A machine with Windows, as far as Wine makes one, where the wheel is installed as a person would."""

    scripts: Path
    home: Path
    environment: Mapping[str, str]

    def command(self, *words: str) -> list[str]:
        return ["wine", str(self.scripts / "scenewright.exe"), *words]

    def run(self, *words: str, folder: Path) -> subprocess.CompletedProcess[bytes]:
        """Run the program on a pipe, whose letters are those of the code page, as they are on Windows."""
        return _run(*self.command(*words), environment=self.environment, folder=folder)

    def evaluate(self, code: str, folder: Path) -> str:
        program = str(self.scripts / "python.exe")
        done = _run("wine", program, "-c", code, environment=self.environment, folder=folder)
        assert done.returncode == 0, done.stderr
        return done.stdout.decode("cp1252").strip()


def _run(*command: str, environment: Mapping[str, str], folder: Path) -> subprocess.CompletedProcess[bytes]:
    return subprocess.run(
        command, cwd=folder, env=environment, input=b"", capture_output=True, timeout=SECONDS, check=False
    )


def there(path: Path) -> str:
    """A path as Windows has it; Wine shows all of this machine as its drive Z."""
    return "Z:" + str(path).replace("/", "\\")


@pytest.fixture(scope="session")
def windows(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Windows]:
    python, folder = windows_python(), tmp_path_factory.mktemp("windows")
    prefix = folder / "prefix"
    kept = {key: value for key, value in os.environ.items() if not key.startswith(("SCENEWRIGHT_", "PYTHON", "XDG_"))}
    wine = {"WINEPREFIX": str(prefix), "WINEDEBUG": "-all", "WINEDLLOVERRIDES": "mscoree,mshtml=", "DISPLAY": ""}
    environment = {**kept, **wine, "GODOT_PATH": ""}
    try:
        scripts = _install_wheel(python, folder, environment)
        yield Windows(scripts, prefix / "drive_c" / "users" / getpass.getuser(), environment)
    finally:
        subprocess.run(["wineserver", "-k"], env=environment, check=False, timeout=30)


def _install_wheel(python: Path, folder: Path, environment: Mapping[str, str]) -> Path:
    """Make a virtual environment with the wheel in it, and return where its programs are."""
    scripts = folder / "venv" / "Scripts"
    bundled = next(python.parent.glob("Lib/ensurepip/_bundled/pip-*.whl"))
    pip = (there(bundled / "pip"), "install", "--no-deps", "--no-index", "--no-compile")
    for words in (
        (str(python), "-m", "venv", "--without-pip", there(folder / "venv")),
        (str(scripts / "python.exe"), *pip, there(build_wheel(folder))),
    ):
        done = _run("wine", *words, environment=environment, folder=folder)
        assert done.returncode == 0, done.stderr
    packages = there(TOOLS / "wine" / "packages")
    (folder / "venv/Lib/site-packages/packages.pth").write_text(f"import site; site.addsitedir({packages!r})\n")
    return scripts


@pytest.fixture
def game(tmp_path: Path) -> Path:
    game = tmp_path / "Spiel für zwei"
    game.mkdir()
    (game / "project.godot").write_bytes(b'config_version=5\r\n\r\n[application]\r\n\r\nconfig/name="Maze"\r\n')
    (game / "main.tscn").write_bytes(SCENE.encode())
    return game


@dataclass
class Conversation:
    """A client that speaks to the server over plain pipes: Wine takes no sockets for them, as others use."""

    requests: IO[bytes]
    answers: IO[bytes]
    asked: int = 0

    def ask(self, method: str, **params: Any) -> dict[str, Any]:
        self.asked += 1
        self.requests.write(_line(id=self.asked, method=method, params=params))
        self.requests.flush()
        while line := self.answers.readline():
            if (answer := json.loads(line)).get("id") == self.asked:
                return dict(answer["result"])
        pytest.fail("the server ended")

    def call(self, tool: str, **arguments: Any) -> None:
        result = self.ask("tools/call", name=tool, arguments=arguments)
        assert not result.get("isError"), result


def _line(**message: Any) -> bytes:
    return json.dumps({"jsonrpc": "2.0", **message}).encode() + b"\n"


@contextmanager
def conversation(windows: Windows, game: Path) -> Iterator[Conversation]:
    """Start the server and greet it; when the client closes the pipe, it must end by itself."""
    command = windows.command("serve", "--project", there(game))
    pipe = subprocess.PIPE
    with subprocess.Popen(command, env=windows.environment, stdin=pipe, stdout=pipe, stderr=pipe) as server:
        try:
            assert server.stdin is not None
            assert server.stdout is not None
            talk = Conversation(server.stdin, server.stdout)
            client = {"name": "test", "version": "1"}
            hello = talk.ask("initialize", protocolVersion="2025-06-18", capabilities={}, clientInfo=client)
            assert hello["serverInfo"]["name"] == "scenewright"
            talk.requests.write(_line(method="notifications/initialized"))
            yield talk
            talk.requests.close()
            assert server.wait(timeout=SECONDS) == 0
        finally:
            server.kill()


def test_a_client_edits_takes_back_and_runs_a_workflow(windows: Windows, game: Path) -> None:
    with conversation(windows, game) as talk:
        assert len(talk.ask("tools/list")["tools"]) > 30
        talk.call("add_node", scenePath="main.tscn", nodeType="Label", nodeName="Größe")
        added = (game / "main.tscn").read_bytes()
        assert 'name="Größe"'.encode() in added
        assert added.count(b"\n") == added.count(b"\r\n") > SCENE.count("\n")
        (game / "notes.txt").write_bytes(b"one\r\ntwo\r\nthree\r\n")
        talk.call("edit_file", path="notes.txt", find="one\ntwo", replace="1\n2")
        assert (game / "notes.txt").read_bytes() == b"1\r\n2\r\nthree\r\n"
        talk.call("read_file", path="*.txt")
        refused = talk.ask("tools/call", name="write_file", arguments={"path": "what?.txt", "content": ""})
        assert "Windows has no names" in str(refused)
        talk.call("history", action="undo")
        talk.call("history", action="undo")
        assert (game / "notes.txt").read_bytes() == b"one\r\ntwo\r\nthree\r\n"
        assert (game / "main.tscn").read_bytes() == SCENE.encode()
        write = {"actionId": "project.file.write", "input": {"path": "made.txt", "content": "by a workflow"}}
        talk.call("workflow_run", definition={"id": "make", "steps": [write]}, waitMs=30_000)
        assert (game / "made.txt").read_text() == "by a workflow"


def test_a_shell_gets_replies_in_its_own_letters(windows: Windows, game: Path) -> None:
    written = windows.run("call", "write_file", "path=notes.md", "content=Größe → ✓", folder=game)
    assert (written.returncode, written.stderr) == (0, b"")
    assert "+Größe -> ok" in written.stdout.decode("cp1252")
    assert (game / "notes.md").read_text(encoding="utf-8") == "Größe → ✓"
    wrong = windows.run("call", "edit_file", "path=notes.md", "find=Nodes", "replace=A", folder=game)
    assert (wrong.returncode, b"Traceback" in wrong.stderr) == (1, False)
    back = windows.run("call", "history", "undo", folder=game)
    assert (back.returncode, (game / "notes.md").exists()) == (0, False)
    intact = windows.run("audit", "verify", folder=game)
    assert b"intact" in intact.stdout


def test_what_is_set_up_is_sound_and_comes_back_byte_for_byte(windows: Windows, game: Path) -> None:
    settings = windows.home / ".cursor" / "mcp.json"
    settings.parent.mkdir()
    before = b'{\r\n  // mine\r\n  "mcpServers": {}\r\n}\r\n'
    settings.write_bytes(before)
    done = windows.run("init", "--client", "cursor", "--yes", "--no-addon", folder=game)
    assert b"The server starts and answers" in done.stdout, done.stdout + done.stderr
    found = json.loads(windows.run("doctor", "--json", folder=game).stdout.decode("cp1252"))
    levels = {row["subject"]: row["level"] for row in found["findings"]}
    assert {levels[subject] for subject in ("python", "database", "server", "Cursor", "disk")} == {"ok"}, found
    taken = windows.run("uninstall", "--yes", folder=game)
    assert (taken.returncode, settings.read_bytes()) == (0, before), taken.stdout + taken.stderr


def test_a_folder_whose_readers_nobody_checks_is_told(windows: Windows, game: Path) -> None:
    elsewhere = replace(windows, environment={**windows.environment, "SCENEWRIGHT_HOME": there(game.parent / "own")})
    found = json.loads(elsewhere.run("doctor", "--json", folder=game).stdout.decode("cp1252"))
    (own,) = [row for row in found["findings"] if row["subject"] == "own folder"]
    assert (own["level"], "not checked on Windows" in own["message"]) == ("note", True)


def test_whether_a_process_lives_is_asked_without_ending_it(windows: Windows, game: Path) -> None:
    code = """
import os, subprocess, sys
from scenewright.bridge.processes import is_running
child = subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE)
alive = [is_running(child.pid), is_running(os.getpid())]
child.communicate(b"\\n")
print(alive, child.returncode, is_running(child.pid))
"""
    assert windows.evaluate(code, game) == "[True, True] 0 False"


def test_what_one_holds_nobody_else_gets(windows: Windows, game: Path) -> None:
    code = """
from pathlib import Path
from scenewright.core.faults import Conflict
from scenewright.core.writes.locks import locked
with locked(Path("lock")):
    try:
        with locked(Path("lock"), wait=0.1):
            print("both")
    except Conflict as held:
        print("one", end=" ")
with locked(Path("lock"), wait=0):
    print("and the next")
"""
    assert windows.evaluate(code, game) == "one and the next"
