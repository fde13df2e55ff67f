"""The Gox MCP contract's tools with a plugin that knows bridge protocol 1.1 and nothing of ours, such as Gox's own."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from tests.conftest import Caller, MakeCaller
from tests.roblox.relay.plain import PlainPlugin
from tests.roblox.studio.gox import Gox
from tests.roblox.studio.live import use_free_bridge

from scenewright.core.calls.call import Request
from scenewright.roblox.relay.process import shared_relay

pytestmark = pytest.mark.anyio


@pytest.fixture
def gox(monkeypatch: pytest.MonkeyPatch) -> Iterator[Gox]:
    with use_free_bridge(monkeypatch) as settings:
        relay = shared_relay()
        handler = Gox()
        plugin = PlainPlugin(relay.url, settings.token, handler)
        assert relay.wait_for_studio(20)
        yield handler
        plugin.stop()


@pytest.fixture
def live(gox: Gox, make_caller: MakeCaller) -> Caller:
    return make_caller(bridge_enabled=True, allow_dangerous=True)


async def _output(caller: Caller, tool: str, arguments: dict[str, Any], **options: Any) -> Any:
    reply = await caller.reply(f"roblox.{tool}", arguments, **options)
    assert reply.error is None, reply.error
    assert isinstance(reply.structured, dict)
    return reply.structured["output"]


async def test_the_tools_of_the_contract_work(live: Caller, gox: Gox):
    assert (await _output(live, "bridge_ping", {}))["placeId"] == 12
    assert (await _output(live, "instance_get", {"instancePath": "Workspace.Part"}))["instance"]["className"] == "Part"
    made = {"parentPath": "Workspace", "className": "Part", "name": "New"}
    assert (await _output(live, "instance_create", made))["created"]
    assert (await _output(live, "instance_create", made, meta={"dryRun": True}))["dryRun"]
    put = {"instancePath": "Workspace.Part", "propertyName": "Anchored", "value": True}
    assert (await _output(live, "instance_set_property", put))["updated"]
    assert (await _output(live, "instance_list_children", {"parentPath": "Workspace"}))["total"] == 2
    assert (await _output(live, "script_get_source", {"scriptPath": "ReplicatedStorage.M"}))["source"] == "return 1"
    found = await _output(live, "instance_find", {"rootPath": "Workspace", "className": "Part", "maxResults": 5})
    assert [match["path"] for match in found["matches"]] == ["Workspace.Part", "Workspace.New"]
    script = {"parentPath": "Workspace", "name": "Run", "scriptType": "Script", "source": "print(1)"}
    assert (await _output(live, "script_create", script))["created"]
    named = {"scriptPath": "Workspace.Run"}
    assert (await _output(live, "script_update", named | {"source": "print(2)"}))["updated"]
    assert (await _output(live, "script_delete", named))["deleted"]
    ran = await _output(
        live, "script_execute", {"scriptPath": "ReplicatedStorage.M", "functionName": "f", "args": [1, "a"]}
    )
    assert (ran["called"], ran["returnValue"]) == (True, [1, "a"])
    assert (await _output(live, "instance_delete", {"instancePath": "Workspace.Part"}))["deleted"]
    assert gox.operations() <= {
        "bridge.ping",
        "instance.get",
        "instance.create",
        "instance.set_property",
        "instance.delete",
        "instance.list_children",
        "instance.find",
        "script.create",
        "script.update",
        "script.delete",
        "script.get_source",
        "script.execute",
    }
    writes = {key for (operation, _), key in zip(gox.asked, gox.keys, strict=True) if operation == "instance.create"}
    assert len(writes) == 2
    assert None not in writes


async def test_a_key_of_the_callers_own_is_the_requests(live: Caller, gox: Gox):
    put = {"instancePath": "Workspace.Part", "propertyName": "Anchored", "value": True}
    await _output(live, "instance_set_property", put, meta={"idempotencyKey": "mine"})
    assert ("instance.set_property", "mine") in [(each[0], key) for each, key in zip(gox.asked, gox.keys, strict=True)]


PART, PLACE = {"instancePath": "Workspace.Part"}, {"rootPath": "Workspace"}
BEYOND: dict[str, dict[str, Any]] = {
    "scene_snapshot": PLACE,
    "scene_validate": PLACE,
    "scene_capture": PLACE,
    "scene_plan": PLACE | {"definition": {"nodes": []}},
    "scene_apply": PLACE | {"definition": {"nodes": []}},
    "script_search": PLACE | {"query": "x"},
    "instance_create": {"parentPath": "Workspace", "className": "Part", "name": "A", "properties": {"Anchored": True}},
    "instance_move": PART | {"newParentPath": "Workspace"},
    "instance_duplicate": PART,
    "instance_set_attributes": PART | {"attributes": {"a": 1}},
    "instance_set_tags": PART | {"add": ["t"]},
    "selection_get": {},
    "console_output": {},
    "play_start": {},
    "studio_undo": {},
}


@pytest.mark.parametrize("tool", BEYOND)
async def test_what_needs_our_plugin_says_so(live: Caller, gox: Gox, tool: str):
    reply = await live.reply(f"roblox.{tool}", BEYOND[tool])
    assert reply.error is not None
    assert "scenewright roblox plugin --install" in f"{reply.error.message} {reply.error.data}"
    assert not [operation for operation, _ in gox.asked if operation not in ("instance.get", "bridge.ping")]


MADE = {"parentPath": "Workspace", "className": "Part", "name": "New"}
WRITING = {"instance.create", "instance.set_property", "instance.delete", "script.create", "script.update"}


async def _body(caller: Caller, tool: str, arguments: dict[str, Any]) -> dict[str, Any]:
    reply = await caller.reply(tool, arguments)
    assert reply.structured is not None, reply.text
    return reply.structured


async def test_an_atomic_batch_is_refused_before_anything_is_done(live: Caller, gox: Gox, project: Path):
    items = [
        {"tool": "write_file", "args": {"path": "notes.md", "content": "x"}},
        {"tool": "roblox.instance_create", "args": MADE},
    ]
    reply = await _body(live, "batch_operations", {"operations": items, "atomic": True})
    assert reply["ok"] is False
    assert "Studio's plugin makes every change at once" in reply["error"]["message"]
    assert "scenewright roblox plugin --install" in reply["error"]["suggestedFix"]
    assert not gox.operations() & WRITING
    assert not (project / "notes.md").exists()
    one_by_one = await _body(live, "batch_operations", {"operations": items})
    assert one_by_one["result"]["succeeded"] == 2


async def test_the_calls_of_a_dry_run_are_tried_one_by_one_and_that_is_said(live: Caller, gox: Gox):
    items = [{"tool": "roblox.instance_create", "args": MADE}]
    reply = await _body(live, "batch_operations", {"operations": items, "dryRun": True})
    assert reply["result"]["succeeded"] == 1
    assert "without the calls before it" in reply["warnings"][0]
    assert gox.at("Workspace.New") is None


async def test_what_cannot_be_taken_back_is_named_when_a_run_is(live: Caller, gox: Gox):
    steps = [
        {"id": "make", "actionId": "roblox.instance_create", "input": MADE},
        {"id": "fails", "actionId": "roblox.instance_delete", "input": {"instancePath": "Workspace.Nowhere"}},
    ]
    definition = {"id": "w", "onFailure": "rollback", "steps": steps}
    ended = await _body(live, "workflow.run", {"definition": definition, "waitMs": 60_000})
    assert ended["rollback"] == {"undone": [], "standing": ["make"]}
    assert gox.at("Workspace.New") is not None


async def test_a_call_under_a_key_is_made_once_and_not_again_where_nobody_knows(live: Caller, gox: Gox):
    def request(key: str) -> Request:
        return Request(tool="roblox.instance_create", arguments=MADE, key=key, origin="workflow")

    assert (await live.runtime.run(request("run/one"))).ok
    assert (await live.runtime.run(request("run/one"))).call.recalled
    live.runtime.state.journal.announce("run/two")  # and then the process died
    unknown = await live.runtime.run(request("run/two"))
    assert unknown.fault is not None
    assert unknown.fault.kind == "interrupted"
    assert [operation for operation, _ in gox.asked].count("instance.create") == 1
