"""Particles: what a 2D and a 3D emitter need to be seen, and effects by name, in metres; 2D is a hundred times that."""

from __future__ import annotations

from typing import Any

import msgspec

from scenewright.godot.rendering.ramps import color_ramp, curve, glow
from scenewright.godot.scenes.node_resources import inline

__all__ = ["EFFECTS", "EffectPreset", "drawn_mesh", "effect_material", "effect_node", "flat"]

PIXELS = 100.0  # of a metre


class EffectPreset(msgspec.Struct, frozen=True, kw_only=True):
    """An effect in metres and seconds, with y upwards."""

    amount: int
    lifetime: float
    motion: dict[str, Any]  # lengths and speeds
    gravity: tuple[float, float, float]
    colors: tuple[Any, ...]
    growth: tuple[float, ...]
    size: float
    plain: dict[str, Any] = {}  # what has no length
    node: dict[str, Any] = {}
    bright: bool = False  # adds up to white, as fire does
    one_shot: bool = False
    drawn_out: float = 1.0  # how many times as high as wide, in 3D


EFFECTS: dict[str, EffectPreset] = {
    "fire": EffectPreset(
        amount=48,
        lifetime=1.0,
        gravity=(0, 1.5, 0),
        size=0.5,
        bright=True,
        motion={"emission_sphere_radius": 0.2, "initial_velocity_min": 0.6, "initial_velocity_max": 1.2},
        plain={
            "emission_shape": "EMISSION_SHAPE_SPHERE",
            "direction": [0, 1, 0],
            "spread": 15.0,
            "angle_min": -180.0,
            "angle_max": 180.0,
            "angular_velocity_min": -60.0,
            "angular_velocity_max": 60.0,
        },
        colors=([0.0, "#fff2a0"], [0.35, "#ff9a1fe0"], [0.75, "#c2280a90"], [1.0, "#30100000"]),
        growth=(0.6, 1.0, 0.2),
    ),
    "smoke": EffectPreset(
        amount=32,
        lifetime=3.0,
        gravity=(0, 0.3, 0),
        size=0.8,
        motion={"emission_sphere_radius": 0.2, "initial_velocity_min": 0.3, "initial_velocity_max": 0.7},
        plain={
            "emission_shape": "EMISSION_SHAPE_SPHERE",
            "direction": [0, 1, 0],
            "spread": 20.0,
            "angle_min": -180.0,
            "angle_max": 180.0,
            "angular_velocity_min": -20.0,
            "angular_velocity_max": 20.0,
            "turbulence_enabled": True,
            "turbulence_noise_strength": 0.4,
        },
        colors=([0.0, "#80808000"], [0.15, "#808080a0"], [1.0, "#40404000"]),
        growth=(0.4, 1.0, 1.6),
    ),
    "rain": EffectPreset(
        amount=600,
        lifetime=1.2,
        gravity=(0, -9.8, 0),
        size=0.03,
        drawn_out=15.0,
        motion={"emission_box_extents": (6.0, 0.1, 6.0), "initial_velocity_min": 8.0, "initial_velocity_max": 10.0},
        plain={"emission_shape": "EMISSION_SHAPE_BOX", "direction": [0, -1, 0], "spread": 2.0},
        colors=("#a8c8ffb0", "#a8c8ff60"),
        growth=(1.0, 1.0),
        node={"preprocess": 1.2},
    ),
    "snow": EffectPreset(
        amount=300,
        lifetime=6.0,
        gravity=(0, -0.3, 0),
        size=0.08,
        motion={"emission_box_extents": (6.0, 0.1, 6.0), "initial_velocity_min": 0.4, "initial_velocity_max": 0.9},
        plain={
            "emission_shape": "EMISSION_SHAPE_BOX",
            "direction": [0, -1, 0],
            "spread": 20.0,
            "turbulence_enabled": True,
            "turbulence_noise_strength": 0.3,
        },
        colors=([0.0, "#ffffff00"], [0.1, "white"], [0.9, "white"], [1.0, "#ffffff00"]),
        growth=(1.0, 1.0),
        node={"preprocess": 6.0},
    ),
    "explosion": EffectPreset(
        amount=80,
        lifetime=0.9,
        gravity=(0, -1.0, 0),
        size=0.7,
        bright=True,
        one_shot=True,
        motion={"emission_sphere_radius": 0.1, "initial_velocity_min": 2.0, "initial_velocity_max": 6.0},
        plain={
            "emission_shape": "EMISSION_SHAPE_SPHERE",
            "direction": [0, 1, 0],
            "spread": 180.0,
            "damping_min": 4.0,
            "damping_max": 8.0,
            "angle_min": -180.0,
            "angle_max": 180.0,
        },
        colors=([0.0, "white"], [0.15, "#ffe08a"], [0.5, "#ff6a10c0"], [1.0, "#20100800"]),
        growth=(0.5, 1.0, 0.0),
        node={"explosiveness": 0.95},
    ),
    "sparks": EffectPreset(
        amount=40,
        lifetime=0.8,
        gravity=(0, -9.8, 0),
        size=0.06,
        bright=True,
        motion={"initial_velocity_min": 3.0, "initial_velocity_max": 6.0},
        plain={"direction": [0, 1, 0], "spread": 45.0},
        colors=([0.0, "#fff6c0"], [0.6, "#ffb030"], [1.0, "#ff400000"]),
        growth=(1.0, 0.2),
        node={"explosiveness": 0.3, "randomness": 0.5},
    ),
    "magic": EffectPreset(
        amount=60,
        lifetime=1.6,
        gravity=(0, 0.4, 0),
        size=0.15,
        bright=True,
        motion={
            "emission_ring_radius": 0.6,
            "emission_ring_inner_radius": 0.5,
            "emission_ring_height": 0.1,
            "initial_velocity_min": 0.2,
            "initial_velocity_max": 0.5,
        },
        plain={
            "emission_shape": "EMISSION_SHAPE_RING",
            "emission_ring_axis": [0, 1, 0],
            "direction": [0, 1, 0],
            "spread": 30.0,
            "orbit_velocity_min": 0.1,
            "orbit_velocity_max": 0.3,
            "hue_variation_min": -0.1,
            "hue_variation_max": 0.1,
        },
        colors=([0.0, "#b060ff00"], [0.2, "#b060ff"], [0.7, "#60c0ff"], [1.0, "#ffffff00"]),
        growth=(0.2, 1.0, 0.0),
    ),
}


