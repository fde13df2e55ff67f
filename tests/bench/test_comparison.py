"""What `make compare` asks for and how it reads the replies."""

from __future__ import annotations

from typing import Any

import pytest
from bench.compare.client import Reply
from bench.compare.measure import TASKS
from bench.compare.page import TITLES
from bench.compare.peers import PEERS, Peer
from bench.compare.workshop import filled


def test_a_call_is_filled_with_its_project_and_round() -> None:
    calls = [("add", {"projectPath": "$PROJECT", "name": "New$N", "value": {"x": "$N", "y": [7, True]}})]
    assert filled(calls, "/game", 3) == [
        ["add", {"projectPath": "/game", "name": "New3", "value": {"x": 3, "y": [7, True]}}]
    ]


@pytest.mark.parametrize("peer", PEERS, ids=lambda peer: peer.name)
def test_each_task_has_a_way_or_a_reason(peer: Peer) -> None:
    assert set(TASKS) == set(TITLES)
    assert peer.reason or set(peer.ways) == set(TASKS)
    assert bool(peer.registry) == bool(peer.version)


@pytest.mark.parametrize(
    "message", [{"error": {"code": -32602, "message": "no"}}, {"result": {"isError": True, "content": []}}]
)
def test_a_refusal_counts_as_one(message: dict[str, Any]) -> None:
    assert Reply(message).is_error


def test_what_counts_of_a_reply_is_the_longer_of_text_and_structured() -> None:
    content = [{"type": "text", "text": "née"}, {"type": "image", "data": "A" * 40}]
    reply = Reply({"result": {"content": content, "structuredContent": {"ok": True}}})
    assert (reply.is_error, reply.text_bytes, reply.pictures) == (False, len('{"ok":true}'), [30])
