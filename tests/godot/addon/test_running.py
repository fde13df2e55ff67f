"""Games that run, fail, crash and hang, seen from an editor without a screen."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.godot.addon.editor import Editor, wait_for
from tests.godot.addon.plain import PlainClient, Refused

from scenewright.core.projects.user_folder import user_folder

pytestmark = [pytest.mark.godot, pytest.mark.xdist_group("godot-editor")]


def left_behind(project: Path) -> list[str]:
    """What a run could have left in the project."""
    state = [path.name for path in (user_folder() / "bridge").iterdir() if path.suffix != ".json"]
    return state + [path.name for path in project.glob("override.cfg*")]


def test_a_game_is_run_heard_and_stopped(headless_editor: Editor, client: PlainClient) -> None:
    answer = client.act("run_scene")
    assert answer["scene_path"] == "res://main.tscn"
    assert answer["message"] == "Scene started successfully"
    started = client.event("godoty.game_started")
    assert started["scene_path"] == "res://main.tscn"
    failure = client.event_where("godoty.error_occurred", "null value")
    assert failure["severity"] == "error"
    assert failure["source"] == {"script": "res://main.gd", "function": "_fail", "line": 19}
    assert client.call("get_editor_info")["editor_state"]["is_game_running"] is True
    client.act("stop_scene")
    stopped = client.event("godoty.game_stopped")
    assert (stopped["reason"], stopped["exit_code"]) == ("user_stopped", 0)
    assert left_behind(headless_editor.project) == []


def test_errors_are_kept_with_where_they_came_from(client: PlainClient) -> None:
    client.act("run_scene", scene_path="res://main.tscn")
    client.event_where("godoty.error_occurred", "null value")
    client.act("stop_scene")
    answer = client.call("get_errors", count=10, severity="all")
    newest, older = answer["errors"][:2]
    assert newest["severity"] == "error"
    assert newest["message"] == "Cannot call method 'queue_free' on a null value."
    assert newest["stack_trace"] == ["res://main.gd:19 in _fail()"]
    assert (older["severity"], older["message"]) == ("warning", "mind the gap")
    assert older["source"] == {"script": "res://main.gd", "function": "_ready", "line": 8}
    assert older["timestamp"] <= newest["timestamp"]
    assert {error["severity"] for error in client.call("get_errors", severity="warning")["errors"]} == {"warning"}
    assert len(client.call("get_errors", count=1)["errors"]) == 1
    printed = client.call("get_editor_log", filter="the game is up")["logs"][-1]
    assert printed["type"] == "info"


def test_a_script_error_does_not_halt_a_game_that_nobody_watches(client: PlainClient) -> None:
    client.act("run_main_scene")
    client.event_where("godoty.error_occurred", "null value")
    frames = len(client.call("get_editor_log", count=0, filter="^frame ")["logs"])
    start = client.call("get_editor_log", filter="^frame ")["total_count"]
    wait_for(
        lambda: client.call("get_editor_log", filter="^frame ")["total_count"] > start, 30, "the game does not go on"
    )
    assert frames == 0
    client.act("stop_scene")


def test_a_paused_game_stands_still_until_it_is_resumed(headless_editor: Editor, client: PlainClient) -> None:
    with headless_editor.client(extended_events=True) as listener:
        client.act("run_main_scene")
        client.event_where("godoty.error_occurred", "null value")
        assert client.act("pause_scene")["confirmed"] is True
        quiet_after(listener)
        client.act("resume_scene")
        messages: list[str] = []
        while not any(message.startswith("frame ") for message in messages):
            messages = [entry["message"] for entry in listener.event("scenewright.log")["entries"]]
        client.act("stop_scene")


def quiet_after(listener: PlainClient) -> None:
    """Returns once the game has printed nothing for half a second; it prints with every frame otherwise."""
    until_quiet = 0.5
    for _ in range(10_000):
        try:
            listener.event("scenewright.log", until_quiet)
        except TimeoutError:
            return
    raise AssertionError("the game goes on")


def test_unsaved_changes_are_neither_saved_nor_run(headless_editor: Editor, client: PlainClient) -> None:
    file = headless_editor.project / "main.tscn"
    before = file.read_text(encoding="utf-8")
    client.act("set_property", node_path="/root/Main/Player", property="speed", value=2)
    answer = client.act("run_scene")
    assert answer["unsaved_scenes"] == ["res://main.tscn"]
    assert file.read_text(encoding="utf-8") == before
    client.act("stop_scene")
    client.act("run_scene", save=True)
    assert "speed = 2.0" in file.read_text(encoding="utf-8")
    client.act("stop_scene")


def test_a_game_that_crashes_at_its_start_is_reported(headless_editor: Editor, client: PlainClient) -> None:
    client.act("run_scene", scene_path="res://crash.tscn")
    stopped = client.event("godoty.game_stopped")
    assert stopped["reason"] == "crashed"
    error = client.call("get_errors", count=1)["errors"][0]
    assert error["message"] == "of despair"
    assert client.call("get_editor_log", filter="now it crashes")["total_count"] >= 1
    assert client.call("get_editor_info")["editor_state"]["is_game_running"] is False
    assert left_behind(headless_editor.project) == []


@pytest.mark.since_godot(4, 5)
def test_a_crash_is_told_with_the_script_that_made_it(client: PlainClient) -> None:
    client.act("run_scene", scene_path="res://crash.tscn")
    client.event("godoty.game_stopped")
    assert client.call("get_errors", count=1)["errors"][0]["source"]["script"] == "res://crash.gd"


def test_a_script_that_does_not_parse_is_reported(client: PlainClient) -> None:
    client.act("run_scene", scene_path="res://broken.tscn")
    error = client.event_where("godoty.error_occurred", "Parse Error")
    assert error["source"]["script"] == "res://broken.gd"
    client.act("stop_scene")


def test_a_game_that_ends_by_itself_is_reported(client: PlainClient) -> None:
    client.act("run_scene", scene_path="res://quit.tscn")
    assert client.event("godoty.game_stopped")["reason"] == "exited"
    assert client.call("get_editor_log", filter="that was it")["total_count"] >= 1


def test_a_game_that_hangs_is_noticed_and_can_be_stopped(headless_editor: Editor, client: PlainClient) -> None:
    client.act("run_scene", scene_path="res://hang.tscn")
    wait_for(
        lambda: client.call("get_editor_log", filter="now it hangs")["total_count"] >= 1, 60, "the game did not start"
    )
    with pytest.raises(Refused) as refused:
        client.call("capture_game", timeout_ms=500)
    assert refused.value.code == -32005
    assert refused.value.data["timeout_ms"] == 500
    with pytest.raises(Refused) as refused:
        client.act("pause_scene", timeout_ms=500)
    assert refused.value.code == -32005
    assert "stop_scene" in refused.value.data["suggestion"]
    assert client.call("ping")["pong"] is True
    client.act("stop_scene")
    assert client.event("godoty.game_stopped")["reason"] == "user_stopped"
    assert left_behind(headless_editor.project) == []


def test_a_second_run_replaces_the_first(client: PlainClient) -> None:
    client.act("run_scene", scene_path="res://main.tscn")
    client.event("godoty.game_started")
    client.act("run_scene", scene_path="res://level.tscn")
    assert client.event("godoty.game_stopped")["reason"] == "user_stopped"
    assert client.event("godoty.game_started")["scene_path"] == "res://level.tscn"
    client.act("stop_scene")


def test_a_projects_own_override_is_never_touched(headless_editor: Editor, client: PlainClient) -> None:
    own = headless_editor.project / "override.cfg"
    own.write_text('[application]\n\nconfig/description="mine"\n', encoding="utf-8")
    before = own.read_bytes()
    try:
        client.act("run_scene", scene_path="res://level.tscn")
        with pytest.raises(Refused) as refused:
            client.call("capture_game")
        assert refused.value.code == -32004
        assert "override.cfg" in refused.value.data["suggestion"]
        assert client.act("pause_scene")["confirmed"] is False
        client.act("stop_scene")
        assert own.read_bytes() == before
    finally:
        own.unlink()


@pytest.mark.parametrize("action", ["stop_scene", "pause_scene", "resume_scene"])
def test_without_a_game_there_is_nothing_to_stop(client: PlainClient, action: str) -> None:
    with pytest.raises(Refused) as refused:
        client.act(action)
    assert refused.value.code == -32003


def test_without_a_game_there_is_no_picture(client: PlainClient) -> None:
    with pytest.raises(Refused) as refused:
        client.call("capture_game", max_width=1920, max_height=1080, format="png")
    assert refused.value.code == -32003
    assert refused.value.message == "Game not running"
    assert refused.value.data["suggestion"] == "Use execute_action with action='run_scene' to start the game"


@pytest.mark.parametrize("path", ["res://nowhere.tscn", "res://main.gd", "/etc/passwd", "main.tscn"])
def test_a_scene_that_is_not_there_cannot_be_run(client: PlainClient, path: str) -> None:
    with pytest.raises(Refused) as refused:
        client.act("run_scene", scene_path=path)
    assert refused.value.code == -32006
    assert refused.value.data["requested_path"] == path
