"""What a probe tells of a game: both sides of what does not hold, signals, and the same again with the same seed."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from tests.conftest import Caller, MakeCaller

pytestmark = pytest.mark.anyio

SCRIPT = """extends Node2D

signal hit(who: Node, damage: int)
signal ticked

var frame: int = 0
var drawn: int = 0
var pressed_at: int = -1
var processed_at: int = -1
var luck: float = randf()
var hits: Array[String] = []
var asked: int = 0


func _ready() -> void:
	hit.connect(func(who: Node, damage: int) -> void: hits.append("%s %d" % [who.name, damage]))


func ask() -> int:
	asked += 1
	return asked


func _physics_process(_delta: float) -> void:
	frame += 1
	if Input.is_action_just_pressed("ui_accept"):
		pressed_at = frame
	if frame % 4 == 0:
		ticked.emit()


func _process(_delta: float) -> void:
	drawn += 1
	if Input.is_action_just_pressed("ui_accept"):
		processed_at = drawn
"""
SCENE = """[gd_scene format=3]

[ext_resource type="Script" path="res://game.gd" id="1"]

[node name="Game" type="Node2D"]
script = ExtResource("1")

[node name="Enemy" type="Node2D" parent="."]
"""


@pytest.fixture
def scene(game: Path) -> Path:
    (game / "game.gd").write_text(SCRIPT)
    (game / "game.tscn").write_text(SCENE)
    return game


async def probed(caller: Caller, **arguments: Any) -> dict[str, Any]:
    return await caller.result("probe_scene", scenePath="game.tscn", **arguments)


@pytest.mark.usefixtures("scene")
async def test_frames_are_counted_whole_and_checks_name_theirs(make_caller: MakeCaller) -> None:
    found = await probed(
        make_caller(),
        inputs=[{"frame": 5, "action": "ui_accept"}],
        calls=[
            {"emit": "hit", "arguments": ["$Enemy", 3], "frame": 2},
            {"emit": "hit", "arguments": [{"$node": "Enemy"}, 4], "frame": 9},
            {"node": "$Enemy", "emit": "renamed"},
            {"emit": "hit", "arguments": ["Enemy", [1]]},
            {"emit": "missed"},
        ],
        checks=[
            {"expression": "frame == 0 and drawn == 0", "frame": 0},
            {"expression": "frame == 3 and drawn == 3", "frame": 3},
            {"expression": "frame == 22", "frame": 21},
            {"expression": "pressed_at == -1", "frame": 5},
            "pressed_at == 6 and processed_at == 6",
            {"expression": "frame == 21"},
            "frame > 40 and drawn < 2 + 1 and luck < 2",
            "hits == ['Enemy 3', 'Enemy 4']",
            "position == Vector2(9, 0)",
            "ResourceLoader.exists('game.tscn')",
            "ask() == 7 and ask() < 2 and asked == 2",
            "get_node_or_null('Nobody') != null and $Nobody.frame == 3",
            "asked == 2",
        ],
        signals=["hit", "./Enemy.renamed", "$Enemy.child_entered_tree", "ticked", "Nobody.hit"],
    )
    held = "".join("x" if check["holds"] else "-" for check in found["checks"])
    assert held == "xx-xxx-x----x"
    refused = next(check for check in found["checks"] if check["expression"].startswith("ResourceLoader"))
    assert refused["error"].startswith("'checks[9]' may not use 'ResourceLoader': ")
    assert [check["found"] for check in found["checks"] if "found" in check] == [
        "frame is 21, expected 22",
        "frame is 21, expected > 40; drawn is 21, expected < 3 (2 + 1)",
        "position is Vector2(0, 0), expected Vector2(9, 0)",
        "ask() is 1, expected 7; ask() is 2, expected < 2",
        "get_node_or_null('Nobody') is null, expected != null",
    ]
    sent = [{key: value for key, value in call.items() if key != "error"} for call in found["calls"]]
    assert sent == [
        {"emit": "renamed", "connections": 1},
        {"emit": "hit"},
        {"emit": "missed"},
        {"emit": "hit", "connections": 2},
        {"emit": "hit", "connections": 2},
    ]
    assert "'damage'" in found["calls"][1]["error"]
    watched = {each["signal"]: each for each in found["signals"]}
    assert watched["hit"]["fired"] == [
        {"frame": frame, "arguments": ['"Enemy (Node2D)"', damage]} for frame, damage in ((2, "3"), (9, "4"))
    ]
    assert watched["ticked"]["times"] == 5
    assert [each["frame"] for each in watched["ticked"]["fired"]] == [4, 8, 12, 16, 20]
    assert [watched[name]["times"] for name in ("./Enemy.renamed", "$Enemy.child_entered_tree", "Nobody.hit")] == [
        1,
        0,
        0,
    ]


@pytest.mark.usefixtures("scene")
async def test_what_would_come_when_all_is_over_is_refused(make_caller: MakeCaller) -> None:
    caller = make_caller()
    for given, least in (
        ({"inputs": [{"frame": 3, "action": "ui_accept"}]}, 4),
        ({"calls": [{"frame": 4, "method": "hide"}]}, 4),
        ({"checks": [{"frame": 9, "expression": "true"}]}, 9),
    ):
        body = (await caller.reply("probe_scene", {"scenePath": "game.tscn", "steps": 3, **given})).structured
        assert body is not None
        assert body["error"]["suggestedFix"] == f"Pass steps: {least} or more, or leave steps out."


@pytest.mark.usefixtures("scene")
async def test_random_numbers_repeat_with_a_seed(make_caller: MakeCaller) -> None:
    caller = make_caller()
    asked: dict[str, Any] = {"properties": {".": ["luck"]}, "include": []}
    one, again, other = [(await probed(caller, **asked, seed=seed))["properties"] for seed in (7, 7, 8)]
    assert one == again != other
