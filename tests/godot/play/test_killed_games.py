"""What is left of a game that was killed, and of one whose server was: nothing."""

from __future__ import annotations

import os
import signal
import sys
from pathlib import Path
from typing import Any

import psutil
import pytest
from tests.security.test_engines import Server

pytestmark = [
    pytest.mark.skipif(sys.platform != "linux", reason="signals, and /proc"),
    pytest.mark.xdist_group("godot-engines"),
]
SAVING = """

func _ready() -> void:
	var file: FileAccess = FileAccess.open("user://save.dat", FileAccess.WRITE)
	file.store_string("saved")
	file.close()
"""


def _files(folder: Path) -> dict[Path, bytes]:
    """The files of a project, but for our records and the engine's cache."""
    ours = (".scenewright", ".godot_mcp", ".godot")
    kept = [path for path in folder.rglob("*") if path.is_file() and not {*ours} & {*path.relative_to(folder).parts}]
    return {path: path.read_bytes() for path in kept}


def _engine(server: Server) -> tuple[psutil.Process, list[Path]]:
    """The engine of the game that is played, and the folders that are only there for it."""
    games = [
        each for each in psutil.Process(server.process.pid).children(recursive=True) if "--fixed-fps" in each.cmdline()
    ]
    assert len(games) == 1
    home, project = Path(games[0].environ()["XDG_DATA_HOME"]), Path(games[0].cwd())
    assert next(home.rglob("save.dat")).read_text() == "saved"
    copy = [project] if project.name.startswith("scenewright-staged-") else []
    return games[0], [home.parent, *copy]


def test_nothing_is_left_of_games_that_were_killed(
    level: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (level / "menu.gd").write_text((level / "menu.gd").read_text() + SAVING)
    for kind in ("DATA", "CONFIG"):
        monkeypatch.setenv(f"XDG_{kind}_HOME", str(tmp_path / "home" / kind.lower()))
    before: dict[Path, bytes] = _files(level)
    server = Server(level)
    try:
        _begin(server)
        game, folders = _engine(server)
        game.kill()
        assert _files(level) == before
        body = server.ask("tools/call", {"name": "play_step", "arguments": {}})["result"]
        assert "crashed after frame 0" in str(body)
        assert [folder for folder in folders if folder.exists()] == []
        (level / "icon.svg").write_text('<svg xmlns="http://www.w3.org/2000/svg" width="8" height="8"/>')
        before = _files(level)
        _begin(server)  # in a copy, as it has an asset that is not imported yet
        started = psutil.Process(server.process.pid).children(recursive=True)
        game, folders = _engine(server)
        assert game.cwd() != str(level)
        os.kill(server.process.pid, signal.SIGKILL)
        server.process.wait(60)
        _, alive = psutil.wait_procs(started, timeout=60)
        assert alive == []
        assert [folder for folder in folders if folder.exists()] == []
    finally:
        server.process.kill()
        server.process.wait()
        for stream in (server.process.stdin, server.process.stdout):
            assert stream is not None
            stream.close()
    assert _files(level) == before
    assert list((tmp_path / "home").rglob("save.dat")) == []


def _begin(server: Server) -> dict[str, Any]:
    return server.call("play_begin", scenePath="menu.tscn")
