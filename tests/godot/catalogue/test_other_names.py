"""What godot-mcp-omni and godot-mcp-unified call parameters and kinds is understood, and does so in the real engine."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from tests.conftest import Caller
from tests.godot.catalogue.played_scenes import Play, called, play, refused
from tests.support.gdscript_runner import make_project

pytestmark = [pytest.mark.anyio, pytest.mark.godot, pytest.mark.xdist_group("godot")]

UI = '[gd_scene format=3]\n\n[node name="Ui" type="Control"]\nlayout_mode = 3\nanchors_preset = 0\n'
WORLD = '[gd_scene format=3]\n\n[node name="World" type="Node2D"]\n'
SPACE = '[gd_scene format=3]\n\n[node name="Space" type="Node3D"]\n'
PLAIN = '[gd_resource type="Gradient" format=3]\n\n[resource]\n'


@pytest.fixture
def game(project: Path) -> Path:
    files: dict[str, str | bytes] = {
        "ui.tscn": UI,
        "world.tscn": WORLD,
        "space.tscn": SPACE,
        "deep/mob.tscn": WORLD,
        "deep/er/boss.tscn": WORLD,
        "deep/a.gd": "extends Node\n",
        "deep/er/b.gd": "extends Node\n",
        "deep/a.tres": PLAIN,
        "deep/er/b.tres": PLAIN,
        "deep/style.tres": PLAIN.replace("Gradient", "StyleBoxFlat"),
    }
    return make_project(project, files)


def _asked(project: Path, scene: str, *expressions: str) -> list[str]:
    (reply,) = play(project, Play(scene, *expressions))
    assert reply.complaints == []
    found: list[str] = reply.value
    return found


@pytest.mark.parametrize(
    ("name", "kind"),
    [
        ("button", "Button"),
        ("line_edit", "LineEdit"),
        ("rich_text", "RichTextLabel"),
        ("texture_rect", "TextureRect"),
        ("progress_bar", "ProgressBar"),
        ("slider_h", "HSlider"),
        ("slider_v", "VSlider"),
        ("spin_box", "SpinBox"),
        ("check_button", "CheckButton"),
        ("option_button", "OptionButton"),
        ("menu_button", "MenuButton"),
    ],
)
async def test_controls_go_by_the_names_they_are_spoken_of(game: Path, caller: Caller, name: str, kind: str) -> None:
    await called(caller, "create_control", scenePath="ui.tscn", nodeName="It", controlType=name)
    assert f'type="{kind}"' in (game / "ui.tscn").read_text()


@pytest.mark.parametrize(("name", "kind"), [("split_h", "HSplitContainer"), ("split_v", "VSplitContainer")])
async def test_split_containers_go_by_their_direction(game: Path, caller: Caller, name: str, kind: str) -> None:
    await called(caller, "create_ui_container", scenePath="ui.tscn", nodeName="It", containerType=name)
    assert f'type="{kind}"' in (game / "ui.tscn").read_text()


async def test_what_a_control_shows_may_be_given_beside_its_properties(game: Path, caller: Caller) -> None:
    (game / "face.tres").write_text(PLAIN.replace("Gradient", "GradientTexture2D"))
    ui: dict[str, Any] = {"scenePath": "ui.tscn"}
    await called(caller, "create_control", **ui, nodeName="Field", controlType="line_edit", placeholderText="Name")
    await called(
        caller, "create_control", **ui, nodeName="Back", controlType="color_rect", color={"r": 1, "g": 0, "b": 0}
    )
    await called(
        caller, "create_control", **ui, nodeName="Bar", controlType="progress_bar", minValue=5, maxValue=50, value=20
    )
    await called(caller, "create_control", **ui, nodeName="Face", controlType="texture_rect", texturePath="face.tres")
    await called(
        caller, "create_ui_container", **ui, nodeName="Box", containerType="vbox", customMinimumSize={"x": 30, "y": 40}
    )
    assert _asked(
        game,
        "ui.tscn",
        'get_node("Field").placeholder_text',
        'get_node("Back").color',
        'get_node("Bar").min_value',
        'get_node("Bar").max_value',
        'get_node("Bar").value',
        'get_node("Face").texture.resource_path',
        'get_node("Box").custom_minimum_size',
    ) == ['"Name"', "Color(1, 0, 0, 1)", "5.0", "50.0", "20.0", '"res://face.tres"', "Vector2(30, 40)"]


async def test_a_new_node_takes_omnis_names(game: Path, caller: Caller) -> None:
    where: dict[str, Any] = {"action": "create", "scenePath": "world.tscn"}
    await called(
        caller,
        "godot_scene_manager",
        **where,
        nodeType="CharacterBody2D",
        nodeName="Hero",
        shapePreset="circle",
        props={"position": [3, 4]},
        collisionLayerBits=[1, 3],
        collisionMaskBits=[2],
    )
    again = await called(
        caller, "godot_scene_manager", **where, nodeType="Node2D", nodeName="Hero", ensureUniqueName=True
    )
    assert again["nodePath"] == "Hero2"
    await called(
        caller, "godot_scene_manager", action="update", scenePath="world.tscn", nodePath="Hero2", props={"rotation": 1}
    )
    await called(
        caller,
        "godot_scene_manager",
        action="instance",
        scenePath="world.tscn",
        instanceScenePath="deep/mob.tscn",
        instanceName="Mob",
    )
    assert _asked(
        game,
        "world.tscn",
        'get_node("Hero").position',
        'get_node("Hero").collision_layer',
        'get_node("Hero").collision_mask',
        'get_node("Hero/CollisionShape2D").shape.get_class()',
        'get_node("Hero2").rotation',
        'get_node("Mob").scene_file_path',
    ) == ["Vector2(3, 4)", "5", "2", '"CircleShape2D"', "1.0", '"res://deep/mob.tscn"']


async def test_a_body_is_built_from_a_primitive_and_lit_by_a_preset(game: Path, caller: Caller) -> None:
    space: dict[str, Any] = {"scenePath": "space.tscn"}
    await called(caller, "add_node", **space, nodeType="StaticBody3D", nodeName="Floor", primitive="box")
    await called(
        caller, "godot_builder_manager", action="create_primitive", **space, nodeName="Ball", primitive="sphere"
    )
    await called(caller, "godot_builder_manager", action="lighting_preset", **space, preset="night")
    assert _asked(
        game,
        "space.tscn",
        'get_node("Floor/MeshInstance3D").mesh.get_class()',
        'get_node("Ball").mesh.get_class()',
        'get_node("DirectionalLight3D").light_energy < 0.5',
    ) == ['"BoxMesh"', '"SphereMesh"', "true"]


async def test_a_node_joins_and_leaves_one_group(game: Path, caller: Caller) -> None:
    node = {"scenePath": "world.tscn", "nodePath": "."}
    await called(caller, "godot_inspector_manager", action="groups.add", **node, group="mobs")
    assert _asked(game, "world.tscn", 'is_in_group("mobs")') == ["true"]
    assert (await called(caller, "manage_groups", **node, action="list"))["groups"] == ["mobs"]
    await called(caller, "godot_inspector_manager", action="groups.remove", **node, group="mobs")
    assert _asked(game, "world.tscn", 'is_in_group("mobs")') == ["false"]


@pytest.mark.since_godot(4, 5)  # older ones mark connections as inherited
async def test_the_flags_of_a_connection_may_be_bits(game: Path, caller: Caller) -> None:
    wire = {"scenePath": "world.tscn", "fromNodePath": ".", "toNodePath": ".", "method": "queue_redraw"}
    await called(caller, "connect_signal", **wire, signal="tree_exiting", flags=4)
    await called(caller, "connect_signal", **wire, signal="hidden", flags=0)
    assert _asked(
        game,
        "world.tscn",
        'get_signal_connection_list("tree_exiting")[0].flags % 32',
        'get_signal_connection_list("hidden")[0].flags % 32',
    ) == ["6", "2"]  # persistent, as all that a scene holds
    said = await refused(caller, "connect_signal", **wire, signal="tree_entered", flags=64)
    assert "input.flags" in said
    assert "4 one_shot" in said


async def test_an_axis_is_an_input_event_under_both_names(game: Path, caller: Caller) -> None:
    stick = {"type": "joypad_axis", "axis": 0, "axisValue": -1}
    await called(caller, "manage_input_actions", action="add", name="go_left", events=[stick], deadzone=0.3)
    assert _asked(
        game,
        "world.tscn",
        'InputMap.action_get_events("go_left")[0].axis_value',
        'InputMap.action_get_deadzone("go_left")',
    ) == ["-1.0", "0.3"]


async def test_a_named_blend_space_in_an_empty_tree_becomes_its_result(game: Path, caller: Caller) -> None:
    world: dict[str, Any] = {"scenePath": "world.tscn"}
    await called(caller, "create_animation_player", **world)
    for name in ("walk", "run"):
        await called(caller, "add_animation", **world, playerNodePath="AnimationPlayer", animationName=name, length=1)
    await called(caller, "create_animation_tree", **world, nodeName="Tree", animPlayerPath="AnimationPlayer")
    points = [{"animation": "walk", "position": 0}, {"animation": "run", "position": 1}]
    await called(
        caller, "blend_animations", **world, animTreePath="Tree", type="1d", blendSpaceName="Move", points=points
    )
    assert _asked(
        game,
        "world.tscn",
        'get_node("Tree").tree_root.get_class()',
        'get_node("Tree").tree_root.get_node("Move").get_blend_point_count()',
        'get_node("Tree").get("parameters/Move/blend_position")',
        'get_node("Tree").tree_root.get("node_connections")',
    ) == ['"AnimationNodeBlendTree"', "2", "0.0", '[&"output", 0, &"Move"]']


@pytest.mark.parametrize(
    ("tool", "rows", "shallow", "deep"),
    [
        ("list_scenes", "scenes", ["mob.tscn"], ["er/boss.tscn", "mob.tscn"]),
        ("list_scripts", "scripts", ["a.gd"], ["a.gd", "er/b.gd"]),
        ("list_resources", "resources", ["a.tres", "style.tres"], ["a.tres", "er/b.tres", "style.tres"]),
        (
            "list_assets",
            "assets",
            ["a.gd", "a.tres", "mob.tscn", "style.tres"],
            ["a.gd", "a.tres", "er/b.gd", "er/b.tres", "er/boss.tscn", "mob.tscn", "style.tres"],
        ),
    ],
)
async def test_listings_are_of_one_folder_with_or_without_those_in_it(
    game: Path, caller: Caller, tool: str, rows: str, shallow: list[str], deep: list[str]
) -> None:
    for recursive, wanted in ((False, shallow), (True, deep)):
        found = await called(caller, tool, directory="deep", recursive=recursive)
        assert [row["path"].removeprefix("res://deep/") for row in found[rows]] == wanted
    top = await called(caller, tool, recursive=False)
    assert not any("deep" in row["path"] for row in top[rows])


async def test_resources_are_listed_by_type_and_assets_of_all_kinds(game: Path, caller: Caller) -> None:
    styles = await called(caller, "list_resources", resourceType="StyleBox")
    assert [row["path"] for row in styles["resources"]] == ["res://deep/style.tres"]
    every, scripts = [await called(caller, "list_assets", category=kind) for kind in ("all", "script")]
    assert every["total"] == 10
    assert scripts["total"] == 2


async def test_nodes_are_found_by_their_exact_name_and_without_the_root(game: Path, caller: Caller) -> None:
    for name in ("Coin", "Coin2"):
        await called(caller, "add_node", scenePath="world.tscn", nodeType="Node2D", nodeName=name)
    found = await called(caller, "godot_inspector_manager", action="query", scenePath="world.tscn", name="Coin")
    assert [row["nodePath"] for row in found["nodes"]] == ["Coin"]
    for root, paths in ((True, [".", "Coin", "Coin2"]), (False, ["Coin", "Coin2"])):
        every = await called(caller, "find_nodes", scenePath="world.tscn", className="Node2D", includeRoot=root)
        assert [row["nodePath"] for row in every["nodes"]] == paths


async def test_folders_can_be_left_out_of_a_search_for_projects(game: Path, caller: Caller) -> None:
    for name in ("one", "build"):
        make_project(game / "games" / name)
    where: dict[str, Any] = {"directory": str(game / "games"), "recursive": True}
    names = [Path(row["path"]).name for row in (await called(caller, "list_projects", **where))["projects"]]
    assert names == ["build", "one"]
    less = await called(caller, "list_projects", **where, ignoreDirs=["build"])
    assert [Path(row["path"]).name for row in less["projects"]] == ["one"]


async def test_a_node_that_is_not_there_is_answered_with_those_that_are(game: Path, caller: Caller) -> None:
    await called(caller, "add_node", scenePath="world.tscn", nodeType="Node2D", nodeName="Coin")
    said = await refused(caller, "set_unique_name", scenePath="world.tscn", nodePath="Qqqqqq")
    assert "Coin" in said


async def test_a_bus_takes_the_names_that_replies_use_for_it(game: Path, caller: Caller) -> None:
    await called(caller, "create_audio_bus", name="Music")
    made = await called(caller, "create_audio_bus", name="Drums", volumeDb=-3, send="Music")
    assert (made["bus"]["name"], made["bus"]["volumeDb"], made["bus"]["send"]) == ("Drums", -3.0, "Music")


async def test_a_new_node_goes_by_name_type_and_parent(game: Path, caller: Caller) -> None:
    await called(caller, "add_node", scenePath="world.tscn", name="Box", type="Node2D")
    await called(caller, "add_node", scenePath="world.tscn", name="Lid", type="Sprite2D", parent="Box")
    assert _asked(game, "world.tscn", 'get_node("Box/Lid").get_class()') == ['"Sprite2D"']
