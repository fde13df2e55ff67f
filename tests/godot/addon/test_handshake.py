"""The connection's lifecycle, and who is let in."""

from __future__ import annotations

import json
import os
import socket
import stat
from pathlib import Path

import pytest
from tests.godot.addon.editor import Editor
from tests.godot.addon.plain import PlainClient, Refused, plain_client
from websockets.exceptions import InvalidStatus
from websockets.sync.client import connect

from scenewright.bridge.session import proof_of
from scenewright.core.projects.user_folder import user_token_file

pytestmark = [pytest.mark.godot, pytest.mark.xdist_group("godot-editor")]


def test_the_server_introduces_itself_first(client: PlainClient) -> None:
    greeting = client.greeting
    assert greeting["method"] == "godoty.connected"
    assert "id" not in greeting
    params = greeting["params"]
    assert params["godot_version"].count(".") == 2
    assert params["plugin_version"] == "1.0.0"
    assert {"capture", "docs", "scene", "actions", "debug"} <= set(params["capabilities"])
    assert params["min_supported_version"] == "1.0.0"
    assert params["protocol_version"] >= "1.2.0"
    assert params["auth"] == "token"


def test_the_editor_announces_where_it_is(headless_editor: Editor) -> None:
    facts = headless_editor.facts
    assert facts["pid"] == headless_editor.process.pid
    assert facts["project"] == str(headless_editor.project)
    assert facts["url"] == f"ws://127.0.0.1:{facts['port']}/"
    assert facts["headless"] is True
    assert facts["token_file"] == str(user_token_file())


def test_only_the_user_can_read_the_token(headless_editor: Editor) -> None:
    token = Path(headless_editor.facts["token_file"])
    assert stat.S_IMODE(os.stat(token).st_mode) == 0o600
    assert len(headless_editor.token) == 43


@pytest.mark.parametrize("token", [None, "", "wrong", "0" * 43])
def test_without_the_token_a_client_gets_an_error_and_nothing_else(headless_editor: Editor, token: str | None) -> None:
    with plain_client(headless_editor.url, token=token) as stranger:
        refused = stranger.receive()
        assert refused["id"] is None
        assert refused["error"]["code"] == -32007
        with pytest.raises(Refused) as ping:
            stranger.call("ping")
        assert ping.value.code == -32007
        assert "token" in ping.value.data["suggestion"]


def test_a_call_before_ready_is_refused(headless_editor: Editor) -> None:
    with plain_client(headless_editor.url, ready=False) as stranger:
        with pytest.raises(Refused) as refused:
            stranger.call("get_editor_info")
        assert refused.value.code == -32007


def test_the_editor_shows_that_it_knows_the_token_to_who_has_not_told_it(headless_editor: Editor) -> None:
    with plain_client(headless_editor.url, ready=False) as stranger:
        proof = stranger.call("scenewright.prove", nonce="0123")["proof"]
        assert proof == proof_of(headless_editor.token, headless_editor.facts["port"], "0123")
        with pytest.raises(Refused) as refused:
            stranger.call("scenewright.prove", nonce="0" * 200)
        assert refused.value.code == -32007
        with pytest.raises(Refused):
            stranger.call("ping")  # to ask is not to be let in


def test_who_keeps_guessing_is_shown_out(headless_editor: Editor) -> None:
    with plain_client(headless_editor.url, token="guess") as stranger:
        for _ in range(4):
            stranger.notify("godoty.ready", token="guess")
        for _ in range(5):
            assert stranger.receive()["error"]["code"] == -32007
        assert stranger.closing_code() == 1008


def test_a_stranger_may_not_send_much(headless_editor: Editor) -> None:
    with plain_client(headless_editor.url, ready=False) as stranger:
        assert stranger.send_until_closed("x" * 100_000) == 1009


def test_a_stranger_hears_no_events(headless_editor: Editor, client: PlainClient) -> None:
    with plain_client(headless_editor.url, ready=False) as stranger:
        client.act("select_node", node_path="/root/Main/Player")
        client.event("godoty.selection_changed")
        with pytest.raises(TimeoutError):
            stranger.receive(0.3)


def test_ready_as_a_request_is_answered(headless_editor: Editor) -> None:
    with plain_client(headless_editor.url, ready=False) as client:
        answer = client.call("godoty.ready", client_name="plain", token=headless_editor.token)
        assert answer == {"success": True, "project": str(headless_editor.project)}
        assert client.call("ping")["pong"] is True


@pytest.mark.parametrize("origin", ["https://example.org", "http://127.0.0.1:6550", "null"])
def test_a_web_page_gets_nothing(headless_editor: Editor, origin: str) -> None:
    with pytest.raises(InvalidStatus) as refused:
        connect(headless_editor.url, additional_headers={"Origin": origin})
    assert refused.value.response.status_code == 403
    assert refused.value.response.body == b""


def test_a_name_that_only_resolves_to_this_machine_is_refused(headless_editor: Editor) -> None:
    with pytest.raises(InvalidStatus) as refused:
        connect(f"ws://evil.example:{headless_editor.facts['port']}/", sock=_socket(headless_editor))
    assert refused.value.response.status_code == 403


def test_another_path_is_not_found(headless_editor: Editor) -> None:
    with pytest.raises(InvalidStatus) as refused:
        connect(headless_editor.url + "elsewhere")
    assert refused.value.response.status_code == 404


def test_a_message_is_answered_with_its_own_id(client: PlainClient) -> None:
    for number in ("text", 0, 9007199254740991, -3, 1.5):
        client.send(id=number, method="ping")
        answer = client.receive()
        while "id" not in answer:
            answer = client.receive()
        assert json.dumps(answer["id"]) == json.dumps(number)


def test_so_is_the_handshake(headless_editor: Editor) -> None:
    for token in ("wrong", headless_editor.token):
        with plain_client(headless_editor.url, ready=False) as client:
            client.send(id=0, method="godoty.ready", params={"token": token})
            answer = client.receive()
            while "id" not in answer:
                answer = client.receive()
            assert json.dumps(answer["id"]) == "0"


def _socket(editor: Editor) -> socket.socket:
    return socket.create_connection(("127.0.0.1", editor.facts["port"]))
