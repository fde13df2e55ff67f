"""Physics, navigation, audio, shaders, particles, lights and environments."""

from __future__ import annotations

from typing import Any

from tests.godot.catalogue.writes.model import MAIN, Case, in_main

__all__ = ["CASES"]

TINT = "shader_type canvas_item;\nuniform vec4 tint : source_color = vec4(1.0);\n"
SHADER: tuple[str, dict[str, Any]] = ("create_shader", {"shaderPath": "~/tint.gdshader", "content": TINT})


def inside(path: str, wanted: dict[str, Any]) -> dict[str, Any]:
    """What resources of a node of the main scene must have."""
    return {f"inside('~/main.tscn', '{path}', '{name}')": value for name, value in wanted.items()}


CASES: dict[str, Case] = {
    "create_collision_shape": in_main(
        "create_collision_shape",
        {"parentNodePath": "Goal", "shapeType": "rectangle", "shapeParams": {"sizeX": 8, "sizeY": 6}},
        {
            "kind('~/main.tscn', 'Goal/CollisionShape2D')": "CollisionShape2D",
            **inside("Goal/CollisionShape2D", {"shape:size": "Vector2(8, 6)"}),
        },
    ),
    "setup_rigidbody": in_main(
        "setup_rigidbody",
        {"nodePath": "Ball", "mass": 3, "physicsMaterial": {"bounce": 0.5}},
        inside("Ball", {"mass": "3.0", "physics_material_override:bounce": "0.5"}),
    ),
    "configure_physics_layers": Case(
        (("configure_physics_layers", {"dimension": "3d", "layers": [{"layer": 7, "name": "~"}]}),),
        {"setting('layer_names/3d_physics/layer_7')": '"~"'},
    ),
    "set_collision_layer": in_main(
        "set_collision_layer",
        {"nodePath": "Goal", "collisionLayerBits": [1, 3], "collisionMask": 6},
        inside("Goal", {"collision_layer": "5", "collision_mask": "6"}),
    ),
    "create_navigation_region": in_main(
        "create_navigation_region",
        {"nodeName": "Floor", "outlines": [[[0, 0], [90, 0], [90, 60]]], "mesh": {"agent_radius": 4}},
        inside(
            "Floor",
            {
                "navigation_polygon:agent_radius": "4.0",
                "navigation_polygon:outlines": "Array[PackedVector2Array]([PackedVector2Array(0, 0, 90, 0, 90, 60)])",
            },
        ),
    ),
    "create_audio_bus": Case(
        (("create_audio_bus", {"busName": "~", "volume": -6}),), {"bus('~')": "-6 Master false false false []"}
    ),
    "edit_audio_bus": Case(
        (
            ("create_audio_bus", {"busName": "~ old"}),
            ("edit_audio_bus", {"busName": "~ old", "newName": "~", "mute": True}),
        ),
        {"bus('~')": "0 Master false true false []", "bus('~ old')": "none"},
    ),
    "set_bus_volume": Case(
        (("create_audio_bus", {"busName": "~"}), ("set_bus_volume", {"bus": "~", "volumeDb": -3})),
        {"bus('~')": "-3 Master false false false []"},
    ),
    "remove_audio_bus": Case(
        (("create_audio_bus", {"busName": "~"}), ("remove_audio_bus", {"busName": "~"})), {"bus('~')": "none"}
    ),
    "add_audio_effect": Case(
        (
            ("create_audio_bus", {"busName": "~"}),
            ("add_audio_effect", {"busName": "~", "effectType": "reverb", "effectParams": {"room_size": 0.25}}),
        ),
        {"bus('~')": '0 Master false false false ["AudioEffectReverb on"]', "effect('~', 0, 'room_size')": "0.25"},
    ),
    "setup_audio_player": in_main(
        "setup_audio_player",
        {"nodeName": "Sound", "dimension": "2d", "volumeDb": -4, "autoplay": True},
        {
            "kind('~/main.tscn', 'Sound')": "AudioStreamPlayer2D",
            **inside("Sound", {"volume_db": "-4.0", "autoplay": "true"}),
        },
    ),
    "create_shader": Case((SHADER,), {"uniforms('~/tint.gdshader')": "tint Color"}),
    "create_shader_material": Case(
        (
            SHADER,
            (
                "create_shader_material",
                {**MAIN, "shaderPath": "~/tint.gdshader", "nodePath": "Hero", "parameters": {"tint": "red"}},
            ),
        ),
        inside("Hero", {"material:shader_parameter/tint": "Color(1, 0, 0, 1)"}),
    ),
    "set_shader_param": Case(
        (
            SHADER,
            ("create_shader_material", {**MAIN, "shaderPath": "~/tint.gdshader", "nodePath": "Hero"}),
            ("set_shader_param", {**MAIN, "nodePath": "Hero", "param": "tint", "value": "blue"}),
        ),
        inside("Hero", {"material:shader_parameter/tint": "Color(0, 0, 1, 1)"}),
    ),
    "create_gpu_particles": in_main(
        "create_gpu_particles",
        {"nodeName": "Dust", "amount": 20, "material": {"spread": 90}},
        inside(
            "Dust", {"amount": "20", "process_material:spread": "90.0", "process_material:gravity": "Vector3(0, 98, 0)"}
        ),
    ),
    "create_particle_material": Case(
        (("create_particle_material", {"materialPath": "~/dust.tres", "spread": 30}),),
        {"res('~/dust.tres').spread": 30.0},
    ),
    "create_particle_effect": in_main(
        "create_particle_effect", {"preset": "rain"}, inside("Rain", {"amount": "600", "preprocess": "1.2"})
    ),
    "create_light": in_main(
        "create_light",
        {"nodeName": "Lamp", "lightType": "point_2d", "energy": 2, "range": 256},
        inside("Lamp", {"energy": "2.0", "texture_scale": "2.0", "texture:fill": "1"}),
    ),
    "setup_environment": in_main(
        "setup_environment",
        {"backgroundMode": "canvas", "glowEnabled": True},
        inside("WorldEnvironment", {"environment:background_mode": "3", "environment:glow_enabled": "true"}),
    ),
    "lighting_preset": in_main(
        "lighting_preset",
        {"lightingPreset": "basic_2d"},
        {
            **inside("WorldEnvironment", {"environment:background_mode": "3"}),
            **inside("DirectionalLight2D", {"energy": "0.6"}),
        },
    ),
    "setup_lightmapper": in_main(
        "setup_lightmapper", {"quality": "high", "bounces": 5}, inside("LightmapGI", {"quality": "2", "bounces": "5"})
    ),
}
