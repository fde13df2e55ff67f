"""Lights, the environment of a scene, and both at once by name."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any, Literal

from scenewright.core.calls.call import Call
from scenewright.core.faults import Invalid
from scenewright.core.operations.declaration import Example, Safety, operation
from scenewright.core.operations.model import Inputs, Outputs, about
from scenewright.core.text.counts import with_article
from scenewright.godot.project.openers import ScenePath, class_index, open_edit, open_workspace
from scenewright.godot.scenes.operations.node_properties import NodeWritten, Values
from scenewright.godot.scenes.operations.ready_made_node import (
    Color,
    ParentPath,
    ReadyMadeNode,
    Unique,
    chosen,
    given,
    put,
    written,
)

if TYPE_CHECKING:
    from scenewright.godot.scenes.scene_edit import SceneEdit

__all__ = ["OPERATIONS"]

_LIGHTS = {
    "directional_3d": "DirectionalLight3D",
    "omni_3d": "OmniLight3D",
    "spot_3d": "SpotLight3D",
    "point_2d": "PointLight2D",
    "directional_2d": "DirectionalLight2D",
}
_BACKGROUNDS = {
    "clear_color": "BG_CLEAR_COLOR",
    "custom_color": "BG_COLOR",
    "sky": "BG_SKY",
    "canvas": "BG_CANVAS",
    "keep": "BG_KEEP",
    "camera_feed": "BG_CAMERA_FEED",
}
_TONES = {
    "linear": "TONE_MAPPER_LINEAR",
    "reinhard": "TONE_MAPPER_REINHARDT",
    "filmic": "TONE_MAPPER_FILMIC",
    "aces": "TONE_MAPPER_ACES",
    "agx": "TONE_MAPPER_AGX",
}
_SPOT = 256  # pixels across the spot of a 2D light


class LightInputs(ReadyMadeNode, frozen=True, kw_only=True):
    light_type: Annotated[str, about("directional_3d, omni_3d, spot_3d, point_2d or directional_2d; or the class.")]
    color: Color = None
    energy: Annotated[float, about("Strength.", ge=0)] | None = None
    range: Annotated[float, about("How far it reaches: metres, in 2D the radius in pixels.", gt=0)] | None = None
    spot_angle: Annotated[float, about("Half the angle of a spot, in degrees.", gt=0, le=180)] | None = None
    shadow_enabled: Annotated[bool, about("Cast shadows.")] | None = None
    texture_path: Annotated[str, about("Shape of a 2D light, projector of a 3D one.")] | None = None


@operation(
    id="godot.light.create",
    category="lighting",
    safety=Safety.SAFE_WRITE,
    needs_project=True,
    tool="create_light",
    manager="godot_graphics_manager",
    action="light.create",
    notes="A point_2d without texturePath gets a soft round spot, as it would otherwise show nothing.",
    examples=(
        Example(
            "A lamp",
            {
                "scenePath": "main.tscn",
                "nodeName": "Lamp",
                "lightType": "omni_3d",
                "color": "orange",
                "range": 8,
                "shadowEnabled": True,
            },
            {"scenePath": "res://main.tscn", "nodePath": "Lamp", "properties": {"omni_range": 8.0}},
        ),
    ),
)
def create_light(call: Call, inputs: LightInputs) -> NodeWritten:
    """Adds a light: sun, lamp or spot in 3D; point or directional in 2D, visible at once."""
    edit = open_edit(call, inputs.scene_path)
    by_class = {kind: name for name, kind in _LIGHTS.items()}
    name = by_class.get(inputs.light_type) or chosen(inputs.light_type, _LIGHTS, "lightType")
    texture = None if inputs.texture_path is None else edit.workspace.resource_path(inputs.texture_path)
    values = _light_2d(inputs, name, texture) if name.endswith("2d") else _light_3d(inputs, name, texture)
    values |= given(shadow_enabled=inputs.shadow_enabled)
    return written(call, edit, put(edit, _LIGHTS[name], inputs, values), _LIGHTS[name])


class EnvironmentInputs(Inputs, frozen=True, kw_only=True):
    environment_path: Annotated[str, about("Environment file (.tres); changed if it exists.")] | None = None
    scene_path: Annotated[str, about("Scene whose WorldEnvironment uses it; created if missing.")] | None = None
    parent_node_path: ParentPath = "."
    background_mode: Annotated[str, about("clear_color, custom_color, sky, canvas, keep or camera_feed.")] | None = None
    background_color: Color = None
    sky: Annotated[dict[str, Any], about("Properties of a ProceduralSkyMaterial: sky_top_color, …")] | None = None
    ambient_light_color: Color = None
    ambient_light_energy: Annotated[float, about("Strength of the ambient light.", ge=0)] | None = None
    tonemap_mode: Annotated[str, about("linear, reinhard, filmic, aces or agx.")] | None = None
    glow_enabled: Annotated[bool, about("Glow.")] | None = None
    glow_intensity: Annotated[float, about("Strength of the glow.", ge=0)] | None = None
    fog_enabled: Annotated[bool, about("Fog.")] | None = None
    fog_density: Annotated[float, about("Density of the fog.", ge=0)] | None = None
    fog_color: Color = None
    ssao_enabled: Annotated[bool, about("Ambient occlusion.")] | None = None
    ssr_enabled: Annotated[bool, about("Screen-space reflections.")] | None = None
    sdfgi_enabled: Annotated[bool, about("Global illumination.")] | None = None
    properties: Values | None = None
    camera_attributes: (
        Annotated[dict[str, Any], about("Properties of CameraAttributesPractical: auto_exposure_enabled, dof_…")] | None
    ) = None


class EnvironmentWritten(Outputs, frozen=True, kw_only=True):
    properties: Annotated[dict[str, Any], about("The values as stored.")]
    environment_path: Annotated[str, about("Environment file.")] | None = None
    scene_path: Annotated[str, about("Scene.")] | None = None
    node_path: Annotated[str, about("Its WorldEnvironment.")] | None = None


@operation(
    id="godot.environment.setup",
    name="Set Up Environment",
    category="lighting",
    safety=Safety.SAFE_WRITE,
    needs_project=True,
    tool="setup_environment",
    manager="godot_graphics_manager",
    action="environment.setup",
    idempotent=True,
    notes="properties takes the rest of Environment: volumetric_fog_enabled, adjustment_saturation, glow_bloom, …",
    examples=(
        Example(
            "A foggy morning",
            {
                "scenePath": "main.tscn",
                "backgroundMode": "sky",
                "fogEnabled": True,
                "sky": {"sky_top_color": "#8090a0"},
                "tonemapMode": "filmic",
            },
            {
                "scenePath": "res://main.tscn",
                "nodePath": "WorldEnvironment",
                "properties": {"background_mode": 2, "fog_enabled": True, "tonemap_mode": 2},
            },
        ),
    ),
)
def setup_environment(call: Call, inputs: EnvironmentInputs) -> EnvironmentWritten:
    """Makes or changes the Environment of a scene, a file, or both: background, sky, fog, glow, ambience, tones."""
    if inputs.environment_path is None and inputs.scene_path is None:
        raise Invalid("Give scenePath or environmentPath.", path="input.scenePath", rule="required")
    if inputs.camera_attributes is not None and inputs.scene_path is None:
        raise Invalid(
            "cameraAttributes are kept by the WorldEnvironment of a scene.",
            path="input.scenePath",
            rule="required",
            hint="Give scenePath, or leave cameraAttributes out.",
        )
    values = _environment(inputs)
    path, shown, node = None, dict[str, Any](), None
    if inputs.environment_path is not None:
        path, shown = _environment_file(call, inputs.environment_path, values)
    scene = None
    if inputs.scene_path is not None:
        edit = open_edit(call, inputs.scene_path)
        node, node_values = _world_environment(edit, inputs, path or values)
        shown = shown or node_values
        edit.save()
        scene = edit.path
    call.summary = f"Set up {path or node}."
    return EnvironmentWritten(properties=shown, environment_path=path, scene_path=scene, node_path=node)


class PresetInputs(Inputs, frozen=True, kw_only=True):
    scene_path: ScenePath
    parent_node_path: ParentPath = "."
    lighting_preset: Annotated[
        Literal["basic_3d", "basic_2d", "sunny", "overcast", "sunset", "night", "indoor"], about("Which light.")
    ] = "basic_3d"
    include_world_environment: Annotated[bool, about("Add the environment.")] = True
    include_directional_light: Annotated[bool, about("Add the light.")] = True
    ensure_unique_name: Unique = True


class PresetWritten(Outputs, frozen=True, kw_only=True):
    scene_path: Annotated[str, about("res:// path.")]
    nodes: Annotated[list[str], about("Paths of the new nodes.")]


@operation(
    id="godot.light.preset",
    category="lighting",
    safety=Safety.SAFE_WRITE,
    needs_project=True,
    tool="lighting_preset",
    manager="godot_builder_manager",
    parameter_aliases={"preset": "lightingPreset"},
    notes="basic_2d also adds a CanvasModulate, as a 2D light shows only in a darkened scene.",
    examples=(
        Example(
            "Evening",
            {"scenePath": "world.tscn", "lightingPreset": "sunset"},
            {"scenePath": "res://world.tscn", "nodes": ["WorldEnvironment", "DirectionalLight3D"]},
        ),
    ),
)
def lighting_preset(call: Call, inputs: PresetInputs) -> PresetWritten:
    """Lights a scene by name: a sun or moon, and an environment with sky, fog and tones to go with it."""
    from scenewright.godot.rendering.lighting_presets import MOODS, environment
    from scenewright.godot.scenes.node_resources import inline

    edit = open_edit(call, inputs.scene_path)
    mood = MOODS[inputs.lighting_preset]
    wanted: list[tuple[str, dict[str, Any]]] = []
    if inputs.include_world_environment:
        _must_be_alone(edit)
        wanted.append(("WorldEnvironment", {"environment": inline("Environment", environment(mood))}))
        wanted += [("CanvasModulate", {"color": mood.tint})] if mood.tint else []
    if inputs.include_directional_light:
        wanted.append(("DirectionalLight2D" if mood.flat else "DirectionalLight3D", mood.light))
    if not wanted:
        raise Invalid("There is nothing to add.", path="input.includeDirectionalLight", rule="required")
    nodes = [_add_node(edit, inputs, kind, values) for kind, values in wanted]
    edit.save()
    call.summary = f"Lit {edit.path} ({inputs.lighting_preset})."
    return PresetWritten(scene_path=edit.path, nodes=nodes)


OPERATIONS = (create_light, setup_environment, lighting_preset)


def _light_2d(inputs: LightInputs, name: str, texture: str | None) -> dict[str, Any]:
    from scenewright.godot.rendering.ramps import glow

    values = given(color=inputs.color, energy=inputs.energy)
    _refuse_parameters({"spotAngle": inputs.spot_angle}, name)
    if name == "directional_2d":
        _refuse_parameters({"range": inputs.range, "texturePath": texture}, name)
        return values
    if texture is None:
        scale = None if inputs.range is None else 2 * inputs.range / _SPOT
        return values | given(texture=glow(_SPOT), texture_scale=scale)
    if inputs.range is not None:
        raise Invalid(
            "The texture determines the range of this light.",
            path="input.range",
            rule="texture",
            hint="Set texture_scale in properties.",
        )
    return values | {"texture": texture}


def _light_3d(inputs: LightInputs, name: str, texture: str | None) -> dict[str, Any]:
    values = given(light_color=inputs.color, light_energy=inputs.energy, light_projector=texture)
    if name != "spot_3d":
        _refuse_parameters({"spotAngle": inputs.spot_angle}, name)
    if name == "directional_3d":
        _refuse_parameters({"range": inputs.range, "texturePath": texture}, name)
        return values
    kind = name.partition("_")[0]
    return values | given(**{f"{kind}_range": inputs.range}) | given(spot_angle=inputs.spot_angle)


def _refuse_parameters(unfit: dict[str, Any], name: str) -> None:
    for parameter, value in unfit.items():
        if value is not None:
            raise Invalid(
                f"A {name} light has no {parameter}.",
                path=f"input.{parameter}",
                rule="lightType",
                hint=f"Leave {parameter} out.",
            )


def _environment(inputs: EnvironmentInputs) -> dict[str, Any]:
    """The properties that the parameters stand for."""
    from scenewright.godot.rendering.lighting_presets import procedural_sky

    mode, tone = inputs.background_mode, inputs.tonemap_mode
    if inputs.sky is not None and mode is None:
        mode = "sky"
    if inputs.background_color is not None and mode is None:
        mode = "custom_color"
    sky = procedural_sky(inputs.sky) if inputs.sky is not None else None
    values = given(
        background_mode=None if mode is None else _BACKGROUNDS[chosen(mode, _BACKGROUNDS, "backgroundMode")],
        background_color=inputs.background_color,
        sky=sky,
        ambient_light_energy=inputs.ambient_light_energy,
        tonemap_mode=None if tone is None else _TONES[chosen(tone, _TONES, "tonemapMode")],
        glow_enabled=inputs.glow_enabled,
        glow_intensity=inputs.glow_intensity,
        fog_enabled=inputs.fog_enabled,
        fog_density=inputs.fog_density,
        fog_light_color=inputs.fog_color,
        ssao_enabled=inputs.ssao_enabled,
        ssr_enabled=inputs.ssr_enabled,
        sdfgi_enabled=inputs.sdfgi_enabled,
    )
    if inputs.ambient_light_color is not None:
        # The colour alone has no effect where the light comes from the background.
        values |= {"ambient_light_source": "AMBIENT_SOURCE_COLOR", "ambient_light_color": inputs.ambient_light_color}
    return values | (inputs.properties or {})


def _environment_file(call: Call, path: str, values: dict[str, Any]) -> tuple[str, dict[str, Any]]:
    from scenewright.godot.assets.resource_file import ResourceFile, new_resource

    workspace, index = open_workspace(call), class_index(call)
    place = workspace.place(path)
    if not place.endswith(".tres"):
        raise Invalid("An environment's file name ends in .tres.", path="input.environmentPath", rule="suffix")
    if call.files.exists(place):
        resource = ResourceFile(workspace, index, workspace.document(place), f"res://{place}")
        if resource.native != "Environment":
            raise Invalid(
                f"'res://{place}' is {with_article(resource.type)}.",
                path="input.environmentPath",
                rule="class",
                hint="Name another file.",
            )
        values = _with_sky(values, has_sky="sky" in resource.read(None, defaults=False))
    else:
        resource = new_resource(workspace, index, "Environment")
        values = _with_sky(values, has_sky=False)
    placed = resource.set(values)
    workspace.save(place, placed.document)
    return f"res://{place}", placed.shown()


def _with_sky(values: dict[str, Any], *, has_sky: bool) -> dict[str, Any]:
    """A background of sky needs one."""
    from scenewright.godot.rendering.lighting_presets import procedural_sky

    if values.get("background_mode") == "BG_SKY" and "sky" not in values and not has_sky:
        return {**values, "sky": procedural_sky({})}
    return values


def _world_environment(
    edit: SceneEdit, inputs: EnvironmentInputs, environment: str | dict[str, Any]
) -> tuple[str, dict[str, Any]]:
    """The scene's one, with the environment and what goes beside it: its path, and the values as they arrived."""
    from scenewright.godot.scenes.node_resources import held_or_new
    from scenewright.godot.scenes.scene_edit import Addition

    known = [node.path for node in edit.tree.nodes.values() if node.type == "WorldEnvironment"]
    path = known[0] if known else None
    if path is None:
        parent = edit.node(inputs.parent_node_path, parameter="parentNodePath").path
        name = edit.free_name(parent, "WorldEnvironment")
        path = edit.add(Addition(name=name, kind="WorldEnvironment", parent=parent)).path
    if inputs.camera_attributes is not None:
        held_or_new(edit, path, "camera_attributes", "CameraAttributesPractical").set(inputs.camera_attributes)
    if isinstance(environment, str):
        return path, edit.set(path, {"environment": environment}).values
    resource = held_or_new(edit, path, "environment", "Environment")
    return path, resource.set(_with_sky(environment, has_sky="sky" in resource.read()))


def _must_be_alone(edit: SceneEdit) -> None:
    """The engine takes the first of two environments and ignores the other."""
    known = [node.path for node in edit.tree.nodes.values() if node.type == "WorldEnvironment"]
    if known:
        raise Invalid(
            f"The scene already has a WorldEnvironment: '{known[0]}'.",
            path="input.includeWorldEnvironment",
            rule="single",
            hint="Remove it first, or pass includeWorldEnvironment: false.",
        )


def _add_node(edit: SceneEdit, inputs: PresetInputs, kind: str, values: dict[str, Any]) -> str:
    name = edit.free_name(inputs.parent_node_path, kind) if inputs.ensure_unique_name else kind
    node = ReadyMadeNode(scene_path=inputs.scene_path, node_name=name, parent_node_path=inputs.parent_node_path)
    return put(edit, kind, node, values).path
