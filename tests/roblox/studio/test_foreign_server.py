"""Our plugin with a server that knows bridge protocol 1.1 and nothing of ours, such as Gox's own."""

from __future__ import annotations

import base64
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from tests.roblox.relay.plain_server import PlainServer
from tests.roblox.studio.conftest import TOKEN, OpenWindow
from tests.roblox.studio.window import StudioWindow

from scenewright.roblox.relay.settings import BridgeSettings

SIZE = {"_type": "Vector3", "x": 4, "y": 1, "z": 2}
ROOT = {"rootPath": "Workspace"}
NODES: list[dict[str, Any]] = [
    {
        "id": "seat",
        "className": "Part",
        "parentId": "bench",
        "properties": {"Size": SIZE, "Material": "Wood"},
        "attributes": {"Grade": 2},
        "tags": ["sit"],
    },
    {"id": "bench", "className": "Model", "name": "Bench"},
]
SCENE: dict[str, Any] = ROOT | {"definition": {"nodes": NODES}}
STATE = "return { #game:GetDescendants(), #studio.history() }"


@pytest.fixture
def gox() -> Iterator[PlainServer]:
    server = PlainServer(TOKEN)
    yield server
    server.close()


@pytest.fixture
def there(gox: PlainServer, window: OpenWindow, place: Path) -> StudioWindow:
    opened = window(settings=BridgeSettings("127.0.0.1", gox.port, TOKEN))
    gox.greet()
    return opened


def test_the_plugin_finds_its_way_to_the_long_poll_and_says_what_it_can_do(gox: PlainServer, there: StudioWindow):
    assert {"typed-values.v2", "instance-id", "idempotency-key", "scene.v1"} <= set(gox.capabilities)
    for _ in range(2):  # the same request id each time, as Gox's health check has it
        ping = gox.send("bridge.ping", name="bridge-ping")["payload"]
        assert ping == {"ok": True, "placeId": there.do("return game.PlaceId"), "studio": True}
    assert gox.refused("scene.nonsense", {})["code"] == "NOT_FOUND"


def test_scripts_are_handled_in_the_shapes_of_the_protocol(gox: PlainServer, there: StudioWindow):
    new = {"parentPath": "ServerScriptService", "name": "New", "scriptType": "ModuleScript", "source": "return 1"}
    assert set(gox.ask("script.create", new | {"dryRun": True})) == {"dryRun", "diffSummary"}
    made = gox.ask("script.create", new, key="once")
    assert (made["created"], made["className"], made["path"]) == (True, "ModuleScript", "ServerScriptService.New")
    assert gox.ask("script.create", new, key="once") == made
    assert there.do("return #game:GetService('ServerScriptService'):GetChildren()") == 1
    named = {"scriptId": made["instanceId"]}
    source = "return { add = function(a, b) return a + b end }"
    assert gox.ask("script.update", named | {"source": source})["updated"] is True
    read = gox.ask("script.get_source", named)
    assert (read["path"], read["className"], read["source"]) == (made["path"], "ModuleScript", source)
    ran = gox.ask("script.execute", named | {"functionName": "add", "args": [2, 3], "expectReturn": True})
    assert (ran["executed"], ran["called"], ran["returnValue"]) == (True, True, 5)
    assert "diffSummary" in ran
    assert gox.ask("script.delete", named)["deleted"] is True
    assert gox.refused("script.get_source", named)["code"] == "NOT_FOUND"


def test_instances_are_handled_in_the_shapes_of_the_protocol(gox: PlainServer, there: StudioWindow):
    made = gox.ask("instance.create", {"parentPath": "game.Workspace", "className": "Part", "name": "P"})
    assert (made["created"], made["path"]) == (True, "Workspace.P")
    named = {"instanceId": made["instanceId"]}
    done = gox.ask("instance.set_property", named | {"propertyName": "Size", "value": SIZE})
    assert (done["updated"], done["propertyName"], done["path"]) == (True, "Size", "Workspace.P")
    assert there.do("return workspace.P.Size.X") == 4
    primary = {"_type": "Ref", "instanceId": "inst-of-another-run", "path": "Workspace.House.Door"}
    gox.ask(
        "instance.set_property", {"instancePath": "Workspace.House", "propertyName": "PrimaryPart", "value": primary}
    )
    assert there.do("return workspace.House.PrimaryPart.Name") == "Door"
    info = gox.ask("instance.get", named)["instance"]
    assert info == {
        "instanceId": made["instanceId"],
        "name": "P",
        "className": "Part",
        "path": "Workspace.P",
        "parentPath": "Workspace",
        "childCount": 0,
    }
    page = gox.ask("instance.list_children", {"parentPath": "Workspace.House", "limit": 1})
    assert [page[key] for key in ("total", "count", "hasMore", "nextOffset", "limit", "offset")] == [
        2,
        1,
        True,
        1,
        1,
        0,
    ]
    found = gox.ask("instance.find", {"rootPath": "Workspace", "className": "Part", "limit": 2})
    assert [found[key] for key in ("count", "hasMore", "truncated", "nextOffset")] == [2, True, True, 2]
    assert gox.ask("instance.delete", named)["deleted"] is True
    wrong = gox.refused(
        "instance.set_property",
        {"instancePath": "Workspace.House.Door", "propertyName": "Size", "value": {"_type": "Nonsense"}},
    )
    assert wrong["code"] == "VALIDATION_ERROR"


