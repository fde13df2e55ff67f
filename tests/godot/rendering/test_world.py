"""Physics, audio, shaders, particles and light: what the calls answer, and what they refuse without a change."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from tests.conftest import Caller, MakeCaller
from tests.support.gdscript_runner import make_project

pytestmark = pytest.mark.anyio

FLAT = """[gd_scene format=3]

[node name="Flat" type="Node2D"]

[node name="Body" type="StaticBody2D" parent="."]

[node name="Ball" type="RigidBody2D" parent="."]

[node name="Face" type="Sprite2D" parent="."]

[node name="Air" type="WorldEnvironment" parent="."]
"""
DEEP = """[gd_scene format=3]

[node name="Deep" type="Node3D"]

[node name="Body" type="StaticBody3D" parent="."]

[node name="Mesh" type="MeshInstance3D" parent="Body"]
"""
LOOK = "shader_type spatial;\nuniform float speed;\nuniform sampler2D face;\n"
STYLE = '[gd_resource type="StyleBoxFlat" format=3]\n\n[resource]\n'
FILES: dict[str, str | bytes] = {
    "flat.tscn": FLAT,
    "deep.tscn": DEEP,
    "look.gdshader": LOOK,
    "style.tres": STYLE,
    "default_bus_layout.tres": '[gd_resource type="AudioBusLayout" format=3]\n\n[resource]\n'
    'bus/1/name = &"Music"\nbus/1/solo = false\nbus/1/mute = false\nbus/1/bypass_fx = false\nbus/1/volume_db = 0.0\n'
    'bus/1/send = &"Master"\nbus/2/name = &"Drums"\nbus/2/solo = false\nbus/2/mute = false\nbus/2/bypass_fx = false\n'
    'bus/2/volume_db = 0.0\nbus/2/send = &"Music"\n',
}
BODY = {"scenePath": "flat.tscn", "parentNodePath": "Body"}
LIGHT = {"scenePath": "deep.tscn", "nodeName": "L"}
MESH = {"scenePath": "deep.tscn", "nodePath": "Body/Mesh"}
EFFECT = {"busName": "Music"}
# Tool, arguments, and words of the message or the hint.
REFUSED: list[tuple[str, dict[str, Any], str]] = [
    ("create_collision_shape", {**BODY, "shapeType": "cirle"}, "circle"),
    ("create_collision_shape", {**BODY, "shapeType": "cylinder"}, "exists only in 3D"),
    ("create_collision_shape", {**BODY, "shapeType": "circle", "is3D": True}, "must be 2D"),
    ("create_collision_shape", {**BODY, "shapeType": "circle", "shapeParams": {"radius": -1}}, "above 0"),
    ("create_collision_shape", {**BODY, "shapeType": "circle", "shapeParams": {"raduis": 1}}, "radius"),
    ("create_collision_shape", {**BODY, "shapeType": "box", "shapeParams": {"sizeZ": 1}}, "no depth"),
    (
        "create_collision_shape",
        {**BODY, "shapeType": "capsule", "shapeParams": {"radius": 9, "height": 3}},
        "at least 18",
    ),
    ("create_collision_shape", {**BODY, "shapeType": "box", "fit": "Face"}, "is not a child of"),
    (
        "create_collision_shape",
        {"scenePath": "flat.tscn", "parentNodePath": ".", "shapeType": "box", "fit": "Face"},
        "no texture",
    ),
    (
        "create_collision_shape",
        {"scenePath": "flat.tscn", "parentNodePath": ".", "shapeType": "box", "fit": "Ball"},
        "cannot be read",
    ),
    ("setup_rigidbody", {"scenePath": "flat.tscn", "nodePath": "Body", "mass": 2}, "not a RigidBody2D"),
    ("setup_rigidbody", {"scenePath": "flat.tscn", "nodePath": "Ball", "is3D": True}, "is3D"),
    ("setup_rigidbody", {"scenePath": "flat.tscn", "nodePath": "Ball", "physicsMaterial": {"bounc": 1}}, "bounce"),
    (
        "configure_physics_layers",
        {"dimension": "2d", "layers": [{"layer": 1, "name": "a"}, {"layer": 2, "name": "a"}]},
        "its own name",
    ),
    ("set_collision_layer", {"scenePath": "flat.tscn", "nodePath": "Body", "collisionLayerBits": [33]}, "1 to 32"),
    ("set_collision_layer", {"scenePath": "flat.tscn", "nodePath": "Body"}, "collisionLayer"),
    (
        "set_collision_layer",
        {"scenePath": "flat.tscn", "nodePath": "Body", "collisionMask": 1, "collisionMaskBits": [1]},
        "not both",
    ),
    ("set_collision_layer", {"scenePath": "flat.tscn", "nodePath": "Face", "collisionMask": 1}, "collision_mask"),
    ("create_navigation_region", {**LIGHT, "outlines": [[[0, 0], [1, 0], [1, 1]]]}, "for 2D"),
    ("create_navigation_region", {**LIGHT, "navigationMeshPath": "x.tres", "mesh": {"cell_size": 1}}, "own settings"),
    ("bake_navigation_mesh", {"scenePath": "deep.tscn", "nodePath": "Body"}, "NavigationRegion3D"),
    ("bake_navigation_mesh", {}, "scenePath"),
    ("bake_navigation_mesh", {"meshPath": "style.tres"}, "StyleBoxFlat"),
    ("create_audio_bus", {"busName": "Music"}, "edit_audio_bus"),
    ("create_audio_bus", {"busName": "A", "parentBus": "Musik"}, "Music"),
    ("create_audio_bus", {"busName": "A", "index": 0}, "0 is Master"),
    ("create_audio_bus", {"busName": "A", "parentBus": "Drums", "index": 1}, "come before"),
    ("edit_audio_bus", {"busName": "Music", "parentBus": "Drums"}, "come before"),
    ("edit_audio_bus", {"busName": "Music", "index": 2}, "come before"),
    ("edit_audio_bus", {"busName": "Master", "newName": "Main"}, "keeps its name"),
    ("edit_audio_bus", {"busName": "Drums", "newName": "Music"}, "already"),
    ("edit_audio_bus", {"busName": "Master", "parentBus": "Music"}, "sends to no other bus"),
    ("remove_audio_bus", {"busName": "Master"}, "cannot be removed"),
    ("remove_audio_bus", {"busName": "Music", "effect": 0}, "0 effects"),
    ("set_bus_volume", {"bus": "Dums", "volumeDb": 0}, "Drums"),
    ("add_audio_effect", {**EFFECT, "effectType": "revreb"}, "reverb"),
    ("add_audio_effect", {**EFFECT, "effectType": "reverb", "effectParams": {"roomsize": 1}}, "room_size"),
    ("add_audio_effect", {**EFFECT, "effectType": "reverb", "index": 3}, "0 effects"),
    ("add_audio_effect", EFFECT, "effectType"),
    ("setup_audio_player", {"scenePath": "flat.tscn", "nodeName": "A", "streamPath": "no.ogg"}, "no.ogg"),
    ("setup_audio_player", {"scenePath": "flat.tscn", "nodeName": "A", "dimension": "2d", "is3D": True}, "is3D"),
    ("create_shader", {"shaderPath": "a.txt", "shaderType": "sky"}, ".gdshader"),
    ("create_shader", {"shaderPath": "look.gdshader", "shaderType": "sky"}, "overwrite"),
    ("create_shader", {"shaderPath": "a.gdshader"}, "shaderType"),
    ("create_shader", {"shaderPath": "a.gdshader", "content": "void fragment() {}"}, "shader_type"),
    ("create_shader", {"shaderPath": "a.gdshader", "content": LOOK, "shaderType": "sky"}, "spatial"),
    ("create_shader", {"shaderPath": "a.gdshader", "content": LOOK, "uniforms": ["float a"]}, "not both"),
    ("create_shader", {"shaderPath": "a.gdshader", "shaderType": "sky", "vertexCode": "x"}, "fragmentCode"),
    ("create_shader_material", {"shaderPath": "look.gdshader"}, "materialPath"),
    ("create_shader_material", {"shaderPath": "lok.gdshader", "materialPath": "a.tres"}, "look.gdshader"),
    ("create_shader_material", {"shaderPath": "style.tres", "materialPath": "a.tres"}, "not a shader file"),
    ("create_shader_material", {"shaderPath": "look.gdshader", "materialPath": "style.tres"}, "overwrite"),
    ("create_shader_material", {"shaderPath": "look.gdshader", "nodePath": "Body"}, "scenePath"),
    (
        "create_shader_material",
        {"shaderPath": "look.gdshader", "scenePath": "flat.tscn", "nodePath": "Face"},
        "canvas_item",
    ),
    ("create_shader_material", {"shaderPath": "look.gdshader", **MESH, "parameters": {"sped": 1}}, "speed"),
    ("create_shader_material", {"shaderPath": "look.gdshader", **MESH, "parameters": {"speed": "fast"}}, "float"),
    (
        "create_shader_material",
        {"shaderPath": "look.gdshader", **MESH, "parameters": {"face": "style.tres"}},
        "Texture2D",
    ),
    ("create_shader_material", {"shaderPath": "look.gdshader", **MESH, "materialProperty": "matrial"}, "no property"),
    (
        "create_shader_material",
        {"shaderPath": "look.gdshader", "scenePath": "deep.tscn", "nodePath": "Body", "surfaceIndex": 0},
        "no surfaces",
    ),
    ("set_shader_param", {**MESH, "param": "speed", "value": 1}, "no shader material"),
    ("create_gpu_particles", {"scenePath": "flat.tscn", "nodeName": "P", "materialPath": "style.tres"}, "Material"),
    (
        "create_gpu_particles",
        {"scenePath": "flat.tscn", "nodeName": "P", "materialPath": "x.tres", "material": {"spread": 1}},
        "not both",
    ),
    ("create_gpu_particles", {"scenePath": "flat.tscn", "nodeName": "P", "material": {"sprad": 1}}, "spread"),
    (
        "create_gpu_particles",
        {
            "scenePath": "deep.tscn",
            "nodeName": "P",
            "texturePath": "a.png",
            "properties": {"draw_pass_1": {"$resource": "BoxMesh"}},
        },
        "texturePath",
    ),
    ("create_particle_material", {"materialPath": "p.tres", "scaleMin": 2, "scaleMax": 1}, "Swap"),
    ("create_particle_material", {"materialPath": "style.tres"}, "overwrite"),
    ("create_particle_material", {"materialPath": "p.res"}, ".tres"),
    ("create_particle_material", {"materialPath": "p.tres", "colorRamp": ["red"]}, "two entries"),
    ("create_particle_material", {"materialPath": "p.tres", "colorRamp": [[0.5, "red"], [0.1, "blue"]]}, "must rise"),
    ("create_particle_material", {"materialPath": "p.tres", "scaleCurve": [[0, 1], [2, 1]]}, "from 0 to 1"),
    ("create_particle_material", {"materialPath": "p.tres", "scaleCurve": [0, "big"]}, "numbers"),
    ("create_particle_effect", {"scenePath": "flat.tscn", "nodeName": "Ball", "ensureUniqueName": False}, "Ball"),
    ("create_light", {**LIGHT, "lightType": "omni"}, "omni_3d"),
    ("create_light", {**LIGHT, "lightType": "omni_3d", "spotAngle": 5}, "spotAngle"),
    ("create_light", {**LIGHT, "lightType": "directional_3d", "range": 5}, "range"),
    ("create_light", {**LIGHT, "lightType": "directional_2d", "texturePath": "a.png"}, "texturePath"),
    ("create_light", {**LIGHT, "lightType": "point_2d", "texturePath": "a.png", "range": 3}, "texture_scale"),
    ("create_light", {**LIGHT, "lightType": "omni_3d", "color": "redd"}, "Color"),
    ("setup_environment", {}, "scenePath"),
    ("setup_environment", {"environmentPath": "style.tres"}, "StyleBoxFlat"),
    ("setup_environment", {"environmentPath": "a.tres", "cameraAttributes": {"dof_blur_amount": 0.5}}, "scenePath"),
    ("setup_environment", {"environmentPath": "a.tres", "tonemapMode": "film"}, "filmic"),
    ("setup_environment", {"scenePath": "deep.tscn", "backgroundMode": "skie"}, "sky"),
    ("lighting_preset", {"scenePath": "flat.tscn", "lightingPreset": "basic_2d"}, "'Air'"),
    (
        "lighting_preset",
        {"scenePath": "deep.tscn", "includeWorldEnvironment": False, "includeDirectionalLight": False},
        "nothing to add",
    ),
    ("setup_lightmapper", {"scenePath": "deep.tscn", "createNode": False}, "createNode"),
]


@pytest.fixture
def game(project: Path) -> Path:
    return make_project(project, FILES)


def contents(folder: Path) -> dict[str, bytes]:
    ours = (".scenewright", ".godot_mcp")
    files = [path for path in folder.rglob("*") if path.is_file() and path.relative_to(folder).parts[0] not in ours]
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in files}


async def said(caller: Caller, tool: str, arguments: dict[str, Any]) -> dict[str, Any]:
    structured = (await caller.reply(tool, arguments, meta={"approved": True})).structured
    assert structured is not None
    return structured


@pytest.mark.parametrize(("tool", "arguments", "words"), REFUSED)
async def test_what_cannot_be_is_refused_and_changes_nothing(
    make_caller: MakeCaller, game: Path, tool: str, arguments: dict[str, Any], words: str
) -> None:
    before = contents(game)
    reply = await said(make_caller(), tool, arguments)
    assert reply["ok"] is False
    assert words in str(reply)
    assert contents(game) == before


async def test_a_bus_that_is_not_there_is_pointed_at(make_caller: MakeCaller, game: Path) -> None:
    player = {"scenePath": "flat.tscn", "nodeName": "A", "bus": "Voices"}
    warnings = (await said(make_caller(), "setup_audio_player", player))["warnings"]
    assert any("create_audio_bus" in warning for warning in warnings)


async def test_a_shape_outside_of_a_body_is_pointed_at(make_caller: MakeCaller, game: Path) -> None:
    shape = {"scenePath": "flat.tscn", "parentNodePath": ".", "shapeType": "circle"}
    warnings = (await said(make_caller(), "create_collision_shape", shape))["warnings"]
    assert any("CollisionObject2D" in warning for warning in warnings)


async def test_buses_are_listed_with_their_effects(make_caller: MakeCaller, game: Path) -> None:
    caller = make_caller()
    await said(caller, "add_audio_effect", {"busName": "Drums", "effectType": "eq6"})
    found = (await said(caller, "list_audio_buses", {}))["result"]
    assert found["layoutPath"] == "res://default_bus_layout.tres"
    assert [(bus["name"], bus["index"], bus.get("send", "")) for bus in found["buses"]] == [
        ("Master", 0, ""),
        ("Music", 1, "Master"),
        ("Drums", 2, "Music"),
    ]
    assert found["buses"][2]["effects"] == [{"type": "AudioEffectEQ6", "enabled": True}]
    only = (await said(caller, "list_audio_buses", {"busName": "Music"}))["result"]["buses"]
    assert [bus["name"] for bus in only] == ["Music"]


async def test_what_another_version_wrote_into_a_layout_stays(make_caller: MakeCaller, game: Path) -> None:
    odd = 'bus/1/colour = "red"\nbus/1/volume_db = "loud"\nbus/1/effects = 3\nbus/1/effect/0/dry = 0.5\n'
    file = game / "default_bus_layout.tres"
    file.write_text(file.read_text() + odd)
    assert (await said(make_caller(), "create_audio_bus", {"busName": "Voices"}))["ok"]
    after = file.read_text()
    assert 'bus/3/name = &"Voices"' in after
    assert all(line in after.splitlines() for line in odd.splitlines())
    file.write_text(after + "bus/99999999/mute = true\n")
    assert "99999999" in (await said(make_caller(), "create_audio_bus", {"busName": "More"}))["error"]["message"]


async def test_a_layout_of_the_projects_own_is_the_one_that_changes(make_caller: MakeCaller, game: Path) -> None:
    with (game / "project.godot").open("a") as file:
        file.write('\n[audio]\n\nbuses/default_bus_layout="res://mix/own.tres"\n')
    reply = await said(make_caller(), "create_audio_bus", {"busName": "Voices"})
    assert reply["result"]["layoutPath"] == "res://mix/own.tres"
    assert 'bus/1/name = &"Voices"' in (game / "mix/own.tres").read_text()
    assert (game / "default_bus_layout.tres").read_text() == FILES["default_bus_layout.tres"]


async def test_a_material_in_a_file_that_others_use_is_pointed_at(make_caller: MakeCaller, game: Path) -> None:
    caller = make_caller()
    await said(caller, "create_shader_material", {"shaderPath": "look.gdshader", "materialPath": "look.tres", **MESH})
    refusal = (await caller.reply("set_shader_param", {**MESH, "param": "speed", "value": "fast"})).structured
    assert refusal is not None
    assert "takes a float" in refusal["error"]["message"]
    assert refusal["error"]["details"]["got"] == '"fast"'
    reply = await said(caller, "set_shader_param", {**MESH, "param": "speed", "value": 2})
    assert reply["result"]["properties"] == {"speed": 2.0}
    assert any("res://look.tres" in warning for warning in reply["warnings"])
    assert "shader_parameter/speed = 2.0" in (game / "look.tres").read_text()


PLACED: list[tuple[str, dict[str, Any]]] = [
    ("create_gpu_particles", {"nodeName": "New"}),
    ("create_particle_effect", {"nodeName": "New"}),
    ("create_light", {"nodeName": "New", "lightType": "omni_3d"}),
    ("setup_audio_player", {"nodeName": "New"}),
    ("create_navigation_region", {"nodeName": "New"}),
    ("create_collision_shape", {"nodeName": "New", "shapeType": "box"}),
]


@pytest.mark.parametrize(("tool", "arguments"), PLACED)
async def test_a_node_goes_where_it_is_told_to(
    make_caller: MakeCaller, game: Path, tool: str, arguments: dict[str, Any]
) -> None:
    reply = await said(make_caller(), tool, {"scenePath": "deep.tscn", "parentNodePath": "Body", **arguments})
    assert reply["result"]["nodePath"] == "Body/New"
    assert 'name="New" type="' in (game / "deep.tscn").read_text()


async def test_a_second_light_is_numbered_or_refused(make_caller: MakeCaller, game: Path) -> None:
    caller, light = make_caller(), {"scenePath": "deep.tscn", "includeWorldEnvironment": False}
    assert (await said(caller, "lighting_preset", light))["result"]["nodes"] == ["DirectionalLight3D"]
    assert (await said(caller, "lighting_preset", light))["result"]["nodes"] == ["DirectionalLight3D2"]
    before = contents(game)
    assert (await said(caller, "lighting_preset", {**light, "ensureUniqueName": False}))["ok"] is False
    assert contents(game) == before


async def test_a_layer_loses_its_name(make_caller: MakeCaller, game: Path) -> None:
    caller = make_caller()
    named = {"dimension": "2d", "layers": [{"layer": 1, "name": "a"}, {"layer": 2, "name": "b"}]}
    assert (await said(caller, "configure_physics_layers", named))["result"]["layers"] == {"1": "a", "2": "b"}
    unnamed = {"dimension": "2d", "layers": [{"layer": 1, "name": ""}]}
    assert (await said(caller, "configure_physics_layers", unnamed))["result"]["layers"] == {"2": "b"}
    assert "layer_1" not in (game / "project.godot").read_text()


@pytest.mark.parametrize("name", ["gravity_scale", "gravityScale"])
async def test_parameters_are_taken_in_either_spelling(make_caller: MakeCaller, game: Path, name: str) -> None:
    reply = await said(make_caller(), "setup_rigidbody", {"scenePath": "flat.tscn", "nodePath": "Ball", name: 2})
    assert reply["result"]["properties"] == {"gravity_scale": 2.0}


@pytest.mark.parametrize(
    ("tool", "arguments", "made"),
    [
        ("create_navigation_region", {"nodeName": "Way", "is3D": True}, "NavigationRegion3D"),
        ("create_gpu_particles", {"nodeName": "Fire", "is3D": True}, "GPUParticles3D"),
        ("create_particle_effect", {"preset": "fire", "is3d": True}, "GPUParticles3D"),
    ],
)
async def test_what_stands_in_no_space_is_made_for_the_one_that_is_named(
    project: Path, caller: Caller, tool: str, arguments: dict[str, Any], made: str
) -> None:
    make_project(project, {"plain.tscn": '[gd_scene format=3]\n\n[node name="Plain" type="Node"]\n'})
    outcome = await caller.run(tool, {"scenePath": "plain.tscn", **arguments})
    assert outcome.ok, outcome.fault
    assert f'type="{made}" parent="."' in (project / "plain.tscn").read_text()


@pytest.mark.parametrize("mood", ["overcast", "sunset", "night"])
async def test_a_sky_is_seen_through_the_fog(project: Path, caller: Caller, mood: str) -> None:
    """Fog covers all of a sky, which is endlessly far away, unless it is told not to."""
    make_project(project, {"deep.tscn": DEEP})
    assert (await caller.run("lighting_preset", {"scenePath": "deep.tscn", "lightingPreset": mood})).ok
    text = (project / "deep.tscn").read_text()
    assert "fog_enabled = true" in text
    assert "fog_sky_affect = 0.3" in text


async def test_rain_falls_in_streaks(project: Path, caller: Caller) -> None:
    make_project(project, {"deep.tscn": DEEP})
    assert (await caller.run("create_particle_effect", {"scenePath": "deep.tscn", "preset": "rain"})).ok
    assert "size = Vector2(0.03, 0.45)" in (project / "deep.tscn").read_text()
