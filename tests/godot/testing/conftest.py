"""A project with tests of every kind. Stand-ins keep the frameworks' command lines and reports to the letter."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from tests.e2e.tools import godot
from tests.support.gdscript_runner import make_project

STAND_INS = Path(__file__).with_name("stand_ins")
GUT_TEST = """extends GutTest

var speed: int = 0


func before_each() -> void:
	speed = 3


func test_walk() -> void:
	assert_eq(speed, 3)


func test_jump() -> void:
	assert_eq(speed < 2, true, "slow & <low>")


func test_later() -> void:
	pending("not <yet>")


func test_nothing() -> void:
	pass


func test_saves() -> void:
	var file: FileAccess = FileAccess.open("user://save.txt", FileAccess.WRITE)
	file.store_string("1")
	await get_tree().process_frame
	assert_true(not FileAccess.file_exists("user://before.txt"))
"""
GDUNIT_TEST = """extends GdUnitTestSuite


func test_adds() -> void:
	assert_int(1 + 1).is_equal(2)


func test_subtracts() -> void:
	assert_int(3 - 1).is_equal(1)
"""
SCENE_TEST = """extends Node

static var runs: int = 0
var mine: int = 0


func test_good() -> void:
	mine += 1
	await get_tree().create_timer(0.5).timeout
	assert(mine == 1)


func test_new_instance() -> void:
	mine += 1
	assert(mine == 1)
	get_tree().quit()


func test_bad() -> void:
	await get_tree().process_frame
	assert(1 + 1 == 3, "sums")


func test_waits() -> void:
	await get_tree().create_timer(10_000.0).timeout
"""
WHOLE_TEST = """extends Node


func _process(_delta: float) -> void:
	if Engine.get_process_frames() > 20:
		get_tree().quit(0 if has_meta("fine") else 7)
"""
SCENE = """[gd_scene format=3]

[ext_resource type="Script" path="res://scenes/%s.gd" id="1"]

[node name="Test" type="Node"]
script = ExtResource("1")
"""


@pytest.fixture(autouse=True)
def _with_godot(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GODOT_PATH", str(godot()))


def add_framework(game: Path, name: str) -> None:
    shutil.copytree(STAND_INS / "addons" / name, game / "addons" / name)


@pytest.fixture
def bare(project: Path) -> Path:
    """A project without any test."""
    return make_project(project)


@pytest.fixture
def tested(bare: Path) -> Path:
    """A project with tests of each kind."""
    add_framework(bare, "gut")
    add_framework(bare, "gdUnit4")
    files = {
        "test/unit/test_player.gd": GUT_TEST,
        "spec/player_test.gd": GDUNIT_TEST,
        "scenes/test_math.gd": SCENE_TEST,
        "scenes/test_math.tscn": SCENE % "test_math",
        "scenes/whole_test.gd": WHOLE_TEST,
        "scenes/whole_test.tscn": SCENE % "whole_test",
        "level.tscn": '[gd_scene format=3]\n\n[node name="Level" type="Node2D"]\n',
    }
    for name, content in files.items():
        (bare / name).parent.mkdir(parents=True, exist_ok=True)
        (bare / name).write_text(content)
    return bare
