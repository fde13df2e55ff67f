from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from tests.conftest import Caller, MakeCaller

pytestmark = [pytest.mark.anyio, pytest.mark.godot, pytest.mark.xdist_group("godot-engines")]

HERO = """## A hero.
##
## Walks and [b]jumps[/b]; see [Node] and [method jump].
class_name Hero
extends Node2D

## When it is hit.
signal hit(by: int)

## What it does.
enum State { IDLE, RUN }

## Speed in px/s.
@export var speed: float = 3.0


## Jumps [param high].
func jump(high: float = 2.0) -> bool:
	return high > 1
"""
RST = """Hero
====

Inherits ``Node2D``.

A hero.

Walks and **jumps**; see ``Node`` and ``jump``.

Properties
----------

``speed: float = 3.0``
~~~~~~~~~~~~~~~~~~~~~~

Speed in px/s.

Methods
-------

``jump(high: float = 2.0) -> bool``
~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~

Jumps ``high``.

Signals
-------

``hit(by: int)``
~~~~~~~~~~~~~~~~

When it is hit.

Constants
---------

``IDLE = 0 (enum State)``
~~~~~~~~~~~~~~~~~~~~~~~~~

``RUN = 1 (enum State)``
~~~~~~~~~~~~~~~~~~~~~~~~
"""


async def result(caller: Caller, **arguments: Any) -> dict[str, Any]:
    structured = (await caller.reply("generate_docs", arguments)).structured
    assert structured is not None
    assert structured["ok"], structured
    found: dict[str, Any] = structured["result"]
    return found


@pytest.fixture
def written(game: Path) -> Path:
    (game / "hero.gd").write_text(HERO)
    (game / "units").mkdir()
    (game / "units" / "knight.gd").write_text("## Has a horse.\nextends Hero\n")
    return game


async def test_each_script_gets_a_page_of_the_engines_own_form(make_caller: MakeCaller, written: Path) -> None:
    done = await result(make_caller())
    assert done == {"files": ["docs/api/Hero.xml", "docs/api/units--knight.gd.xml"], "errors": []}
    assert "Speed in px/s." in (written / "docs" / "api" / "Hero.xml").read_text()


async def test_pages_can_be_rst(make_caller: MakeCaller, written: Path) -> None:
    done = await result(make_caller(), format="rst", outputPath="res://manual")
    assert done["files"] == ["manual/Hero.rst", "manual/units--knight.gd.rst"]
    assert (written / "manual" / "Hero.rst").read_text() == RST


async def test_pages_can_be_markdown_and_an_undo_takes_them_away(make_caller: MakeCaller, written: Path) -> None:
    caller = make_caller()
    await result(caller, format="markdown")
    page = (written / "docs" / "api" / "Hero.md").read_text()
    assert "# Hero\n\nInherits `Node2D`." in page
    assert "### `jump(high: float = 2.0) -> bool`\n\nJumps `high`." in page
    assert (await caller.run("history_undo")).ok
    assert not (written / "docs").exists()


async def test_a_script_that_does_not_compile_is_named(make_caller: MakeCaller, written: Path) -> None:
    (written / "broken.gd").write_text('extends Node\n\nvar speed: int = "fast"\n')
    done = await result(make_caller())
    assert {(error["path"], error["line"]) for error in done["errors"]} == {("res://broken.gd", 3)}
    assert "docs/api/Hero.xml" in done["files"]
