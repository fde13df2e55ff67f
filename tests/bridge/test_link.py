"""A link over an in-memory wire, with a clock that jumps."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest
from tests.bridge.wires import GREETING, Harbour, editor, linked, settled

from scenewright.bridge.link import Link
from scenewright.bridge.session import proof_of
from scenewright.core.faults import Denied, NotConnected, NotFound, TimedOut
from scenewright.core.projects.user_folder import user_token

pytestmark = pytest.mark.anyio


async def test_an_editor_is_told_the_token_once_it_has_shown_that_it_knows_it(tmp_path: Path) -> None:
    user_token()
    async with linked(tmp_path, Harbour(greeting=GREETING | {"protocol_version": "1.2.0"})) as (link, harbour, _):
        (asked,) = harbour.peer.sent
        assert asked["method"] == "scenewright.prove"
        assert user_token() not in str(harbour.peer.sent)
        harbour.peer.answers("scenewright.prove", {"proof": proof_of(user_token(), 6550, asked["params"]["nonce"])})
        await settled()
        assert harbour.peer.sent[1]["method"] == "godoty.ready"
        assert harbour.peer.sent[1]["params"]["token"] == user_token()
        harbour.peer.answers("godoty.ready", {"success": True})
        await settled()
        assert link.state == "ready"
        assert link.info["godot_version"] == "4.6.3"


async def test_an_editor_that_knows_only_the_godoty_protocol_is_greeted_without_a_token(tmp_path: Path) -> None:
    user_token()
    async with linked(tmp_path) as (link, harbour, _):
        assert link.state == "ready"
        (ready,) = harbour.peer.sent
        assert ready["method"] == "godoty.ready"
        assert "token" not in ready["params"]


async def test_answers_reach_those_who_asked(tmp_path: Path) -> None:
    async with linked(tmp_path) as (link, harbour, _):
        first = asyncio.create_task(link.request("get_editor_info"))
        second = asyncio.create_task(link.request("ping"))
        await settled()
        harbour.peer.answers("ping", "pong")
        harbour.peer.answers("get_editor_info", "info")
        assert (await first, await second) == ("info", "pong")


async def test_a_refusal_becomes_a_fault_with_all_the_editor_told(tmp_path: Path) -> None:
    async with linked(tmp_path) as (link, harbour, _):
        asked = asyncio.create_task(link.request("get_node_properties", {"node_path": "/root/X"}))
        await settled()
        number = harbour.peer.asked("get_node_properties")[0]["id"]
        data = {"similar_paths": ["/root/Main/X"], "suggestion": "Check the path"}
        harbour.peer.says({"id": number, "error": {"code": -32000, "message": "Node not found", "data": data}})
        with pytest.raises(NotFound) as caught:
            await asked
        assert caught.value.hint == "Check the path"
        assert caught.value.details["similar_paths"] == ["/root/Main/X"]
        assert caught.value.details["method"] == "get_node_properties"


async def test_a_wrong_token_is_said_until_one_connects_anew(tmp_path: Path) -> None:
    async with linked(tmp_path) as (link, harbour, _):
        harbour.peer.says({"id": None, "error": {"code": -32007, "message": "Authentication required"}})
        await settled()
        assert link.state == "refused"
        with pytest.raises(NotConnected, match="refused the connection") as caught:
            await link.request("ping")
        assert "SCENEWRIGHT_HOME" in (caught.value.hint or "")
        link.connect(anew=True)
        await settled()
        assert link.responsive


async def test_a_missing_token_is_a_denial(tmp_path: Path) -> None:
    async with linked(tmp_path) as (link, harbour, _):
        asked = asyncio.create_task(link.request("ping"))
        await settled()
        number = harbour.peer.asked("ping")[0]["id"]
        harbour.peer.says({"id": number, "error": {"code": -32007, "message": "Authentication required"}})
        with pytest.raises(Denied, match="Authentication"):
            await asked


async def test_a_request_without_an_answer_has_an_unknown_outcome(tmp_path: Path) -> None:
    async with linked(tmp_path) as (link, _, clock):
        asked = asyncio.create_task(link.request("execute_action", timeout=3))
        await clock.advance(4)
        with pytest.raises(TimedOut) as caught:
            await asked
        assert caught.value.details["outcome"] == "unknown"
        assert not caught.value.retryable


async def test_a_connection_that_breaks_in_mid_call_leaves_no_call_waiting(tmp_path: Path) -> None:
    async with linked(tmp_path) as (link, harbour, _):
        asked = [asyncio.create_task(link.request("execute_action")) for _ in range(5)]
        await settled()
        harbour.peer.hangs_up()
        outcomes = await asyncio.gather(*asked, return_exceptions=True)
        assert [type(outcome) for outcome in outcomes] == [TimedOut] * 5
        assert len(harbour.peer.asked("execute_action")) == 5  # and none was sent again


async def test_a_broken_connection_is_made_again_after_a_second(tmp_path: Path) -> None:
    async with linked(tmp_path) as (link, harbour, clock):
        harbour.peer.hangs_up()
        await settled()
        assert not link.responsive
        await clock.advance(1)
        assert link.responsive
        assert len(harbour.peers) == 2


async def test_attempts_follow_the_schedule_stop_after_ten_and_begin_anew_on_demand(tmp_path: Path) -> None:
    harbour = Harbour(is_open=False)
    async with linked(tmp_path, harbour) as (link, _, clock):
        await clock.advance(500)
        assert clock.asked == [1, 2, 4, 8, 16, 30, 30, 30, 30, 30]
        assert harbour.tries == 11
        assert link.state == "stopped"
        with pytest.raises(NotConnected, match="10 attempts") as caught:
            await link.request("ping")
        assert "godot_connect" in (caught.value.hint or "")
        link.connect()  # a call does not start what has been given up
        await settled()
        assert harbour.tries == 11
        harbour.is_open = True
        link.connect(anew=True)
        await settled()
        assert link.responsive
        assert link.attempt == 0


async def test_a_frozen_editor_is_noticed_and_requests_wait_for_it_unsent(tmp_path: Path) -> None:
    async with linked(tmp_path) as (link, harbour, clock):
        await clock.advance(11)
        assert not link.responsive
        asked = asyncio.create_task(link.request("execute_action"))
        await settled()
        assert harbour.peer.asked("execute_action") == []
        harbour.peer.answers("ping", {"pong": True})
        await settled()
        harbour.peer.answers("execute_action", "done")
        assert await asked == "done"


async def test_requests_wait_while_the_editor_imports(tmp_path: Path) -> None:
    async with linked(tmp_path) as (link, harbour, _):
        harbour.peer.says({"method": "scenewright.state_changed", "params": {"state": "importing"}})
        await settled()
        asked = asyncio.create_task(link.request("get_scene_tree"))
        await settled()
        assert harbour.peer.asked("get_scene_tree") == []
        harbour.peer.says({"method": "scenewright.state_changed", "params": {"state": "ready"}})
        await settled()
        harbour.peer.answers("get_scene_tree", "tree")
        assert await asked == "tree"


async def test_an_editor_that_stays_busy_is_a_fault_with_a_time_to_try_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("scenewright.bridge.link.HOLD_SECONDS", 0.01)
    async with linked(tmp_path) as (link, harbour, _):
        harbour.peer.says({"method": "scenewright.state_changed", "params": {"state": "importing"}})
        await settled()
        with pytest.raises(NotConnected, match="importing") as caught:
            await link.request("execute_action")
        assert caught.value.details["retry_after_ms"] > 0
        assert caught.value.retryable
        assert harbour.peer.asked("execute_action") == []


async def test_a_request_that_was_cancelled_is_withdrawn(tmp_path: Path) -> None:
    async with linked(tmp_path) as (link, harbour, _):
        asked = asyncio.create_task(link.request("get_scene_tree"))
        await settled()
        asked.cancel()
        await settled()
        number = harbour.peer.asked("get_scene_tree")[0]["id"]
        assert harbour.peer.asked("scenewright.cancel")[0]["params"] == {"id": number}
        harbour.peer.says({"id": number, "result": "late"})
        await settled()
        assert link.state == "ready"


async def test_what_is_not_of_the_protocol_does_not_end_the_connection(tmp_path: Path) -> None:
    async with linked(tmp_path) as (link, harbour, _):
        harbour.peer.says(b"\x00\xff")
        harbour.peer.says("[1, 2")
        asked = asyncio.create_task(link.request("ping"))
        await settled()
        harbour.peer.answers("ping", "pong")
        assert await asked == "pong"


async def test_an_editor_that_has_ended_is_not_waited_for(tmp_path: Path) -> None:
    harbour = Harbour(is_open=False)
    link = Link(editor(tmp_path, pid=2**22 + 5), opener=harbour)
    link.connect()
    await settled()
    with pytest.raises(NotConnected, match="has ended"):
        await link.request("ping")
    link.close()
    await settled()
