"""A schema made short says what the long one does."""

from __future__ import annotations

import json
from typing import Any

import pytest

from scenewright.app import catalogues
from scenewright.core.calls.validation import compile_schema
from scenewright.core.operations.declaration import Operation
from scenewright.core.operations.model import JsonSchema
from scenewright.core.operations.schema_dedup import shared

OPERATIONS = {op.flat_name: op for part in catalogues() for op in part.operations}
ANY = {"anyOf": [{"type": kind} for kind in ("string", "number", "boolean", "object", "array", "null")]}


def place(text: str) -> JsonSchema:
    return {
        "type": "object",
        "properties": {
            "x": {"type": "number", "description": "How far to the right, in pixels of the window."},
            "y": {"type": "number", "description": "How far down, in pixels of the window."},
        },
        "required": ["x", "y"],
        "description": text,
    }


def test_what_is_said_twice_is_said_once_and_each_place_keeps_its_own_words() -> None:
    schema = {"type": "object", "properties": {"start": place("Where from."), "end": place("Where to.")}}
    short = shared(schema)
    assert short["properties"]["start"] == {"$ref": "#/$defs/start", "description": "Where from."}
    assert short["properties"]["end"] == {"$ref": "#/$defs/start", "description": "Where to."}
    assert compile_schema(short).problems({"start": {"x": 1, "y": 2}, "end": {"x": 1}}) != []
    assert compile_schema(short).problems({"start": {"x": 1, "y": 2}, "end": {"x": 1, "y": 3}}) == []


def test_any_value_is_said_in_no_words_and_a_choice_of_kinds_stays() -> None:
    either = {"anyOf": [{"type": "string"}, {"type": "number"}]}
    schema = {"type": "object", "properties": {"value": {"description": "Any.", **ANY}, "either": either}}
    assert shared(schema)["properties"] == {"value": {"description": "Any."}, "either": either}


def test_a_field_may_be_called_like_a_word_of_schemas() -> None:
    fields: dict[str, Any] = {
        name: {"type": "string"} for name in ("required", "properties", "anyOf", "$defs", "items")
    }
    assert shared({"type": "object", "properties": fields})["properties"] == fields


def test_a_type_that_contains_itself_is_there_once() -> None:
    short = shared(OPERATIONS["apply_scene"].input_schema)
    assert json.dumps(short).count("Path of the node until now") == 1
    tree = {"name": "Main", "children": [{"name": "A", "children": [{"nmae": "B"}]}]}
    (problem,) = compile_schema(short).problems({"scenePath": "a.tscn", "tree": tree})
    assert "name" in problem["message"]


@pytest.mark.parametrize("op", OPERATIONS.values(), ids=OPERATIONS)
def test_the_short_form_of_every_schema_takes_the_examples_and_is_not_longer(op: Operation) -> None:
    for schema, side in ((op.input_schema, "input"), (op.output_schema, "output")):
        if schema is None:
            continue
        short = shared(schema)
        assert len(json.dumps(short)) <= len(json.dumps(schema))
        checker = compile_schema(short)
        for example in op.examples:
            assert checker.problems(getattr(example, side)) == []
