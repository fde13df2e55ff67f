"""Every animation of real projects, read as keyframe tables and written again, means the same."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Any

import pytest
from tests.conftest import Caller
from tests.godot.documents.test_corpus import ROOT

from scenewright.godot.documents.scene import Scene
from scenewright.godot.scenes.comparison import compare

PROJECTS = sorted(
    {
        file.parent
        for file in ROOT.rglob("project.godot")
        if any(b'type="AnimationPlayer"' in scene.read_bytes() for scene in file.parent.rglob("*.tscn"))
    }
)
# What these say of their own tracks: the file or the property is not there any more.
GONE = ("coin_pickup.wav", "scale_amount")
DEFAULT_STEP = 0.033333335
pytestmark = pytest.mark.skipif(not PROJECTS, reason="no corpus: set SCENEWRIGHT_CORPUS to a folder of Godot projects")


async def _result(caller: Caller, tool: str, **arguments: Any) -> dict[str, Any]:
    reply = await caller.reply(tool, arguments, meta={"approved": True})
    assert reply.structured is not None
    assert reply.structured["ok"], reply.structured["summary"]
    found: dict[str, Any] = reply.structured["result"]
    return found


@pytest.mark.anyio
@pytest.mark.parametrize("source", PROJECTS, ids=[folder.name for folder in PROJECTS])
async def test_an_animation_written_as_it_was_read_means_the_same(source: Path, project: Path, caller: Caller) -> None:
    shutil.copytree(source, project, dirs_exist_ok=True)
    again = 0
    for file in sorted(project.rglob("*.tscn")):
        place = file.relative_to(project).as_posix()
        for node in Scene.parse(file.read_bytes(), place).nodes:
            if node.type == "AnimationPlayer":
                again += await _written_again(caller, file, place, node.path)
    assert again


async def _written_again(caller: Caller, file: Path, place: str, player: str) -> int:
    listed = await _result(caller, "list_animations", scenePath=place, playerPath=player)
    own = [row["name"] for row in listed["animations"] if "file" not in row]
    for name in own:
        which = {"scenePath": place, "playerNodePath": player, "animationName": name}
        read = await _result(caller, "get_animation", **which, limit=5000)
        before = file.read_bytes()
        step = {"step": read["step"]} if read["step"] != DEFAULT_STEP else {}
        table: dict[str, Any] = {key: read[key] for key in ("length", "loop", "tracks") if key in read}
        reply = await caller.reply("add_animation", {**which, **table, **step, "overwrite": True})
        assert reply.structured is not None
        if not reply.structured["ok"]:
            assert any(gone in reply.structured["summary"] for gone in GONE), reply.structured["summary"]
            continue
        found = compare(Scene.parse(before, place), Scene.parse(file.read_bytes(), place))
        assert found == [], name
    return len(own)
