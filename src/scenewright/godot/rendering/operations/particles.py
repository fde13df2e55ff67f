"""Particles: emitters, their process materials, and effects by name."""

from __future__ import annotations

from typing import Annotated, Any, Literal

import msgspec

from scenewright.core.calls.call import Call
from scenewright.core.faults import Conflict, Invalid
from scenewright.core.operations.declaration import Example, Safety, operation
from scenewright.core.operations.model import Inputs, about
from scenewright.godot.assets.operations.resource_files import ResourceWritten
from scenewright.godot.project.openers import ScenePath, class_index, open_edit, open_workspace
from scenewright.godot.scenes.operations.node_properties import NodeWritten, Values
from scenewright.godot.scenes.operations.ready_made_node import (
    Color,
    Is3D,
    ParentPath,
    ReadyMadeNode,
    Unique,
    given,
    is_3d,
    put,
    written,
)

__all__ = ["OPERATIONS"]

Effect = Literal["fire", "smoke", "rain", "snow", "explosion", "sparks", "magic"]
Shape = Literal["point", "sphere", "sphere_surface", "box", "ring", "points", "directed_points"]


class EmitterInputs(ReadyMadeNode, frozen=True, kw_only=True):
    is_3d: Is3D | None = msgspec.field(default=None, name="is3D")
    amount: Annotated[int, about("Particles alive at once.", ge=1, le=1_000_000)] | None = None
    lifetime: Annotated[float, about("Seconds each lives.", gt=0)] | None = None
    one_shot: Annotated[bool, about("Emit only once.")] | None = None
    preprocess: Annotated[float, about("Seconds already simulated at the start.", ge=0)] | None = None
    emitting: Annotated[bool, about("Emit from the start.")] | None = None
    material_path: Annotated[str, about("Process material (.tres); a new one in the scene if left out.")] | None = None
    material: Annotated[dict[str, Any], about("Properties of that new ParticleProcessMaterial.")] | None = None
    texture_path: Annotated[str, about("Texture of a particle.")] | None = None


@operation(
    id="godot.particles.create",
    category="particles",
    safety=Safety.SAFE_WRITE,
    needs_project=True,
    tool="create_gpu_particles",
    manager="godot_graphics_manager",
    action="particles.create",
    notes="In 3D the particles are drawn on a quad that faces the camera, unless properties has draw_pass_1.",
    examples=(
        Example(
            "A fountain",
            {
                "scenePath": "main.tscn",
                "nodeName": "Fountain",
                "amount": 64,
                "material": {"direction": [0, -1, 0], "initial_velocity_min": 200},
            },
            {"scenePath": "res://main.tscn", "nodePath": "Fountain", "properties": {"amount": 64}},
        ),
    ),
)
def create_gpu_particles(call: Call, inputs: EmitterInputs) -> NodeWritten:
    """Adds a visible GPUParticles2D or GPUParticles3D: process material, texture or mesh, amount, lifetime."""
    from scenewright.godot.rendering.particle_presets import drawn_mesh, flat
    from scenewright.godot.scenes.node_resources import inline

    edit = open_edit(call, inputs.scene_path)
    three = is_3d(edit, inputs.parent_node_path, wanted=inputs.is_3d)
    if inputs.material_path and inputs.material:
        raise Invalid("Give materialPath or material, not both.", path="input.material", rule="oneOf")
    props = dict(inputs.material or {})
    material: Any = inline("ParticleProcessMaterial", props if three else flat(props))
    texture = None if inputs.texture_path is None else edit.workspace.resource_path(inputs.texture_path)
    values = given(
        amount=inputs.amount,
        lifetime=inputs.lifetime,
        one_shot=inputs.one_shot,
        preprocess=inputs.preprocess,
        emitting=inputs.emitting,
        texture=None if three else texture,
    )
    values["process_material"] = (
        edit.workspace.resource_path(inputs.material_path) if inputs.material_path else material
    )
    if three and texture is not None and "draw_pass_1" in (inputs.properties or {}):
        raise Invalid(
            "The mesh in draw_pass_1 has its own texture.",
            path="input.texturePath",
            rule="oneOf",
            hint="Leave texturePath or draw_pass_1 out.",
        )
    if three and "draw_pass_1" not in (inputs.properties or {}):
        values["draw_pass_1"] = drawn_mesh(0.2, texture=texture)
    kind = f"GPUParticles{'3D' if three else '2D'}"
    return written(call, edit, put(edit, kind, inputs, values), kind)


