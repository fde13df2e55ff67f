"""Which classes a project is checked against. What the engine of another version is, a program stands in for."""

from __future__ import annotations

from pathlib import Path

import anyio
import pytest
from tests.conftest import Caller
from tests.godot.classes.test_crashes import engine
from tests.support.gdscript_runner import make_project

from scenewright.godot.classes.library import cache_folder, shipped
from scenewright.godot.engine import classes
from scenewright.godot.engine.classes import classes_for

SHIPPED = "4.6"
OF_ENGINE = "4.9.1-beta2"


@pytest.fixture(autouse=True)
def _own_engine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = tmp_path / "engine"
    folder.mkdir()
    monkeypatch.setenv("GODOT_PATH", str(engine(folder)))
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.setattr(classes, "_known", {})


def test_a_project_of_another_version_has_the_classes_of_the_users_engine(tmp_path: Path) -> None:
    found = classes_for(make_project(tmp_path / "game", version=(4, 9)))
    assert found.version == OF_ENGINE
    assert "Good" in found
    assert "Node" not in found
    assert len(list(cache_folder().iterdir())) == 1
    assert classes_for(tmp_path / "game") is found


@pytest.mark.parametrize("version", [(4, 6), (4, 5), None], ids=["shipped", "of neither", "unknown"])
def test_others_have_the_shipped_ones_and_no_engine_is_asked(tmp_path: Path, version: tuple[int, int] | None) -> None:
    assert classes_for(make_project(tmp_path / "game", version=version)) is shipped()
    assert shipped().version.startswith(SHIPPED)
    assert not cache_folder().exists()


def test_a_folder_without_a_project_has_the_shipped_ones(tmp_path: Path) -> None:
    assert classes_for(tmp_path) is shipped()
    (tmp_path / "project.godot").write_text("[application\n")
    assert classes_for(tmp_path) is shipped()


def test_what_the_project_says_is_read_anew_when_it_changes(tmp_path: Path) -> None:
    project = make_project(tmp_path / "game", version=(4, 6))
    assert classes_for(project) is shipped()
    make_project(project, version=(4, 9))
    (project / "project.godot").write_text((project / "project.godot").read_text() + "\n")
    assert classes_for(project).version == OF_ENGINE


def test_without_an_engine_the_shipped_ones_have_to_do(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GODOT_PATH", "")
    assert classes_for(make_project(tmp_path / "game", version=(4, 9))) is shipped()


def test_an_engine_that_does_not_say_is_asked_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    project = make_project(tmp_path / "game", version=(4, 9))
    silent, asked = tmp_path / "silent", tmp_path / "asked"
    silent.write_text(f'#!/bin/sh\n[ "$1" = --version ] && echo 4.9.1.stable && exit 0\necho >> {asked}\nexit 9\n')
    silent.chmod(0o755)
    monkeypatch.setenv("GODOT_PATH", str(silent))
    assert classes_for(project) is shipped()
    times = asked.read_text()
    assert times
    assert classes_for(project) is shipped()
    assert asked.read_text() == times


@pytest.mark.anyio
async def test_nobody_else_waits_while_the_engine_is_asked(tmp_path: Path) -> None:
    project = make_project(tmp_path / "game", version=(4, 9))
    assert classes_for(project) is shipped()
    with anyio.fail_after(30):
        while classes_for(project) is shipped():
            await anyio.sleep(0.01)
    assert classes_for(project).version == OF_ENGINE


@pytest.mark.anyio
async def test_calls_are_checked_against_them(project: Path, caller: Caller) -> None:
    make_project(project, {"main.tscn": '[gd_scene format=3]\n\n[node name="Main" type="Good"]\n'}, version=(4, 9))
    await anyio.to_thread.run_sync(classes_for, project)
    where = {"scenePath": "main.tscn", "nodeName": "Timer", "nodeType": "Timer"}
    refused = (await caller.reply("add_node", where)).structured
    assert refused is not None
    assert refused["error"]["message"] == f"Godot {OF_ENGINE} has no class 'Timer'."