def flat(props: dict[str, Any]) -> dict[str, Any]:
    """Return values of a 2D process material; the engine sets these two when a 2D emitter takes a new one."""
    return {"particle_flag_disable_z": True, "gravity": [0, 98, 0], **props}


def effect_material(name: str, *, three: bool) -> dict[str, Any]:
    """Return the process material of an effect."""
    preset = EFFECTS[name]
    factor = 1.0 if three else PIXELS
    props = {key: _scale(value, factor) for key, value in preset.motion.items()}
    props |= preset.plain
    props["gravity"] = [preset.gravity[0] * factor, preset.gravity[1] * (factor if three else -factor), 0.0]
    if not three:
        # Y points down there, and a ring lies in the plane.
        props["direction"] = [props["direction"][0], -props["direction"][1], 0]
        props |= {"emission_ring_axis": [0, 0, 1]} if "emission_ring_axis" in props else {}
        props = flat(props)
    elif "orbit_velocity_min" in props:  # the engine has it for flat particles only
        props = {key: value for key, value in props.items() if not key.startswith("orbit_")}
    props |= {
        "color_ramp": color_ramp(list(preset.colors), "preset"),
        "scale_curve": curve(list(preset.growth), "preset"),
    }
    if not three:
        props |= {"scale_min": preset.size * PIXELS / _SPOT, "scale_max": preset.size * PIXELS / _SPOT}
    return props


_SPOT = 64  # pixels of the spot that 2D particles are drawn with


def effect_node(name: str, *, three: bool) -> dict[str, Any]:
    """Return the other values of an effect's emitter: how many particles, how long, how they are drawn."""
    preset = EFFECTS[name]
    values: dict[str, Any] = {"amount": preset.amount, "lifetime": preset.lifetime, **preset.node}
    if preset.one_shot:
        values["one_shot"] = True
    if three:
        return values | {"draw_pass_1": drawn_mesh(preset.size, preset.drawn_out, bright=preset.bright)}
    values["texture"] = spot()
    values["visibility_rect"] = [-800, -800, 1600, 1600]
    if preset.bright:
        values["material"] = inline("CanvasItemMaterial", {"blend_mode": "BLEND_MODE_ADD"})
    return values


def spot() -> dict[str, Any]:
    """A round white spot with soft edges."""
    soft = inline("Gradient", {"offsets": [0.0, 1.0], "colors": [[1, 1, 1, 1], [1, 1, 1, 0]]})
    texture = glow(_SPOT)
    texture["props"]["gradient"] = soft
    return texture


def drawn_mesh(
    size: float, drawn_out: float = 1.0, *, bright: bool = False, texture: str | None = None
) -> dict[str, Any]:
    """Return a quad that faces the camera and shows the particle's colour; without one, 3D shows nothing."""
    facing = "BILLBOARD_PARTICLES" if drawn_out == 1.0 else "BILLBOARD_FIXED_Y"  # a streak stays upright
    look: dict[str, Any] = {
        "transparency": "TRANSPARENCY_ALPHA",
        "shading_mode": "SHADING_MODE_UNSHADED",
        "vertex_color_use_as_albedo": True,
        "billboard_mode": facing,
        "billboard_keep_scale": True,
        "albedo_texture": texture or spot(),
    }
    if bright:
        look["blend_mode"] = "BLEND_MODE_ADD"
    return inline("QuadMesh", {"material": inline("StandardMaterial3D", look), "size": [size, size * drawn_out]})


def _scale(value: Any, factor: float) -> Any:
    return [part * factor for part in value] if isinstance(value, tuple) else value * factor
