"""The JSON Schemas that follow from structs."""

from __future__ import annotations

from enum import IntEnum, StrEnum
from typing import Annotated, Any, Literal

import msgspec
import pytest

from scenewright.core.calls.validation import compile_schema
from scenewright.core.operations.model import Inputs, NoInputs, Outputs, Record, about, schema_of, to_wire


class Colour(StrEnum):
    RED = "red"
    BLUE = "blue"


class Layer(IntEnum):
    ONE = 1
    TWO = 2


class Point(Inputs, frozen=True, kw_only=True):
    """A docstring that is for us."""

    x: Annotated[int, about("Across.", ge=0, le=9)]


class Circle(Inputs, frozen=True, kw_only=True, tag="circle"):
    radius: Annotated[float, about("How wide.")]


class Square(Inputs, frozen=True, kw_only=True, tag="square"):
    side: Annotated[float, about("How wide.")]


class Everything(Inputs, frozen=True, kw_only=True):
    """What the root says of itself is for us too."""

    needed: Annotated[str, about("Needed.", min_length=1, max_length=5)]
    snake_case: Annotated[bool, about("Renamed.")] = False
    optional: Annotated[int, about("Optional.", ge=1)] | None = None
    point: Annotated[Point, about("A point.")]
    point_outside: Annotated[Point, about("Described in the union.")] | None = None
    point_inside: Annotated[Point | None, about("Described around the union.")] = None
    plain_point: Point | None = None
    points: Annotated[list[Point], about("Points.", max_length=3)] = msgspec.field(default_factory=list)
    by_name: Annotated[dict[str, Point], about("Points by name.")] = msgspec.field(default_factory=dict)
    pair: Annotated[tuple[Point, int], about("A pair.")] | None = None
    colour: Annotated[Colour, about("A colour.")] | None = None
    layer: Annotated[Layer, about("A layer.")] = Layer.ONE
    word: Annotated[Literal["a", "b"], about("A word.")] = "a"
    word_or_none: Annotated[Literal["a", "b", None], about("A word or nothing.")] = None
    number: Annotated[Literal[1, 2], about("A number.")] = 1
    mixed: Annotated[Literal["a", 1], about("Either.")] = "a"
    either: Annotated[int | str, about("Either.")] = 1
    either_or_none: Annotated[int | str, about("Either or nothing.")] | None = None
    share: Annotated[float, about("A share.", ge=0, lt=1)] = 0.5
    nullable: Annotated[str | None, about("Null is a value here.")]
    shape: Annotated[Circle | Square, about("A shape.")] | None = None
    anything: Annotated[Any, about("Anything.")] = None
    title: Annotated[str, about("Named like a keyword.")] = "x"


POINT = {
    "type": "object",
    "properties": {"x": {"description": "Across.", "type": "integer", "minimum": 0, "maximum": 9}},
    "required": ["x"],
    "additionalProperties": False,
}

KINDS = ("string", "number", "boolean", "object", "array", "null")

EXPECTED: list[tuple[str, dict[str, Any]]] = [
    ("needed", {"type": "string", "minLength": 1, "maxLength": 5, "description": "Needed."}),
    ("snakeCase", {"type": "boolean", "default": False, "description": "Renamed."}),
    ("optional", {"type": "integer", "minimum": 1, "description": "Optional."}),
    ("point", POINT | {"description": "A point."}),
    ("pointOutside", POINT | {"description": "Described in the union."}),
    ("pointInside", POINT | {"description": "Described around the union."}),
    ("plainPoint", POINT | {"description": "A docstring that is for us."}),
    ("colour", {"type": "string", "enum": ["blue", "red"], "description": "A colour."}),
    ("layer", {"type": "integer", "enum": [1, 2], "default": 1, "description": "A layer."}),
    ("word", {"type": "string", "enum": ["a", "b"], "default": "a", "description": "A word."}),
    ("wordOrNone", {"type": "string", "enum": ["a", "b"], "description": "A word or nothing."}),
    ("number", {"type": "integer", "enum": [1, 2], "default": 1, "description": "A number."}),
    ("mixed", {"enum": ["a", 1], "default": "a", "description": "Either."}),
    ("either", {"anyOf": [{"type": "integer"}, {"type": "string"}], "default": 1, "description": "Either."}),
    ("eitherOrNone", {"anyOf": [{"type": "integer"}, {"type": "string"}], "description": "Either or nothing."}),
    ("share", {"type": "number", "minimum": 0, "exclusiveMaximum": 1, "default": 0.5, "description": "A share."}),
    ("nullable", {"anyOf": [{"type": "string"}, {"type": "null"}], "description": "Null is a value here."}),
    ("anything", {"anyOf": [{"type": kind} for kind in KINDS], "description": "Anything."}),
    ("title", {"type": "string", "default": "x", "description": "Named like a keyword."}),
]


@pytest.mark.parametrize(("name", "expected"), EXPECTED, ids=[name for name, _ in EXPECTED])
def test_a_field_becomes_a_property(name: str, expected: dict[str, Any]) -> None:
    found = schema_of(Everything)["properties"][name]
    if "enum" in expected and "type" not in expected:
        found = found | {"enum": sorted(found["enum"], key=str, reverse=True)}
    assert found == expected


