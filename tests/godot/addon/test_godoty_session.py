"""The Godoty document's complete session, by a client that knows nothing else, and pictures by their pixels."""

from __future__ import annotations

import base64
import io
from typing import Any

import pytest
from PIL import Image
from tests.godot.addon.editor import Editor
from tests.godot.addon.plain import PlainClient, Refused, plain_client

from scenewright.app import make_runtime
from scenewright.core.calls.call import Request
from scenewright.core.config import Config

pytestmark = [pytest.mark.godot, pytest.mark.xdist_group("godot-screen")]

RED, GREEN = (255, 0, 0), (0, 255, 0)


def picture_of(answer: dict[str, Any], kind: str = "png") -> Image.Image:
    head, _, data = answer["image"].partition(",")
    assert head == f"data:image/{kind};base64"
    picture = Image.open(io.BytesIO(base64.b64decode(data)))
    picture.load()
    assert picture.size == (answer["width"], answer["height"])
    return picture.convert("RGB")


def share(picture: Image.Image, color: tuple[int, int, int], tolerance: int = 40) -> float:
    """Which part of the picture has about this color."""
    near = 0
    for count, pixel in picture.getcolors(picture.width * picture.height) or []:
        assert isinstance(pixel, tuple)
        near += count * all(abs(mine - wanted) <= tolerance for mine, wanted in zip(pixel, color, strict=True))
    return near / (picture.width * picture.height)


def test_the_complete_session_of_the_godoty_document(screen_editor: Editor, anonymous: PlainClient) -> None:
    with plain_client(screen_editor.url, ready=False) as client:
        assert client.greeting["method"] == "godoty.connected"
        client.notify("godoty.ready", client_name="godoty-mcp")

        assert client.call("get_editor_info")["godot_version"]["major"] == 4

        view = client.call("capture_viewport", viewport_type="3d")
        assert view["viewport_type"] == "3d"
        assert share(picture_of(view), GREEN) > 0.01

        docs = client.call("get_class_docs", class_name="CharacterBody3D")
        assert docs["class_name"] == "CharacterBody3D"
        assert "move_and_slide" in {method["name"] for method in docs["methods"]}

        tree = client.call("get_scene_tree")["tree"]
        assert tree["name"] == "Main"
        assert "Player" in {child["name"] for child in tree["children"]}

        assert client.call("execute_action", action="run_scene")["success"] is True
        assert client.event("godoty.game_started")["scene_path"] == "res://main.tscn"

        game = client.call("capture_game")
        assert game["scene_path"] == "res://main.tscn"
        shown = picture_of(game)
        assert shown.getpixel((20, 20)) == RED
        assert share(shown, GREEN) > 0.01

        assert "null value" in client.event_where("godoty.error_occurred", "null")["message"]
        assert len(client.call("get_errors", count=5)["errors"]) <= 5
        errors = client.call("get_errors", count=100)["errors"]  # on a bare X server the editor adds some of its own
        assert any(error["source"]["script"] == "res://main.gd" for error in errors)

        assert client.call("execute_action", action="stop_scene")["success"] is True
        assert client.event("godoty.game_stopped")["reason"] == "user_stopped"


def test_without_the_check_calls_need_no_ready(screen_editor: Editor) -> None:
    with plain_client(screen_editor.url, ready=False) as client:
        assert client.greeting["params"]["auth"] == "off"
        assert client.call("ping")["pong"] is True


def test_a_viewport_is_seen_in_two_dimensions_whatever_is_in_front(anonymous: PlainClient) -> None:
    anonymous.act("focus_node", node_path="/root/Main/Player")
    flat = picture_of(anonymous.call("capture_viewport", viewport_type="2d"))
    assert share(flat, RED) > 0.01
    assert share(flat, GREEN) == 0
    deep = picture_of(anonymous.call("capture_viewport", viewport_type="3d"))
    assert share(deep, GREEN) > 0.01


