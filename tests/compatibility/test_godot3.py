"""A project of Godot 3: it can be read and converted, is called what it is, and nothing of Godot 4 gets into it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from tests.conftest import Caller

pytestmark = pytest.mark.anyio

FILES = {
    "project.godot": 'config_version=4\n\n[application]\n\nconfig/name="Old"\nrun/main_scene="res://main.tscn"\n',
    "main.tscn": (
        '[gd_scene load_steps=2 format=2]\n\n[ext_resource path="res://player.gd" type="Script" id=1]\n\n'
        '[node name="Main" type="Spatial"]\n\n[node name="Player" type="KinematicBody2D" parent="."]\n'
        "position = Vector2( 10, 20 )\nscript = ExtResource( 1 )\n"
    ),
    "player.gd": "extends KinematicBody2D\nexport var speed = 10\nonready var sprite = $Sprite\n",
}
WRITES: dict[str, dict[str, Any]] = {
    "add_node": {"scenePath": "main.tscn", "nodeName": "New", "nodeType": "Node2D"},
    "set_property": {"scenePath": "main.tscn", "nodePath": "Main", "property": "process_mode", "value": 3},
    "remove_node": {"scenePath": "main.tscn", "nodePath": "Player"},
    "create_scene": {"scenePath": "new.tscn", "rootNodeType": "Node2D"},
    "set_project_setting": {"key": "application/config/name", "value": "New"},
}


@pytest.fixture
def old_project(project: Path) -> Path:
    for name, text in FILES.items():
        (project / name).write_text(text)
    return project


@pytest.mark.parametrize("tool", WRITES)
async def test_a_write_is_refused_and_the_way_out_named(old_project: Path, caller: Caller, tool: str) -> None:
    reply = await caller.reply(tool, WRITES[tool])
    said = str(reply.structured or reply.text)
    assert "Godot 3 project (config_version=4)" in said
    assert "convert_3to4" in said
    assert {place.name: place.read_text() for place in old_project.iterdir() if place.is_file()} == FILES


async def test_it_is_read_and_called_what_it_is(old_project: Path, caller: Caller) -> None:
    told = str(await caller.result("overview"))
    assert "Godot 3 (config_version=4; convert_3to4 converts a copy)" in told
    tree = await caller.result("get_node_tree", scenePath="main.tscn")
    assert tree["total"] == 2
