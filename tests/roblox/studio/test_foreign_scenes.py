"""The five scene tools with Gox's own plugin, which knows `scene.v1` and nothing of ours."""

from __future__ import annotations

import base64
from collections.abc import Iterator
from typing import Any

import pytest
from tests.conftest import Caller, MakeCaller
from tests.roblox.relay.plain import PlainPlugin
from tests.roblox.studio.gox import Gox, Thing
from tests.roblox.studio.live import use_free_bridge

from scenewright.contracts import RpcError
from scenewright.roblox.relay.process import shared_relay

pytestmark = pytest.mark.anyio

ROOT = {"rootPath": "Workspace"}
SIZE = {"_type": "Vector3", "x": 4, "y": 1.5, "z": 2}
NODES: list[dict[str, Any]] = [
    {
        "id": "seat",
        "className": "Part",
        "parentId": "bench",
        "tags": ["sit"],
        "attributes": {"Grade": 2, "Kind": "a"},
        "properties": {"Size": SIZE, "Material": "Wood", "Color": [0.3, 0.1, 0.7], "Position": [0.1, 2, 3]},
    },
    {"id": "lamp", "className": "PointLight", "parentId": "seat", "properties": {"Brightness": 3}},
    {"id": "bench", "className": "Model", "name": "Bench"},
]
ALLOWED = {"scene.snapshot", "scene.apply", "instance.list_children", "instance.delete", "instance.set_property"}


@pytest.fixture
def gox(monkeypatch: pytest.MonkeyPatch) -> Iterator[Gox]:
    with use_free_bridge(monkeypatch) as settings:
        relay = shared_relay()
        handler = Gox()
        plugin = PlainPlugin(relay.url, settings.token, handler, more=("scene.v1",))
        assert relay.wait_for_studio(20)
        yield handler
        plugin.stop()


class Scenes:
    """The tools, and what Gox's place holds."""

    def __init__(self, caller: Caller, gox: Gox) -> None:
        self.caller, self.gox = caller, gox

    async def ask(self, tool: str, meta: Any = None, **arguments: Any) -> dict[str, Any]:
        reply = await self.caller.reply(f"roblox.scene_{tool}", ROOT | arguments, meta=meta)
        assert reply.error is None, reply.error
        assert reply.structured is not None
        output: dict[str, Any] = reply.structured["output"]
        return output

    async def refused(self, tool: str, **arguments: Any) -> RpcError:
        reply = await self.caller.reply(f"roblox.scene_{tool}", ROOT | arguments)
        assert reply.error is not None, reply.structured
        return reply.error

    async def apply(self, nodes: list[dict[str, Any]], **more: Any) -> dict[str, Any]:
        return await self.ask("apply", definition={"nodes": nodes}, **more)

    async def summary(self, nodes: list[dict[str, Any]], **more: Any) -> dict[str, int]:
        plan = await self.ask("plan", definition={"nodes": nodes}, **more)
        return {op: count for op, count in plan["summary"].items() if count}

    def at(self, path: str) -> Thing:
        found = self.gox.at(f"Workspace.{path}")
        assert found is not None, path
        return found

    def state(self) -> list[Any]:
        return [
            (each.path, each.kind, self.gox.shown(each), dict(each.attributes), sorted(each.tags))
            for each in self.gox.workspace.walk()
        ]


@pytest.fixture
def scenes(gox: Gox, make_caller: MakeCaller) -> Scenes:
    return Scenes(make_caller(bridge_enabled=True, allow_dangerous=True), gox)


