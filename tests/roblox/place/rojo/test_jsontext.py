"""JSON with comments keeps its text where its value stays."""

from __future__ import annotations

import copy
import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scenewright.roblox.place.rojo.jsontext import dumped, rewritten
from scenewright.roblox.place.rojo.modules import json_without_comments

TEXT = """// ours
{
\t"name": "x", // the name
\t"tree": {
\t\t"$className": "DataModel",
\t\t// where the sun is
\t\t"Lighting": { "$properties": { "Brightness": 2 } },
\t\t"A": { "$path": "a" }, // the first
\t\t"B": { "$path": "b" } // the last
\t},
}
"""


def after(change: Any) -> str:
    value = json_without_comments(TEXT, "a")
    change(value["tree"])
    return rewritten(TEXT, value)


def test_a_value_is_changed_in_its_place():
    assert after(lambda tree: tree["Lighting"]["$properties"].update(Brightness=3)) == TEXT.replace(": 2 }", ": 3 }")


def test_a_new_member_stands_as_its_neighbours_do():
    found = after(lambda tree: tree["Lighting"]["$properties"].update(Ambient=[1, 2]))
    assert found == TEXT.replace('"Brightness": 2 }', '"Brightness": 2, "Ambient": [1, 2] }')
    found = after(lambda tree: tree.update(C={"$path": "c"}))
    added = '"B": { "$path": "b" }, // the last\n\t\t"C": {\n\t\t\t"$path": "c"\n\t\t}\n'
    assert found == TEXT.replace('"B": { "$path": "b" } // the last\n', added)


def test_a_member_goes_with_its_comments_and_no_other():
    assert after(lambda tree: tree.pop("A")) == TEXT.replace('\t\t"A": { "$path": "a" }, // the first\n', "")
    assert after(lambda tree: tree.pop("Lighting")) == "\n".join(
        line for line in TEXT.split("\n") if "sun" not in line and "Lighting" not in line
    )
    without = TEXT.replace('\n\t\t"B": { "$path": "b" } // the last', "").replace('"a" }, //', '"a" } //')
    assert after(lambda tree: tree.pop("B")) == without


def test_of_a_list_the_items_that_stay_keep_their_text():
    text = '{"children": [\n  {"a":1},  // one\n  {"b":2}\n]}'
    assert rewritten(text, {"children": [{"a": 1}, {"c": 3}, {"b": 2}]}) == (
        '{"children": [\n  {"a":1},  // one\n  {\n    "c": 3\n  },\n  {"b":2}\n]}'
    )
    assert rewritten(text, {"children": [{"b": 2}]}) == '{"children": [\n  {"b":2}\n]}'


@pytest.mark.parametrize("newline", ["\n", "\r\n"])
def test_new_lines_end_as_the_others_do(newline: str):
    text = '{\n    "a": {}\n}\n'.replace("\n", newline)
    expected = '{\n    "a": {\n        "b": [1, 2]\n    }\n}\n'.replace("\n", newline)
    assert rewritten(text, {"a": {"b": [1, 2]}}) == expected


def test_a_new_file_has_plain_lists_on_one_line():
    assert dumped({"a": [1, 2], "b": [{"c": []}]}) == (
        '{\n  "a": [1, 2],\n  "b": [\n    {\n      "c": []\n    }\n  ]\n}'
    )


VALUES = st.recursive(
    st.none() | st.booleans() | st.integers(-9, 9) | st.sampled_from(["", 'q"//', "/*"]),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.sampled_from("abcd"), inner, max_size=4),
    max_leaves=12,
)
GAPS = st.sampled_from(["", " ", "\n", "\n  ", "// c,}\n", "/* ,] */", " // z\n"])


@st.composite
def written(draw: st.DrawFn, value: Any) -> str:
    """A value as somebody may have written it."""
    if not isinstance(value, (dict, list)):
        return json.dumps(value)
    keys = [json.dumps(key) + draw(GAPS) + ":" + draw(GAPS) for key in value] if isinstance(value, dict) else None
    inner = list(value.values()) if isinstance(value, dict) else value
    parts = [(keys[place] if keys else "") + draw(written(each)) for place, each in enumerate(inner)]
    body = ",".join(draw(GAPS) + part + draw(GAPS) for part in parts)
    loose = draw(st.sampled_from(["", ","])) if parts else ""
    opening, closing = "{}" if isinstance(value, dict) else "[]"
    return opening + body + loose + draw(GAPS) + closing


@settings(max_examples=300, deadline=None)
@given(st.data(), VALUES, VALUES)
def test_any_text_takes_any_value(data: st.DataObject, old: Any, new: Any):
    text = data.draw(written(old))
    assert rewritten(text, copy.deepcopy(old)) == text
    assert json_without_comments(rewritten(text, new), "a") == new
