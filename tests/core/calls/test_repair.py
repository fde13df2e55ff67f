"""What is mended in arguments, and what is left alone because it could mean two things."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from tests.conftest import Caller

from scenewright.core.calls.repair import MAX_NOTES, repair

SCHEMA: dict[str, Any] = {
    "type": "object",
    "properties": {
        "scenePath": {"type": "string"},
        "depth": {"type": "integer"},
        "node_path": {"type": "string"},
        "scale": {"type": "number"},
        "deep": {"type": "boolean"},
        "props": {"type": "object", "properties": {"nodeName": {"type": "string"}, "size": {"type": "integer"}}},
        "names": {"type": "array", "items": {"type": "integer"}},
        "anything": {},
        "either": {"anyOf": [{"type": "string"}, {"type": "integer"}]},
        "maybe": {"type": ["string", "null"]},
    },
    "required": ["depth"],
}


@pytest.mark.parametrize(
    ("given", "mended", "note"),
    [
        ({"scene_path": "a"}, {"scenePath": "a"}, "Read 'scene_path' as 'scenePath'."),
        ({"nodePath": "a"}, {"node_path": "a"}, "Read 'nodePath' as 'node_path'."),
        ({"depth": "5"}, {"depth": 5}, "Read the text in 'depth' as integer."),
        ({"depth": "-12"}, {"depth": -12}, "Read the text in 'depth' as integer."),
        ({"scale": "1.5"}, {"scale": 1.5}, "Read the text in 'scale' as number."),
        ({"scale": "-2e3"}, {"scale": -2000.0}, "Read the text in 'scale' as number."),
        ({"deep": "True"}, {"deep": True}, "Read the text in 'deep' as boolean."),
        ({"deep": "false"}, {"deep": False}, "Read the text in 'deep' as boolean."),
        ({"props": '{"size": 1}'}, {"props": {"size": 1}}, "Read the text in 'props' as object."),
        ({"names": " [1, 2]"}, {"names": [1, 2]}, "Read the text in 'names' as array."),
        ({"scenePath": None}, {}, "Left out 'scenePath', which was null."),
        ({"either": None}, {}, "Left out 'either', which was null."),
        ({"props": {"node_name": "a"}}, {"props": {"nodeName": "a"}}, "Read 'props.node_name' as 'props.nodeName'."),
        ({"props": {"size": "3"}}, {"props": {"size": 3}}, "Read the text in 'props.size' as integer."),
        ({"names": {"x": 1, "y": 2}}, {"names": [1, 2]}, "Read 'names' as [1, 2]."),
        ({"names": "Vector3i(1, -2, 3)"}, {"names": [1, -2, 3]}, "Read 'names' as [1, -2, 3]."),
        ({"names": [1, "2"]}, {"names": [1, 2]}, "Read the text in 'names[1]' as integer."),
    ],
)
def test_what_has_one_meaning_is_mended_and_told(given: Any, mended: Any, note: str) -> None:
    before = dict(given)
    assert repair(given, SCHEMA) == (mended, [note])
    assert given == before


@pytest.mark.parametrize("given", ["nodePath", "instancePath", "gameObjectPath", "hierarchyPath"])
@pytest.mark.parametrize("name", ["nodePath", "gameObjectPath", "hierarchyPath"])
def test_an_object_is_named_as_any_engine_names_it(given: str, name: str) -> None:
    schema = {"type": "object", "properties": {name: {"type": "string"}}}
    assert repair({given: "Enemies/Grunt"}, schema)[0] == {name: "Enemies/Grunt"}


@pytest.mark.parametrize("name", ["namePattern", "nameContains"])
def test_a_name_is_looked_for_where_only_part_of_one_is_taken(name: str) -> None:
    schema = {"type": "object", "properties": {name: {"type": "string"}}}
    assert repair({"name": "Grunt"}, schema) == ({name: "Grunt"}, [f"Read 'name' as '{name}'."])


@pytest.mark.parametrize(
    "given",
    [
        {"scene_path": "a", "scenePath": "b"},
        {"ScenePath": "a"},
        {"scene_path_": "a"},
        {"_scene_path": "a"},
        {"scene__path": "a"},
        {"no_such": 1},
        {"depth": "5.0"},
        {"depth": "5.5"},
        {"depth": "007"},
        {"depth": "٣"},
        {"depth": "1e3"},
        {"depth": "9" * 30},
        {"depth": ""},
        {"depth": " 5"},
        {"depth": None},
        {"depth": 5.5},
        {"depth": True},
        {"scale": "NaN"},
        {"scale": "Infinity"},
        {"scale": "1e999"},
        {"scale": "1,5"},
        {"deep": "yes"},
        {"deep": 1},
        {"props": "[1]"},
        {"props": "{"},
        {"props": "{" * 5000},
        {"names": '{"a": 1}'},
        {"names": "[NaN]"},
        {"names": "1"},
        {"anything": "5"},
        {"anything": None},
        {"either": "5"},
        {"maybe": None},
        {"scenePath": "5"},
    ],
)
def test_what_could_mean_two_things_is_left_alone(given: dict[str, Any]) -> None:
    assert repair(given, SCHEMA) == (given, [])


ALSO = {"path": "scenePath", "label": "props.nodeName", "number": "names"}


@pytest.mark.parametrize(
    ("given", "mended", "note"),
    [
        ({"path": "a"}, {"scenePath": "a"}, "Read 'path' as 'scenePath'."),
        ({"label": "a"}, {"props": {"nodeName": "a"}}, "Read 'label' as 'props.nodeName'."),
        (
            {"label": "a", "props": {"size": 1}},
            {"props": {"size": 1, "nodeName": "a"}},
            "Read 'label' as 'props.nodeName'.",
        ),
        ({"number": 1}, {"names": [1]}, "Read 'number' as 'names'."),
        ({"number": [1, 2]}, {"names": [1, 2]}, "Read 'number' as 'names'."),
    ],
)
def test_a_parameter_answers_to_its_other_names(given: Any, mended: Any, note: str) -> None:
    before = dict(given)
    assert repair(given, SCHEMA, ALSO) == (mended, [note])
    assert given == before


@pytest.mark.parametrize(
    "given",
    [
        {"path": "a", "scenePath": "b"},
        {"label": "a", "props": {"nodeName": "b"}},
        {"label": "a", "props": "text"},
        {"number": 1, "names": [2]},
    ],
)
def test_what_is_given_under_both_names_is_left_for_the_check_to_refuse(given: dict[str, Any]) -> None:
    assert repair(given, SCHEMA, ALSO) == (given, [])


def test_a_whole_number_may_be_written_as_a_fraction() -> None:
    mended, notes = repair({"depth": 5.0, "names": [2.0]}, SCHEMA)
    assert (mended, notes) == ({"depth": 5, "names": [2]}, [])
    assert type(mended["depth"]) is int


def test_of_very_many_repairs_only_some_are_told() -> None:
    mended, notes = repair({"names": ["1"] * 1000}, SCHEMA)
    assert mended == {"names": [1] * 1000}
    assert len(notes) == MAX_NOTES + 1
    assert notes[-1] == f"{1000 - MAX_NOTES} more repairs of this kind."


@pytest.mark.anyio
async def test_a_repair_shows_as_a_warning_in_the_reply(caller: Caller, project: Path) -> None:
    (project / "a.txt").write_text("one two")
    reply = await caller.reply("read_file", {"path": "a.txt", "max_chars": "3", "offset": None})
    assert reply.structured is not None
    assert reply.structured["result"]["text"] == "one"
    assert reply.structured["warnings"] == [
        "Read 'max_chars' as 'maxChars'.",
        "Read the text in 'maxChars' as integer.",
        "Left out 'offset', which was null.",
    ]


@pytest.mark.anyio
async def test_two_spellings_of_one_parameter_are_an_error(caller: Caller) -> None:
    reply = await caller.reply("read_file", {"path": "a.txt", "max_chars": 3, "maxChars": 4})
    assert reply.structured is not None
    assert reply.structured["error"]["details"]["path"] == "input.max_chars"


@pytest.mark.anyio
async def test_text_that_turns_out_bottomless_is_refused(caller: Caller) -> None:
    deep = "[" * 500 + "]" * 500
    for arguments in ({"operations": f'[{{"tool": "core.ping", "args": {{"x": {deep}}}}}]'}, {"operations": deep}):
        reply = await caller.reply("batch_operations", arguments)
        assert reply.structured is not None
        assert reply.structured["error"]["details"]["rule"] == "maxDepth"


def test_names_are_mended_at_every_depth_of_a_tree() -> None:
    tree = {
        "type": "object",
        "properties": {"uniqueName": {}, "children": {"type": "array", "items": {"$ref": "#/$defs/T"}}},
    }
    schema = {"type": "object", "properties": {"tree": {"$ref": "#/$defs/T"}}, "$defs": {"T": tree}}
    mended, notes = repair({"tree": {"children": [{"children": [{"unique_name": True}]}]}}, schema)
    assert mended == {"tree": {"children": [{"children": [{"uniqueName": True}]}]}}
    assert len(notes) == 1


@pytest.mark.parametrize(
    ("given", "mended"),
    [
        ({"groups": "enemies"}, {"groups": ["enemies"]}),
        ({"groups": "a, b"}, {"groups": "a, b"}),  # which could be two
        ({"groups": ""}, {"groups": ""}),
        ({"scene": {"$path": "res://a.tscn"}}, {"scene": "res://a.tscn"}),
        ({"props": {"a": 1}}, {"properties": {"a": 1}}),
        ({"props": {"a": 1}, "properties": {}}, {"props": {"a": 1}, "properties": {}}),
        ({"wires": [{"from": "A", "to": "B"}]}, {"wires": [{"source": "A", "target": "B"}]}),
    ],
)
def test_other_words_for_one_thing_are_read_as_it(given: dict[str, Any], mended: dict[str, Any]) -> None:
    wire = {"type": "object", "properties": {"source": {"type": "string"}, "target": {"type": "string"}}}
    schema = {
        "type": "object",
        "properties": {
            "groups": {"type": "array", "items": {"type": "string"}},
            "scene": {"type": "string"},
            "properties": {"type": "object"},
            "wires": {"type": "array", "items": wire},
        },
    }
    assert repair(given, schema)[0] == mended
