"""Setting one member of a JSON file in its text, and taking it out again."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scenewright.setup.json_text import TextProblem, member, parse_json, remove_member, set_member

PATH = ("mcpServers", "scenewright")
ENTRY = {"command": "/usr/bin/x", "args": ["serve", "--project", "/a b/ü"]}
COMMENTED = """// My settings
{
\t/* the theme */ "theme": "dark", // not light
\t"mcpServers": {
\t\t"other": {"command": "npx", "args": ["-y", "x"],}, // keep "this": {
\t},
\t"url": "http://example.org/*no comment*/", // last
}
"""


def test_only_the_entry_is_new_and_every_comment_stays() -> None:
    after = set_member(COMMENTED, PATH, ENTRY)
    assert [line for line in COMMENTED.splitlines() if line not in after.splitlines()] == []
    assert parse_json(after)["mcpServers"] == {"other": {"command": "npx", "args": ["-y", "x"]}, "scenewright": ENTRY}
    assert '\t\t"scenewright": {\n\t\t\t"command"' in after


@pytest.mark.parametrize(
    "text",
    [
        "",
        "{}",
        "{\n}\n",
        '{"a": 1}',
        '{"mcpServers": {}}',
        '{"mcpServers": {"b": {}}}',
        '{\r\n  "a": 1\r\n}\r\n',
        '\ufeff{"a": 1}\n',
        '{\n    "a": 1 // one\n}',
        '{\n    "a": 1, // one\n    // two\n}',
        "{ /* nothing */ }",
        '{"mcpServers": {"scenewright": {"command": "old"}, "z": 1}}',
        '{"mcpServers": {"scenewright": {"command": "old"},},}',
        '{"a":["/x/y"],"b":[true,{"c":"//"}]}',
        '{"a": "\\"}//", "b": -1.5e3, "c": [1, {"d": null}]}',
        COMMENTED,
    ],
)
def test_any_form_takes_the_entry_and_gives_it_back(text: str) -> None:
    after = set_member(text, PATH, ENTRY)
    assert member(parse_json(after), PATH) == ENTRY
    assert set_member(after, PATH, ENTRY) == after
    assert after.startswith("\ufeff") is text.startswith("\ufeff")
    if "\r\n" in text:
        assert after.count("\n") == after.count("\r\n")
    taken = parse_json(remove_member(after, PATH))
    before = parse_json(text)
    for value in (taken, before):
        servers = value.get("mcpServers", {})
        servers.pop("scenewright", None)
        if not servers:
            value.pop("mcpServers", None)
    assert taken == before


@pytest.mark.parametrize(
    "text", ["[1]", "{", '{"a" 1}', '{"mcpServers": []}', '{"mcpServers": "x"}', "nonsense", '{"a": 1} {"b": 2}', "{]"]
)
def test_what_cannot_be_read_is_refused(text: str) -> None:
    with pytest.raises(TextProblem):
        set_member(text, PATH, ENTRY)


VALUES = st.recursive(
    st.none() | st.booleans() | st.integers(-1000, 1000) | st.text(max_size=10),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=6), inner, max_size=3),
    max_leaves=10,
)


@given(st.dictionaries(st.text(max_size=6), VALUES, max_size=4), st.sampled_from([None, 2, "\t"]))
def test_any_object_keeps_what_it_holds(value: dict[str, Any], indent: int | str | None) -> None:
    text = json.dumps(value, indent=indent)
    after = set_member(text, PATH, ENTRY)
    assert json.loads(after) == value | {"mcpServers": {"scenewright": ENTRY}}
    assert json.loads(remove_member(after, PATH)) == value | {"mcpServers": {}}


@given(st.text(alphabet='{}[]",:/*\\ \na1', max_size=40))
def test_no_text_ends_in_anything_but_an_answer(text: str) -> None:
    try:
        parse_json(set_member(text, PATH, ENTRY))
    except TextProblem:
        return
