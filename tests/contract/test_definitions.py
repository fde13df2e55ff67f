"""An operation as a tool definition; the rules of the document are walked in tests/contract."""

from __future__ import annotations

from dataclasses import replace
from typing import Annotated, Any, Literal

import pytest

from scenewright.contracts.editormcp.definition import define, problems_in
from scenewright.core.calls.call import Call
from scenewright.core.operations.declaration import Safety, operation
from scenewright.core.operations.model import Inputs, JsonSchema, Outputs, Record, about


class Part(Record, frozen=True, kw_only=True):
    name: Annotated[str, about("Name.")]


class Query(Inputs, frozen=True, kw_only=True):
    names: Annotated[list[str], about("Which.")]
    mode: Annotated[Literal["a", "b"], about("How.")] = "a"
    value: Annotated[int | str, about("Either.")] | None = None


class Answer(Outputs, frozen=True, kw_only=True):
    part: Annotated[Part, about("A part.")]
    mode: Annotated[Literal["a", "b"], about("How.")] = "a"


@operation(id="scene.parts", name="List Parts", category="scene", safety=Safety.READ_ONLY, notes="Slow.")
def parts(call: Call, inputs: Query) -> Answer:
    """Lists the parts."""
    return Answer(part=Part(name=""))


def test_version_0_2_says_what_is_inside_and_which_version_it_is() -> None:
    definition = define(parts)
    assert definition["inputs"]["names"]["items"] == {"type": "string"}
    assert definition["inputs"]["value"] == {"type": "any", "required": False, "description": "Either."}
    assert definition["outputs"]["part"]["properties"]["name"]["type"] == "string"
    assert definition["outputs"]["mode"]["enum"] == ["a", "b"]
    assert definition["notes"] == "Slow."
    assert definition["schemaVersion"] == "0.2"
    assert list(problems_in(definition, version="0.2")) == []


def test_version_0_1_has_only_the_keys_of_the_document() -> None:
    definition = define(replace(parts, definition_version="0.1"))
    assert definition["inputs"]["names"] == {"type": "array", "required": True, "description": "Which."}
    assert "enum" not in definition["outputs"]["mode"]
    assert "schemaVersion" not in definition


REFERRING: JsonSchema = {
    "type": "object",
    "properties": {
        "tree": {"$ref": "#/$defs/Tree", "description": "A tree."},
        "lost": {"$ref": "#/$defs/Gone", "description": "Nothing there."},
    },
    "$defs": {
        "Tree": {"type": "object", "properties": {"below": {"type": "array", "items": {"$ref": "#/$defs/Tree"}}}}
    },
}


def test_references_are_written_out_until_a_type_meets_itself() -> None:
    outputs = define(replace(parts, outputs=REFERRING))["outputs"]
    assert outputs["tree"] == {
        "type": "object",
        "description": "A tree.",
        "properties": {"below": {"type": "array", "items": {"type": "object"}}},
    }
    assert outputs["lost"] == {"type": "object", "description": "Nothing there."}


def test_an_operation_without_outputs_has_none() -> None:
    assert define(replace(parts, outputs=None))["outputs"] == {}


@pytest.mark.parametrize("definition", [{}, {"id": None}, {"inputs": 1, "outputs": []}, {"examples": [1]}])
@pytest.mark.parametrize("version", ["0.1", "0.2"])
def test_nonsense_is_refused_and_breaks_nothing(definition: dict[str, Any], version: str) -> None:
    assert list(problems_in(definition, version=version))
    assert list(problems_in(define(parts) | definition, version=version)) or not definition
