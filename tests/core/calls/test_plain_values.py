"""What is said to fit without the library fits with it too."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scenewright.app import catalogues
from scenewright.core.calls.plain_values import is_plainly_valid
from scenewright.core.calls.validation import compile_schema
from scenewright.core.operations.registry import build_registry

SCHEMAS = [operation.input_schema for operation in build_registry(catalogues(), verified=True).operations.values()]
SCHEMA: dict[str, Any] = {
    "type": "object",
    "properties": {
        "name": {"type": "string", "minLength": 1, "maxLength": 3, "description": "A name."},
        "form": {"type": "string", "enum": ["a", "b"], "default": "a"},
        "size": {"type": "number", "minimum": 0, "maximum": 10},
        "count": {"type": ["integer", "null"]},
        "whole": {"type": "boolean"},
        "tags": {"type": "array", "items": {"type": "string"}, "maxItems": 2},
        "any": {},
        "place": {"type": "object", "properties": {"x": {"type": "number"}}},
        "odd": {"type": "string", "pattern": "^a"},
    },
    "required": ["name"],
    "additionalProperties": False,
}
VALUES = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-2, 12)
    | st.integers()
    | st.floats(-1, 11)
    | st.floats()
    | st.sampled_from(["", "a", "b", "ab", "abcd", "äöü"]),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(["x", "y"]), inner, max_size=2),
    max_leaves=4,
)


@given(st.dictionaries(st.sampled_from([*SCHEMA["properties"], "other"]), VALUES, max_size=4))
def test_what_plainly_fits_fits(arguments: dict[str, Any]) -> None:
    if is_plainly_valid(SCHEMA, arguments):
        assert compile_schema(SCHEMA).accepts(arguments)


@given(st.data())
def test_what_plainly_fits_an_operation_fits(data: st.DataObject) -> None:
    schema = data.draw(st.sampled_from(SCHEMAS))
    names = sorted(schema.get("properties", {})) or ["other"]
    needed = dict.fromkeys(schema.get("required", ()), VALUES)
    further = st.dictionaries(st.sampled_from([*names, "other"]), VALUES, max_size=3)
    arguments = data.draw(st.fixed_dictionaries(needed)) | data.draw(further)
    if is_plainly_valid(schema, arguments):
        assert compile_schema(schema).accepts(arguments)


@pytest.mark.parametrize(
    "arguments",
    [
        {"name": "a"},
        {"name": "äöü", "form": "b", "size": 10, "count": None, "whole": False, "tags": []},
        {"name": "ab", "size": 0.5, "count": 7, "tags": ["x", ""]},
    ],
)
def test_plain_arguments_need_no_library(arguments: dict[str, Any]) -> None:
    assert is_plainly_valid(SCHEMA, arguments)
    assert compile_schema(SCHEMA).accepts(arguments)


@pytest.mark.parametrize(
    "further",
    [
        *({"name": name} for name in ("", "abcd", 1, None, ["a"])),
        *({"form": form} for form in ("c", 1, None)),
        *({"size": size} for size in (-1, 11, True, "1", float("nan"), float("inf"), 2**60)),
        *({"count": count} for count in (1.5, True, "1")),
        *({"tags": tags} for tags in ("a", [1], ["a", "b", "c"], [["a"]], None)),
        *({"any": 1}, {"place": {}}, {"odd": "a"}, {"other": 1}, {"whole": 1}),
    ],
)
def test_what_is_not_plain_is_left_to_the_library(further: dict[str, Any]) -> None:
    assert not is_plainly_valid(SCHEMA, {"name": "a"} | further)


def test_what_is_required_must_be_there() -> None:
    assert not is_plainly_valid(SCHEMA, {"form": "a"})


def test_a_schema_of_another_form_says_nothing() -> None:
    assert not is_plainly_valid({"type": "object", "minProperties": 1}, {})
    assert not is_plainly_valid({"type": "object", "additionalProperties": {"type": "string"}}, {})
    assert not is_plainly_valid({"type": "string"}, {})
