"""Scenes compared by meaning, with each other and with their own history."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from tests.conftest import Caller

pytestmark = pytest.mark.anyio

OLD = """[gd_scene format=3 uid="uid://cold"]

[ext_resource type="Script" path="res://a.gd" id="1_a"]
[ext_resource type="PackedScene" path="res://gun.tscn" id="2_g"]

[sub_resource type="RectangleShape2D" id="Rect_1"]
size = Vector2(10, 10)

[node name="Main" type="Node2D" unique_id=1]
script = ExtResource("1_a")

[node name="Player" type="CharacterBody2D" parent="." unique_id=2 groups=["heroes"]]

[node name="Shape" type="CollisionShape2D" parent="Player" unique_id=3]
shape = SubResource("Rect_1")

[node name="Gun" parent="Player" unique_id=4 instance=ExtResource("2_g")]
position = Vector2(1, 2)

[node name="Timer" type="Timer" parent="." unique_id=5]
wait_time = 2.0

[connection signal="timeout" from="Timer" to="Player" method="show"]
"""
# The same again: other ids, another order of resources, properties and header attributes.
LIKE_OLD = """[gd_scene format=3 uid="uid://cold"]
[ext_resource path="res://gun.tscn" type="PackedScene" id="9_x"]
[ext_resource type="Script" path="res://a.gd" id="8_y"]
[sub_resource type="RectangleShape2D" id="Other"]
size = Vector2( 10.0, 10 )
[node name="Main" type="Node2D"]
script = ExtResource("8_y")
[node name="Player" type="CharacterBody2D" parent="." groups=["heroes"]]
[node name="Shape" type="CollisionShape2D" parent="Player"]
shape = SubResource("Other")
[node name="Gun" parent="Player" instance=ExtResource("9_x")]
position = Vector2(1, 2)
[node name="Timer" type="Timer" parent="."]
wait_time = 2.0
[connection signal="timeout" from="Timer" to="Player" method="show"]
"""
NEW = """[gd_scene format=3 uid="uid://cold"]

[ext_resource type="PackedScene" path="res://gun.tscn" id="2_g"]

[sub_resource type="RectangleShape2D" id="Rect_2"]
size = Vector2(20, 10)

[node name="Main" type="Node3D" unique_id=1]

[node name="Clock" type="Timer" parent="." unique_id=5]
autostart = true

[node name="Hero" type="CharacterBody2D" parent="." unique_id=2 groups=["all", "heroes"]]

[node name="Shape" type="CollisionShape2D" parent="Hero" unique_id=3]
shape = SubResource("Rect_2")

[node name="Gun" parent="." unique_id=4 instance=ExtResource("2_g")]
position = Vector2(1, 2)

[node name="Light" type="PointLight2D" parent="." unique_id=6]
energy = 2.0

