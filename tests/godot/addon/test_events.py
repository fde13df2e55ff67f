"""What the editor tells unasked."""

from __future__ import annotations

import pytest
from tests.godot.addon.editor import Editor
from tests.godot.addon.plain import PlainClient

pytestmark = [pytest.mark.godot, pytest.mark.xdist_group("godot-editor")]


def test_a_change_of_the_selection_is_told_whoever_made_it(headless_editor: Editor, client: PlainClient) -> None:
    client.act("select_nodes", node_paths=["/root/Main/Player", "/root/Main/Enemy"])
    event = client.event("godoty.selection_changed")
    assert sorted(event["selected_nodes"]) == ["/root/Main/Enemy", "/root/Main/Player"]
    assert event["timestamp"] > 1_700_000_000
    headless_editor.act("EditorInterface.get_selection().clear()")
    assert client.event("godoty.selection_changed")["selected_nodes"] == []


def test_a_change_of_the_scene_is_told(headless_editor: Editor, client: PlainClient) -> None:
    headless_editor.act('EditorInterface.open_scene_from_path("res://level.tscn")')
    event = client.event("godoty.scene_changed")
    assert event["previous_scene"] == "res://main.tscn"
    assert event["current_scene"] == "res://level.tscn"
    assert event["timestamp"] > 1_700_000_000


def test_every_client_hears_it(headless_editor: Editor, client: PlainClient) -> None:
    with headless_editor.client() as other:
        other.call("ping")
        client.act("select_node", node_path="/root/Main/Hud")
        assert other.event("godoty.selection_changed")["selected_nodes"] == ["/root/Main/Hud"]


def test_more_is_told_to_those_who_ask_for_more(headless_editor: Editor, client: PlainClient) -> None:
    with headless_editor.client(extended_events=True) as curious:
        curious.call("ping")
        answer = client.act("set_property", node_path="/root/Main/Player", property="speed", value=2)
        event = curious.event("scenewright.scene_edited")
        assert event["scene_path"] == "res://main.tscn"
        assert event["revision"] >= answer["revision"]
        headless_editor.act('print("told as it comes")')
        seen: list[str] = []
        while "told as it comes" not in seen:
            seen = [entry["message"] for entry in curious.event("scenewright.log")["entries"]]
    client.call("ping")
    assert not [event for event in client.events if event["method"].startswith("scenewright.")]
