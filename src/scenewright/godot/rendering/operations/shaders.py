"""Shaders: writing them, materials of them on nodes and in files, and parameters typed by their uniforms."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any, Literal

from scenewright.core.calls.call import Call
from scenewright.core.faults import Conflict, Invalid, NotFound, Unsupported
from scenewright.core.operations.declaration import Example, Safety, operation
from scenewright.core.operations.model import Compiled, Inputs, Outputs, about
from scenewright.godot.project.openers import NodePath, ScenePath, class_index, open_edit, open_workspace
from scenewright.godot.scenes.operations.node_properties import NodeWritten
from scenewright.godot.scenes.operations.ready_made_node import given

if TYPE_CHECKING:
    from scenewright.godot.rendering.materials import Shader
    from scenewright.godot.scenes.node_resources import Held
    from scenewright.godot.scenes.scene_edit import SceneEdit

__all__ = ["OPERATIONS"]

ShaderPath = Annotated[str, about("Shader file (.gdshader), res:// or from the project's root.", min_length=1)]
Overwrite = Annotated[bool, about("Replace a file that exists.")]
MaterialProperty = Annotated[str, about("Property of the node; by its class if left out.")]
Surface = Annotated[int, about("Surface of a mesh, instead of the whole node.", ge=0)]


class ShaderInputs(Inputs, frozen=True, kw_only=True):
    shader_path: ShaderPath
    shader_type: (
        Annotated[
            Literal["canvas_item", "spatial", "particles", "sky", "fog"], about("Type; needed unless content is given.")
        ]
        | None
    ) = None
    content: Annotated[str, about("The whole shader, instead of its parts.")] | None = None
    render_mode: Annotated[list[str], about("Render modes, such as 'unshaded'.")] | None = None
    uniforms: Annotated[list[str], about("Declarations: 'float speed : hint_range(0, 9) = 1.0'.")] | None = None
    vertex_code: Annotated[str, about("Body of vertex().")] | None = None
    fragment_code: Annotated[str, about("Body of fragment(); of sky() or fog() in those types.")] | None = None
    light_code: Annotated[str, about("Body of light().")] | None = None
    start_code: Annotated[str, about("Body of start(), for particles.")] | None = None
    process_code: Annotated[str, about("Body of process(), for particles.")] | None = None
    overwrite: Overwrite = False


class ShaderWritten(Compiled, frozen=True, kw_only=True):
    shader_path: Annotated[str, about("res:// path.")]
    type: Annotated[str, about("Shader type.")]
    uniforms: Annotated[dict[str, str], about("Uniforms and the types of their values.")]


@operation(
    id="godot.shader.create",
    category="shader",
    safety=Safety.SAFE_WRITE,
    needs_project=True,
    tool="create_shader",
    manager="godot_code_manager",
    action="shader.create",
    idempotent=True,
    notes="If Godot is available, it compiles the written shader.",
    examples=(
        Example(
            "A tint",
            {
                "shaderPath": "fx/tint.gdshader",
                "shaderType": "canvas_item",
                "uniforms": ["vec4 tint : source_color = vec4(1.0)"],
                "fragmentCode": "COLOR *= tint;",
            },
            {
                "shaderPath": "res://fx/tint.gdshader",
                "type": "canvas_item",
                "uniforms": {"tint": "Color"},
                "compiled": True,
            },
        ),
    ),
)
def create_shader(call: Call, inputs: ShaderInputs) -> ShaderWritten:
    """Writes a shader, whole or from its parts, and reports what the engine's compiler says."""
    from scenewright.godot.rendering.materials import SUFFIX, Shader

    workspace = open_workspace(call)
    place = workspace.place(inputs.shader_path)
    if not place.endswith(SUFFIX):
        raise Invalid(f"A shader's file name ends in {SUFFIX}.", path="input.shaderPath", rule="suffix")
    _must_be_free(call, place, overwrite=inputs.overwrite)
    call.files.write(place, _shader_content(inputs).encode())
    shader = Shader(workspace, place)
    call.summary = f"Wrote res://{place} ({shader.type})."
    uniforms = {name: uniform.type for name, uniform in shader.uniforms.items()}
    return ShaderWritten(shader_path=shader.path, type=shader.type, uniforms=uniforms)


class MaterialInputs(Inputs, frozen=True, kw_only=True):
    shader_path: ShaderPath
    material_path: Annotated[str, about("File for the material (.tres); inside the scene if left out.")] | None = None
    scene_path: ScenePath | None = None
    node_path: Annotated[str, about("Node of the scene that gets it.")] | None = None
    parameters: Annotated[dict[str, Any], about("Values by uniform.")] | None = None
    material_property: MaterialProperty | None = None
    surface_index: Surface | None = None
    overwrite: Overwrite = False


