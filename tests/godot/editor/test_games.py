"""A game that the person runs from a real editor: the tools for games know it, and keep its runs apart."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator
from typing import Any

import anyio
import pytest
from tests.e2e.tools import godot
from tests.godot.editor.conftest import Workbench

pytestmark = [pytest.mark.anyio, pytest.mark.godot, pytest.mark.xdist_group("editor")]

SCENE = """[gd_scene load_steps=2 format=3]

[ext_resource type="Script" path="res://noisy.gd" id="1"]

[node name="Noisy" type="Node"]
script = ExtResource("1")
"""
SCRIPT = """extends Node

func _ready() -> void:
	var turn: String = FileAccess.get_file_as_string("res://turn.txt")
	print("hello of ", turn)
	push_error("trouble of ", turn)
"""
PLAYED = """extends Node2D

var frame: int = 0


func _physics_process(_delta: float) -> void:
	frame += 1
	position.x += 2.0 if Input.is_physical_key_pressed(KEY_D) else 0.0
	if EngineDebugger.is_active() and frame in [20, 40]:  # what the person does, who plays from the editor
		var key: InputEventKey = InputEventKey.new()
		key.physical_keycode = KEY_D
		key.pressed = frame == 20
		Input.parse_input_event(key)
	if frame == 60:
		push_error("trouble of the player")
"""
PLAY = 'editor.play_custom_scene("res://noisy.tscn")'
MANAGER = "godot_debug_manager"


async def play(live: Workbench, turn: str) -> dict[str, Any]:
    """Has the person run the game, and waits until it has said what it has to say."""
    (live.project / "turn.txt").write_text(turn)
    await live.seen(PLAY)
    with anyio.fail_after(60):
        while True:
            found = await live.body(MANAGER, action="output")
            if found["ok"] and any(turn in error["message"] for error in found["result"]["errors"]):
                return dict(found["result"])
            await anyio.sleep(0.1)


async def stop(live: Workbench) -> None:
    await live.seen("editor.stop_playing_scene()")
    with anyio.fail_after(60):
        while (await live.ask("scenewright.get_game"))["running"]:
            await anyio.sleep(0.05)


@pytest.fixture
async def noisy(live: Workbench) -> AsyncIterator[Workbench]:
    (live.project / "noisy.tscn").write_text(SCENE)
    (live.project / "noisy.gd").write_text(SCRIPT)
    await live.ask("scenewright.reload_files", paths=["res://noisy.tscn", "res://noisy.gd"])
    yield live
    await stop(live)
    for name in ("noisy.tscn", "noisy.gd", "noisy.gd.uid", "turn.txt"):
        (live.project / name).unlink(missing_ok=True)


async def test_the_debug_manager_knows_the_game_that_the_person_runs(noisy: Workbench) -> None:
    found = await play(noisy, "monday")
    assert (found["running"], found["paused"], found["scene"]) == (True, False, "res://noisy.tscn")
    assert found["run"] >= 1
    assert "hello of monday" in found["lines"]
    later = await noisy.result(MANAGER, action="output", cursor=found["cursor"])
    assert (later["lines"], later["errors"]) == ([], [])
    state = await noisy.result(MANAGER, action="state")
    assert (state["paused"], state["run"]) == (False, found["run"])


async def test_what_only_its_own_debugger_can_do_says_who_holds_it(noisy: Workbench) -> None:
    await play(noisy, "tuesday")
    for tool, arguments in (
        (MANAGER, {"action": "resume", "how": "pause"}),
        ("godot_workspace_manager", {"action": "stop"}),
        ("godot_workspace_manager", {"action": "restart"}),
    ):
        body = await noisy.body(tool, **arguments)
        assert "was started in the editor" in body["error"]["message"]
        assert "stop_scene" in body["error"]["suggestedFix"]
    await stop(noisy)
    for arguments in ({"action": "resume", "how": "pause"}, {"action": "state"}):
        body = await noisy.body(MANAGER, **arguments)
        assert body["error"]["message"] == "The game that ran from the editor (res://noisy.tscn) has ended."


async def test_errors_of_earlier_runs_are_kept_apart(noisy: Workbench) -> None:
    first = await play(noisy, "wednesday")
    await stop(noisy)
    second = await play(noisy, "thursday")
    assert second["run"] == first["run"] + 1
    assert "wednesday" not in str(second)
    shown = await noisy.result("godot_get_errors", count=100)
    assert (shown["run"], "wednesday" in str(shown["errors"])) == (second["run"], False)
    assert shown["earlier_count"] >= 1
    assert {error["run"] for error in shown["errors"] if "trouble" in error["message"]} == {second["run"]}
    both = await noisy.result("godot_get_errors", count=100, runs="all")
    runs = {error["message"]: error["run"] for error in both["errors"] if "trouble" in error["message"]}
    assert runs["trouble of wednesday"] == first["run"]
    assert runs["trouble of thursday"] == second["run"]
    await stop(noisy)
    ended = await noisy.result(MANAGER, action="output")
    assert (ended["running"], ended["run"]) == (False, second["run"])
    assert [error["message"] for error in ended["errors"]] == ["trouble of thursday"]


async def test_what_the_person_played_is_saved_as_a_tape(noisy: Workbench, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GODOT_PATH", str(godot()))
    (noisy.project / "noisy.gd").write_text(PLAYED)
    (noisy.project / "noisy.tscn").write_text(SCENE.replace('type="Node"]', 'type="Node2D"]'))
    await noisy.ask("scenewright.reload_files", paths=["res://noisy.gd", "res://noisy.tscn"])
    try:
        await play(noisy, "the player")
        saved = await noisy.result("play_save_tape", path="person.tape.json", fromEditor=True)
        assert (saved["repeats"], saved["events"]) == (True, 1)
        assert saved["frames"] > 40
        tape = json.loads((noisy.project / "person.tape.json").read_text())
        pressed, released = tape["events"][0]["step"]["inputs"]
        assert (pressed["event"], released["event"], released["pressed"]) == ("D", "D", False)
        assert 0 < pressed["frame"] < released["frame"] < saved["frames"]
        assert tape["scene"] == "res://noisy.tscn"
        assert (await noisy.result("play_replay", path="person.tape.json"))["passed"]
    finally:
        (noisy.project / "person.tape.json").unlink(missing_ok=True)
    await stop(noisy)
    body = await noisy.body("play_save_tape", path="person.tape.json", fromEditor=True)
    assert body["error"]["message"] == "Game not running"
