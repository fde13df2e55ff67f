"""Physics, audio, shaders, particles and light: the real engine has every parameter as it was asked for."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import anyio
import pytest
from tests.godot.catalogue.test_every_write_in_the_engine import ENGINE
from tests.godot.catalogue.writes.model import Case
from tests.support.gdscript_runner import Reply, make_project, run_jobs

from scenewright.app import make_runtime
from scenewright.core.calls.call import Request
from scenewright.core.config import Config
from scenewright.godot.audio.bus_layout import EFFECTS
from scenewright.godot.rendering.lighting_presets import MOODS
from scenewright.godot.rendering.particle_presets import EFFECTS as PARTICLES

FLAT = """[gd_scene format=3]

[ext_resource type="Texture2D" path="res://~/face.tres" id="1_face"]

[node name="Flat" type="Node2D"]

[node name="Body" type="StaticBody2D" parent="."]

[node name="Face" type="Sprite2D" parent="Body"]
position = Vector2(5, 6)
scale = Vector2(2, 1)
texture = ExtResource("1_face")
hframes = 2

[node name="Ball" type="RigidBody2D" parent="."]
freeze = true

[node name="Plain" type="Node" parent="."]
"""
DEEP = """[gd_scene format=3]

[sub_resource type="CapsuleMesh" id="CapsuleMesh_a"]
radius = 0.25
height = 3.0

[node name="Deep" type="Node3D"]

[node name="Body" type="CharacterBody3D" parent="."]

[node name="Mesh" type="MeshInstance3D" parent="Body"]
transform = Transform3D(2, 0, 0, 0, 2, 0, 0, 0, 2, 0, 1, 0)
mesh = SubResource("CapsuleMesh_a")

