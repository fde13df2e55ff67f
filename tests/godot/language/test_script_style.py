"""gdtoolkit's formatter and linter, on real scripts and with settings from a project nobody trusts."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.conftest import Caller
from tests.support.gdscript_runner import make_project

from scenewright.godot.language import gdtoolkit

pytestmark = pytest.mark.anyio

UGLY = "extends Node\nvar MyVar = 1\nfunc f( x ):\n\treturn   x+1 # why\n"
PRETTY = "extends Node\nvar MyVar = 1\n\n\nfunc f(x):\n\treturn x + 1  # why\n"


@pytest.fixture
def game(project: Path) -> Path:
    make_project(project, {"a.gd": UGLY})
    return project


async def test_a_script_is_formatted_once_and_undone(game: Path, caller: Caller) -> None:
    assert (await caller.result("format_script", scriptPath="a.gd"))["changed"]
    assert (game / "a.gd").read_text() == PRETTY
    assert not (await caller.result("format_script", scriptPath="a.gd"))["changed"]
    await caller.result("history", action="undo")
    assert (game / "a.gd").read_text() == UGLY


async def test_line_ends_of_windows_stay(game: Path, caller: Caller) -> None:
    (game / "a.gd").write_bytes(UGLY.replace("\n", "\r\n").encode())
    await caller.result("format_script", scriptPath="a.gd")
    assert (game / "a.gd").read_bytes() == PRETTY.replace("\n", "\r\n").encode()


async def test_the_projects_settings_count(game: Path, caller: Caller) -> None:
    (game / ".gdformatrc").write_text("use_spaces: 2\n")
    (game / "gdlintrc").write_text("excluded_directories: !!set {.git: null}\nclass-variable-name: '[A-Z].*'\n")
    assert (await caller.result("lint_script", scriptPath="a.gd"))["problems"] == []
    await caller.result("format_script", scriptPath="a.gd")
    assert "\n  return x + 1" in (game / "a.gd").read_text()


async def test_problems_have_line_and_rule(game: Path, caller: Caller) -> None:
    problems = (await caller.result("lint_script", scriptPath="a.gd"))["problems"]
    assert [(each["line"], each["rule"]) for each in problems] == [(2, "class-variable-name")]


async def test_settings_of_a_project_run_nothing(game: Path, caller: Caller, tmp_path: Path) -> None:
    trap = f"line_length: !!python/object/apply:os.mkdir ['{tmp_path / 'sprung'}']\n"
    (game / "gdformatrc").write_text(trap)
    assert "cannot be read" in str((await caller.reply("format_script", {"scriptPath": "a.gd"})).structured)
    assert not (tmp_path / "sprung").exists()
    assert (game / "a.gd").read_text() == UGLY


@pytest.mark.parametrize(
    ("content", "said"),
    [(b"func(", "line 1"), (b"\xff\xfe", "is not UTF-8"), (b"var a = [1,", "cannot")],
)
async def test_what_it_cannot_read_stays_as_it_is(game: Path, caller: Caller, content: bytes, said: str) -> None:
    (game / "a.gd").write_bytes(content)
    for tool in ("format_script", "lint_script"):
        assert said in str((await caller.reply(tool, {"scriptPath": "a.gd"})).structured)
    assert (game / "a.gd").read_bytes() == content


async def test_without_gdtoolkit_the_reply_says_how_to_get_it(
    game: Path, caller: Caller, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(gdtoolkit, "find_spec", lambda _: None)
    assert "scenewright[format]" in str((await caller.reply("format_script", {"scriptPath": "a.gd"})).structured)
    assert (game / "a.gd").read_text() == UGLY
