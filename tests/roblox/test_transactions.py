"""All or nothing, rolling back, keys and dry runs: the same outcomes on every form of a place, Studio included."""

from __future__ import annotations

import re
from typing import Any

import pytest
from tests.roblox.conftest import Game
from tests.roblox.test_gox_contract import WRITES

from scenewright.core.calls.call import DRY_RUN, Request

pytestmark = pytest.mark.anyio
GOOD = [
    {"tool": "roblox.instance_create", "args": {"parentPath": "Workspace", "className": "Part", "name": "One"}},
    {"tool": "roblox.instance_create", "args": {"parentPath": "Workspace", "className": "Part", "name": "Two"}},
]
BAD = {"tool": "roblox.instance_delete", "args": {"instancePath": "Workspace.Nowhere"}}
WORDS = ("runId", "dryRun", "instanceId", "created", "updated", "deleted", "moved", "applied", "executedSteps")
PING = {"tool": "core.ping"}
Items = list[dict[str, Any]]


async def batch(game: Game, items: Items, meta: dict[str, Any] | None = None, **options: Any) -> dict[str, Any]:
    reply = await game.caller.reply("batch_operations", {"operations": items} | options, meta=meta)
    assert reply.structured is not None
    return reply.structured


def call(tool: str, /, **arguments: Any) -> dict[str, Any]:
    return {"tool": f"roblox.{tool}", "args": arguments}


async def entries(game: Game) -> int:
    listed = await game.caller.reply("history", {"action": "list"})
    assert listed.structured is not None
    return len(listed.structured["result"]["entries"])


# Batches


async def test_a_batch_that_stops_leaves_what_was_done_before_and_says_so(game: Game) -> None:
    reply = (await batch(game, [*GOOD, BAD, PING]))["result"]
    assert (reply["succeeded"], reply["failed"], reply["skipped"]) == (2, 1, 1)
    assert all(each["historyEntry"] for each in reply["results"][:2])
    assert {"Workspace.One", "Workspace.Two"} <= set(await game.paths())


async def test_a_batch_that_goes_on_makes_the_rest(game: Game) -> None:
    reply = (await batch(game, [GOOD[0], BAD, GOOD[1]], stopOnError=False))["result"]
    assert (reply["succeeded"], reply["failed"]) == (2, 1)
    assert {"Workspace.One", "Workspace.Two"} <= set(await game.paths())


async def test_an_atomic_batch_that_fails_leaves_nothing_behind(game: Game) -> None:
    before = game.contents()
    reply = await batch(game, [*GOOD, BAD], atomic=True)
    assert reply["ok"] is False
    assert "Call 2 of the batch" in reply["error"]["message"]
    assert "nothing was written" in reply["error"]["message"]
    assert game.contents() == before
    assert await entries(game) == 0


async def test_an_atomic_batch_is_one_step_that_is_taken_back_and_made_again(game: Game) -> None:
    before = game.contents()
    reply = await batch(game, GOOD, atomic=True)
    assert reply["ok"], reply
    made = game.contents()
    assert await entries(game) == 1
    assert reply["execution"]["diff"]["entries"]
    if game.window is not None:
        assert len(game.window.do("return studio.history()")) == 1
        assert reply["execution"]["mode"] == "live"
    await game.undo()
    assert game.contents() == before
    again = await game.caller.reply("history", {"action": "undo", "entry": 2})
    assert again.structured is not None
    assert again.structured["ok"], again.structured
    assert game.contents() == made


