"""godot-mcp-unified's MCP reference: every sentence that can be checked, in both eras of MCP."""

from __future__ import annotations

import base64
import json
import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import mcp_types as types
import pytest
from tests.contract.samples import SAMPLES, SECRET, under
from tests.contract.sentences import ERAS, Check, Connect, Contract, Wire
from tests.support.listing import listed_actions

from scenewright.core.calls.rate_limit import RateLimit
from scenewright.core.config import Config

pytestmark = pytest.mark.anyio

document = Contract()
WRITING = {
    "write_file",
    "edit_file",
    "delete_file",
    "history_undo",
    "history_undo_to",
    "batch_operations",
    "workflow_run",
    "workflow_cancel",
    "workflow_approve",
    "workflow_reject",
    "workflow_schedule",
    "workflow_unschedule",
    "workflow_sequence_run",
    "pixel_draw",
    "pixel_palette",
    "pixel_pose",
    "pixel_recolor",
    "pixel_sheet",
}


# Tool definition schema


@document.says("name: string, unique identifier (snake_case)")
@document.says("Tool naming: use snake_case for tool names")
async def _(wire: Wire) -> None:
    names = [tool.name for tool in (await wire.client.list_tools()).tools]
    engine_free = [name for name, engine in wire.runtime.registry.engine_of.items() if engine is None]
    assert len(names) == len(set(names)) == len(engine_free)
    assert [name for name in names if not re.fullmatch(r"[a-z][a-z0-9]*(_[a-z0-9]+)*", name)] == []


@document.says("Tool naming: prefix with verb")
async def _(wire: Wire) -> None:
    assert {"read_file", "write_file", "edit_file", "delete_file"} <= set(await wire.tools())


@document.says("description: string, human-readable description")
@document.says("title?: string, human-readable display name")
async def _(wire: Wire) -> None:
    for tool in (await wire.tools()).values():
        assert tool.description
        assert tool.title


@document.says("inputSchema: { type: 'object', properties, required: string[] }")
async def _(wire: Wire) -> None:
    for tool in (await wire.tools()).values():
        assert tool.input_schema["type"] == "object"
        assert isinstance(tool.input_schema["properties"], dict)
        assert isinstance(tool.input_schema["required"], list)


@document.says("outputSchema?: object, JSON Schema for structured output")
async def _(wire: Wire) -> None:
    for tool in (await wire.tools()).values():
        assert tool.output_schema is not None, tool.name
        assert tool.output_schema["type"] == "object"


@document.says("annotations?: object, behavior metadata")
async def _(wire: Wire) -> None:
    for tool in (await wire.tools()).values():
        assert tool.annotations is not None
        assert None not in (tool.annotations.read_only_hint, tool.annotations.destructive_hint)


# Tool response format


@document.says("Success response: content [{ type: 'text', text }], isError?: false")
async def _(wire: Wire) -> None:
    for tool in ("core_ping", "system_health", "history_list", "tool_search"):
        result = await wire.call(tool, {"query": "undo"} if tool == "tool_search" else {})
        assert [block.type for block in result.content] == ["text"]
        assert result.is_error is False


@document.says("structuredContent?: object, if outputSchema defined")
async def _(wire: Wire) -> None:
    for name in ("core_ping", "system_health", "history_list"):
        result = await wire.call(name)
        assert (await wire.tools())[name].output_schema is not None
        assert isinstance(result.structured_content, dict)


@document.says("Error response: content [{ type: 'text', text: error message }], isError: true")
@document.says("Return isError: true for tool execution failures")
async def _(wire: Wire) -> None:
    failures: list[tuple[str, dict[str, Any]]]
    failures = [("read_file", {"path": "gone"}), ("read_file", {}), ("sample_crash", {}), ("sample_slow", {})]
    failures += [("mcp_tool_describe", {"toolId": "gone"}), ("mcp_tool_describe", {}), ("system_health", {"x": 1})]
    for tool, arguments in failures:
        result = await wire.call(tool, arguments)
        assert result.is_error is True, tool
        assert [block.type for block in result.content] == ["text"]


# Best practices: server implementation


@document.says("MUST validate all tool inputs against inputSchema")
@document.says("Validation first: validate all inputs before execution")
async def _(wire: Wire) -> None:
    bad: list[dict[str, Any]] = [{}, {"path": "a"}, {"path": 1, "content": ""}, {"path": "a", "content": "", "x": 1}]
    bad += [{"path": "", "content": ""}, {"path": "a", "content": "", "encoding": "rot13"}]
    for arguments in bad:
        body = await wire.structured("write_file", arguments)
        assert body["error"]["code"] == "E_SCHEMA_VALIDATION", arguments
    assert list(wire.project.glob("[a-z]*")) == []


@document.says("MUST implement proper access controls")
async def _(wire: Wire) -> None:
    (wire.project.parent / "outside.txt").write_text("secret")
    (wire.project / "link").symlink_to(wire.project.parent / "outside.txt")
    for path in ("../outside.txt", str(wire.project.parent / "outside.txt"), "link", ".git/config"):
        body = await wire.structured("read_file", {"path": path})
        assert body["error"]["code"] == "E_PERMISSION_DENIED", path