class ProcessInputs(Inputs, frozen=True, kw_only=True):
    material_path: Annotated[str, about("File for the material (.tres).", min_length=1)]
    preset: Annotated[Effect, about("Effect to start from.")] | None = None
    is_3d: Annotated[bool, about("For 3D instead of 2D.")] = msgspec.field(default=False, name="is3D")
    emission_shape: Annotated[Shape, about("Where particles start.")] | None = None
    direction: Annotated[Any, about("Vector3; in 2D y points down.")] = None
    spread: Annotated[float, about("Degrees around the direction.", ge=0, le=180)] | None = None
    gravity: Annotated[Any, about("Vector3, in pixels or metres per second².")] = None
    initial_velocity_min: Annotated[float, about("Speed at the start.")] | None = None
    initial_velocity_max: Annotated[float, about("Speed at the start, at most.")] | None = None
    angular_velocity_min: Annotated[float, about("Rotation in degrees per second.")] | None = None
    angular_velocity_max: Annotated[float, about("Rotation, at most.")] | None = None
    scale_min: Annotated[float, about("Size.")] | None = None
    scale_max: Annotated[float, about("Size, at most.")] | None = None
    color: Color = None
    color_ramp: Annotated[list[Any], about("Colours over the lifetime: [c, …] or [[place, c], …].")] | None = None
    scale_curve: Annotated[list[Any], about("Size over the lifetime: [0, 1, 0] or [[place, s], …].")] | None = None
    properties: Values | None = None
    overwrite: Annotated[bool, about("Replace a file that exists.")] = False


@operation(
    id="godot.particles.material",
    category="particles",
    safety=Safety.SAFE_WRITE,
    needs_project=True,
    tool="create_particle_material",
    manager="godot_graphics_manager",
    action="particles.material",
    notes="properties takes the rest: emission_sphere_radius, turbulence_enabled, damping_max, collision_mode, …",
    examples=(
        Example(
            "Dust",
            {
                "materialPath": "fx/dust.tres",
                "emissionShape": "sphere",
                "spread": 180,
                "scaleMax": 2,
                "colorRamp": ["#c0a080", "#c0a08000"],
                "scaleCurve": [0, 1, 0],
            },
            {
                "resourcePath": "res://fx/dust.tres",
                "type": "ParticleProcessMaterial",
                "properties": {"spread": 180.0, "scale_max": 2.0},
            },
        ),
    ),
)
def create_particle_material(call: Call, inputs: ProcessInputs) -> ResourceWritten:
    """Makes a ParticleProcessMaterial file: where particles start, how they move, and size and colour over time."""
    from scenewright.godot.assets.resource_file import new_resource

    workspace = open_workspace(call)
    place = workspace.place(inputs.material_path)
    if not place.endswith(".tres"):
        raise Invalid("A material's file name ends in .tres.", path="input.materialPath", rule="suffix")
    if call.files.exists(place) and not inputs.overwrite:
        raise Conflict(f"'res://{place}' exists already.", hint="Pass overwrite: true to replace it.", retryable=False)
    material = new_resource(workspace, class_index(call), "ParticleProcessMaterial")
    placed = material.set({**_process_values(inputs), **(inputs.properties or {})})
    workspace.save(place, placed.document)
    call.summary = f"Created res://{place}."
    return ResourceWritten(
        resource_path=f"res://{place}", type=material.type, uid=material.uid, properties=placed.shown() or None
    )


class EffectInputs(Inputs, frozen=True, kw_only=True):
    scene_path: ScenePath
    parent_node_path: ParentPath = "."
    node_name: Annotated[str, about("Name; the effect's if left out.", max_length=200)] | None = None
    preset: Annotated[Effect, about("Which effect.")] = "fire"
    is_3d: Is3D | None = msgspec.field(default=None, name="is3d")
    one_shot: Annotated[bool, about("Emit only once.")] | None = None
    emitting: Annotated[bool, about("Emit from the start.")] | None = None
    ensure_unique_name: Unique = True
    properties: Values | None = None


