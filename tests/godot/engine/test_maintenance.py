from __future__ import annotations

import re
import subprocess
from pathlib import Path
from typing import Any

import anyio
import pytest
from tests.conftest import Caller, MakeCaller
from tests.e2e.tools import godot
from tests.support.gdscript_runner import run_jobs

from scenewright.core.calls.call import SilentClient

pytestmark = [pytest.mark.anyio, pytest.mark.godot, pytest.mark.xdist_group("godot-engines")]

MAIN = """[gd_scene format=3]

[ext_resource type="Script" path="res://hero.gd" id="1"]
[ext_resource type="PackedScene" uid="uid://nobody" path="res://part.tscn" id="2"]
[ext_resource type="Gradient" uid="uid://c5look" path="res://moved.tres" id="3"]

[node name="Main" type="Node2D"]
script = ExtResource("1")
look = ExtResource("3")

[node name="Part" parent="." instance=ExtResource("2")]
"""
FILES = {
    "hero.gd": "extends Node2D\n\n@export var look: Gradient\n",
    "wave.gdshader": "shader_type canvas_item;\n",
    "main.tscn": MAIN,
    "part.tscn": '[gd_scene format=3]\n\n[node name="Part" type="Node2D"]\n',
    "look.tres": '[gd_resource type="Gradient" format=3 uid="uid://c5look"]\n\n[resource]\n',
}
BROKEN = '[gd_scene format=3\n\n[node name="A\n'
TILES = """[gd_scene format=3]

[sub_resource type="BoxMesh" id="box"]

[sub_resource type="StandardMaterial3D" id="red"]
albedo_color = Color(1, 0, 0, 1)

[sub_resource type="BoxShape3D" id="shape"]
size = Vector3(1, 2, 3)

[sub_resource type="NavigationMesh" id="ways"]

[node name="Tiles" type="Node3D"]

[node name="Floor" type="MeshInstance3D" parent="."]
mesh = SubResource("box")
surface_material_override/0 = SubResource("red")
cast_shadow = 0

[node name="Body" type="StaticBody3D" parent="Floor"]
transform = Transform3D(1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 5, 0)

[node name="Shape" type="CollisionShape3D" parent="Floor/Body"]
shape = SubResource("shape")

[node name="Ways" type="NavigationRegion3D" parent="Floor"]
navigation_mesh = SubResource("ways")

[node name="Group" type="Node3D" parent="."]

[node name="Wall" type="MeshInstance3D" parent="Group"]
mesh = SubResource("box")

[node name="Empty" type="MeshInstance3D" parent="."]
"""
LIBRARY = """
func run(path: Variant) -> Variant:
	var library: MeshLibrary = load(path as String) as MeshLibrary
	var found: Array = []
	for id: int in library.get_item_list():
		var shapes: Array = library.get_item_shapes(id)
		var mesh: BoxMesh = library.get_item_mesh(id) as BoxMesh
		found.append([library.get_item_name(id), library.get_item_mesh_cast_shadow(id),
			mesh.material != null, library.get_item_navigation_mesh(id) != null,
			[str((shapes[0] as BoxShape3D).size), str((shapes[1] as Transform3D).origin)] if shapes else []])
	return found
"""
FLOOR = ["Floor", 0, True, True, ["(1.0, 2.0, 3.0)", "(0.0, 5.0, 0.0)"]]
WALL = ["Wall", 1, False, False, []]


async def reply(caller: Caller, tool: str, **arguments: Any) -> dict[str, Any]:
    structured = (await caller.reply(tool, arguments)).structured
    assert structured is not None
    found: dict[str, Any] = structured
    return found


def fill(game: Path, files: dict[str, str]) -> None:
    for name, text in files.items():
        (game / name).write_text(text)


def contents(game: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in game.glob("*") if path.is_file()}