class MaterialWritten(Outputs, frozen=True, kw_only=True):
    shader_path: Annotated[str, about("Its shader.")]
    material_path: Annotated[str, about("File of the material.")] | None = None
    node_path: Annotated[str, about("Node that has it.")] | None = None
    property: Annotated[str, about("Property that holds it.")] | None = None
    parameters: Annotated[dict[str, Any], about("Values as stored.")] | None = None


@operation(
    id="godot.shader.apply",
    category="shader",
    safety=Safety.SAFE_WRITE,
    needs_project=True,
    tool="create_shader_material",
    manager="godot_code_manager",
    action="shader.apply",
    idempotent=True,
    examples=(
        Example(
            "On a sprite",
            {
                "shaderPath": "fx/tint.gdshader",
                "scenePath": "main.tscn",
                "nodePath": "Hero",
                "parameters": {"tint": "#ff8800"},
            },
            {
                "shaderPath": "res://fx/tint.gdshader",
                "nodePath": "Hero",
                "property": "material",
                "parameters": {"tint": "Color(1, 0.53333336, 0, 1)"},
            },
        ),
        Example(
            "As a file",
            {"shaderPath": "fx/tint.gdshader", "materialPath": "fx/tint.tres"},
            {"shaderPath": "res://fx/tint.gdshader", "materialPath": "res://fx/tint.tres"},
        ),
    ),
)
def create_shader_material(call: Call, inputs: MaterialInputs) -> MaterialWritten:
    """Makes a material from a shader, as a file or on a node, its parameters typed by the shader's uniforms."""
    from scenewright.godot.rendering.materials import Shader, parameters
    from scenewright.godot.rendering.uniforms import typed

    if inputs.material_path is None and inputs.node_path is None:
        raise Invalid("Give materialPath, or scenePath and nodePath.", path="input.materialPath", rule="required")
    shader = Shader(open_workspace(call), inputs.shader_path)
    values = parameters(typed(_of_material(shader), inputs.parameters or {}, "parameters"))
    props = {"shader": shader.path, **values}
    shown, path = (None, None) if inputs.material_path is None else _write_material(call, inputs, props)
    name = node = None
    if inputs.node_path is not None:
        node, name, shown = _apply_material(call, inputs, shader, path or props, shown)
    call.summary = f"Made a material from {shader.path}."
    return MaterialWritten(
        shader_path=shader.path,
        material_path=path,
        node_path=node,
        property=name,
        parameters=_without_prefix(shown) or None,
    )


class ParamInputs(Inputs, frozen=True, kw_only=True):
    scene_path: ScenePath
    node_path: NodePath
    param: Annotated[str, about("Name of the uniform.", min_length=1)]
    value: Annotated[Any, about("Value by the uniform's type; null resets it to the shader's default.")]
    material_property: MaterialProperty | None = None
    surface_index: Surface | None = None


@operation(
    id="godot.shader.param.set",
    name="Set Shader Parameter",
    category="shader",
    safety=Safety.SAFE_WRITE,
    needs_project=True,
    tool="set_shader_param",
    manager="godot_inspector_manager",
    action="shader.set_param",
    idempotent=True,
    examples=(
        Example(
            "Another tint",
            {"scenePath": "main.tscn", "nodePath": "Hero", "param": "tint", "value": "red"},
            {"scenePath": "res://main.tscn", "nodePath": "Hero", "properties": {"tint": "Color(1, 0, 0, 1)"}},
        ),
    ),
)
def set_shader_param(call: Call, inputs: ParamInputs) -> NodeWritten:
    """Sets a parameter of the shader on a node, typed by its uniform; instance uniforms are set on the node itself."""
    from scenewright.godot.rendering.uniforms import typed

    edit = open_edit(call, inputs.scene_path)
    node = edit.node(inputs.node_path)
    material = _find_material(edit, inputs)
    uniforms = _shader_of(edit, material).uniforms
    name = inputs.param.removeprefix("shader_parameter/")
    value = typed(uniforms, {name: inputs.value}, "param")[name]
    if uniforms[name].instance:
        full = f"instance_shader_parameters/{name}"
        shown = edit.set(
            node.path, {} if value is None else {full: value}, reset=[full] if value is None else []
        ).values
    else:
        shown = _set_parameter(material, f"shader_parameter/{name}", value)
    edit.save()
    call.summary = f"Set '{name}' of '{node.path}'."
    if material.place != edit.path:
        call.warnings.append(f"The material is {material.place}, so everything else that uses it changes too.")
    return NodeWritten(scene_path=edit.path, node_path=node.path, properties=_without_prefix(shown))


OPERATIONS = (create_shader, create_shader_material, set_shader_param)


