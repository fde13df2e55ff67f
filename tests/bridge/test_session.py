"""The protocol without a socket: any order of frames, and time."""

from __future__ import annotations

import json
from typing import Any

from hypothesis import given
from hypothesis import strategies as st
from tests.bridge.wires import GREETING

from scenewright.bridge.messages import Answer, Notice, Refusal
from scenewright.bridge.session import (
    HEARTBEAT,
    PATIENCE,
    Admitted,
    BridgeSession,
    Greeted,
    Lost,
    Nonsense,
    Overdue,
    Resumed,
    Silent,
)

HELLO = json.dumps({"jsonrpc": "2.0", "method": "godoty.connected", "params": GREETING})


def greeted() -> BridgeSession:
    session = BridgeSession(0.0)
    session.receive(HELLO, now=0.0)
    return session


def reply(number: int, result: Any = None) -> str:
    return json.dumps({"jsonrpc": "2.0", "id": number, "result": result})


def test_the_greeting_tells_who_the_editor_is() -> None:
    assert BridgeSession(0.0).receive(HELLO, now=0.0) == [Greeted(GREETING)]


def test_ready_carries_name_version_and_token() -> None:
    session = BridgeSession(0.0)
    introduction = {"client_name": "scenewright", "client_version": "1", "on_behalf_of": "claude-code 2.1"}
    events, text = session.ready(Greeted({"protocol_version": "1.1.0"}), introduction, "secret")
    frame = json.loads(text)
    assert frame["method"] == "godoty.ready"
    assert frame["params"] == {
        "client_name": "scenewright",
        "client_version": "1",
        "on_behalf_of": "claude-code 2.1",
        "token": "secret",
        "extended_events": True,
    }
    assert events == []  # it is the editor that says whether this was enough
    assert session.receive(reply(frame["id"], {"success": True}), now=0.0) == [Admitted()]


def test_a_wrong_token_is_the_editors_refusal_of_the_greeting() -> None:
    session = BridgeSession(0.0)
    frame = json.loads(
        session.ready(Greeted({"protocol_version": "1.1.0"}), {"client_name": "a", "client_version": "1"}, "x")[1]
    )
    refused = json.dumps({"id": frame["id"], "error": {"code": -32007, "message": "Authentication required"}})
    assert session.receive(refused, now=0.0) == [Refusal(None, -32007, "Authentication required")]


def test_ready_without_a_token_is_the_godoty_protocols_own() -> None:
    events, text = BridgeSession(0.0).ready(Greeted({}), {"client_name": "a", "client_version": "1"}, None)
    frame = json.loads(text)
    assert events == [Admitted()]
    assert "id" not in frame
    assert frame["params"] == {"client_name": "a", "client_version": "1"}


def test_a_second_greeting_is_nonsense() -> None:
    assert isinstance(greeted().receive(HELLO, now=0.0)[0], Nonsense)


def test_events_pass_through() -> None:
    frame = '{"jsonrpc":"2.0","method":"godoty.game_stopped","params":{"exit_code":0}}'
    assert greeted().receive(frame, now=0.0) == [Notice("godoty.game_stopped", {"exit_code": 0})]


@given(st.permutations(range(8)), st.sets(st.integers(0, 7)), st.lists(st.integers(0, 7), max_size=8))
def test_every_request_gets_its_own_answer_once_in_any_order(
    order: list[int], given_up: set[int], repeated: list[int]
) -> None:
    session = greeted()
    numbers = [session.request("ping", {}, now=0.0, timeout=10)[0] for _ in range(8)]
    for index in given_up:
        session.abandon(numbers[index])
    events = [e for index in [*order, *repeated] for e in session.receive(reply(numbers[index], index), now=1.0)]
    assert events == [Answer(numbers[index], index) for index in order if index not in given_up]
    assert session.waiting == 0


@given(st.lists(st.binary(max_size=40) | st.text(max_size=40), max_size=30))
def test_noise_between_frames_loses_no_answer(noise: list[str | bytes]) -> None:
    session = greeted()
    number, _ = session.request("ping", {}, now=0.0, timeout=10)
    for frame in noise:
        session.receive(frame, now=0.0)
    answered = session.receive(reply(number, "here"), now=0.0)
    assert answered in ([Answer(number, "here")], [])  # noise may happen to be the answer
    assert session.waiting == 0


@given(st.lists(st.floats(0.1, 50), min_size=1, max_size=10), st.floats(0, 60))
def test_exactly_those_requests_are_overdue_whose_time_has_passed(timeouts: list[float], now: float) -> None:
    session = greeted()
    numbers = {session.request("m", {}, now=0.0, timeout=timeout)[0]: timeout for timeout in timeouts}
    overdue = {event.id for event in session.tick(now)[0] if isinstance(event, Overdue)}
    assert overdue == {number for number, timeout in numbers.items() if timeout <= now}
    assert {event.id for event in session.end() if isinstance(event, Lost)} == numbers.keys() - overdue


def test_a_refusal_belongs_to_its_request() -> None:
    session = greeted()
    number, _ = session.request("get_scene_tree", {}, now=0.0, timeout=10)
    frame = json.dumps({"id": number, "error": {"code": -32000, "message": "no such node"}})
    assert session.receive(frame, now=0.0) == [Refusal(number, -32000, "no such node")]


def test_a_refusal_of_no_request_is_told() -> None:
    events = greeted().receive('{"id":null,"error":{"code":-32700,"message":"not JSON"}}', now=0.0)
    assert events == [Nonsense("the peer could not read a request: not JSON")]


def test_a_quiet_peer_is_asked_once_whether_it_is_there() -> None:
    session = greeted()
    assert session.tick(HEARTBEAT - 0.1) == ([], [])
    _, frames = session.tick(HEARTBEAT)
    assert [json.loads(frame)["method"] for frame in frames] == ["ping"]
    assert session.tick(HEARTBEAT + 1) == ([], [])


def test_a_peer_that_answers_the_heartbeat_is_alive_and_nobody_is_told() -> None:
    session = greeted()
    number = json.loads(session.tick(HEARTBEAT)[1][0])["id"]
    assert session.receive(reply(number, {"pong": True}), now=HEARTBEAT + 0.1) == []
    assert session.tick(HEARTBEAT + PATIENCE) == ([], [])


def test_a_peer_that_does_not_answer_is_frozen_until_it_says_anything() -> None:
    session = greeted()
    session.tick(HEARTBEAT)
    assert session.tick(HEARTBEAT + PATIENCE) == ([Silent()], [])
    assert session.silent
    assert session.tick(HEARTBEAT + PATIENCE + 100) == ([], [])
    assert session.receive('{"method":"godoty.selection_changed"}', now=200.0)[0] == Resumed()
    assert not session.silent


def test_no_heartbeat_before_the_greeting() -> None:
    assert BridgeSession(0.0).tick(100.0) == ([], [])
