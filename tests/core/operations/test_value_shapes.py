"""What a value is to look like, in one line."""

from __future__ import annotations

from typing import Any

import pytest

from scenewright.core.operations.value_shapes import follow, shape

ANY = {"anyOf": [{"type": kind} for kind in ("string", "number", "boolean", "object", "array", "null")]}
PLACE = {
    "type": "object",
    "properties": {"note": {"type": "string"}, "at": ANY, "layer": {"type": "integer"}, "mode": {"enum": ["a", "b"]}},
    "required": ["layer"],
}


@pytest.mark.parametrize(
    ("schema", "says"),
    [
        ({"type": "string"}, "text"),
        ({"type": "boolean"}, "true|false"),
        (ANY, "value"),
        ({}, "value"),
        ({"anyOf": [{"type": "string"}, {"type": "array"}]}, "text or [value, …]"),
        ({"enum": list(range(20))}, "0|1|2|3|4|5|6|7|8|9|10|11|…"),
        ({"type": "object"}, "{…}"),
        (PLACE, "{layer: whole number, note?, at?, mode?: a|b}"),
        ({"type": "array", "items": PLACE}, "[{layer: whole number, note?, at?, mode?: a|b}, …]"),
        ({"type": "array", "items": {"type": "array", "items": PLACE}}, "[[{…}, …], …]"),
    ],
)
def test_a_schema_is_said_in_one_line(schema: dict[str, Any], says: str) -> None:
    assert shape(schema, schema) == says


def test_the_way_to_a_value_leads_through_lists_and_references() -> None:
    root = {
        "type": "object",
        "properties": {"tree": {"$ref": "#/$defs/node"}},
        "$defs": {"node": {"type": "object", "properties": {"below": {"type": "array", "items": PLACE}}}},
    }
    assert follow(root, ["tree", "below", 3, "mode"])[-2:] == [PLACE, {"enum": ["a", "b"]}]
    assert len(follow(root, ["tree", "beside", 3])) == 2
