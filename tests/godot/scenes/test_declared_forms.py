"""The forms that a declared scene takes, each read back by the real engine; and what is refused, changing nothing."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import anyio
import pytest
from tests.conftest import Caller
from tests.support.gdscript_runner import Reply, make_project, run_jobs

from scenewright.app import make_runtime
from scenewright.core.calls.call import Request
from scenewright.core.config import Config

ASK = """
func run(job: Array) -> Array:
	var scene: Node = (load(job[0]) as PackedScene).instantiate()
	var found: Array = []
	for text: String in job[1]:
		var asked: Expression = Expression.new()
		asked.parse(text)
		found.append(asked.execute([], scene))
	scene.free()
	return found
"""
BOX: dict[str, Any] = {"$resource": "BoxMesh", "id": "m", "props": {"size": [2, 2, 2]}}
REF = {"$ref": "m"}
SHADER = "shader_type canvas_item;\nuniform vec4 tint : source_color;\nuniform float power = 1.0;\n"
PAINT = {"$resource": "StandardMaterial3D"}


def node(name: str, kind: str, **more: Any) -> dict[str, Any]:
    return {"name": name, "type": kind, **more}


def mesh(name: str, value: Any) -> dict[str, Any]:
    return node(name, "MeshInstance3D", properties={"mesh": value})


def item(name: str, value: Any) -> dict[str, Any]:
    return {"nodeName": name, "nodeType": "MeshInstance3D", "properties": {"mesh": value}}


# A tree of a new scene by its name, and what the engine must answer about it.
FORMS: dict[str, tuple[dict[str, Any], dict[str, Any]]] = {
    "shared": (
        node("W", "Node3D", children=[mesh("A", REF), mesh("B", BOX), mesh("C", REF), mesh("D", {**BOX, "id": "n"})]),
        {
            "get_node('A').mesh == get_node('B').mesh and get_node('B').mesh == get_node('C').mesh": True,
            "get_node('A').mesh == get_node('D').mesh": False,
            "get_node('A').mesh.size.x": 2.0,
        },
    ),
    "shared inside": (
        node(
            "W",
            "Node3D",
            children=[
                mesh("A", {"$resource": "BoxMesh", "material": {"$resource": "StandardMaterial3D", "id": "red"}}),
                mesh("B", {"$resource": "SphereMesh", "props": {"radius": 3, "material": {"$ref": "red"}}}),
            ],
        ),
        {
            "get_node('A').mesh.material == get_node('B').mesh.material": True,
            "get_node('B').mesh.material.get_class()": "StandardMaterial3D",
            "get_node('B').mesh.radius": 3.0,
        },
    ),
}
FORMS |= {
    "points": (
        node(
            "W",
            "Node2D",
            children=[
                node(
                    "L",
                    "Line2D",
                    properties={"gradient": [[0, "red"], [0.5, "lime"], [1, "blue"]], "width_curve": [[0, 0], [1, 3]]},
                ),
                node(
                    "P",
                    "CPUParticles2D",
                    properties={
                        "color_ramp": {"$resource": "Gradient", "points": ["red", "blue", "white"]},
                        "scale_amount_curve": {"$resource": "Curve", "points": [[0, 1], [1, 0]], "max_value": 5},
                    },
                ),
                node(
                    "G",
                    "GPUParticles2D",
                    properties={
                        "process_material": {
                            "$resource": "ParticleProcessMaterial",
                            "color_ramp": [[0, "white"], [1, "#ffffff00"]],
                            "scale_curve": [[0, 1], [1, 0.25]],
                        }
                    },
                ),
            ],
        ),
        {
            "get_node('L').gradient.get_point_count()": 3,
            "get_node('L').gradient.sample(0.5).g": 1.0,
            "get_node('L').width_curve.sample(1.0)": 3.0,
            "get_node('P').color_ramp.get_offset(1)": 0.5,
            "get_node('P').scale_amount_curve.max_value": 5.0,
            "get_node('G').process_material.color_ramp.gradient.sample(1.0).a": 0.0,
            "get_node('G').process_material.scale_curve.curve.sample(1.0)": 0.25,
        },
    ),
    "frames": (
        node(
            "W",
            "Node2D",
            children=[
                node(
                    "A",
                    "AnimatedSprite2D",
                    properties={
                        "sprite_frames": {
                            "$resource": "SpriteFrames",
                            "animations": {
                                "walk": ["a.tres", "res://a.tres"],
                                "idle": {"frames": [{"texture": "a.tres", "duration": 2}], "fps": 3, "loop": False},
                            },
                        },
                        "animation": "walk",
                    },
                ),
                node("B", "AnimatedSprite2D", properties={"sprite_frames": ["a.tres", {"$path": "res://a.tres"}]}),
            ],
        ),
        {
            "get_node('A').sprite_frames.get_frame_count('walk')": 2,
            "get_node('A').sprite_frames.get_frame_texture('walk', 1).resource_path": "res://a.tres",
            "get_node('A').sprite_frames.get_animation_speed('idle')": 3.0,
            "get_node('A').sprite_frames.get_animation_loop('idle')": False,
            "get_node('A').sprite_frames.get_frame_duration('idle', 0)": 2.0,
            "get_node('B').sprite_frames.get_frame_count('default')": 2,
        },
    ),
    "said otherwise": (
        node(
            "W",
            "Node3D",
            children=[
                mesh("A", {"type": "BoxMesh", "size": [1, 2, 3]}),
                mesh("B", {"BoxMesh": {"size": [1, 2, 4]}}),
                node("N", "NavigationAgent3D", properties={"path_postprocessing": "Edge"}),
                node("L", "LineEdit", properties={"text": {"$path": "res://a.tres"}}),
            ],
        ),
        {
            "get_node('A').mesh.size.z": 3.0,
            "get_node('B').mesh.size.z": 4.0,
            "get_node('N').path_postprocessing": 1.0,
            "get_node('L').text": "res://a.tres",
        },
    ),
}
FORMS |= {
    "as an agent writes it": (
        node(
            "W",
            "Node2D",
            children=[
                node(
                    "Title",
                    "Label",
                    properties={"text": "a", "font_size": 30, "font_color": "red", "position": "(10, 20)"},
                ),
                node(
                    "Bar",
                    "PanelContainer",
                    properties={
                        "theme_override_styles/panel": {
                            "$resource": "StyleBoxFlat",
                            "corner_radius": 4,
                            "border_width": 2,
                            "border_width_left": 5,
                        }
                    },
                ),
                node(
                    "Fire",
                    "GPUParticles2D",
                    properties={
                        "process_material": {
                            "$resource": "ParticleProcessMaterial",
                            "initial_velocity": [20, 60],
                            "scale": 2,
                        }
                    },
                ),
                node("Dust", "CPUParticles2D", properties={"initial_velocity": [5, 6], "scale": 3}),
                node("Path", "Path2D", properties={"curve": {"points": [[0, 0], [100, 0]]}}),
                node("Eye", "Camera2D", properties={"zoom": 2}),
                node("Sprite", "Sprite2D", properties={"texture": {"$path": "a.tres"}, "position": "10, -20.5"}),
                node(
                    "Glow",
                    "Sprite2D",
                    properties={
                        "material": {
                            "$resource": "ShaderMaterial",
                            "shader": {"$resource": "Shader", "code": SHADER},
                            "power": 2,
                            "shader_parameters": {"tint": "red"},
                        }
                    },
                ),
                node(
                    "Land",
                    "NavigationRegion2D",
                    properties={
                        "navigation_polygon": {
                            "$resource": "NavigationPolygon",
                            "outlines": [[[0, 0], [100, 0], [100, 100]]],
                        }
                    },
                ),
                {"name": "Enemy", "type": "Node2D", "groups": "enemies", "props": {"z_index": 3}},
                node("Clock", "Timer", connections=[{"signal": "timeout", "to": "Enemy", "method": "show"}]),
                node(
                    "Player",
                    "AnimationPlayer",
                    animations=[{"name": "a", "tracks": [{"path": "Enemy:position", "keys": [[0, [0, 0]]]}]}],
                ),
            ],
        ),
        {
            "get_node('Title').get_theme_font_size('font_size')": 30.0,
            "get_node('Title').get_theme_color('font_color').r": 1.0,
            "get_node('Title').position.y": 20.0,
            "get_node('Bar').get_theme_stylebox('panel').corner_radius_bottom_left": 4.0,
            "get_node('Bar').get_theme_stylebox('panel').border_width_top": 2.0,
            "get_node('Bar').get_theme_stylebox('panel').border_width_left": 5.0,
            "get_node('Fire').process_material.initial_velocity_max": 60.0,
            "get_node('Fire').process_material.scale_min": 2.0,
            "get_node('Dust').initial_velocity_min": 5.0,
            "get_node('Dust').scale.y": 3.0,
            "get_node('Path').curve.point_count": 2.0,
            "get_node('Eye').zoom.y": 2.0,
            "get_node('Sprite').position.y": -20.5,
            "get_node('Sprite').texture.resource_path": "res://a.tres",
            "get_node('Glow').material.get_shader_parameter('power')": 2.0,
            "get_node('Glow').material.get_shader_parameter('tint').r": 1.0,
            "get_node('Land').navigation_polygon.get_outline(0)[1].x": 100.0,
            "get_node('Enemy').is_in_group('enemies')": True,
            "get_node('Enemy').z_index": 3.0,
            "get_node('Clock').is_connected('timeout', Callable(get_node('Enemy'), 'show'))": True,
            "str(get_node('Player').get_animation('a').track_get_path(0))": "Enemy:position",
        },
    ),
}
FILES = {"a.tres": '[gd_resource type="PlaceholderTexture2D" format=3]\n\n[resource]\nsize = Vector2(2, 2)\n'}
# Calls that add to a scene of one Node3D, and what the engine must answer about it.
CALLS: dict[str, tuple[list[tuple[str, dict[str, Any]]], dict[str, Any]]] = {
    "batch": (
        [("batch_create_nodes", {"items": [item("A", REF), item("B", BOX)]})],
        {"get_node('A').mesh == get_node('B').mesh": True, "get_node('A').mesh.size.x": 2.0},
    ),
}


def path_of(name: str) -> str:
    return f"{name.replace(' ', '_')}.tscn"


async def _make(project: Path) -> None:
    runtime = make_runtime(Config(project=project, rate_limit=None))
    calls: list[tuple[str, dict[str, Any]]] = [
        ("apply_scene", {"scenePath": path_of(name), "tree": tree}) for name, (tree, _) in FORMS.items()
    ]
    for name, (more, _) in CALLS.items():
        new = ("create_scene", {"scenePath": path_of(name), "rootNodeType": "Node3D", "rootNodeName": "W"})
        calls += [new, *((tool, {"scenePath": path_of(name), **arguments}) for tool, arguments in more)]
    for tool, arguments in calls:
        outcome = await runtime.run(Request(tool=tool, arguments=arguments))
        assert outcome.ok, outcome.fault
    runtime.close()


@pytest.fixture(scope="module")
def answers(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Reply]:
    project = make_project(tmp_path_factory.mktemp("game"), FILES)
    anyio.run(_make, project)
    asked = {name: list(questions) for name, (_, questions) in (FORMS | CALLS).items()}
    jobs = [[f"res://{path_of(name)}", questions] for name, questions in asked.items()]
    return dict(zip(asked, run_jobs(project, ASK, jobs), strict=True))


@pytest.mark.godot
@pytest.mark.xdist_group("godot")
@pytest.mark.parametrize("name", [*FORMS, *CALLS])
def test_the_engine_reads_the_form_as_it_was_meant(answers: dict[str, Reply], name: str) -> None:
    expected = list((FORMS | CALLS)[name][1].values())
    assert answers[name] == Reply(expected, [])


@pytest.fixture
def game(project: Path) -> Path:
    return make_project(project, FILES)


@pytest.mark.anyio
@pytest.mark.parametrize("name", FORMS)
async def test_a_form_needs_no_second_step_and_is_undone(game: Path, caller: Caller, name: str) -> None:
    asked = {"scenePath": "new.tscn", "tree": FORMS[name][0]}
    assert (await caller.result("apply_scene", **asked))["total"] > 0
    again = await caller.result("apply_scene", **asked)
    assert again["steps"] == []
    assert (await caller.run("history_undo", {})).ok
    assert not (game / "new.tscn").exists()


@pytest.mark.anyio
async def test_equal_resources_become_one_where_one_is_declared(game: Path, caller: Caller) -> None:
    apart = node("W", "Node3D", children=[mesh("A", BOX), mesh("B", {**BOX, "id": "n"})])
    await caller.result("apply_scene", scenePath="new.tscn", tree=apart)
    before = (game / "new.tscn").read_bytes()
    together = node("W", "Node3D", children=[mesh("A", BOX), mesh("B", REF)])
    done = await caller.result("apply_scene", scenePath="new.tscn", tree=together)
    assert [(step["op"], step["node"]) for step in done["steps"]] == [("set", "B")]
    assert (game / "new.tscn").read_text().count("[sub_resource") == 1
    assert (await caller.run("history_undo", {})).ok
    assert (game / "new.tscn").read_bytes() == before


@pytest.mark.anyio
async def test_a_node_may_keep_the_resource_it_holds_by_its_id(game: Path, caller: Caller) -> None:
    await caller.result("apply_scene", scenePath="new.tscn", tree=node("W", "Node3D", children=[mesh("A", BOX)]))
    shown = await caller.result("get_property", scenePath="new.tscn", nodePath="A", property="mesh")
    before = (game / "new.tscn").read_bytes()
    for value in (shown["value"], {"$ref": shown["value"]["id"]}):
        await caller.result("edit_node", scenePath="new.tscn", nodePath="A", properties={"mesh": value})
        assert (game / "new.tscn").read_bytes() == before


@pytest.mark.anyio
@pytest.mark.parametrize(
    ("children", "said"),
    [
        ([mesh("A", {"$ref": "x"}), mesh("B", BOX)], "no resource with the id 'x'"),
        ([mesh("A", BOX), mesh("B", {**BOX, "props": {}})], "Two resources of this call have the id 'm'"),
        ([mesh("A", BOX), mesh("B", {"$resource": "SphereMesh", "id": "m"})], "Two resources"),
        ([mesh("A", {**BOX, "props": {"material": REF}})], "would contain itself"),
        (
            [
                node("A", "CSGBox3D", properties={"material": {**PAINT, "id": "a", "next_pass": {"$ref": "b"}}}),
                node("B", "CSGBox3D", properties={"material": {**PAINT, "id": "b", "next_pass": {"$ref": "a"}}}),
            ],
            "'a' in 'b' in 'a'",
        ),
        ([mesh("A", BOX), node("B", "CollisionShape3D", properties={"shape": REF})], "a BoxMesh is not a Shape3D"),
        ([mesh("A", {"$ref": 5})], "$ref is 5 instead of text"),
        ([mesh("A", {"$ref": "m", "props": {}}), mesh("B", BOX)], "'props' is not one of $ref"),
    ],
)
async def test_what_cannot_be_shared_is_refused(
    game: Path, caller: Caller, children: list[dict[str, Any]], said: str
) -> None:
    outcome = await caller.run("apply_scene", {"scenePath": "new.tscn", "tree": node("W", "Node3D", children=children)})
    assert not outcome.ok
    assert outcome.fault is not None
    assert said in outcome.fault.message
    assert not (game / "new.tscn").exists()


@pytest.mark.anyio
@pytest.mark.parametrize(
    ("kind", "values", "told"),
    [
        ("Node2D", {"rotation": 90}, "set rotation_degrees, where 90 is 90 degrees"),
        ("Node3D", {"rotation": [0, 180, 0]}, "set rotation_degrees, where 180 is 180 degrees"),
        ("CharacterBody2D", {"floor_max_angle": 45}, "give 0.785398 for 45 degrees"),
    ],
)
async def test_degrees_given_as_radians_are_told(
    game: Path, caller: Caller, kind: str, values: dict[str, Any], told: str
) -> None:
    outcome = await caller.run("apply_scene", {"scenePath": "new.tscn", "tree": node("W", kind, properties=values)})
    assert outcome.ok
    assert any(told in warning for warning in outcome.call.warnings)
    quiet = node("W", kind, properties={"rotation_degrees": values["rotation"]} if "rotation" in values else {})
    outcome = await caller.run("apply_scene", {"scenePath": "quiet.tscn", "tree": quiet})
    assert outcome.call.warnings == []


@pytest.mark.anyio
@pytest.mark.parametrize(
    ("value", "example"),
    [
        ({"kind": "SphereMesh"}, '{"$resource": "SphereMesh", "props": {}}'),
        ("SphereMesh(2)", '{"$resource": "SphereMesh", "props": {}}'),
        ({"$resource": "BoxShape3D"}, '{"$resource": "BoxMesh", "props": {}}'),
    ],
)
async def test_a_refusal_shows_an_example_of_the_callers_own_class(
    game: Path, caller: Caller, value: Any, example: str
) -> None:
    outcome = await caller.run("apply_scene", {"scenePath": "new.tscn", "tree": mesh("M", value)})
    assert outcome.fault is not None
    assert example in (outcome.fault.hint or "")
    assert not (game / "new.tscn").exists()


@pytest.mark.anyio
@pytest.mark.parametrize(
    ("kind", "values", "problem"),
    [
        ("Line2D", {"gradient": [[0, "red"], 5]}, "point 1 of the gradient"),
        ("Line2D", {"gradient": {"$resource": "Gradient", "points": ["red"], "colors": ["red"]}}, "mean the same"),
        ("AnimatedSprite2D", {"sprite_frames": {"$resource": "SpriteFrames", "animations": [{"name": "a"}]}}, "frames"),
        ("AnimatedSprite2D", {"sprite_frames": ["no.png"]}, "no.png"),
        ("CharacterBody2D", {"motion_mode": "xyz"}, "MOTION_MODE_GROUNDED"),
    ],
)
async def test_a_form_that_cannot_be_read_is_refused(
    game: Path, caller: Caller, kind: str, values: dict[str, Any], problem: str
) -> None:
    outcome = await caller.run("apply_scene", {"scenePath": "new.tscn", "tree": node("W", kind, properties=values)})
    assert outcome.fault is not None
    assert problem in outcome.fault.message
    assert not (game / "new.tscn").exists()


@pytest.mark.anyio
async def test_a_bus_that_is_not_there_is_told(game: Path, caller: Caller) -> None:
    asked = {"scenePath": "new.tscn", "tree": node("W", "AudioStreamPlayer2D", properties={"bus": "Music"})}
    outcome = await caller.run("apply_scene", asked)
    assert outcome.ok
    assert outcome.call.warnings == [
        "There is no audio bus 'Music' yet, so it plays on Master; create_audio_bus adds it."
    ]
    await caller.result("create_audio_bus", busName="Music")
    asked["scenePath"] = "other.tscn"
    assert (await caller.run("apply_scene", asked)).call.warnings == []
