"""Who has the mouse, where a player that looks around with it meets a menu that is clicked on."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from tests.conftest import MakeCaller

from scenewright.godot.engine.complaints import read_complaints

pytestmark = [pytest.mark.anyio, pytest.mark.godot, pytest.mark.xdist_group("godot-engines")]

WATCH = """extends Node3D


func _ready() -> void:
	process_mode = PROCESS_MODE_ALWAYS  # also while the tree is paused


func _process(_delta: float) -> void:
	print(Input.mouse_mode)
"""
CAPTURED, VISIBLE = "2", "0"


async def test_a_pause_menu_frees_the_mouse_of_a_player_and_gives_it_back(make_caller: MakeCaller, game: Path) -> None:
    """Both listen to Escape, and who hears it first keeps it from the other."""
    caller, room = make_caller(), {"scenePath": "room.tscn"}
    (game / "room.gd").write_text(WATCH)
    calls: list[tuple[str, dict[str, Any]]] = [
        ("create_scene", {"rootNodeType": "Node3D"}),
        ("spawn_fps_controller", {}),
        ("create_ui_template", {"template": "pause_menu", "nodeName": "Pause"}),
        ("attach_script", {"nodePath": ".", "scriptPath": "room.gd"}),
    ]
    for tool, given in calls:
        assert (await caller.run(tool, room | given)).ok, tool
    inputs = [{"frame": 3, "action": "ui_cancel"}, {"frame": 4, "action": "ui_cancel", "pressed": False}]
    shown = await caller.run("scene_picture", room | {"frames": [6], "inputs": inputs})
    assert shown.ok, shown.fault
    assert (shown.call.output.output[0], shown.call.output.output[-1]) == (CAPTURED, VISIBLE)
    again = [*inputs, {"frame": 6, "action": "ui_cancel"}]
    shown = await caller.run("scene_picture", room | {"frames": [9], "inputs": again})
    assert shown.call.output.output[-1] == CAPTURED


def test_a_window_that_cannot_hold_the_mouse_yet_is_no_error_of_the_game() -> None:
    place = ["   at: mouse_set_mode (platform/linuxbsd/x11/display_server_x11.cpp:498)"]
    assert read_complaints(["ERROR: NO GRAB", *place]) == []
    assert len(read_complaints(["ERROR: Other", *place])) == 1
