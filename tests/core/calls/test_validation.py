"""What is wrong with arguments, where, and what was probably meant."""

from __future__ import annotations

from typing import Any

import pytest
from tests.conftest import Caller, MakeCaller
from tests.core.samples import fault_of

from scenewright.core.calls.validation import MAX_REPORTED, Validator, _node, check, compile_schema
from scenewright.core.faults import Invalid
from scenewright.core.operations.call_lines import is_outdated

SCHEMA: dict[str, Any] = {
    "type": "object",
    "properties": {
        "path": {"type": "string"},
        "mode": {"enum": ["append", "replace"]},
        "limit": {"type": "integer", "minimum": 1, "maximum": 9},
        "nested": {"type": "object", "properties": {"depth": {"type": "integer"}}, "additionalProperties": False},
        "items": {
            "type": "array",
            "items": {
                "type": "object",
                "properties": {"tool": {"type": "string"}},
                "required": ["tool"],
                "additionalProperties": False,
            },
        },
        "tree": {"$ref": "#/$defs/tree"},
        "value": {
            "anyOf": [
                {"type": "number"},
                {"type": "object", "properties": {"x": {"type": "number"}}, "additionalProperties": False},
            ]
        },
    },
    "required": ["path"],
    "additionalProperties": False,
    "$defs": {
        "tree": {
            "type": "object",
            "properties": {"child": {"$ref": "#/$defs/tree"}},
            "additionalProperties": False,
        }
    },
}


def refusal(**given: Any) -> Invalid:
    with pytest.raises(Invalid) as caught:
        check(SCHEMA, {"path": "a"} | given, signature="f(path, mode?)")
    return caught.value


@pytest.mark.parametrize(
    ("given", "path", "rule"),
    [
        ({"path": 5}, "input.path", "type"),
        ({"mode": "apend"}, "input.mode", "enum"),
        ({"limit": 0}, "input.limit", "minimum"),
        ({"limit": 10}, "input.limit", "maximum"),
        ({"limit": 1.5}, "input.limit", "type"),
        ({"nested": {"depht": 1}}, "input.nested.depht", "additionalProperties"),
        ({"nested": {"depth": "x"}}, "input.nested.depth", "type"),
        ({"items": [{"tool": "a"}, {}]}, "input.items[1].tool", "required"),
        ({"items": [{"tool": "a"}, {"tool": 5}]}, "input.items[1].tool", "type"),
        ({"pth": "a"}, "input.pth", "additionalProperties"),
        ({"tree": {"child": {"chlid": {}}}}, "input.tree.child.chlid", "additionalProperties"),
        ({"value": "x"}, "input.value", "anyOf"),
        ({"value": {"y": 1}}, "input.value.y", "additionalProperties"),
        ({"value": {"x": "1"}}, "input.value.x", "type"),
    ],
)
def test_a_refusal_names_the_place_and_the_rule(given: dict[str, Any], path: str, rule: str) -> None:
    fault = refusal(**given)
    assert (fault.path, fault.rule) == (path, rule)
    assert fault.message


@pytest.mark.parametrize(
    ("given", "meant"),
    [
        ({"pth": "a"}, "path"),
        ({"Limit": 5}, "limit"),
        ({"mode": "apend"}, "append"),
        ({"nested": {"depht": 1}}, "depth"),
        ({"items": [{"tool": "a", "tol": "a"}]}, "tool"),
        ({"tree": {"chlid": {}}}, "child"),
    ],
)
def test_what_was_probably_meant_is_named(given: dict[str, Any], meant: str) -> None:
    assert f"Did you mean '{meant}'" in str(refusal(**given).hint)


def test_nothing_is_suggested_where_nothing_is_close() -> None:
    assert "Did you mean" not in str(refusal(zzzzzzzz=1).hint)
    assert "Did you mean" not in str(refusal(mode=5).hint)


def test_a_missing_parameter_is_named() -> None:
    with pytest.raises(Invalid) as caught:
        check(SCHEMA, {}, signature="f(path)")
    assert (caught.value.path, caught.value.message) == ("input.path", "'path' is required.")


def test_the_hint_shows_the_right_call() -> None:
    assert str(refusal(mode="x").hint).endswith("Expected: f(path, mode?).")


def test_an_enum_lists_its_values() -> None:
    assert refusal(mode="x").message == "'input.mode' must be one of: append, replace."


