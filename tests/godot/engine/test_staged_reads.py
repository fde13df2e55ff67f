"""What the engine is asked in an all-or-nothing batch is about what the batch has staged, not about the old files."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from tests.conftest import Caller, MakeCaller

from scenewright.core.writes.changeset import Change
from scenewright.godot.engine.staged_copy import project_with

pytestmark = pytest.mark.anyio

BAD = 'extends Node2D\n\nvar a: int = "b"\n'
GOOD = "class_name Hero\nextends Node2D\n\nvar lives: int = 3\n"
SCENE = (
    '[gd_scene format=3]\n\n[ext_resource type="Script" path="res://hero.gd" id="1"]\n\n'
    '[node name="Hero" type="Node2D"]\nscript = ExtResource("1")\n'
)


@pytest.fixture
def hero(game: Path) -> Path:
    (game / "hero.gd").write_text(GOOD)
    (game / "hero.tscn").write_text(SCENE)
    return game


def write(path: str, content: str) -> dict[str, Any]:
    return {"tool": "write_file", "args": {"path": path, "content": content, "overwrite": True}}


def ask(tool: str, **arguments: Any) -> dict[str, Any]:
    return {"tool": tool, "args": arguments}


async def batch(caller: Caller, *items: dict[str, Any], **options: Any) -> list[Any]:
    found = await caller.result("batch_operations", **{"operations": list(items), "atomic": True, **options})
    return [item["result"] for item in found["results"]]


async def test_scripts_are_compiled_as_staged(make_caller: MakeCaller, hero: Path) -> None:
    _, checked = await batch(make_caller(), write("hero.gd", BAD), ask("get_script_errors"), dryRun=True)
    assert checked["valid"] is False
    assert checked["errors"][0]["path"] == "res://hero.gd"
    (hero / "hero.gd").write_text(BAD)
    mended = await batch(make_caller(), write("hero.gd", GOOD), ask("get_script_errors", scriptPath="hero.gd"))
    assert mended[1]["valid"] is True


async def test_a_scene_is_validated_as_staged(make_caller: MakeCaller, hero: Path) -> None:
    caller = make_caller()
    new = "class_name Late\nextends Node2D\n"
    scene = SCENE.replace("hero.gd", "late.gd")
    found = await batch(
        caller,
        write("late.gd", new),
        write("late.tscn", scene),
        ask("validate_scene", scenePath="late.tscn"),
        write("hero.tscn", SCENE.replace("res://hero.gd", "res://gone.gd")),
        ask("validate_scene", scenePath="hero.tscn"),
        ask("validate_project", loadScenes=True),
        dryRun=True,
    )
    assert found[2]["valid"] is True
    assert found[4]["valid"] is False
    wrong = [(issue["code"], issue["path"]) for issue in found[5]["issues"] if issue["severity"] == "error"]
    assert wrong == [("missing_script", "res://hero.tscn")]
    assert (hero / "hero.tscn").read_text() == SCENE
    assert not (hero / "late.gd").exists()


@pytest.mark.usefixtures("hero")
async def test_a_probe_runs_what_is_staged(make_caller: MakeCaller) -> None:
    caller = make_caller()
    probe = ask("probe_scene", scenePath="hero.tscn", checks=["self.lives == 9"])
    found = await batch(caller, probe, write("hero.gd", GOOD.replace("3", "9")), probe, dryRun=True)
    assert (found[0]["passed"], found[2]["passed"]) == (False, True)


async def test_what_runs_the_files_as_saved_is_refused_where_others_are_staged(
    make_caller: MakeCaller, hero: Path
) -> None:
    items = [write("hero.gd", BAD), ask("run_project", scene="hero.tscn", headless=True)]
    outcome = await make_caller().run("batch_operations", {"operations": items, "atomic": True})
    assert outcome.fault is not None
    assert "looks at the files as saved; 1 change of this batch" in outcome.fault.message
    assert (hero / "hero.gd").read_text() == GOOD


def test_the_copy_has_the_changes_and_the_project_has_not(tmp_path: Path) -> None:
    root = tmp_path / "game"
    (root / ".godot/imported").mkdir(parents=True)
    (root / ".git").mkdir()
    for name in ("a.gd", "b.gd", "art.png", ".godot/imported/art.ctex", ".godot/uid_cache.bin", ".git/config"):
        (root / name).write_bytes(b"old")
    changes = [Change("a.gd", b"old", b"new"), Change("b.gd", b"old", None), Change("sub/c.gd", None, b"made")]
    with project_with(root, changes) as folder:
        files = {file.relative_to(folder).as_posix() for file in folder.rglob("*") if file.is_file()}
        assert files == {"a.gd", "art.png", "sub/c.gd", ".godot/imported/art.ctex", ".godot/uid_cache.bin"}
        assert (folder / "a.gd").read_bytes() == b"new"
        (folder / ".godot/uid_cache.bin").write_bytes(b"other")
    assert not folder.exists()
    assert {(root / name).read_bytes() for name in ("a.gd", "b.gd", "art.png", ".godot/uid_cache.bin")} == {b"old"}