@pytest.mark.anyio
@pytest.mark.parametrize(
    ("screen", "scene", "shown"),
    [("2D", "main.tscn", "2d"), ("3D", "main.tscn", "3d"), ("Script", "main.tscn", "3d")],
)
async def test_the_tool_shows_the_view_that_is_in_front(
    screen: str, scene: str, shown: str, screen_editor: Editor, anonymous: PlainClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SCENEWRIGHT_BRIDGE_TOKEN", "off")
    screen_editor.act(f'EditorInterface.set_main_screen_editor("{screen}")')
    runtime = make_runtime(Config(project=screen_editor.project, rate_limit=None))
    try:
        outcome = await runtime.run(Request(tool="godot_capture_viewport", arguments={}))
    finally:
        runtime.close()
    assert outcome.fault is None
    assert [picture.viewport_type for picture in outcome.call.output.pictures] == [shown]
    data = outcome.call.attachments[0].data
    assert isinstance(data, bytes)
    colors = Image.open(io.BytesIO(data)).convert("RGB")
    assert (share(colors, RED) > 0.01) is (shown == "2d")
    assert anonymous.call("ping")["pong"] is True


def test_both_viewports_come_in_one_answer(anonymous: PlainClient) -> None:
    answer = anonymous.call("capture_viewport", viewport_type="both")
    assert answer["viewport_type"] == "both"
    assert answer["timestamp"] > 1_700_000_000
    assert share(picture_of(answer["images"]["2d"]), RED) > 0.01
    assert share(picture_of(answer["images"]["3d"]), GREEN) > 0.01


def test_a_picture_shows_a_change_that_was_just_made(anonymous: PlainClient) -> None:
    before = share(picture_of(anonymous.call("capture_viewport", viewport_type="3d")), GREEN)
    anonymous.act("set_property", node_path="/root/Main/Player", property="visible", value=False)
    after = share(picture_of(anonymous.call("capture_viewport", viewport_type="3d")), GREEN)
    assert before > 0.01 > after


def test_pictures_keep_their_shape_within_the_limits(anonymous: PlainClient) -> None:
    whole = picture_of(anonymous.call("capture_viewport"))
    small = anonymous.call("capture_viewport", max_width=200, max_height=200, format="jpg")
    picture = picture_of(small, "jpeg")
    assert max(picture.size) == 200
    assert picture.width / picture.height == pytest.approx(whole.width / whole.height, abs=0.02)
    assert share(picture, GREEN) > 0.01


def test_a_focused_node_is_in_the_middle_of_the_view(anonymous: PlainClient) -> None:
    anonymous.act("set_property", node_path="/root/Main/Player", property="position", value=[40, 0, 40])
    answer = anonymous.act("focus_node", node_path="/root/Main/Player")
    assert answer["node_path"] == "/root/Main/Player"
    picture = picture_of(anonymous.call("capture_viewport", viewport_type="3d"))
    middle = picture.crop((picture.width // 3, picture.height // 3, picture.width * 2 // 3, picture.height * 2 // 3))
    assert share(middle, GREEN) > 0.01


def test_a_game_is_seen_small_and_as_jpg(anonymous: PlainClient) -> None:
    anonymous.act("run_main_scene")
    picture = picture_of(anonymous.call("capture_game", max_width=320, max_height=320, format="jpg"), "jpeg")
    assert picture.width == 320
    assert share(picture, RED) > 0.01
    anonymous.act("pause_scene")
    assert share(picture_of(anonymous.call("capture_game")), RED) > 0.01
    anonymous.act("stop_scene")


def test_dangerous_actions_need_to_be_allowed(anonymous: PlainClient) -> None:
    with pytest.raises(Refused) as refused:
        anonymous.act("delete_node", node_path="/root/Main/Player")
    assert refused.value.code == -32002
    assert refused.value.message == "Action 'delete_node' is not enabled"
    assert refused.value.data["action"] == "delete_node"
    assert refused.value.data["reason"] == "Dangerous actions require explicit opt-in"
    assert refused.value.data["how_to_enable"] == "Enable 'godoty.allow_dangerous_actions' in plugin settings"


@pytest.mark.parametrize("call", ["remove_node", "batch", "apply_text"])
def test_who_showed_no_token_cannot_remove_nodes_by_another_name(anonymous: PlainClient, call: str) -> None:
    params: dict[str, Any] = {"node_path": "/root/Main/Player"}
    if call == "batch":
        params = {"calls": [{"method": "delete_node", "params": params}]}
    if call == "apply_text":
        text = '[gd_scene format=3]\n\n[node name="Main" type="Node3D"]\n'
        params = {"text": text, "edits": [{"op": "remove", "was": "Player"}]}
    with pytest.raises(Refused) as refused:
        anonymous.call(f"scenewright.{call}", **params)
    assert refused.value.code == -32002
    assert "Player" in {child["name"] for child in anonymous.call("get_scene_tree")["tree"]["children"]}


def test_who_showed_no_token_brings_no_code_into_a_game(anonymous: PlainClient) -> None:
    with pytest.raises(Refused) as refused:
        anonymous.call("scenewright.ask_game", folder="/", method="state")
    assert refused.value.code == -32002
    assert refused.value.message == "Action 'ask_game' is not allowed: it runs code in the game"