def test_a_snapshot_has_the_measures_and_the_tree(gox: PlainServer, there: StudioWindow):
    seen = gox.ask("scene.snapshot", ROOT)
    assert [seen[key] for key in ("rootPath", "nodeCount", "partCount", "modelCount")] == ["Workspace", 4, 2, 2]
    assert seen["uniqueColorCount"] == 1
    assert seen["bounds"]["size"] == {"x": 1, "y": 2, "z": 3}
    (house,) = seen["snapshot"]["children"]
    door = house["children"][0]
    assert (door["name"], door["managed"], "sceneId" in door) == ("Door", False, False)
    assert {"x": 1, "y": 2, "z": 3}.items() <= door["properties"]["Size"].items()
    assert len(door["properties"]["CFrame"]["components"]) == 12
    assert door["properties"]["Material"] == "Plastic"
    assert {"r": 163, "g": 162, "b": 165}.items() <= door["properties"]["Color"].items()
    cut = gox.ask("scene.snapshot", ROOT | {"maxDepth": 1, "includeProperties": False, "includeTags": False})
    (house,) = cut["snapshot"]["children"]
    assert house["truncated"] is True
    assert not {"properties", "tags", "children"} & set(house)
    narrow = gox.ask("scene.snapshot", {"rootPath": "Workspace.House", "maxChildrenPerNode": 1})
    assert narrow["snapshot"]["truncatedChildren"] == 1


def test_a_scene_is_planned_made_in_one_step_and_then_left_alone(gox: PlainServer, there: StudioWindow):
    before = there.do(STATE)
    plan = gox.ask("scene.plan", SCENE | {"seed": 7})
    assert (plan["version"], plan["seed"], plan["truncated"]) == ("scene-plan.v1", 7, False)
    assert [(step["op"], step["id"], step["risk"]) for step in plan["steps"]] == [
        ("create", "bench", "medium"),
        ("create", "seat", "medium"),
    ]
    dry = gox.ask("scene.apply", ROOT | {"plan": plan, "dryRun": True})
    assert (dry["applied"], dry["dryRun"], dry["executedSteps"], dry["totalSteps"]) == (False, True, 0, 2)
    assert there.do(STATE) == before
    done = gox.ask("scene.apply", ROOT | {"plan": plan})
    assert (done["applied"], done["rolledBack"], done["executedSteps"], done["plan"]["planHash"]) == (
        True,
        False,
        2,
        plan["planHash"],
    )
    assert done["steps"][0] == {"id": "bench", "op": "create", "status": "ok"}
    assert done["diffSummary"] == "applied 2 scene steps under Workspace"
    assert there.do("local s = workspace.Bench.seat return { s.Size.X, s.Material.Name, s:GetAttribute('Grade') }") == [
        4,
        "Wood",
        2,
    ]
    assert there.do("return { studio.unrecorded, #studio.history() }") == [0, 1]
    assert gox.ask("scene.plan", SCENE)["summary"] == {
        "create": 0,
        "update": 0,
        "replace": 0,
        "delete": 0,
        "noop": 2,
        "error": 0,
    }
    assert gox.ask("scene.apply", SCENE)["applied"] is True
    assert there.do("return #studio.history()") == 1
    assert gox.refused("scene.apply", ROOT | {"plan": plan})["code"] == "CONFLICT"
    there.do("game:GetService('ChangeHistoryService'):Undo()")
    assert there.do(STATE)[0] == before[0]