[connection signal="timeout" from="Clock" to="Hero" method="show"]
[connection signal="ready" from="Clock" to="Hero" method="hide"]
"""


@pytest.fixture
def game(project: Path) -> Path:
    (project / "project.godot").touch()
    for name, text in {"old": OLD, "like": LIKE_OLD, "new": NEW}.items():
        (project / f"{name}.tscn").write_text(text)
    return project


async def diff(caller: Caller, **arguments: Any) -> dict[str, Any]:
    reply = await caller.reply("diff_scenes", arguments)
    assert reply.structured is not None
    assert reply.structured["ok"], reply.structured
    found: dict[str, Any] = reply.structured["result"]
    return found


async def test_layout_and_ids_make_no_difference(game: Path, caller: Caller) -> None:
    for pair in (("old", "like"), ("like", "old"), ("old", "old")):
        found = await diff(caller, scenePath=f"{pair[0]}.tscn", otherPath=f"{pair[1]}.tscn")
        assert (found["same"], found["differences"], found["total"]) == (True, [], 0)


async def test_every_kind_of_difference_is_told_once(game: Path, caller: Caller) -> None:
    found = await diff(caller, scenePath="old.tscn", otherPath="new.tscn")
    assert found["same"] is False
    assert found["differences"] == [
        {"kind": "retyped", "node": ".", "before": "Node2D", "after": "Node3D"},
        {"kind": "property", "node": ".", "name": "script", "before": {"$path": "res://a.gd"}},
        {"kind": "renamed", "node": "Clock", "before": "Timer", "after": "Clock"},
        {"kind": "property", "node": "Clock", "name": "autostart", "after": True},
        {"kind": "property", "node": "Clock", "name": "wait_time", "before": 2.0},
        {"kind": "renamed", "node": "Hero", "before": "Player", "after": "Hero"},
        {"kind": "groups", "node": "Hero", "before": ["heroes"], "after": ["all", "heroes"]},
        {
            "kind": "property",
            "node": "Hero/Shape",
            "name": "shape:size",
            "before": "Vector2(10, 10)",
            "after": "Vector2(20, 10)",
        },
        {"kind": "moved", "node": "Gun", "before": "Player/Gun", "after": "Gun"},
        {"kind": "added", "node": "Light", "after": "PointLight2D"},
        {"kind": "property", "node": "Light", "name": "energy", "after": 2.0},
        {"kind": "reordered", "node": ".", "before": ["Hero", "Clock"], "after": ["Clock", "Hero"]},
        {"kind": "connected", "node": "Clock", "name": "ready", "after": "Hero:hide"},
        {"kind": "resource", "name": "res://a.gd", "before": "Script"},
    ]


async def test_without_ids_a_renamed_node_is_one_gone_and_one_new(game: Path, caller: Caller) -> None:
    (game / "b.tscn").write_text(LIKE_OLD.replace('"Timer" type', '"Clock" type').replace('from="Timer"', 'from="."'))
    found = await diff(caller, scenePath="like.tscn", otherPath="b.tscn")
    assert [(each["kind"], each["node"]) for each in found["differences"]] == [
        ("removed", "Timer"),
        ("added", "Clock"),
        ("property", "Clock"),
        ("disconnected", "Timer"),
        ("connected", "."),
    ]


async def test_a_long_answer_is_read_page_by_page(game: Path, caller: Caller) -> None:
    whole = await diff(caller, scenePath="old.tscn", otherPath="new.tscn")
    first = await diff(caller, scenePath="old.tscn", otherPath="new.tscn", limit=3)
    assert (len(first["differences"]), first["total"], first["nextOffset"]) == (3, 14, 3)
    rest = await diff(caller, scenePath="old.tscn", otherPath="new.tscn", offset=3)
    assert first["differences"] + rest["differences"] == whole["differences"]
    assert "nextOffset" not in rest


async def test_a_scene_is_compared_with_its_history(game: Path, caller: Caller) -> None:
    for name in ("Body", "Chest"):
        renamed = {"scenePath": "old.tscn", "nodePath": "Player" if name == "Body" else "Body", "newName": name}
        assert (await caller.run("rename_node", renamed)).ok
    since = await diff(caller, scenePath="old.tscn", entry=1)
    assert since["differences"] == [{"kind": "renamed", "node": "Chest", "before": "Player", "after": "Chest"}]
    only = await diff(caller, scenePath="old.tscn", entry=1, until="entry")
    assert only["differences"] == [{"kind": "renamed", "node": "Body", "before": "Player", "after": "Body"}]


@pytest.mark.parametrize(
    ("arguments", "code"),
    [
        ({"scenePath": "old.tscn"}, "E_SCHEMA_VALIDATION"),
        ({"scenePath": "old.tscn", "otherPath": "new.tscn", "entry": 1}, "E_SCHEMA_VALIDATION"),
        ({"scenePath": "old.tscn", "otherPath": "nwe.tscn"}, "E_NOT_FOUND"),
        ({"scenePath": "old.tscn", "entry": 99}, "E_NOT_FOUND"),
        ({"scenePath": "new.tscn", "entry": 1}, "E_NOT_FOUND"),
    ],
)
async def test_what_cannot_be_compared_is_refused(
    game: Path, caller: Caller, arguments: dict[str, Any], code: str
) -> None:
    assert (await caller.run("rename_node", {"scenePath": "old.tscn", "nodePath": "Timer", "newName": "T"})).ok
    reply = await caller.reply("diff_scenes", arguments)
    assert reply.structured is not None
    assert reply.structured["error"]["code"] == code
