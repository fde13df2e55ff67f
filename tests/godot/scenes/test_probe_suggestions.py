"""A write that changes what a scene does ends with a probe of it, which can be sent as it is."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from tests.conftest import Caller, MakeCaller
from tests.support.gdscript_runner import make_project

pytestmark = [pytest.mark.anyio, pytest.mark.godot, pytest.mark.xdist_group("probe-suggestions")]

MOVER = """extends CharacterBody2D

var score := 0
var _hidden := 1


func _physics_process(_delta: float) -> void:
\tvelocity.x = Input.get_axis("ui_left", "ui_right") * 100.0
\tmove_and_slide()
"""
SCENE = (
    '[gd_scene format=3]\n\n[node name="Main" type="Node2D"]\n\n[node name="Hero" type="CharacterBody2D" parent="."]\n'
)


@pytest.fixture
def caller(make_caller: MakeCaller, project: Path, godot: Path, monkeypatch: pytest.MonkeyPatch) -> Caller:
    monkeypatch.setenv("GODOT_PATH", str(godot))
    make_project(project, {"main.tscn": SCENE, "hero.gd": MOVER})
    return make_caller()


async def _summary(caller: Caller, tool: str, **arguments: Any) -> str:
    structured = (await caller.reply(tool, arguments)).structured
    assert structured is not None
    assert structured["ok"], structured
    return str(structured["summary"])


async def test_the_probe_is_told_once_and_can_be_sent_as_it_is(caller: Caller) -> None:
    attached = {"scenePath": "main.tscn", "nodePath": "Hero", "scriptPath": "hero.gd"}
    said = await _summary(caller, "godot_scene_manager", action="attach_script", **attached)
    _, _, probe = said.partition("See it run: godot_scene_manager probe ")
    assert json.loads(probe) == {
        "scenePath": "main.tscn",
        "steps": 60,
        "inputs": [{"frame": 1, "action": "ui_right"}],
        "properties": {"Hero": ["position", "score"]},
    }
    seen = await caller.result("godot_scene_manager", action="probe", params=json.loads(probe))
    assert seen["passed"]
    assert seen["properties"]["Hero"]["score"] == "0"
    edited = {"scriptPath": "hero.gd", "find": "100.0", "replace": "120.0"}
    assert "See it run" not in await _summary(caller, "edit_script", **edited), "what was told already"
    renamed = {"path": "main.tscn", "find": '"Hero"', "replace": '"Knight"'}
    assert "See it run" not in await _summary(caller, "edit_file", **renamed), "what changes no behaviour"
    moved = {"scriptPath": "hero.gd", "find": "ui_right", "replace": "ui_down"}
    settings = caller.runtime.project.root / "project.godot"
    settings.write_text(f'{settings.read_text()}run/main_scene="res://main.tscn"\n')
    said = await _summary(caller, "edit_script", **moved)
    assert 'See it run: probe_scene {"scenePath": "main.tscn"' in said
    assert '"ui_down"' in said


@pytest.mark.parametrize("scene", ["level.tscn", "scenes/level.tscn", "actors/level.tscn"])
async def test_an_edited_script_is_seen_in_a_scene_nearby(caller: Caller, scene: str) -> None:
    root = caller.runtime.project.root
    for name in ("actors", "scenes"):
        (root / name).mkdir()
    (root / "actors" / "foe.gd").write_text("extends Node2D\nvar hits := 1\n")
    (root / scene).write_text(
        '[gd_scene load_steps=2 format=3]\n\n[ext_resource type="Script" path="res://actors/foe.gd" id="1"]\n\n'
        '[node name="Foe" type="Node2D"]\nscript = ExtResource("1")\n'
    )
    said = await _summary(caller, "edit_script", scriptPath="actors/foe.gd", find="1", replace="2")
    assert json.loads(said.partition("See it run: probe_scene ")[2])["scenePath"] == scene


async def test_nothing_is_suggested_where_the_script_is_wrong(caller: Caller) -> None:
    (caller.runtime.project.root / "main.gd").write_text("extends Node2D\n")
    attached = {"scenePath": "main.tscn", "nodePath": ".", "scriptPath": "main.gd"}
    assert "See it run" in await _summary(caller, "attach_script", **attached)
    said = await _summary(
        caller, "write_script", scriptPath="main.gd", content="extends Node2D\nvar a: =\n", overwrite=True
    )
    assert "See it run" not in said


async def test_without_an_engine_nothing_is_suggested(
    make_caller: MakeCaller, caller: Caller, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GODOT_PATH", "")
    attached = {"scenePath": "main.tscn", "nodePath": "Hero", "scriptPath": "hero.gd"}
    assert "See it run" not in await _summary(caller, "attach_script", **attached)