[node name="Ball" type="RigidBody3D" parent="."]
"""


# Made by the engine itself, so that no import is needed to load it.
FACE = '[gd_resource type="PlaceholderTexture2D" format=3]\n\n[resource]\nsize = Vector2(16, 10)\n'
CODE = """shader_type spatial;
#include "more.gdshaderinc"
uniform float speed : hint_range(0.0, 9.0) = 1.0; // uniform float hidden;
uniform vec4 tint : source_color;
uniform vec3 way;
uniform bool on;
uniform int count;
uniform ivec2 cell;
uniform mat4 view;
uniform vec2 spots[2];
uniform vec4 inks[2] : source_color;
uniform float weights[3];
uniform sampler2D face : source_color;
uniform sampler2D screen : hint_screen_texture;
instance uniform vec4 mine : source_color = vec4(1.0);
"""
FILES: dict[str, str] = {
    "flat.tscn": FLAT,
    "deep.tscn": DEEP,
    "face.tres": FACE,
    "look.gdshader": CODE,
    "more.gdshaderinc": "uniform float extra;\n",
}


def flat(tool: str, arguments: dict[str, Any], asked: dict[str, Any], *before: tuple[str, dict[str, Any]]) -> Case:
    return _case("flat", tool, arguments, asked, before)


def deep(tool: str, arguments: dict[str, Any], asked: dict[str, Any], *before: tuple[str, dict[str, Any]]) -> Case:
    return _case("deep", tool, arguments, asked, before)


def _case(scene: str, tool: str, arguments: dict[str, Any], asked: dict[str, Any], before: Any) -> Case:
    """What is asked is by node and property: `Body/Shape shape:size`."""
    where = f"~/{scene}.tscn"
    words = [(name.partition(" "), value) for name, value in asked.items()]
    found = {f"inside('{where}', '{node}', '{name}')": value for (node, space, name), value in words if space}
    found |= {name.replace("SCENE", f"'{where}'"): value for (name, space, _), value in words if not space}
    return Case((*before, (tool, {"scenePath": where, **arguments})), found)


def shape(kind: str, params: dict[str, Any] | None, **more: Any) -> dict[str, Any]:
    return {
        "parentNodePath": "Body",
        "shapeType": kind,
        "nodeName": "S",
        **({"shapeParams": params} if params else {}),
        **more,
    }


def klass(path: str, kind: str) -> dict[str, Any]:
    return {f"kind(SCENE,'{path}')": kind}


TRIANGLE = [[0, 0], [8, 0], [0, 8]]
SHAPES_2D: list[tuple[str, dict[str, Any], dict[str, Any]]] = [
    ("rectangle", {"sizeX": 8}, {"Body/S shape:size": "Vector2(8, 8)"}),
    ("box", {"size": [4, 3]}, {"Body/S shape:size": "Vector2(4, 3)"}),
    ("circle", {"radius": 7}, {"Body/S shape:radius": "7.0"}),
    ("capsule", {"radius": 20}, {"Body/S shape:radius": "20.0", "Body/S shape:height": "40.0"}),
    ("capsule", {"height": 12}, {"Body/S shape:radius": "6.0", "Body/S shape:height": "12.0"}),
    ("convex", {"points": TRIANGLE}, {"Body/S shape:points": "PackedVector2Array(0, 0, 8, 0, 0, 8)"}),
    (
        "concave",
        {"points": TRIANGLE},
        {"Body/S shape:segments": "PackedVector2Array(0, 0, 8, 0, 8, 0, 0, 8, 0, 8, 0, 0)"},
    ),
    ("polygon", {"points": TRIANGLE}, {"Body/S polygon": "PackedVector2Array(0, 0, 8, 0, 0, 8)"}),
    ("segment", {"a": [1, 2], "b": [3, 4]}, {"Body/S shape:a": "Vector2(1, 2)", "Body/S shape:b": "Vector2(3, 4)"}),
    ("separation_ray", {"length": 9}, {"Body/S shape:length": "9.0"}),
    ("world_boundary", {"distance": 5}, {"Body/S shape:distance": "5.0"}),
]
FACES = [[0, 0, 0], [1, 0, 0], [0, 0, 1]]
SHAPES_3D: list[tuple[str, dict[str, Any], dict[str, Any]]] = [
    ("box", {"sizeX": 1, "sizeY": 2, "sizeZ": 3}, {"Body/S shape:size": "Vector3(1, 2, 3)"}),
    ("sphere", {"radius": 2}, {"Body/S shape:radius": "2.0"}),
    ("capsule", {"radius": 0.25, "height": 1}, {"Body/S shape:radius": "0.25", "Body/S shape:height": "1.0"}),
    ("cylinder", {"radius": 2, "height": 3}, {"Body/S shape:radius": "2.0", "Body/S shape:height": "3.0"}),
    ("convex", {"points": FACES}, {"Body/S shape:points": "PackedVector3Array(0, 0, 0, 1, 0, 0, 0, 0, 1)"}),
    ("concave", {"points": FACES}, {"Body/S shape:data": "PackedVector3Array(0, 0, 0, 1, 0, 0, 0, 0, 1)"}),
    ("polygon", {"points": TRIANGLE, "depth": 2}, {"Body/S depth": "2.0"}),
    ("separation_ray", {"length": 3}, {"Body/S shape:length": "3.0"}),
    ("world_boundary", {}, klass("Body/S", "CollisionShape3D")),
    ("heightmap", {"map_width": 3}, {"Body/S shape:map_width": "3"}),
]
RIGID = {
    "mass": 2.5,
    "gravityScale": 0.5,
    "linearDamp": 0.1,
    "angularDamp": 0.2,
    "bodyType": "dynamic",
    "physicsMaterial": {"friction": 0.3, "rough": True, "absorbent": True, "bounce": 0.9},
    "properties": {"contact_monitor": True, "max_contacts_reported": 4, "continuous_cd": "CCD_MODE_CAST_RAY"},
}
RIGID_ASKED = {
    "Ball mass": "2.5",
    "Ball gravity_scale": "0.5",
    "Ball linear_damp": "0.1",
    "Ball angular_damp": "0.2",
    "Ball freeze": "false",
    "Ball physics_material_override:friction": "0.3",
    "Ball max_contacts_reported": "4",
    "Ball physics_material_override:rough": "true",
    "Ball physics_material_override:bounce": "0.9",
    "Ball physics_material_override:absorbent": "true",
    "Ball contact_monitor": "true",
    "Ball continuous_cd": "1",
}
MATERIAL = {"scenePath": "~/deep.tscn", "shaderPath": "~/look.gdshader", "nodePath": "Body/Mesh"}
VALUES = {
    "speed": 2,
    "tint": "#ff0000",
    "way": [1, 2, 3],
    "on": True,
    "count": 4,
    "cell": [5, 6],
    "spots": [[1, 2], [3, 4]],
    "inks": ["red", "blue"],
    "weights": [1, 2, 3],
    "face": "~/face.tres",
    "extra": 0.5,
}
VALUES_ASKED = {
    "speed": "2.0",
    "tint": "Color(1, 0, 0, 1)",
    "way": "Vector3(1, 2, 3)",
    "on": "true",
    "count": "4",
    "cell": "Vector2i(5, 6)",
    "spots": "PackedVector2Array(1, 2, 3, 4)",
    "weights": "PackedFloat32Array(1, 2, 3)",
    "inks": "PackedColorArray(1, 0, 0, 1, 0, 0, 1, 1)",
    "extra": "0.5",
    "face:size": "Vector2(16, 10)",
}
PROCESS = {
    "emissionShape": "ring",
    "direction": [0, 1, 0],
    "spread": 12,
    "gravity": [0, -5, 0],
    "initialVelocityMin": 2,
    "initialVelocityMax": 3,
    "angularVelocityMin": -4,
    "angularVelocityMax": 5,
    "scaleMin": 0.5,
    "scaleMax": 0.75,
    "color": {"r": 1, "g": 0, "b": 0},
    "colorRamp": [[0, "red"], [0.25, "#00ff0080"], [1, "blue"]],
    "scaleCurve": [0, 2, 0.5],
    "properties": {"damping_max": 3},
    "is3D": True,
}
PROCESS_ASKED = {
    "emission_shape": 6,
    "direction": "(0.0, 1.0, 0.0)",
    "spread": 12.0,
    "gravity": "(0.0, -5.0, 0.0)",
    "initial_velocity_min": 2.0,
    "initial_velocity_max": 3.0,
    "angular_velocity_min": -4.0,
    "angular_velocity_max": 5.0,
    "scale_min": 0.5,
    "scale_max": 0.75,
    "color": "(1.0, 0.0, 0.0, 1.0)",
    "damping_max": 3.0,
    "particle_flag_disable_z": False,
}
ENVIRONMENT = {
    "backgroundMode": "sky",
    "backgroundColor": "#ff0000",
    "sky": {"sky_curve": 0.5},
    "ambientLightColor": [0, 1, 0],
    "ambientLightEnergy": 0.5,
    "tonemapMode": "aces",
    "glowEnabled": True,
    "glowIntensity": 0.7,
    "fogEnabled": True,
    "fogDensity": 0.02,
    "fogColor": "blue",
    "ssaoEnabled": True,
    "ssrEnabled": True,
    "sdfgiEnabled": True,
    "properties": {"adjustment_saturation": 1.5},
    "cameraAttributes": {"auto_exposure_enabled": True},
}
ENVIRONMENT_ASKED = {
    "background_mode": "2",
    "background_color": "Color(1, 0, 0, 1)",
    "sky:sky_material:sky_curve": "0.5",
    "ambient_light_source": "2",
    "ambient_light_color": "Color(0, 1, 0, 1)",
    "ambient_light_energy": "0.5",
    "tonemap_mode": "3",
    "glow_enabled": "true",
    "glow_intensity": "0.7",
    "fog_enabled": "true",
    "fog_density": "0.02",
    "fog_light_color": "Color(0, 0, 1, 1)",
    "ssao_enabled": "true",
    "ssr_enabled": "true",
    "sdfgi_enabled": "true",
    "adjustment_saturation": "1.5",
}
LIGHTMAP = {
    "quality": "ultra",
    "bounces": 7,
    "useDenoiser": False,
    "directional": True,
    "interior": True,
    "maxTextureSize": 4096,
    "environmentMode": "custom_color",
    "environmentColor": "red",
    "environmentEnergy": 2,
    "properties": {"texel_scale": 0.5},
}
LIGHTMAP_ASKED = {
    "quality": "3",
    "bounces": "7",
    "use_denoiser": "false",
    "directional": "true",
    "interior": "true",
    "max_texture_size": "4096",
    "environment_mode": "3",
    "environment_custom_color": "Color(1, 0, 0, 1)",
    "environment_custom_energy": "2.0",
    "texel_scale": "0.5",
}


def bus(name: str, **arguments: Any) -> tuple[str, dict[str, Any]]:
    return ("create_audio_bus", {"busName": name, **arguments})


def light(kind: str, arguments: dict[str, Any], asked: dict[str, Any]) -> Case:
    make = flat if kind.endswith("2d") else deep
    return make(
        "create_light",
        {"nodeName": "L", "lightType": kind, **arguments},
        {f"L {name}": value for name, value in asked.items()},
    )


def particles(make: Any, arguments: dict[str, Any], asked: dict[str, Any]) -> Case:
    found: Case = make(
        "create_gpu_particles", {"nodeName": "P", **arguments}, {f"P {name}": value for name, value in asked.items()}
    )
    return found


CASES: dict[str, Case] = {
    **{
        f"2D {kind} {'-'.join(params)}": flat("create_collision_shape", shape(kind, params), asked)
        for kind, params, asked in SHAPES_2D
    },
    **{f"3D {kind}": deep("create_collision_shape", shape(kind, params), asked) for kind, params, asked in SHAPES_3D},
    "shape on a node of no side": flat(
        "create_collision_shape",
        {"parentNodePath": "Plain", "shapeType": "box", "is3D": True},
        klass("Plain/CollisionShape3D", "CollisionShape3D"),
    ),
    "shape with properties": flat(
        "create_collision_shape", shape("circle", None, properties={"disabled": True}), {"Body/S disabled": "true"}
    ),
    "shape as a sprite": flat(
        "create_collision_shape",
        shape("rectangle", None, fit="Body/Face"),
        {"Body/S shape:size": "Vector2(16, 10)", "Body/S position": "Vector2(5, 6)"},
    ),
    "shape as a mesh": deep(
        "create_collision_shape",
        shape("capsule", None, fit="Body/Mesh"),
        {"Body/S shape:radius": "0.5", "Body/S shape:height": "6.0", "Body/S position": "Vector3(0, 1, 0)"},
    ),
    "body in 2D": flat("setup_rigidbody", {"nodePath": "Ball", **RIGID}, RIGID_ASKED),
    "body in 3D": deep(
        "setup_rigidbody",
        {
            "nodePath": "Ball",
            **RIGID,
            "properties": {"continuous_cd": True, "contact_monitor": True, "max_contacts_reported": 4},
        },
        {**RIGID_ASKED, "Ball continuous_cd": "true"},
    ),
    "body that is new": flat(
        "setup_rigidbody",
        {"nodePath": "Plain/Rock", "is3D": True, "bodyType": "kinematic"},
        {**klass("Plain/Rock", "RigidBody3D"), "Plain/Rock freeze": "true", "Plain/Rock freeze_mode": "1"},
    ),
    "body that is static": flat(
        "setup_rigidbody", {"nodePath": "Ball", "bodyType": "static"}, {"Ball freeze": "true", "Ball freeze_mode": "0"}
    ),
    "material on top of another": flat(
        "setup_rigidbody",
        {"nodePath": "Ball", "physicsMaterial": {"friction": 0.5}},
        {"Ball physics_material_override:friction": "0.5", "Ball physics_material_override:bounce": "0.25"},
        ("setup_rigidbody", {"scenePath": "~/flat.tscn", "nodePath": "Ball", "physicsMaterial": {"bounce": 0.25}}),
    ),
    "layers by name": flat(
        "set_collision_layer",
        {"nodePath": "Body", "collisionLayer": ["~", "Layer 1"], "collisionMaskBits": ["~", 3]},
        {"Body collision_layer": "1025", "Body collision_mask": "1028"},
        ("configure_physics_layers", {"dimension": "2d", "layers": [{"layer": 11, "name": "~"}]}),
    ),
    "no layers at all": flat(
        "set_collision_layer",
        {"nodePath": "Body", "collisionLayerBits": [], "collisionMask": 0},
        {"Body collision_layer": "0", "Body collision_mask": "0"},
    ),
    "region of a file": flat(
        "create_navigation_region",
        {"nodeName": "R", "navigationMeshPath": "~/nav.tres", "properties": {"travel_cost": 2.0}},
        {"R navigation_polygon:agent_radius": "3.0", "R travel_cost": "2.0"},
        ("bake_navigation_mesh", {"meshPath": "~/nav.tres", "agentRadius": 3}),
    ),
    "region in 3D": deep(
        "create_navigation_region",
        {"nodeName": "R", "parentNodePath": "Body", "is3D": True, "mesh": {"cell_size": 0.5}},
        {"Body/R navigation_mesh:cell_size": "0.5"},
    ),
    "bus with everything": Case(
        (bus("~"), bus("~ b", parentBus="~", volume=-12, solo=True, mute=True, bypass=True)),
        {"bus('~ b')": "-12 ~ true true true []"},
    ),
    "bus at a place": Case((bus("~"), bus("~ b", index=1)), {"bus_place('~ b') < bus_place('~')": True}),
    "bus that changes": Case(
        (
            bus("~"),
            bus("~ b"),
            bus("~ c", parentBus="~ b"),
            (
                "edit_audio_bus",
                {"busName": "~ b", "newName": "~ d", "volume": 3, "solo": True, "bypass": True, "parentBus": "~"},
            ),
        ),
        {"bus('~ d')": "3 ~ true false true []", "bus('~ c')": "0 ~ d false false false []"},
    ),
    "bus that moves": Case(
        (bus("~"), bus("~ b"), ("edit_audio_bus", {"busName": "~ b", "index": 1})), {"bus_place('~ b')": 1}
    ),
    "bus that others sent to": Case(
        (bus("~"), bus("~ b", parentBus="~"), ("remove_audio_bus", {"busName": "~"})),
        {"bus('~ b')": "0 Master false false false []"},
    ),
    "effects in order": Case(
        (
            bus("~"),
            ("add_audio_effect", {"busName": "~", "effectType": "delay"}),
            ("add_audio_effect", {"busName": "~", "effectType": "chorus", "index": 0, "enabled": False}),
            ("add_audio_effect", {"busName": "~", "index": 1, "effectParams": {"dry": 0.5}}),
        ),
        {
            "bus('~')": '0 Master false false false ["AudioEffectChorus off", "AudioEffectDelay on"]',
            "effect('~', 1, 'dry')": "0.5",
        },
    ),
    "effect that is gone": Case(
        (
            bus("~"),
            ("add_audio_effect", {"busName": "~", "effectType": "delay"}),
            ("add_audio_effect", {"busName": "~", "effectType": "reverb"}),
            ("remove_audio_bus", {"busName": "~", "effect": 0}),
        ),
        {"bus('~')": '0 Master false false false ["AudioEffectReverb on"]'},
    ),
    **{
        f"effect {name}": Case(
            (bus("~"), ("add_audio_effect", {"busName": "~", "effectType": name})),
            {"bus('~')": f'0 Master false false false ["{kind}{" on"}"]'},
        )
        for name, kind in EFFECTS.items()
    },
    "player everywhere": flat(
        "setup_audio_player",
        {"nodeName": "A", "bus": "~", "properties": {"pitch_scale": 2}, "streamPath": "~/noise.tres"},
        {"A bus": '&"~"', "A pitch_scale": "2.0", "A stream:mix_rate": "8000.0", **klass("A", "AudioStreamPlayer")},
        bus("~"),
        (
            "create_resource",
            {"resourcePath": "~/noise.tres", "resourceType": "AudioStreamGenerator", "properties": {"mix_rate": 8000}},
        ),
    ),
    "player in 3D": deep(
        "setup_audio_player",
        {"nodeName": "Body", "is3D": True, "ensureUniqueName": True, "parentNodePath": "."},
        klass("Body2", "AudioStreamPlayer3D"),
    ),
    "shader from parts": Case(
        (
            (
                "create_shader",
                {
                    "shaderPath": "~/parts.gdshader",
                    "shaderType": "spatial",
                    "renderMode": ["unshaded"],
                    "uniforms": ["float a = 1.0", "uniform vec2 b;"],
                    "vertexCode": "VERTEX *= a;",
                    "fragmentCode": "ALBEDO = vec3(b, 0.0);",
                    "lightCode": "DIFFUSE_LIGHT = vec3(1.0);",
                },
            ),
        ),
        {
            "uniforms('~/parts.gdshader')": "a float, b Vector2",
            "res('~/parts.gdshader').get_mode()": 0,
            **{
                f"res('~/parts.gdshader').code.contains('{part}')": True
                for part in ("render_mode unshaded", "VERTEX *= a", "ALBEDO = vec3(b", "void light", "DIFFUSE_LIGHT")
            },
        },
    ),
    "shader for particles": Case(
        (
            (
                "create_shader",
                {
                    "shaderPath": "~/p.gdshader",
                    "shaderType": "particles",
                    "uniforms": ["float a"],
                    "startCode": "VELOCITY.x = a;",
                    "processCode": "VELOCITY.y += a;",
                },
            ),
        ),
        {
            "uniforms('~/p.gdshader')": "a float",
            "res('~/p.gdshader').code.contains('void process')": True,
            "res('~/p.gdshader').code.contains('void start')": True,
        },
    ),
    "shader of the sky": Case(
        (
            (
                "create_shader",
                {
                    "shaderPath": "~/s.gdshader",
                    "shaderType": "sky",
                    "uniforms": ["vec3 a : source_color"],
                    "fragmentCode": "COLOR = a;",
                },
            ),
        ),
        {"uniforms('~/s.gdshader')": "a Color"},
    ),
    "shader of fog": Case(
        (
            (
                "create_shader",
                {
                    "shaderPath": "~/f.gdshader",
                    "shaderType": "fog",
                    "uniforms": ["float a"],
                    "fragmentCode": "DENSITY = a;",
                },
            ),
        ),
        {"uniforms('~/f.gdshader')": "a float"},
    ),
    "shader that is replaced": Case(
        (
            (
                "create_shader",
                {
                    "shaderPath": "~/look.gdshader",
                    "overwrite": True,
                    "content": "shader_type canvas_item;\nuniform float only;\n",
                },
            ),
        ),
        {"uniforms('~/look.gdshader')": "only float"},
    ),
    "material with every type": Case(
        (("create_shader_material", {**MATERIAL, "parameters": VALUES}),),
        {
            f"inside('~/deep.tscn', 'Body/Mesh', 'material_override:shader_parameter/{name}')": value
            for name, value in VALUES_ASKED.items()
        },
    ),
    "material of a surface in a file": Case(
        (
            (
                "create_shader_material",
                {**MATERIAL, "materialPath": "~/look.tres", "surfaceIndex": 0, "parameters": {"speed": 3}},
            ),
        ),
        {
            "inside('~/deep.tscn', 'Body/Mesh', 'surface_material_override/0:shader_parameter/speed')": "3.0",
            "res('~/look.tres').get_shader_parameter('speed')": 3.0,
        },
    ),
    "material in another property": Case(
        (
            ("create_shader_material", {**MATERIAL, "materialProperty": "material_overlay"}),
            (
                "set_shader_param",
                {
                    "scenePath": "~/deep.tscn",
                    "nodePath": "Body/Mesh",
                    "param": "way",
                    "value": {"x": 4, "y": 5, "z": 6},
                    "materialProperty": "material_overlay",
                },
            ),
        ),
        {"inside('~/deep.tscn', 'Body/Mesh', 'material_overlay:shader_parameter/way')": "Vector3(4, 5, 6)"},
    ),
    "material that is replaced": Case(
        (
            ("create_shader_material", {"shaderPath": "~/look.gdshader", "materialPath": "~/look.tres"}),
            (
                "create_shader_material",
                {
                    "shaderPath": "~/look.gdshader",
                    "materialPath": "~/look.tres",
                    "overwrite": True,
                    "parameters": {"count": 9},
                },
            ),
        ),
        {"res('~/look.tres').get_shader_parameter('count')": 9},
    ),
    "parameter of a surface": Case(
        (
            ("create_shader_material", MATERIAL),
            ("create_shader_material", {**MATERIAL, "surfaceIndex": 0}),
            (
                "set_shader_param",
                {"scenePath": "~/deep.tscn", "nodePath": "Body/Mesh", "param": "on", "value": True, "surfaceIndex": 0},
            ),
        ),
        {"inside('~/deep.tscn', 'Body/Mesh', 'surface_material_override/0:shader_parameter/on')": "true"},
    ),
    "parameter of one instance": Case(
        (
            ("create_shader_material", MATERIAL),
            (
                "set_shader_param",
                {"scenePath": "~/deep.tscn", "nodePath": "Body/Mesh", "param": "mine", "value": "red"},
            ),
        ),
        {"inside('~/deep.tscn', 'Body/Mesh', 'instance_shader_parameters/mine')": "Color(1, 0, 0, 1)"},
    ),
    "parameter taken back": Case(
        (
            ("create_shader_material", {**MATERIAL, "parameters": {"speed": 5}}),
            (
                "set_shader_param",
                {"scenePath": "~/deep.tscn", "nodePath": "Body/Mesh", "param": "speed", "value": None},
            ),
        ),
        {"inside('~/deep.tscn', 'Body/Mesh', 'material_override:shader_parameter/speed')": "null"},
    ),
    "particles with everything": particles(
        flat,
        {
            "amount": 33,
            "lifetime": 2.5,
            "oneShot": True,
            "preprocess": 1.5,
            "emitting": False,
            "texturePath": "~/face.tres",
            "properties": {"explosiveness": 0.5},
        },
        {
            "amount": "33",
            "lifetime": "2.5",
            "one_shot": "true",
            "preprocess": "1.5",
            "emitting": "false",
            "texture:size": "Vector2(16, 10)",
            "explosiveness": "0.5",
        },
    ),
    "particles of a file": particles(flat, {"materialPath": "~/fire.tres"}, {"process_material:spread": "15.0"}),
    "particles in 3D": particles(
        deep,
        {"is3D": True, "texturePath": "~/face.tres"},
        {
            "draw_pass_1:material:billboard_mode": "3",
            "draw_pass_1:material:vertex_color_use_as_albedo": "true",
            "draw_pass_1:material:albedo_texture:size": "Vector2(16, 10)",
            "process_material:gravity": "Vector3(0, -9.8, 0)",
        },
    ),
    "particle material": Case(
        (("create_particle_material", {"materialPath": "~/p.tres", **PROCESS}),),
        {
            **{f"res('~/p.tres').{name}": value for name, value in PROCESS_ASKED.items()},
            "res('~/p.tres').color_ramp.gradient.offsets": [0.0, 0.25, 1.0],
            "res('~/p.tres').color_ramp.gradient.colors.size()": 3,
            "res('~/p.tres').scale_curve.curve.point_count": 3,
            "res('~/p.tres').scale_curve.curve.max_value": 2.0,
            "res('~/p.tres').scale_curve.curve.get_point_position(1)": "(0.5, 2.0)",
        },
    ),
    "particle material of a preset": Case(
        (
            ("create_particle_material", {"materialPath": "~/p.tres", "preset": "smoke"}),
            (
                "create_particle_material",
                {"materialPath": "~/p.tres", "preset": "smoke", "spread": 1, "overwrite": True},
            ),
        ),
        {
            "res('~/p.tres').turbulence_enabled": True,
            "res('~/p.tres').spread": 1.0,
            "res('~/p.tres').particle_flag_disable_z": True,
        },
    ),
    "particle material of a preset that starts in another shape": Case(
        (("create_particle_material", {"materialPath": "~/p.tres", "preset": "smoke", "emissionShape": "box"}),),
        {"res('~/p.tres').emission_shape": 3, "'emission_sphere' in text('~/p.tres')": False},
    ),
    **{
        f"effect of {name} in {side}": make(
            "create_particle_effect",
            {"preset": name, "nodeName": "E", "emitting": False, "oneShot": True, "properties": {"speed_scale": 2.0}},
            {
                "E amount": str(PARTICLES[name].amount),
                "E emitting": "false",
                "E one_shot": "true",
                "E speed_scale": "2.0",
                "E process_material:particle_flag_disable_z": str(side == "2D").lower(),
            },
        )
        for name in PARTICLES
        for side, make in (("2D", flat), ("3D", deep))
    },
    "effect of a taken name": flat(
        "create_particle_effect", {"nodeName": "Ball", "is3d": False}, klass("Ball2", "GPUParticles2D")
    ),
    "sun": light(
        "directional_3d",
        {"color": "red", "energy": 2, "shadowEnabled": True},
        {"light_color": "Color(1, 0, 0, 1)", "light_energy": "2.0", "shadow_enabled": "true"},
    ),
    "lamp": light("omni_3d", {"range": 9}, {"omni_range": "9.0"}),
    "spot": light(
        "spot_3d",
        {
            "range": 9,
            "spotAngle": 20,
            "texturePath": "~/face.tres",
            "parentNodePath": ".",
            "properties": {"spot_attenuation": 2},
        },
        {
            "spot_range": "9.0",
            "spot_angle": "20.0",
            "light_projector:size": "Vector2(16, 10)",
            "spot_attenuation": "2.0",
        },
    ),
    "flat sun": light(
        "directional_2d",
        {"color": {"r": 0, "g": 1, "b": 0}, "energy": 0.5, "shadowEnabled": True},
        {"color": "Color(0, 1, 0, 1)", "energy": "0.5", "shadow_enabled": "true"},
    ),
    "flat lamp with a texture": light("point_2d", {"texturePath": "~/face.tres"}, {"texture:size": "Vector2(16, 10)"}),
    "environment of a scene": deep(
        "setup_environment",
        {**ENVIRONMENT, "parentNodePath": "Body"},
        {
            **{f"Body/WorldEnvironment environment:{name}": value for name, value in ENVIRONMENT_ASKED.items()},
            "Body/WorldEnvironment camera_attributes:auto_exposure_enabled": "true",
        },
    ),
    "environment that changes": deep(
        "setup_environment",
        {"fogDensity": 0.5, "cameraAttributes": {"dof_blur_amount": 0.25}},
        {
            "WorldEnvironment camera_attributes:dof_blur_amount": "0.25",
            "WorldEnvironment camera_attributes:auto_exposure_enabled": "true",
            "WorldEnvironment environment:fog_density": "0.5",
            "WorldEnvironment environment:glow_intensity": "0.7",
            "WorldEnvironment environment:sky:sky_material:sky_curve": "0.5",
        },
        ("setup_environment", {"scenePath": "~/deep.tscn", **ENVIRONMENT}),
    ),
    "environment in a file": deep(
        "setup_environment",
        {"environmentPath": "~/air.tres", "tonemapMode": "agx"},
        {
            "WorldEnvironment environment:tonemap_mode": "4",
            "WorldEnvironment environment:background_mode": "1",
            "WorldEnvironment environment:background_color": "Color(0, 0, 1, 1)",
        },
        ("setup_environment", {"environmentPath": "~/air.tres", "backgroundColor": "blue"}),
    ),
    "environment with a plain sky": deep(
        "setup_environment",
        {"backgroundMode": "sky"},
        {"WorldEnvironment environment:sky:sky_material:sky_curve": "0.15"},
    ),
    **{
        f"preset {name}": (flat if mood.flat else deep)(
            "lighting_preset",
            {"lightingPreset": name},
            {
                "WorldEnvironment environment:glow_enabled": str(bool(mood.environment.get("glow_enabled"))).lower(),
                f"DirectionalLight{'2D' if mood.flat else '3D'} visible": "true",
            },
        )
        for name, mood in MOODS.items()
    },
    "preset in part": deep(
        "lighting_preset",
        {"lightingPreset": "night", "includeWorldEnvironment": False, "parentNodePath": "Body"},
        {**klass("Body/DirectionalLight3D", "DirectionalLight3D"), "Body/DirectionalLight3D light_energy": "0.25"},
    ),
    "preset without a light": deep(
        "lighting_preset",
        {"includeDirectionalLight": False},
        {"names(SCENE)": "Deep, Body, Mesh, Ball, WorldEnvironment"},
    ),
    "lightmap": deep(
        "setup_lightmapper", LIGHTMAP, {f"LightmapGI {name}": value for name, value in LIGHTMAP_ASKED.items()}
    ),
    "lightmap that is there": deep(
        "setup_lightmapper",
        {"createNode": False, "bounces": 2, "environmentMode": "disabled"},
        {"LightmapGI bounces": "2", "LightmapGI environment_mode": "0", "LightmapGI quality": "0"},
        ("setup_lightmapper", {"scenePath": "~/deep.tscn", "quality": "low"}),
    ),
}
CASES["particles of a file"] = Case(
    (
        ("create_particle_material", {"materialPath": "~/fire.tres", "preset": "fire"}),
        *CASES["particles of a file"].calls,
    ),
    CASES["particles of a file"].asked,
)
FOLDERS = {name: f"case{number}" for number, name in enumerate(CASES)}


def _placed(value: Any, name: str) -> Any:
    return json.loads(json.dumps(value).replace("~", FOLDERS[name]))


async def _do(project: Path) -> None:
    runtime = make_runtime(Config(project=project, rate_limit=None))
    for name, case in CASES.items():
        for tool, arguments in case.calls:
            request = Request(tool=tool, arguments=_placed(arguments, name), meta={"approved": True})
            outcome = await runtime.run(request)
            assert outcome.ok, (name, tool, outcome.summary)
    runtime.close()


@pytest.fixture(scope="module")
def answers(tmp_path_factory: pytest.TempPathFactory) -> dict[tuple[str, str], Reply]:
    files: dict[str, str | bytes] = {
        f"{folder}/{file}": text.replace("~", folder) for folder in FOLDERS.values() for file, text in FILES.items()
    }
    project = make_project(tmp_path_factory.mktemp("world"), files)
    anyio.run(_do, project)
    jobs = [(name, asked) for name, case in CASES.items() for asked in ("", *case.asked)]
    said = [{"asked": _placed(asked, name)} if asked else {"folder": FOLDERS[name]} for name, asked in jobs]
    return dict(zip(jobs, run_jobs(project, ENGINE, said), strict=True))


@pytest.mark.godot
@pytest.mark.xdist_group("godot-operations")
@pytest.mark.parametrize("name", CASES)
def test_the_engine_has_every_parameter(answers: dict[tuple[str, str], Reply], name: str) -> None:
    assert answers[name, ""].complaints == []
    for asked, wanted in CASES[name].asked.items():
        assert answers[name, asked] == Reply(_placed(wanted, name), []), asked
