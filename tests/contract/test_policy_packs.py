"""Gox's policy packs, over a real client in both eras of MCP: what its contract and Gox itself say of them."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import mcp_types as types
import pytest
from mcp.client import Client
from tests.conftest import MakeCaller
from tests.contract.samples import note, under
from tests.contract.sentences import ERAS, Check, Connect, Contract, Wire
from tests.support.gdscript_runner import make_project

from scenewright.core.operations.declaration import Safety
from scenewright.core.projects.ownership import state_folder
from scenewright.server.protocol import McpServer

pytestmark = pytest.mark.anyio

document = Contract()
NOTE = {"path": "a.txt", "text": "1"}
WIPE = replace(note, id="sample.wipe", contract="gox", safety=Safety.DESTRUCTIVE)
OPERATIONS = (*under("gox"), WIPE)


def put_in_force(project: Path, *rules: dict[str, Any], mode: str = "allow-all", **fields: Any) -> Path:
    place = state_folder(project) / "policy.json"
    place.parent.mkdir(parents=True, exist_ok=True)
    place.write_text(json.dumps({"version": "v1", "mode": mode, "rules": rules, **fields}))
    return place


def denial(wire: Wire) -> int:
    return 4043 if wire.modern else -32043


@document.says("denied faults -> -32043, with code ACCESS_DENIED and category policy")
async def _(wire: Wire) -> None:
    place = put_in_force(wire.project, {"name": "shut", "match": {}, "effect": "deny", "reason": "not today"})
    error = await wire.refusal("core.ping", correlationId="job-1")
    assert error.code == denial(wire)
    assert "not today" in error.message
    assert (error.data["code"], error.data["category"]) == ("ACCESS_DENIED", "policy")
    assert error.data["retryable"] is False
    assert error.data["correlation_id"] == "job-1"
    assert error.data["details"]["policy"] == str(place)
    assert error.data["details"]["rule"] == "shut"


@document.says("actor (string): a rule may be about one actor, or about those whose name begins alike")
async def _(wire: Wire) -> None:
    put_in_force(
        wire.project,
        {"match": {"actor": "builder"}, "effect": "allow"},
        {"match": {"actorPrefix": "ci-"}, "effect": "allow"},
        mode="deny-by-default",
    )
    for actor in ("builder", "ci-1"):
        assert await wire.structured("core.ping", actor=actor)
    for stranger in ("builder2", "ci", None):
        assert (await wire.refusal("core.ping", actor=stranger)).code == denial(wire)


@document.says("actionId and actionPrefix: a rule may be about one action, or about those whose id begins alike")
async def _(wire: Wire) -> None:
    put_in_force(
        wire.project,
        {"match": {"actionId": "core.ping"}, "effect": "deny"},
        {"match": {"actionPrefix": "project."}, "effect": "deny"},
    )
    for tool in ("core.ping", "core_ping", "project.workspace_stats", "project_workspace_stats"):
        assert (await wire.refusal(tool)).code == denial(wire)
    assert await wire.structured("sample.note", NOTE)


@document.says("gox:sideEffectLevel: a rule may be about side effects none, read and write")
async def _(wire: Wire) -> None:
    calls = {"none": ("core.ping", {}), "read": ("project.workspace_stats", {}), "write": ("sample.note", NOTE)}
    for level, (tool, arguments) in calls.items():
        put_in_force(wire.project, {"match": {"sideEffects": [level]}, "effect": "deny"})
        assert (await wire.refusal(tool, arguments)).code == denial(wire)
        for other in calls.keys() - {level}:
            assert await wire.structured(*calls[other])


@document.says("dryRun (bool or bool-like string): a rule may be about dry runs, or about what is none")
async def _(wire: Wire) -> None:
    put_in_force(wire.project, {"match": {"dryRun": False, "sideEffects": ["write"]}, "effect": "deny"})
    for yes in (True, "true"):
        assert (await wire.structured("sample.note", NOTE, dryRun=yes))["output"]["dryRun"] is True
    assert (await wire.refusal("sample.note", NOTE)).code == denial(wire)
    assert not (wire.project / "a.txt").exists()


@document.says("approved (bool or bool-like string): a rule with requiresApproval lets through what is approved")
async def _(wire: Wire) -> None:
    put_in_force(wire.project, {"match": {}, "effect": "allow", "requiresApproval": True, "reason": "ask first"})
    error = await wire.refusal("core.ping")
    assert error.code == denial(wire)
    assert "ask first" in error.message
    for yes in (True, "true", "1"):
        assert await wire.structured("core.ping", approved=yes)


@document.says("priority: the highest first, and among equals the first that is written")
async def _(wire: Wire) -> None:
    allow: dict[str, Any] = {"match": {}, "effect": "allow"}
    deny: dict[str, Any] = {"match": {}, "effect": "deny"}
    for rules, allowed in (
        ((allow, deny), True),
        ((deny, allow), False),
        ((deny, allow | {"priority": 1}), True),
        ((allow, deny | {"priority": 1}), False),
    ):
        put_in_force(wire.project, *rules)
        if allowed:
            assert await wire.structured("core.ping")
        else:
            assert (await wire.refusal("core.ping")).code == denial(wire)


@document.says("mode deny-by-default: what no rule matches is denied, with defaultDenyReason")
async def _(wire: Wire) -> None:
    put_in_force(wire.project, mode="deny-by-default", defaultDenyReason="nothing is allowed here")
    assert "nothing is allowed here" in (await wire.refusal("core.ping")).message


@document.says("mode allow-all: what no rule matches is allowed")
async def _(wire: Wire) -> None:
    put_in_force(wire.project)
    assert await wire.structured("sample.wipe", NOTE)


@document.says("Denied calls leave no runlog record")
async def _(wire: Wire) -> None:
    put_in_force(wire.project, mode="deny-by-default")
    await wire.refusal("core.ping")
    assert (await wire.resource("gox://runs"))["runs"] == []


@document.says("A pack that cannot be used denies everything, and the error names its path and field")
async def _(wire: Wire) -> None:
    place = put_in_force(wire.project, {"match": {}, "effect": "permit"})
    error = await wire.refusal("core.ping", approved=True)
    assert error.code == denial(wire)
    assert str(place) in error.message
    assert "rules[0].effect" in error.message


@document.says("A pack that changes is in force with the next call")
async def _(wire: Wire) -> None:
    assert await wire.structured("core.ping")
    put_in_force(wire.project, mode="deny-by-default")
    assert (await wire.refusal("core.ping")).code == denial(wire)
    put_in_force(wire.project)
    assert await wire.structured("core.ping")


@ERAS
@pytest.mark.parametrize("check", document.cases)
async def test_policy_packs(check: Check, era: str, connect: Connect) -> None:
    async with connect(era, *OPERATIONS, dialect="contract") as wire:
        await check(wire)


@ERAS
async def test_the_servers_rules_and_mode_come_from_its_settings(era: str, connect: Connect, tmp_path: Path) -> None:
    place = tmp_path / "rules.json"
    place.write_text('{"version": "v1", "rules": [{"match": {"actionId": "core.ping"}, "effect": "allow"}]}')
    async with connect(era, *OPERATIONS, policy_rules=str(place)) as wire:
        assert await wire.structured("core.ping")
        assert (await wire.refusal("sample.note", NOTE)).code == denial(wire)
    async with connect(era, *OPERATIONS, policy_mode="deny-by-default") as wire:
        assert await wire.structured("core.ping")
        assert await wire.structured("project.workspace_stats")
        assert (await wire.refusal("sample.note", NOTE)).code == denial(wire)
    place.unlink()
    async with connect(era, *OPERATIONS, policy_rules=str(place)) as wire:
        assert str(place) in (await wire.refusal("core.ping")).message


@ERAS
@pytest.mark.parametrize("says", ["yes", "no"])
async def test_a_rule_that_wants_approval_asks_the_person_at_the_client(
    era: str, says: str, make_caller: MakeCaller, project: Path
) -> None:
    put_in_force(
        project,
        {"match": {"sideEffects": ["write"]}, "effect": "allow", "requiresApproval": True, "reason": "mine"},
    )
    asked: list[str] = []

    async def person(context: Any, params: types.ElicitRequestParams) -> types.ElicitResult:
        asked.append(params.message)
        return types.ElicitResult(action="accept", content={"approve": says == "yes"})

    runtime = make_caller().runtime
    async with Client(McpServer(runtime).server, mode=era, elicitation_callback=person) as client:
        result = await client.call_tool("write_file", {"path": "a.txt", "content": "one"})
        assert isinstance(result, types.CallToolResult)
        assert (await client.call_tool("read_file", {"path": "a.txt"})).is_error is (says == "no")
        items = [
            {"tool": "write_file", "args": {"path": "b.txt", "content": "two"}},
            {"tool": "edit_file", "args": {"path": "b.txt", "find": "two", "replace": "three"}},
        ]
        await client.call_tool("batch_operations", {"operations": items})
    assert result.is_error is (says == "no")
    assert [place.name for place in sorted(project.glob("*.txt"))] == (["a.txt", "b.txt"] if says == "yes" else [])
    assert len(asked) == 2
    assert "mine" in asked[0]
    assert "a batch of 2 calls, all" in asked[1]
    if says == "yes":
        assert (project / "b.txt").read_text() == "three"


PING = {"actionId": "core.ping"}
WRITE = {"actionId": "write_file", "input": {"path": "a.txt", "content": "one"}}


def started(*steps: dict[str, Any], **more: Any) -> dict[str, Any]:
    return {"definition": {"id": "test", "steps": list(steps)}, "waitMs": 30_000, **more}


@ERAS
async def test_the_workflow_tools_are_under_policy(era: str, connect: Connect) -> None:
    async with connect(era) as wire:
        put_in_force(wire.project, {"match": {"actionPrefix": "workflow."}, "effect": "deny", "reason": "no plans"})
        for tool, arguments in (
            ("workflow.run", started(PING)),
            ("workflow.list", {}),
            ("workflow.status", {"runId": "x"}),
        ):
            error = await wire.refusal(tool, arguments)
            assert error.code == (4043 if wire.modern else -32043)
            assert "no plans" in error.message
        put_in_force(wire.project)
        assert await _status(wire, started(PING)) == "succeeded"


@ERAS
async def test_the_actor_and_the_approval_come_from_the_arguments(era: str, connect: Connect) -> None:
    async with connect(era, dialect="contract") as wire:
        put_in_force(
            wire.project,
            {"match": {"actor": "ci", "actionId": "write_file"}, "effect": "allow", "requiresApproval": True},
            {"match": {"actor": "ci"}, "effect": "allow"},
            mode="deny-by-default",
        )
        assert (await wire.refusal("workflow.run", started(PING))).data["code"] == "ACCESS_DENIED"
        assert await _status(wire, started(PING, actor="ci")) == "succeeded"
        assert await _status(wire, started(WRITE, actor="ci", approved=True)) == "succeeded"
        assert (wire.project / "a.txt").exists()


async def _status(wire: Wire, arguments: dict[str, Any]) -> str:
    return str((await wire.structured("workflow.run", arguments))["status"])


@ERAS
@pytest.mark.parametrize("says", ["yes", "no"])
async def test_macros_and_lists_of_calls_ask_the_person_before_anything_runs(
    era: str, says: str, make_caller: MakeCaller, project: Path
) -> None:
    make_project(project)
    put_in_force(project, {"match": {"sideEffects": ["write"]}, "effect": "allow", "requiresApproval": True})
    asked: list[str] = []

    async def person(context: Any, params: types.ElicitRequestParams) -> types.ElicitResult:
        asked.append(params.message)
        return types.ElicitResult(action="accept", content={"approve": says == "yes"})

    listed = {"schemaVersion": 1, "steps": [{"tool": "write_file", "args": {"path": "a.txt", "content": "one"}}]}
    async with Client(McpServer(make_caller().runtime).server, mode=era, elicitation_callback=person) as client:
        for arguments in (
            {"action": "macro.run", "macros": ["camera_2d", "save_load"]},
            {"action": "run", "workflow": listed},
        ):
            result = await client.call_tool("workflow_manager", arguments)
            assert isinstance(result, types.CallToolResult)
            assert result.is_error is (says == "no"), result.structured_content
    assert len(asked) == 2
    assert "save_load_scaffold" in asked[0]
    assert (project / "scripts/macro/save/SaveManager.gd").exists() is (says == "yes")
    assert (project / "a.txt").exists() is (says == "yes")