@document.says("MUST sanitize tool outputs")
async def _(wire: Wire) -> None:
    body = await wire.structured("sample_halves")
    assert body["result"] == {"said": "a?b"}


@document.says("SHOULD provide clear, actionable error messages")
@document.says("Include actionable hints in error messages")
async def _(wire: Wire) -> None:
    body = await wire.structured("read_file", {"pth": "a.txt"})
    assert "Did you mean 'path'" in body["error"]["suggestedFix"]
    assert "read_file(path" in body["error"]["suggestedFix"]


@document.says("Idempotency: same inputs should produce same outputs")
async def _(wire: Wire) -> None:
    (wire.project / "a.txt").write_text("one")
    replies = [await wire.structured("read_file", {"path": "a.txt"}) for _ in range(2)]
    assert replies[0]["result"] == replies[1]["result"]


@document.says("Graceful degradation: handle partial failures")
async def _(wire: Wire) -> None:
    calls = [{"tool": "read_file", "args": {"path": "gone"}}, {"tool": "core.ping"}]
    body = await wire.structured("batch_operations", {"operations": calls, "stopOnError": False})
    assert ["error" in item for item in body["result"]["results"]] == [True, False]


@document.says("Never expose internal system details")
async def _(wire: Wire) -> None:
    reply = (await wire.call("sample_crash")).model_dump_json()
    for internal in (SECRET, "RuntimeError", "Traceback", ".py"):
        assert internal not in reply


@document.says("Use consistent error message format")
async def _(wire: Wire) -> None:
    for tool, arguments in (("read_file", {"path": "gone"}), ("sample_crash", {}), ("history_show", {"entry": 5})):
        error = (await wire.structured(tool, arguments))["error"]
        assert {"code", "message", "suggestedFix"} <= set(error)
        assert re.fullmatch(r"[A-Z'].*\.", error["message"])


# Content types


async def _attached(wire: Wire, kind: str) -> Any:
    result = await wire.call("sample_attach", {"kind": kind})
    assert [block.type for block in result.content] == ["text", kind]
    return result.content[1]


@document.says("Content type text: plain text content")
async def _(wire: Wire) -> None:
    assert (await _attached(wire, "text")).text == "plain"


@document.says("Content type image: Base64-encoded image")
async def _(wire: Wire) -> None:
    block = await _attached(wire, "image")
    assert base64.b64decode(block.data) == b"\x89PNG"
    assert block.mime_type == "image/png"


@document.says("Content type audio: Base64-encoded audio")
async def _(wire: Wire) -> None:
    block = await _attached(wire, "audio")
    assert base64.b64decode(block.data) == b"RIFF"
    assert block.mime_type == "audio/wav"


@document.says("Content type resource_link: URI to external resource")
async def _(wire: Wire) -> None:
    block = await _attached(wire, "resource_link")
    assert (str(block.uri), block.name, block.mime_type) == ("test://linked", "A scene", "text/plain")


@document.says("Content type resource: embedded resource content")
async def _(wire: Wire) -> None:
    block = await _attached(wire, "resource")
    assert (str(block.resource.uri), block.resource.text) == ("test://held", "held")


# Server capabilities declaration


@document.says("capabilities: { tools: { listChanged: true }, resources: {}, prompts: {}, logging: {} }")
async def _(wire: Wire) -> None:
    capabilities = wire.client.server_capabilities
    assert capabilities.tools is not None
    assert capabilities.tools.list_changed is True
    assert capabilities.resources is not None
    assert capabilities.prompts is not None
    assert capabilities.logging is not None


@document.says("Read-only mode: tools marked readOnly: true are safe operations")
@document.says("Read-only mode: tools marked readOnly: false modify project files")
async def _(wire: Wire) -> None:
    tools = await wire.tools()
    shipped = [tool for name, tool in tools.items() if not name.startswith("sample_")]
    marked = {tool.name for tool in shipped if tool.annotations and tool.annotations.read_only_hint is False}
    assert marked == WRITING


@ERAS
@pytest.mark.parametrize("check", document.cases)
async def test_the_reference_says(check: Check, era: str, connect: Connect) -> None:
    async with connect(era, *SAMPLES, toolset="full") as wire:
        await check(wire)


# Structured content, if and only if there is an output schema


@ERAS
@pytest.mark.parametrize("contract", ["omni", "gox", "editormcp", "plain"])
async def test_structured_content_comes_exactly_where_an_output_schema_is_listed(
    contract: Any, era: str, connect: Connect
) -> None:
    async with connect(era, *under(contract), toolset="full") as wire:
        tools = await wire.tools()
        for name in ("sample_exclusive", "sample_nothing"):
            result = await wire.call(name)
            assert (result.structured_content is not None) == (tools[name].output_schema is not None), name


# Required parameters


