from __future__ import annotations

import socket
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import anyio
import anyio.lowlevel
import anyio.to_thread
import pytest
from tests.conftest import Caller, MakeCaller
from tests.e2e.tools import godot

from scenewright.godot.engine.display import Screen
from scenewright.godot.engine.games import Game, Games
from scenewright.godot.engine.operations import runs

pytestmark = pytest.mark.anyio

GAME = """extends Node

var count: int = 0
var place: Vector2 = Vector2(1, 2.5)


func _ready() -> void:
	print("up and running")
	push_warning("careful")
	work(3)


func work(times: int) -> void:
	var names: Array[String] = ["a", "b"]
	count += times
	print("counted ", count, names)
"""
SCENE = """[gd_scene format=3]

[ext_resource type="Script" path="res://game.gd" id="1"]

[node name="Game" type="Node"]
script = ExtResource("1")
"""


@pytest.fixture
def playable(game: Path) -> Path:
    with (game / "project.godot").open("a") as file:
        file.write('run/main_scene="res://game.tscn"\n')
    (game / "game.gd").write_text(GAME)
    (game / "game.tscn").write_text(SCENE)
    return game


async def fault(caller: Caller, tool: str, **arguments: Any) -> dict[str, Any]:
    structured = (await caller.reply(tool, arguments)).structured
    assert structured is not None
    assert not structured["ok"]
    found: dict[str, Any] = structured["error"]
    return found


async def until(caller: Caller, holds: Callable[[Game], bool]) -> None:
    """Waits until something holds of the game, looked at whenever it says something."""
    game = caller.runtime.services.get(Games, Games).current(caller.runtime.project.root)

    def wait() -> bool:
        with game.transcript.changed:
            return game.transcript.changed.wait_for(lambda: holds(game), timeout=20)

    assert await anyio.to_thread.run_sync(wait), [entry[2] for entry in game.transcript.since()]


async def output_with(caller: Caller, *texts: str) -> dict[str, Any]:
    """The debug output once it holds all these texts."""
    await until(caller, lambda game: all(text in str(game.transcript.since()) for text in texts))
    return await caller.result("get_debug_output")


async def paused(caller: Caller) -> dict[str, Any]:
    await until(caller, lambda game: game.session is not None and game.session.stopped is not None)
    return await caller.result("get_debug_state")


async def test_a_game_runs_says_something_and_is_stopped(make_caller: MakeCaller, playable: Path) -> None:
    caller = make_caller()
    started = await caller.result("run_project")
    assert (started["running"], started["headless"], started["scene"]) == (True, True, "res://game.tscn")
    said = await output_with(caller, "counted 3", "careful")
    assert "up and running" in said["lines"]
    warning = next(each for each in said["errors"] if each["message"] == "careful")
    assert (warning["severity"], warning["path"], warning["line"]) == ("warning", "res://game.gd", 9)
    assert warning["stack"][0] == "_ready (res://game.gd:9)"
    ended = await caller.result("stop_project")
    assert ended["wasRunning"] is True
    assert (await caller.result("get_debug_output"))["running"] is False


async def test_output_can_be_asked_for_from_where_one_left_off(make_caller: MakeCaller, playable: Path) -> None:
    caller = make_caller()
    await caller.result("run_project")
    said = await output_with(caller, "counted 3", "careful")
    again = await caller.result("get_debug_output", cursor=said["cursor"])
    assert again["lines"] == []
    only = await caller.result("get_debug_output", pattern="UP AND")
    assert only["lines"] == ["up and running"]
    none = await caller.result("get_debug_output", onlyErrors=True)
    assert none["lines"] == []
    assert none["errors"]
    last = await caller.result("get_debug_output", limit=1)
    assert len(last["lines"]) == 1
    assert last["leftOut"] >= 1


async def test_a_script_error_does_not_stop_the_game_unless_asked(make_caller: MakeCaller, playable: Path) -> None:
    broken = GAME + "\n\nfunc _process(_delta: float) -> void:\n\tvar none: Node = null\n\tnone.free()\n"
    (playable / "game.gd").write_text(broken)
    caller = make_caller()
    await caller.result("run_project")
    said = await output_with(caller, "base 'Nil'")
    error = next(each for each in said["errors"] if "base 'Nil'" in each["message"])
    assert (error["path"], error["line"]) == ("res://game.gd", 21)
    assert said["paused"] is False
    await caller.result("run_project", pauseOnError=True)
    await output_with(caller, "base 'Nil'")
    state = await paused(caller)
    assert "base 'Nil'" in state["reason"]


