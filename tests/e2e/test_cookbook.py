"""The cookbook, and guides with such calls, show what happens: each call is carried out again, its reply compared."""

from __future__ import annotations

from pathlib import Path

import pytest
from scripts.cookbook import MOST_BYTES, carry_out, guides, recipes, steps_of
from tests.e2e.tools import godot

PAGES = [*recipes(), *guides()]
INDEX = Path(__file__).parents[2] / "docs" / "cookbook.md"


@pytest.mark.godot
@pytest.mark.xdist_group("godot")
@pytest.mark.parametrize("page", PAGES, ids=[page.stem for page in PAGES])
def test_a_page_shows_what_happens(page: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GODOT_PATH", godot())
    steps = list(steps_of(page))
    replies = carry_out(page)
    found = [
        "\n".join([f"{step.place} {step.tool}", *reply.lines])
        for step, reply in zip(steps, replies, strict=True)
        if not step.is_answered_by(reply.lines)
    ]
    assert not found, "\n\n".join(found)


def test_each_recipe_has_its_picture_and_its_line_in_the_list() -> None:
    assert len(recipes()) == 10
    index = INDEX.read_text(encoding="utf-8")
    for page in recipes():
        picture = page.with_suffix(".webp")
        assert 0 < picture.stat().st_size <= MOST_BYTES
        assert f"]({picture.name})" in page.read_text(encoding="utf-8")
        assert f"](cookbook/{page.name})" in index
        assert all(step.shown for step in steps_of(page))