@ERAS
@pytest.mark.parametrize("toolset", ["compact", "full"])
async def test_writing_tools_require_a_project_path_in_the_contract_dialect(
    toolset: str, era: str, connect: Connect
) -> None:
    async with connect(era, dialect="contract", toolset=toolset) as wire:
        tools = await wire.tools()
        if toolset == "full":
            own = {name for name in WRITING if name.startswith(("batch_", "workflow_"))}  # their parts name the project
            needy = [tools[name].input_schema for name in WRITING - own if name in tools]
        else:
            needy = tools["project_file_manager"].input_schema["oneOf"]
        assert needy
        assert all("projectPath" in schema["required"] for schema in needy)
        arguments = {"path": "a.txt", "content": "1"}
        refused = await wire.structured("write_file", arguments)
        assert refused["error"]["details"] == {"path": "input.projectPath", "rule": "required"}
        done = await wire.structured("write_file", {"projectPath": str(wire.project)} | arguments)
        assert done["ok"] is True


# Read-only mode


@ERAS
@pytest.mark.parametrize("toolset", ["compact", "full"])
async def test_read_only_mode_filters_write_tools_from_listings(toolset: str, era: str, connect: Connect) -> None:
    async with connect(era, toolset=toolset, read_only=True) as wire:
        tools = await wire.tools()
        assert not WRITING & set(tools)
        for tool in tools.values():
            assert tool.annotations is not None
            assert tool.annotations.read_only_hint is True
            assert "dryRun" not in tool.input_schema["properties"]
        if toolset == "compact":
            assert listed_actions(tools["project_file_manager"].model_dump(by_alias=True)) == ["read"]


BLOCKED: list[tuple[str, dict[str, Any]]] = [
    ("write_file", {"path": "b.txt", "content": "1"}),
    ("project.file.write", {"path": "b.txt", "content": "1"}),
    ("project_file_manager", {"action": "write", "path": "b.txt", "content": "1"}),
    ("delete_file", {"path": "a.txt"}),
    ("batch_operations", {"operations": [{"tool": "write_file", "args": {"path": "b.txt", "content": "1"}}]}),
    ("batch_operations", {"operations": [{"tool": "delete_file", "args": {"path": "a.txt"}}], "stopOnError": False}),
]


@ERAS
@pytest.mark.parametrize(("tool", "arguments"), BLOCKED, ids=[f"{row[0]} {i}" for i, row in enumerate(BLOCKED)])
async def test_read_only_mode_blocks_calls_and_batch_items_too(
    tool: str, arguments: dict[str, Any], era: str, connect: Connect
) -> None:
    async with connect(era, read_only=True) as wire:
        (wire.project / "a.txt").write_text("one")
        text = json.dumps(await wire.structured(tool, arguments, approved=True))
        assert "E_PERMISSION_DENIED" in text
        assert "read-only mode" in text
        assert [path.name for path in wire.project.glob("*.txt")] == ["a.txt"]
        assert (await wire.structured("read_file", {"path": "a.txt"}))["ok"] is True


def test_read_only_mode_is_a_setting_of_the_environment() -> None:
    assert Config.from_environment({"READ_ONLY_MODE": "true"}).read_only is True
    assert Config.from_environment({}).read_only is False


# Rate limit


@ERAS
@pytest.mark.parametrize(("dialect", "code"), [("portable", "E_RATE_LIMITED"), ("contract", "E_PERMISSION_DENIED")])
async def test_tool_invocations_are_rate_limited(era: str, dialect: str, code: str, connect: Connect) -> None:
    async with connect(era, rate_limit=RateLimit(2, 0.001), dialect=dialect) as connected:
        wire = replace(connected, names_project=True)
        for _ in range(2):
            assert (await wire.structured("history_list"))["ok"] is True
        result = await wire.call("history_list")
    assert result.is_error is True
    error = result.structured_content["error"]
    assert error["code"] == code
    assert error["retryable"] is True
    assert error["details"]["retryAfterMs"] > 0


def test_the_rate_limit_is_on_by_default() -> None:
    assert Config.from_environment({}).rate_limit == RateLimit(100, 10.0)


# Protocol messages


@ERAS
async def test_list_and_call_have_the_documented_messages(era: str, connect: Connect) -> None:
    async with connect(era) as wire:
        listed = await wire.client.session.send_request(types.ListToolsRequest(), types.ListToolsResult)
        assert listed.tools
        params = types.CallToolRequestParams(name="core_ping", arguments={})
        called = await wire.client.session.send_request(types.CallToolRequest(params=params), types.CallToolResult)
        assert called.structured_content["output"]["ok"] is True
        without = types.CallToolRequestParams(name="core_ping")
        called = await wire.client.session.send_request(types.CallToolRequest(params=without), types.CallToolResult)
        assert called.structured_content["output"]["ok"] is True


@ERAS
async def test_all_operations_are_logged(era: str, connect: Connect, project: Path) -> None:
    (project / "project.godot").write_text("")
    async with connect(era) as wire:
        await wire.call("core_ping")
        await wire.call("read_file", {"path": "gone"})
        await wire.refusal("no_such_tool")
        assert [(record["tool"], record["ok"]) for record in wire.audited()] == [
            ("core_ping", True),
            ("read_file", False),
            ("no_such_tool", False),
        ]
