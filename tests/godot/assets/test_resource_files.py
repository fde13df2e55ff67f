"""Resource files: made, listed, read and changed through the pipeline, and loaded by the real engine."""

from __future__ import annotations

import subprocess
from pathlib import Path
from typing import Any

import anyio
import pytest
from tests.conftest import Caller
from tests.support.gdscript_runner import Reply, make_project, run_jobs

from scenewright.app import make_runtime
from scenewright.core.calls.call import Request
from scenewright.core.config import Config

LOOT = """class_name Loot
extends Resource

enum Rarity { COMMON, RARE }

@export var title: String = ""
@export var rarity: Rarity = Rarity.COMMON
@export var colors: Array[Color] = []
@export var icon: Texture2D
"""
THEME = """[gd_resource type="StyleBoxFlat" format=3 uid="uid://cy0a1b2c3d4e"]\r
\r
[resource]\r
bg_color = Color(1, 0, 0, 1) ; red\r
border_width_left = 4\r
"""
MATERIAL = """[gd_resource type="CanvasItemMaterial" load_steps=2 format=3]

[sub_resource type="Gradient" id="Gradient_a"]
offsets = PackedFloat32Array(0, 0.5)

[resource]
resource_name = "own"
metadata/gradient = SubResource("Gradient_a")
"""
FILES: dict[str, str | bytes] = {"loot.gd": LOOT, "ui/red.tres": THEME, "own.tres": MATERIAL}


@pytest.fixture
def game(project: Path) -> Path:
    return make_project(project, FILES)


def contents(folder: Path) -> dict[str, bytes]:
    return {
        path.relative_to(folder).as_posix(): path.read_bytes()
        for path in folder.rglob("*")
        if path.is_file() and not path.relative_to(folder).parts[0].startswith(".")
    }


@pytest.mark.anyio
async def test_a_resource_is_made_with_its_values_read_back_and_goes_with_undo(game: Path, caller: Caller) -> None:
    before = contents(game)
    made = await caller.result(
        "create_resource",
        resourcePath="ui/blue.tres",
        resourceType="StyleBoxFlat",
        properties={"bg_color": "#0000ff", "border_width_left": 0},
    )
    assert made["properties"] == {"bg_color": "Color(0, 0, 1, 1)", "border_width_left": 0}
    assert (game / "ui" / "blue.tres").read_text() == (
        f'[gd_resource type="StyleBoxFlat" format=3 uid="{made["uid"]}"]\n\n[resource]\nbg_color = Color(0, 0, 1, 1)\n'
    )
    await caller.result("history_undo")
    assert contents(game) == before


@pytest.mark.anyio
async def test_resources_are_listed_by_class_folder_and_page(game: Path, caller: Caller) -> None:
    await caller.result("create_resource", resourcePath="gold.tres", resourceType="Loot")
    (game / "icon.png").touch()
    (game / "icon.png.import").write_text('[remap]\n\nimporter="texture"\ntype="CompressedTexture2D"\nuid="uid://b1"\n')
    (game / "broken.tres").write_text("[gd_resource\n")

    async def listed(**arguments: Any) -> list[str]:
        return [row["path"] for row in (await caller.result("list_resources", **arguments))["resources"]]

    assert await listed(type="StyleBox") == ["res://ui/red.tres"]
    assert await listed(type="Loot") == ["res://gold.tres"]
    assert await listed(folder="res://ui") == ["res://ui/red.tres"]
    assert await listed(type="Texture2D", includeImported=True) == ["res://icon.png"]
    assert "res://gold.tres" in await listed(type="Resource")
    first = await caller.result("list_resources", limit=1)
    assert first["nextOffset"] == 1


@pytest.mark.anyio
async def test_reading_gives_what_is_set_and_defaults_when_asked(game: Path, caller: Caller) -> None:
    read = await caller.result("read_resource", resourcePath="ui/red.tres")
    assert read["properties"] == {"bg_color": "Color(1, 0, 0, 1)", "border_width_left": 4}
    asked = await caller.result("read_resource", resourcePath="ui/red.tres", names=["corner_detail", "bg_color"])
    assert asked["properties"] == {"corner_detail": 8, "bg_color": "Color(1, 0, 0, 1)"}
    every = await caller.result("read_resource", resourcePath="ui/red.tres", includeDefaults=True)
    assert every["properties"]["draw_center"] is True
    whole = await caller.result("read_resource", resourcePath="own.tres")
    assert whole["inner"] == [{"id": "Gradient_a", "type": "Gradient"}]
    inner = await caller.result("read_resource", resourcePath="own.tres", id="Gradient_a")
    assert inner["properties"] == {"offsets": {"$type": "PackedFloat32Array", "value": [0, 0.5]}}