async def test_every_call_of_an_atomic_batch_sees_those_before_it(game: Game) -> None:
    source = "return { speed = 32 }\n"
    items = [
        call("instance_create", parentPath="Workspace", className="Model", name="Car", attributes={"Price": 5}),
        call("instance_create", parentPath="Workspace.Car", className="Part", name="Wheel", tags=["round"]),
        call("instance_set_property", instancePath="Workspace.Car.Wheel", propertyName="Size", value=[2, 2, 1]),
        call("instance_set_property", instancePath="Workspace.Car.Wheel", propertyName="Name", value="Tyre"),
        call("instance_set_attributes", instancePath="Workspace.Car", attributes={"Price": 6, "Used": True}),
        call("instance_set_tags", instancePath="Workspace.House.Roof", add=["red"]),
        call("instance_move", instancePath="Workspace.House.Roof", newParentPath="Workspace.Car"),
        call("instance_duplicate", instancePath="Workspace.Car", name="Second"),
        call("instance_delete", instancePath="Workspace.House"),
        call("script_update", scriptPath="ReplicatedStorage.Config", source=source),
        call("instance_get", instancePath="Workspace.Second.Tyre", properties=["Size"], includeTags=True),
        call("instance_get", instancePath="Workspace.Second", includeAttributes=True),
        call("instance_list_children", parentPath="Workspace"),
        call("instance_find", rootPath="Workspace", tag="red"),
        call("script_get_source", scriptPath="ReplicatedStorage.Config"),
        call("script_search", query="32"),
        call("scene_snapshot", rootPath="Workspace.Second", includeProperties=False),
    ]
    reply = await batch(game, items, atomic=True)
    assert reply["ok"], reply
    results = [each["result"] for each in reply["result"]["results"]]
    assert results[10]["properties"]["Size"] == {"_type": "Vector3", "x": 2, "y": 2, "z": 1}
    assert results[10]["tags"] == ["round"]
    assert results[11]["attributes"] == {"Price": 6, "Used": True}
    assert [child["name"] for child in results[12]["children"]] == ["Baseplate", "Car", "Second"]
    assert [match["path"] for match in results[13]["matches"]] == ["Workspace.Car.Roof", "Workspace.Second.Roof"]
    assert results[14]["source"] == source
    assert results[15]["matches"][0]["path"] == "ReplicatedStorage.Config"
    # And all of it is so once the batch is through.
    if game.form in ("rbxlx", "studio"):  # in the other forms an id goes by the name, which was changed
        wheel = await game.ask("instance_get", instanceId=results[1]["instanceId"], properties=["Size"])
        assert wheel["instance"]["path"] == "Workspace.Car.Tyre"
    second = await game.ask("instance_get", instanceId=results[7]["instanceId"], includeAttributes=True)
    assert (second["instance"]["path"], second["attributes"]) == ("Workspace.Second", {"Price": 6, "Used": True})
    found = await game.ask("instance_find", rootPath="Workspace", tag="red")
    assert [match["path"] for match in found["matches"]] == ["Workspace.Car.Roof", "Workspace.Second.Roof"]
    assert await game.source("ReplicatedStorage.Config") == source
    await game.undo()
    assert "Workspace.House.Roof" in await game.paths()


async def test_what_cannot_be_is_refused_in_a_batch_as_it_would_be_alone(game: Game) -> None:
    before = game.contents()
    gone = [
        call("instance_delete", instancePath="Workspace.House"),
        call("instance_get", instancePath="Workspace.House"),
    ]
    into = [
        call("instance_create", parentPath="Workspace.House", className="Folder", name="In"),
        call("instance_move", instancePath="Workspace.House", newParentPath="Workspace.House.In"),
    ]
    service = [GOOD[0], call("instance_delete", instancePath="Workspace")]
    for items, said in ((gone, "'House'"), (into, "cannot be moved into itself"), (service, "service")):
        reply = await batch(game, items, atomic=True)
        assert reply["ok"] is False
        assert said in reply["error"]["message"]
    assert game.contents() == before


async def test_files_and_place_change_together_or_not_at_all(game: Game) -> None:
    before = game.contents()
    write = {"tool": "write_file", "args": {"path": "notes.md", "content": "x"}}
    assert (await batch(game, [write, GOOD[0], BAD], atomic=True))["ok"] is False
    assert not (game.project / "notes.md").exists()
    assert game.contents() == before
    assert (await batch(game, [write, GOOD[0]], atomic=True))["ok"]
    assert (game.project / "notes.md").read_text() == "x"
    assert "Workspace.One" in await game.paths()
    await game.undo()
    assert not (game.project / "notes.md").exists()
    assert game.contents() == before


# Dry runs


def plain(value: Any) -> Any:
    """A reply without ids and what says that it was a dry run."""
    if isinstance(value, dict):
        skipped = (
            "runId",
            "dryRun",
            "instanceId",
            "created",
            "updated",
            "deleted",
            "moved",
            "applied",
            "executedSteps",
        )
        return {key: plain(part) for key, part in value.items() if key not in skipped}
    if isinstance(value, list):
        return [plain(part) for part in value]
    return re.sub(r"inst-[\w-]+", "inst", value.removeprefix(f"{DRY_RUN} ")) if isinstance(value, str) else value


@pytest.mark.parametrize("tool", WRITES)
async def test_a_dry_run_replies_as_the_write_does_but_for_its_own_words(game: Game, tool: str) -> None:
    before = game.contents()
    dry = await game.reply(tool, WRITES[tool], dryRun=True)
    assert game.contents() == before
    assert await entries(game) == 0
    wet = await game.reply(tool, WRITES[tool])
    assert dry["output"]["dryRun"] is True
    assert dry["output"]["diffSummary"].startswith(DRY_RUN)
    assert plain(dry) == plain(wet)


async def test_a_dry_run_of_a_batch_sees_its_own_calls_and_changes_nothing(game: Game) -> None:
    before = game.contents()
    items = [
        *GOOD,
        call("instance_move", instancePath="Workspace.Two", newParentPath="Workspace.One"),
        call("instance_get", instancePath="Workspace.One.Two"),
    ]
    reply = await batch(game, items, dryRun=True)
    assert reply["result"]["failed"] == 0, reply
    assert reply["execution"]["dryRun"] is True
    assert reply["execution"]["diff"]["entries"]
    assert game.contents() == before


