"""Baked light: a LightmapGI in a scene, and its bake."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any, Literal

from scenewright.core.calls.call import Call
from scenewright.core.faults import NotFound
from scenewright.core.operations.declaration import Example, Safety, operation
from scenewright.core.operations.model import Inputs, Outputs, about
from scenewright.godot.project.openers import ScenePath, open_edit
from scenewright.godot.scenes.operations.node_properties import Values
from scenewright.godot.scenes.operations.ready_made_node import Color, given

if TYPE_CHECKING:
    from scenewright.godot.scenes.scene_edit import SceneEdit

__all__ = ["OPERATIONS"]

_KIND = "LightmapGI"


class LightmapInputs(Inputs, frozen=True, kw_only=True):
    scene_path: ScenePath
    quality: Annotated[Literal["low", "medium", "high", "ultra"], about("Quality of the bake.")] | None = None
    bounces: Annotated[int, about("How often light bounces.", ge=0, le=16)] | None = None
    use_denoiser: Annotated[bool, about("Denoise the result.")] | None = None
    create_node: Annotated[bool, about("Add a LightmapGI if there is none.")] = True
    bake: Annotated[bool, about("Bake it now.")] = False
    bake_timeout: Annotated[int, about("Milliseconds for the bake.", ge=10_000, le=3_600_000)] = 300_000
    directional: Annotated[bool, about("Store the direction of the light.")] | None = None
    interior: Annotated[bool, about("Ignore the sky's light.")] | None = None
    max_texture_size: Annotated[int, about("Longest side of a texture.", ge=2048, le=16384)] | None = None
    environment_mode: (
        Annotated[Literal["disabled", "scene", "custom_sky", "custom_color"], about("Ambient light.")] | None
    ) = None
    environment_color: Color = None
    environment_energy: Annotated[float, about("Strength of that light.", ge=0)] | None = None
    properties: Values | None = None


class LightmapWritten(Outputs, frozen=True, kw_only=True):
    scene_path: Annotated[str, about("res:// path.")]
    node_path: Annotated[str, about("The LightmapGI.")]
    properties: Annotated[dict[str, Any], about("The values as stored.")] | None = None
    baked: Annotated[str, about("File with the baked light.")] | None = None


@operation(
    id="godot.lightmap.setup",
    name="Set Up Lightmapper",
    category="lighting",
    safety=Safety.SAFE_WRITE,
    needs_project=True,
    tool="setup_lightmapper",
    manager="godot_graphics_manager",
    action="lightmap.setup",
    idempotent=True,
    timeout=3700.0,
    notes="bake needs Godot, Vulkan (software will do) and Xvfb or a screen: an editor bakes a copy of the scene. "
    "Meshes need add_uv2 or an import with UV2; lights are baked by their light_bake_mode.",
    executes="sometimes",
    examples=(
        Example(
            "A good bake",
            {"scenePath": "room.tscn", "quality": "high", "bounces": 4, "bake": True},
            {
                "scenePath": "res://room.tscn",
                "nodePath": "LightmapGI",
                "properties": {"quality": 2, "bounces": 4},
                "baked": "res://room.lmbake",
            },
        ),
    ),
)
def setup_lightmapper(call: Call, inputs: LightmapInputs) -> LightmapWritten:
    """Configures the LightmapGI of a scene for baked light, or adds one, and bakes it in a real editor if asked to."""
    edit = open_edit(call, inputs.scene_path)
    path = _find_or_add_lightmap(edit, create=inputs.create_node)
    values = _lightmap_values(inputs)
    # What was baked before is about to be replaced; a copy without its files could not be opened.
    replaced = ["light_data"] if inputs.bake and edit.node(path).find("light_data") is not None else []
    shown = edit.set(path, values, reset=replaced).values if values or replaced else {}
    edit.save()
    call.summary = f"Set up '{path}'."
    baked = _bake_light(call, edit, path, inputs.bake_timeout / 1000) if inputs.bake else None
    return LightmapWritten(scene_path=edit.path, node_path=path, properties=shown or None, baked=baked)


OPERATIONS = (setup_lightmapper,)


def _bake_light(call: Call, edit: SceneEdit, path: str, timeout: float) -> str:
    """Bakes the staged scene, and stages what came of it."""
    from scenewright.godot.engine.lightmapper import bake_light

    files = bake_light(call, edit.workspace, edit.index, scene=edit.path, node=path, timeout=timeout)
    for place, content in files.items():
        call.files.write(place, content)
    light = f"res://{next(iter(files))}"
    edit.set(path, {"light_data": light})
    edit.save()
    call.summary = f"Baked the light of {edit.path}."
    return light


def _find_or_add_lightmap(edit: SceneEdit, *, create: bool) -> str:
    from scenewright.godot.scenes.scene_edit import Addition

    known = [node.path for node in edit.tree.nodes.values() if node.type == _KIND]
    if known:
        return known[0]
    if not create:
        raise NotFound(f"{edit.path} has no {_KIND}.", hint="Pass createNode: true.")
    return edit.add(Addition(name=edit.free_name(".", _KIND), kind=_KIND)).path


def _lightmap_values(inputs: LightmapInputs) -> dict[str, Any]:
    quality = None if inputs.quality is None else f"BAKE_QUALITY_{inputs.quality.upper()}"
    mode = None if inputs.environment_mode is None else f"ENVIRONMENT_MODE_{inputs.environment_mode.upper()}"
    if inputs.environment_color is not None and mode is None:
        mode = "ENVIRONMENT_MODE_CUSTOM_COLOR"
    values = given(
        quality=quality,
        bounces=inputs.bounces,
        use_denoiser=inputs.use_denoiser,
        directional=inputs.directional,
        interior=inputs.interior,
        max_texture_size=inputs.max_texture_size,
        environment_mode=mode,
        environment_custom_color=inputs.environment_color,
        environment_custom_energy=inputs.environment_energy,
    )
    return values | (inputs.properties or {})
