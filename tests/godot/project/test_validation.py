"""A project with every kind of issue once, one with none, and one that takes too long."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from tests.conftest import Caller
from tests.support.gdscript_runner import make_project

pytestmark = pytest.mark.anyio

SETTINGS = """config_version=5

[application]

config/name="Sample"
run/main_scene="res://main.tscn"

[autoload]

Music="*res://music.gd"
"""
CLEAN: dict[str, str | bytes] = {
    "project.godot": SETTINGS,
    "music.gd": 'extends Node\n\nvar levels := "res://levels/level_%d.tscn"\nvar tiles = load("tiles.tres")\n',
    "main.gd": "extends Node2D\n\nsignal won(points)\n@export var speed := 1.0\n\nfunc _on_clock() -> void:\n\tpass\n",
    "main.gd.uid": "uid://cmaingd\n",
    "own.gd": "class_name Own\nextends Resource\n\nfunc _get_property_list() -> Array:\n\treturn []\n",
    "tiles.tres": '[gd_resource type="Resource" format=3 uid="uid://ctiles"]\n\n'
    '[ext_resource type="Script" path="res://own.gd" id="1"]\n\n[resource]\nscript = ExtResource("1")\nmade = 4\n',
    "levels/level_1.tscn": '[gd_scene format=3]\n\n[sub_resource type="AnimationLibrary" id="A"]\n\n'
    '[node name="One" type="AnimationPlayer"]\nlibraries = {\n"": SubResource("A")\n}\n',
    "gun.tscn": '[gd_scene format=3 uid="uid://cgun"]\n\n[node name="Gun" type="Node2D"]\n\n'
    '[node name="Barrel" type="Marker2D" parent="."]\n',
    "heir.tscn": '[gd_scene format=3]\n\n[ext_resource type="PackedScene" path="res://gun.tscn" id="1"]\n\n'
    '[node name="Heir" instance=ExtResource("1")]\n\n[node name="Barrel" parent="."]\nposition = Vector2(1, 2)\n',
    "main.tscn": """[gd_scene format=3 uid="uid://cmain"]

[ext_resource type="PackedScene" uid="uid://cgun" path="res://gun.tscn" id="1"]
[ext_resource type="Script" uid="uid://cmaingd" path="res://main.gd" id="2"]
[ext_resource type="PackedScene" path="res://heir.tscn" id="3"]

[sub_resource type="ShaderMaterial" id="M"]
shader_parameter/glow = 1.0

[node name="Main" type="Node2D"]
material = SubResource("M")
script = ExtResource("2")
speed = 2.0
metadata/any = 1

[node name="Gun" parent="." instance=ExtResource("1")]

[node name="Heir" parent="." instance=ExtResource("3")]

[node name="Clock" type="Timer" parent="."]

[node name="Label" type="Label" parent="."]
theme_override_colors/font_color = Color(1, 0, 0, 1)

[connection signal="timeout" from="Clock" to="." method="_on_clock"]
[connection signal="won" from="." to="Gun/Barrel" method="show"]
""",
}
USED = "\n".join(
    f'var _{number} = "res://{name}"'
    for number, name in enumerate(
        ["files.tscn", "nodes.tscn", "a.tscn", "b.tscn", "bad.gd", "bad.tscn", "twin.tres", "late.gd", "empty.tscn"]
    )
)
SEEDED: dict[str, str | bytes] = {
    **CLEAN,
    "project.godot": SETTINGS.replace("main.tscn", "mian.tscn").replace("Music=", 'Gone="*res://gone.gd"\nMusic='),
    "music.gd": f'extends Node\n{USED}\nvar main = "res://main.tscn"\nvar levels := "res://levels/"\n',
    "tiles.tres": CLEAN["tiles.tres"],
    "twin.tres": '[gd_resource type="Resource" format=3 uid="uid://ctiles"]\n\n[resource]\n',
    "bad.gd": "extends Node\n\nfunc broken(:\n\tpass\n",
    "late.gd": 'extends "res://nobody.gd"\n\nvar a = preload("res://nothing.tscn")\n# preload("res://no.png")\n',
    "bad.tscn": '[gd_scene format=3]\n\n[node name="Bad" type="Node2D"]\nposition = Vector2(1,\n',
    "empty.tscn": "[gd_scene format=3]\n",
    "orphan.tscn": '[gd_scene format=3]\n\n[node name="Orphan" type="Node"]\n',
    "files.tscn": """[gd_scene format=3]

