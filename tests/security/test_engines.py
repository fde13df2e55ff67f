"""Attacks on the boundary around engines that need the real one: saved games, and what outlives a server."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import anyio
import psutil
import pytest
from tests.conftest import MakeCaller
from tests.e2e.tools import godot
from tests.support.gdscript_runner import make_project

pytestmark = [pytest.mark.anyio, pytest.mark.godot, pytest.mark.xdist_group("godot-engines")]

NAME = "Sample"
HOSTILE = """extends Node

static var early: int = _overwrite("static")


static func _overwrite(by: String) -> int:
	var file: FileAccess = FileAccess.open("user://save.dat", FileAccess.WRITE)
	file.store_string("overwritten by " + by)
	return 1


func _init() -> void:
	_overwrite("init")
	print("user data in ", OS.get_user_data_dir())
"""
SAID = "user data in "
SETTINGS = f"""config_version=5

[application]

config/name="{NAME}"
run/main_scene="res://main.tscn"

[autoload]

Hostile="*res://hostile.gd"
"""
SCENE = '[gd_scene format=3]\n\n[node name="Main" type="Node2D"]\n'


@pytest.fixture
def saved_game(project: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A game that the person has saved, of a project whose autoload overwrites it."""
    monkeypatch.setenv("GODOT_PATH", str(godot()))
    for kind in ("DATA", "CONFIG"):
        monkeypatch.setenv(f"XDG_{kind}_HOME", str(tmp_path / "home" / kind.lower()))
    files = {"hostile.gd": HOSTILE, "main.tscn": SCENE, "test_main.tscn": SCENE, "icon.svg": "<svg/>"}
    make_project(project, files)
    (project / "project.godot").write_text(SETTINGS)
    saved = tmp_path / "home" / "data" / "godot" / "app_userdata" / NAME / "save.dat"
    saved.parent.mkdir(parents=True)
    saved.write_text("level 7")
    return saved


@pytest.mark.parametrize(
    ("tool", "arguments"),
    [
        ("write_file", {"path": "other.gd", "content": "extends Node\n"}),
        ("get_script_errors", {}),
        ("validate_scene", {"scenePath": "main.tscn"}),
        ("import_assets", {}),
        ("probe_scene", {"scenePath": "main.tscn"}),
        ("smoke_test", {"waitMs": 500, "failOnIssues": False}),
        ("run_project", {"headless": True}),
        ("play_begin", {}),
        ("run_tests", {}),
        ("find_references", {"scriptPath": "hostile.gd", "symbol": "early"}),
    ],
)
async def test_no_engine_of_ours_touches_a_saved_game(
    make_caller: MakeCaller, project: Path, saved_game: Path, tool: str, arguments: dict[str, Any]
) -> None:
    caller = make_caller()
    outcome = await caller.run(tool, arguments)
    assert outcome.ok, outcome.fault
    assert saved_game.read_text() == "level 7"


async def test_what_a_game_of_ours_saves_is_there_when_it_runs_again(
    make_caller: MakeCaller, project: Path, saved_game: Path
) -> None:
    caller = make_caller()
    places = []
    for _ in range(2):
        await caller.run("run_project", {"headless": True})
        with anyio.fail_after(60):
            while not (said := [line for line in (await caller.result("get_debug_output"))["lines"] if SAID in line]):
                await anyio.sleep(0.05)
        places.append(Path(said[0].removeprefix(SAID)))
        await caller.run("stop_project")
    assert places[0] == places[1]
    assert (places[0] / "save.dat").read_text() == "overwritten by init"
    assert project not in places[0].parents


# What outlives a server


