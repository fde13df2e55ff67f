"""Animations of a scene that is open in a real editor: made there, undone there."""

from __future__ import annotations

from typing import Any

import pytest
from tests.godot.editor.conftest import Workbench
from tests.godot.editor.test_live_or_files import _means_the_same

pytestmark = [pytest.mark.anyio, pytest.mark.godot, pytest.mark.xdist_group("editor")]

MAIN = {"scenePath": "main.tscn"}
IN_PLAYER = {**MAIN, "playerNodePath": "AnimationPlayer"}
SLIDE = {"nodePath": "Player", "property": "position", "keys": [[0, [0, 0]], [1, [8, 0]]]}
STEPS: list[tuple[str, dict[str, Any]]] = [
    ("create_animation_player", MAIN),
    ("add_animation", {**IN_PLAYER, "animationName": "go", "tracks": [SLIDE], "reset": True}),
    ("add_animation", {**IN_PLAYER, "animationName": "on", "tracks": [SLIDE]}),
    ("set_keyframe", {**IN_PLAYER, "animationName": "go", "trackIndex": 0, "time": 2, "value": [4, 4]}),
    (
        "add_animation_track",
        {**IN_PLAYER, "animationName": "go", "trackType": "method", "nodePath": "Player", "keys": [[0.5, "hide"]]},
    ),
    ("remove_animation_track", {**IN_PLAYER, "animationName": "go", "trackIndex": 0}),
    ("create_animation_tree", {**MAIN, "animPlayerPath": "AnimationPlayer"}),
    (
        "setup_state_machine",
        {
            **MAIN,
            "animTreePath": "AnimationTree",
            "states": [{"name": "go"}, {"name": "on"}],
            "transitions": [{"from": "go", "to": "on", "advanceCondition": "moving"}],
        },
    ),
    (
        "blend_animations",
        {
            **MAIN,
            "animTreePath": "AnimationTree",
            "type": "1d",
            "blendSpaceName": "Mix",
            "points": [{"animation": "go", "position": 0}, {"animation": "on", "position": 1}],
        },
    ),
    (
        "setup_state_machine",
        {
            **MAIN,
            "animTreePath": "AnimationTree",
            "states": [{"name": "Mix"}],
            "transitions": [{"from": "on", "to": "Mix"}],
        },
    ),
    ("setup_state_machine", {**MAIN, "animTreePath": "AnimationTree", "states": [{"name": "go"}], "overwrite": True}),
    ("remove_animation", {**IN_PLAYER, "animationName": "on"}),
]


async def test_what_is_animated_in_an_open_scene_means_what_the_file_would_and_is_undone_there(live: Workbench) -> None:
    texts = [await live.text()]
    cursor = (await live.ask("scenewright.get_log"))["cursor"]
    for tool, arguments in STEPS:
        body = await live(tool, **arguments)
        assert body["execution"]["mode"] == "live", tool
        texts.append(await live.text())
        shown = await live.result("history", action="show", entry=body["execution"]["historyEntry"])
        await _means_the_same(live, shown, texts[-1])
    for text in reversed(texts[:-1]):
        await live("history", action="undo")
        assert await live.text() == text
    said = (await live.ask("scenewright.get_log", cursor=cursor, only_errors=True))["entries"]
    assert [line["message"] for line in said if "animation_library" in line["message"]] == []