@pytest.mark.anyio
async def test_an_edit_touches_only_its_lines_and_can_be_undone(game: Path, caller: Caller) -> None:
    before = contents(game)
    await caller.result(
        "edit_resource", resourcePath="ui/red.tres", properties={"border_width_top": 2}, reset=["border_width_left"]
    )
    edited = (game / "ui" / "red.tres").read_bytes().decode()
    assert edited == THEME.replace("border_width_left = 4", "border_width_top = 2")
    await caller.result("history_undo")
    assert contents(game) == before


CHEST = """class_name Chest
extends Resource

@export var loot: Array[Loot] = []
@export var by_name: Dictionary[String, Loot] = {}
@export var anything: Variant
"""
LOOKED = """
func run(path: String) -> Array:
	var chest: Resource = load(path)
	var held: Array[String] = []
	for each: Array in [chest.loot, chest.anything, chest.by_name.values()]:
		held.append(",".join(each.map(func(loot: Loot) -> String: return loot.title)))
	var types: Array = [chest.anything.get_typed_script(), chest.by_name.get_typed_value_script()]
	return [held, types.map(func(script: Script) -> String: return script.resource_path)]
"""


@pytest.mark.anyio
@pytest.mark.godot
async def test_what_holds_resources_of_a_script_says_their_paths_and_can_be_sent_again(
    game: Path, caller: Caller, godot: Path
) -> None:
    (game / "chest.gd").write_text(CHEST)
    await caller.result("create_resource", resourcePath="a.tres", resourceType="Loot", properties={"title": "A"})
    inside = {"$resource": "Loot", "props": {"title": "B"}}
    await caller.result(
        "create_resource",
        resourcePath="chest.tres",
        resourceType="Chest",
        properties={
            "loot": ["res://a.tres", inside],
            "by_name": {"a": "res://a.tres"},
            "anything": {"$type": "Array[Loot]", "value": [{"$path": "res://a.tres"}]},
        },
    )
    read = (await caller.result("read_resource", resourcePath="chest.tres"))["properties"]
    typed = {"$type": "Array[res://loot.gd]", "value": [{"$path": "res://a.tres"}]}
    assert read["anything"] == typed
    named = {"$type": "Dictionary[String, res://loot.gd]", "entries": [["a", {"$path": "res://a.tres"}]]}
    assert read["by_name"] == named
    assert read["loot"]["value"][0] == {"$path": "res://a.tres"}
    assert read["loot"]["value"][1]["$resource"] == "Resource"
    before = (game / "chest.tres").read_bytes()
    await caller.result("edit_resource", resourcePath="chest.tres", properties=read)
    assert (game / "chest.tres").read_bytes() == before
    subprocess.run([godot, "--headless", "--path", game, "--import"], check=True, capture_output=True, timeout=120)
    (reply,) = run_jobs(game, LOOKED, ["res://chest.tres"])
    assert reply == Reply([["A,B", "A", "A"], ["res://loot.gd", "res://loot.gd"]], [])


@pytest.mark.anyio
async def test_an_inner_resource_that_nothing_has_any_more_goes(game: Path, caller: Caller) -> None:
    gradient = {"$resource": "Gradient", "props": {"interpolation_mode": 1}}
    made = await caller.result(
        "create_resource",
        resourcePath="tex.tres",
        resourceType="GradientTexture2D",
        properties={"gradient": gradient},
    )
    assert made["properties"]["gradient"]["$resource"] == "Gradient"
    assert "sub_resource" in (game / "tex.tres").read_text()
    await caller.result("edit_resource", resourcePath="tex.tres", reset=["gradient"])
    assert "Gradient_" not in (game / "tex.tres").read_text()


