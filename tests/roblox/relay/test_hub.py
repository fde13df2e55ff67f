"""Sessions over time, with a clock of the test's own; and lines in pieces."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable
from typing import Any

import pytest

from scenewright.core.faults import Conflict, NotConnected, TimedOut
from scenewright.roblox.relay.hub import Ask, Hub
from scenewright.roblox.relay.messages import Joiner, MalformedMessage, pieces
from scenewright.roblox.relay.session import StudioSession

pytestmark = pytest.mark.anyio
CAPABILITIES = ["idempotency-key", "scenewright.v2"]


class Clock:
    now = 1000.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def hub(clock: Clock) -> Hub:
    return Hub("token", clock=clock)


async def _connect(hub: Hub, transport: str = "long-poll", **studio: Any) -> StudioSession:
    session = hub.open("plugin", transport)
    await _answer(session, lambda _: {"authenticated": True})
    greeting = {"protocolVersion": "1.1", "capabilities": CAPABILITIES, "studio": studio}
    await _answer(session, lambda _: greeting)
    await asyncio.wait_for(session.ready.wait(), 5)
    return session


async def _answer(session: StudioSession, payload: Callable[[dict[str, Any]], Any]) -> dict[str, Any]:
    line = await asyncio.wait_for(session.next_line(), 5)
    assert line is not None
    request: dict[str, Any] = json.loads(line)
    ids = {key: request[key] for key in ("requestId", "correlationId")}
    session.take(json.dumps(ids | {"success": True, "timestamp": "now", "payload": payload(request)}))
    return request


async def test_a_studio_that_polls_no_more_is_not_asked(hub: Hub, clock: Clock):
    await _connect(hub)
    assert len(hub.studios()) == 1
    clock.now += 11
    assert hub.studios() == []


async def test_a_session_ends_after_silence_and_after_its_time(hub: Hub, clock: Clock):
    silent = await _connect(hub)
    clock.now += 301
    assert hub.find(silent.id) is None
    busy = await _connect(hub)
    for _ in range(9):
        clock.now += 200
        reading = asyncio.create_task(busy.next_line(0.001))
        await reading
    assert hub.find(busy.id) is not None
    clock.now += 200
    await busy.next_line(0.001)
    assert hub.find(busy.id) is None


async def test_the_same_studio_connecting_again_replaces_its_old_session(hub: Hub):
    old = await _connect(hub, "websocket", studioId="s", pluginRun="r")
    new = await _connect(hub, "websocket", studioId="s", pluginRun="r")
    assert old.closed
    assert [studio["studio"] for studio in hub.studios()] == ["s"]
    assert hub.find(new.id) is new


async def test_a_request_that_was_cut_off_is_repeated_to_the_same_plugin_only(hub: Hub):
    ask = Ask(operation="x", payload={}, idempotency_key="k", timeout=5.0)
    first = await _connect(hub, "websocket", studioId="s", pluginRun="one")
    call = asyncio.create_task(hub.call(ask))
    sent = json.loads(await first.next_line() or "")
    hub.close(first)
    again = await _connect(hub, "websocket", studioId="s", pluginRun="one")
    repeated = await _answer(again, lambda _: {"done": True})
    assert (repeated["requestId"], repeated["idempotencyKey"]) == (sent["requestId"], "k")
    assert await call == {"done": True}


async def test_a_plugin_that_was_started_anew_is_not_asked_to_repeat(hub: Hub, clock: Clock):
    ask = Ask(operation="x", payload={}, idempotency_key="k", timeout=0.2)
    first = await _connect(hub, "websocket", studioId="s", pluginRun="one")
    call = asyncio.create_task(hub.call(ask))
    await first.next_line()
    hub.close(first)
    other = await _connect(hub, "websocket", studioId="s", pluginRun="two")
    with pytest.raises(TimedOut, match="unknown"):
        await call
    assert await other.next_line(0.01) is None


async def test_too_many_requests_are_refused(hub: Hub):
    session = await _connect(hub, "websocket")
    calls = [asyncio.create_task(hub.call(Ask(operation="x", payload={}, timeout=0.3))) for _ in range(130)]
    results = await asyncio.gather(*calls, return_exceptions=True)
    assert sum("Too many requests" in str(result) for result in results) == 2
    assert sum(isinstance(result, NotConnected) for result in results) == 128
    assert session.attached


async def test_the_same_key_twice_at_once_is_refused(hub: Hub):
    await _connect(hub, "websocket")
    ask = Ask(operation="x", payload={}, idempotency_key="k", timeout=0.2)
    results = await asyncio.gather(hub.call(ask), hub.call(ask), return_exceptions=True)
    assert sum("already on its way" in str(result) for result in results) == 1


async def test_a_partner_of_another_protocol_is_sent_away(hub: Hub):
    session = hub.open("plugin", "websocket")
    await _answer(session, lambda _: {"authenticated": True})
    await _answer(session, lambda _: {"protocolVersion": "2.0", "capabilities": []})
    await asyncio.wait_for(session.gone.wait(), 5)
    assert hub.studios() == []


async def test_roles_are_kept_apart(hub: Hub):
    await _connect(hub, "websocket", studioId="s", role="edit")
    await _connect(hub, "websocket", studioId="s", role="server")
    other = await _connect(hub, "websocket", studioId="t", role="server")
    with pytest.raises(Conflict):
        await hub.call(Ask(operation="x", payload={}, role="server", timeout=0.1))
    call = asyncio.create_task(hub.call(Ask(operation="x", payload={}, role="server", studio="t", timeout=5)))
    await _answer(other, lambda _: {"from": "t"})
    assert await call == {"from": "t"}


@pytest.mark.parametrize("text", ["", "short", "ä€😀" * 50, "x" * 1000])
def test_pieces_make_the_line_again(text: str):
    line = json.dumps({"text": text})
    joiner = Joiner(10_000)
    joined = [joiner.feed(piece) for piece in pieces(line, size=64)]
    assert joined[-1] == line
    assert joined[:-1] == [None] * (len(joined) - 1)


def test_pieces_out_of_order_or_without_end_are_refused():
    parts = list(pieces("x" * 300, size=100))
    joiner = Joiner(10_000)
    joiner.feed(parts[0])
    with pytest.raises(MalformedMessage, match="out of order"):
        joiner.feed(parts[2])
    small = Joiner(150)
    small.feed(parts[0])
    with pytest.raises(MalformedMessage, match="too long"):
        small.feed(parts[1])