class Server:
    """A real server over stdio."""

    def __init__(self, project: Path) -> None:
        self.process = subprocess.Popen(
            [sys.executable, "-m", "scenewright", "serve", "--project", str(project)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
            env={**os.environ, "GODOT_PATH": str(godot())},
            # A shell that runs this in the background has it ignored, and what is started inherits that.
            preexec_fn=(lambda: signal.signal(signal.SIGINT, signal.SIG_DFL)) if os.name == "posix" else None,
        )
        self._number = 0
        client = {"name": "test", "version": "1"}
        self.ask("initialize", {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": client})

    def ask(self, method: str, params: dict[str, Any]) -> dict[str, Any]:
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        self._number += 1
        message = {"jsonrpc": "2.0", "id": self._number, "method": method, "params": params}
        self.process.stdin.write(json.dumps(message) + "\n")
        self.process.stdin.flush()
        for line in self.process.stdout:
            answer: dict[str, Any] = json.loads(line)
            if answer.get("id") == self._number:
                return answer
        raise AssertionError("the server has ended")

    def call(self, tool: str, **arguments: Any) -> dict[str, Any]:
        body: dict[str, Any] = self.ask("tools/call", {"name": tool, "arguments": arguments})["result"]
        assert not body.get("isError"), body
        return body


@pytest.fixture
def server(project: Path) -> Iterator[Server]:
    made = Server(make_project(project, {"main.tscn": SCENE, "tool.gd": "@tool\nextends Node\n\nvar mark: int = 1\n"}))
    yield made
    assert made.process.stdin is not None
    assert made.process.stdout is not None
    made.process.kill()
    made.process.wait()
    made.process.stdin.close()
    made.process.stdout.close()


@pytest.mark.skipif(os.name != "posix", reason="signals")
@pytest.mark.parametrize("way", ["SIGTERM", "SIGKILL", "SIGINT", "hang up"])
def test_nothing_that_a_server_started_outlives_it(server: Server, tmp_path: Path, way: str) -> None:
    server.call("scene_picture", scenePath="main.tscn")
    server.call("run_project", scene="main.tscn", headless=True)
    server.call("validate_scene", scenePath="main.tscn")
    server.call("play_begin", scenePath="main.tscn")
    server.call("find_references", scriptPath="tool.gd", symbol="mark")
    started = psutil.Process(server.process.pid).children(recursive=True)
    names = {process.name() for process in started}
    assert any("Xvfb" in name for name in names) or os.environ.get("DISPLAY"), names
    assert sum("godot" in name.lower() for name in names) >= 1, names
    homes = {
        Path(home)
        for process in started
        if (home := process.environ().get("XDG_DATA_HOME")) and "scenewright-user" in home
    }
    homes |= {Path(place) for process in started if "scenewright-language" in (place := process.cwd())}
    assert len(homes) > 1
    if way == "hang up":
        assert server.process.stdin is not None
        server.process.stdin.close()
    else:
        server.process.send_signal(getattr(signal, way))
    server.process.wait(60)
    _, alive = psutil.wait_procs(started, timeout=60)
    assert [process.name() for process in alive] == []
    assert [home for home in homes if home.exists()] == []


@pytest.mark.skipif(sys.platform != "linux", reason="only there a process can be limited")
async def test_a_scene_without_end_takes_only_its_engines_memory(
    make_caller: MakeCaller, project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GODOT_PATH", str(godot()))
    monkeypatch.setattr("scenewright.godot.engine.process.LEAST_LIMIT", 1 << 30)
    real = os.sysconf
    monkeypatch.setattr("os.sysconf", lambda name: 1 if name == "SC_PHYS_PAGES" else real(name))
    uses = '[gd_scene format=3]\n[ext_resource type="PackedScene" path="res://s{}.tscn" id="1"]\n'
    node = '[node name="{}" parent="." instance=ExtResource("1")]\n'
    scenes = {"s0.tscn": SCENE}
    for number in range(1, 27):
        root = f'[node name="S{number}" type="Node"]\n'
        scenes[f"s{number}.tscn"] = uses.format(number - 1) + root + node.format("A") + node.format("B")
    make_project(project, scenes)
    caller = make_caller()
    checked = await caller.result("validate_scene", scenePath="s26.tscn")
    assert not checked["valid"]
    assert "crashed" in str(checked["issues"])
    assert (await caller.result("validate_scene", scenePath="s3.tscn"))["valid"]
