"""Beginning a project in one call: as the engine reads it, and as history takes it back."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from tests.conftest import Caller, MakeCaller
from tests.core.samples import fault_of
from tests.support.gdscript_runner import run_jobs

pytestmark = pytest.mark.anyio

MAZE: dict[str, Any] = {
    "name": "Maze",
    "godotVersion": "4.6",
    "renderer": "compatibility",
    "window": [640, 360],
    "stretch": "canvas_items",
    "folders": ["art", "levels/one"],
    "mainScene": "levels/main.tscn",
    "mainSceneType": "Node3D",
    "inputActions": [{"name": "jump", "events": ["Space", "Joypad Button A"], "deadzone": 0.25}],
}
READING = """func run(key: String) -> Variant:
	if key == "main":
		return load(ProjectSettings.get_setting("application/run/main_scene")).instantiate().get_class()
	if key.begins_with("input/"):
		var action: Dictionary = ProjectSettings.get_setting(key)
		return [action["deadzone"], action["events"].size(), action["events"][0].as_text()]
	return str(ProjectSettings.get_setting(key))
"""


def files_of(folder: Path) -> list[str]:
    found = (path.relative_to(folder) for path in folder.rglob("*") if path.is_file())
    return sorted(path.as_posix() for path in found if path.parts[0] not in (".scenewright", ".godot_mcp"))


@pytest.mark.godot
async def test_the_engine_reads_the_project_as_it_was_asked_for(caller: Caller, project: Path) -> None:
    begun = await caller.result("create_project", **MAZE)
    assert begun == {"projectPath": str(project), "godotVersion": "4.6", "mainScene": "res://levels/main.tscn"}
    assert files_of(project) == ["art/.gitkeep", "levels/main.tscn", "levels/one/.gitkeep", "project.godot"]
    keys = {
        "application/config/name": "Maze",
        "display/window/size/viewport_width": "640",
        "display/window/size/viewport_height": "360",
        "display/window/stretch/mode": "canvas_items",
        "rendering/renderer/rendering_method": "gl_compatibility",
        "main": "Node3D",
    }
    told = run_jobs(project, READING, [*keys, "input/jump"])
    assert [each.value for each in told[:-1]] == list(keys.values())
    assert told[-1].value[:2] == [0.25, 2]
    assert "Space" in told[-1].value[2]
    assert all(each.complaints == [] for each in told)


async def test_it_is_shown_first_and_taken_back_whole(caller: Caller, project: Path) -> None:
    shown = await caller.reply("create_project", {**MAZE, "dryRun": True})
    assert not shown.failed
    assert files_of(project) == []
    await caller.result("create_project", **MAZE)
    await caller.result("history_undo")
    assert files_of(project) == []


async def test_a_folder_that_is_a_project_is_left_alone(make_caller: MakeCaller, project: Path) -> None:
    caller = make_caller()
    (project / "project.godot").write_text("config_version=5\n")
    unity = project.parent / "unity"
    (unity / "ProjectSettings").mkdir(parents=True)
    (unity / "ProjectSettings" / "ProjectVersion.txt").write_text("m_EditorVersion: 6000.0.1f1\n")
    for where, folder in ((caller, project), (make_caller(project=unity), unity)):
        for path in (".", "inner"):
            fault = fault_of(await where.run("create_project", {"name": "Maze", "path": path}))
            assert (fault.kind, str(folder) in fault.message) == ("conflict", True)
    assert files_of(project) == ["project.godot"]


async def test_a_folder_below_a_plain_one_becomes_a_project_of_its_own(caller: Caller, project: Path) -> None:
    begun = await caller.result("create_project", name="Maze", path="games/maze", godotVersion="4.5.1")
    assert begun["projectPath"] == str(project / "games/maze")
    assert (begun["godotVersion"], begun["mainScene"]) == ("4.5", "res://main.tscn")
    told = await caller.result("get_project_info", projectPath=begun["projectPath"])
    assert (told["name"], told["mainScene"], told["features"]) == ("Maze", "res://main.tscn", ["4.5", "Forward Plus"])
    fault = fault_of(await caller.run("create_project", {"name": "Maze", "path": "games/maze/inner"}))
    assert fault.kind == "conflict"


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"godotVersion": "3.5"}, "Godot 4"),
        ({"godotVersion": "new"}, "Godot 4"),
        ({"window": [0, 100]}, "window"),
        ({"window": [640]}, "window"),
        ({"mainScene": "main.gd"}, ".tscn"),
        ({"mainSceneType": "Resource"}, "Resource"),
        ({"mainSceneType": "Nod2D"}, "Nod2D"),
        ({"inputActions": [{"name": "jump", "events": ["No Such Key"]}]}, "No Such Key"),
        ({"folders": ["../outside"]}, "outside"),
        ({"path": "../outside"}, "outside"),
        ({"renderer": "vulkan"}, "renderer"),
    ],
)
async def test_what_cannot_be_is_refused_and_nothing_is_written(
    caller: Caller, project: Path, given: dict[str, Any], said: str
) -> None:
    fault = fault_of(await caller.run("create_project", {"name": "Maze", **given}))
    assert said in fault.message
    assert files_of(project) == []
    assert not (project.parent / "outside").exists()


async def test_files_that_are_there_stay_as_they_are(caller: Caller, project: Path) -> None:
    (project / "main.tscn").write_text('[gd_scene format=3]\n\n[node name="Mine" type="Node2D"]\n')
    before = (project / "main.tscn").read_bytes()
    await caller.result("create_project", name="Maze")
    assert (project / "main.tscn").read_bytes() == before
