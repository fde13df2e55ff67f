"""docs/contracts.md presents five documents, and each file and folder that it names is there."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "contracts.md").read_text(encoding="utf-8")
SECTIONS = {part.splitlines()[0]: part for part in re.split(r"^## ", PAGE, flags=re.MULTILINE)[1:]}
PLACES = sorted(set(re.findall(r"`((?:src|tests)/[^`]+)`", PAGE)))


@pytest.mark.parametrize("place", PLACES)
def test_each_place_is_there(place: str) -> None:
    path = ROOT / place
    assert path.is_dir() if place.endswith("/") else path.is_file()


@pytest.mark.parametrize("name", ["godot-mcp-omni", "Gox", "EditorMCP", "Godoty", "godot-mcp-unified"])
def test_each_document_has_its_code_its_tests_and_its_differences(name: str) -> None:
    (section,) = (text for title, text in SECTIONS.items() if name in title)
    for part in ("**What it is.**", "**What we serve.**", "**Where we differ.**", "**Where we go beyond.**"):
        assert part in section
    assert re.search(r"^\| `src/", section, re.MULTILINE)
    assert re.search(r"^\| `tests/", section, re.MULTILINE)


def test_the_overview_leads_to_every_section() -> None:
    anchors = {re.sub(r"[^\w -]", "", title.lower()).replace(" ", "-") for title in SECTIONS}
    assert set(re.findall(r"\]\(#([^)]+)\)", PAGE)) == anchors