[ext_resource type="Script" path="res://mian.gd" id="1"]
[ext_resource type="Resource" path="res://missing.tres" id="2"]
[ext_resource type="PackedScene" uid="uid://cgun" path="res://old/gun.tscn" id="3"]
[ext_resource type="PackedScene" uid="uid://cgun" path="res://main.tscn" id="4"]
[ext_resource type="Script" uid="uid://cgone" path="res://main.gd" id="5"]

[node name="Files" type="Node2D"]
script = ExtResource("1")
metadata/all = [ExtResource("2"), ExtResource("3"), ExtResource("4"), ExtResource("5"), SubResource("nope")]
""",
    "nodes.tscn": """[gd_scene format=3]

[ext_resource type="PackedScene" path="res://gun.tscn" id="1"]
[ext_resource type="Script" path="res://main.gd" id="2"]
[ext_resource type="Resource" path="res://tiles.tres" id="3"]

[node name="Nodes" type="Node2D"]
script = ExtResource("2")
sped = 1.0

[node name="Strange" type="Sprit2D" parent="."]
anything = 1

[node name="Gun" parent="." instance=ExtResource("1")]

[node name="Lost" type="Node" parent="Gun/Bayonet"]

[node name="Clock" type="Timer" parent="."]

[connection signal="timeot" from="Clock" to="." method="_on_clock"]
[connection signal="timeout" from="Clock" to="." method="_on_clokc"]
[connection signal="timeout" from="Clock" to="Nobody" method="show"]
""",
    "a.tscn": '[gd_scene format=3]\n\n[ext_resource type="PackedScene" path="res://b.tscn" id="1"]\n\n'
    '[node name="A" type="Node"]\n\n[node name="B" parent="." instance=ExtResource("1")]\n',
    "b.tscn": '[gd_scene format=3]\n\n[ext_resource type="PackedScene" path="res://a.tscn" id="1"]\n\n'
    '[node name="B" instance=ExtResource("1")]\n',
}
EXPECTED = [
    ("error", "cyclic_scene", "a.tscn", None, None),
    ("error", "syntax_error", "bad.gd", 3, None),
    ("error", "parse_error", "bad.tscn", 4, None),
    ("error", "empty_scene", "empty.tscn", None, None),
    ("error", "missing_script", "files.tscn", 3, None),
    ("error", "missing_file", "files.tscn", 4, None),
    ("error", "wrong_uid", "files.tscn", 6, None),
    ("error", "missing_resource", "files.tscn", 9, None),
    ("error", "missing_script", "late.gd", None, None),
    ("error", "missing_file", "late.gd", 3, None),
    ("error", "unknown_class", "nodes.tscn", 11, "Strange"),
    ("error", "missing_signal", "nodes.tscn", 20, "Clock"),
    ("error", "missing_method", "nodes.tscn", 21, "."),
    ("error", "missing_node", "nodes.tscn", 22, "Nobody"),
    ("error", "missing_main_scene", "project.godot", 6, None),
    ("error", "missing_autoload", "project.godot", 10, None),
    ("error", "duplicate_uid", "twin.tres", None, None),
    ("warning", "stale_path", "files.tscn", 5, None),
    ("warning", "unknown_uid", "files.tscn", 7, None),
    ("warning", "unknown_property", "nodes.tscn", 9, "."),
    ("warning", "missing_parent", "nodes.tscn", 16, "Gun/Bayonet/Lost"),
    ("info", "unused_file", "orphan.tscn", None, None),
]


async def validate(caller: Caller, **arguments: Any) -> dict[str, Any]:
    reply = await caller.reply("validate_project", arguments)
    assert reply.structured is not None
    assert reply.structured["ok"], reply.structured
    found: dict[str, Any] = reply.structured["result"]
    return found


def places(found: dict[str, Any]) -> list[tuple[str, str, str, int | None, str | None]]:
    return [
        (each["severity"], each["code"], each["path"].removeprefix("res://"), each.get("line"), each.get("node"))
        for each in found["issues"]
    ]


async def test_a_sound_project_has_no_issues(project: Path, caller: Caller) -> None:
    make_project(project, CLEAN)
    found = await validate(caller)
    assert found["issues"] == []
    assert (found["valid"], found["errors"], found["files"]) == (True, 0, 8)
    assert "partial" not in found


async def test_every_kind_of_issue_is_found_exactly_once(project: Path, caller: Caller) -> None:
    make_project(project, SEEDED)
    found = await validate(caller)
    assert places(found) == EXPECTED
    assert (found["valid"], found["errors"], found["warnings"], found["infos"]) == (False, 17, 4, 1)
    fixes = {(each["code"], each["path"]): each.get("fix", "") for each in found["issues"]}
    assert "'res://main.gd'" in fixes["missing_script", "res://files.tscn"]
    assert "'timeout'" in fixes["missing_signal", "res://nodes.tscn"]
    assert "'Sprite2D'" in fixes["unknown_class", "res://nodes.tscn"]
    assert "'res://main.tscn'" in fixes["missing_main_scene", "res://project.godot"]
    assert "'res://gun.tscn'" in fixes["stale_path", "res://files.tscn"]


@pytest.mark.parametrize(
    ("off", "kinds"),
    [
        ("checkScripts", {"bad.gd", "late.gd"}),
        ("checkScenes", {"a.tscn", "bad.tscn", "empty.tscn", "files.tscn", "nodes.tscn"}),
        ("checkResources", {"orphan.tscn"}),
    ],
)
async def test_a_check_can_be_left_out(project: Path, caller: Caller, off: str, kinds: set[str]) -> None:
    make_project(project, SEEDED)
    found = await validate(caller, **{off: False})
    assert places(found) == [issue for issue in EXPECTED if issue[2] not in kinds]


async def test_all_issues_are_reached_page_by_page(project: Path, caller: Caller) -> None:
    make_project(project, SEEDED)
    first = await validate(caller, limit=2)
    assert places(first) == EXPECTED[:2]
    assert (first["nextOffset"], first["errors"]) == (2, 17)
    rest = await validate(caller, offset=2, limit=2000)
    assert places(rest) == EXPECTED[2:]
    assert "nextOffset" not in rest
    assert places(await validate(caller, maxIssues=2)) == EXPECTED[:2]  # as it was called


SCRIPTED = (
    '[gd_scene format=3]\n\n[ext_resource type="Script" path="res://gone.gd" id="1"]\n\n[node name="A" type="Node"]\n'
)


async def test_equal_issues_are_one_row_with_every_place(project: Path, caller: Caller) -> None:
    odd = """[gd_scene format=3]