async def test_an_error_that_halts_a_game_is_in_the_reply_that_started_it(
    make_caller: MakeCaller, playable: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(runs, "_FIRST_SECONDS", 20.0)
    halted = GAME.replace("\tcount += times\n", "\tvar none: Node = null\n\tnone.free()\n")
    (playable / "game.gd").write_text(halted)
    caller = make_caller()
    for tool, arguments in (("run_project", {"pauseOnError": True}), ("restart_project", {})):
        started = await caller.result(tool, **arguments)
        assert "base 'Nil'" in started["paused"]
        assert started["stack"] == ["work (res://game.gd:16)", "_ready (res://game.gd:10)"]
    assert (await caller.result("debug_evaluate", expression="times"))["value"] == "3"
    (playable / "game.gd").write_text("extends Node\n\n\nfunc _ready() -> void:\n\tget_tree().quit()\n")
    assert "paused" not in await caller.result("run_project", pauseOnError=True)


async def test_a_breakpoint_shows_stack_and_variables(make_caller: MakeCaller, playable: Path) -> None:
    caller = make_caller()
    marks = await caller.result("set_breakpoint", path="game.gd", line=15)
    assert marks["breakpoints"] == [{"path": "res://game.gd", "line": 15}]
    await caller.result("run_project")
    state = await paused(caller)
    assert state["reason"] == "Breakpoint"
    assert [(frame["function"], frame["line"]) for frame in state["stack"]] == [("work", 15), ("_ready", 10)]
    values = {each["name"]: (each["scope"], each["value"]) for each in state["variables"]}
    assert values["times"] == ("local", "3")
    assert values["names"] == ("local", 'Array[String](["a", "b"])')
    assert values["count"] == ("member", "0")
    assert values["place"] == ("member", "Vector2(1, 2.5)")
    outer = await caller.result("get_debug_state", frame=1)
    assert "times" not in {each["name"] for each in outer["variables"]}
    stepped = await caller.result("debug_resume", how="next")
    assert stepped["stack"][0]["line"] == 16
    assert (await caller.result("debug_resume"))["paused"] is False
    assert (await caller.result("set_breakpoint", path="game.gd", line=15, enabled=False))["breakpoints"] == []


async def test_a_running_game_can_be_paused(make_caller: MakeCaller, playable: Path) -> None:
    caller = make_caller()
    looping = GAME + "\n\nfunc _process(_delta: float) -> void:\n\tcount += 1\n"
    (playable / "game.gd").write_text(looping)
    await caller.result("run_project")
    await output_with(caller, "counted 3", "careful")
    assert (await caller.result("debug_resume", how="pause"))["paused"] is True
    assert (await caller.result("debug_resume"))["paused"] is False


async def test_a_game_that_crashes_at_once_says_why(make_caller: MakeCaller, playable: Path) -> None:
    (playable / "game.gd").write_text('extends Node\n\n\nfunc _ready() -> void:\n\tOS.crash("boom")\n')
    caller = make_caller()
    await caller.result("run_project")
    await until(caller, lambda game: not game.running)
    found = await caller.result("get_debug_output")
    assert found["exitCode"] != 0
    assert any("boom" in each["message"] for each in found["errors"])


async def test_a_game_that_hangs_is_stopped_all_the_same(make_caller: MakeCaller, playable: Path) -> None:
    (playable / "game.gd").write_text("extends Node\n\n\nfunc _ready() -> void:\n\twhile true:\n\t\tpass\n")
    caller = make_caller()
    started = await caller.result("run_project")
    assert started["running"] is True
    assert (await caller.result("stop_project"))["wasRunning"] is True


async def test_a_smoke_test_passes_or_tells_what_is_wrong(make_caller: MakeCaller, playable: Path) -> None:
    caller = make_caller()
    passed = await caller.result("smoke_test", waitMs=700)
    assert passed["passed"] is True
    bad = 'extends Node\n\n\nfunc _ready() -> void:\n\tpush_error("bad start")\n\tget_tree().quit()\n'
    (playable / "game.gd").write_text(bad)
    report = await caller.result("smoke_test", waitMs=30_000, failOnIssues=False)
    assert report["passed"] is False
    failed = await fault(caller, "smoke_test", waitMs=30_000)
    assert failed["message"] == "The smoke test failed: bad start"
    assert failed["details"]["errors"][0]["stack"] == ["_ready (res://game.gd:5)"]


async def test_a_smoke_test_has_saved_games_of_its_own(
    make_caller: MakeCaller, playable: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    saving = "extends Node\n\n\nfunc _ready() -> void:\n\tvar found := FileAccess.file_exists('user://saved.txt')\n"
    saving += "\tFileAccess.open('user://saved.txt', FileAccess.WRITE).store_string('x')\n"
    saving += "\tget_tree().quit(int(found))\n"
    (playable / "game.gd").write_text(saving)
    for _ in range(2):
        report = await make_caller().result("smoke_test", waitMs=60_000)
        assert report["exitCode"] == 0
    assert not list(tmp_path.rglob("saved.txt"))


async def test_a_smoke_test_waits_as_long_as_it_is_told(make_caller: MakeCaller, playable: Path) -> None:
    late = "\tawait get_tree().create_timer(2.5).timeout\n\tpush_error('late')\n\tget_tree().quit()\n"
    (playable / "game.gd").write_text(f"extends Node\n\n\nfunc _ready() -> void:\n{late}")
    report = await make_caller().result("smoke_test", waitMs=60_000, failOnIssues=False)
    assert [error["message"] for error in report["errors"]] == ["late"]


async def test_a_game_runs_headless_on_request_whatever_screen_is_named(
    make_caller: MakeCaller, playable: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("DISPLAY", ":98765")  # where there is none
    caller = make_caller()
    assert (await caller.result("run_project", headless=True))["headless"] is True
    await output_with(caller, "up and running")
    await caller.result("stop_project")


async def test_a_game_gets_its_arguments_also_when_it_is_started_again(make_caller: MakeCaller, playable: Path) -> None:
    other = 'extends Node\n\n\nfunc _ready() -> void:\n\tprint("other ", OS.get_cmdline_user_args())\n'
    (playable / "other.gd").write_text(other)
    (playable / "other.tscn").write_text(SCENE.replace("game.gd", "other.gd"))
    caller = make_caller()
    first = await caller.result("run_project", scene="other.tscn", arguments=["--level", "3"])
    await output_with(caller, 'other ["--level", "3"]')
    again = await caller.result("restart_project")
    assert (again["scene"], again["running"]) == ("res://other.tscn", True)
    assert again["pid"] != first["pid"]
    await output_with(caller, 'other ["--level", "3"]')
    await caller.result("stop_project")


async def test_a_game_that_ends_at_once_is_heard_out(make_caller: MakeCaller, playable: Path) -> None:
    hasty = (
        'extends Node\n\n\nfunc _ready() -> void:\n\tprint("there")\n\tpush_error("and gone")\n\tget_tree().quit()\n'
    )
    (playable / "game.gd").write_text(hasty)
    caller = make_caller()
    said = await fault(caller, "smoke_test")
    assert said["message"] == "The smoke test failed: and gone"
    report = await caller.result("smoke_test", failOnIssues=False)
    assert "there" in report["output"]
    assert [error["message"] for error in report["errors"]] == ["and gone"]


async def test_a_smoke_test_can_be_of_one_scene(make_caller: MakeCaller, playable: Path) -> None:
    (playable / "bad.gd").write_text(
        'extends Node\n\n\nfunc _ready() -> void:\n\tpush_error("bad scene")\n\tget_tree().quit()\n'
    )
    (playable / "bad.tscn").write_text(SCENE.replace("game.gd", "bad.gd"))
    said = await fault(make_caller(), "smoke_test", scene="bad.tscn", waitMs=30_000)
    assert said["message"] == "The smoke test failed: bad scene"


async def test_a_game_started_elsewhere_can_join(make_caller: MakeCaller, playable: Path) -> None:
    caller = make_caller()
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    stream = await caller.result("start_debug_stream", port=port)
    assert stream["port"] == port
    command = [godot(), "--headless", "--path", str(playable), *stream["command"].split()]
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        games = caller.runtime.services.get(Games, Games)
        with anyio.fail_after(20):
            while games.find(playable) is None:
                await anyio.lowlevel.checkpoint()
        assert (await caller.result("get_debug_stream_status"))["connected"] is True
        assert "up and running" in (await output_with(caller, "counted 3", "careful"))["lines"]
    finally:
        process.kill()
        process.wait()
    assert (await caller.result("stop_debug_stream"))["listening"] is False


async def test_what_cannot_be_run_is_refused_with_what_to_do(make_caller: MakeCaller, game: Path) -> None:
    caller = make_caller()
    assert "application/run/main_scene" in (await fault(caller, "run_project"))["suggestedFix"]
    assert (await fault(caller, "run_project", scene="none.tscn"))["code"] == "E_NOT_FOUND"
    assert (await fault(caller, "get_debug_output"))["code"] == "E_NOT_FOUND"
    assert (await fault(caller, "stop_debug_stream"))["code"] == "E_NOT_FOUND"


async def test_the_version_of_the_engine_is_told(make_caller: MakeCaller, game: Path) -> None:
    found = await make_caller().result("get_godot_version")
    assert found["build"].startswith(found["version"])


async def test_the_latest_complaints_of_a_game_are_told(make_caller: MakeCaller, playable: Path) -> None:
    (playable / "game.gd").write_text(
        'extends Node\n\n\nfunc _ready() -> void:\n\tpush_error("one")\n\tpush_error("two")\n'
    )
    caller = make_caller()
    await caller.result("run_project")
    await until(caller, lambda game: "two" in str(game.transcript.since()))
    found = await caller.result("get_recent_errors")
    assert [error["message"] for error in found["errors"]] == ["one", "two"]
    last = await caller.result("get_recent_errors", limit=1)
    assert ([error["message"] for error in last["errors"]], last["total"]) == (["two"], 2)


PAINTED = """extends ColorRect

func _ready() -> void:
	color = Color.BLUE if "blue" in OS.get_cmdline_user_args() else Color.RED
	print("painted")
"""
BOARD = """[gd_scene format=3]

[ext_resource type="Script" path="res://painted.gd" id="1"]

[node name="Board" type="ColorRect"]
anchors_preset = 15
anchor_right = 1.0
anchor_bottom = 1.0
script = ExtResource("1")
"""


@pytest.fixture
def screen(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    shown = Screen()
    for name, value in shown.environment().items():
        monkeypatch.setenv(name, value)
    yield
    shown.close()


@pytest.mark.since_godot(4, 5)
@pytest.mark.usefixtures("screen")
async def test_a_picture_is_of_the_game_that_runs_and_not_of_another_run(
    make_caller: MakeCaller, playable: Path
) -> None:
    (playable / "painted.gd").write_text(PAINTED)
    (playable / "game.tscn").write_text(BOARD)
    caller = make_caller()
    assert await _colour(caller, running=None) == "red"
    await caller.result("run_project", headless=False, arguments=["blue"])
    await output_with(caller, "painted")
    assert await _colour(caller, running=True) == "blue"
    assert await _colour(caller, running=None, scenePath="game.tscn") == "red"
    await caller.result("stop_project")


async def test_a_game_without_a_window_is_not_pictured_silently(make_caller: MakeCaller, playable: Path) -> None:
    caller = make_caller()
    await caller.result("run_project", headless=True)
    reply = await caller.reply("take_screenshot")
    assert reply.structured is not None
    assert "no window" in reply.structured["warnings"][0]
    await caller.result("stop_project")


async def _colour(caller: Caller, *, running: bool | None, **given: Any) -> str:
    import io

    from PIL import Image

    reply = await caller.reply("take_screenshot", {"maxSize": 200, **given})
    assert reply.structured is not None
    assert reply.structured["ok"], reply.structured
    assert reply.structured["result"].get("running") is running
    (attached,) = reply.attachments
    assert isinstance(attached.data, bytes)
    with Image.open(io.BytesIO(attached.data)) as picture:
        assert max(picture.size) <= 200
        pixel = picture.convert("RGB").getpixel((picture.width // 2, picture.height // 2))
    assert isinstance(pixel, tuple)
    return ("red", "green", "blue")[pixel.index(max(pixel))]


async def test_an_overview_tells_the_errors_of_the_last_run(make_caller: MakeCaller, playable: Path) -> None:
    (playable / "game.gd").write_text(GAME.replace('push_warning("careful")', 'push_error("lost")'))
    caller = make_caller()
    assert "errors" not in (await caller.result("overview"))["sections"]
    await caller.result("run_project")
    await output_with(caller, "counted 3", "lost")
    await caller.result("stop_project")
    assert "game.gd:9 lost" in (await caller.result("overview"))["sections"]["errors"]
