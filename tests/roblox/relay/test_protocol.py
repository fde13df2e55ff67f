"""Bridge protocol 1.1, spoken to the relay by a plain client as Gox's own plugin would."""

from __future__ import annotations

import json
import threading

import pytest
from tests.roblox.relay.conftest import TOKEN, Connect
from tests.roblox.relay.plain import ask, refusal

from scenewright.core.faults import Conflict, Denied, Fault, Invalid, NotConnected, NotFound, TimedOut, Unsupported
from scenewright.roblox.relay.hub import Ask
from scenewright.roblox.relay.server import Relay

PING = Ask(operation="bridge.ping", payload={})


def test_a_plugin_is_authenticated_greeted_and_then_asked(relay: Relay, connect: Connect):
    plugin = connect(lambda _: {"ok": True, "placeId": 7, "studio": True})
    assert relay.call(PING) == {"ok": True, "placeId": 7, "studio": True}
    assert [request["operation"] for request in plugin.requests] == ["bridge.auth", "bridge.hello", "bridge.ping"]
    hello = plugin.requests[1]
    assert hello["payload"]["protocolVersion"] == "1.1"
    assert all(hello[key] for key in ("requestId", "correlationId", "timestamp"))


def test_no_two_requests_share_an_id_not_even_of_handshakes(relay: Relay, connect: Connect):
    plugins = [connect(), connect()]
    for plugin in plugins:
        relay.call(Ask(operation="bridge.ping", payload={}, studio=plugin.session))
    ids = [request["requestId"] for plugin in plugins for request in plugin.requests]
    assert len(ids) == len(set(ids)) == 6


def test_the_payload_and_the_ids_of_a_call_arrive(relay: Relay, connect: Connect):
    plugin = connect()
    answer = relay.call(
        Ask(operation="script.create", payload={"name": "Ä\n"}, correlation_id="c-1", idempotency_key="k-1")
    )
    assert answer == {"echo": {"name": "Ä\n"}}
    assert (plugin.requests[-1]["correlationId"], plugin.requests[-1]["idempotencyKey"]) == ("c-1", "k-1")


@pytest.mark.parametrize(
    ("code", "kind", "retryable"),
    [
        ("VALIDATION_ERROR", Invalid, False),
        ("NOT_FOUND", NotFound, False),
        ("ACCESS_DENIED", Denied, False),
        ("CONFLICT", Conflict, False),
        ("UNIMPLEMENTED", Unsupported, False),
        ("TRANSIENT_ERROR", TimedOut, True),
        ("INTERNAL_ERROR", Fault, False),
    ],
)
def test_a_refusal_keeps_its_meaning(relay: Relay, connect: Connect, code, kind, retryable):
    connect(lambda _: refusal(code, "because", retryable=retryable, details={"hint": "do this", "more": 1}))
    with pytest.raises(kind, match="because") as raised:
        relay.call(PING)
    assert raised.value.hint == "do this"
    assert raised.value.details == {"more": 1}
    assert raised.value.retryable is retryable


def test_a_wrong_or_missing_token_is_refused_everywhere(relay: Relay):
    ways = [
        ("POST", "/v1/bridge/session"),
        ("GET", "/v1/bridge/session/x/read"),
        ("POST", "/v1/bridge/session/x/write"),
        ("DELETE", "/v1/bridge/session/x/close"),
        ("GET", "/v1/bridge/studios"),
        ("POST", "/v1/bridge/call"),
    ]
    for method, path in ways:
        for token in (None, "", "wrong", TOKEN + "x"):
            assert ask(relay.url, method, path, token=token, body={})[0] == 401, (method, path, token)


def test_the_token_may_come_as_a_bearer(relay: Relay):
    headers = {"Authorization": f"Bearer {TOKEN}"}
    assert ask(relay.url, "GET", "/v1/bridge/studios", token=None, headers=headers)[0] == 200


@pytest.mark.parametrize("host", ["example.com", "127.0.0.1.example.com:47012", "", "10.0.0.1", "[::2]"])
def test_a_request_for_another_host_is_refused(relay: Relay, host: str):
    assert ask(relay.url, "GET", "/v1/bridge/studios", token=TOKEN, headers={"Host": host})[0] == 421


def test_a_web_page_is_refused_even_with_the_token(relay: Relay):
    headers = {"Origin": "https://example.com"}
    assert ask(relay.url, "GET", "/v1/bridge/studios", token=TOKEN, headers=headers)[0] == 403


def test_an_unknown_session_is_not_found(relay: Relay):
    for method, path in (("GET", "read"), ("POST", "write"), ("DELETE", "close")):
        status, _ = ask(relay.url, method, f"/v1/bridge/session/nobody/{path}", token=TOKEN, body={"line": "x"})
        assert status == 404


def test_a_poll_without_work_is_an_empty_answer(relay: Relay):
    _, opened = ask(relay.url, "POST", "/v1/bridge/session", token=TOKEN, body={})
    path = f"/v1/bridge/session/{opened['sessionId']}/read?timeout_ms=50"
    lines = [ask(relay.url, "GET", path, token=TOKEN) for _ in range(2)]
    assert json.loads(lines[0][1]["line"])["operation"] == "bridge.auth"
    assert lines[1] == (204, None)


