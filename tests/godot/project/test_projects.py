"""Finding projects, what one is made of, and autoloads: also as the real engine starts them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import anyio
import pytest
from tests.conftest import Caller, MakeCaller
from tests.support.gdscript_runner import make_project, run_jobs

from scenewright.app import make_runtime
from scenewright.core.calls.call import Request
from scenewright.core.config import Config

PROJECT = """config_version=5

[application]

config/name="Maze"
config/version="1.2"
run/main_scene="uid://b4main"
config/features=PackedStringArray("4.6", "Mobile")

[autoload]

Music="*res://music.gd"   ; first
Quiet="res://quiet.tscn"

[editor_plugins]

enabled=PackedStringArray("res://addons/tool/plugin.cfg")
"""
SCENE = '[gd_scene format=3 uid="uid://b4main"]\n\n[node name="Main" type="Node"]\n'


@pytest.fixture
def game(project: Path) -> Path:
    make_project(
        project,
        {
            "project.godot": PROJECT,
            "main.tscn": SCENE,
            "quiet.tscn": SCENE.replace("b4main", "b4quiet"),
            "music.gd": "extends Node\n",
            "data.gd": "class_name Data\nextends Resource\n",
            "a.tres": '[gd_resource type="Resource" format=3]\n\n[resource]\n',
            "addons/tool/plugin.cfg": '[plugin]\n\nname="Tool"\nversion="0.3"\n',
            "addons/other/plugin.cfg": '[plugin]\n\nname="Other"\n',
        },
    )
    return project


@pytest.mark.anyio
async def test_a_project_is_told_with_what_it_is_made_of(game: Path, caller: Caller) -> None:
    assert await caller.result("get_project_info") == {
        "name": "Maze",
        "path": str(game),
        "version": "1.2",
        "mainScene": "res://main.tscn",
        "features": ["4.6", "Mobile"],
        "scenes": 2,
        "scripts": 2,
        "resources": 1,
        "imported": 0,
        "autoloads": [
            {"name": "Music", "path": "res://music.gd", "singleton": True},
            {"name": "Quiet", "path": "res://quiet.tscn"},
        ],
        "plugins": [
            {"path": "res://addons/other/plugin.cfg", "name": "Other"},
            {"path": "res://addons/tool/plugin.cfg", "name": "Tool", "version": "0.3", "enabled": True},
        ],
    }


@pytest.mark.anyio
async def test_a_missing_main_scene_is_a_warning(game: Path, caller: Caller) -> None:
    (game / "main.tscn").unlink()
    reply = await caller.reply("godot_project_config_manager", {"action": "project_info.get"})
    assert reply.structured is not None
    assert reply.structured["result"]["mainScene"] == "uid://b4main"
    assert "main scene" in reply.structured["warnings"][0]


@pytest.mark.anyio
async def test_projects_are_found_below_a_folder_only(tmp_path: Path, make_caller: MakeCaller) -> None:
    caller = make_caller(roots=(tmp_path,))
    games = tmp_path / "games"
    for place in ("one", "deep/two", "deep/er/three", ".hidden/four"):
        make_project(games / place)
    (games / "one" / "project.godot").write_text(PROJECT)
    (games / "deep" / "two" / "project.godot").write_text("[application\nconfig/name=")
    make_project(tmp_path / "outside")
    (games / "link").symlink_to(tmp_path / "outside")
    near = await caller.result("list_projects", directory=str(games))
    assert near == {"projects": [{"path": str(games / "one"), "name": "Maze", "features": ["4.6", "Mobile"]}]}
    below = await caller.result("list_projects", directory=str(games), recursive=True)
    paths = [row["path"] for row in below["projects"]]
    assert paths == [str(games / place) for place in ("deep/er/three", "deep/two", "one")]
    two = await caller.result("list_projects", directory=str(games), recursive=True, maxDepth=2)
    assert len(two["projects"]) == 2
    cut = await caller.result("list_projects", directory=str(games), recursive=True, limit=1)
    assert (len(cut["projects"]), cut["truncated"]) == (1, True)
    itself = await caller.result("list_projects", directory=str(games / "one"))
    assert len(itself["projects"]) == 1


@pytest.mark.anyio
async def test_an_autoload_is_added_removed_and_undone_to_the_byte(game: Path, caller: Caller) -> None:
    made = await caller.result("manage_autoloads", action="add", name="Second", path="music.gd", singleton=False)
    assert made["autoloads"][-1] == {"name": "Second", "path": "res://music.gd"}
    left = await caller.result("manage_autoloads", action="remove", name="Quiet")
    assert [row["name"] for row in left["autoloads"]] == ["Music", "Second"]
    await caller.result("manage_autoloads", action="add", name="Music", path="uid://b4quiet", overwrite=True)
    listed = await caller.result("manage_autoloads", action="list")
    assert listed["autoloads"][0] == {"name": "Music", "path": "res://quiet.tscn", "singleton": True}
    for _ in range(3):
        await caller.result("history_undo")
    assert (game / "project.godot").read_text() == PROJECT


@pytest.mark.anyio
@pytest.mark.parametrize(
    ("arguments", "code", "said"),
    [
        ({"action": "add", "path": "music.gd"}, "E_SCHEMA_VALIDATION", "'name'"),
        ({"action": "add", "name": "A"}, "E_SCHEMA_VALIDATION", "'path'"),
        ({"action": "add", "name": "My Music", "path": "music.gd"}, "E_SCHEMA_VALIDATION", "underscores"),
        ({"action": "add", "name": "Node2D", "path": "music.gd"}, "E_SCHEMA_VALIDATION", "class of the engine"),
        ({"action": "add", "name": "Vector2", "path": "music.gd"}, "E_SCHEMA_VALIDATION", "class of the engine"),
        ({"action": "add", "name": "Data", "path": "music.gd"}, "E_SCHEMA_VALIDATION", "res://data.gd"),
        ({"action": "add", "name": "await", "path": "music.gd"}, "E_SCHEMA_VALIDATION", "GDScript"),
        ({"action": "add", "name": "KEY_A", "path": "music.gd"}, "E_SCHEMA_VALIDATION", "constant"),
        ({"action": "add", "name": "Music", "path": "music.gd"}, "E_PERMISSION_DENIED", "overwrite"),
        ({"action": "add", "name": "Sound", "path": "musik.gd"}, "E_NOT_FOUND", "res://music.gd"),
        ({"action": "add", "name": "Sound", "path": "data.gd"}, "E_SCHEMA_VALIDATION", "extends Resource"),
        ({"action": "add", "name": "Sound", "path": "a.tres"}, "E_SCHEMA_VALIDATION", ".tscn"),
        ({"action": "remove", "name": "Musik"}, "E_NOT_FOUND", "'Music'"),
    ],
)
async def test_an_autoload_the_engine_would_not_take_is_refused(
    game: Path, caller: Caller, arguments: dict[str, Any], code: str, said: str
) -> None:
    reply = await caller.reply("manage_autoloads", arguments)
    assert reply.structured is not None
    refused = reply.structured["error"]
    assert refused["code"] == code
    assert said in refused.get("suggestedFix", "") + refused["message"]
    assert (game / "project.godot").read_text() == PROJECT


@pytest.mark.anyio
@pytest.mark.parametrize(("directory", "code"), [("games", "E_NOT_FOUND"), ("/no/such", "E_PERMISSION_DENIED")])
async def test_a_folder_that_is_not_there_is_refused(caller: Caller, directory: str, code: str) -> None:
    reply = await caller.reply("list_projects", {"directory": directory})
    assert reply.structured is not None
    assert reply.structured["error"]["code"] == code


TELLING = """extends Node

