"""Primitives, bodies, triggers, pickups and players, tried in the real engine's physics."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from tests.conftest import Caller
from tests.godot.catalogue.played_scenes import Play, called, play, refused
from tests.support.gdscript_runner import make_project

pytestmark = [pytest.mark.anyio, pytest.mark.godot, pytest.mark.xdist_group("godot-operations")]

SPACE = '[gd_scene format=3]\n\n[node name="Space" type="Node3D"]\n'
PLANE = '[gd_scene format=3]\n\n[node name="Plane" type="Node2D"]\n'
PIXEL = '[gd_resource type="GradientTexture2D" format=3]\n\n[resource]\nwidth = 16\nheight = 8\n'


@pytest.fixture
def game(project: Path) -> Path:
    return make_project(project, {"space.tscn": SPACE, "plane.tscn": PLANE, "pixel.tres": PIXEL})


def _asked(project: Path, scene: str, *steps: str | int) -> list[str]:
    (reply,) = play(project, Play(scene, *steps))
    assert reply.complaints == []
    found: list[str] = reply.value
    return found


def _numbers(text: str) -> list[float]:
    return [float(part) for part in text.rpartition("(")[2].rstrip(")").split(",")]


MESHES: dict[str, tuple[Any, str, str, list[float]]] = {
    "box": ([2, 3, 4], "BoxMesh", "BoxShape3D", [-1, -1.5, -2, 2, 3, 4]),
    "sphere": (2, "SphereMesh", "SphereShape3D", [-1, -1, -1, 2, 2, 2]),
    "capsule": ([1, 3], "CapsuleMesh", "CapsuleShape3D", [-0.5, -1.5, -0.5, 1, 3, 1]),
    "cylinder": ([2, 3], "CylinderMesh", "CylinderShape3D", [-1, -1.5, -1, 2, 3, 2]),
    "cone": ([2, 3], "CylinderMesh", "ConvexPolygonShape3D", [-1, -1.5, -1, 2, 3, 2]),
    "plane": ([6, 0, 4], "PlaneMesh", "BoxShape3D", [-3, 0, -2, 6, 1e-05, 4]),
    "quad": ([2, 3], "QuadMesh", "BoxShape3D", [-1, -1.5, 0, 2, 3, 1e-05]),
    "prism": ([2, 3, 4], "PrismMesh", "ConvexPolygonShape3D", [-1, -1.5, -2, 2, 3, 4]),
    "torus": ([4, 1], "TorusMesh", "ConcavePolygonShape3D", [-2, -0.5, -2, 4, 1, 4]),
}


async def test_every_mesh_has_its_size_and_a_shape_as_large(game: Path, caller: Caller) -> None:
    for name, (size, *_) in MESHES.items():
        await called(
            caller, "create_primitive", scenePath="space.tscn", shape=name, nodeName=name, size=size, collision="static"
        )
    found = [
        _asked(
            game,
            "space.tscn",
            f'get_node("{name}/Mesh").mesh.get_class()',
            f'get_node("{name}/CollisionShape3D").shape.get_class()',
            f'get_node("{name}/Mesh").get_aabb()',
            f'get_node("{name}").get_class()',
            f'get_node("{name}/CollisionShape3D").shape.get_debug_mesh().get_aabb().size.x'
            f' - get_node("{name}/Mesh").get_aabb().size.x',
        )
        for name in MESHES
    ]
    for row, (name, (_, mesh, shape, box)) in zip(found, MESHES.items(), strict=True):
        assert row[:2] == [f'"{mesh}"', f'"{shape}"'], name
        assert _numbers(row[2]) == pytest.approx(box, abs=0.01), name
        assert row[3] == '"StaticBody3D"'
        assert abs(float(row[4])) < 0.05, (name, row)


@pytest.mark.parametrize("size", [[6, 4], [6, 0, 4], {"x": 6, "y": 4}, "Vector2(6, 4)", {"x": 6, "y": 0, "z": 4}])
async def test_a_plane_is_as_wide_and_deep_as_it_was_said(game: Path, caller: Caller, size: Any) -> None:
    await called(
        caller,
        "create_primitive",
        scenePath="space.tscn",
        shape="plane",
        size=size,
        collision="static",
        position={"x": 1, "y": 2, "z": 3},
    )
    assert _asked(
        game,
        "space.tscn",
        'get_node("Plane/Mesh").mesh.size',
        'get_node("Plane/CollisionShape3D").shape.size.z',
        'get_node("Plane").position',
    ) == ["Vector2(6, 4)", "4.0", "Vector3(1, 2, 3)"]


async def test_a_door_is_a_body_that_is_moved(game: Path, caller: Caller) -> None:
    await called(
        caller, "create_primitive", scenePath="space.tscn", shape="box", nodeName="Door", collision="animatable"
    )
    assert _asked(game, "space.tscn", 'get_node("Door").get_class()') == ['"AnimatableBody3D"']


async def test_a_primitive_has_its_color_place_and_properties(game: Path, caller: Caller) -> None:
    made = await called(
        caller,
        "godot_builder_manager",
        action="create_primitive",
        scenePath="space.tscn",
        shape="box",
        color="#ff000080",
        position=[1, 2, 3],
        properties={"visible": False},
    )
    assert made["nodePath"] == "Box"
    await called(caller, "create_primitive", scenePath="space.tscn", shape="sphere", parentNodePath="Box", color="red")
    await called(caller, "create_primitive", scenePath="space.tscn", shape="box", collision="area", nodeName="Zone")
    assert _asked(
        game,
        "space.tscn",
        'get_node("Box").mesh.material.albedo_color.to_html()',
        'get_node("Box").mesh.material.transparency',
        'get_node("Box").position',
        'get_node("Box").visible',
        'get_node("Box/Sphere").mesh.material.transparency',
        'get_node("Zone").get_class()',
    ) == ['"ff000080"', "1", "Vector3(1, 2, 3)", "false", "0", '"Area3D"']


async def test_flat_primitives_are_polygons_with_shapes(game: Path, caller: Caller) -> None:
    for shape, size in (("rectangle", [40, 20]), ("circle", 30), ("triangle", [10, 20])):
        await called(
            caller,
            "create_primitive",
            scenePath="plane.tscn",
            shape=shape,
            size=size,
            nodeName=shape,
            color="blue",
            collision="static",
        )
    await called(
        caller,
        "create_primitive",
        scenePath="plane.tscn",
        shape="capsule",
        dimension="2d",
        size=[10, 40],
        collision="rigid",
        nodeName="capsule",
    )
    points = [[0, 0], [10, 0], [10, 10], [5, 15]]
    await called(caller, "create_primitive", scenePath="plane.tscn", shape="polygon", points=points)
    assert _asked(
        game,
        "plane.tscn",
        'get_node("rectangle/Polygon").polygon',
        'get_node("rectangle/Polygon").color',
        'get_node("rectangle/CollisionShape2D").shape.size',
        'get_node("circle/CollisionShape2D").shape.radius',
        'get_node("circle/Polygon").polygon.size()',
        'get_node("triangle/CollisionPolygon2D").polygon',
        'get_node("capsule/CollisionShape2D").shape.height',
        'get_node("capsule").get_class()',
        'get_node("Polygon").polygon[3]',
    ) == [
        "PackedVector2Array(-20, -10, 20, -10, 20, 10, -20, 10)",
        "Color(0, 0, 1, 1)",
        "Vector2(40, 20)",
        "15.0",
        "24",
        "PackedVector2Array(0, -10, 5, 10, -5, 10)",
        "40.0",
        '"RigidBody2D"',
        "Vector2(5, 15)",
    ]


async def test_a_rigid_body_falls_onto_a_floor_and_stays_there(game: Path, caller: Caller) -> None:
    await called(
        caller, "create_primitive", scenePath="space.tscn", shape="plane", nodeName="Floor", collision="static"
    )
    await called(
        caller,
        "create_rigidbody",
        scenePath="space.tscn",
        nodeName="Crate",
        mass=7,
        position=[0, 2, 0],
        size=[1, 1, 1],
        color="brown",
        properties={"lock_rotation": True},
    )
    await called(
        caller, "create_rigidbody", scenePath="plane.tscn", dimension="2d", texturePath="res://pixel.tres", size=[16, 8]
    )
    start, mass, locked, color, end = _asked(
        game,
        "space.tscn",
        'get_node("Crate").position.y',
        'get_node("Crate").mass',
        'get_node("Crate").lock_rotation',
        'get_node("Crate/Mesh").mesh.material.albedo_color.to_html(false)',
        120,
        'get_node("Crate").position.y',
    )
    assert 1.8 < float(start) <= 2
    assert (mass, locked, color) == ("7.0", "true", '"a52a2a"')
    assert abs(float(end) - 0.5) < 0.05
    body = 'get_node("RigidBody2D")'
    before, after, texture = _asked(
        game,
        "plane.tscn",
        f"{body}.position.y",
        30,
        f"{body}.position.y",
        'get_node("RigidBody2D/Sprite").texture.get_size()',
    )
    assert float(after) > float(before) + 50
    assert texture == "Vector2(16, 8)"


@pytest.mark.parametrize(("dimension", "scene"), [("2d", "plane.tscn"), ("3d", "space.tscn")])
async def test_a_trigger_tells_of_its_group_once(game: Path, caller: Caller, dimension: str, scene: str) -> None:
    here = [40] * int(dimension[0])
    for name, once in (("Once", True), ("Often", False)):
        await called(
            caller,
            "create_trigger_area",
            scenePath=scene,
            dimension=dimension,
            nodeName=name,
            shape="box",
            position=here,
            group="player",
            oneShot=once,
        )
    far = [1000] * int(dimension[0])
    for name in ("Foe", "Player"):
        await called(
            caller,
            "create_primitive",
            scenePath=scene,
            shape="sphere",
            dimension=dimension,
            nodeName=name,
            collision="character",
            position=far,
        )
    await called(caller, "add_to_groups", scenePath=scene, nodePath="Player", groups=["player"])
    near, away = (f"Vector{len(here)}({', '.join([place] * len(here))})" for place in ("40", "1000"))
    steps: list[str | int] = [
        'heard.to(get_node("Once"), "triggered")',
        'heard.to(get_node("Often"), "triggered")',
        'heard.to(get_node("Often"), "left")',
    ]
    for name in ("Foe", "Player", "Player"):
        steps += [f'get_node("{name}").set_position({near})', 5, f'get_node("{name}").set_position({away})', 5]
    heard = _asked(game, scene, *steps, "heard.heard")[-1]
    assert heard == 'Array[String](["triggered", "triggered", "left", "triggered", "left"])'


async def test_a_trigger_takes_a_script_of_the_callers(game: Path, caller: Caller) -> None:
    own = "extends Area3D\n\nvar count: int = 0\n\n\nfunc _on_body_entered(_body: Node3D) -> void:\n\tcount += 1\n"
    (game / "own.gd").write_text(own)
    done = await called(
        caller, "create_trigger_area", scenePath="space.tscn", shape="sphere", size=4, scriptPath="own.gd"
    )
    assert done["scriptPath"] == "res://own.gd"
    await called(caller, "create_primitive", scenePath="space.tscn", shape="box", collision="character")
    count, radius = _asked(
        game, "space.tscn", 5, 'get_node("TriggerArea").count', 'get_node("TriggerArea/CollisionShape3D").shape.radius'
    )
    assert (count, radius) == ("1", "2.0")
    assert (game / "own.gd").read_text() == own


async def test_triggers_with_one_script_keep_what_each_was_given(game: Path, caller: Caller) -> None:
    for name, group in (("First", "player"), ("Second", "foe")):
        await called(
            caller,
            "create_trigger_area",
            scenePath="space.tscn",
            nodeName=name,
            group=group,
            oneShot=True,
            scriptPath="goal.gd",
        )
    own = (
        "extends Area3D\n\n@export var only_group: String\n\n\nfunc _on_body_entered(_body: Node3D) -> void:\n\tpass\n"
    )
    (game / "own.gd").write_text(own)
    await called(
        caller, "create_trigger_area", scenePath="space.tscn", nodeName="Third", group="coin", scriptPath="own.gd"
    )
    said = await refused(caller, "create_trigger_area", scenePath="space.tscn", oneShot=True, scriptPath="own.gd")
    assert "input.oneShot" in said
    exits = 'get_node("%s").body_exited.get_connections().size()'
    assert _asked(
        game,
        "space.tscn",
        'get_node("Second").only_group',
        'get_node("Second").one_shot',
        exits % "Second",
        'get_node("Third").only_group',
        exits % "Third",
    ) == ['&"foe"', "true", "1", '"coin"', "0"]


@pytest.mark.parametrize(("dimension", "scene"), [("2d", "plane.tscn"), ("3d", "space.tscn")])
async def test_a_pickup_spins_and_is_taken_by_its_group(game: Path, caller: Caller, dimension: str, scene: str) -> None:
    count = int(dimension[0])
    for name, group, x in (("Coin", "player", 0), ("Other", "foes", 0), ("Far", "player", 500)):
        await called(
            caller,
            "spawn_spinning_pickup",
            scenePath=scene,
            dimension=dimension,
            nodeName=name,
            size=10,
            group=group,
            spinSpeed=1,
            position=[x] + [0] * (count - 1),
            color="#112233",
        )
    await called(
        caller,
        "create_primitive",
        scenePath=scene,
        shape="sphere",
        dimension=dimension,
        nodeName="Player",
        collision="character",
        position=[-900] * count,
    )
    await called(caller, "add_to_groups", scenePath=scene, nodePath="Player", groups=["player"])
    turned = "scale.x" if dimension == "2d" else "rotation.y"
    color = "color" if dimension == "2d" else "mesh.material.albedo_color"
    bounds = "get_rect()" if dimension == "2d" else "get_debug_mesh().get_aabb()"
    home = f"Vector{count}({', '.join(['0'] * count)})"
    listen, _, wide, before, shade, after, heard, left = _asked(
        game,
        scene,
        'heard.to(get_node("Coin"), "collected")',
        f'get_node("Player").set_position({home})',
        f'get_node("Far/CollisionShape{dimension.upper()}").shape.{bounds}.size.x',
        f'get_node("Far/Visual").{turned}',
        f'get_node("Far/Visual").{color}.to_html(false)',
        10,
        f'get_node("Far/Visual").{turned}',
        "heard.heard",
        'has_node("Coin") or not has_node("Other")',
    )
    assert (listen, shade, heard, left) == ("null", '"112233"', 'Array[String](["collected"])', "false")
    assert float(wide) == 10
    assert abs(float(after) - float(before)) > 0.05


async def test_a_pickup_may_have_a_picture_and_a_script_elsewhere(game: Path, caller: Caller) -> None:
    done = await called(
        caller,
        "spawn_spinning_pickup",
        scenePath="plane.tscn",
        dimension="2d",
        texturePath="res://pixel.tres",
        shape="rectangle",
        scriptPath="items/coin.gd",
    )
    assert done["scriptPath"] == "res://items/coin.gd"
    kinds = ('get_node("Pickup/Visual").get_class()', 'get_node("Pickup/CollisionShape2D").shape.get_class()')
    assert _asked(game, "plane.tscn", *kinds) == ['"Sprite2D"', '"RectangleShape2D"']


async def test_a_first_person_player_walks_jumps_and_looks(
    game: Path, caller: Caller, godot: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GODOT_PATH", str(godot))
    await called(
        caller,
        "create_primitive",
        scenePath="space.tscn",
        shape="plane",
        size=[50, 0, 50],
        nodeName="Floor",
        collision="static",
    )
    await called(caller, "add_input_action", name="jump", events=["J"])
    done = await called(
        caller,
        "spawn_fps_controller",
        scenePath="space.tscn",
        nodeName="Hero",
        position=[2, 0.2, 0],
        speed=6,
        jumpVelocity=8,
        mouseSensitivity=0.01,
        fov=60,
    )
    assert done["actions"] == ["move_forward", "move_back", "move_left", "move_right", "sprint"]
    assert done["compiled"] is True
    hero = 'get_node("Hero")'
    said = _asked(
        game,
        "space.tscn",
        f"{hero}.position.x",
        40,
        f"{hero}.position.y",
        'Input.action_press("move_forward")',
        30,
        f"{hero}.velocity.z",
        'Input.action_press("sprint")',
        30,
        f"{hero}.velocity.z",
        'Input.action_release("move_forward")',
        'Input.action_release("sprint")',
        30,
        f"{hero}.velocity.z",
        'Input.action_press("jump")',
        3,
        f"{hero}.velocity.y",
        f"{hero}.look(Vector2(10, -20))",
        f"{hero}.rotation.y",
        f'{hero}.get_node("Head").rotation.x',
        f'{hero}.get_node("Head/Camera3D").fov',
        f'{hero}.get_node("Head/Camera3D").current',
        'InputMap.action_get_events("jump").size()',
        'Input.action_release("jump")',
    )
    side, floor, walking, sprinting, standing, jumping, turn, nod, fov = (
        float(each) for each in said if each not in ("null", "true", "1")
    )
    assert side == 2
    assert abs(floor) < 0.05
    assert (round(walking, 3), round(sprinting, 3), round(standing, 3)) == (-6, -8, 0)
    assert 7 < jumping < 8
    assert (round(turn, 3), round(nod, 3), fov) == (-0.1, 0.2, 60)
    assert said[-3:] == ["true", "1", "null"]


async def test_areas_that_ask_for_the_player_notice_the_one_that_was_spawned(game: Path, caller: Caller) -> None:
    await called(caller, "spawn_fps_controller", scenePath="space.tscn")
    for name, group in (("Start", "player"), ("Other", "enemies")):
        await called(caller, "create_trigger_area", scenePath="space.tscn", nodeName=name, group=group, oneShot=True)
    asked = ('get_node("Start").monitoring', 'get_node("Other").monitoring')
    assert _asked(game, "space.tscn", 10, *asked)[-2:] == ["false", "true"]


async def test_input_actions_and_scripts_are_left_alone_where_they_are(game: Path, caller: Caller) -> None:
    before = (game / "project.godot").read_bytes()
    await called(caller, "spawn_fps_controller", scenePath="space.tscn", addActions=False)
    assert (game / "project.godot").read_bytes() == before
    (game / "fps_controller.gd").write_text("extends Node\n")
    said = await refused(caller, "spawn_fps_controller", scenePath="space.tscn", nodeName="Second")
    assert "scriptPath" in said
    await called(caller, "spawn_fps_controller", scenePath="space.tscn", nodeName="Second", scriptPath="second.gd")
    assert (game / "fps_controller.gd").read_text() == "extends Node\n"
    assert _asked(game, "space.tscn", 'get_node("Second").speed') == ["5.0"]


@pytest.mark.parametrize(
    ("tool", "arguments", "says"),
    [
        ("create_primitive", {"shape": "bocks"}, "box"),
        ("create_primitive", {"shape": "torus", "collision": "rigid"}, "hollow"),
        ("create_primitive", {"shape": "torus", "dimension": "2d"}, "2d"),
        ("create_primitive", {"shape": "box", "size": "big"}, "input.size"),
        ("create_primitive", {"shape": "box", "size": [1, 2, 3, 4]}, "input.size"),
        ("create_primitive", {"shape": "box", "size": -1}, "input.size"),
        ("create_primitive", {"shape": "polygon", "points": [[0, 0]]}, "three points"),
        ("create_primitive", {"shape": "box", "points": [[0, 0], [1, 0], [1, 1]]}, "input.points"),
        ("create_primitive", {"shape": "polygon", "dimension": "3d", "points": [[0, 0], [1, 0], [1, 1]]}, "flat"),
        ("create_primitive", {"shape": "polygon", "size": 3, "points": [[0, 0], [1, 0], [1, 1]]}, "input.size"),
        ("create_primitive", {"shape": "sphere", "size": [1, 2, 3]}, "input.size"),
        ("create_primitive", {"shape": "cylinder", "size": [1, 2, 3]}, "input.size"),
        ("create_primitive", {"shape": "box", "position": [1, 2]}, "3 numbers"),
        ("create_primitive", {"shape": "box", "color": "rde"}, "red"),
        ("create_primitive", {"shape": "box", "parentNodePath": "Gone"}, "Gone"),
        ("create_rigidbody", {"mass": 0}, "mass"),
        ("create_rigidbody", {"texturePath": "res://gone.png"}, "gone.png"),
        ("create_trigger_area", {"shape": "blob"}, "blob"),
        ("spawn_spinning_pickup", {"dimension": "4d"}, "dimension"),
    ],
)
async def test_what_cannot_be_built_is_refused_and_changes_nothing(
    game: Path, caller: Caller, tool: str, arguments: dict[str, Any], says: str
) -> None:
    assert says in await refused(caller, tool, scenePath="space.tscn", **arguments)
    assert (game / "space.tscn").read_text() == SPACE
    assert not list(game.glob("*.gd"))


async def test_what_is_built_goes_below_the_parent_that_is_named(game: Path, caller: Caller) -> None:
    for scene, kind in (("space.tscn", "Node3D"), ("plane.tscn", "Node2D")):
        await called(caller, "add_node", scenePath=scene, nodeType=kind, nodeName="Room")
    space = {"scenePath": "space.tscn", "parentNodePath": "Room"}
    await called(caller, "create_rigidbody", **space, nodeName="Ball", shape="sphere", size=2)
    await called(caller, "create_trigger_area", **space, nodeName="Zone")
    await called(caller, "spawn_spinning_pickup", **space, nodeName="Coin", position=[50, 9, 0])  # out of reach
    await called(caller, "spawn_fps_controller", **space, nodeName="Player")
    await called(caller, "generate_terrain_mesh", **space, nodeName="Hills", subdivisions=2)
    assert _asked(
        game, "space.tscn", 'get_node("Room").get_child_count()', 'get_node("Room/Ball/CollisionShape3D").shape.radius'
    ) == ["5", "1.0"]


async def test_a_body_of_points_is_a_polygon(game: Path, caller: Caller) -> None:
    await called(
        caller,
        "create_rigidbody",
        scenePath="plane.tscn",
        nodeName="Rock",
        shape="polygon",
        dimension="2d",
        points=[[0, 0], [20, 0], [10, 15]],
    )
    found = _asked(
        game,
        "plane.tscn",
        'get_node("Rock").find_children("*", "CollisionPolygon2D", true, false).size()',
        'get_node("Rock").find_children("*", "Polygon2D", true, false)[0].polygon',
    )
    assert found == ["1", "PackedVector2Array(0, 0, 20, 0, 10, 15)"]
