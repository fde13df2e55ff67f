"""The same thing has the same name in the tools of every engine; what a document calls otherwise is for its dialect."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from tests.conftest import Caller, MakeCaller

from scenewright.app import catalogues
from scenewright.contracts import render
from scenewright.contracts.wording import schema_in_words
from scenewright.core.calls.call import Request
from scenewright.core.operations.declaration import Operation
from scenewright.core.operations.registry import build_registry
from scenewright.server.surface import surface_of

REGISTRY = build_registry(catalogues(), verified=True)
OPERATIONS = list(REGISTRY.operations.values())

# What stands in the tools of other servers, or stood in ours, by what it is called everywhere.
COMMON = {
    "limit": "maxResults max_results maxMatches max_matches pageSize page_size perPage",
    "offset": "skip page pageNumber",
    "nextOffset": "nextCursor next_cursor nextBefore nextPage nextPageToken next_offset hasMore",
    "property": "propertyName property_name propertyPath property_path prop",
    "value": "newValue new_value",
    "previous": "previousValue oldValue old_value previous_value",
}
OTHER = {other: common for common, others in COMMON.items() for other in others.split()}
GODOTY = "a word of Godoty's protocol, which this passes on"
ELSEWHERE = {
    "godot.editor.scene next_cursor": GODOTY,
    "godot.editor.log max_matches": GODOTY,
    "godot.manual.get next_offset": GODOTY,
    "godot.log.tail maxMatches": "of lines that fit a pattern, not of lines",
    "godot.guidelines.search maxMatches": "godot-mcp-omni's own name",
}
# Lists with a limit and no pages: the best, the newest or the first few are all there is to want.
NO_PAGES = {
    "meta.tool.search": "the best",
    "workflow.logs": "goes on by time",
    "godot.script.check": "errors, which are mended before the next look",
    "godot.project.list": "projects below a folder",
    "godot.debug.recent_errors": "the newest",
    "godot.docs.search": "the best",
    "godot.manual.search": "the best",
    "godot.debug.output": "goes on by cursor",
    "godot.editor.scene": GODOTY,
    "godot.editor.find_panels": "the best",
    "godot.csharp.build": "errors, which are mended before the next look",
    "godot.code.complete": "the best",
    "godot.debug.evaluate": "properties of one object",
    "roblox.console_output": "goes on by cursor",
    "unity.editor.console": "goes on by cursor",
    "scene.hierarchy.dump": "a tree, cut by depth",
    "asset.prefab.describe": "a tree, cut by depth",
}


def _names(schema: Any) -> Iterator[str]:
    """Every name of a field in a schema, at any depth."""
    if isinstance(schema, list):
        for part in schema:
            yield from _names(part)
    elif isinstance(schema, dict):
        yield from schema.get("properties", {})
        for part in schema.values():
            yield from _names(part)


def _portable(operation: Operation) -> tuple[dict[str, Any], dict[str, Any]]:
    sides = (operation.input_schema, operation.output_schema or {})
    inputs, outputs = (schema_in_words(operation, side, contractual=False) for side in sides)
    return inputs, outputs


@pytest.mark.parametrize("operation", OPERATIONS, ids=lambda operation: operation.id)
def test_no_operation_has_a_name_of_its_own_for_what_all_have(operation: Operation) -> None:
    found = {name for side in _portable(operation) for name in _names(side) if name in OTHER}
    own = {name: OTHER[name] for name in sorted(found) if f"{operation.id} {name}" not in ELSEWHERE}
    assert own == {}, "it is called otherwise in the other tools"


@pytest.mark.parametrize("operation", OPERATIONS, ids=lambda operation: operation.id)
def test_pages_are_asked_for_and_told_alike(operation: Operation) -> None:
    inputs, outputs = (side.get("properties", {}) for side in _portable(operation))
    if "limit" in inputs and operation.id not in NO_PAGES:
        assert "offset" in inputs
    if operation.id != "godot.manual.get":
        assert ("nextOffset" in outputs) == ("offset" in inputs)


@pytest.mark.parametrize(
    "operation",
    [op for op in OPERATIONS if op.id.endswith((".set_property", ".property.set", "instance_set_property"))],
    ids=lambda operation: operation.id,
)
def test_a_property_is_set_and_told_alike(operation: Operation) -> None:
    inputs, outputs = (side["properties"] for side in _portable(operation))
    assert {"property", "value"} <= inputs.keys()
    assert {"property", "value", "previous"} <= outputs.keys()


def test_each_exception_is_still_one() -> None:
    for entry in ELSEWHERE:
        identifier, name = entry.split()
        assert name in {part for side in _portable(REGISTRY.operations[identifier]) for part in _names(side)}, entry
    for identifier in NO_PAGES:
        inputs = REGISTRY.operations[identifier].input_schema["properties"]
        assert ("limit" in inputs, "offset" in inputs) == (True, False), identifier


WORDS = [
    ("roblox.instance_set_property", "property", "propertyName"),
    ("go.find", "limit", "maxResults"),
]


@pytest.mark.parametrize(("tool", "ours", "theirs"), WORDS)
@pytest.mark.parametrize("dialect", ["portable", "contract"])
def test_a_document_keeps_its_words_in_its_dialect(
    tool: str, ours: str, theirs: str, dialect: str, make_caller: MakeCaller
) -> None:
    runtime = make_caller(engine="all", dialect=dialect).runtime
    listed = {each.name.replace(".", "_"): each for each in surface_of(runtime).tools()}[tool.replace(".", "_")]
    names = listed.input_schema["properties"]
    assert ((ours in names), (theirs in names)) == ((True, False) if dialect == "portable" else (False, True))
    operation = REGISTRY.operations[tool]
    assert operation.other_names[theirs] == ours


def test_old_names_of_parameters_are_understood() -> None:
    for identifier, old, now in (
        ("scene.property.set", "propertyPath", "property"),
        ("asset.prefab.override.set", "propertyPath", "property"),
        ("asset.prefab.override.revert", "propertyPath", "property"),
        ("project.settings.read", "propertyPath", "property"),
        ("roblox.console_output", "since", "cursor"),
    ):
        assert REGISTRY.operations[identifier].other_names[old] == now


@pytest.mark.anyio
async def test_a_reply_has_the_documents_words_in_its_dialect(make_caller: MakeCaller, project: Any) -> None:
    (project / "default.project.json").write_text(
        '{"name": "G", "tree": {"$className": "DataModel", "Workspace": {"P": {"$className": "Part"}}}}'
    )
    caller: Caller = make_caller()
    for name in ("property", "propertyName", "property_name"):
        arguments = {"instancePath": "Workspace.P", name: "Anchored", "value": True, "dryRun": True}
        request = Request(tool="roblox.instance_set_property", arguments=arguments)
        outcome = await caller.runtime.run(request)
        assert [warning for warning in outcome.call.warnings if "Read '" in warning] == (
            ["Read 'property_name' as 'property'."] if name == "property_name" else []
        )
        replies = [render(outcome, brief=brief).structured for brief in (True, False)]
        brief, whole = [reply["output"] for reply in replies if reply is not None]
        assert (brief["property"], "propertyName" in brief) == ("Anchored", False)
        assert (whole["propertyName"], "property" in whole) == ("Anchored", False)
        assert (whole["value"], whole["previous"]) == (True, False)


@pytest.mark.anyio
async def test_a_thing_goes_by_the_names_of_other_engines(make_caller: MakeCaller, project: Any) -> None:
    (project / "default.project.json").write_text(
        '{"name": "G", "tree": {"$className": "DataModel", "Workspace": {"P": {"$className": "Part"}}}}'
    )
    for name in ("path", "nodePath", "gameObjectPath"):
        reply = await make_caller().reply("roblox.instance_get", {name: "Workspace.P"})
        assert reply.structured is not None
        assert reply.structured["output"]["instance"]["path"] == "Workspace.P"
