"""Lighting by name: what the sky, the air and the sun are like."""

from __future__ import annotations

from typing import Any

import msgspec

from scenewright.godot.scenes.node_resources import inline

__all__ = ["MOODS", "Mood", "environment", "procedural_sky"]


class Mood(msgspec.Struct, frozen=True, kw_only=True):
    """An environment, and the light that goes with it."""

    light: dict[str, Any]
    environment: dict[str, Any] = {}
    sky: dict[str, Any] | None = None
    flat: bool = False
    tint: str | None = None  # of the whole canvas, in 2D


_FILMIC = {"tonemap_mode": "TONE_MAPPER_FILMIC"}
MOODS: dict[str, Mood] = {
    "basic_3d": Mood(
        sky={},
        environment={**_FILMIC, "glow_enabled": True},
        light={"rotation_degrees": [-50, -30, 0], "shadow_enabled": True},
    ),
    "basic_2d": Mood(
        flat=True,
        tint="#b8c0d8",
        environment={"background_mode": "BG_CANVAS", "glow_enabled": True},
        light={"rotation_degrees": 35, "energy": 0.6, "height": 0.3},
    ),
    "sunny": Mood(
        sky={"sky_top_color": "#2f6fd0", "sky_horizon_color": "#a9c8ee", "ground_horizon_color": "#a9c8ee"},
        environment={**_FILMIC, "ambient_light_energy": 1.1, "glow_enabled": True, "ssao_enabled": True},
        light={
            "rotation_degrees": [-55, -40, 0],
            "light_color": "#fff4e0",
            "light_energy": 1.4,
            "shadow_enabled": True,
        },
    ),
    "overcast": Mood(
        sky={
            "sky_top_color": "#8d959e",
            "sky_horizon_color": "#b9bec4",
            "ground_horizon_color": "#a5a9ad",
            "sun_angle_max": 1.0,
        },
        environment={
            **_FILMIC,
            "ambient_light_energy": 0.9,
            "fog_enabled": True,
            "fog_density": 0.004,
            "fog_light_color": "#b0b6bd",
            "fog_sky_affect": 0.3,
        },
        light={
            "rotation_degrees": [-70, -20, 0],
            "light_color": "#dfe6ee",
            "light_energy": 0.5,
            "shadow_enabled": True,
            "shadow_blur": 2.0,
        },
    ),
    "sunset": Mood(
        sky={
            "sky_top_color": "#36365f",
            "sky_horizon_color": "#f28a4b",
            "ground_horizon_color": "#c46a3d",
            "ground_bottom_color": "#2a1d1a",
        },
        environment={
            **_FILMIC,
            "ambient_light_energy": 0.7,
            "glow_enabled": True,
            "glow_bloom": 0.1,
            "fog_enabled": True,
            "fog_density": 0.006,
            "fog_light_color": "#e08a5c",
            "fog_sun_scatter": 0.3,
            "fog_sky_affect": 0.3,
        },
        light={
            "rotation_degrees": [-10, -60, 0],
            "light_color": "#ffa45c",
            "light_energy": 1.1,
            "shadow_enabled": True,
        },
    ),
    "night": Mood(
        sky={
            "sky_top_color": "#05070f",
            "sky_horizon_color": "#101a30",
            "ground_horizon_color": "#0a0f1c",
            "ground_bottom_color": "#020308",
            "sun_angle_max": 2.0,
        },
        environment={
            **_FILMIC,
            "ambient_light_source": "AMBIENT_SOURCE_COLOR",
            "ambient_light_color": "#26345c",
            "ambient_light_energy": 0.5,
            "glow_enabled": True,
            "fog_enabled": True,
            "fog_density": 0.008,
            "fog_light_color": "#0e1730",
            "fog_sky_affect": 0.3,
        },
        light={
            "rotation_degrees": [-40, 60, 0],
            "light_color": "#9fb8ff",
            "light_energy": 0.25,
            "shadow_enabled": True,
        },
    ),
    "indoor": Mood(
        environment={
            **_FILMIC,
            "background_mode": "BG_COLOR",
            "background_color": "#14110e",
            "ambient_light_source": "AMBIENT_SOURCE_COLOR",
            "ambient_light_color": "#fff0dc",
            "ambient_light_energy": 0.35,
            "ssao_enabled": True,
            "glow_enabled": True,
        },
        light={
            "rotation_degrees": [-80, 15, 0],
            "light_color": "#ffe2b8",
            "light_energy": 0.6,
            "shadow_enabled": True,
            "shadow_blur": 1.5,
        },
    ),
}


def procedural_sky(values: dict[str, Any]) -> dict[str, Any]:
    """Return a sky made of colours."""
    return inline("Sky", {"sky_material": inline("ProceduralSkyMaterial", values)})


def environment(mood: Mood) -> dict[str, Any]:
    """Return the environment of a preset."""
    values = dict(mood.environment)
    if mood.sky is not None:
        values = {"background_mode": "BG_SKY", "sky": procedural_sky(mood.sky), **values}
    return values
