"""What the tools build, at work in the real engine: bodies bounce, shaders are compiled, files are as it saves them."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
from tests.conftest import Caller, MakeCaller
from tests.support.gdscript_runner import run_jobs

pytestmark = [pytest.mark.anyio, pytest.mark.godot, pytest.mark.xdist_group("godot-engines")]

FLAT = '[gd_scene format=3]\n\n[node name="Main" type="Node2D"]\n'
DEEP = '[gd_scene format=3]\n\n[node name="Main" type="Node3D"]\n'
SAVE = """
func run(path: String) -> String:
	var found: Resource = load(path)
	ResourceSaver.save(found, "res://again." + path.get_extension())
	return FileAccess.get_file_as_string("res://again." + path.get_extension())
"""
WATCH = """extends RigidBody2D

var lowest: float = -INF
var highest_after: float = INF

func _physics_process(_delta: float) -> void:
	if linear_velocity.y < -1.0:
		highest_after = minf(highest_after, position.y)
	lowest = maxf(lowest, position.y)
"""


async def done(caller: Caller, tool: str, **arguments: Any) -> dict[str, Any]:
    structured = (await caller.reply(tool, arguments)).structured
    assert structured is not None
    assert structured["ok"], structured
    result: dict[str, Any] = structured["result"]
    return result


@pytest.mark.parametrize(("bounce", "rises"), [(0.8, True), (0.0, False)])
async def test_a_ball_falls_and_bounces_as_its_material_says(
    make_caller: MakeCaller, game: Path, bounce: float, rises: bool
) -> None:
    (game / "main.tscn").write_text(FLAT)
    (game / "watch.gd").write_text(WATCH)
    caller, where = make_caller(), {"scenePath": "main.tscn"}
    await done(
        caller, "add_node", **where, nodeType="StaticBody2D", nodeName="Floor", properties={"position": [0, 300]}
    )
    await done(
        caller,
        "create_collision_shape",
        **where,
        parentNodePath="Floor",
        shapeType="rectangle",
        shapeParams={"sizeX": 400, "sizeY": 20},
    )
    await done(caller, "setup_rigidbody", **where, nodePath="Ball", physicsMaterial={"bounce": bounce})
    await done(
        caller, "create_collision_shape", **where, parentNodePath="Ball", shapeType="circle", shapeParams={"radius": 10}
    )
    await done(caller, "attach_script", **where, nodePath="Ball", scriptPath="watch.gd")
    checks = ["get_node('Ball').lowest > 270", f"(get_node('Ball').highest_after < 250) == {str(rises).lower()}"]
    seen = await done(caller, "probe_scene", **where, steps=120, checks=checks)
    assert seen["passed"], seen["checks"]


async def test_bodies_on_other_layers_fall_through(make_caller: MakeCaller, game: Path) -> None:
    (game / "main.tscn").write_text(DEEP)
    caller, where = make_caller(), {"scenePath": "main.tscn"}
    await done(caller, "configure_physics_layers", dimension="3d", layers=[{"layer": 4, "name": "ghosts"}])
    await done(caller, "add_node", **where, nodeType="StaticBody3D", nodeName="Floor")
    await done(caller, "create_collision_shape", **where, parentNodePath="Floor", shapeType="world_boundary")
    for name in ("Stone", "Ghost"):
        place = {"position": [0 if name == "Stone" else 9, 2, 0]}
        await done(caller, "setup_rigidbody", **where, nodePath=name, properties=place)
        await done(caller, "create_collision_shape", **where, parentNodePath=name, shapeType="sphere")
    await done(caller, "set_collision_layer", **where, nodePath="Ghost", collisionMaskBits=["ghosts"])
    checks = ["get_node('Stone').position.y > 0", "get_node('Ghost').position.y < -1"]
    seen = await done(caller, "probe_scene", **where, steps=120, checks=checks)
    assert seen["passed"], seen["checks"]


async def test_writing_a_shader_says_what_the_compiler_thinks_of_it(make_caller: MakeCaller, game: Path) -> None:
    code = "shader_type canvas_item;\n\nvoid fragment() {\n\tCOLOR = vec3(1.0);\n}\n"
    written = await done(make_caller(), "create_shader", shaderPath="bad.gdshader", content=code)
    assert written["compiled"] is False
    [error] = written["errors"]
    assert (error["path"], error["line"]) == ("res://bad.gdshader", 4)
    assert "vec4" in error["message"]


async def test_an_error_in_an_included_file_is_said_to_be_there(make_caller: MakeCaller, game: Path) -> None:
    (game / "part.gdshaderinc").write_text("vec4 ink() {\n\treturn vec3(1.0);\n}\n")
    code = 'shader_type canvas_item;\n#include "part.gdshaderinc"\nvoid fragment() {\n\tCOLOR = ink();\n}\n'
    written = await done(make_caller(), "create_shader", shaderPath="whole.gdshader", content=code)
    assert [(error["path"], error["line"]) for error in written["errors"]] == [("res://part.gdshaderinc", 2)]


async def test_a_sound_shader_is_said_to_compile(make_caller: MakeCaller, game: Path) -> None:
    parts = {"shaderType": "canvas_item", "uniforms": ["float a = 0.5"], "fragmentCode": "COLOR.a = a;"}
    written = await done(make_caller(), "create_shader", shaderPath="good.gdshader", **parts)
    assert (written["compiled"], written.get("errors")) == (True, None)


async def test_a_second_writing_of_a_shader_is_compiled_anew(make_caller: MakeCaller, game: Path) -> None:
    caller = make_caller()
    bad = {"shaderPath": "a.gdshader", "shaderType": "canvas_item", "fragmentCode": "COLOR = 1;"}
    assert (await done(caller, "create_shader", **bad))["compiled"] is False
    good = {**bad, "fragmentCode": "COLOR = vec4(1.0);", "overwrite": True}
    assert (await done(caller, "create_shader", **good))["compiled"] is True


@pytest.mark.since_godot(4, 6)  # older ones count resources in the header
async def test_files_are_as_the_engine_saves_them(make_caller: MakeCaller, game: Path) -> None:
    caller = make_caller()
    await done(caller, "create_audio_bus", busName="Music", volume=-6, solo=True)
    await done(caller, "create_audio_bus", busName="Drums", parentBus="Music", index=2)
    await done(caller, "add_audio_effect", busName="Music", effectType="reverb", effectParams={"room_size": 0.5})
    await done(caller, "add_audio_effect", busName="Master", effectType="limiter")
    await done(caller, "set_bus_volume", bus="Master", volumeDb=-3)
    await done(caller, "create_particle_material", materialPath="fire.tres", preset="fire", scaleCurve=[0, 2, 1])
    await done(
        caller,
        "setup_environment",
        environmentPath="air.tres",
        backgroundMode="sky",
        fogEnabled=True,
        sky={"sky_curve": 0.3},
        tonemapMode="aces",
        ambientLightColor="red",
    )
    await done(caller, "create_shader", shaderPath="a.gdshader", shaderType="spatial", uniforms=["vec3 b", "float c"])
    await done(
        caller,
        "create_shader_material",
        shaderPath="a.gdshader",
        materialPath="a.tres",
        parameters={"c": 2, "b": [1, 2, 3]},
    )
    paths = ["default_bus_layout.tres", "fire.tres", "air.tres", "a.tres"]
    saved = run_jobs(game, SAVE, [f"res://{path}" for path in paths])
    for path, again in zip(paths, saved, strict=True):
        assert again.complaints == []
        assert _parts((game / path).read_text()) == _parts(again.value), path


def _parts(text: str) -> list[list[str]]:
    """Sections with their properties, whatever the ids are and in whatever order things stand."""
    # A shader material's priority is the one default that the engine writes.
    text = text.replace("render_priority = 0\n", "")
    plain = re.sub(r' uid="[^"]*"', "", re.sub(r'"(\w+?)_\w{5}"', r'"\1"', text))
    return sorted(sorted(section.strip().splitlines()) for section in plain.split("\n\n"))
