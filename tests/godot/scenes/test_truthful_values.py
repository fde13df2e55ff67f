"""Values that are written as what they are to be: by their script, their shader, their curve; and defaults are told."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from tests.conftest import Caller

pytestmark = pytest.mark.anyio

SHADER = (
    "shader_type canvas_item;\nuniform vec4 edge;\nuniform vec4 tint : source_color;\nuniform float force;\n"
    "uniform sampler2D noise;\n"
)
SCENE = '[gd_scene format=3]\n\n[node name="Main" type="Node2D"]\n\n[node name="Body" type="Sprite2D" parent="."]\n'
HOLDER = "class_name Holder\nextends Node\n\n@export var trait_: Trait\n@export var traits: Array[Trait]\n"
# As somebody wrote it by hand, or a Godot before 4.2: no script_class in its header.
BRAVE = (
    '[gd_resource type="Resource" load_steps=2 format=3]\n\n'
    '[ext_resource type="Script" path="res://{script}" id="1"]\n\n[resource]\nscript = ExtResource("1")\n'
)


@pytest.fixture
def game(project: Path) -> Path:
    (project / "project.godot").write_text("config_version=5\n")
    (project / "main.tscn").write_text(SCENE)
    (project / "wave.gdshader").write_text(SHADER)
    (project / "trait.gd").write_text("class_name Trait\nextends Resource\n\n@export var power: int\n")
    (project / "bold.gd").write_text('extends "res://trait.gd"\n')
    (project / "other.gd").write_text("class_name Other\nextends Resource\n")
    (project / "holder.gd").write_text(HOLDER)
    for name, script in (("brave", "trait.gd"), ("bolder", "bold.gd"), ("strange", "other.gd")):
        (project / f"{name}.tres").write_text(BRAVE.format(script=script))
    return project


async def body(caller: Caller, tool: str, **arguments: Any) -> dict[str, Any]:
    structured = (await caller.reply(tool, arguments)).structured
    assert structured is not None
    return structured


async def hold(caller: Caller, **properties: Any) -> dict[str, Any]:
    node = {"scenePath": "main.tscn", "nodeType": "Holder", "nodeName": "Holder", "ensureUniqueName": True}
    return await body(caller, "add_node", **node, properties=properties)


async def test_a_resource_is_what_its_script_makes_it(caller: Caller, game: Path) -> None:
    assert (await hold(caller, trait_="res://brave.tres", traits=["res://bolder.tres"]))["ok"]
    made = {"$resource": "Resource", "props": {"script": "res://trait.gd", "power": 3}}
    assert (await hold(caller, trait_=made))["ok"]
    path = {"$resource": "Resource", "props": {"script": {"$path": "res://bold.gd"}}}
    assert (await hold(caller, trait_=path))["ok"]
    wrong = await hold(caller, trait_="res://strange.tres")
    assert "not a Trait" in wrong["error"]["message"]
    assert 'path="res://brave.tres"' in (game / "main.tscn").read_text()


@pytest.mark.usefixtures("game")
async def test_resources_are_found_by_the_class_of_their_script(caller: Caller) -> None:
    found = (await caller.result("list_resources", type="Trait"))["resources"]
    assert [(row["path"], row["scriptClass"]) for row in found] == [
        ("res://bolder.tres", "res://bold.gd"),
        ("res://brave.tres", "Trait"),
    ]
    assert (await caller.result("read_resource", resourcePath="brave.tres"))["type"] == "Trait"


async def test_parameters_of_a_shader_have_the_types_of_its_uniforms(caller: Caller, game: Path) -> None:
    parameters = {
        "shader_parameter/edge": [1, 2, 3, 4],
        "shader_parameter/tint": "#ff0000",
        "shader_parameter/force": 2,
        "shader": "res://wave.gdshader",
    }
    material = {"$resource": "ShaderMaterial", "props": parameters}
    await caller.result("edit_node", scenePath="main.tscn", nodePath="Body", properties={"material": material})
    await caller.result(
        "create_resource", resourcePath="wave.tres", resourceType="ShaderMaterial", properties=parameters
    )
    for text in ((game / "main.tscn").read_text(), (game / "wave.tres").read_text()):
        assert "shader_parameter/edge = Vector4(1, 2, 3, 4)" in text
        assert "shader_parameter/tint = Color(1, 0, 0, 1)" in text
        assert "shader_parameter/force = 2.0" in text
    await caller.result("edit_resource", resourcePath="wave.tres", properties={"shader_parameter/edge": "1,0,0,1"})
    assert "shader_parameter/edge = Color(1, 0, 0, 1)" in (game / "wave.tres").read_text()
    wrong = await body(caller, "edit_resource", resourcePath="wave.tres", properties={"shader_parameter/edge": "wide"})
    assert "Vector4" in wrong["error"]["message"]
    unknown = await body(caller, "edit_resource", resourcePath="wave.tres", properties={"shader_parameter/tnt": 1})
    assert "no uniform 'tnt'" in unknown["warnings"][0]
    assert "'tint'" in unknown["warnings"][0]


async def test_parameters_of_a_shader_in_place_have_types_too(caller: Caller, game: Path) -> None:
    shader = {"$resource": "Shader", "props": {"code": SHADER}}
    material = {"$resource": "ShaderMaterial", "props": {"shader": shader, "shader_parameter/tint": "red"}}
    await caller.result("edit_node", scenePath="main.tscn", nodePath="Body", properties={"material": material})
    assert "shader_parameter/tint = Color(1, 0, 0, 1)" in (game / "main.tscn").read_text()


POINT = "Vector2(0, 1), 0.0, -1.0, 0, 1, Vector2(1, 0), 0.0, 0.0, 0, 0"


@pytest.mark.parametrize(
    "given",
    [
        {"_data": [[0, 1], 0, -1, 0, 1, [1, 0], 0, 0, 0, 0]},
        {"points": [{"position": [0, 1], "right_tangent": -1, "right_mode": "linear"}, [1, 0]]},
        {"_data": f"[{POINT}]"},
    ],
)
async def test_the_data_of_a_curve_is_what_the_engine_reads(caller: Caller, game: Path, given: dict[str, Any]) -> None:
    await caller.result("create_resource", resourcePath="a.tres", resourceType="Curve", properties=given)
    assert f"_data = [{POINT}]" in (game / "a.tres").read_text()


@pytest.mark.parametrize("data", [[[0, 1], [1, 0]], [["a", 1], 0, 0, 0, 0], [0, 1, 0, 0, 0]])
async def test_what_is_no_data_of_a_curve_is_refused_with_how_to_give_it(
    caller: Caller, game: Path, data: list[Any]
) -> None:
    wrong = await body(
        caller, "create_resource", resourcePath="a.tres", resourceType="Curve", properties={"_data": data}
    )
    assert "points" in wrong["error"]["suggestedFix"]
    assert not (game / "a.tres").exists()


async def test_values_that_are_the_default_are_told(caller: Caller, game: Path) -> None:
    edited = await body(
        caller,
        "edit_node",
        scenePath="main.tscn",
        nodePath="Body",
        properties={"visible": True, "position": [0, 0], "rotation": 1.5},
    )
    assert edited["result"]["unwritten"] == ["visible", "position"]
    assert edited["summary"] == "Set 3 properties (2 to the default, not written) of 'Body'."
    assert "visible" not in (game / "main.tscn").read_text()
    added = await caller.result(
        "add_node", scenePath="main.tscn", nodeType="Panel", nodeName="Box", properties={"layout_mode": 3}
    )
    assert added["unwritten"] == ["layout_mode"]
    one = await body(caller, "set_property", scenePath="main.tscn", nodePath="Body", property="visible", value=True)
    assert one["result"]["unwritten"] == ["visible"]
    assert "default" in one["summary"]
    made = await caller.result(
        "create_resource", resourcePath="b.tres", resourceType="CircleShape2D", properties={"radius": 10}
    )
    assert made["unwritten"] == ["radius"]


@pytest.mark.usefixtures("game")
async def test_a_declared_scene_tells_of_values_that_are_the_default(caller: Caller) -> None:
    tree = {"name": "Panel", "type": "PanelContainer", "properties": {"layout_mode": 3, "visible": False}}
    found = await caller.result("apply_scene", scenePath="new.tscn", tree=tree, mode="apply")
    assert found["unwritten"] == [".:layout_mode"]
