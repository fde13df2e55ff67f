"""The tools of seed 001 with a plugin that knows bridge protocol 1.1 and nothing of ours, such as Gox's own."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from tests.conftest import Caller, MakeCaller
from tests.roblox.relay.plain import PlainPlugin
from tests.roblox.studio.gox import Gox
from tests.roblox.studio.live import use_free_bridge

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
        "bridge.ping", "instance.get", "instance.create", "instance.set_property", "instance.delete",
        "instance.list_children", "instance.find", "script.create", "script.update", "script.delete",
        "script.get_source", "script.execute",
    }  # fmt: skip
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
