"""Ready-made ground: hills from noise, and a material that colors them by height and slope."""

from __future__ import annotations

import posixpath
from typing import TYPE_CHECKING, Annotated, Any

from scenewright.core.calls.call import Call
from scenewright.core.faults import Conflict, Invalid
from scenewright.core.operations.declaration import Example, Safety, operation
from scenewright.core.operations.model import Inputs, Outputs, about
from scenewright.godot.building.operations.part_placement import Built, PartPlacement, Position, built, open_site
from scenewright.godot.project.openers import class_index, open_edit, open_workspace

if TYPE_CHECKING:
    from scenewright.godot.building.node_tree import PlannedNode
    from scenewright.godot.building.terrain_mesh import Ground

__all__ = ["OPERATIONS"]

Colored = Annotated[Any, about("Color.")]


class TerrainInputs(PartPlacement, frozen=True, kw_only=True):
    size: Annotated[float, about("Length of a side.", gt=0, le=100_000)] = 64.0
    subdivisions: Annotated[int, about("Cells along a side.", ge=1, le=256)] = 48
    amplitude: Annotated[float, about("Highest and lowest height.", ge=0, le=100_000)] = 4.0
    seed: Annotated[int, about("Another number gives other hills.")] = 0
    frequency: Annotated[float, about("About how many hills there are from edge to edge.", gt=0, le=64)] = 4.0
    octaves: Annotated[int, about("How rough it is.", ge=1, le=8)] = 4
    uv_scale: Annotated[float, about("How often a texture repeats.", gt=0, le=100_000)] = 1.0
    collision: Annotated[bool, about("Make it a body to stand on.")] = True
    position: Position | None = None
    material_path: Annotated[str, about("Material.")] | None = None
    mesh_path: Annotated[str, about("File of the mesh (.tres); beside the scene if left out.")] | None = None
    overwrite: Annotated[bool, about("Replace a mesh that exists.")] = False


@operation(
    id="godot.build.terrain",
    category="scene.builder",
    safety=Safety.SAFE_WRITE,
    needs_project=True,
    tool="generate_terrain_mesh",
    manager="godot_builder_manager",
    notes="The same seed gives the same hills. The mesh is a file of its own; the height map is in the scene.",
    examples=(
        Example(
            "Rolling hills",
            {"scenePath": "level.tscn", "nodeName": "Hills", "seed": 7, "amplitude": 6},
            {
                "scenePath": "res://level.tscn",
                "nodePath": "Hills",
                "nodes": ["Hills", "Hills/Mesh", "Hills/CollisionShape3D"],
                "files": ["res://hills_mesh.tres"],
            },
        ),
    ),
)
def generate_terrain_mesh(call: Call, inputs: TerrainInputs) -> Built:
    """Adds hilly ground made of noise: a mesh with normals and UVs, and a body with the same height map."""
    from scenewright.godot.building.terrain_mesh import ground, mesh_document
    from scenewright.godot.documents import creation, ids

    site = open_site(call, inputs.scene_path)
    name = inputs.node_name or "Terrain"
    place = _mesh_place(call, inputs, name)
    land = ground(
        inputs.size,
        inputs.subdivisions,
        inputs.amplitude,
        seed=inputs.seed,
        hills=inputs.frequency,
        octaves=inputs.octaves,
    )
    document = creation.new_resource("ArrayMesh", uid=ids.new_uid())
    # Only from this format on the engine takes bytes as base64, which is a third of their length in numbers.
    document = document.set_attribute(document.sections[0], "format", 4)
    site.edit.workspace.save(place, mesh_document(document, land, uv_scale=inputs.uv_scale))
    look: dict[str, Any] = {"mesh": f"res://{place}"}
    if inputs.material_path is not None:
        look["material_override"] = site.edit.workspace.resource_path(inputs.material_path)
    part = _part(inputs, name, look, land)
    return built(call, site, part, inputs.parent_node_path, files=[f"res://{place}"])


class MaterialInputs(Inputs, frozen=True, kw_only=True):
    material_path: Annotated[str, about("File of the material (.tres).", min_length=1)]
    low_color: Colored = "#b9a26b"
    mid_color: Colored = "#4f7a3a"
    high_color: Colored = "#f2f4f7"
    steep_color: Colored = "#6b6259"
    low_height: Annotated[float, about("Below this it has the low color.")] = -1.0
    high_height: Annotated[float, about("Above this it has the high color.")] = 3.0
    steepness: Annotated[float, about("Slope from which it is steep: 0 flat, 1 vertical.", ge=0, le=1)] = 0.35
    roughness: Annotated[float, about("Roughness.", ge=0, le=1)] = 0.95
    shader_path: Annotated[str, about("File of its shader (.gdshader); inside it if left out.")] | None = None
    scene_path: Annotated[str, about("Scene with a node to give it to.")] | None = None
    node_path: Annotated[str, about("That node: a mesh, or a body with one.")] | None = None
    overwrite: Annotated[bool, about("Replace a material that exists.")] = False