async def test_files_get_the_uids_they_lack_and_the_editor_agrees(make_caller: MakeCaller, game: Path) -> None:
    fill(game, FILES)
    before = contents(game)
    caller = make_caller()
    done = (await reply(caller, "update_project_uids"))["result"]
    assert done["given"] == ["res://hero.gd", "res://wave.gdshader", "res://main.tscn", "res://part.tscn"]
    assert (done["total"], done["updated"], done["unreadable"]) == (4, ["res://main.tscn"], [])
    script = (game / "hero.gd.uid").read_text().strip()
    part = re.findall(r'uid="(.*?)"', (game / "part.tscn").read_text())[0]
    main = (game / "main.tscn").read_text()
    assert f'type="Script" uid="{script}" path="res://hero.gd"' in main
    assert f'type="PackedScene" uid="{part}" path="res://part.tscn"' in main
    assert 'uid="uid://c5look" path="res://moved.tres"' in main  # it is known, and leads to the file

    ours = contents(game)
    command = [godot(), "--headless", "--path", str(game), "--import"]
    subprocess.run(command, check=True, capture_output=True, timeout=120)
    assert contents(game) == ours
    again = (await reply(caller, "update_project_uids"))["result"]
    assert (again["total"], again["updated"]) == (0, [])
    assert (await caller.run("history_undo")).ok
    assert contents(game) == before


async def test_a_file_that_cannot_be_read_is_left_alone(make_caller: MakeCaller, game: Path) -> None:
    fill(game, {"broken.tscn": BROKEN})
    done = (await reply(make_caller(), "update_project_uids"))["result"]
    assert done["unreadable"] == ["res://broken.tscn"]
    assert (game / "broken.tscn").read_text() == BROKEN


@pytest.mark.since_godot(4, 6)  # older ones count resources in the header
async def test_resources_are_saved_as_the_engine_writes_them_and_keep_their_uids(
    make_caller: MakeCaller, game: Path
) -> None:
    old = '[gd_scene load_steps=9 format=3 uid="uid://b4old"]\n\n[ext_resource type="Script" uid="uid://d6hero"'
    old += ' path="res://hero.gd" id="1"]\n\n[node name="A" type="Node2D"]\nscript = ExtResource("1")\nz_index=0\n'
    fill(game, {"hero.gd": "extends Node2D\n", "hero.gd.uid": "uid://d6hero\n", "old.tscn": old, "other.tscn": old})
    (game / "other.tscn").write_text(old.replace("b4old", "b4other"))
    before = contents(game)
    caller = make_caller()
    done = (await reply(caller, "resave_resources", files=["old.tscn"]))["result"]
    assert done == {"changed": ["res://old.tscn"], "total": 1, "unchanged": 0, "failed": []}
    text = (game / "old.tscn").read_text()
    assert text.startswith('[gd_scene format=3 uid="uid://b4old"]\n')
    assert '[ext_resource type="Script" uid="uid://d6hero" path="res://hero.gd" id="1"]' in text
    assert "z_index = 0" in text
    again = (await reply(caller, "resave_resources"))["result"]
    assert (again["changed"], again["unchanged"]) == (["res://other.tscn"], 1)
    for _ in range(2):
        assert (await caller.run("history_undo")).ok
    assert contents(game) == before


async def test_what_does_not_load_cleanly_is_not_saved(make_caller: MakeCaller, game: Path) -> None:
    bad = '[gd_scene format=3]\n\n[ext_resource type="Script" path="res://gone.gd" id="1"]\n\n'
    bad += '[node name="A" type="Node2D"]\nscript = ExtResource("1")\nspeed = 3\n'
    fill(game, {"bad.tscn": bad})
    done = (await reply(make_caller(), "resave_resources"))["result"]
    assert [row["path"] for row in done["failed"]] == ["res://bad.tscn"]
    assert (game / "bad.tscn").read_text() == bad
    missing = await reply(make_caller(), "resave_resources", files=["bda.tscn"])
    assert "bad.tscn" in missing["error"]["suggestedFix"]


async def test_progress_is_told_and_a_cancel_changes_nothing(make_caller: MakeCaller, game: Path) -> None:
    class Impatient(SilentClient):
        def __init__(self, scope: anyio.CancelScope) -> None:
            self.scope = scope
            self.told: list[tuple[float, float | None]] = []

        async def progress(self, done: float, total: float | None, message: str | None) -> None:
            del message
            self.told.append((done, total))
            self.scope.cancel()

    fill(game, {f"part{number}.tscn": FILES["part.tscn"] for number in range(50)})
    before = contents(game)
    caller = make_caller()
    with anyio.CancelScope() as scope:
        client = Impatient(scope)
        await caller.run("resave_resources", {}, client=client)
    assert scope.cancelled_caught
    assert client.told[0] == (1, 50)
    assert contents(game) == before
    assert (await reply(caller, "resave_resources"))["result"]["total"] == 50


