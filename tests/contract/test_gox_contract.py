"""The Gox MCP contract v0.1: every sentence that can be checked, over a real client in both eras of MCP."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import pytest
from mcp.shared.exceptions import MCPError
from tests.contract.samples import note, under
from tests.contract.sentences import ERAS, Check, Connect, Contract, Wire

from scenewright.core.config import Config
from scenewright.core.operations.declaration import Safety

pytestmark = pytest.mark.anyio

document = Contract()


# Tool catalog


@document.says("Always available tools: core.ping")
async def _(wire: Wire) -> None:
    body = await wire.structured("core.ping")
    assert body["output"]["ok"] is True
    assert body["output"]["serverTime"].endswith("Z")


@document.says("Always available tools: project.workspace_stats")
async def _(wire: Wire) -> None:
    (wire.project / "scenes").mkdir()
    (wire.project / "scenes/main.txt").write_text("")
    body = await wire.structured("project.workspace_stats")
    root = str(wire.project.resolve())
    assert body["output"] == {"root": root, "files": 1, "directories": 1}


@document.says("Tools are listed in every toolset, by their id, or a name that every host takes")
async def _(wire: Wire) -> None:
    tools = await wire.tools()
    for identifier in ("core.ping", "project.workspace_stats"):
        assert identifier.replace(".", "_") in tools
        assert identifier in wire.contract_tools()


@document.says("Existing tool IDs and required fields should not be changed in v0.1.x")
async def _(wire: Wire) -> None:
    for identifier in ("core.ping", "project.workspace_stats"):
        operation = wire.runtime.registry.operations[identifier]
        assert operation.contract == "gox"
        assert operation.input_schema["required"] == []


# Resource catalog


@document.says("Available resources: gox://status (server status summary)")
async def _(wire: Wire) -> None:
    status = await wire.resource("gox://status")
    assert status["version"] == wire.runtime.server_version
    assert status["actionsCount"] == len(wire.runtime.registry.operations)
    assert status["serverTime"].endswith("Z")


@document.says("Available resources: gox://runs (recent runlog records)")
async def _(wire: Wire) -> None:
    first = await wire.structured("core.ping", correlationId="one")
    second = await wire.structured("sample.note", {"path": "a.txt", "text": "1"}, actor="me")
    await wire.refusal("sample.fail", {"fault": "NotFound"})
    runs = (await wire.resource("gox://runs"))["runs"]
    assert [run["name"] for run in runs] == ["sample.fail", "sample.note", "core.ping"]
    assert [run["status"] for run in runs] == ["failed", "succeeded", "succeeded"]
    assert [run["runId"] for run in runs[1:]] == [second["runId"], first["runId"]]
    assert runs[0]["errorCode"] == "NOT_FOUND"
    assert runs[1]["actor"] == "me"
    assert runs[1]["diffSummary"] == second["diff"]["summary"]
    assert runs[2]["correlationId"] == "one"


@document.says("Available resources: gox://runs/{runId} (single runlog record by id)")
async def _(wire: Wire) -> None:
    body = await wire.structured("core.ping")
    run = await wire.resource(f"gox://runs/{body['runId']}")
    assert run["runId"] == body["runId"]
    assert run["type"] == "action"
    assert run["startedAt"] <= run["endedAt"]
    with pytest.raises(MCPError) as caught:
        await wire.resource("gox://runs/run-none")
    assert "gox://runs" in caught.value.message


@document.says("gox://runs/{runId} finds the run that a reply names, whichever project it was about")
async def _(wire: Wire) -> None:
    other = wire.project / "other"
    other.mkdir()
    (other / "project.godot").write_text("")
    body = await wire.structured("project.workspace_stats", {"projectPath": str(other)})
    assert body["output"]["root"] == str(other.resolve())
    assert (await wire.resource(f"gox://runs/{body['runId']}"))["name"] == "project.workspace_stats"


@document.says("The resources are listed, the record by id as a template")
async def _(wire: Wire) -> None:
    listed = {str(resource.uri) for resource in (await wire.client.list_resources()).resources}
    templates = {each.uri_template for each in (await wire.client.list_resource_templates()).resource_templates}
    assert {"gox://status", "gox://runs"} <= listed
    assert "gox://runs/{runId}" in templates


# Action tool envelope


@document.says("Successful tools/call structured output is { runId, output, diff }")
async def _(wire: Wire) -> None:
    result = await wire.call("sample.note", {"path": "a.txt", "text": "one"})
    body = result.structured_content
    assert set(body) == {"runId", "output", "diff"}
    assert isinstance(body["runId"], str)
    assert body["output"] == {"said": "one"}
    assert result.is_error is False
    assert result.content[0].type == "text"
    assert json.loads(result.content[0].text) == body


@document.says("diff: { summary: string, entries: string[] }")
async def _(wire: Wire) -> None:
    (wire.project / "a.txt").write_text("one\n")
    body = await wire.structured("sample.note", {"path": "a.txt", "text": "two\n"})
    assert body["diff"] == {
        "summary": "1 file changed, +1 −1 lines",
        "entries": ["modified a.txt\n@@ -1 +1 @@\n-one\n+two"],
    }


@document.says("diff may be null: a write that changes nothing has none")
async def _(wire: Wire) -> None:
    (wire.project / "a.txt").write_text("one\n")
    body = await wire.structured("sample.note", {"path": "a.txt", "text": "one\n"})
    assert body["diff"] is None


@document.says("Read/query actions typically return diff: null")
async def _(wire: Wire) -> None:
    for tool in ("core.ping", "project.workspace_stats"):
        assert (await wire.structured(tool))["diff"] is None


@document.says("output is an object, also of an action that returns nothing")
async def _(wire: Wire) -> None:
    assert (await wire.structured("sample.nothing"))["output"] == {}


# Request metadata


@document.says("Supported request metadata: actor (string)")
async def _(wire: Wire) -> None:
    body = await wire.structured("core.ping", actor="builder")
    assert (await wire.resource(f"gox://runs/{body['runId']}"))["actor"] == "builder"


@document.says("Supported request metadata: correlationId (string)")
async def _(wire: Wire) -> None:
    result = await wire.call("core.ping", correlationId="job-1")
    assert (result.meta or {})["correlationId"] == "job-1"
    assert (await wire.refusal("core.ping", {"x": 1}, correlationId="job-2")).data["correlation_id"] == "job-2"
    assert (await wire.refusal("no.such", {}, correlationId="job-3")).data["correlation_id"] == "job-3"


@document.says("Supported request metadata: dryRun (bool or bool-like string)")
async def _(wire: Wire) -> None:
    for yes in (True, "true", "True", "1"):
        body = await wire.structured("sample.note", {"path": "a.txt", "text": "1"}, dryRun=yes)
        assert body["output"]["dryRun"] is True
        assert not (wire.project / "a.txt").exists()
    for no in (False, "false", "FALSE", "0", None):
        body = await wire.structured("sample.note", {"path": f"{no}.txt", "text": "1"}, dryRun=no)
        assert "dryRun" not in body["output"]
        assert (wire.project / f"{no}.txt").exists()


@document.says("A dry run shows the diff of what it would do, and its output says dryRun")
async def _(wire: Wire) -> None:
    arguments = {"path": "a.txt", "text": "one"}
    dry = await wire.structured("sample.note", arguments, dryRun=True)
    wet = await wire.structured("sample.note", arguments)
    assert dry["output"] == {"dryRun": True, "said": "one"}
    assert dry["diff"]["summary"] == wet["diff"]["summary"]
    assert dry["diff"]["entries"] == ["created a.txt\n@@ -0,0 +1 @@\n+one\n\\ No newline at end of file"]
    assert "dryRun" not in (await wire.structured("core.ping", dryRun=True))["output"]


@document.says("A dry run of an action that cannot show what it would do is refused as unimplemented")
async def _(wire: Wire) -> None:
    error = await wire.refusal("sample.touch", dryRun=True)
    assert error.data["code"] == "UNIMPLEMENTED"


@document.says("Supported request metadata: approved (bool or bool-like string)")
async def _(wire: Wire) -> None:
    for number, yes in enumerate((True, "true", "1", "yes")):
        body = await wire.structured("sample.wipe", {"path": f"{number}.txt", "text": "1"}, approved=yes)
        assert body["diff"] is not None
    for no in (False, "false", "0", "off", None):
        error = await wire.refusal("sample.wipe", {"path": "no.txt", "text": "1"}, approved=no)
        assert error.data["code"] == "ACCESS_DENIED"
    assert not (wire.project / "no.txt").exists()


# Tool metadata keys


@document.says("Action tools include gox:version, gox:sideEffectLevel, gox:supportsDryRun, gox:requiresBridge")
async def _(wire: Wire) -> None:
    tools = wire.contract_tools()
    expected = {
        "core.ping": ("none", True),
        "project.workspace_stats": ("read", True),
        "sample.note": ("write", True),
        "sample.touch": ("write", False),
    }
    for name, (level, dry) in expected.items():
        meta = tools[name].meta
        assert meta["gox:version"] == "v1"
        assert meta["gox:sideEffectLevel"] == level
        assert meta["gox:supportsDryRun"] is dry
        assert meta["gox:requiresBridge"] is False
        assert "gox:type" not in meta


# Every action under the action contract, and one that is destructive.
OPERATIONS = under("gox")
WIPE = replace(note, id="sample.wipe", contract="gox", safety=Safety.DESTRUCTIVE)


@ERAS
@pytest.mark.parametrize("check", document.cases)
async def test_the_contract_says(check: Check, era: str, connect: Connect) -> None:
    async with connect(era, *OPERATIONS, WIPE, policy_rules="gox") as wire:
        await check(wire)


BAD_METADATA: list[dict[str, Any]] = [
    {"actor": 5},
    {"actor": "x" * 201},
    {"correlationId": ["a"]},
    {"correlationId": {"a": 1}},
    {"dryRun": "maybe"},
    {"dryRun": 2},
    {"dryRun": ""},
    {"approved": "perhaps"},
    {"approved": []},
]


@ERAS
@pytest.mark.parametrize("meta", BAD_METADATA, ids=[f"{k}={str(v)[:8]!r}" for m in BAD_METADATA for k, v in m.items()])
async def test_bad_request_metadata_is_a_validation_fault(meta: dict[str, Any], era: str, connect: Connect) -> None:
    async with connect(era, *OPERATIONS) as wire:
        error = await wire.refusal("sample.note", {"path": "a.txt", "text": "1"}, **meta)
        assert error.code == -32602
        assert error.data["code"] == "VALIDATION_ERROR"
        assert error.data["validation_path"] == f"_meta.{next(iter(meta))}"
        assert not (wire.project / "a.txt").exists()


# Error contract: the sentence, the call, then code, category and retryable of the data, and the number by era.

FAULTS: list[tuple[str, str, dict[str, Any], tuple[str, str, bool], tuple[int, int]]] = [
    (
        "validation faults -> JSON-RPC -32602 (invalid params)",
        "core.ping",
        {"x": 1},
        ("VALIDATION_ERROR", "client", False),
        (-32602, -32602),
    ),
    (
        "not found faults -> -32044",
        "sample.fail",
        {"fault": "NotFound"},
        ("NOT_FOUND", "client", False),
        (-32044, 4044),
    ),
    (
        "denied faults -> -32043",
        "sample.fail",
        {"fault": "Denied"},
        ("ACCESS_DENIED", "policy", False),
        (-32043, 4043),
    ),
    (
        "denied faults -> -32043: a shut gate",
        "sample.outside",
        {},
        ("ACCESS_DENIED", "policy", False),
        (-32043, 4043),
    ),
    (
        "denied faults -> -32043: a conflict",
        "sample.fail",
        {"fault": "Conflict"},
        ("ACCESS_DENIED", "policy", True),
        (-32043, 4043),
    ),
    (
        "unimplemented faults -> -32041",
        "sample.fail",
        {"fault": "Unsupported"},
        ("UNIMPLEMENTED", "runtime", False),
        (-32041, 4041),
    ),
    (
        "everything else -> JSON-RPC internal error: a timeout",
        "sample.slow",
        {},
        ("INTERNAL_ERROR", "platform", True),
        (-32603, -32603),
    ),
    (
        "everything else -> JSON-RPC internal error: no editor",
        "sample.fail",
        {"fault": "NotConnected"},
        ("INTERNAL_ERROR", "platform", True),
        (-32603, -32603),
    ),
    (
        "everything else -> JSON-RPC internal error: a bug",
        "sample.crash",
        {},
        ("INTERNAL_ERROR", "runtime", False),
        (-32603, -32603),
    ),
    (
        "a name that no tool has is an invalid parameter of the protocol",
        "no.such_tool",
        {},
        ("NOT_FOUND", "client", False),
        (-32602, -32602),
    ),
]


@ERAS
@pytest.mark.parametrize(("sentence", "tool", "arguments", "data", "codes"), FAULTS, ids=[row[0] for row in FAULTS])
async def test_error_code_mapping(
    sentence: str,
    tool: str,
    arguments: dict[str, Any],
    data: tuple[str, str, bool],
    codes: tuple[int, int],
    era: str,
    connect: Connect,
) -> None:
    async with connect(era, *OPERATIONS) as wire:
        error = await wire.refusal(tool, arguments, correlationId="job-1")
        assert error.code == codes[wire.modern]
    assert (error.data["code"], error.data["category"], error.data["retryable"]) == data
    assert error.data["correlation_id"] == "job-1"
    assert isinstance(error.data["details"], dict)
    assert set(error.data) - {"validation_path", "validation_rule"} == {
        "code",
        "category",
        "retryable",
        "correlation_id",
        "details",
    }


@ERAS
async def test_only_validation_faults_carry_path_and_rule(era: str, connect: Connect) -> None:
    async with connect(era, *OPERATIONS) as wire:
        invalid = await wire.refusal("sample.note", {"path": "a.txt", "txt": "1"})
        missing = await wire.refusal("sample.fail", {"fault": "NotFound"})
    assert invalid.data["validation_path"] in ("input.txt", "input.text")
    assert invalid.data["validation_rule"] in ("additionalProperties", "required")
    assert "Did you mean 'text'?" in json.dumps(invalid.data["details"])
    assert not {"validation_path", "validation_rule"} & set(missing.data)
    assert missing.data["details"] == {"because": "asked", "hint": "Try otherwise."}


PORTABLE = {
    "VALIDATION_ERROR": "E_SCHEMA_VALIDATION",
    "NOT_FOUND": "E_NOT_FOUND",
    "UNIMPLEMENTED": "E_UNSUPPORTED",
}


@ERAS
@pytest.mark.parametrize(
    ("sentence", "tool", "arguments", "data", "codes"), FAULTS[:-1], ids=[row[0] for row in FAULTS[:-1]]
)
async def test_in_the_portable_dialect_a_fault_is_a_result_that_a_model_is_shown(
    sentence: str,
    tool: str,
    arguments: dict[str, Any],
    data: tuple[str, str, bool],
    codes: tuple[int, int],
    era: str,
    connect: Connect,
) -> None:
    del codes
    async with connect(era, *OPERATIONS) as wire:
        error = await wire.refused(tool, arguments, correlationId="job-1")
    assert error["code"] == PORTABLE.get(data[0], error["code"])
    assert (error["message"] != "", error.get("retryable", False), error["correlationId"]) == (True, data[2], "job-1")
    assert (error["code"] == "E_CONFLICT") == ("conflict" in sentence)


# Runtime guardrails


def test_the_payload_limit_is_one_mebibyte_unless_the_environment_says_otherwise() -> None:
    assert Config.from_environment({}).max_payload_bytes == 1024 * 1024
    assert Config.from_environment({"GOX_MCP_MAX_PAYLOAD_BYTES": "2048"}).max_payload_bytes == 2048


@ERAS
@pytest.mark.parametrize("limit", [None, 2048], ids=["default", "GOX_MCP_MAX_PAYLOAD_BYTES"])
async def test_a_payload_above_the_limit_is_invalid_params(limit: int | None, era: str, connect: Connect) -> None:
    settings = {} if limit is None else {"max_payload_bytes": limit}
    room = (limit or 1 << 20) - len(json.dumps({"path": "a.txt", "text": ""}, separators=(",", ":")))
    async with connect(era, *OPERATIONS, **settings) as wire:
        fits = await wire.structured("sample.note", {"path": "a.txt", "text": "x" * room}, dryRun=True)
        assert fits["diff"] is not None
        error = await wire.refusal("sample.note", {"path": "a.txt", "text": "x" * (room + 1)})
        assert error.code == -32602
        assert error.data["validation_rule"] == "maxPayloadBytes"
        assert not (wire.project / "a.txt").exists()


# Names: dotted and not


@ERAS
@pytest.mark.parametrize("dialect", ["portable", "contract"])
async def test_a_tool_answers_to_its_id_and_to_its_portable_name(dialect: str, era: str, connect: Connect) -> None:
    async with connect(era, dialect=dialect) as wire:
        assert ("core.ping" if dialect == "contract" else "core_ping") in await wire.tools()
        for name in ("core.ping", "core_ping"):
            assert (await wire.structured(name))["output"]["ok"] is True