REFUSED: list[tuple[str, dict[str, Any], str, str]] = [
    ("create_resource", {"resourcePath": "a.tres", "resourceType": "StyleBoxFlt"}, "not_found", "StyleBoxFlat"),
    ("create_resource", {"resourcePath": "a.tres", "resourceType": "Shape2D"}, "invalid", "abstract"),
    ("create_resource", {"resourcePath": "a.tres", "resourceType": "Node2D"}, "invalid", "not a resource"),
    ("create_resource", {"resourcePath": "a.tres", "resourceType": "PackedScene"}, "invalid", "create_scene"),
    ("create_resource", {"resourcePath": "a.txt", "resourceType": "Gradient"}, "invalid", ".tres"),
    ("create_resource", {"resourcePath": "own.tres", "resourceType": "Gradient"}, "conflict", "overwrite"),
    (
        "create_resource",
        {"resourcePath": "a.tres", "resourceType": "Loot", "properties": {"titel": "x"}},
        "not_found",
        "title",
    ),
    ("edit_resource", {"resourcePath": "ui/red.tres", "properties": {"bg_color": "no colour"}}, "invalid", "Color"),
    ("edit_resource", {"resourcePath": "ui/red.tres", "properties": {"bg_colour": "red"}}, "not_found", "bg_color"),
    ("edit_resource", {"resourcePath": "ui/red.tres", "reset": ["nothing"]}, "not_found", "nothing"),
    ("edit_resource", {"resourcePath": "ui/red.tres"}, "invalid", "reset"),
    (
        "edit_resource",
        {"resourcePath": "own.tres", "id": "Gradient_b", "reset": ["offsets"]},
        "not_found",
        "Gradient_a",
    ),
    ("edit_resource", {"resourcePath": "ui/rde.tres", "reset": ["bg_color"]}, "not_found", "red.tres"),
    ("list_resources", {"type": "Lot"}, "not_found", "Loot"),
]


@pytest.mark.anyio
@pytest.mark.parametrize(("tool", "arguments", "kind", "says"), REFUSED)
async def test_what_cannot_be_is_refused_and_nothing_changes(
    game: Path, caller: Caller, tool: str, arguments: dict[str, Any], kind: str, says: str
) -> None:
    before = contents(game)
    outcome = await caller.run(tool, arguments)
    assert outcome.fault is not None
    assert outcome.fault.kind == kind
    assert says in f"{outcome.fault.message} {outcome.fault.hint}"
    assert contents(game) == before


CALLS: list[tuple[str, dict[str, Any]]] = [
    (
        "create_resource",
        {
            "resourcePath": "made/gold.tres",
            "resourceType": "Loot",
            "properties": {
                "title": "Gold",
                "rarity": "RARE",
                "colors": ["#ff0000", [0, 1, 0]],
                "icon": {
                    "$resource": "GradientTexture2D",
                    "props": {"gradient": {"$resource": "Gradient", "props": {"offsets": [0, 1]}}},
                },
            },
        },
    ),
    (
        "create_resource",
        {
            "resourcePath": "made/shape.tres",
            "resourceType": "CapsuleShape2D",
            "properties": {"radius": 3, "height": "12.5"},
        },
    ),
    (
        "edit_resource",
        {
            "resourcePath": "ui/red.tres",
            "properties": {"bg_color": "blue", "border_width_top": 3},
            "reset": ["border_width_left"],
        },
    ),
    ("edit_resource", {"resourcePath": "own.tres", "id": "Gradient_a", "properties": {"offsets": [0.25, 0.75]}}),
    ("edit_resource", {"resourcePath": "made/gold.tres", "properties": {"title": "More gold"}}),
]
EXPECTED = {
    "made/gold.tres": {
        "title": '"More gold"',
        "rarity": "1",
        "colors": "Array[Color]([Color(1, 0, 0, 1), Color(0, 1, 0, 1)])",
        "icon:gradient:offsets": "PackedFloat32Array(0, 1)",
    },
    "made/shape.tres": {"radius": "3.0", "height": "12.5"},
    "ui/red.tres": {"bg_color": "Color(0, 0, 1, 1)", "border_width_top": "3", "border_width_left": "0"},
    "own.tres": {"metadata/gradient:offsets": "PackedFloat32Array(0.25, 0.75)", "resource_name": '"own"'},
}
LOOK = """
func run(job: Array) -> Array:
	var resource: Resource = load(job[0])
	var found: Array = []
	for name: String in job[1]:
		var value: Variant = resource
		for part: String in name.split(":"):
			value = value.get(part)
		found.append(var_to_str(value))
	return found
"""


@pytest.fixture(scope="module")
def loaded(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Reply]:
    folder = make_project(tmp_path_factory.mktemp("game"), FILES)
    runtime = make_runtime(Config(project=folder, rate_limit=None))

    async def call_all() -> None:
        for tool, arguments in CALLS:
            outcome = await runtime.run(Request(tool=tool, arguments=arguments))
            assert outcome.ok, outcome.summary

    anyio.run(call_all)
    runtime.close()
    replies = run_jobs(folder, LOOK, [[f"res://{path}", list(wanted)] for path, wanted in EXPECTED.items()])
    return dict(zip(EXPECTED, replies, strict=True))


@pytest.mark.godot
@pytest.mark.parametrize("path", EXPECTED)
def test_the_engine_reads_what_was_asked_for(loaded: dict[str, Reply], path: str) -> None:
    assert loaded[path].complaints == []
    assert loaded[path].value == list(EXPECTED[path].values())
