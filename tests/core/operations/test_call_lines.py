"""A call in one line, at three lengths."""

from __future__ import annotations

from typing import Any

from scenewright.core.operations.call_lines import form_of, outline, signature, whole

NODE: dict[str, Any] = {
    "type": "object",
    "properties": {"name": {"type": "string"}, "children": {"type": "array", "items": {"$ref": "#/$defs/Node"}}},
    "required": ["name"],
}
SCHEMA: dict[str, Any] = {
    "type": "object",
    "properties": {
        "mode": {"enum": ["a", "b"], "type": "string", "default": "b"},
        "path": {"type": "string"},
        "tree": NODE,
        "size": {"description": "Width and height."},
        "limit": {"type": "integer", "default": 20},
        "deep": {"type": "boolean", "default": False},
        "names": {"type": "array", "items": {"type": "string"}},
        "read": {"type": "object", "additionalProperties": {"type": "array", "items": {"type": "string"}}},
        "loop": {"anyOf": [{"type": "boolean"}, {"enum": ["none", "linear"]}]},
    },
    "required": ["path", "tree"],
    "$defs": {"Node": NODE},
}


def test_the_whole_call_says_what_is_inside_of_values() -> None:
    assert whole("make", SCHEMA, {"size": "[w,h]"}) == (
        "make(path,tree:{name,children?:[{same}]},mode?:a|b=b,size?:[w,h],limit?=20,deep?:bool,names?:[text],"
        "read?:{name:[text]},loop?:bool|none|linear)"
    )


def test_a_form_goes_by_its_name_or_by_its_path() -> None:
    assert "{name:%Name,children?" in whole("make", SCHEMA, {"tree.name": "%Name"})


def test_a_long_form_that_an_earlier_line_told_is_named() -> None:
    fields = {f"field{number}": {"type": "integer"} for number in range(9)}
    schema = {"type": "object", "properties": {"tiles": {"type": "array", "items": NODE | {"properties": fields}}}}
    told: dict[str, str] = {}
    assert "tiles?:[{field0?:int" in whole("create", schema, {}, told)
    assert whole("edit", schema, {}, told) == "edit(tiles?:as in create())"


def test_the_outline_has_few_words_and_the_signature_defaults() -> None:
    assert outline("make", SCHEMA) == "make(path,tree:{},mode?,…)"
    assert signature("make", SCHEMA).startswith("make(mode?:a|b=b, path, tree:{}, size?, limit?=20, deep?=false")


def test_the_form_of_a_value_that_may_be_anything_is_nothing() -> None:
    kinds = ("string", "number", "boolean", "object", "array", "null")
    assert form_of({"anyOf": [{"type": kind} for kind in kinds]}) == ""
    assert form_of({"type": "object", "properties": {"a": {"type": "string"}}}) == "{a?}"
