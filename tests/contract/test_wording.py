"""Title case and sentences."""

from __future__ import annotations

import pytest

from scenewright.contracts.editormcp.wording import count_sentences, is_title_case


@pytest.mark.parametrize(
    "name",
    [
        "Ping",
        "List Project Scenes",
        "MCP Server Info",
        "Undo to Entry",
        "UIDs of a Scene",
        "Convert 3 to 4",
        "2D View",
        "Export for iOS",
        "Read-Only Mode",
        "Read/Write File",
        "Öffne Datei",
        "Bake (Slow)",
    ],
)
def test_title_case(name: str) -> None:
    assert is_title_case(name)


@pytest.mark.parametrize(
    "name", ["", "ping", "List project scenes", "list Project Scenes", "the Scene", "Scenes of", "…", "3 scenes"]
)
def test_not_title_case(name: str) -> None:
    assert not is_title_case(name)


@pytest.mark.parametrize(
    ("text", "count"),
    [
        ("Lists files.", 1),
        ("Lists files. Reads them.", 2),
        ("Is it there? It is! Good.", 3),
        ("One. Two. Three. Four.", 4),
        ("Works with Godot 4.3 and .tscn files.", 1),
        ("Takes a path (e.g. 'a.tscn', i.e. a scene).", 1),
        ("Takes a path, e.g. Main.", 1),
        ("Lists scenes, scripts etc. in one go.", 1),
        ("Lists scenes, scripts etc.", 1),
        ("Lists scenes etc. Reads them.", 2),
        ("Returns max. 5 hits.", 1),
        ('Says "go." Then goes.', 2),
        ("Runs it (and waits.)", 1),
        ("Waits... Then goes.", 2),
        ("Lists files.\n", 1),
        ("", 0),
        ("Lists files", 0),
        ("Lists files. and then", 0),
    ],
)
def test_sentences_are_counted(text: str, count: int) -> None:
    assert count_sentences(text) == count