def test_nested_structs_stand_where_they_are_used() -> None:
    schema = schema_of(Everything)
    inside = POINT | {"description": "A docstring that is for us."}
    assert schema["properties"]["points"]["items"] == inside
    assert schema["properties"]["byName"]["additionalProperties"] == inside
    assert schema["properties"]["pair"]["prefixItems"] == [inside, {"type": "integer"}]
    assert "$defs" not in schema
    assert "$ref" not in str(schema)


def test_a_tagged_union_says_its_tags_and_nothing_of_openapi() -> None:
    shape = schema_of(Everything)["properties"]["shape"]
    assert shape["description"] == "A shape."
    assert [branch["properties"]["type"]["enum"] for branch in shape["anyOf"]] == [["circle"], ["square"]]
    assert "discriminator" not in shape


def test_the_root_is_closed_and_says_what_is_required() -> None:
    schema = schema_of(Everything)
    assert schema["type"] == "object"
    assert schema["additionalProperties"] is False
    assert schema["required"] == ["needed", "point", "nullable"]
    assert not {"title", "description"} & set(schema)


def test_an_operation_without_inputs_takes_an_empty_object() -> None:
    assert schema_of(NoInputs) == {"type": "object", "properties": {}, "required": [], "additionalProperties": False}


def test_null_is_no_value_of_an_optional_field() -> None:
    validator = compile_schema(schema_of(Everything))
    base: dict[str, Any] = {"needed": "a", "point": {"x": 1}, "nullable": None}
    assert validator.accepts(base)
    for name in ("optional", "pointOutside", "colour", "wordOrNone", "eitherOrNone"):
        assert not validator.accepts(base | {name: None}), name


# Types that hold themselves


class Branch(Record, frozen=True, kw_only=True):
    name: Annotated[str, about("Name.")]
    below: Annotated[list[Branch], about("Branches below.")] = msgspec.field(default_factory=list)
    first: Annotated[Branch, about("The first below.")] | None = None


class Forest(Outputs, frozen=True, kw_only=True):
    tree: Annotated[Branch, about("A tree.")]


class Egg(Record, frozen=True, kw_only=True):
    hen: Annotated[Hen, about("What came out.")] | None = None


class Hen(Record, frozen=True, kw_only=True):
    eggs: Annotated[list[Annotated[Egg, about("An egg.")]], about("What it laid.")]
    mother: Annotated[Hen, about("Where it came from.")] | None = None


class Farm(Outputs, frozen=True, kw_only=True):
    egg: Annotated[Egg, about("The first.")]
    hen: Annotated[Hen, about("Or the first?")]


def test_a_type_that_holds_itself_keeps_a_definition() -> None:
    schema = schema_of(Forest)
    assert list(schema["$defs"]) == ["Branch"]
    tree = schema["properties"]["tree"]["properties"]
    assert tree["below"]["items"] == {"$ref": "#/$defs/Branch"}
    assert tree["first"] == {"$ref": "#/$defs/Branch", "description": "The first below."}
    validator = compile_schema(schema)
    deep = {"name": "a", "below": [{"name": "b", "below": [{"name": "c", "first": {"name": "d"}}]}]}
    assert validator.accepts({"tree": deep})
    deep["below"][0]["below"][0]["name"] = 5  # type: ignore[index]
    assert not validator.accepts({"tree": deep})


def test_a_reference_keeps_the_description_beside_it() -> None:
    eggs = schema_of(Egg)["properties"]["hen"]["properties"]["eggs"]
    assert eggs["items"] == {"$ref": "#/$defs/Egg", "description": "An egg."}


@pytest.mark.parametrize("model", [Branch, Egg, Hen, Farm])
def test_every_reference_has_its_definition(model: type[msgspec.Struct]) -> None:
    schema = schema_of(model)
    compile_schema(schema)
    references = {str(part["$ref"]) for part in _parts(schema) if "$ref" in part}
    assert references == {f"#/$defs/{name}" for name in schema["$defs"]}


def _parts(schema: Any) -> list[dict[str, Any]]:
    if isinstance(schema, list):
        return [found for part in schema for found in _parts(part)]
    if not isinstance(schema, dict):
        return []
    return [schema, *(found for part in schema.values() for found in _parts(part))]


# Values on their way out


class Reply(Outputs, frozen=True, kw_only=True):
    needed: Annotated[int, about("Needed.")]
    left_out: Annotated[str, about("Left out.")] | None = None
    branch: Annotated[Branch, about("A branch.")] | None = None


def test_an_output_leaves_out_what_holds_its_default() -> None:
    assert to_wire(Reply(needed=0)) == {"needed": 0}
    full = Reply(needed=1, left_out="x", branch=Branch(name="a", below=[Branch(name="b")]))
    assert to_wire(full) == {"needed": 1, "leftOut": "x", "branch": {"name": "a", "below": [{"name": "b"}]}}
    assert compile_schema(schema_of(Reply)).accepts(to_wire(full))


def test_a_schema_is_made_once() -> None:
    assert schema_of(Reply) is schema_of(Reply)


def test_the_wire_form_has_lists_where_python_has_tuples() -> None:
    class Pair(Record, frozen=True, kw_only=True):
        items: tuple[tuple[int, ...], ...]

    assert to_wire(Pair(items=((1, 2), ()))) == {"items": [[1, 2], []]}
