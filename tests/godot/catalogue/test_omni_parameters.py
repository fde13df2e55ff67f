"""Calls as godot-mcp-omni's tools take them: its parameters are understood, and the engine has what they say."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import pytest
from tests.conftest import Caller
from tests.godot.catalogue.played_scenes import Play, called, play, refused
from tests.support.gdscript_runner import make_project

pytestmark = [pytest.mark.anyio, pytest.mark.godot, pytest.mark.xdist_group("godot")]

FLAT = '[gd_scene format=3]\n\n[node name="Flat" type="Node2D"]\n'
DEEP = '[gd_scene format=3]\n\n[node name="Deep" type="Node3D"]\n'
PIXEL = '[gd_resource type="GradientTexture2D" format=3]\n\n[resource]\n'
SCENE, BUILDER, INSPECTOR = "godot_scene_manager", "godot_builder_manager", "godot_inspector_manager"
ASSETS, CODE, WORKSPACE = "godot_asset_manager", "godot_code_manager", "godot_workspace_manager"
flat: dict[str, Any] = {"scenePath": "flat.tscn"}
deep: dict[str, Any] = {"scenePath": "deep.tscn"}


@pytest.fixture
def game(project: Path) -> Path:
    return make_project(project, {"flat.tscn": FLAT, "deep.tscn": DEEP, "deep2.tscn": DEEP, "art/look.tres": PIXEL})


def _asked(project: Path, scene: str, *expressions: str) -> list[str]:
    (reply,) = play(project, Play(scene, *expressions))
    assert reply.complaints == []
    found: list[str] = reply.value
    return found


async def test_a_body_gets_its_usual_parts_under_the_names_given(game: Path, caller: Caller) -> None:
    await called(
        caller,
        SCENE,
        action="create",
        **deep,
        nodeType="StaticBody3D",
        nodeName="Floor",
        dimension="3d",
        parentNodePath="root",
        autoAttach=True,
        ensureUniqueName=True,
        ensureChildUniqueName=True,
        meshNodeName="Look",
        meshProps={"visible": False},
        shapeNodeName="Hull",
        collisionLayerBits=[True, False, True],
        collisionMaskBits=[2],
    )
    await called(
        caller,
        SCENE,
        action="create",
        **flat,
        nodeType="CharacterBody2D",
        nodeName="Hero",
        shapePreset="capsule",
        texturePath="art/look.tres",
        spriteNodeName="Look",
        spriteProps={"centered": False},
    )
    assert _asked(
        game,
        "deep.tscn",
        'get_node("Floor/Look").mesh.get_class()',
        'get_node("Floor/Look").visible',
        'get_node("Floor/Hull").shape.get_class()',
        'get_node("Floor").collision_layer',
        'get_node("Floor").collision_mask',
    ) == ['"BoxMesh"', "false", '"BoxShape3D"', "5", "2"]
    assert _asked(
        game,
        "flat.tscn",
        'get_node("Hero/CollisionShape2D").shape.get_class()',
        'get_node("Hero/Look").centered',
        'get_node("Hero/Look").texture.resource_path',
    ) == ['"CapsuleShape2D"', "false", '"res://art/look.tres"']


async def test_a_primitive_is_seen_and_collides(game: Path, caller: Caller) -> None:
    await called(caller, SCENE, action="create", **deep, nodeType="RigidBody3D", nodeName="Ball", primitive="sphere")
    box = {"type": "BoxMesh", "props": {"size": {"$type": "Vector3", "x": 2, "y": 1, "z": 1}}}
    await called(
        caller,
        SCENE,
        action="create",
        **deep,
        nodeType="RigidBody3D",
        nodeName="Crate",
        mesh=box,
        shape={"$resource": "BoxShape3D", "props": {"size": [2, 1, 1]}},
        shapeProps={"disabled": True},
    )
    assert _asked(
        game,
        "deep.tscn",
        'get_node("Ball/MeshInstance3D").mesh.get_class()',
        'get_node("Ball/CollisionShape3D").shape.get_class()',
        'get_node("Crate/MeshInstance3D").mesh.size',
        'get_node("Crate/CollisionShape3D").disabled',
    ) == ['"SphereMesh"', '"SphereShape3D"', "Vector3(2, 1, 1)", "true"]


async def test_an_update_names_what_a_node_holds(game: Path, caller: Caller) -> None:
    (game / "a.gd").write_text("extends RigidBody3D\n")
    await called(caller, SCENE, action="create", **deep, nodeType="RigidBody3D", nodeName="Ball", primitive="box")
    await called(
        caller,
        SCENE,
        action="update",
        **deep,
        nodePath="Ball",
        props={"mass": 5},
        collisionLayer=4,
        collisionMaskBits=[1, 2],
        scriptPath="a.gd",
    )
    await called(caller, SCENE, action="update", **deep, nodePath="Ball/MeshInstance3D", mesh={"type": "SphereMesh"})
    assert _asked(
        game,
        "deep.tscn",
        'get_node("Ball").mass',
        'get_node("Ball").collision_layer',
        'get_node("Ball").collision_mask',
        'get_node("Ball").get_script().resource_path',
        'get_node("Ball/MeshInstance3D").mesh.get_class()',
    ) == ["5.0", "4", "3", '"res://a.gd"', '"SphereMesh"']


async def test_an_edit_says_where_its_picture_is_to_be_had(game: Path, caller: Caller) -> None:
    asked = {"action": "create", **flat, "nodeType": "Node", "nodeName": "A", "captureViewport": True, "maxSize": 300}
    reply = (await caller.reply(SCENE, asked)).structured
    assert reply is not None
    assert reply["ok"], reply
    assert "picture shows the scene" in reply["warnings"][0]


async def test_nodes_come_in_lists(game: Path, caller: Caller) -> None:
    made = await called(
        caller,
        SCENE,
        action="batch_create",
        **deep,
        stopOnError=False,
        items=[
            {"nodeType": "Node3D", "name": "A"},
            {
                "nodeType": "Area3D",
                "nodeName": "B",
                "parentNodePath": "A",
                "shapePreset": "box",
                "props": {"monitoring": False},
            },
            {"nodeType": "Node3D", "nodeName": "A", "ensureUniqueName": True},
        ],
    )
    assert made["nodes"] == ["A", "A/B", "A/B/CollisionShape3D", "A2"]
    more = await called(
        caller,
        SCENE,
        action="attach_components",
        **deep,
        nodePath="A2",
        ensureUniqueName=True,
        components=[
            {"nodeType": "MeshInstance3D", "nodeName": "M", "mesh": {"type": "BoxMesh"}},
            {"nodeType": "Timer", "nodeName": "T", "props": {"wait_time": 3}},
        ],
    )
    assert more["nodes"] == ["A2/M", "A2/T"]
    assert _asked(
        game,
        "deep.tscn",
        'get_node("A/B").monitoring',
        'get_node("A2/M").mesh.get_class()',
        'get_node("A2/T").wait_time',
    ) == ["false", '"BoxMesh"', "3.0"]


async def test_a_ui_is_a_layer_with_a_control_that_fills_it_and_its_elements(game: Path, caller: Caller) -> None:
    await called(caller, SCENE, action="create_ui", **flat)
    again = await called(
        caller,
        SCENE,
        action="create_ui",
        **flat,
        uiRootProps={"layer": 5},
        elements=[
            {
                "nodeType": "Label",
                "nodeName": "Title",
                "props": {"text": "hi"},
                "position": {"x": 10, "y": 20},
                "size": [100, 30],
            },
            {"nodeType": "Button", "nodeName": "Go", "layout": "bottom"},
        ],
    )
    assert again["nodes"] == ["UI2", "UI2/UIRoot", "UI2/UIRoot/Title", "UI2/UIRoot/Go"]
    assert _asked(
        game,
        "flat.tscn",
        'get_node("UI2").layer',
        'get_node("UI2/UIRoot").anchor_right',
        'get_node("UI2/UIRoot/Title").get_rect()',
        'get_node("UI2/UIRoot/Go").anchor_top',
    ) == ["5", "1.0", "Rect2(10, 20, 100, 30)", "1.0"]


async def test_nodes_are_renamed_moved_and_put_in_under_free_names(game: Path, caller: Caller) -> None:
    for name in ("A", "B", "C"):
        await called(caller, SCENE, action="create", **deep, nodeType="Node3D", nodeName=name)
    assert (await called(caller, SCENE, action="rename", **deep, nodePath="C", newName="A", ensureUniqueName=True))[
        "nodePath"
    ] == "A2"
    await called(caller, SCENE, action="reparent", **deep, nodePath="A2", newParentPath="A")
    await called(caller, SCENE, action="reparent", **deep, nodePath="B", newParentPath="A", index=0)
    for name in ("It", "It2"):
        put = await called(
            caller, SCENE, action="instance", **deep, instanceScenePath="flat.tscn", name="It", ensureUniqueName=True
        )
        assert put["nodePath"] == name
    assert _asked(game, "deep.tscn", 'get_node("A").get_child(0).name', 'get_node("A").get_child(1).name') == [
        '&"B"',
        '&"A2"',
    ]
    both = await refused(caller, "move_node", **deep, nodePath="A/B", newParentPath=".", before="A", index=0)
    assert "input.index" in both


async def test_a_resource_is_kept_in_a_file_and_given_from_one(game: Path, caller: Caller) -> None:
    await called(caller, SCENE, action="create", **deep, nodeType="MeshInstance3D", nodeName="M")
    where: dict[str, Any] = {**deep, "nodePath": "M", "property": "material_override"}
    await called(
        caller,
        INSPECTOR,
        action="resource.add",
        **where,
        resourceType="StandardMaterial3D",
        resourcePath="res://red.tres",
        props={"albedo_color": "1,0,0,1"},
    )
    await called(caller, INSPECTOR, action="resource.add", **where, resourceType="res://red.tres")
    assert _asked(game, "deep.tscn", 'get_node("M").material_override.albedo_color') == ["Color(1, 0, 0, 1)"]
    assert 'path="res://red.tres"' in (game / "deep.tscn").read_text()


async def test_files_are_found_read_copied_and_edited_by_omnis_names(game: Path, caller: Caller) -> None:
    found = await called(caller, ASSETS, action="search_files", pattern="LOOK", dirPath="res://", maxResults=5)
    assert found["paths"] == ["res://art/look.tres"]
    top = await called(caller, ASSETS, action="search_files", pattern="look", dirPath="res://", recursive=False)
    assert top["paths"] == []
    text = await called(caller, ASSETS, action="scene.read", scenePath="res://flat.tscn", maxChars=200)
    assert text["text"] == FLAT
    await called(caller, ASSETS, action="scene.duplicate", sourceScenePath="flat.tscn", destScenePath="b.tscn")
    await called(caller, ASSETS, action="scene.rename", scenePath="b.tscn", newScenePath="c.tscn")
    assert (await called(caller, ASSETS, action="file_exists", filePath="res://c.tscn"))["exists"]
    missing = await refused(caller, ASSETS, action="create_folder", dirPath="new/er", createParents=False)
    assert "createParents" in missing
    (game / "n.md").write_text("a a a")
    await called(caller, CODE, action="file.edit", filePath="res://n.md", find="a", replace="b")
    assert (game / "n.md").read_text() == "b b b"
    listed = await called(caller, ASSETS, action="list_resources", dirPath="res://art", maxResults=1)
    assert [row["path"] for row in listed["resources"]] == ["res://art/look.tres"]


async def test_scripts_shaders_and_data_have_omnis_defaults(game: Path, caller: Caller) -> None:
    await called(caller, CODE, action="script.create", scriptPath="bee.gd", template="basic_node", className="Bee")
    assert (game / "bee.gd").read_text().startswith("class_name Bee\nextends Node\n")
    await called(caller, CODE, action="shader.create", shaderPath="s.gdshader")
    assert (game / "s.gdshader").read_text().startswith("shader_type canvas_item;")
    await called(caller, WORKSPACE, action="new_scene", scenePath="new.tscn")
    assert 'type="Node3D"' in (game / "new.tscn").read_text()
    config = "godot_project_config_manager"
    await called(caller, config, action="save_game_data", key="slot", value={"lives": 3})
    assert (await called(caller, config, action="load_game_data", key="slot"))["data"] == {"lives": 3}
    assert (await called(caller, config, action="load_game_data", key="none", defaultValue=[1]))["data"] == [1]
    await called(caller, config, action="input_map.setup", actions=[{"name": "go", "keys": ["KEY_W", 32]}])
    assert _asked(game, "flat.tscn", 'InputMap.action_get_events("go")[1].keycode') == ["32"]


async def test_bodies_are_built_on_their_layers(game: Path, caller: Caller) -> None:
    await called(
        caller,
        BUILDER,
        action="create_primitive",
        **deep,
        nodeName="Floor",
        bodyType="StaticBody3D",
        primitive="box",
        meshPreset="box",
        shapePreset="box",
        collisionLayer=2,
        collisionMask=4,
    )
    await called(
        caller,
        BUILDER,
        action="create_rigidbody",
        **deep,
        nodeName="Ball",
        bodyType="RigidBody3D",
        shapePreset="sphere",
        color="1,0.5,0,1",
        collisionLayer=8,
    )
    await called(
        caller,
        BUILDER,
        action="create_trigger_area",
        **deep,
        nodeName="Goal",
        shapePreset="box",
        size=2,
        debugMesh=True,
        collisionMask=2,
    )
    await called(caller, BUILDER, action="spawn_spinning_pickup", **deep, nodeName="Coin", pickupScenePath="deep2.tscn")
    assert _asked(
        game,
        "deep.tscn",
        'get_node("Floor").collision_layer',
        'get_node("Floor").collision_mask',
        'get_node("Ball").collision_layer',
        'get_node("Goal").collision_mask',
        'get_node("Goal/DebugMesh").mesh.get_class()',
        'get_node("Coin/Visual").scene_file_path',
    ) == ["2", "4", "8", "2", '"BoxMesh"', '"res://deep2.tscn"']
    two = await refused(
        caller, BUILDER, action="create_rigidbody", **deep, nodeName="X", meshPreset="box", shapePreset="sphere"
    )
    assert "components" in two


@pytest.mark.parametrize(
    ("template", "node"),
    [("basic", "UI/UIRoot"), ("menu", "UIRoot"), ("inventory_grid", "UIRoot"), ("hud", "UIRoot")],
)
async def test_screens_go_by_omnis_names(game: Path, caller: Caller, template: str, node: str) -> None:
    built = await called(
        caller,
        BUILDER,
        action="create_ui_template",
        **flat,
        uiTemplate=template,
        uiControlName="UIRoot",
        ensureUniqueName=True,
    )
    assert any(path.endswith(node) for path in built["nodes"])


async def test_terrain_is_made_of_noise_by_the_metre_and_its_material_of_a_file(game: Path, caller: Caller) -> None:
    await called(
        caller,
        BUILDER,
        action="generate_terrain_mesh",
        **deep,
        nodeName="Land",
        size=32,
        heightScale=6.0,
        seed=1,
        frequency=0.1,
        octaves=4,
        center=False,
        ensureUniqueName=True,
    )
    await called(
        caller,
        BUILDER,
        action="create_terrain_material",
        shaderPath="res://t.gdshader",
        type="height_blend",
        heightLevels="0.0,0.3,0.6,1.0",
    )
    assert (game / "t.gdshader").exists()
    assert 'path="res://t.gdshader"' in (game / "t.tres").read_text()
    height, place = _asked(
        game, "deep.tscn", 'get_node("Land/Mesh").mesh.get_aabb().size.y', 'get_node("Land").position'
    )
    assert 1 < float(height) <= 12
    assert place == "Vector3(16, 0, 16)"
    assert "shader.create" in await refused(caller, BUILDER, action="create_terrain_material", textureScale=0.1)


async def test_players_bars_and_anchors_take_omnis_measures(game: Path, caller: Caller) -> None:
    await called(
        caller, BUILDER, action="spawn_fps_controller", **deep, cameraHeight=1.5, capsuleRadius=0.3, capsuleHeight=1.6
    )
    await called(caller, BUILDER, action="create_health_bar_ui", **flat, nodeName="Bar", width=240, height=24)
    await called(
        caller,
        "add_node",
        **flat,
        nodeType="Button",
        nodeName="K",
        properties={"offset_right": 50, "offset_bottom": 20},
    )
    await called(
        caller, BUILDER, action="set_anchor_preset", **flat, nodePath="K", anchorPreset="center", keepOffsets=True
    )
    assert _asked(
        game,
        "deep.tscn",
        'get_node("Player/Head").position.y',
        'get_node("Player/CollisionShape3D").shape.radius',
        'get_node("Player/CollisionShape3D").shape.height',
    ) == ["1.5", "0.3", "1.6"]
    assert _asked(
        game,
        "flat.tscn",
        'get_node("K").anchor_left',
        'get_node("K").offset_right',
        'get_node("BarLayer/Bar").custom_minimum_size',
    ) == ["0.5", "50.0", "Vector2(240, 24)"]


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ({"host": "10.0.0.7"}, "leave host out"),
        ({"godotPath": "/bin/true"}, "GODOT_PATH=/bin/true"),
        ({"token": "wrong"}, "SCENEWRIGHT_BRIDGE_TOKEN"),
        ({"port": 6550}, "6550"),
        ({"mode": "fast"}, "auto or headless"),
    ],
)
async def test_how_to_reach_the_editor_is_not_for_a_call_to_say(
    game: Path, caller: Caller, given: dict[str, Any], words: str
) -> None:
    assert words in await refused(caller, WORKSPACE, action="status", **given)


async def test_what_is_so_already_may_be_said(game: Path, caller: Caller, godot: Path, monkeypatch: Any) -> None:
    monkeypatch.setenv("GODOT_PATH", os.fspath(godot))
    await called(
        caller, WORKSPACE, action="status", mode="auto", host="localhost", godotPath=os.fspath(godot), timeoutMs=60_000
    )
    await called(caller, "godot_preflight", host="127.0.0.1", godotPath=os.fspath(godot), port=0)


async def test_a_class_is_inspected_without_an_editor(game: Path, caller: Caller) -> None:
    found = await called(caller, INSPECTOR, action="inspect", className="Timer")
    assert "start" in [method["name"] for method in found["methods"]]
    two = await refused(caller, INSPECTOR, action="inspect", className="Timer", nodePath=".")
    assert "className" in two


async def test_what_has_no_effect_is_said(game: Path, caller: Caller) -> None:
    given = {"action": "script.create", "scriptPath": "own.gd", "content": "extends Node\n", "className": "Own"}
    body = (await caller.reply("godot_code_manager", given)).structured
    assert body is not None
    assert "Ignored, as content says all: className." in body["warnings"]
    sized = {"action": "create", **flat, "nodeType": "Node2D", "nodeName": "Sized", "maxSize": 300}
    body = (await caller.reply("godot_scene_manager", sized)).structured
    assert body is not None
    assert any(warning.startswith("No picture comes with an edit") for warning in body["warnings"])
