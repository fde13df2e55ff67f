"""The game that the person runs from a real editor is looked at, changed and stepped in the words of played games."""

from __future__ import annotations

from collections.abc import AsyncIterator

import pytest
from tests.godot.editor.conftest import Workbench
from tests.godot.editor.test_games import stop

pytestmark = [pytest.mark.anyio, pytest.mark.godot, pytest.mark.xdist_group("editor")]

SCENE = """[gd_scene load_steps=2 format=3]

[ext_resource type="Script" path="res://mover.gd" id="1"]

[node name="Mover" type="Node2D"]
script = ExtResource("1")

[node name="Go" type="Button" parent="."]
offset_right = 90.0
offset_bottom = 40.0
text = "Go"

[connection signal="pressed" from="Go" to="." method="_on_go_pressed"]
"""
SCRIPT = """extends Node2D

var ticks: int = 0
var speed: int = 0
var clicks: int = 0


func _process(_delta: float) -> void:
	ticks += 1
	position.x += speed


func stumble() -> void:
	print("stumbling")
	push_error("trouble")


func _on_go_pressed() -> void:
	clicks += 1
"""


@pytest.fixture
async def mover(live: Workbench) -> AsyncIterator[Workbench]:
    (live.project / "mover.tscn").write_text(SCENE)
    (live.project / "mover.gd").write_text(SCRIPT)
    await live.ask("scenewright.reload_files", paths=["res://mover.tscn", "res://mover.gd"])
    await live.seen('editor.play_custom_scene("res://mover.tscn")')
    yield live
    await stop(live)
    for name in ("mover.tscn", "mover.gd", "mover.gd.uid"):
        (live.project / name).unlink(missing_ok=True)


async def test_the_editors_game_is_asked_in_the_words_of_played_games(mover: Workbench) -> None:
    up = await mover("wait_for_game", timeoutMs=60_000)
    assert (up["result"]["by"], up["result"]["scene"], up["result"]["suspended"]) == (
        "editor",
        "res://mover.tscn",
        False,
    )
    assert "nothing repeats" in str(up["warnings"])
    nodes = (await mover.result("play_look"))["nodes"]
    assert [node["path"] for node in nodes] == [".", "Go"]
    changed = await mover.result("play_set", properties={".": {"speed": 2}})
    assert changed["values"][0]["value"] == "2"
    stepped = await mover.result("play_step", frames=600, until="position.x >= 40", watch=["speed"])
    assert (stepped["stopped"], stepped["watch"][0].endswith(": 2")) == ("condition", True)
    called = await mover.result("play_call", calls=[{"node": ".", "method": "stumble"}])
    assert called["calls"][0]["method"] == "stumble"

    still = await mover.result("suspend_game")
    assert still["suspended"] is True
    assert still["run"] == up["result"]["run"]
    before = (await mover.result("play_look", properties={".": ["ticks"]}))["properties"]["."]["ticks"]
    assert (await mover.result("play_look", properties={".": ["ticks"]}))["properties"]["."]["ticks"] == before
    await mover.result("play_step", frames=7)
    after = (await mover.result("play_look", properties={".": ["ticks"]}))["properties"]["."]["ticks"]
    assert int(after) == int(before) + 7
    assert (await mover.result("suspend_game", suspended=False))["suspended"] is False
    assert (await mover.result("play_click", text="Go"))["clicked"] == "Go"
    assert (await mover.result("play_expect", expression="clicks == 1", within=60))["met"] is True
    said = await mover.result("get_debug_output")
    assert "stumbling" in said["lines"]
    assert ("trouble", up["result"]["run"]) in [(error["message"], error["run"]) for error in said["errors"]]
    assert not (mover.project / "override.cfg").exists()