def test_every_problem_is_in_the_details() -> None:
    fault = refusal(limit=0, mode="x", extra=1)
    assert {problem["path"] for problem in fault.details["problems"]} == {"input.limit", "input.mode", "input.extra"}


@pytest.mark.parametrize(
    "given",
    [
        {f"key {number}": number for number in range(1_000)},
        {f"key {number}": number for number in range(100_000)},
        {"items": ["x"] * 100_000},
        {"items": [{"tool": number} for number in range(50_000)]},
    ],
    ids=["names", "very many names", "items", "values"],
)
def test_of_very_many_problems_only_some_are_told(given: dict[str, Any]) -> None:
    assert 1 <= len(refusal(**given).details["problems"]) <= MAX_REPORTED


@pytest.mark.parametrize("given", [{"x" * 100_000: 1}, {"path": ["y" * 100_000]}, {"mode": "z" * 100_000}])
def test_a_long_value_does_not_make_a_long_refusal(given: dict[str, Any]) -> None:
    fault = refusal(**given)
    assert len(fault.message) + len(str(fault.path)) + len(str(fault.hint)) < 1000


def test_a_schema_may_not_load_another() -> None:
    with pytest.raises(ValueError, match="may not load"):
        Validator({"$ref": "https://example.org/schema.json"})


def test_a_place_that_is_behind_a_reference_has_no_suggestions() -> None:
    assert _node(SCHEMA, ["properties", "nested"])["properties"] == {"depth": {"type": "integer"}}
    assert _node(SCHEMA, ["properties", "tree", "$ref", "properties"]) == {}
    assert _node(SCHEMA, ["properties", "path", "type"]) == {}


def test_a_schema_is_compiled_once() -> None:
    assert compile_schema(SCHEMA) is compile_schema(SCHEMA)
    assert compile_schema(dict(SCHEMA)) is not compile_schema(SCHEMA)


@pytest.mark.anyio
@pytest.mark.parametrize(
    ("tool", "arguments", "call"),
    [
        ("delete_file", {}, "delete_file(path)"),
        ("project.file.delete", {}, "delete_file(path)"),
        ("project_file_manager", {"action": "delete"}, "delete(path)"),
        ("core.ping", {"x": 1}, "core_ping()"),
    ],
)
async def test_the_call_that_is_shown_is_the_one_that_was_meant(
    caller: Caller, tool: str, arguments: dict[str, Any], call: str
) -> None:
    assert f"Expected: {call}" in str(fault_of(await caller.run(tool, arguments)).hint)


@pytest.mark.anyio
async def test_a_refusal_shows_the_parameters_that_the_listing_left_out(make_caller: MakeCaller) -> None:
    caller = make_caller(engine="godot", toolset="compact")
    left_out = [op for op in caller.runtime.registry.operations.values() if op.outline().endswith("…)") and op.action]
    assert len(left_out) > 50
    for op in left_out:
        manager, action = op.action or ("", "")
        fault = fault_of(await caller.run(manager, {"action": action, "noSuchParameter": 1}))
        hint = str(fault.hint)
        assert f"Expected: {action}(" in hint, hint
        own = [name for name, part in op.input_schema["properties"].items() if not is_outdated(part)]
        assert [name for name in own if name not in hint] == []
        assert len(hint) < 900, hint


def test_a_refusal_says_where_values_of_any_name_go() -> None:
    bag = {"type": "object", "properties": {"name": {"type": "string"}, "properties": {"type": "object"}}}
    with pytest.raises(Invalid) as caught:
        check({**bag, "additionalProperties": False}, {"rotation_degrees": 90}, signature="f(name)")
    assert "go into 'properties', such as {\"rotation_degrees\": …}" in (caught.value.hint or "")


@pytest.mark.parametrize(
    ("given", "says"),
    [
        ({"items": [{"name": "a"}]}, "Expected items[0]: {tool}."),
        ({"items": ["a"]}, "Expected items[0]: {tool}."),
        ({"items": {"a": 1}}, "Expected items: [{tool}, …]."),
        ({"nested": {"depth": "deep"}}, "Expected nested.depth: whole number."),
        ({"tree": {"child": {"chlid": {}}}}, "Expected tree.child: {child?: {child?: {…}}}."),
        ({"pth": "a"}, "Expected: f(path, mode?)."),
        ({"limit": 0}, "Expected: f(path, mode?)."),
    ],
)
def test_a_refusal_shows_what_belongs_where_the_problem_is(given: dict[str, Any], says: str) -> None:
    assert (refusal(**given).hint or "").endswith(says)
