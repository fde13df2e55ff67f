"""Folders that the engine leaves out are left out here too, and files in them can still be named."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

import pytest
from tests.conftest import MakeCaller

pytestmark = [pytest.mark.anyio, pytest.mark.godot, pytest.mark.xdist_group("godot-engines")]

SCENE = '[gd_scene format=3]\n\n[node name="Root" type="Node"]\n'
MARKS = {"nested": "project.godot", "left_out": ".gdignore"}


@pytest.fixture
def partly(game: Path) -> Path:
    for folder in ("units", "nested", "left_out"):
        (game / folder / "deep").mkdir(parents=True)
        (game / folder / "deep" / "a.gd").write_text(f"class_name {folder.capitalize()}\nextends Node\n")
        (game / folder / "bad.gd").write_text("extends Node\n\nvar speed: int = 'fast'\n" if folder in MARKS else "")
        (game / folder / "a.tscn").write_text(SCENE)
    for folder, mark in MARKS.items():
        (game / folder / mark).touch()
    return game


async def test_the_engine_knows_the_same_classes(make_caller: MakeCaller, partly: Path, godot: Path) -> None:
    subprocess.run([godot, "--headless", "--path", partly, "--import"], check=True, capture_output=True, timeout=120)
    known = (partly / ".godot" / "global_script_class_cache.cfg").read_text()
    assert set(re.findall(r"res://(\w+)/deep/a\.gd", known)) == {"units"}
    listed = await make_caller().result("list_scripts")
    assert {row["path"].split("/")[2] for row in listed["scripts"] if "deep" in row["path"]} == {"units"}


async def test_what_is_left_out_is_neither_compiled_nor_documented(make_caller: MakeCaller, partly: Path) -> None:
    caller = make_caller()
    assert (await caller.result("get_script_errors"))["errors"] == []
    done = await caller.result("generate_docs")
    assert done["errors"] == []
    assert "docs/api/Units.xml" in done["files"]
    assert not [file for file in done["files"] if "Nested" in file or "Left_out" in file or "left_out" in file]
    assert [row["path"] for row in (await caller.result("list_scenes"))["scenes"]] == ["res://units/a.tscn"]
    assert (await caller.result("validate_project"))["errors"] == 0


@pytest.mark.parametrize("folder", MARKS)
async def test_a_file_there_can_still_be_named(make_caller: MakeCaller, partly: Path, folder: str) -> None:
    caller = make_caller()
    checked = await caller.result("get_script_errors", scriptPath=f"{folder}/bad.gd")
    assert checked["errors"][0]["path"] == f"res://{folder}/bad.gd"
    await caller.result("add_node", scenePath=f"{folder}/a.tscn", nodeName="New", nodeType="Timer")
    assert 'name="New" type="Timer"' in (partly / folder / "a.tscn").read_text()
