"""Every property's place is known to the byte."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from scenewright.unity.yaml.property_spans import PathStep, locate, property_path
from scenewright.unity.yaml.source import UnityFile

TEXT = """\
%YAML 1.1
--- !u!114 &1
MonoBehaviour:
  m_Name: "\\u00e9"
  ünï: täxt  
  position: {x: 0, y: -1.5, z: {a: 'q, r'}}
  empty: 
  bare:
  list: []
  items:
  - name: sword
    count: 1
    tags:
    - sharp
    - 'old

'
  - {fileID: 5, guid: abc}
  - - deep
    - deeper
  - 
  plain: one
    two
  last: 1
--- !u!1 &2
GameObject:
  m_Name: other
"""  # noqa: W291
EXPECTED: list[tuple[list[PathStep], str, str]] = [
    (["m_Name"], '"\\u00e9"', "scalar"),
    (["ünï"], "täxt", "scalar"),
    (["position"], "{x: 0, y: -1.5, z: {a: 'q, r'}}", "flow"),
    (["position", "y"], "-1.5", "scalar"),
    (["position", "z", "a"], "'q, r'", "scalar"),
    (["empty"], "", "empty"),
    (["bare"], "", "empty"),
    (["list"], "[]", "flow"),
    (["items", 0, "count"], "1", "scalar"),
    (["items", 0, "name"], "sword", "scalar"),
    (["items", 0, "tags", 1], "'old\n\n'", "scalar"),
    (["items", 1], "{fileID: 5, guid: abc}", "flow"),
    (["items", 1, "guid"], "abc", "scalar"),
    (["items", 2, 1], "deeper", "scalar"),
    (["items", 3], "", "empty"),
    (["plain"], "one\n    two", "scalar"),
    (["last"], "1", "scalar"),
]


@pytest.mark.parametrize("line_end", ["\n", "\r\n"], ids=["LF", "CRLF"])
@pytest.mark.parametrize(("path", "text", "style"), EXPECTED, ids=[str(row[0]) for row in EXPECTED])
def test_the_place_of_a_value(path: list[PathStep], text: str, style: str, line_end: str) -> None:
    data = TEXT.replace("\n", line_end).encode()
    place = locate(UnityFile(data).documents[0], path)
    assert place is not None
    assert data[place.start : place.end] == text.replace("\n", line_end).encode()
    assert place.style == style
    entry = data[place.entry : place.after]
    assert entry.endswith(line_end.encode())
    assert data[place.entry - 1 : place.entry] == b"\n"


def test_a_block_is_the_lines_below_its_key() -> None:
    data = TEXT.encode()
    place = locate(UnityFile(data).documents[0], ["items", 0, "tags"])
    assert place is not None
    assert data[place.start : place.end] == b"    - sharp\n    - 'old\n\n'\n"
    assert place.value == ["sharp", "old\n"]
    item = locate(UnityFile(data).documents[0], ["items", 0])
    assert item is not None
    assert item.style == "block"
    assert data[item.entry : item.after].startswith(b"  - name: sword\n    count")
    assert item.value["count"] == "1"


@pytest.mark.parametrize(
    "path", [["nothing"], ["m_Name", "x"], ["items", 9], ["items", 0, 0], ["position", "w"], ["position", "x", "y"]]
)
def test_what_is_not_written_has_no_place(path: list[PathStep]) -> None:
    assert locate(UnityFile(TEXT.encode()).documents[0], path) is None


def _all_paths(value: Any, path: list[PathStep]) -> Iterator[tuple[list[PathStep], Any]]:
    yield path, value
    if isinstance(value, dict):
        for key, item in value.items():
            yield from _all_paths(item, [*path, key])
    if isinstance(value, list):
        for number, item in enumerate(value):
            yield from _all_paths(item, [*path, number])


def test_every_place_holds_the_value_that_parsing_finds() -> None:
    document = UnityFile(TEXT.encode()).documents[0]
    for path, value in _all_paths(document.data, []):
        place = locate(document, path)
        assert place is not None, path
        assert place.value == value, path


@pytest.mark.parametrize(
    ("text", "steps"),
    [
        ("m_LocalPosition.x", ["m_LocalPosition", "x"]),
        ("m_Materials.Array.data[0]", ["m_Materials", 0]),
        ("items[1].tags[0]", ["items", 1, "tags", 0]),
        ("near clip plane", ["near clip plane"]),
    ],
)
def test_a_property_path_is_read_as_the_engine_writes_it_or_shorter(text: str, steps: list[PathStep]) -> None:
    assert property_path(text) == steps
