"""The settings page and the dock's own settings: what is set there holds."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from tests.godot.addon.dock import DOCK, press, shown
from tests.godot.addon.editor import Editor, running_editor, wait_for
from tests.godot.addon.plain import PlainClient, Refused, plain_client
from tests.godot.addon.project import make_project

from scenewright.core.projects.user_folder import user_folder, user_token

pytestmark = [pytest.mark.godot, pytest.mark.xdist_group("godot-editor")]

PAGE = "scenewright/bridge/"
SETTINGS = "EditorInterface.get_editor_settings()"
# From the moment the next call waits for its turn until it is answered, in frames of the editor.
COUNT_FRAMES = f"""var dock: Object = {DOCK}
var stop: Dictionary = dock.get_signal_connection_list("stop_wanted")[0]
var callable: Callable = stop["callable"]
var dispatcher: Object = callable.get_object().get("_dispatcher")
var begin: Callable = func() -> void: Engine.set_meta("frames", -Engine.get_process_frames())
var end: Callable = func(_client: int, _method: String, _code: int, _usec: int) -> void:
	var begun: int = Engine.get_meta("frames")
	Engine.set_meta("frames", begun + Engine.get_process_frames())
var _wired: Array[int] = [
	dispatcher.connect("queued", begin, CONNECT_ONE_SHOT), dispatcher.connect("called", end, CONNECT_ONE_SHOT)
]"""


@contextmanager
def setting(editor: Editor, name: str, value: Any) -> Iterator[None]:
    """Another value on the settings page, for a while."""
    before = editor.ask(f'{SETTINGS}.get_setting("{PAGE}{name}")')
    editor.act(f'{SETTINGS}.set_setting("{PAGE}{name}", {json.dumps(value)})')
    try:
        yield
    finally:
        editor.act(f'{SETTINGS}.set_setting("{PAGE}{name}", {json.dumps(before)})')


def announcement(editor: Editor) -> Path:
    return user_folder() / "bridge" / f"{editor.process.pid}.json"


def test_the_docks_button_stops_the_bridge_and_starts_it_again(headless_editor: Editor) -> None:
    with headless_editor.client() as client:
        press(headless_editor, "Stop")
        assert client.closing_code() == 1001
    assert not announcement(headless_editor).exists()
    assert "Not serving" in shown(headless_editor)
    press(headless_editor, "Start")
    headless_editor.facts = json.loads(announcement(headless_editor).read_text(encoding="utf-8"))
    with headless_editor.client() as client:
        assert client.call("ping")["pong"] is True


def test_the_docks_box_decides_whether_dangerous_actions_are_allowed(
    headless_editor: Editor, client: PlainClient
) -> None:
    press(headless_editor, "Allow dangerous actions")
    try:
        with pytest.raises(Refused) as refused:
            client.act("delete_node", node_path="Enemy")
        assert refused.value.code == -32002
        assert headless_editor.ask(f'{SETTINGS}.get_setting("{PAGE}allow_dangerous_actions")') is False
    finally:
        press(headless_editor, "Allow dangerous actions")
    client.act("delete_node", node_path="Enemy")


def test_every_setting_is_on_the_page_with_its_kind(headless_editor: Editor) -> None:
    listed = headless_editor.ask(f"{SETTINGS}.get_property_list()")
    kinds = {row["name"].removeprefix(PAGE): row["type"] for row in listed if row["name"].startswith(PAGE)}
    flags = ("start_with_editor", "check_token", "allow_actions", "allow_dangerous_actions", "join_running_games")
    numbers = ("port", "frame_budget_msec", "max_capture_size")
    assert kinds == dict.fromkeys(flags, 1) | dict.fromkeys(numbers, 2)


def test_with_actions_turned_off_none_is_carried_out(headless_editor: Editor, client: PlainClient) -> None:
    with setting(headless_editor, "allow_actions", False):
        with pytest.raises(Refused) as refused:
            client.act("select_node", node_path="Player")
        assert refused.value.code == -32002
        assert "Allow Actions" in refused.value.data["how_to_enable"]
    client.act("select_node", node_path="Player")


def test_without_the_check_of_the_token_everyone_is_let_in(headless_editor: Editor) -> None:
    with setting(headless_editor, "check_token", False), plain_client(headless_editor.url, ready=False) as stranger:
        assert stranger.greeting["params"]["auth"] == "off"
        assert stranger.call("get_editor_info")["success"] is True


def test_a_bridge_that_shall_not_start_with_the_editor_waits_for_the_person(headless_editor: Editor) -> None:
    plugin = 'EditorInterface.set_plugin_enabled("scenewright_bridge", {})'
    with setting(headless_editor, "start_with_editor", False):
        headless_editor.act(plugin.format("false"))
        headless_editor.act(plugin.format("true"))
        frames = headless_editor.ask("Engine.get_process_frames()")
        wait_for(lambda: headless_editor.ask("Engine.get_process_frames()") > frames + 30, 30, "no frames")
        assert not announcement(headless_editor).exists()
        press(headless_editor, "Start")
    headless_editor.facts = json.loads(announcement(headless_editor).read_text(encoding="utf-8"))
    with headless_editor.client() as client:
        assert client.call("ping")["pong"] is True


def test_a_small_budget_spreads_a_tree_over_more_frames(headless_editor: Editor, client: PlainClient) -> None:
    calls = [
        {"method": "add_node", "params": {"parent_path": ".", "type": "Node", "name": f"N{n}"}} for n in range(3000)
    ]
    client.call("scenewright.batch", calls=calls)

    def frames() -> int:
        headless_editor.act(COUNT_FRAMES)
        client.call("get_scene_tree")
        return int(headless_editor.ask('Engine.get_meta("frames")'))

    with setting(headless_editor, "frame_budget_msec", 100):
        few = min(frames() for _ in range(3))
    with setting(headless_editor, "frame_budget_msec", 1):
        assert frames() > few


def test_a_picture_is_no_bigger_than_the_settings_allow(screen_editor: Editor, anonymous: PlainClient) -> None:
    with setting(screen_editor, "max_capture_size", 100):
        picture = anonymous.call("capture_viewport", viewport_type="3d")
    assert max(picture["width"], picture["height"]) == 100


def test_games_are_joined_only_where_the_settings_allow_it(headless_editor: Editor, client: PlainClient) -> None:
    with setting(headless_editor, "join_running_games", False):
        client.act("run_main_scene")
        client.event("godoty.game_started")
        with pytest.raises(Refused) as refused:
            client.call("capture_game")
        assert refused.value.code == -32004
        assert "was not joined" in refused.value.message
        client.act("stop_scene")


def test_the_environment_comes_before_the_settings(godot: Path, tmp_path: Path) -> None:
    project = make_project(tmp_path / "project")
    page = f"{PAGE}port = 6710\n{PAGE}check_token = false"
    with running_editor(godot, project, settings=page) as editor:
        assert 6710 <= editor.facts["port"] < 6730
        assert editor.facts["auth"] == "off"
    given = {"SCENEWRIGHT_BRIDGE_PORT": "6730", "SCENEWRIGHT_BRIDGE_TOKEN": "open sesame"}
    with running_editor(godot, project, settings=page, env=given) as editor:
        assert 6730 <= editor.facts["port"] < 6750
        assert editor.facts["auth"] == "token"
        with plain_client(editor.url, token="open sesame") as client:
            assert client.call("ping")["pong"] is True
        with plain_client(editor.url, token=user_token()) as client, pytest.raises(Refused) as refused:
            client.call("ping")
        assert refused.value.code == -32007
