"""The Gox MCP contract v0.1: every sentence on workflows, over a real client in both eras of MCP."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from typing import Any

import anyio
import mcp_types as types
import pytest
from mcp.client import Client
from tests.contract.sentences import ERAS, Check, Contract, Wire
from tests.workflow.conftest import House, Probe, open_house

from scenewright.core.policy.packs import source_of
from scenewright.server.protocol import McpServer

pytestmark = pytest.mark.anyio

document = Contract()
PATIENCE_MS = 30_000
SNAPSHOT: dict[str, Any] = {
    "runId": str,
    "workflowId": str,
    "correlationId": str,
    "status": str,
    "startedAt": str,
    "endedAt": (str, type(None)),
    "totalSteps": int,
    "completedSteps": int,
    "cancelRequested": bool,
}
LOG = {"timestamp", "level", "message", "stepId", "actionId"}


def say(step_id: str, text: Any, **more: Any) -> dict[str, Any]:
    return {"id": step_id, "actionId": "core.say", "input": {"text": text}, **more}


def plan(*steps: dict[str, Any], name: str = "plan") -> dict[str, Any]:
    return {"id": name, "steps": list(steps)}


async def start(wire: Wire, *steps: dict[str, Any], **more: Any) -> dict[str, Any]:
    return await wire.structured("workflow.run", {"definition": plan(*steps), **more})


async def ended(wire: Wire, run: dict[str, Any]) -> dict[str, Any]:
    return await wire.structured("workflow.status", {"runId": run["runId"], "waitMs": PATIENCE_MS})


async def finish(wire: Wire, *steps: dict[str, Any], **more: Any) -> dict[str, Any]:
    return await ended(wire, await start(wire, *steps, **more))


def is_snapshot(body: dict[str, Any]) -> bool:
    return all(isinstance(body.get(key, ...), kind) for key, kind in SNAPSHOT.items())


# Tool catalog and tool metadata keys


@document.says("Always available tools: workflow.run, workflow.status, workflow.cancel, workflow.list, workflow.logs")
async def _(wire: Wire, probe: Probe) -> None:
    tools = await wire.tools()
    for name in ("run", "status", "cancel", "list", "logs"):
        assert f"workflow_{name}" in tools
        assert f"workflow.{name}" in wire.contract_tools()


@document.says('Workflow tools include gox:type = "workflow"')
async def _(wire: Wire, probe: Probe) -> None:
    tools = wire.contract_tools()
    for name in ("run", "status", "cancel", "list", "logs"):
        meta = tools[f"workflow.{name}"].meta
        assert meta["gox:type"] == "workflow"
        assert "gox:sideEffectLevel" not in meta


# Step conditions


@document.says("when: stepId (required): previous step id to read from")
async def _(wire: Wire, probe: Probe) -> None:
    error = await wire.refusal("workflow.run", {"definition": plan(say("a", 1, when={"equals": 1}))})
    assert (error.code, error.data["validation_path"]) == (-32602, "input.definition.steps[0].when.stepId")
    for source in ("b", "a", "none"):  # a later one, itself, none at all
        steps = [say("a", 1, when={"stepId": source, "equals": 1}), say("b", 1)]
        error = await wire.refusal("workflow.run", {"definition": plan(*steps)})
        assert (error.code, error.data["validation_path"]) == (-32602, "input.definition.steps[0].when.stepId")


@document.says("when: path (optional): dot-path inside referenced step output")
async def _(wire: Wire, probe: Probe) -> None:
    output = {"deep": {"name": "x"}}
    await finish(
        wire,
        say("a", output),
        say("b", "by path", when={"stepId": "a", "path": "said.deep.name", "equals": "x"}),
        say("c", "whole output", when={"stepId": "a", "equals": {"said": output}}),
    )
    assert probe.said[1:] == ["by path", "whole output"]


@document.says("when: equals (any JSON value, required): expected value")
async def _(wire: Wire, probe: Probe) -> None:
    values = [None, True, 0, 1.5, "text", [1, {"a": 2}], {"a": [None]}]
    steps = [say(f"v{n}", value) for n, value in enumerate(values)]
    steps += [
        say(f"w{n}", ["met", n], when={"stepId": f"v{n}", "path": "said", "equals": value})
        for n, value in enumerate(values)
        if value is not None  # an output has no field that holds nothing
    ]
    await finish(wire, *steps)
    assert [said[1] for said in probe.said[len(values) :]] == [1, 2, 3, 4, 5, 6]
    error = await wire.refusal("workflow.run", {"definition": plan(say("a", 1), say("b", 1, when={"stepId": "a"}))})
    assert error.data["validation_path"] == "input.definition.steps[1].when.equals"


@document.says("When condition does not match, the step is skipped")
async def _(wire: Wire, probe: Probe) -> None:
    run = await finish(
        wire,
        say("a", 1),
        say("other value", 2, when={"stepId": "a", "path": "said", "equals": 2}),
        say("no such path", 3, when={"stepId": "a", "path": "none.at.all", "equals": None}),
        say("source skipped", 4, when={"stepId": "other value", "path": "said", "equals": 2}),
        say("last", 5),
    )
    assert probe.said == [1, 5]
    assert (run["status"], run["totalSteps"], run["completedSteps"]) == ("succeeded", 5, 5)
    logs = (await wire.structured("workflow.logs", {"runId": run["runId"]}))["logs"]
    assert sum("Skipped" in line["message"] for line in logs) == 3


# Output shapes


@document.says("workflow.run and workflow.status return a workflow run snapshot")
async def _(wire: Wire, probe: Probe) -> None:
    run = await start(wire, {"id": "h", "actionId": "core.hold"}, say("a", 1), correlationId="job-7")
    assert is_snapshot(run)
    assert (run["status"], run["workflowId"], run["correlationId"]) == ("running", "plan", "job-7")
    assert (run["totalSteps"], run["completedSteps"], run["endedAt"]) == (2, 0, None)
    probe.released.set()
    over = await ended(wire, run)
    assert is_snapshot(over)
    assert (over["status"], over["completedSteps"], over["startedAt"]) == ("succeeded", 2, run["startedAt"])
    assert over["startedAt"] <= over["endedAt"]
    assert "lastError" not in over
    assert set(over) == set(SNAPSHOT)


@document.says("snapshot: optional lastError (code, message)")
async def _(wire: Wire, probe: Probe) -> None:
    over = await finish(wire, {"id": "f", "actionId": "core.fail", "input": {"kind": "NotFound"}})
    assert over["status"] == "failed"
    assert over["lastError"] == {"code": "NOT_FOUND", "message": "as asked", "stepId": "f"}


@document.says("workflow.cancel returns the snapshot plus acknowledged (bool)")
async def _(wire: Wire, probe: Probe) -> None:
    run = await start(wire, {"id": "h", "actionId": "core.hold"}, say("a", 1))
    with anyio.fail_after(20):
        await probe.begun.wait()
    answer = await wire.structured("workflow.cancel", {"runId": run["runId"]})
    assert is_snapshot(answer)
    assert (answer["acknowledged"], answer["cancelRequested"]) == (True, True)
    over = await ended(wire, run)
    assert (over["status"], over["cancelRequested"], probe.said) == ("canceled", True, [])
    late = await wire.structured("workflow.cancel", {"runId": run["runId"]})
    assert (late["acknowledged"], late["status"]) == (False, "canceled")


@document.says("workflow.list returns runs (array of snapshots)")
async def _(wire: Wire, probe: Probe) -> None:
    runs = [await finish(wire, say("a", n)) for n in range(3)]
    listed = (await wire.structured("workflow.list", {}))["runs"]
    assert [run["runId"] for run in listed[:3]] == [run["runId"] for run in reversed(runs)]
    assert listed[0] == runs[2]
    assert all(map(is_snapshot, listed))


@document.says("workflow.list returns optional nextCursor")
async def _(wire: Wire, probe: Probe) -> None:
    for n in range(3):
        await finish(wire, say("a", n))
    everything = (await wire.structured("workflow.list", {"limit": 100}))["runs"]
    paged: list[Any] = []
    cursor: dict[str, Any] = {}
    while True:
        with wire.in_contract_dialect() as contractual:
            page = await contractual.structured("workflow.list", {"limit": 2, **cursor})
        paged += page["runs"]
        if "nextCursor" not in page:
            break
        assert len(page["runs"]) == 2
        cursor = {"cursor": page["nextCursor"]}
    assert paged == everything
    # As all lists are paged, in the portable dialect.
    first = await wire.structured("workflow.list", {"limit": 2})
    second = await wire.structured("workflow.list", {"limit": 2, "offset": first["nextOffset"]})
    assert "nextCursor" not in first
    assert [*first["runs"], *second["runs"]] == everything[:4]
    error = await wire.refusal("workflow.list", {"cursor": "no such page"})
    assert (error.code, error.data["validation_path"]) == (-32602, "input.cursor")


@document.says("workflow.logs returns runId and logs (timestamp, level, message, optional stepId, actionId)")
async def _(wire: Wire, probe: Probe) -> None:
    run = await finish(wire, say("a", 1), {"id": "f", "actionId": "core.fail"})
    body = await wire.structured("workflow.logs", {"runId": run["runId"]})
    assert set(body) == {"runId", "logs"}
    assert body["runId"] == run["runId"]
    assert all({"timestamp", "level", "message"} <= set(line) <= LOG for line in body["logs"])
    assert [line["timestamp"] for line in body["logs"]] == sorted(line["timestamp"] for line in body["logs"])
    assert {(line["stepId"], line["actionId"]) for line in body["logs"]} == {("a", "core.say"), ("f", "core.fail")}
    assert body["logs"][-1] | {"timestamp": ""} == {
        "timestamp": "",
        "level": "error",
        "message": "as asked",
        "stepId": "f",
        "actionId": "core.fail",
    }


@document.says("workflow.logs filters by level, stepId, since and limit")
async def _(wire: Wire, probe: Probe) -> None:
    run = await finish(wire, say("a", 1), say("b", 2), {"id": "f", "actionId": "core.fail"})

    async def logs(**filters: Any) -> list[dict[str, Any]]:
        found = await wire.structured("workflow.logs", {"runId": run["runId"], **filters})
        return list(found["logs"])

    everything = await logs()
    assert [line["level"] for line in await logs(level="error")] == ["error"]
    assert {line["stepId"] for line in await logs(stepId="b")} == {"b"}
    assert await logs(limit=2) == everything[-2:]
    middle = everything[2]["timestamp"]
    assert await logs(since=middle) == [line for line in everything if line["timestamp"] >= middle]
    assert await logs(since="2999-01-01T00:00:00Z") == []
    for since in ("yesterday", "0001-01-01T00:00:00+05:00"):
        error = await wire.refusal("workflow.logs", {"runId": run["runId"], "since": since})
        assert (error.code, error.data["validation_path"]) == (-32602, "input.since")


# Run control fields in the arguments


@document.says("Workflow run control fields are passed in arguments: actor")
async def _(wire: Wire, probe: Probe) -> None:
    run = await finish(wire, say("a", 1), actor="builder")
    assert (await wire.resource(f"gox://runs/{run['runId']}"))["actor"] == "builder"
    action = next(each for each in (await wire.resource("gox://runs"))["runs"] if each["name"] == "core.say")
    assert action["actor"] == "builder"


@document.says("Workflow run control fields are passed in arguments: correlationId")
async def _(wire: Wire, probe: Probe) -> None:
    run = await finish(wire, say("a", 1), correlationId="job-1")
    assert run["correlationId"] == "job-1"
    action = next(each for each in (await wire.resource("gox://runs"))["runs"] if each["name"] == "core.say")
    assert action["correlationId"] == "job-1"
    named = await wire.structured("workflow.run", {"definition": plan(say("a", 1))}, correlationId="of the request")
    assert (await ended(wire, named))["correlationId"] == "of the request"


@document.says("Workflow run control fields are passed in arguments: dryRun")
async def _(wire: Wire, probe: Probe) -> None:
    write = {"actionId": "write_file", "input": {"path": "dry.txt", "content": "1"}}
    for yes in (True, "true", "yes"):
        run = await finish(wire, write, dryRun=yes)
        assert (run["status"], run["diff"]["summary"]) == ("succeeded", "1 file changed, +1 −0 lines")
        assert not (wire.project / "dry.txt").exists()
    error = await wire.refusal("workflow.run", {"definition": plan(write), "dryRun": "perhaps"})
    assert error.code == -32602


@document.says("Workflow run control fields are passed in arguments: approved")
async def _(wire: Wire, probe: Probe) -> None:
    delete = {"actionId": "delete_file", "input": {"path": "old.txt"}}
    for yes in (True, "true"):
        (wire.project / "old.txt").write_text("1")
        run = await finish(wire, delete, approved=yes)
        assert run["status"] == "succeeded"
        assert not (wire.project / "old.txt").exists()
    (wire.project / "old.txt").write_text("1")
    unapproved = await start(wire, delete, approved=False)
    await wire.structured("workflow.cancel", {"runId": unapproved["runId"]})
    assert (await ended(wire, unapproved))["status"] == "canceled"
    assert (wire.project / "old.txt").exists()


# Error contract


@document.says("validation faults -> -32602, with the step and the field")
async def _(wire: Wire, probe: Probe) -> None:
    bad: list[tuple[Any, str]] = [
        ({}, "input.definition.id"),
        ({"id": "x", "steps": []}, "input.definition.steps"),
        (plan({"id": "a"}), "input.definition.steps[0].actionId"),
        (plan(say("a", 1), say("a", 2)), "input.definition.steps[1].id"),
        (plan(say("a", 1, timeoutMs=0)), "input.definition.steps[0].timeoutMs"),
        (plan(say("a", 1, timeoutMs=300_001)), "input.definition.steps[0].timeoutMs"),
        (plan(say("a", 1, retry={"maxAttempts": 6})), "input.definition.steps[0].retry.maxAttempts"),
        (plan(say("a", 1, retry={"backoffMs": 30_001})), "input.definition.steps[0].retry.backoffMs"),
        (plan(say("a", 1, oops=1)), "input.definition.steps[0].oops"),
        (
            plan({"id": "w", "actionId": "write_file", "input": {"path": "a"}}),
            "input.definition.steps[0].input.content",
        ),
        (plan({"actionId": "workflow.run"}), "input.definition.steps[0].actionId"),
        (plan(*(say(f"s{n}", n) for n in range(65))), "input.definition.steps"),
    ]
    for definition, place in bad:
        error = await wire.refusal("workflow.run", {"definition": definition}, correlationId="job-9")
        assert (error.code, error.data["code"]) == (-32602, "VALIDATION_ERROR"), place
        assert error.data["validation_path"] == place
        assert error.data["validation_rule"]
        assert error.data["correlation_id"] == "job-9"
    assert probe.said == []


@document.says("not found faults -> -32044: an action or a run that does not exist")
async def _(wire: Wire, probe: Probe) -> None:
    definition = plan(say("a", 1), {"id": "b", "actionId": "no.such.action"})
    error = await wire.refusal("workflow.run", {"definition": definition})
    assert error.code == (4044 if wire.modern else -32044)
    assert (error.data["code"], error.data["details"]["stepId"]) == ("NOT_FOUND", "b")
    assert probe.said == []
    for tool in ("status", "cancel", "logs"):
        error = await wire.refusal(f"workflow.{tool}", {"runId": "wf-0-none"})
        assert error.code == (4044 if wire.modern else -32044)
        assert error.data["category"] == "client"


@document.says("denied faults -> -32043: a step that the server does not allow")
async def _(wire: Wire, probe: Probe) -> None:
    error = await wire.refusal("workflow.run", {"definition": plan(say("a", 1), {"actionId": "core.outside"})})
    assert error.code == (4043 if wire.modern else -32043)
    assert (error.data["code"], error.data["category"], error.data["details"]["stepId"]) == (
        "ACCESS_DENIED",
        "policy",
        "step-2",
    )
    assert probe.said == []


@document.says("a step is retried with its backoff, never for validation, not found or denied faults")
async def _(wire: Wire, probe: Probe) -> None:
    retry = {"maxAttempts": 3, "backoffMs": 1}
    for kind, attempts in (("NotConnected", 3), ("Crash", 3), ("Invalid", 1), ("NotFound", 1), ("Denied", 1)):
        probe.reset()
        run = await finish(wire, {"actionId": "core.fail", "input": {"kind": kind}, "retry": retry})
        assert (run["status"], probe.failed) == ("failed", attempts), kind


@document.says("a step has its own time limit")
async def _(wire: Wire, probe: Probe) -> None:
    run = await finish(wire, {"id": "slow", "actionId": "core.hold", "timeoutMs": 30}, say("a", 1))
    assert (run["status"], run["lastError"]["code"], run["lastError"]["stepId"]) == (
        "failed",
        "INTERNAL_ERROR",
        "slow",
    )


# Resources


@document.says("gox://runs and gox://runs/{runId} have workflow runs too, with their steps done")
async def _(wire: Wire, probe: Probe) -> None:
    run = await finish(wire, say("a", 1), say("b", 2))
    found = await wire.resource(f"gox://runs/{run['runId']}")
    assert {key: found[key] for key in ("type", "name", "status", "diffSummary", "startedAt")} == {
        "type": "workflow",
        "name": "plan",
        "status": "succeeded",
        "diffSummary": "steps=2/2",
        "startedAt": run["startedAt"],
    }
    recent = (await wire.resource("gox://runs"))["runs"]
    assert run["runId"] in [each["runId"] for each in recent]
    assert "workflow.status" not in [each["name"] for each in recent]


@document.says("the JSON Schema of a definition is a resource")
async def _(wire: Wire, probe: Probe) -> None:
    schema = await wire.resource("scenewright://schemas/workflow")
    assert schema["required"] == ["id", "steps"]
    assert "actionId" in schema["properties"]["steps"]["items"]["properties"]


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    # Asks before every deletion, and lets the caller say that it is approved.
    pack = tmp_path_factory.mktemp("policy") / "pack.json"
    pack.write_text(source_of("careful").replace('"approvedBy": "person"', '"approvedBy": "caller"'))
    yield from open_house(tmp_path_factory.mktemp("house"), str(pack))


@pytest.fixture
def probe(house: House) -> Probe:
    house.probe.reset()
    return house.probe


@asynccontextmanager
async def connected(house: House, era: str, **options: Any) -> AsyncIterator[Wire]:
    async with Client(McpServer(house.caller.runtime).server, mode=era, **options) as client:
        yield Wire(client, house.caller.runtime, house.folder)


@ERAS
@pytest.mark.parametrize("check", document.cases)
async def test_the_contract_says(check: Check, era: str, house: House, probe: Probe) -> None:
    async with connected(house, era) as wire:
        await check(wire, probe)


@ERAS
async def test_progress_is_told_while_a_run_is_waited_for(era: str, house: House, probe: Probe) -> None:
    heard: list[tuple[float, float | None]] = []

    async def listen(progress: float, total: float | None, message: str | None) -> None:
        heard.append((progress, total))

    async with connected(house, era) as wire:
        steps = [say(f"s{n}", n) for n in range(4)]
        arguments = {"definition": plan(*steps), "waitMs": PATIENCE_MS}
        await wire.client.call_tool("workflow.run", arguments, progress_callback=listen)
    assert heard[-1] == (4, 4)
    assert heard == sorted(heard)


@ERAS
@pytest.mark.filterwarnings("ignore::mcp.shared.exceptions.MCPDeprecationWarning")  # how older clients subscribe
async def test_subscribers_hear_of_a_run_as_it_goes_on(era: str, house: House, probe: Probe) -> None:
    updated = anyio.Event()
    heard: list[str] = []

    async def on_message(message: Any) -> None:
        if isinstance(message, types.ResourceUpdatedNotification):
            heard.append(str(message.params.uri))
            updated.set()

    async with connected(house, era, message_handler=on_message) as wire:
        run = await start(wire, {"id": "h", "actionId": "core.hold"})
        uri = f"gox://runs/{run['runId']}"
        with anyio.fail_after(20):
            if not wire.modern:
                await wire.client.subscribe_resource(uri)
                probe.released.set()
                await updated.wait()
            else:
                async with wire.client.listen(resource_subscriptions=[uri]) as events:
                    probe.released.set()
                    async for event in events:
                        heard.append(str(getattr(event, "uri", None)))
                        break
        await ended(wire, run)
    assert set(heard) == {uri}