async def test_a_scene_is_made_whole_children_of_new_nodes_included_and_then_left_alone(scenes: Scenes):
    assert await scenes.summary(NODES) == {"create": 3}
    done = await scenes.apply(NODES)
    assert (done["applied"], done["executedSteps"], done["backend"]) == (True, 3, "studio")
    assert done["diffSummary"].startswith("created 3 instances")
    seat = scenes.at("Bench.seat")
    assert (seat.properties["Size"]["y"], seat.properties["Material"]) == (1.5, "Wood")
    assert scenes.at("Bench.seat.lamp").properties == {"Brightness": 3}
    assert (seat.tags, seat.attributes["Grade"]) == ({"sit", "gox.scene.managed"}, 2)
    assert scenes.gox.at("Workspace._GoxTrash") is None
    before, asked = scenes.state(), len(scenes.gox.asked)
    assert await scenes.summary(NODES) == {"noop": 3}
    assert "diffSummary" not in await scenes.apply(NODES)
    assert scenes.state() == before
    assert {operation for operation, _ in scenes.gox.asked[asked:]} == {"scene.snapshot"}
    assert scenes.gox.operations() <= ALLOWED
    writes = [
        key for (operation, _), key in zip(scenes.gox.asked, scenes.gox.keys, strict=True) if "apply" in operation
    ]
    assert None not in writes


async def test_a_dry_run_changes_nothing(scenes: Scenes):
    before = scenes.state()
    done = await scenes.ask("apply", meta={"dryRun": True}, definition={"nodes": NODES})
    assert (done["applied"], done["totalSteps"]) == (False, 3)
    assert scenes.state() == before
    assert "scene.apply" not in scenes.gox.operations()


async def test_a_scene_follows_its_description_and_leaves_the_rest(scenes: Scenes):
    await scenes.apply(NODES)
    scenes.gox.add(scenes.at("Bench"), "Part", "Mine")
    changed: list[dict[str, Any]] = [
        {"id": "bench", "className": "Model", "name": "Bank"},
        {"id": "seat", "className": "WedgePart", "parentId": "bench"},
        {"id": "lamp", "className": "PointLight", "parentId": "seat", "properties": {"Brightness": 4}},
    ]
    assert await scenes.summary(changed) == {"update": 2, "replace": 1}
    await scenes.apply(changed)
    assert [each.path for each in scenes.at("Bank").walk()] == [
        "Workspace.Bank",
        "Workspace.Bank.Mine",
        "Workspace.Bank.seat",
        "Workspace.Bank.seat.lamp",
    ]
    assert (scenes.at("Bank.seat").kind, scenes.at("Bank.seat.lamp").properties["Brightness"]) == ("WedgePart", 4)
    assert await scenes.summary(changed) == {"noop": 3}
    fewer = changed[:1]
    assert await scenes.summary(fewer, allowDelete=True) == {"noop": 1, "delete": 2}
    done = await scenes.apply(fewer, allowDelete=True)
    assert "deleted" in done["diffSummary"]
    assert [each.name for each in scenes.at("Bank").walk()] == ["Bank", "Mine"]
    assert scenes.gox.at("Workspace._GoxTrash") is None
    assert await scenes.summary(fewer, allowDelete=True) == {"noop": 1}


@pytest.mark.parametrize(
    ("change", "differs"),
    [
        ({"properties": {"Transparency": 0.5}}, "properties.Transparency"),
        ({"properties": {"Color": [0.3, 0.1, 0.8]}}, "properties.Color"),
        ({"properties": {"Position": [1, 2, 3]}}, "properties.Position"),
        ({"attributes": {"Grade": 2}}, "attributes"),
        ({"tags": []}, "tags"),
        ({"parentId": "root"}, "parent"),
        ({"name": "Other"}, "name"),
    ],
)
async def test_each_difference_is_found_and_made(scenes: Scenes, change: dict[str, Any], differs: str):
    await scenes.apply(NODES)
    nodes = [NODES[0] | change, *NODES[1:]]
    plan = await scenes.ask("plan", definition={"nodes": nodes})
    assert {step["id"]: step["changes"] for step in plan["steps"] if step["op"] == "update"} == {"seat": [differs]}
    await scenes.ask("apply", plan=plan)
    assert await scenes.summary(nodes) == {"noop": 3}
    assert (await scenes.refused("apply", plan=plan)).code == -32043


async def test_a_primary_part_is_a_reference_that_is_seen(scenes: Scenes):
    node = {"id": "m", "className": "Model", "properties": {"PrimaryPart": {"_type": "Ref", "path": "Workspace.Part"}}}
    await scenes.apply([node])
    assert scenes.at("m").properties["PrimaryPart"] is scenes.gox.part
    snapshot = await scenes.ask("snapshot")
    seen = {each["name"]: each for each in snapshot["snapshot"]["children"]}
    assert seen["m"]["properties"]["PrimaryPart"]["instanceId"] == seen["Part"]["instanceId"]