@pytest.mark.parametrize("name", ["tiles.tres", "tiles.res", "lib/tiles.meshlib"])
async def test_a_mesh_library_has_the_meshes_of_a_scene(make_caller: MakeCaller, game: Path, name: str) -> None:
    fill(game, {"tiles.tscn": TILES})
    caller = make_caller()
    done = (await reply(caller, "export_mesh_library", scenePath="tiles.tscn", outputPath=name))["result"]
    assert done["path"] == f"res://{name}"
    assert [(item["name"], item["shapes"], item["navigation"]) for item in done["items"]] == [
        ("Floor", 1, True),
        ("Wall", 0, False),
    ]
    answer = run_jobs(game, LIBRARY, [f"res://{name}"])[0]
    assert (answer.value, answer.complaints) == ([FLOOR, WALL], [])


async def test_a_mesh_library_takes_bodies_as_they_are_built_and_keeps_their_ids(
    make_caller: MakeCaller, game: Path
) -> None:
    fill(game, {"parts.tscn": '[gd_scene format=3]\n\n[node name="Parts" type="Node3D"]\n'})
    caller = make_caller()
    for name, size in (("Block", [2, 2, 2]), ("Slab", [2, 1, 2])):
        made = await reply(
            caller,
            "create_primitive",
            scenePath="parts.tscn",
            shape="box",
            nodeName=name,
            size=size,
            collision="static",
            position=[5, 0, 0],
        )
        assert made["ok"], made
    wanted = {"scenePath": "parts.tscn", "outputPath": "parts.tres", "overwrite": True}
    done = (await reply(caller, "export_mesh_library", **wanted))["result"]
    assert [(item["id"], item["name"], item["shapes"]) for item in done["items"]] == [(0, "Block", 1), (1, "Slab", 1)]
    done = (await reply(caller, "export_mesh_library", **wanted, meshItemNames=["Slab"]))["result"]
    assert [(item["id"], item["name"]) for item in done["items"]] == [(1, "Slab")]


async def test_a_mesh_library_can_have_some_of_the_meshes(make_caller: MakeCaller, game: Path) -> None:
    fill(game, {"tiles.tscn": TILES})
    caller = make_caller()
    wanted = {"scenePath": "tiles.tscn", "outputPath": "tiles.tres"}
    assert (await reply(caller, "export_mesh_library", **wanted, meshItemNames=["Wall"]))["ok"]
    assert run_jobs(game, LIBRARY, ["res://tiles.tres"])[0].value == [WALL]
    refused = await reply(caller, "export_mesh_library", **wanted)
    assert "overwrite" in refused["error"]["suggestedFix"]
    first = re.findall(r'uid="(.*?)"', (game / "tiles.tres").read_text())
    assert (await reply(caller, "export_mesh_library", **wanted, meshItemNames=["Floor"], overwrite=True))["ok"]
    assert run_jobs(game, LIBRARY, ["res://tiles.tres"])[0].value == [FLOOR]
    assert re.findall(r'uid="(.*?)"', (game / "tiles.tres").read_text()) == first


@pytest.mark.parametrize(
    ("arguments", "code", "hint"),
    [
        ({"meshItemNames": ["Flor"]}, "E_NOT_FOUND", "Floor"),
        ({"meshItemNames": ["Empty"]}, "E_NOT_FOUND", "Wall"),
        ({"outputPath": "tiles.txt"}, "E_SCHEMA_VALIDATION", ".meshlib"),
        ({"outputPath": "../tiles.tres"}, "E_PERMISSION_DENIED", ""),
        ({"scenePath": "tile.tscn"}, "E_NOT_FOUND", "tiles.tscn"),
        ({"scenePath": "part.tscn"}, "E_NOT_FOUND", "meshes"),
    ],
)
async def test_a_bad_mesh_library_is_refused(
    make_caller: MakeCaller, game: Path, arguments: dict[str, Any], code: str, hint: str
) -> None:
    fill(game, {"tiles.tscn": TILES, "part.tscn": FILES["part.tscn"]})
    given = {"scenePath": "tiles.tscn", "outputPath": "tiles.tres", **arguments}
    refused = await reply(make_caller(), "export_mesh_library", **given)
    assert refused["error"]["code"] == code
    assert hint in refused["error"]["suggestedFix"]
    assert not (game / "tiles.tres").exists()