@operation(
    id="godot.particles.effect",
    category="particles",
    safety=Safety.SAFE_WRITE,
    needs_project=True,
    tool="create_particle_effect",
    manager="godot_builder_manager",
    examples=(
        Example(
            "A fire",
            {"scenePath": "camp.tscn", "preset": "fire"},
            {"scenePath": "res://camp.tscn", "nodePath": "Fire", "properties": {"amount": 48}},
        ),
    ),
)
def create_particle_effect(call: Call, inputs: EffectInputs) -> NodeWritten:
    """Adds a ready-made particle effect in 2D or 3D: fire, smoke, rain, snow, explosion, sparks or magic."""
    from scenewright.godot.rendering.particle_presets import effect_material, effect_node
    from scenewright.godot.scenes.node_resources import inline

    edit = open_edit(call, inputs.scene_path)
    three = is_3d(edit, inputs.parent_node_path, wanted=inputs.is_3d)
    values = effect_node(inputs.preset, three=three)
    values["process_material"] = inline("ParticleProcessMaterial", effect_material(inputs.preset, three=three))
    values |= given(one_shot=inputs.one_shot, emitting=inputs.emitting)
    name = inputs.node_name or inputs.preset.title()
    if inputs.ensure_unique_name:
        name = edit.free_name(inputs.parent_node_path, name)
    kind = f"GPUParticles{'3D' if three else '2D'}"
    node = ReadyMadeNode(
        scene_path=inputs.scene_path,
        node_name=name,
        parent_node_path=inputs.parent_node_path,
        properties=inputs.properties,
    )
    return written(call, edit, put(edit, kind, node, values), kind)


OPERATIONS = (create_gpu_particles, create_particle_material, create_particle_effect)


def _process_values(inputs: ProcessInputs) -> dict[str, Any]:
    from scenewright.godot.rendering.particle_presets import effect_material, flat
    from scenewright.godot.rendering.ramps import color_ramp, curve

    props = effect_material(inputs.preset, three=inputs.is_3d) if inputs.preset else {}
    shape = None if inputs.emission_shape is None else f"EMISSION_SHAPE_{inputs.emission_shape.upper()}"
    if shape is not None and shape != props.get("emission_shape"):
        # The size of another shape is nothing to this one, and the engine does not keep it.
        props = {name: value for name, value in props.items() if not name.startswith("emission_")}
    props |= given(
        emission_shape=shape,
        direction=inputs.direction,
        spread=inputs.spread,
        gravity=inputs.gravity,
        color=inputs.color,
        scale_min=inputs.scale_min,
        scale_max=inputs.scale_max,
    )
    props |= _range_values(inputs)
    if inputs.color_ramp is not None:
        props["color_ramp"] = color_ramp(inputs.color_ramp, "colorRamp")
    if inputs.scale_curve is not None:
        props["scale_curve"] = curve(inputs.scale_curve, "scaleCurve")
    return props if inputs.is_3d else flat(props)


def _range_values(inputs: ProcessInputs) -> dict[str, Any]:
    """Pairs of least and most; the engine keeps them in order, so that one beyond the other takes it along."""
    values: dict[str, Any] = {}
    for name in ("initial_velocity", "angular_velocity", "scale"):
        low, high = getattr(inputs, f"{name}_min"), getattr(inputs, f"{name}_max")
        if low is not None and high is not None and low > high:
            raise Invalid(
                f"The minimum of {name} is above the maximum.",
                path=f"input.{_camel(name)}Min",
                rule="maximum",
                hint="Swap them.",
            )
        usual = 1.0 if name == "scale" else 0.0
        if low is not None or high is not None:
            values[f"{name}_min"] = min(usual, high) if low is None and high is not None else low
            values[f"{name}_max"] = max(usual, low) if high is None and low is not None else high
    return values


def _camel(name: str) -> str:
    head, *rest = name.split("_")
    return head + "".join(part.title() for part in rest)
