"""The scene tools over every form of a place: plans are idempotent, and applied as a whole."""

from __future__ import annotations

import base64
import struct
from typing import Any

import pytest
from tests.roblox.conftest import Game

pytestmark = pytest.mark.anyio

TOWER: dict[str, Any] = {
    "nodes": [
        # The child comes first: order does not matter.
        {
            "id": "top",
            "className": "Part",
            "parentId": "tower",
            "name": "Top",
            "properties": {"Anchored": True, "Size": [2, 2, 2], "Position": [0, 9, 0], "Color": "#00ff00"},
        },
        {"id": "tower", "className": "Model", "name": "Tower", "attributes": {"Level": 3}, "tags": ["Landmark"]},
        {
            "id": "base",
            "className": "Part",
            "parentId": "tower",
            "properties": {"Anchored": True, "Size": [4, 8, 4], "Position": [0, 4, 0]},
        },
    ]
}
ROOT = {"rootPath": "Workspace"}


async def ops(game: Game, definition: dict[str, Any], **more: Any) -> dict[str, str]:
    plan = await game.ask("scene_plan", **ROOT, definition=definition, **more)
    return {step["id"]: step["op"] for step in plan["steps"]}


async def test_children_of_nodes_made_in_the_same_plan_are_made(game: Game) -> None:
    plan = await game.ask("scene_plan", **ROOT, definition=TOWER)
    assert [step["op"] for step in plan["steps"]] == ["create"] * 3
    assert plan["version"] == "scene-plan.v1"
    done = await game.ask("scene_apply", **ROOT, plan=plan)
    assert (done["applied"], done["executedSteps"], done["totalSteps"]) == (True, 3, 3)
    assert {"Workspace.Tower.Top", "Workspace.Tower.base"} <= set(await game.paths("Workspace"))
    got = await game.ask("instance_get", instancePath="Workspace.Tower", includeAttributes=True, includeTags=True)
    assert got["attributes"]["Level"] == 3
    assert "Landmark" in got["tags"]


async def test_a_plan_against_what_it_made_does_nothing(game: Game) -> None:
    await game.ask("scene_apply", **ROOT, definition=TOWER)
    before = game.contents()
    assert set((await ops(game, TOWER)).values()) == {"noop"}
    again = await game.reply("scene_apply", {**ROOT, "definition": TOWER})
    assert again["diff"] is None
    assert game.contents() == before


async def test_only_what_differs_is_updated(game: Game) -> None:
    await game.ask("scene_apply", **ROOT, definition=TOWER)
    changed = {"nodes": [*TOWER["nodes"][:2], {**TOWER["nodes"][2], "properties": {"Size": [4, 9, 4]}, "name": "Base"}]}
    plan = await game.ask("scene_plan", **ROOT, definition=changed)
    steps = {step["id"]: step for step in plan["steps"]}
    assert {key: step["op"] for key, step in steps.items()} == {"tower": "noop", "top": "noop", "base": "update"}
    assert sorted(steps["base"]["changes"]) == ["name", "properties.Size"]
    await game.ask("scene_apply", **ROOT, definition=changed)
    assert await game.value("Workspace.Tower.Base", "Size") == {"_type": "Vector3", "x": 4, "y": 9, "z": 4}
    assert await game.value("Workspace.Tower.Base", "Position") == {"_type": "Vector3", "x": 0, "y": 4, "z": 0}
    assert set((await ops(game, changed)).values()) == {"noop"}


async def test_another_class_replaces_a_node_and_keeps_its_planned_children(game: Game) -> None:
    await game.ask("scene_apply", **ROOT, definition=TOWER)
    folder = {"nodes": [TOWER["nodes"][0], {**TOWER["nodes"][1], "className": "Folder"}, TOWER["nodes"][2]]}
    assert (await ops(game, folder))["tower"] == "replace"
    await game.ask("scene_apply", **ROOT, definition=folder)
    assert (await game.ask("instance_get", instancePath="Workspace.Tower"))["instance"]["className"] == "Folder"
    assert "Workspace.Tower.Top" in await game.paths("Workspace")
    assert set((await ops(game, folder)).values()) == {"noop"}