def _shader_content(inputs: ShaderInputs) -> str:
    from scenewright.godot.rendering.shader_source import FUNCTIONS, shader_text, shader_type

    bodies = given(
        vertexCode=inputs.vertex_code,
        fragmentCode=inputs.fragment_code,
        lightCode=inputs.light_code,
        startCode=inputs.start_code,
        processCode=inputs.process_code,
    )
    if inputs.content is None:
        if inputs.shader_type is None:
            raise Invalid("Give shaderType, or the whole shader as content.", path="input.shaderType", rule="required")
        return shader_text(inputs.shader_type, inputs.render_mode or (), inputs.uniforms or (), bodies)
    if bodies or inputs.render_mode or inputs.uniforms:
        raise Invalid("Give content or the parts, not both.", path="input.content", rule="oneOf")
    declared = shader_type(inputs.content)
    if declared not in FUNCTIONS or declared != (inputs.shader_type or declared):
        raise Invalid(
            f"The content declares {f'shader_type {declared}' if declared else 'no shader_type'}.",
            path="input.content",
            rule="shaderType",
            hint=f"Its first statement must be 'shader_type {inputs.shader_type or 'canvas_item'};'.",
        )
    return inputs.content


def _must_be_free(call: Call, place: str, *, overwrite: bool) -> None:
    if call.files.exists(place) and not overwrite:
        raise Conflict(f"'res://{place}' exists already.", hint="Pass overwrite: true to replace it.", retryable=False)


def _of_material(shader: Shader) -> dict[str, Any]:
    return {name: uniform for name, uniform in shader.uniforms.items() if not uniform.instance}


def _write_material(call: Call, inputs: MaterialInputs, props: dict[str, Any]) -> tuple[dict[str, Any], str]:
    from scenewright.godot.assets.resource_file import new_resource

    workspace = open_workspace(call)
    place = workspace.place(inputs.material_path or "")
    if not place.endswith(".tres"):
        raise Invalid("A material's file name ends in .tres.", path="input.materialPath", rule="suffix")
    _must_be_free(call, place, overwrite=inputs.overwrite)
    placed = new_resource(workspace, class_index(call), "ShaderMaterial").set(props)
    workspace.save(place, placed.document)
    return placed.shown(), f"res://{place}"


def _apply_material(
    call: Call, inputs: MaterialInputs, shader: Shader, material: str | dict[str, Any], shown: dict[str, Any] | None
) -> tuple[str, str, dict[str, Any]]:
    """Puts the material on the node: its path, the property, and the parameters as they arrived."""
    from scenewright.godot.rendering.materials import material_property
    from scenewright.godot.scenes.node_resources import held_by, inline

    if inputs.scene_path is None:
        raise Invalid("nodePath needs its scene.", path="input.scenePath", rule="required", hint="Give scenePath.")
    edit = open_edit(call, inputs.scene_path)
    node = edit.node(inputs.node_path or "")
    name = material_property(edit, node, shader.type, inputs.material_property, inputs.surface_index)
    edit.set(node.path, {name: material if isinstance(material, str) else inline("ShaderMaterial", material)})
    if shown is None:
        resource = held_by(edit, node.path, name)
        shown = resource.read() if resource is not None else {}
    edit.save()
    return node.path, name, shown


def _find_material(edit: SceneEdit, inputs: ParamInputs) -> Held:
    """The shader material that a node draws with.

    Raises:
        NotFound: it has none.
    """
    from scenewright.godot.rendering.materials import drawn_property
    from scenewright.godot.scenes.node_resources import held_by

    node = edit.node(inputs.node_path)
    name = drawn_property(node, inputs.material_property, inputs.surface_index)
    material = held_by(edit, node.path, name) if name is not None else None
    if material is None or material.resource.native != "ShaderMaterial":
        raise NotFound(f"'{node.path}' has no shader material.", hint="create_shader_material puts one on it.")
    return material


def _shader_of(edit: SceneEdit, material: Held) -> Shader:
    from scenewright.godot.rendering.materials import Shader

    shader = material.read().get("shader")
    path = shader.get("$path") if isinstance(shader, dict) else None
    if path is None:
        raise Unsupported("The material's shader is not a file.", hint="Save it as a .gdshader first.")
    return Shader(edit.workspace, path)


def _set_parameter(material: Held, name: str, value: Any) -> dict[str, Any]:
    if value is not None:
        return material.set({name: value})
    material.set({}, reset=[name])
    return {name: None}


def _without_prefix(values: dict[str, Any] | None) -> dict[str, Any]:
    """Parameters by the uniform's name."""
    starts = ("shader_parameter/", "instance_shader_parameters/")
    return {
        name.removeprefix(start): value
        for name, value in (values or {}).items()
        for start in starts
        if name.startswith(start)
    }