[node name="A" type="Node"]
sped = 1

[node name="B" type="Node" parent="."]
sped = 2
"""
    make_project(project, {**CLEAN, "levels/level_1.tscn": odd, "levels/level_2.tscn": odd})
    found = await validate(caller)
    row = {key: found["issues"][0][key] for key in ("path", "line", "node", "also")}
    second = "res://levels/level_2.tscn"
    assert row == {
        "path": "res://levels/level_1.tscn",
        "line": 4,
        "node": ".",
        "also": [
            {"line": 7, "node": "B"},
            {"path": second, "line": 4, "node": "."},
            {"path": second, "line": 7, "node": "B"},
        ],
    }
    assert (len(found["issues"]), found["warnings"]) == (1, 4)


async def test_a_row_has_at_most_50_places_so_that_none_is_out_of_reach(project: Path, caller: Caller) -> None:
    scenes = {f"levels/level_{number}.tscn": SCRIPTED for number in range(1, 121)}
    make_project(project, {**CLEAN, **scenes})
    found = await validate(caller)
    assert [1 + len(row["also"]) for row in found["issues"]] == [50, 50, 20]
    assert found["errors"] == 120


async def test_issues_of_addons_come_after_all_of_the_project(project: Path, caller: Caller) -> None:
    warned = '[gd_scene format=3]\n\n[node name="A" type="Node"]\nsped = 1\n'
    make_project(project, {**CLEAN, "addons/a/a.tscn": SCRIPTED, "levels/level_1.tscn": warned})
    found = await validate(caller)
    assert [(severity, path) for severity, _, path, _, _ in places(found)] == [
        ("warning", "levels/level_1.tscn"),
        ("error", "addons/a/a.tscn"),
    ]
    assert found["inAddons"] == 1


async def test_what_was_not_looked_at_is_named(project: Path, caller: Caller) -> None:
    more: dict[str, str | bytes] = {
        "Player.cs": "public partial class Player : Node {}",
        "baked.res": b"RSRC",
        "fx.gdshader": "shader_type sky;",
    }
    make_project(project, {**CLEAN, **more})
    found = await validate(caller)
    assert found["notChecked"] == [
        "3 scripts and 1 shader not compiled, 4 scenes not loaded by Godot: loadScenes does that.",
        "1 C# script was not compiled.",
        "1 binary file (.res, .scn) was not read.",
    ]
    late = await validate(caller, timeBudget=0)
    assert [text for text in late["notChecked"] if text.startswith("timeBudget ran out")]


async def test_without_time_the_answer_says_that_it_is_partial(project: Path, caller: Caller) -> None:
    make_project(project, SEEDED)
    found = await validate(caller, timeBudget=0)
    assert (found["partial"], found["files"]) == (True, 0)
    assert found["issues"] == []  # what was not looked for is not called missing


async def test_two_classes_of_one_name_are_an_error(project: Path, caller: Caller) -> None:
    twins = {"one.gd": "class_name Own\n", "timer.gd": "class_name Timer\nextends Node\n"}
    make_project(project, {**CLEAN, **twins})
    assert places(await validate(caller)) == [
        ("error", "duplicate_class", "own.gd", None, None),
        ("error", "duplicate_class", "timer.gd", None, None),
    ]


async def test_a_changed_node_that_was_renamed_in_its_scene_is_still_found_by_its_id(
    project: Path, caller: Caller
) -> None:
    gun = str(CLEAN["gun.tscn"]).replace('parent="."', 'parent="." unique_id=7')
    heir = str(CLEAN["heir.tscn"]).replace('name="Barrel" parent="."', 'name="{}" parent="." unique_id={}')
    make_project(project, {**CLEAN, "gun.tscn": gun, "heir.tscn": heir.format("Pipe", 7)})
    assert places(await validate(caller)) == []
    (project / "heir.tscn").write_text(heir.format("Pipe", 8))
    assert places(await validate(caller)) == [("warning", "missing_parent", "heir.tscn", 7, "Pipe")]


async def test_classes_of_a_native_extension_are_only_doubted(project: Path, caller: Caller) -> None:
    scene = '[gd_scene format=3]\n\n[node name="One" type="Voxels"]\nsize = 3\n'
    make_project(project, {**CLEAN, "levels/level_1.tscn": scene, "native.gdextension": "[configuration]\n"})
    assert places(await validate(caller)) == [("warning", "unknown_class", "levels/level_1.tscn", 3, ".")]
