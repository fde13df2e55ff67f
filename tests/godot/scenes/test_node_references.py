"""Exported properties that hold nodes of a class of the project."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.conftest import Caller
from tests.support.gdscript_runner import make_project

pytestmark = pytest.mark.anyio

FILES: dict[str, str | bytes] = {
    "state.gd": "class_name State\nextends Node\n",
    "idle.gd": "extends State\n",
    "machine.gd": "extends Node\n\n@export var start: State\n",
    "main.tscn": """[gd_scene format=3]

[ext_resource type="Script" path="res://idle.gd" id="1"]
[ext_resource type="Script" path="res://machine.gd" id="2"]
[ext_resource type="Script" path="res://gone.gd" id="3"]

[node name="Machine" type="Node"]
script = ExtResource("2")

[node name="Idle" type="Node" parent="."]
script = ExtResource("1")

[node name="Plain" type="Node" parent="."]

[node name="Gone" type="Node" parent="."]
script = ExtResource("3")
""",
}


async def _set(caller: Caller, target: str) -> dict[str, object]:
    reply = await caller.reply(
        "edit_node", {"scenePath": "main.tscn", "nodePath": ".", "properties": {"start": target}}
    )
    assert reply.structured is not None
    return reply.structured


async def test_a_node_counts_as_what_its_script_extends(project: Path, caller: Caller) -> None:
    make_project(project, FILES)
    assert (await _set(caller, "Idle"))["ok"]
    text = (project / "main.tscn").read_text()
    assert 'node_paths=PackedStringArray("start")' in text
    assert 'start = NodePath("Idle")' in text


async def test_a_node_without_such_a_script_is_refused(project: Path, caller: Caller) -> None:
    make_project(project, FILES)
    refused = await _set(caller, "Plain")
    assert not refused["ok"]
    assert "State" in str(refused["error"])
    assert (project / "main.tscn").read_text() == FILES["main.tscn"]


async def test_what_a_missing_script_would_be_is_left_to_the_caller(project: Path, caller: Caller) -> None:
    make_project(project, FILES)
    assert (await _set(caller, "Gone"))["ok"]


CHAIN: dict[str, str | bytes] = {
    "chain.tscn": """[gd_scene format=3]

[node name="Chain" type="Node3D"]

[node name="Link" type="RigidBody3D" parent="."]
"""
}
LOST = "There is no node at 'Link' from 'Hinge' yet, for its node_a. Did you mean '../Link'?"


async def _joined(caller: Caller, *ways: str) -> list[str]:
    given = dict(zip(("node_a", "node_b"), ways, strict=False))
    items = [
        {"nodeName": "Hinge", "nodeType": "HingeJoint3D", "properties": given},
        {"nodeName": "Other", "nodeType": "RigidBody3D"},
    ]
    reply = await caller.reply("batch_create_nodes", {"scenePath": "chain.tscn", "items": items})
    assert reply.structured is not None
    assert reply.structured["ok"], reply.structured
    warnings: list[str] = reply.structured.get("warnings", [])
    return warnings


@pytest.mark.parametrize(
    ("ways", "said"),
    [
        (["../Link", "../Other"], []),  # the other comes later in the same call
        (["Link"], [LOST]),
        (["", "../../Outside"], []),  # what is around an instance of the scene is not known
    ],
)
async def test_a_path_that_leads_to_no_node_is_told(
    project: Path, caller: Caller, ways: list[str], said: list[str]
) -> None:
    make_project(project, CHAIN)
    assert await _joined(caller, *ways) == said