# Keys


async def test_a_call_under_a_key_is_carried_out_once(game: Game) -> None:
    arguments = {"parentPath": "Workspace", "className": "Part", "name": "Once"}
    request = Request(tool="roblox.instance_create", arguments=arguments, key="run/step", origin="workflow")
    first = await game.caller.runtime.run(request)
    second = await game.caller.runtime.run(request)
    assert first.ok
    assert second.ok
    assert second.call.recalled
    assert second.call.output["instanceId"] == first.call.output.instance_id
    assert (await game.paths()).count("Workspace.Once") == 1
    assert await entries(game) == 1


async def test_a_clients_own_key_makes_a_repetition_safe(game: Game) -> None:
    arguments = {"parentPath": "Workspace", "className": "Part", "name": "Once"}
    first = await game.reply("instance_create", arguments, idempotencyKey="mine")
    second = await game.reply("instance_create", arguments, idempotencyKey="mine")
    assert first["output"] == second["output"]
    other = await game.reply("instance_create", arguments | {"name": "Other"}, idempotencyKey="mine")
    assert other["output"]["path"] == "Workspace.Other"
    assert (await game.paths()).count("Workspace.Once") == 1


async def test_a_refused_call_may_be_made_again_under_its_key(game: Game) -> None:
    arguments = {"parentPath": "Workspace.New", "className": "Part", "name": "In"}
    refused = await game.caller.reply("roblox.instance_create", arguments, meta={"idempotencyKey": "k"})
    assert refused.error is not None
    await game.ask("instance_create", parentPath="Workspace", className="Folder", name="New")
    assert (await game.reply("instance_create", arguments, idempotencyKey="k"))["output"]["created"]


# Workflows


async def run(game: Game, steps: Items, **options: Any) -> dict[str, Any]:
    definition = {"id": "w", "steps": steps} | options
    reply = await game.caller.reply("workflow.run", {"definition": definition, "waitMs": 60_000})
    assert reply.structured is not None, reply.text
    return reply.structured


def step(step_id: str, tool: str, /, **arguments: Any) -> dict[str, Any]:
    return {"id": step_id, "actionId": f"roblox.{tool}", "input": arguments}


FAILS = step("fails", "instance_delete", instancePath="Workspace.Nowhere")
MAKES = [
    step("make", "instance_create", parentPath="Workspace", className="Part", name="One"),
    step("set", "instance_set_property", instancePath="Workspace.One", propertyName="Anchored", value=True),
    step("drop", "instance_delete", instancePath="Workspace.House"),
]


async def test_a_failed_run_is_rolled_back_to_where_it_began(game: Game) -> None:
    before = game.contents()
    ended = await run(game, [*MAKES, FAILS], onFailure="rollback")
    assert ended["status"] == "failed"
    assert ended["rollback"] == {"undone": ["drop", "set", "make"], "standing": []}
    assert game.contents() == before


async def test_a_failed_run_that_stops_leaves_what_it_did(game: Game) -> None:
    ended = await run(game, [*MAKES, FAILS])
    assert (ended["status"], ended["completedSteps"]) == ("failed", 3)
    paths = await game.paths()
    assert "Workspace.One" in paths
    assert "Workspace.House" not in paths


async def test_a_dry_run_of_a_workflow_shows_one_diff_and_changes_nothing(game: Game) -> None:
    before = game.contents()
    reply = await game.caller.reply(
        "workflow.run", {"definition": {"id": "w", "steps": MAKES}, "dryRun": True, "waitMs": 60_000}
    )
    assert reply.structured is not None
    assert reply.structured["status"] == "succeeded", reply.structured
    assert reply.structured["diff"]["entries"]
    assert game.contents() == before


async def test_runs_that_begin_together_do_not_get_between_each_other(game: Game) -> None:
    """Of runs at once each fails at its end; what is taken back is each one's own."""
    before = game.contents()

    def definition(number: int) -> dict[str, Any]:
        made = [
            step(f"s{part}", "instance_create", parentPath="Workspace", className="Part", name=f"r{number}-{part}")
            for part in range(3)
        ]
        return {"id": f"w{number}", "onFailure": "rollback", "steps": [*made, FAILS]}

    begun = [await game.caller.reply("workflow.run", {"definition": definition(number)}) for number in range(3)]
    for reply in begun:
        assert reply.structured is not None
        ended = await game.caller.reply("workflow.status", {"runId": reply.structured["runId"], "waitMs": 60_000})
        assert ended.structured is not None
        if game.window is not None:  # files may have been written by another run meanwhile, which is a conflict
            assert ended.structured["rollback"] == {"undone": ["s2", "s1", "s0"], "standing": []}
    if game.window is not None:
        assert game.contents() == before
