"""A call's arguments as a person types them, in any shell."""

from __future__ import annotations

import io
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scenewright.cli.arguments import is_argument, read_arguments
from scenewright.core.config import ConfigError

SCHEMA = {
    "properties": {
        "path": {"type": "string"},
        "note": {"anyOf": [{"type": "string"}, {"type": "null"}]},
        "value": {},
        "count": {"type": "integer"},
    }
}


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        ([], {}),
        (['{"path": "a"}'], {"path": "a"}),
        (["path=a b", "count=3"], {"path": "a b", "count": 3}),
        (["path=123", "note=true", "value=123"], {"path": "123", "note": "true", "value": 123}),
        (["path:=123"], {"path": 123}),
        (["value=Vector2(1, 2)"], {"value": "Vector2(1, 2)"}),
        (["value=a=b"], {"value": "a=b"}),
        (["value="], {"value": ""}),
        (["value=-1"], {"value": -1}),
        (["value=@@home"], {"value": "@home"}),
        (["props.position=[8,4]", "props.visible=false"], {"props": {"position": [8, 4], "visible": False}}),
        (["nodes.0.name=A", "nodes.1.name=B"], {"nodes": [{"name": "A"}, {"name": "B"}]}),
        (["nodes.1.name=B"], {"nodes": {"1": {"name": "B"}}}),
    ],
)
def test_words_become_the_arguments_that_their_parameters_take(words: list[str], expected: dict[str, Any]) -> None:
    assert read_arguments(words, SCHEMA) == expected


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["path"], "KEY=VALUE"),
        (["path=a", "path=b"], "twice"),
        (["a=1", "a.b=2"], "part of it"),
        (["a.b=2", "a=1"], "twice"),
        (["value:={"], "not valid JSON"),
        (["a..b=1"], "no name"),
        ([".".join("a" * 30) + "=1"], "no name"),
        (["value=@none.txt"], "none.txt"),
        (["'{path:"], "path=notes.txt"),
        (["[1]"], "JSON object"),
        (["[" * 100_000], "not valid JSON|too deeply"),
    ],
)
def test_what_cannot_be_meant_is_refused_with_the_form_that_is(words: list[str], said: str) -> None:
    with pytest.raises(ConfigError, match=said):
        read_arguments(words, SCHEMA)


def test_a_value_comes_from_a_file_or_standard_input(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "text.gd").write_bytes("\ufeffextends Node\n".encode())
    (tmp_path / "list.json").write_text("[1, 2]")
    monkeypatch.setattr("sys.stdin", io.StringIO("typed"))
    words = [f"path=@{tmp_path}/text.gd", f"value=@{tmp_path}/list.json", "note=-"]
    assert read_arguments(words, SCHEMA) == {"path": "extends Node\n", "value": [1, 2], "note": "typed"}


@given(st.text(max_size=30))
def test_any_text_reaches_a_parameter_for_text_as_it_is(text: str) -> None:
    if text.startswith("@") or text == "-":
        text = f"a{text}"
    assert read_arguments([f"path={text}"], SCHEMA) == {"path": text}


@pytest.mark.parametrize(("word", "expected"), [("a=1", True), ("-", True), ("--yes", False), ("-x=1", False)])
def test_an_option_is_no_argument(word: str, expected: bool) -> None:
    assert is_argument(word) is expected
