"""Edits change the bytes they are about and no others."""

from __future__ import annotations

from typing import Any

import pytest
from tests.unity.corpus import TEXTS, needs_corpus

from scenewright.core.faults import Invalid
from scenewright.unity.yaml.edits import Edits
from scenewright.unity.yaml.property_spans import PathStep, locate
from scenewright.unity.yaml.source import UnityFile
from scenewright.unity.yaml.writer import write_scalar

LARGE = 50_000
TEXT = """\
%YAML 1.1
--- !u!114 &1
MonoBehaviour:
  m_Name: Old
  position: {x: 0, y: 1, z: 2}
  empty: 
  bare:
  list: []
  items:
  - name: sword
    tags:
    - sharp
    - old
  - name: bow
    tags: []
  last: 'two

    lines'
--- !u!1 &2
GameObject:
  m_Name: other
"""  # noqa: W291
CHANGES: list[tuple[list[PathStep], Any, str, str]] = [
    (["m_Name"], "New", "m_Name: Old", "m_Name: New"),
    (["m_Name"], "a: b", "m_Name: Old", "m_Name: 'a: b'"),
    (["m_Name"], "é", "m_Name: Old", 'm_Name: "\\xE9"'),
    (["m_Name"], "", "m_Name: Old", "m_Name: "),
    (["position", "y"], "2.5", "y: 1", "y: 2.5"),
    (["position"], {"x": "1", "y": "2", "z": "3"}, "{x: 0, y: 1, z: 2}", "{x: 1, y: 2, z: 3}"),
    (["empty"], "full", "  empty: \n", "  empty: full\n"),
    (["bare"], "full", "  bare:\n", "  bare: full\n"),
    (["list"], ["a", "b"], "  list: []\n", "  list:\n  - a\n  - b\n"),
    (["items", 0, "tags"], [], "    tags:\n    - sharp\n    - old\n", "    tags: []\n"),
    (["items", 0, "tags", 1], "new", "    - old\n", "    - new\n"),
    (["items", 1, "tags"], ["x"], "    tags: []\n", "    tags:\n    - x\n"),
    (["items", 0, "name"], "axe", "- name: sword", "- name: axe"),
    (
        ["items", 1],
        {"name": "gun", "tags": ["loud"]},
        "  - name: bow\n    tags: []\n",
        "  - name: gun\n    tags:\n    - loud\n",
    ),
    (["last"], "one", "  last: 'two\n\n    lines'\n", "  last: one\n"),
]


@pytest.mark.parametrize("line_end", ["\n", "\r\n"], ids=["LF", "CRLF"])
@pytest.mark.parametrize(("path", "value", "old", "new"), CHANGES, ids=[f"{row[0]}={row[1]}" for row in CHANGES])
def test_a_value_is_replaced_and_nothing_else(
    path: list[PathStep], value: Any, old: str, new: str, line_end: str
) -> None:
    assert TEXT.count(old) == 1
    file = UnityFile(TEXT.replace("\n", line_end).encode())
    edits = Edits(file)
    edits.set_value(file.documents[0], path, value)
    result = edits.applied()
    assert result.data.decode() == TEXT.replace(old, new).replace("\n", line_end)
    place = locate(result.documents[0], path)
    assert place is not None
    assert place.value == value


def test_what_is_the_same_already_changes_nothing() -> None:
    file = UnityFile(TEXT.encode())
    edits = Edits(file)
    edits.set_value(file.documents[0], ["last"], "two\nlines")
    assert not edits


def _edited(work: Any) -> str:
    file = UnityFile(TEXT.encode())
    edits = Edits(file)
    work(edits, file.documents[0])
    return edits.applied().data.decode()


def test_items_come_and_go() -> None:
    path: list[PathStep] = ["items", 0, "tags"]
    assert "- sharp\n    - old\n    - new\n" in _edited(lambda edits, doc: edits.add_item(doc, path, "new"))
    assert "tags:\n    - new\n    - sharp" in _edited(lambda edits, doc: edits.add_item(doc, path, "new", at=0))
    assert "tags:\n    - old\n" in _edited(lambda edits, doc: edits.remove_item(doc, path, 0))
    assert "sword\n    tags: []\n" in _edited(lambda edits, doc: edits.remove_items(doc, path, {0, 1}))
    assert "list:\n  - {fileID: 5}\n" in _edited(lambda edits, doc: edits.add_item(doc, ["list"], {"fileID": "5"}))
    added = _edited(lambda edits, doc: edits.add_item(doc, ["items"], {"name": "gun", "at": {"x": 1, "y": 2}}))
    assert "    tags: []\n  - name: gun\n    at: {x: 1, y: 2}\n  last" in added


def test_keys_are_added_at_the_end() -> None:
    assert "lines'\n  new:\n    a: 1\n--- !u!1 &2" in _edited(
        lambda edits, doc: edits.add_entry(doc, [], "new", {"a": 1})
    )


def test_what_is_not_there_cannot_be_edited() -> None:
    for work in (
        lambda edits, doc: edits.set_value(doc, ["nothing"], 1),
        lambda edits, doc: edits.add_item(doc, ["m_Name"], 1),
        lambda edits, doc: edits.add_entry(doc, ["m_Name"], "a", 1),
    ):
        with pytest.raises(Invalid):
            _edited(work)
    with pytest.raises(ValueError, match="overlap"):
        _edited(lambda edits, doc: [edits.set_value(doc, ["m_Name"], name) for name in "ab"])


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (True, "1"),
        (False, "0"),
        (1.0, "1"),
        (0.1, "0.1"),
        (-3, "-3"),
        ("", ""),
        ("plain text", "plain text"),
        ("- x", "'- x'"),
        ("-5", "-5"),
        ("it's", "it's"),
        ("'q'", "'''q'''"),
        ("#1", "'#1'"),
        ("a #b", "'a #b'"),
        ("ends:", "'ends:'"),
        ("two\nlines", '"two\\nlines"'),
        (" lead", "' lead'"),
        ("{x}", "'{x}'"),
        ("tab\t", '"tab\\t"'),
        ("😀", '"\\U0001F600"'),
        ("€", '"\\u20AC"'),
    ],
)
def test_scalars_are_written_so_that_they_are_read_back(value: Any, text: str) -> None:
    assert write_scalar(value) == text
    document = UnityFile(f"--- !u!1 &1\nA:\n  k: {text}\n".encode()).documents[0]
    read = document.data["k"]
    assert read == (text if not isinstance(value, str) else value)


@needs_corpus
def test_an_edit_and_its_inverse_give_every_real_file_back() -> None:
    edited = 0
    for path in TEXTS:
        file = UnityFile(path.read_bytes(), path.name)
        for document in file.documents[:: max(1, len(file.documents) // 4)]:
            if document.end - document.start > LARGE:
                continue
            for key in list(document.data)[:12]:
                place = locate(document, [key])
                assert place is not None
                if place.style != "scalar":
                    continue
                there = Edits(file)
                there.set_value(document, [key], "changed: by us")
                changed = there.applied()
                now = locate(changed.document(document.file_id), [key])
                assert now is not None
                assert now.value == "changed: by us"
                back = Edits(changed)
                back.replace(now.start, now.end, file.data[place.start : place.end].decode())
                assert back.applied().data == file.data, (path, key)
                edited += 1
    assert edited > 300