async def test_what_the_plugin_refuses_leaves_nothing(scenes: Scenes):
    await scenes.apply(NODES)
    before = scenes.state()
    wrong = [
        {"id": "new", "className": "Part"},
        NODES[0] | {"name": "Other", "properties": {"Transparency": 0.5, "CastShadow": False}},
        *NODES[1:],
    ]
    error = await scenes.refused("apply", definition={"nodes": wrong}, allowDelete=True)
    assert "CastShadow is not a valid member" in error.message
    assert "Nothing was changed." in error.message
    assert scenes.state() == before


async def test_what_breaks_half_way_is_taken_back_by_hand(scenes: Scenes):
    await scenes.apply(NODES)
    before = scenes.state()
    changed = [
        {"id": "bench", "className": "Model", "name": "Bank"},
        {"id": "more", "className": "Part", "parentId": "bench"},
        {"id": "seat", "className": "Part", "parentId": "root", "properties": {"Transparency": 0.5}},
    ]
    scenes.gox.break_after = 3
    error = await scenes.refused("apply", definition={"nodes": changed}, allowDelete=True)
    assert "Nothing was changed." in error.message
    assert sorted(map(repr, scenes.state())) == sorted(map(repr, before))


async def test_what_cannot_be_taken_back_is_said(scenes: Scenes):
    await scenes.apply(NODES)
    scenes.gox.break_after = 1
    scenes.gox.fail_at = {"instance.set_property": 1}
    nodes = [{"id": "bench", "className": "Model", "name": "Bank"}, {"id": "x", "className": "Part"}]
    error = await scenes.refused("apply", definition={"nodes": nodes})
    assert "could not be fully restored" in error.message
    assert "name of 'Workspace.Bench'" in error.message
    assert scenes.at("Bank").kind == "Model"


async def test_what_is_in_the_plugins_trash_counts_for_nothing_and_stays(scenes: Scenes):
    await scenes.apply(NODES)
    trash = scenes.gox.add(scenes.gox.workspace, "Folder", "_GoxTrash")
    old = scenes.gox.add(trash, "Part", "Old")
    old.attributes = {"gox_scene_id": "old", "gox_scene_managed": True}
    assert await scenes.summary(NODES, allowDelete=True) == {"noop": 3}
    await scenes.apply([NODES[2]], allowDelete=True)
    assert [each.name for each in trash.children] == ["Old"]
    assert [each["name"] for each in (await scenes.ask("snapshot"))["snapshot"]["children"]] == ["Part", "Bench"]


async def test_trash_that_stays_is_a_warning(scenes: Scenes):
    await scenes.apply(NODES)
    scenes.gox.fail_at = {"instance.delete": sum(op == "instance.delete" for op, _ in scenes.gox.asked) + 1}
    reply = await scenes.caller.reply(
        "roblox.scene_apply", ROOT | {"definition": {"nodes": [NODES[2]]}, "allowDelete": True}
    )
    assert reply.error is None
    assert "_GoxTrash" in f"{reply.structured} {reply.meta} {reply.text}"


@pytest.mark.parametrize(
    ("node", "because"),
    [
        ({"attributes": {"At": {"_type": "Vector3", "x": 1, "y": 2, "z": 3}}}, "not 'At'"),
        ({"properties": {"CustomPhysicalProperties": None}}, "cannot clear"),
        ({"properties": {"CollisionGroup": "a"}, "tags": ["x"]}, "is not a valid member"),
    ],
)
async def test_what_the_plugin_cannot_hold_is_refused_before_or_taken_back(
    scenes: Scenes, node: dict[str, Any], because: str
):
    before = scenes.state()
    error = await scenes.refused("apply", definition={"nodes": [{"id": "a", "className": "Part"} | node]})
    assert because in error.message
    assert scenes.state() == before


