"""What a client that lost its connection gets when it comes back."""

from __future__ import annotations

import pytest
from mcp.server.streamable_http import EventMessage
from mcp_types import JSONRPCNotification

from scenewright.server.events import MAX_BYTES, EventLog

pytestmark = pytest.mark.anyio


def _note(text: str) -> JSONRPCNotification:
    return JSONRPCNotification(jsonrpc="2.0", method="note", params={"text": text})


async def _after(log: EventLog, event: str) -> tuple[str | None, list[EventMessage]]:
    sent: list[EventMessage] = []

    async def send(message: EventMessage) -> None:
        sent.append(message)

    return await log.replay_events_after(event, send), sent


async def test_only_what_came_later_on_the_same_stream_is_sent_again() -> None:
    log = EventLog()
    place = await log.store_event("a", None)
    first = await log.store_event("a", _note("one"))
    await log.store_event("b", _note("elsewhere"))
    second = await log.store_event("a", _note("two"))

    stream, sent = await _after(log, place)
    assert stream == "a"
    assert [(event.event_id, event.message) for event in sent] == [(first, _note("one")), (second, _note("two"))]
    assert await _after(log, second) == ("a", [])


async def test_an_event_that_is_not_known_leads_nowhere() -> None:
    assert await _after(EventLog(), "7") == (None, [])


async def test_the_oldest_events_go_when_there_is_too_much() -> None:
    log = EventLog(max_bytes=10_000)
    numbers = [await log.store_event("a", _note("x" * 1000)) for _ in range(50)]
    assert await _after(log, numbers[0]) == (None, [])
    _, kept = await _after(log, numbers[-5])
    assert [event.event_id for event in kept] == numbers[-4:]


async def test_one_event_larger_than_the_limit_is_kept() -> None:
    log = EventLog(max_bytes=100)
    place = await log.store_event("a", _note("x" * 1000))
    assert await _after(log, place) == ("a", [])


async def test_a_thousand_sessions_keep_a_quarter_of_a_gigabyte_at_most() -> None:
    assert 1000 * MAX_BYTES <= 2**28
    log = EventLog()
    numbers = [await log.store_event("a", _note("x" * 1000)) for _ in range(MAX_BYTES // 500)]
    assert await _after(log, numbers[0]) == (None, [])
    _, kept = await _after(log, numbers[-100])
    assert len(kept) == 99