async def test_what_is_no_longer_described_goes_only_when_allowed(game: Game) -> None:
    await game.ask("scene_apply", **ROOT, definition=TOWER)
    less = {"nodes": TOWER["nodes"][:2]}
    assert "base" not in await ops(game, less)
    assert (await ops(game, less, allowDelete=True))["base"] == "delete"
    await game.ask("scene_apply", **ROOT, definition=less, allowDelete=True)
    assert "Workspace.Tower.base" not in await game.paths("Workspace")
    await game.ask("scene_apply", **ROOT, definition={"nodes": []}, allowDelete=True)
    assert sorted(await game.paths("Workspace")) == [
        "Workspace.Baseplate",
        "Workspace.House",
        "Workspace.House.Roof",
        "Workspace.House.Wall",
    ]


WRONG: dict[str, tuple[dict[str, Any], str]] = {
    "a class that there is not": ({"id": "x", "className": "Prat"}, "invalid_class"),
    "a parent that there is not": ({"id": "x", "className": "Part", "parentId": "nobody"}, "parent_missing"),
    "a parent that is itself": ({"id": "x", "className": "Part", "parentId": "x"}, "parent_cycle"),
    "a value that cannot be": ({"id": "x", "className": "Part", "properties": {"Size": 1}}, "invalid_value"),
}


@pytest.mark.parametrize(("node", "reason"), WRONG.values(), ids=WRONG)
async def test_a_plan_with_an_error_says_so_and_nothing_of_it_is_applied(
    game: Game, node: dict[str, Any], reason: str
) -> None:
    before = game.contents()
    definition = {"nodes": [*TOWER["nodes"], node]}
    plan = await game.ask("scene_plan", **ROOT, definition=definition)
    assert [step["reason"] for step in plan["steps"] if step["op"] == "error"] == [reason]
    assert plan["summary"]["error"] == 1
    error = await game.refused("scene_apply", **ROOT, definition=definition)
    assert error.data["validation_rule"] == reason
    assert game.contents() == before


async def test_a_plan_of_another_moment_is_refused(game: Game) -> None:
    plan = await game.ask("scene_plan", **ROOT, definition=TOWER)
    await game.ask("scene_apply", **ROOT, definition={"nodes": [TOWER["nodes"][1]]})
    error = await game.refused("scene_apply", **ROOT, plan=plan)
    assert error.code == -32043
    assert "Plan again" in error.message


async def test_a_hash_tells_plans_apart_and_is_the_same_for_the_same(game: Game) -> None:
    async def hashed(definition: dict[str, Any], **more: Any) -> str:
        found: str = (await game.ask("scene_plan", **ROOT, definition=definition, **more))["planHash"]
        return found

    assert await hashed(TOWER) == await hashed(TOWER)
    other = {"nodes": [{**TOWER["nodes"][1], "name": "Other"}]}
    assert len({await hashed(TOWER), await hashed(TOWER, seed="x"), await hashed(other)}) == 3


async def test_ids_are_unique_and_too_many_steps_are_not_applied(game: Game) -> None:
    twice = {"nodes": [TOWER["nodes"][1]] * 2}
    assert (await game.refused("scene_plan", **ROOT, definition=twice)).data["validation_rule"] == "unique"
    plan = await game.ask("scene_plan", **ROOT, definition=TOWER, maxOps=2)
    assert (plan["truncated"], len(plan["steps"])) == (True, 2)
    error = await game.refused("scene_apply", **ROOT, definition=TOWER, maxOps=2)
    assert error.data["validation_path"] == "input.maxOps"