async def test_an_attribute_of_another_type_is_never_made_text(scenes: Scenes):
    await scenes.apply(NODES)
    scenes.at("Bench.seat").attributes["At"] = (1.0, 2.0, 3.0)
    before = scenes.state()
    node = {"id": "seat", "className": "Part", "parentId": "bench", "tags": ["other"]}
    error = await scenes.refused("apply", definition={"nodes": [node]})
    assert "'At'" in error.message
    assert "scenewright roblox plugin --install" in str(error.data)
    assert scenes.state() == before
    await scenes.apply([node | {"attributes": {"Grade": 3}}])
    assert "At" not in scenes.at("Bench.seat").attributes


async def test_a_node_is_not_put_into_itself(scenes: Scenes):
    await scenes.apply(NODES)
    before = scenes.state()
    nodes = [{"id": "bench", "className": "Model", "parentId": "seat"}]
    error = await scenes.refused("apply", definition={"nodes": nodes})
    assert "cannot be moved into itself" in error.message
    assert scenes.state() == before
    assert "scene.apply" in scenes.gox.operations()
    assert sum(operation == "scene.apply" for operation, _ in scenes.gox.asked) == 1


async def test_a_snapshot_has_the_measures_whatever_its_depth(scenes: Scenes):
    await scenes.apply(NODES)
    current = scenes.gox.workspace
    for level in range(40):
        current = scenes.gox.add(current, "Model", f"L{level}")
    scenes.gox.add(current, "Part", "Deep")
    for number in range(510):
        scenes.gox.add(scenes.at("Bench"), "Part", f"P{number}")
    found = await scenes.ask("snapshot", maxDepth=2, maxChildrenPerNode=3)
    assert (found["truncated"], found["backend"]) == (True, "studio")
    bench = next(each for each in found["snapshot"]["children"] if each["name"] == "Bench")
    assert (len(bench["children"]), bench["truncatedChildren"], bench["sceneId"]) == (3, 508, "bench")
    assert bench["children"][0]["properties"]["Material"] == "Wood"
    verdict = await scenes.ask("validate", rules={"maxUnanchoredParts": 5}, maxPartChecks=5000)
    assert verdict["metrics"]["partCount"] == 513
    assert {issue["code"] for issue in verdict["issues"]} == {"unanchored_density", "overlap"}
    assert await scenes.summary(NODES) == {"noop": 3}


async def test_a_scene_is_judged_by_what_the_plugin_shows(scenes: Scenes):
    scenes.gox.add(scenes.gox.add(scenes.gox.workspace, "Model", "M"), "Part", "A").properties["CFrame"] = {
        "components": [50, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1]
    }
    scenes.gox.add(scenes.at("M"), "Part", "B").properties |= {"Anchored": True, "Size": {"x": 4, "y": 0.01, "z": 2}}
    verdict = await scenes.ask("validate", rules={"maxPartSize": 3})
    assert [issue["code"] for issue in verdict["issues"]] == [
        "oversized_part",
        "oversized_part",
        "oversized_part",
        "tiny_part",
        "overlap",
        "missing_primary_part",
    ]
    assert verdict["metrics"]["unanchoredCount"] == 2
    scenes.at("M").properties["PrimaryPart"] = scenes.at("M.A")
    verdict = await scenes.ask("validate")
    assert "missing_primary_part" not in {issue["code"] for issue in verdict["issues"]}


async def test_a_picture_comes_from_the_plugin_or_a_reason(scenes: Scenes):
    without = await scenes.ask("capture", width=64, height=48)
    assert (without["captured"], without["width"]) == (False, 64)
    assert "ThumbnailGenerator" in without["reason"]
    png = b"\x89PNG\r\n\x1a\n" + b"\0" * 8 + (64).to_bytes(4, "big") + (40).to_bytes(4, "big")
    scenes.gox.picture = base64.b64encode(png).decode()
    taken = await scenes.ask("capture", width=64, height=48)
    assert (taken["captured"], taken["width"], taken["height"]) == (True, 64, 40)
    assert base64.b64decode(taken["image"]) == png
    scenes.gox.picture = "no picture!"
    assert (await scenes.ask("capture"))["captured"] is False