func _ready() -> void:
	var file: FileAccess = FileAccess.open("res://started_%s.txt" % name, FileAccess.WRITE)
	file.store_string("{said}")
"""


@pytest.mark.godot
def test_the_engine_starts_autoloads_by_name_and_in_order(tmp_path: Path) -> None:
    project = make_project(
        tmp_path,
        {
            "score.gd": TELLING.replace('"{said}"', "str(get_path())"),
            # Compiles only if the other is a singleton, and says what it finds only if that one started before.
            "second.gd": TELLING.replace('"{said}"', 'str(Score.is_node_ready(), " ", Score.name)'),
            "place.tscn": '[gd_scene format=3]\n\n[ext_resource type="Script" path="res://score.gd" id="1"]\n\n'
            '[node name="Root" type="Node2D"]\nscript = ExtResource("1")\n',
        },
    )
    runtime = make_runtime(Config(project=project, rate_limit=None))

    async def add(name: str, path: str) -> None:
        arguments = {"action": "add", "name": name, "path": path, "singleton": name != "Place"}
        done = await runtime.run(Request(tool="manage_autoloads", arguments=arguments))
        assert done.ok, done.summary

    for name, path in {"Score": "score.gd", "Second": "second.gd", "Place": "place.tscn"}.items():
        anyio.run(add, name, path)
    runtime.close()
    (told,) = run_jobs(
        project, "func run(key: String) -> Variant:\n\treturn ProjectSettings.get_setting(key)\n", ["autoload/Place"]
    )
    assert (told.value, told.complaints) == ("res://place.tscn", [])
    said = {path.stem: path.read_text() for path in project.glob("started_*.txt")}
    assert said == {
        "started_Score": "/root/Score",
        "started_Second": "true Score",
        "started_Place": "/root/Place",
    }


@pytest.mark.anyio
async def test_an_autoload_is_a_singleton_unless_told_and_replaced_only_when_asked(game: Path, caller: Caller) -> None:
    for name in ("one", "two"):
        (game / f"{name}.gd").write_text("extends Node\n")
    await caller.result("add_autoload", name="Calm", path="one.gd", singleton=False)
    assert 'Calm="res://one.gd"' in (game / "project.godot").read_text()
    assert not (await caller.run("add_autoload", {"name": "Calm", "path": "two.gd"})).ok
    await caller.result("add_autoload", name="Calm", path="two.gd", overwrite=True)
    assert 'Calm="*res://two.gd"' in (game / "project.godot").read_text()


@pytest.mark.anyio
async def test_a_folder_without_a_project_says_how_to_begin_one(caller: Caller, project: Path) -> None:
    reply = (await caller.reply("get_project_info", {})).structured
    assert reply is not None
    assert reply["error"]["code"] == "E_NOT_FOUND"
    assert "not a Godot project" in reply["error"]["message"]
    await caller.result("write_file", path="project.godot", content="config_version=5\n")
    await caller.result("set_project_setting", key="application/config/name", value="Fresh")
    assert (await caller.result("get_project_info"))["name"] == "Fresh"