async def test_a_snapshot_has_the_tree_and_its_measures(game: Game) -> None:
    await game.ask("scene_apply", **ROOT, definition=TOWER)
    seen = await game.ask("scene_snapshot", rootPath="Workspace.Tower")
    assert (seen["nodeCount"], seen["partCount"], seen["modelCount"], seen["uniqueColorCount"]) == (3, 2, 1, 2)
    assert seen["bounds"]["min"] == {"x": -2, "y": 0, "z": -2}
    assert seen["bounds"]["max"] == {"x": 2, "y": 10, "z": 2}
    top = next(child for child in seen["snapshot"]["children"] if child["name"] == "Top")
    assert (top["sceneId"], top["managed"]) == ("top", True)
    assert top["properties"]["Color"] == {"_type": "Color3", "r": 0, "g": 255, "b": 0}
    assert top["properties"]["Material"] == "Plastic"
    shallow = await game.ask("scene_snapshot", rootPath="Workspace", maxDepth=1, includeProperties=False)
    house = next(child for child in shallow["snapshot"]["children"] if child["name"] == "House")
    assert (house["truncated"], shallow["truncated"]) == (True, True)
    assert "properties" not in house


async def test_a_scene_is_judged_by_rules(game: Game) -> None:
    await game.ask(
        "instance_create",
        parentPath="Workspace",
        className="Part",
        name="Huge",
        properties={"Size": [3000, 1, 1], "Position": [0, 500, 0]},
    )
    await game.ask(
        "instance_create",
        parentPath="Workspace",
        className="Part",
        name="Tiny",
        properties={"Size": [0.01, 1, 1], "Position": [0, 900, 0]},
    )
    seen = await game.ask("scene_validate", **ROOT, rules={"maxUnanchoredParts": 1, "maxUniqueColors": 1})
    codes = {(issue["code"], issue["path"]) for issue in seen["issues"]}
    assert {
        ("oversized_part", "Workspace.Huge"),
        ("tiny_part", "Workspace.Tiny"),
        ("palette_diversity", "Workspace"),
        ("unanchored_density", "Workspace"),
        ("missing_primary_part", "Workspace.House"),
        ("overlap", "Workspace.Baseplate"),
    } <= codes
    assert (seen["valid"], seen["metrics"]["partCount"]) == (False, 5)


async def test_a_picture_is_refused_with_the_reason(game: Game) -> None:
    seen = await game.ask("scene_capture", rootPath="Workspace.House", width=320, height=200)
    assert seen["captured"] is False
    reason = "does not let the plugin take pictures" if game.form == "studio" else "needs Roblox Studio"
    assert reason in seen["reason"]
    assert seen["suggestedCamera"]["lookAt"] == {"x": 0, "y": 0, "z": 0}


@pytest.mark.parametrize("game", ["studio"], indirect=True)
async def test_a_picture_that_studio_allows_comes_with_its_own_size(game: Game) -> None:
    assert game.window is not None
    head = struct.pack(">8sI4sII", b"\x89PNG\r\n\x1a\n", 13, b"IHDR", 160, 120)
    game.window.do(f"studio.picture = string.char({', '.join(map(str, head))})")
    seen = await game.ask("scene_capture", rootPath="Workspace.House", width=160, height=160)
    game.window.do("studio.picture = nil")
    assert (seen["captured"], seen["width"], seen["height"], seen["encoding"]) == (True, 160, 120, "base64")
    assert base64.b64decode(seen["image"]) == head


async def test_a_node_does_not_hang_on_what_the_plan_deletes(game: Game) -> None:
    old, new = {"id": "old", "className": "Folder"}, {"id": "new", "className": "Part", "parentId": "old"}
    await game.ask("scene_apply", **ROOT, definition={"nodes": [old]})
    assert await ops(game, {"nodes": [new]}) == {"new": "create"}
    assert (await ops(game, {"nodes": [new]}, allowDelete=True))["new"] == "error"