def test_a_scene_follows_its_description(gox: PlainServer, there: StudioWindow):
    gox.ask("scene.apply", SCENE)
    changed = [
        {"id": "seat", "className": "WedgePart", "parentId": "bench"},
        {"id": "bench", "className": "Model", "name": "Bank", "tags": ["seats"]},
        {"id": "run", "className": "Script", "parentId": "seat", "properties": {"Source": "print(1)"}},
    ]
    plan = gox.ask("scene.plan", ROOT | {"definition": {"nodes": changed}})
    assert [(step["op"], step["id"]) for step in plan["steps"]] == [
        ("update", "bench"),
        ("replace", "seat"),
        ("create", "run"),
    ]
    gox.ask("scene.apply", ROOT | {"plan": plan})
    state = "local b = workspace.Bank return { b.seat.ClassName, b.seat.run.Source, #b:GetChildren() }"
    assert there.do(state) == ["WedgePart", "print(1)", 1]
    fewer = ROOT | {"definition": {"nodes": changed[1:2]}, "allowDelete": True}
    assert [step["op"] for step in gox.ask("scene.plan", fewer)["steps"]] == ["noop", "delete", "delete"]
    gox.ask("scene.apply", fewer)
    assert there.do("return #workspace.Bank:GetChildren()") == 0
    assert there.do("return { studio.unrecorded, #studio.history() }") == [0, 3]


def test_a_scene_that_cannot_be_made_leaves_nothing(gox: PlainServer, there: StudioWindow):
    before = there.do(STATE)
    wrong = [
        NODES[1],
        {"id": "a", "className": "Nonsense"},
        {"id": "b", "className": "Part", "properties": {"Size": 3}},
        {"id": "c", "className": "Part", "parentId": "nobody"},
        {"id": "d", "className": "Part", "parentId": "a"},
        {"id": "e", "className": "Part", "parentId": "e"},
    ]
    plan = gox.ask("scene.plan", ROOT | {"definition": {"nodes": wrong}})
    assert [step.get("reason") for step in plan["steps"]] == [
        None,
        "invalid_class",
        "invalid_value",
        "parent_missing",
        "parent_missing",
        "parent_cycle",
    ]
    error = gox.refused("scene.apply", ROOT | {"plan": plan})
    assert error["code"] == "VALIDATION_ERROR"
    assert there.do(STATE) == before


@pytest.mark.parametrize("refuse", ["false", "true"])
def test_a_scene_that_fails_half_way_is_taken_back(gox: PlainServer, there: StudioWindow, refuse: str):
    gox.ask("scene.apply", SCENE)
    there.do(f"studio.refuseRecordings = {refuse}")
    before = there.do(STATE)
    nodes = [{"id": "new", "className": "Part"}, {"id": "bench", "className": "Model", "parentId": "seat"}]
    asked = ROOT | {"definition": {"nodes": nodes}, "rollbackOnError": False}
    error = gox.refused("scene.apply", asked)
    assert (error["code"], "cannot be moved into itself" in error["message"]) == ("VALIDATION_ERROR", True)
    assert there.do(STATE) == before
    assert there.do("return workspace:FindFirstChild('Bench') ~= nil") is True


def test_a_scene_is_judged_by_rules(gox: PlainServer, there: StudioWindow):
    verdict = gox.ask("scene.validate", ROOT | {"rules": {"maxPartSize": 2.5, "maxUnanchoredParts": 1}})
    assert (verdict["valid"], verdict["issueCount"]) == (False, 5)
    codes = [issue["code"] for issue in verdict["issues"]]
    assert codes == ["oversized_part", "oversized_part", "unanchored_density", "overlap", "missing_primary_part"]
    assert verdict["issues"][3]["details"] == {"other": "Workspace.House.Wall"}
    assert verdict["metrics"] == {
        "partCount": 2,
        "uniqueColorCount": 1,
        "unanchoredCount": 2,
        "modelsChecked": 1,
        "overlapChecks": 2,
    }
    assert gox.refused("scene.validate", ROOT | {"rules": {"nonsense": 1}})["code"] == "VALIDATION_ERROR"


def test_a_picture_is_given_where_studio_allows_it_and_a_reason_where_not(gox: PlainServer, there: StudioWindow):
    asked = {"rootPath": "Workspace.House", "width": 320, "height": 320}
    without = gox.ask("scene.capture", asked)
    assert (without["captured"], without["width"], without["rootPath"]) == (False, 320, "Workspace.House")
    assert "does not let the plugin take pictures" in without["reason"]
    assert without["suggestedCamera"]["lookAt"] == {"x": 0, "y": 0, "z": 0}
    there.do("studio.picture = 'PNG\\0bytes'")
    taken = gox.ask("scene.capture", asked)
    assert [taken[key] for key in ("captured", "format", "encoding", "width", "height")] == [
        True,
        "png",
        "base64",
        320,
        240,
    ]
    assert base64.b64decode(taken["image"]) == b"PNG\0bytes"
    assert gox.refused("scene.capture", asked | {"format": "gif"})["code"] == "VALIDATION_ERROR"
