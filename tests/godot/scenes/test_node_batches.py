"""Several nodes at once, components, textures, inner resources and single properties, read back by the engine."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from tests.conftest import Caller
from tests.godot.catalogue.played_scenes import Play, called, play, refused
from tests.support.gdscript_runner import make_project

pytestmark = [pytest.mark.anyio, pytest.mark.godot, pytest.mark.xdist_group("godot-operations")]

PIXEL = '[gd_resource type="GradientTexture2D" format=3]\n\n[resource]\nwidth = 16\nheight = 8\n'
HERO = """extends Node2D

enum Mood { CALM, ANGRY }

@export var mood: Mood = Mood.CALM
@export_flags("Fire", "Water") var powers: int = 0
@export var friend: Node2D
@export var way: NodePath
"""
SCENE = """[gd_scene format=3]

[ext_resource type="Script" path="res://hero.gd" id="1"]

[node name="Main" type="Node2D"]

[node name="Hero" type="Node2D" parent="."]
script = ExtResource("1")

[node name="Friend" type="Node2D" parent="."]

[node name="Body" type="StaticBody2D" parent="."]

[node name="Space" type="Node3D" parent="."]

[node name="Solid" type="RigidBody3D" parent="Space"]
"""
SETTINGS = '\n[layer_names]\n\n2d_physics/layer_1="world"\n2d_physics/layer_3="foes"\n'


@pytest.fixture
def game(project: Path) -> Path:
    made = make_project(
        project, {"main.tscn": SCENE, "hero.gd": HERO, "pixel.tres": PIXEL, "spare.gd": "extends Node\n"}
    )
    with (made / "project.godot").open("a") as settings:
        settings.write(SETTINGS)
    return made


def _asked(project: Path, *expressions: str) -> list[str]:
    (reply,) = play(project, Play("main.tscn", *expressions))
    assert reply.complaints == []
    found: list[str] = reply.value
    return found


async def test_several_nodes_are_made_in_one_call(game: Path, caller: Caller) -> None:
    done = await called(
        caller,
        "godot_scene_manager",
        action="batch_create",
        scenePath="main.tscn",
        items=[
            {
                "nodeName": "Foe",
                "nodeType": "CharacterBody2D",
                "components": {"shape": {"type": "circle", "size": 30}},
                "collisionLayer": ["foes"],
                "collisionMask": 5,
                "groups": ["foes"],
            },
            {
                "nodeName": "Look",
                "nodeType": "Sprite2D",
                "parentNodePath": "Foe",
                "properties": {"texture": "res://pixel.tres"},
                "before": "CollisionShape2D",
            },
        ],
    )
    assert done["nodes"] == ["Foe", "Foe/CollisionShape2D", "Foe/Look"]
    foe = 'get_node("Foe")'
    assert _asked(
        game,
        f'{foe}.get_node("CollisionShape2D").shape.radius',
        f"{foe}.collision_layer",
        f"{foe}.collision_mask",
        f'{foe}.is_in_group("foes")',
        f"{foe}.get_child(0).name",
        f'{foe}.get_node("Look").texture.get_width()',
    ) == ["15.0", "4", "5", "true", '&"Look"', "16"]


async def test_of_a_batch_with_one_bad_node_nothing_is_made(game: Path, caller: Caller) -> None:
    items = [{"nodeName": "A", "nodeType": "Node"}, {"nodeName": "B", "nodeType": "Nod"}]
    assert "Node" in await refused(caller, "batch_create_nodes", scenePath="main.tscn", items=items)
    neither = [{"nodeName": "A"}]
    assert "items[0].nodeType" in await refused(caller, "batch_create_nodes", scenePath="main.tscn", items=neither)
    assert (game / "main.tscn").read_text() == SCENE


async def test_a_node_gets_its_components(game: Path, caller: Caller) -> None:
    shape = {"$resource": "SphereShape3D", "props": {"radius": 3}}
    done = await called(
        caller,
        "attach_components",
        scenePath="main.tscn",
        nodePath="Space/Solid",
        components={
            "mesh": {"type": "cylinder", "size": [2, 4]},
            "shape": shape,
            "sprite": "pixel.tres",
            "nodes": [{"nodeType": "Timer", "nodeName": "Clock", "properties": {"wait_time": 3}}],
        },
    )
    assert done["nodes"] == [
        f"Space/Solid/{name}" for name in ("MeshInstance3D", "CollisionShape3D", "Sprite3D", "Clock")
    ]
    await called(
        caller,
        "attach_components",
        scenePath="main.tscn",
        nodePath="Space/Solid/MeshInstance3D",
        components={"mesh": "torus"},
    )
    await called(
        caller,
        "attach_components",
        scenePath="main.tscn",
        nodePath="Body",
        components={"shape": "triangle", "sprite": {"texture": "res://pixel.tres", "hframes": 2}},
    )
    await called(
        caller, "attach_components", scenePath="main.tscn", nodePath="Friend", components={"script": "hero.gd"}
    )
    solid = 'get_node("Space/Solid")'
    assert _asked(
        game,
        f'{solid}.get_node("MeshInstance3D").mesh.get_class()',
        f'{solid}.get_node("CollisionShape3D").shape.radius',
        f'{solid}.get_node("Sprite3D").texture.get_height()',
        f'{solid}.get_node("Clock").wait_time',
        'get_node("Body/CollisionPolygon2D").polygon.size()',
        'get_node("Body/Sprite2D").hframes',
        'get_node("Friend").mood',
    ) == ['"TorusMesh"', "3.0", "8", "3.0", "3", "2", "0"]


async def test_a_plane_is_stood_on_where_it_is_seen(game: Path, caller: Caller) -> None:
    await called(
        caller, "attach_components", scenePath="main.tscn", nodePath="Space/Solid", components={"shape": "plane"}
    )
    shape = 'get_node("Space/Solid/CollisionShape3D")'
    assert _asked(game, f"{shape}.position.y + {shape}.shape.size.y / 2") == ["0.0"]


async def test_a_node_is_created_with_components(game: Path, caller: Caller) -> None:
    done = await called(
        caller,
        "add_node",
        scenePath="main.tscn",
        nodeName="Crate",
        nodeType="StaticBody3D",
        components={"mesh": "box", "shape": "box"},
    )
    assert done["components"] == ["Crate/MeshInstance3D", "Crate/CollisionShape3D"]
    assert _asked(game, 'get_node("Crate/CollisionShape3D").shape.size') == ["Vector3(1, 1, 1)"]


async def test_a_mesh_may_have_a_color_and_what_it_cannot_have_is_named(game: Path, caller: Caller) -> None:
    mesh = {"type": "box", "size": [1, 2, 3], "color": "red"}
    await called(
        caller, "add_node", scenePath="main.tscn", nodeName="Crate", nodeType="Node3D", components={"mesh": mesh}
    )
    crate = 'get_node("Crate/MeshInstance3D").mesh'
    assert _asked(game, f"{crate}.size", f"{crate}.material.albedo_color.to_html(false)") == [
        "Vector3(1, 2, 3)",
        '"ff0000"',
    ]
    said = await refused(
        caller,
        "add_node",
        scenePath="main.tscn",
        nodeName="Other",
        nodeType="Node3D",
        components={"mesh": {"type": "box", "colour": "red"}},
    )
    assert "'colour'" in said
    assert "a mesh also color" in said


async def test_a_node_may_be_of_a_class_of_the_project(game: Path, caller: Caller) -> None:
    (game / "spinner.gd").write_text("class_name Spinner\nextends Node3D\n\n@export var pace: float = 1.0\n")
    await called(caller, "add_node", scenePath="main.tscn", nodeName="Fan", nodeType="Spinner", properties={"pace": 3})
    assert _asked(game, 'get_node("Fan").get_class()', 'get_node("Fan").pace') == ['"Node3D"', "3.0"]


@pytest.mark.parametrize("kind", ["Joint3D", "PhysicsBody2D", "Light3D"])
async def test_a_class_that_no_node_is_of_is_refused(game: Path, caller: Caller, kind: str) -> None:
    said = await refused(caller, "add_node", scenePath="main.tscn", nodeName="New", nodeType=kind)
    assert "abstract" in said
    assert "Use one of" in said
    assert "abstract" in await refused(caller, "create_scene", scenePath="new.tscn", rootNodeType=kind)


async def test_a_texture_goes_to_whatever_shows_one(game: Path, caller: Caller) -> None:
    kinds = {"Sprite2D": "texture", "TextureRect": "texture", "TextureButton": "texture_normal", "Button": "icon"}
    for kind in kinds:
        await called(caller, "add_node", scenePath="main.tscn", nodeName=kind, nodeType=kind)
        await called(caller, "load_sprite", scenePath="main.tscn", nodePath=kind, texturePath="pixel.tres")
    names = [f'get_node("{kind}").{name}.resource_path' for kind, name in kinds.items()]
    assert _asked(game, *names) == ['"res://pixel.tres"'] * 4
    await called(
        caller,
        "godot_asset_manager",
        action="load_texture",
        scenePath="main.tscn",
        nodePath="Button",
        texturePath="res://pixel.tres",
    )


async def test_a_resource_is_made_for_a_property(game: Path, caller: Caller) -> None:
    await called(
        caller,
        "attach_components",
        scenePath="main.tscn",
        nodePath="Body",
        components={"nodes": [{"nodeType": "CollisionShape2D"}]},
    )
    for radius in (5, 8):
        await called(
            caller,
            "add_resource",
            scenePath="main.tscn",
            nodePath="Body/CollisionShape2D",
            property="shape",
            resourceType="CircleShape2D",
            properties={"radius": radius},
        )
    assert _asked(game, 'get_node("Body/CollisionShape2D").shape.radius') == ["8.0"]
    assert (game / "main.tscn").read_text().count("[sub_resource") == 1


async def test_one_property_is_set_by_name_and_read_back(game: Path, caller: Caller) -> None:
    async def set_one(name: str, value: Any, path: str = "Hero") -> Any:
        await called(
            caller,
            "godot_inspector_manager",
            action="set_property",
            scenePath="main.tscn",
            nodePath=path,
            property=name,
            value=value,
        )
        found = await called(caller, "get_property", scenePath="main.tscn", nodePath=path, property=name)
        return found["value"]

    assert await set_one("mood", "ANGRY") == 1
    assert await set_one("powers", ["Fire", "Water"]) == 3
    assert await set_one("friend", "../Friend") is not None
    assert await set_one("way", "../Space/Solid") is not None
    assert await set_one("collision_layer", "foes", "Body") == 4
    assert await set_one("process_mode", "Always") == 3
    hero = 'get_node("Hero")'
    assert _asked(
        game,
        f"{hero}.mood",
        f"{hero}.powers",
        f"{hero}.friend.name",
        f"{hero}.get_node({hero}.way).name",
        'get_node("Body").collision_layer',
        f"{hero}.process_mode",
    ) == ["1", "3", '&"Friend"', '&"Solid"', "4", "3"]
    assert await set_one("script", "res://hero.gd", "Friend") == {"$path": "res://hero.gd"}
    unset = await called(caller, "get_property", scenePath="main.tscn", nodePath="Body", property="collision_mask")
    assert unset["value"] == 1


@pytest.mark.parametrize(
    ("tool", "arguments", "says"),
    [
        ("attach_components", {"nodePath": "Hero", "components": {}}, "at least one"),
        ("attach_components", {"nodePath": "Hero", "components": {"meshh": "box"}}, "mesh"),
        ("attach_components", {"nodePath": "Hero", "components": {"mesh": "box"}}, "Node3D"),
        ("attach_components", {"nodePath": "Hero", "components": {"shape": "box"}}, "bodies and areas"),
        ("attach_components", {"nodePath": "Body", "components": {"shape": {"size": 3}}}, "type"),
        ("attach_components", {"nodePath": "Body", "components": {"shape": "blob"}}, "blob"),
        (
            "attach_components",
            {"nodePath": "Body", "components": {"shape": {"type": "polygon", "points": 5}}},
            "points",
        ),
        (
            "attach_components",
            {"nodePath": "Body", "components": {"shape": {"type": "polygon", "points": [[0, "a"]] * 3}}},
            "components.shape.points",
        ),
        (
            "attach_components",
            {"nodePath": "Space/Solid", "components": {"mesh": {"type": "polygon", "points": []}}},
            "flat",
        ),
        ("attach_components", {"nodePath": "Body", "components": {"sprite": "gone.png"}}, "gone.png"),
        (
            "attach_components",
            {"nodePath": "Body", "components": {"nodes": [{"nodeType": "Node", "properties": 5}]}},
            "nodes[0].properties",
        ),
        ("attach_components", {"nodePath": "Body", "components": {"nodes": [{"nodeName": "x"}]}}, "nodeType"),
        ("attach_components", {"nodePath": "Body", "components": {"script": 5}}, "path"),
        ("load_sprite", {"nodePath": "Hero", "texturePath": "pixel.tres"}, "no texture"),
        ("load_sprite", {"nodePath": "Body", "texturePath": "pixel.tres"}, "no texture"),
        ("add_resource", {"nodePath": "Body", "property": "shape", "resourceType": "CircleShape2D"}, "shape"),
        ("set_property", {"nodePath": "Hero", "property": "mood", "value": "SAD"}, "Angry"),
        ("set_property", {"nodePath": "Hero", "property": "friend", "value": "../Fiend"}, "Friend"),
        ("set_property", {"nodePath": "Hero", "property": "posision", "value": 1}, "position"),
        ("get_property", {"nodePath": "Hero", "property": "posision"}, "position"),
    ],
)
async def test_what_does_not_fit_is_refused_and_changes_nothing(
    game: Path, caller: Caller, tool: str, arguments: dict[str, Any], says: str
) -> None:
    assert says in await refused(caller, tool, scenePath="main.tscn", **arguments)
    assert (game / "main.tscn").read_text() == SCENE


WAY = [[0, 1, 0], {"position": [4, 1, 0], "out": "Vector3(0, 0, 1)", "tilt": 0.5}]


@pytest.mark.parametrize("curve", [WAY, {"$resource": "Curve3D", "props": {"points": WAY}}])
async def test_a_path_is_made_of_points(game: Path, caller: Caller, curve: Any) -> None:
    await called(
        caller, "add_node", scenePath="main.tscn", nodeName="Way", nodeType="Path3D", properties={"curve": curve}
    )
    way = 'get_node("Way").curve'
    assert _asked(
        game,
        f"{way}.point_count",
        f"{way}.get_point_position(1)",
        f"{way}.get_point_out(1)",
        f"{way}.get_point_tilt(1)",
        f"{way}.get_baked_length()",
    ) == ["2", "Vector3(4, 1, 0)", "Vector3(0, 0, 1)", "0.5", "4.0"]


async def test_a_point_of_a_path_is_refused_by_name(game: Path, caller: Caller) -> None:
    said = await refused(
        caller,
        "add_node",
        scenePath="main.tscn",
        nodeName="Way",
        nodeType="Path2D",
        properties={"curve": [{"position": [0, 0], "tilt": 1}]},
    )
    assert "not 'tilt'" in said


async def test_the_data_of_a_curve_is_packed_as_the_engine_needs_it(game: Path, caller: Caller) -> None:
    none, end = [0, 0, 0], [3, 4, 0]
    data = {"points": [none, none, none, none, none, end], "tilts": [0, 0.5]}
    for name, given in (("Way", data), ("Same", str(data).replace("'", '"'))):
        await called(
            caller,
            "add_node",
            scenePath="main.tscn",
            nodeType="Path3D",
            nodeName=name,
            properties={"curve": {"$resource": "Curve3D", "props": {"_data": given}}},
        )
        curve = f'get_node("{name}").curve'
        assert _asked(game, f"{curve}.get_baked_length()", f"{curve}.get_point_tilt(1)") == ["5.0", "0.5"]


async def test_a_curve_is_a_file_made_of_points(game: Path, caller: Caller) -> None:
    await called(
        caller,
        "create_resource",
        resourcePath="way.tres",
        resourceType="Curve2D",
        properties={"points": [[0, 0], [3, 4]]},
    )
    await called(
        caller, "add_node", scenePath="main.tscn", nodeName="Way", nodeType="Path2D", properties={"curve": "way.tres"}
    )
    assert _asked(game, 'get_node("Way").curve.get_baked_length()') == ["5.0"]
    said = await refused(
        caller, "create_resource", resourcePath="no.tres", resourceType="Curve2D", properties={"points": 5}
    )
    assert "The points of a curve are a list, not 5." in said
