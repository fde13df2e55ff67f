"""The tools of seed 001 with a plugin that knows bridge protocol 1.1 and nothing of ours, such as Gox's own."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from tests.conftest import Caller, MakeCaller
from tests.roblox.relay.plain import PlainPlugin, refusal
from tests.roblox.studio.live import use_free_bridge

from scenewright.roblox.relay.process import shared_relay

pytestmark = pytest.mark.anyio


class Gox:
    """Answers in the shapes of Gox's plugin."""

    def __init__(self) -> None:
        self.asked: list[tuple[str, dict[str, Any]]] = []
        self.keys: list[str | None] = []
        self.parts = {"Workspace": "Workspace", "Workspace.Part": "Part"}

    def __call__(self, request: dict[str, Any]) -> dict[str, Any]:
        operation, payload = request["operation"], request["payload"]
        self.asked.append((operation, payload))
        self.keys.append(request.get("idempotencyKey"))
        handler = getattr(self, operation.replace(".", "_"), None)
        if handler is None:
            return refusal("NOT_FOUND", f'operation "{operation}" is not supported')
        answer: dict[str, Any] = handler(payload)
        return answer

    def bridge_ping(self, payload: dict[str, Any]) -> dict[str, Any]:
        return {"ok": True, "placeId": 12, "studio": True}

    def instance_get(self, payload: dict[str, Any]) -> dict[str, Any]:
        path = payload.get("instancePath") or "Workspace.Part"
        if path not in self.parts:
            return refusal("NOT_FOUND", "instancePath not found", details={"instancePath": path})
        return {"instance": _info(path)}

    def instance_create(self, payload: dict[str, Any]) -> dict[str, Any]:
        if payload.get("dryRun"):
            return {"dryRun": True, "diffSummary": "create"}
        path = f"{payload['parentPath']}.{payload['name']}"
        self.parts[path] = payload["className"]
        return {"created": True, "path": path, "instanceId": "inst-1", "className": payload["className"]}

    def instance_set_property(self, payload: dict[str, Any]) -> dict[str, Any]:
        return {"updated": True, "path": "Workspace.Part", "instanceId": "inst-1", "propertyName": "Anchored"}

    def instance_delete(self, payload: dict[str, Any]) -> dict[str, Any]:
        return {"deleted": True, "path": "Workspace.Part"}

    def instance_list_children(self, payload: dict[str, Any]) -> dict[str, Any]:
        child = _info("Workspace.Part")
        return {"parentPath": "Workspace", "offset": 0, "limit": 100, "total": 1, "count": 1, "children": [child]}

    def instance_find(self, payload: dict[str, Any]) -> dict[str, Any]:
        page = {"rootPath": "Workspace", "offset": 0, "limit": 50, "count": 1, "hasMore": False, "truncated": False}
        return page | {"matches": [_info("Workspace.Part")]}

    def script_create(self, payload: dict[str, Any]) -> dict[str, Any]:
        path = f"{payload['parentPath']}.{payload['name']}"
        self.parts[path] = payload["scriptType"]
        return {"created": True, "path": path, "instanceId": "inst-1", "className": payload["scriptType"]}

    def script_update(self, payload: dict[str, Any]) -> dict[str, Any]:
        return {"updated": True, "path": "Workspace.Part", "instanceId": "inst-1"}

    def script_delete(self, payload: dict[str, Any]) -> dict[str, Any]:
        return {"deleted": True, "path": "Workspace.Part"}

    def script_get_source(self, payload: dict[str, Any]) -> dict[str, Any]:
        return {"path": "Workspace.Part", "instanceId": "inst-1", "className": "Script", "source": "print(1)"}

    def script_execute(self, payload: dict[str, Any]) -> dict[str, Any]:
        return {"executed": True, "called": True, "path": "S.M", "instanceId": "inst-1", "returnValue": payload["args"]}


def _info(path: str) -> dict[str, Any]:
    parent, _, name = path.rpartition(".")
    return {
        "instanceId": "inst-1",
        "name": name,
        "className": "Part",
        "path": path,
        "parentPath": parent,
        "childCount": 0,
    }


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
    assert (await _output(live, "instance_list_children", {"parentPath": "Workspace"}))["total"] == 1
    assert (await _output(live, "script_get_source", {"scriptPath": "S.M"}))["source"] == "print(1)"
    found = await _output(live, "instance_find", {"rootPath": "Workspace", "className": "Part", "maxResults": 5})
    assert [match["path"] for match in found["matches"]] == ["Workspace.Part"]
    script = {"parentPath": "Workspace", "name": "Run", "scriptType": "Script", "source": "print(1)"}
    assert (await _output(live, "script_create", script))["created"]
    named = {"scriptPath": "Workspace.Part"}
    assert (await _output(live, "script_update", named | {"source": "print(2)"}))["updated"]
    assert (await _output(live, "script_delete", named))["deleted"]
    ran = await _output(live, "script_execute", {"scriptPath": "S.M", "functionName": "f", "args": [1, "a"]})
    assert (ran["called"], ran["returnValue"]) == (True, [1, "a"])
    assert (await _output(live, "instance_delete", {"instancePath": "Workspace.Part"}))["deleted"]
    operations = {operation for operation, _ in gox.asked}
    assert operations <= {
        "bridge.ping", "instance.get", "instance.create", "instance.set_property", "instance.delete",
        "instance.list_children", "instance.find", "script.create", "script.update", "script.delete",
        "script.get_source", "script.execute",
    }  # fmt: skip
    writes = {key for (operation, _), key in zip(gox.asked, gox.keys, strict=True) if operation == "instance.create"}
    assert len(writes) == 2
    assert None not in writes


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
