"""Unity's YAML means what PyYAML's base loader says it means, and more where that one gives up."""

from __future__ import annotations

import pytest
import yaml
from tests.unity.conftest import GAME

from scenewright.unity.yaml.parser import ParseError, parse
from scenewright.unity.yaml.source import UnityFile, kind_of, read_meta

SAMPLES = {
    "scalars stay text": "A:\n  guid: 00000000000000001000000000000000\n  m_Name: No\n  time: 12:30:45\n  n: 0x10\n",
    "references": "A:\n  a: {fileID: 0}\n  b: {fileID: -123, guid: abc, type: 3}\n  c: {}\n  d: []\n  e: [a, b]\n",
    "nested flow": "A:\n  a: {b: {c: 1}, d: [1, {e: 2}], f: 'x, y', g: \"a: b\"}\n",
    "a flow over two lines": "A:\n  a: {fileID: 1, guid: abc,\n    type: 3}\n  b: 1\n",
    "a list beside its key": "A:\n  m_Component:\n  - c: {fileID: 1}\n  - c: {fileID: 2}\n  m_Layer: 0\n",
    "a list below its key": "A:\n  list:\n    - a\n    - b\n  c: d\n",
    "lists in lists": "A:\n  l:\n  - - a\n    - b\n  - - c\n",
    "mappings in lists": "A:\n  l:\n  - first: 1\n    second:\n      version: 2\n      m:\n      - x\n  - first: 2\n",
    "empty items": "A:\n  layers:\n  - Default\n  - \n  -\n  - Water\n  tags: []\n",
    "empty values": "A:\n  a: \n  b:\n  c: 1\n",
    "folded plain": "A:\n  m_Name: a long\n    name over\n    lines\n  b: 1\n",
    "folded plain with a blank line": "A:\n  t: one\n\n    two\n  b: 1\n",
    "folded single": "A:\n  t: 'it''s\n\n    two'\n  b: 1\n",
    "a quote that closes in column 0": "A:\n  - value: 'Behind\n\n'\n    o: {fileID: 0}\n",
    "folded double": 'A:\n  t: "one\n    two\\\n    three"\n  b: 1\n',
    "escapes": 'A:\n  t: "\\xE9\\u20AC\\U0001F600 \\" \\\\ \\n\\t"\n',
    "quoted list items": "A:\n  l:\n  - 'a: b'\n  - \"c\n    d\"\n  - 'it''s'\n",
    "quoted keys": "A:\n  'a b': 1\n  \"c: d\": 2\n  e f: 3\n  -1: x\n",
    "keys with other characters": "A:\n  near clip plane: 0.3\n  a.b-c[0]: 1\n  _Color (x): {r: 1}\n",
    "colons in plain text": "A:\n  path: http://host:80/a\n  l:\n  - 12:30\n",
    "literal blocks": "A:\n  a: |\n    one\n      two\n  b: |-\n    x\n  c: 1\n",
    "trailing spaces": "A:\n  a: b   \n  c: 'd'  \n  e: {f: 1}  \n",
    "Windows line ends": "A:\r\n  a: 1\r\n  b:\r\n  - {c: 2}\r\n  d: 'x\r\n\r\n    y'\r\n",
}


@pytest.mark.parametrize("text", SAMPLES.values(), ids=SAMPLES.keys())
def test_it_means_what_the_base_loader_says(text: str) -> None:
    assert parse(text) == yaml.load(text, Loader=yaml.CBaseLoader)


def test_a_key_may_be_empty_where_the_base_loader_gives_up() -> None:
    text = "A:\n  symbols:\n    1: X\n    : LEGACY\n    7: Y\n  b: 1\n"
    with pytest.raises(yaml.YAMLError):
        yaml.load(text, Loader=yaml.CBaseLoader)
    assert parse(text) == {"A": {"symbols": {"1": "X", "": "LEGACY", "7": "Y"}, "b": "1"}}


def test_an_empty_document_is_empty() -> None:
    assert parse("") == parse("\n\n") == {}


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("A:\n  a: {b: 1\n", "Line 2: a bracket is never closed"),
        ("A:\n  a: 'x\n", "Line 2: a quoted text is never closed"),
        ("A:\n    a: 1\n  b: 2\n", "the indentation fits nothing above"),
        ("A:\n  a: {b 1}\n", "':' expected"),
        ("A:\n  a: [b: 1]\n", "',' or ']' expected"),
    ],
)
def test_what_is_broken_is_refused_with_its_line(text: str, says: str) -> None:
    with pytest.raises(ParseError) as refused:
        parse(text)
    assert says in refused.value.message


def test_a_broken_document_names_the_line_of_its_file() -> None:
    file = UnityFile(b"%YAML 1.1\n--- !u!1 &1\nA:\n  a: 1\n--- !u!1 &2\nB:\n  b: {c\n", "x.asset")
    assert file.documents[0].data == {"a": "1"}
    with pytest.raises(ParseError, match=r"'x.asset', line 7") as refused:
        _ = file.documents[1].data
    assert refused.value.line == 7


def test_the_small_game_means_what_the_base_loader_says() -> None:
    files = [path for path in GAME.rglob("*") if path.is_file() and kind_of(path.read_bytes()) == "text"]
    assert len(files) > 10
    for path in files:
        for document in UnityFile(path.read_bytes()).documents:
            if "LEGACY_DEFINE" not in document.text:  # below an empty key
                assert document.tree == yaml.load(document.text, Loader=yaml.CBaseLoader), path


def test_a_meta_file_is_one_document_without_a_header() -> None:
    meta = read_meta((GAME / "Assets/Textures/red.png.meta").read_bytes())
    assert meta["guid"] == "7e000000000000000000000000000001"
    assert meta["TextureImporter"]["mipmaps"] == {"mipMapMode": "0", "enableMipMap": "1"}
    with pytest.raises(ParseError):
        read_meta(b"- a\n")