class MaterialMade(Outputs, frozen=True, kw_only=True):
    material_path: Annotated[str, about("res:// path.")]
    scene_path: Annotated[str, about("Scene of the node that has it.")] | None = None
    node_path: Annotated[str, about("Node that has it.")] | None = None


@operation(
    id="godot.build.terrain_material",
    category="scene.builder",
    safety=Safety.SAFE_WRITE,
    needs_project=True,
    tool="create_terrain_material",
    manager="godot_builder_manager",
    examples=(
        Example(
            "Green hills with snow",
            {"materialPath": "terrain.tres", "highHeight": 4, "scenePath": "level.tscn", "nodePath": "Hills"},
            {"materialPath": "res://terrain.tres", "scenePath": "res://level.tscn", "nodePath": "Hills/Mesh"},
        ),
    ),
)
def create_terrain_material(call: Call, inputs: MaterialInputs) -> MaterialMade:
    """Creates a shader material that colors ground by height and slope, and gives it to a mesh on request."""
    from scenewright.godot.assets.resource_file import new_resource
    from scenewright.godot.building.colors import read_color
    from scenewright.godot.documents.variant_writer import write_variant

    if inputs.node_path is not None and inputs.scene_path is None:
        raise Invalid("A node needs its scene.", path="input.scenePath", rule="required", hint="Give scenePath.")
    workspace = open_workspace(call)
    place = _require_tres(workspace.place(inputs.material_path), "materialPath")
    _refuse_existing(call, place, overwrite=inputs.overwrite)
    values: dict[str, Any] = {"shader": _shader(call, inputs)}
    for name in ("low_color", "mid_color", "high_color", "steep_color"):
        color = read_color(getattr(inputs, name), name.replace("_color", "Color"))
        values[f"shader_parameter/{name}"] = {"$literal": write_variant(color)}  # no class says a parameter's type
    for name in ("low_height", "high_height", "steepness", "roughness"):
        values[f"shader_parameter/{name}"] = float(getattr(inputs, name))
    workspace.save(place, new_resource(workspace, class_index(call), "ShaderMaterial").set(values).document)
    call.summary = f"Created res://{place}."
    if inputs.scene_path is None:
        return MaterialMade(material_path=f"res://{place}")
    edit = open_edit(call, inputs.scene_path)
    node = edit.node(inputs.node_path or ".")
    if node.type != "MeshInstance3D":
        node = next((child for child in node.children if child.type == "MeshInstance3D"), node)
    path = edit.node(node.path, wanted="GeometryInstance3D").path
    edit.set(path, {"material_override": f"res://{place}"})
    edit.save()
    return MaterialMade(material_path=f"res://{place}", scene_path=edit.path, node_path=path)


OPERATIONS = (generate_terrain_mesh, create_terrain_material)


def _mesh_place(call: Call, inputs: TerrainInputs, name: str) -> str:
    workspace = open_workspace(call)
    folder = posixpath.dirname(workspace.place(inputs.scene_path))
    usual = posixpath.join(folder, f"{name.lower()}_mesh.tres")
    place = _require_tres(workspace.place(inputs.mesh_path) if inputs.mesh_path else usual, "meshPath")
    _refuse_existing(call, place, overwrite=inputs.overwrite)
    return place


def _shader(call: Call, inputs: MaterialInputs) -> Any:
    from scenewright.godot.building.node_tree import resource, script_text

    code = script_text("terrain.gdshader")
    if inputs.shader_path is None:
        return resource("Shader", code=code)
    place = open_workspace(call).place(inputs.shader_path)
    if not place.endswith(".gdshader"):
        raise Invalid("The file's name must end in .gdshader.", path="input.shaderPath", rule="suffix")
    _refuse_existing(call, place, overwrite=inputs.overwrite)
    call.files.write(place, code.encode())
    return f"res://{place}"


def _require_tres(place: str, parameter: str) -> str:
    if not place.endswith(".tres"):
        raise Invalid("The file's name must end in .tres.", path=f"input.{parameter}", rule="suffix")
    return place


def _refuse_existing(call: Call, place: str, *, overwrite: bool) -> None:
    if call.files.exists(place) and not overwrite:
        raise Conflict(
            f"'res://{place}' exists already.", hint="Pass overwrite: true, or another path.", retryable=False
        )


def _part(inputs: TerrainInputs, name: str, look: dict[str, Any], land: Ground) -> PlannedNode:
    from scenewright.godot.building.node_tree import part, resource

    where = {} if inputs.position is None else {"position": inputs.position}
    if not inputs.collision:
        return part("MeshInstance3D", name, properties=look | where)
    # Cells of a height map are one metre; the engine wants the same scale on all axes, so heights are scaled back.
    shape = resource(
        "HeightMapShape3D",
        map_width=land.side,
        map_depth=land.side,
        map_data=[height / land.step for height in land.heights],
    )
    scale = {} if land.step == 1 else {"scale": [land.step] * 3}
    return part(
        "StaticBody3D",
        name,
        part("MeshInstance3D", "Mesh", properties=look),
        part("CollisionShape3D", "CollisionShape3D", shape=shape, properties=scale),
        properties=where,
    )
