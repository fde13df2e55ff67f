"""Two games that people have made, each played for a thousand frames twice: the same seed makes the same game."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from tests.conftest import Caller, MakeCaller
from tests.godot.play.real_games import ROOT, copy_game

pytestmark = [
    pytest.mark.anyio,
    pytest.mark.skipif(not ROOT.is_dir(), reason="no corpus: set SCENEWRIGHT_CORPUS to a folder of Godot projects"),
]
FRAMES = 1000
Plan = list[dict[str, Any]]


def _press(action: str, *frames: int, long: int) -> Plan:
    return [
        {"frame": frame + (0 if pressed else long), "action": action, "pressed": pressed}
        for frame in frames
        for pressed in (True, False)
    ]


CREEPS: Plan = [{"frame": 3, "click": "Start"}, *_press("move_right", 200, long=20), *_press("move_up", 260, long=30)]
PLATFORMER = [
    *_press("move_right", 60, 300, long=200),
    *_press("jump", 100, 180, 330, 420, long=12),
    *_press("shoot", 140, 520, long=4),
    *_press("move_left", 640, long=120),
]


async def _played(caller: Caller, plan: Plan, watch: str) -> tuple[list[Any], dict[str, Any]]:
    """The hashes of each hundred frames, and the last step."""
    begun = await caller.result("play_begin", seed=11)
    found = [begun["digest"]["hash"]]
    step: dict[str, Any] = {}
    for first in range(0, FRAMES, 100):
        now = [{**each, "frame": each["frame"] - first} for each in plan if first <= each["frame"] < first + 100]
        step = await caller.result(
            "play_step", session=begun["session"], frames=100, inputs=now, watch=[watch], digest=True
        )
        assert step["stopped"] == "limit", step
        found.append(step["digest"]["hash"])
    await caller.result("play_end", session=begun["session"])
    return found, step


@pytest.mark.parametrize(
    ("name", "plan", "watch"),
    [("dodge_the_creeps", CREEPS, "score"), ("platformer", PLATFORMER, "$Level/Player.position.x > 0")],
)
async def test_a_real_game_is_the_same_for_a_thousand_frames(
    name: str, plan: Plan, watch: str, make_caller: MakeCaller, tmp_path: Path
) -> None:
    project = copy_game(name, tmp_path)
    before = {path: path.read_bytes() for path in project.rglob("*") if path.is_file() and ".godot" not in path.parts}
    caller = make_caller(project=project)
    first, last = await _played(caller, plan, watch)
    assert first == (await _played(caller, plan, watch))[0]
    assert last["frame"] == FRAMES
    assert len(set(first)) > 5  # something goes on
    ours = (".scenewright", ".godot_mcp", ".godot")
    after = {path: path.read_bytes() for path in project.rglob("*") if path.is_file() and not {*ours} & {*path.parts}}
    assert after == before
