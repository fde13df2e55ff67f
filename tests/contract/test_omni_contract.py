"""godot-mcp-omni's Tool Contract v1: every sentence that can be checked, over a real client in both eras of MCP."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from typing import Any
from uuid import UUID

import pytest
from tests.contract.samples import SAMPLES as ALL
from tests.contract.samples import SECRET, note
from tests.contract.sentences import ERAS, Check, Connect, Contract, Wire

from scenewright.contracts.omni.codes import CODES
from scenewright.core.faults import Fault
from scenewright.core.operations.declaration import Safety

pytestmark = pytest.mark.anyio

document = Contract()
WIPE = replace(note, id="sample.wipe", tool="sample_wipe", contract="omni", safety=Safety.DESTRUCTIVE)
SAMPLES = (*ALL, WIPE)
CANONICAL_CODES = {
    "E_SCHEMA_VALIDATION",
    "E_NOT_CONNECTED",
    "E_NOT_FOUND",
    "E_PERMISSION_DENIED",
    "E_TIMEOUT",
    "E_UNSUPPORTED",
    "E_INTERNAL",
}
READ = ("project_file_manager", {"action": "read", "path": "a.txt"})


# Response envelope


@document.says("ok: boolean, success flag")
async def _(wire: Wire) -> None:
    assert (await wire.structured(*READ))["ok"] is True
    assert (await wire.structured("read_file", {"path": "gone"}))["ok"] is False


@document.says("summary: string, short human-readable status (always present)")
async def _(wire: Wire) -> None:
    for tool, arguments in (READ, ("sample_nothing", {}), ("sample_crash", {}), ("read_file", {"path": "gone"})):
        summary = (await wire.structured(tool, arguments))["summary"]
        assert isinstance(summary, str)
        assert summary
        assert "\n" not in summary
        assert len(summary) < 200


@document.says("result: object | null, normalized primary result")
async def _(wire: Wire) -> None:
    assert (await wire.structured(*READ))["result"] == {"path": "a.txt", "text": "one\n", "totalChars": 4}


@document.says("result, when ok=true, defaults to details when a tool does not set result explicitly")
async def _(wire: Wire) -> None:
    body = await wire.structured("sample_nothing")
    assert body["ok"] is True
    assert body["result"] == body.get("details")


@document.says("result, when ok=false, is always null")
@document.says("error, when ok=false, is always present")
async def _(wire: Wire) -> None:
    for tool, arguments in (("read_file", {"path": "gone"}), ("sample_crash", {}), ("read_file", {})):
        body = await wire.structured(tool, arguments)
        assert body["ok"] is False
        assert body["result"] is None
        assert body["error"]["code"] in CANONICAL_CODES
        assert body["error"]["message"] == body["summary"]


@document.says("error: { code, message, details?, retryable?, suggestedFix? } | null")
async def _(wire: Wire) -> None:
    body = await wire.structured("sample_fail", {"fault": "TimedOut"})
    assert body["error"] == {
        "code": "E_TIMEOUT",
        "message": "It did not work.",
        "details": {"because": "asked"},
        "retryable": True,
        "suggestedFix": "Try otherwise.",
    }


@document.says("error, when ok=true, is always null")
async def _(wire: Wire) -> None:
    for tool, arguments in (READ, ("sample_nothing", {}), ("write_file", {"path": "b.txt", "content": ""})):
        body = await wire.structured(tool, arguments)
        assert body["ok"] is True
        assert body["error"] is None


@document.says("meta: { tool, action, correlationId, durationMs }")
async def _(wire: Wire) -> None:
    for tool, arguments in (READ, ("read_file", {"path": "a.txt"}), ("read_file", {}), ("history", {"action": "no"})):
        meta = (await wire.structured(tool, arguments))["meta"]
        assert set(meta) == {"tool", "action", "correlationId", "durationMs"}
        assert meta["tool"] == tool
        assert type(meta["durationMs"]) is int
        assert meta["durationMs"] >= 0
    assert (await wire.structured(*READ))["meta"]["action"] == "read"
    assert (await wire.structured("read_file", {"path": "a.txt"}))["meta"]["action"] is None


@document.says("warnings?: string[]")
async def _(wire: Wire) -> None:
    body = await wire.structured("read_file", {"path": "a.txt", "max_chars": "2"})
    assert body["result"]["text"] == "on"
    assert body["warnings"]
    assert all(isinstance(warning, str) for warning in body["warnings"])
    assert "warnings" not in await wire.structured(*READ)


@document.says("execution?: object")
async def _(wire: Wire) -> None:
    body = await wire.structured("edit_file", {"path": "a.txt", "find": "one", "replace": "two"})
    assert body["execution"]["mode"] == "files"
    assert body["execution"]["diff"]["entries"] == ["modified a.txt\n@@ -1 +1 @@\n-one\n+two"]
    assert body["execution"]["historyEntry"] == 1
    assert "execution" not in await wire.structured(*READ)


@document.says("files?: { kind, pathAbs, resPath, bytes? }[]")
async def _(wire: Wire) -> None:
    written = await wire.structured("write_file", {"path": "sub/b.txt", "content": "four"})
    place = wire.project.resolve() / "sub/b.txt"
    assert written["files"] == [
        {"kind": "created", "pathAbs": str(place), "resPath": "res://sub/b.txt", "bytes": 4},
    ]
    deleted = await wire.structured("delete_file", {"path": "sub/b.txt"}, approved=True)
    assert deleted["files"] == [{"kind": "deleted", "pathAbs": str(place), "resPath": "res://sub/b.txt"}]


@document.says("All tools return a JSON object: the text of the reply is the same object")
async def _(wire: Wire) -> None:
    for tool, arguments in (READ, ("read_file", {"path": "gone"})):
        result = await wire.call(tool, arguments)
        assert result.content[0].type == "text"
        assert json.loads(result.content[0].text) == result.structured_content


# Correlation ids


@document.says("Every CallTool request is assigned a correlationId")
async def _(wire: Wire) -> None:
    calls = [*[READ] * 3, ("read_file", {"path": "gone"}), ("sample_crash", {})]
    ids = [(await wire.structured(tool, arguments))["meta"]["correlationId"] for tool, arguments in calls]
    assert len(set(ids)) == len(calls)
    assert all(UUID(each) for each in ids)


@document.says("The correlationId is included in meta.correlationId, and a caller's own is kept")
async def _(wire: Wire) -> None:
    result = await wire.call(*READ, correlationId="job-7")
    assert result.structured_content["meta"]["correlationId"] == "job-7"
    assert (result.meta or {})["correlationId"] == "job-7"


@ERAS
@pytest.mark.parametrize("check", document.cases)
async def test_the_contract_says(check: Check, era: str, connect: Connect) -> None:
    async with connect(era, *SAMPLES, dialect="contract") as wire:
        (wire.project / "a.txt").write_text("one\n")
        await check(replace(wire, names_project=True))


@ERAS
async def test_a_godot_projects_calls_are_logged_to_its_audit_log(era: str, connect: Connect, project: Any) -> None:
    (project / "project.godot").write_text("")
    async with connect(era, *SAMPLES) as wire:
        done = await wire.call("write_file", {"path": "b.txt", "content": "1"})
        failed = await wire.call("read_file", {"path": "gone"}, correlationId="job-8")
        with_params = await wire.call("project_file_manager", {"action": "read", "params": {"path": "b.txt"}})
        records = wire.audited()
    assert [record["correlationId"] for record in records] == [
        (reply.meta or {})["correlationId"] for reply in (done, failed, with_params)
    ]
    assert [(record["tool"], record["ok"]) for record in records] == [
        ("write_file", True),
        ("read_file", False),
        ("project_file_manager", True),
    ]
    assert records[1]["error"]["code"] == "E_NOT_FOUND"


@ERAS
async def test_the_audit_log_is_that_of_the_project_the_call_names(era: str, connect: Connect, tmp_path: Any) -> None:
    other = tmp_path / "other"
    other.mkdir()
    (other / "project.godot").write_text("")
    async with connect(era, roots=(tmp_path,)) as wire:
        reply = await wire.call("write_file", {"projectPath": str(other), "path": "b.txt", "content": "1"})
    assert reply.structured_content["ok"] is True
    assert (reply.meta or {})["correlationId"] in (other / ".godot_mcp/audit.log").read_text()


# Error codes

REAL_CALLS: list[tuple[str, str, dict[str, Any], dict[str, Any]]] = [
    ("E_SCHEMA_VALIDATION: missing argument", "read_file", {}, {}),
    ("E_SCHEMA_VALIDATION: invalid argument", "read_file", {"path": 5}, {}),
    ("E_SCHEMA_VALIDATION: unknown argument", "read_file", {"path": "a.txt", "nope": 1}, {}),
    ("E_SCHEMA_VALIDATION: unsupported action", "history", {"action": "redo"}, {}),
    ("E_SCHEMA_VALIDATION: missing action", "history", {}, {}),
    ("E_SCHEMA_VALIDATION: mutually-exclusive params violated", "sample_exclusive", {"one": "1", "other": "2"}, {}),
    ("E_SCHEMA_VALIDATION: invalid request metadata", "read_file", {"path": "a.txt"}, {"dryRun": "maybe"}),
    ("E_NOT_CONNECTED: editor-bridge required but not connected", "sample_fail", {"fault": "NotConnected"}, {}),
    ("E_NOT_FOUND: referenced file not found", "read_file", {"path": "gone.txt"}, {}),
    ("E_NOT_FOUND: referenced history entry not found", "history", {"action": "show", "entry": 99}, {}),
    ("E_NOT_FOUND: referenced project not found", "read_file", {"path": "a.txt", "projectPath": "no/such"}, {}),
    ("E_PERMISSION_DENIED: blocked by ALLOW_DANGEROUS_OPS", "sample_wipe", {"path": "a.txt", "text": ""}, {}),
    ("E_PERMISSION_DENIED: blocked by ALLOW_EXTERNAL_TOOLS", "sample_outside", {}, {}),
    ("E_PERMISSION_DENIED: path outside the project", "read_file", {"path": "../b.txt"}, {}),
    ("E_TIMEOUT: operation timed out", "sample_slow", {}, {}),
    ("E_UNSUPPORTED: capability not supported in current mode", "sample_touch", {"dryRun": True}, {}),
    ("E_UNSUPPORTED: not a text file", "read_file", {"path": "binary"}, {}),
    ("E_INTERNAL: unexpected internal failure", "sample_crash", {}, {}),
]


@ERAS
@pytest.mark.parametrize(("sentence", "tool", "arguments", "meta"), REAL_CALLS, ids=[row[0] for row in REAL_CALLS])
async def test_a_real_call_ends_in(
    sentence: str, tool: str, arguments: dict[str, Any], meta: dict[str, Any], era: str, connect: Connect
) -> None:
    code, _, _ = sentence.partition(":")
    async with connect(era, *SAMPLES) as wire:
        (wire.project / "a.txt").write_text("one\n")
        (wire.project / "binary").write_bytes(b"\xff\xfe\x00")
        result = await wire.call(tool, arguments, **meta)
        assert result.is_error is True
        assert result.structured_content["error"]["code"] == code
        assert (wire.project / "a.txt").exists()


@pytest.mark.parametrize(
    ("gate", "tool", "arguments"),
    [
        ("allow_dangerous", "sample_wipe", {"path": "b.txt", "text": ""}),
        ("allow_external", "sample_outside", {}),
    ],
)
@ERAS
async def test_an_open_gate_lets_the_call_through(
    gate: str, tool: str, arguments: dict[str, Any], era: str, connect: Connect
) -> None:
    async with connect(era, *SAMPLES, **{gate: True}) as wire:
        (wire.project / "a.txt").write_text("one\n")
        assert (await wire.structured(tool, arguments))["ok"] is True


def test_there_are_exactly_the_seven_codes_and_each_is_used() -> None:
    assert set(CODES.values()) == CANONICAL_CODES
    assert {row[0].partition(":")[0] for row in REAL_CALLS} == CANONICAL_CODES


def _all_below(kind: type[Fault]) -> Iterator[type[Fault]]:
    for below in kind.__subclasses__():
        yield below
        yield from _all_below(below)


def test_every_kind_of_fault_has_one_of_the_seven_codes() -> None:
    kinds = set(_all_below(Fault))
    assert {"Invalid", "RateLimited", "BatchFailed"} <= {kind.__name__ for kind in kinds}
    assert {CODES[kind.kind] for kind in kinds} == CANONICAL_CODES


@ERAS
async def test_an_internal_failure_shows_nothing_of_its_cause(era: str, connect: Connect) -> None:
    async with connect(era, *SAMPLES) as wire:
        result = await wire.call("sample_crash")
    assert SECRET not in result.model_dump_json()
    assert "Traceback" not in result.model_dump_json()


# Tool schema rules (inputSchema)

schemas = Contract()


def _managers(wire: Wire, listed: dict[str, Any]) -> Iterator[tuple[dict[str, Any], dict[str, Any]]]:
    for name, actions in wire.runtime.registry.actions.items():
        yield listed[name].input_schema, {key: each for key, each in actions.items() if not each.begins_project}


@schemas.says("Multi-action manager tools use an action-dispatch pattern")
async def _(wire: Wire) -> None:
    assert set(wire.runtime.registry.managers) <= set(await wire.tools())
    assert len(wire.runtime.registry.managers) >= 3


@schemas.says("action is required and constrained via enum")
async def _(wire: Wire) -> None:
    for schema, actions in _managers(wire, await wire.tools()):
        assert schema["required"] == ["action"]
        assert schema["properties"]["action"]["enum"] == list(actions)


@schemas.says("oneOf branches enforce action-specific allowed parameters")
async def _(wire: Wire) -> None:
    for schema, actions in _managers(wire, await wire.tools()):
        assert [branch["properties"]["action"]["const"] for branch in schema["oneOf"]] == list(actions)
        for branch, operation in zip(schema["oneOf"], actions.values(), strict=True):
            own = set(operation.input_schema["properties"])
            controls = {"action"} | ({"projectPath"} if operation.needs_project else set())
            controls |= {"dryRun"} if operation.writes and operation.supports_dry_run else set()
            assert set(branch["properties"]) == own | controls
            assert branch["additionalProperties"] is False
            assert set(operation.input_schema.get("required", ())) <= set(branch["required"])


@schemas.says("additionalProperties: false is applied to top-level tool input schemas wherever possible")
async def _(wire: Wire) -> None:
    for tool in (await wire.tools()).values():
        assert tool.input_schema["additionalProperties"] is False, tool.name


@ERAS
@pytest.mark.parametrize("check", schemas.cases)
async def test_the_contract_dialect_lists(check: Check, era: str, connect: Connect) -> None:
    async with connect(era, *SAMPLES, dialect="contract", engine="all") as wire:
        await check(wire)


OTHER_ACTIONS_KEYS = [
    ({"action": "read", "path": "a.txt", "content": "x"}, "content"),
    ({"action": "delete", "path": "a.txt", "find": "x"}, "find"),
    ({"action": "write", "path": "b.txt", "content": "x", "replace": "y"}, "replace"),
    ({"action": "read", "path": "a.txt", "nope": 1}, "nope"),
]


@ERAS
@pytest.mark.parametrize("dialect", ["portable", "contract"])
@pytest.mark.parametrize(("arguments", "key"), OTHER_ACTIONS_KEYS, ids=[key for _, key in OTHER_ACTIONS_KEYS])
async def test_a_parameter_of_another_action_is_refused_at_call_time(
    arguments: dict[str, Any], key: str, dialect: str, era: str, connect: Connect
) -> None:
    async with connect(era, dialect=dialect) as wire:
        (wire.project / "a.txt").write_text("one\n")
        body = await wire.structured("project_file_manager", {"projectPath": str(wire.project)} | arguments)
        assert body["error"]["code"] == "E_SCHEMA_VALIDATION"
        assert body["error"]["details"]["path"] == f"input.{key}"
        assert body["error"]["details"]["rule"] == "additionalProperties"
        assert sorted(path.name for path in wire.project.glob("*.txt")) == ["a.txt"]