@pytest.mark.parametrize(
    "line",
    [
        "not json",
        "[]",
        "{}",
        '{"requestId":"a","correlationId":"b","success":true}',
        '{"requestId":"a","correlationId":"b","success":false,"timestamp":"t"}',
        '{"requestId":"a","correlationId":"b","success":true,"timestamp":"t","error":{"code":"x","message":"y"}}',
        '{"chunk":{"id":"a","index":2,"count":3,"data":"x"}}',
        '{"chunk":7}',
    ],
)
def test_what_is_no_response_is_refused_and_does_no_harm(relay: Relay, connect: Connect, line: str):
    plugin = connect()
    relay.call(PING)
    assert plugin.write(line) == 400
    assert relay.call(PING) == {"echo": {}}


def test_an_oversized_message_is_refused_and_does_no_harm(relay: Relay, connect: Connect):
    plugin = connect()
    relay.call(PING)
    path = f"/v1/bridge/session/{plugin.session}/write"
    body = b'{"line":"' + b"x" * (33 << 20) + b'"}'
    assert ask(relay.url, "POST", path, token=TOKEN, body=body)[0] == 400
    assert relay.call(PING) == {"echo": {}}


def test_a_late_answer_is_given_to_nobody(relay: Relay, connect: Connect):
    plugin = connect(lambda request: None if request["operation"] == "instance.delete" else {"is": request["payload"]})
    with pytest.raises(TimedOut, match="unknown") as raised:
        relay.call(Ask(operation="instance.delete", payload={"n": 1}, timeout=0.3))
    assert raised.value.details["outcome"] == "unknown"
    assert not raised.value.retryable
    late = plugin.requests[-1]
    answers: list[dict[str, object]] = []
    waiting = threading.Thread(target=lambda: answers.append(relay.call(Ask(operation="x", payload={"n": 2}))))
    assert plugin.respond(late, {"is": "late"}) == 204
    waiting.start()
    plugin.respond(late, {"is": "late"})
    waiting.join(10)
    assert answers == [{"is": {"n": 2}}]


def test_a_call_that_studio_never_saw_says_that_nothing_happened(relay: Relay, connect: Connect):
    plugin = connect()
    relay.call(PING)
    plugin.stop()
    with pytest.raises(NotConnected, match="nothing was changed") as raised:
        relay.call(Ask(operation="instance.create", payload={}, timeout=0.3))
    assert raised.value.details == {"outcome": "not-delivered"}


def test_a_studio_that_goes_in_mid_call_leaves_the_outcome_unknown(relay: Relay, connect: Connect):
    plugin = connect(lambda _: None)
    holder: list[BaseException] = []

    def call() -> None:
        try:
            relay.call(Ask(operation="instance.create", payload={}, idempotency_key="once"))
        except Fault as fault:
            holder.append(fault)

    waiting = threading.Thread(target=call)
    waiting.start()
    while len(plugin.requests) < 3 and waiting.is_alive():
        threading.Event().wait(0.01)
    plugin.close()
    waiting.join(10)
    assert isinstance(holder[0], TimedOut)
    assert holder[0].details == {"outcome": "unknown", "idempotencyKey": "once"}


def test_the_same_key_gives_the_same_request_id_so_that_a_late_answer_is_still_the_right_one(
    relay: Relay, connect: Connect
):
    plugin = connect(lambda _: None)
    for _ in range(2):
        with pytest.raises(TimedOut):
            relay.call(Ask(operation="instance.create", payload={}, idempotency_key="k", timeout=0.3))
    first, second = plugin.requests[-2:]
    assert first["requestId"] == second["requestId"]


def test_without_a_studio_the_call_says_so(relay: Relay):
    with pytest.raises(NotConnected, match="No Roblox Studio is connected"):
        relay.call(Ask(operation="bridge.ping", payload={}, timeout=0.1))


def test_two_studios_and_no_name_is_a_refusal_that_names_both(relay: Relay, connect: Connect):
    one, other = connect(lambda _: {"is": 1}), connect(lambda _: {"is": 2})
    for number, plugin in enumerate((one, other), 1):
        assert relay.call(Ask(operation="x", payload={}, studio=plugin.session)) == {"is": number}
    with pytest.raises(Conflict) as raised:
        relay.call(PING)
    assert one.session in raised.value.message
    assert other.session in raised.value.message
    assert "studio" in str(raised.value.hint)
    with pytest.raises(Invalid, match="No connected Studio answers to 'nobody'"):
        relay.call(Ask(operation="x", payload={}, studio="nobody"))


def test_a_plugin_that_cannot_do_something_is_not_asked_to(relay: Relay, connect: Connect):
    plugin = connect()
    with pytest.raises(NotFound, match="does not know"):
        relay.call(Ask(operation="selection.get", payload={}, capability="scenewright.v2"))
    assert len(plugin.requests) == 2
